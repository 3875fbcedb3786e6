"""Text of others in messages."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from hlta._support.printable import printable


@given(st.text())
def test_no_character_controls_a_terminal(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert (shown == text) == text.isprintable()


@given(st.text(st.characters(exclude_characters="\\'\"", categories=["L", "Cc", "Cf"])))
def test_escapes_are_those_of_python(text: str) -> None:
    assert ast.literal_eval(f"'{printable(text)}'") == text
