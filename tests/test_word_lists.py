"""Topics of other tools, from JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from hlta import FormatError, TopicTree
from hlta.evaluate import WordList, read_word_lists
from hlta.evaluate.word_lists import as_read
from tests.examples import HIERARCHY

if TYPE_CHECKING:
    from pathlib import Path

A = WordList(["a", "b"])


@pytest.mark.parametrize(
    ("data", "topics"),
    [
        ([["a", "b"]], [A]),
        ({"topics": [["a", "b"], ["c"]]}, [A, WordList(["c"])]),
        ([{"words": ["a", "b"], "level": 2}], [WordList(["a", "b"], 2)]),
        ([{"keywords": [{"word": "a", "weight": 0.3}, "b"]}], [A]),
        (
            [{"words": ["a", "b"], "children": [["c"], {"words": ["d"], "children": [["e"]]}]}],
            [A, WordList(["c"]), WordList(["d"]), WordList(["e"])],
        ),
    ],
)
def test_every_form(tmp_path: Path, data: Any, topics: list[WordList]) -> None:
    (tmp_path / "lists.json").write_text("\ufeff" + json.dumps(data), encoding="utf-8")
    assert read_word_lists(tmp_path / "lists.json") == topics
    assert read_word_lists(str(tmp_path / "lists.json")) == topics


def test_lists_know_the_lists_above_them(tmp_path: Path) -> None:
    data = [{"words": ["a"], "children": [{"words": ["b"], "children": [["c"]]}, ["d"]]}, ["e"]]
    (tmp_path / "lists.json").write_text(json.dumps(data))
    a, b, c, d, e = read_word_lists(tmp_path / "lists.json")
    assert (a.parent, e.parent) == (None, None)
    assert b.parent is a
    assert d.parent is a
    assert c.parent is b


def test_our_own_topics(tmp_path: Path) -> None:
    topics = TopicTree.from_tree(HIERARCHY, lowest_level=1)
    topics.to_json(tmp_path / "topics.json")
    expected = [WordList(topic.words, topic.level) for topic in topics]
    assert read_word_lists(tmp_path / "topics.json") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1", r"lists.json' is not valid JSON: .*line 1"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "holds no topics: it needs a list of topics"),
        ("[]", "holds no topics"),
        ("[[]]", r"\[\] is not a topic; give a list of words"),
        ('[["a", 1]]', "is not a topic"),
        ('[["a", " "]]', "is not a topic"),
        ('[{"words": ["a"], "level": 1.5}]', "is not a topic"),
        ('[{"words": ["a"], "children": "b"}]', "is not a topic"),
    ],
)
def test_anything_else_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "lists.json").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_word_lists(tmp_path / "lists.json")


def test_words_as_texts_have_them() -> None:
    assert as_read("Machine_Learning ") == "machine-learning"
    assert as_read("neural  net") == "neural-net"
