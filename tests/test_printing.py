"""What is printed commands no terminal."""

from __future__ import annotations

import json
import re
import unicodedata
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlta
from hlta import TopicTree
from hlta.cli.output import show_topics
from hlta.cli.printing import pass_on, show, tell, visible
from tests.command import run
from tests.trees import small_tree

EVIL = "\x1b]0;owned\x07"
ANY_TEXT = st.text(st.characters(exclude_categories=()))


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@given(ANY_TEXT)
def test_no_control_characters_but_line_feeds_and_tabs_are_left(text: str) -> None:
    shown = visible(text)
    assert not [c for c in shown if unicodedata.category(c) == "Cc" and c not in "\n\t"]
    assert not re.search("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", shown)
    assert visible(shown) == shown


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"])))
def test_other_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@given(ANY_TEXT)
def test_json_means_the_same(text: str) -> None:
    assert json.loads(visible(json.dumps(text, ensure_ascii=False))) == text


def test_results_and_messages_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    show(EVIL)
    tell(EVIL)
    told = capsys.readouterr()
    assert told.out == told.err == "\\u001b]0;owned\\u0007\n"


def test_data_are_escaped_for_a_terminal_alone() -> None:
    with redirect_stdout(StringIO()) as file:
        pass_on([EVIL])
    assert file.getvalue() == EVIL
    with redirect_stdout(Terminal()) as terminal:
        pass_on([EVIL])
    assert terminal.getvalue() == visible(EVIL)


@pytest.mark.parametrize("stream", [StringIO, Terminal])
def test_words_and_ids_of_topics_are_harmless(stream: type[StringIO]) -> None:
    tree = small_tree(words=(*(f"{EVIL}{k}" for k in range(6)), "g"))
    with redirect_stdout(stream()) as out:
        show_topics(TopicTree.from_tree(tree), ids=True)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())  # bold and dim are ours
    assert "\\u001b]0;owned" in shown
    assert visible(shown) == shown


def test_files_that_are_skipped_are_named_harmlessly(tmp_path: Path) -> None:
    for k, name in enumerate(("one.txt", "two.txt", f"three.txt{EVIL}")):
        (tmp_path / name).write_text(f"words of the text {'abc'[k] * 5}\n" * 5)
    done = run("fit", tmp_path, "-o", tmp_path / "out", "--min-df", 1)
    assert "Skipped" in done.stderr
    assert "\x1b" not in done.output


def test_commands_print_by_these_functions_alone() -> None:
    own = re.compile(r"typer\.echo|\bprint\(|\.write\(")
    found = {
        file.name
        for file in Path(hlta.__file__).parent.joinpath("cli").glob("*.py")
        if own.search(file.read_text(encoding="utf-8"))
    }
    # The tree of topics is drawn by Rich; results go to files.
    assert found == {"printing.py", "output.py", "results.py"}
