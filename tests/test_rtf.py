"""Rich Text Format: text without formatting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import DocumentsError
from hlta.reading.formats.rtf import rtf_text


def text_of(body: str) -> str:
    return rtf_text(rf"{{\rtf1\ansi\ansicpg1252\deff0 {body}}}").text


def test_a_document_is_read_as_its_reader_sees_it() -> None:
    record = rtf_text(
        r"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\froman Times;}{\f1\fcharset204 Arial Cyr;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\s1 heading;}}{\info{\title On nets}{\author Someone}}
{\header page head}\pard\f0\b Deep\b0  neu
ral\tab nets\par
{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}\par{\*\generator program;}{\pict\pngblip 89504e47}
{\f1 \'cd\'e0\'f3\'ea\'e0} Gr\'f6\'dfe\~\emdash\rquote\{\\\}\line{\footnote note}}"""
    )
    assert record.title == "On nets"
    assert record.text.split() == [
        "Deep",
        "neural",
        "nets",
        "link",
        "Наука",
        "Größe",
        "—’{\\}",
        "note",
    ]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\u1053?\u1072?\'3fx", "На?x"),
        (r"\uc2\u1053\'3f\'3fx\uc0\u1072 y", "Нxаy"),
        (r"{\uc0\u1053}\u1072?x", "Наx"),
        (r"\u-10179?\u-8704?", "😀"),
        (r"\bin3 }}}x", "x"),
        (r"{\*\shpinst{\shptxt box}}", "box"),
        ("a\r\nb\\\nc", "ab\n\nc"),
        (r"{\fonttbl{\f0\fcharset128 Mincho;}}\f0\'93\'8c\'8b\'9e", "東京"),
        (r"}}}} x", " x"),
        (r"{{{{ x \'zz", " x 'zz"),
    ],
)
def test_letters_and_groups(body: str, text: str) -> None:
    assert text_of(body).rstrip() == text


def test_what_is_no_rtf_is_told() -> None:
    with pytest.raises(DocumentsError, match="it is not RTF"):
        rtf_text("text")


_TOKENS = [*"{}\\", r"\u", r"\'", r"\uc", r"\par ", r"\f1", r"\bin", r"\*", "9", "-", "word ", "\n"]


@given(st.lists(st.sampled_from(_TOKENS), max_size=40).map("".join))
def test_no_document_ends_in_a_traceback(body: str) -> None:
    assert isinstance(text_of(body), str)


def test_many_groups_are_read_in_linear_time() -> None:
    assert text_of("{" * 200_000 + "x" + "\\" * 200_000).startswith("x")
