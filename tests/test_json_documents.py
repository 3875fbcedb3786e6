"""JSON as documents: nested keys, and objects that differ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from hlta import DocumentsError
from hlta.reading.records import Record
from tests.reads import read, read_and_skipped, texts_in

if TYPE_CHECKING:
    from pathlib import Path


def written(path: Path, objects: list[Any]) -> Path:
    if path.suffix == ".json":
        path.write_text(json.dumps(objects))
    else:
        path.write_text("\n".join(map(json.dumps, objects)))
    return path


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_keys_may_be_nested(tmp_path: Path, name: str) -> None:
    objects = [
        {
            "data": {"text": {"body": "one"}, "when": {"year": 2020}},
            "meta": {"topic": "x", "no": 7},
        },
        {"data": {"text": {"body": "two"}}, "meta": {}},
        {"data": {"text": None}, "meta": None},
        {"data": {"text": {"body": ["three", None, "four"]}}},
    ]
    path = written(tmp_path / name, objects)
    named = {"text": "data.text.body", "date": "data.when.year", "group": "meta.topic"}
    records, skipped = read_and_skipped(path, **named, id="meta.no")
    assert records == [
        Record("one", "7", date="2020", group="x"),
        Record("two", "2"),
        Record("three\nfour", "4"),
    ]
    assert list(skipped.values()) == ["it has no text"]


def test_keys_are_looked_for_in_every_entry_of_a_list(tmp_path: Path) -> None:
    thread = {"posts": [{"body": "one"}, {"body": "two"}, {}, 3]}
    assert texts_in(written(tmp_path / "x.jsonl", [thread]), text="posts.body") == ["one\ntwo"]


def test_a_key_with_a_dot_comes_first(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", [{"a.b": "plain", "a": {"b": "nested"}}])
    assert texts_in(path, text="a.b") == ["plain"]


def test_a_nested_key_that_the_first_object_does_not_have_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", [{"a": {"b": "text"}}])
    with pytest.raises(DocumentsError, match=r"there is no column 'a\.c'; the columns are 'a'"):
        read(path, text="a.c")


def test_an_object_is_no_text(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", [{"text": {"body": "a", "lang": "en"}}])
    with pytest.raises(DocumentsError, match=r"name a key of it: 'text\.body', 'text\.lang'"):
        read(path)


def test_objects_without_a_date_keep_their_text(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", [{"text": "a", "when": "2020"}, {"text": "b"}])
    assert read(path, date="when") == [Record("a", "1", date="2020"), Record("b", "2")]


@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("depth", [480, 5_000, 200_000])
def test_what_is_nested_deeply_is_read_or_told(
    tmp_path: Path, depth: int, brackets: tuple[str, str]
) -> None:
    begin, end = brackets
    deep = begin * depth + '"deep"' + end * depth
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"text": "a", "title": ""}}\n{{"text": "b", "title": {deep}}}\n')
    records, skipped = read_and_skipped(path, broken="skip")
    assert records[0].text == "a"
    assert len(records) + len(skipped) == 2
    assert all("deep" in record.title for record in records[1:])


def test_many_kinds_of_objects_are_read(tmp_path: Path) -> None:
    objects = [{"text": str(k), f"key{k}": k} for k in range(2500)]
    path = written(tmp_path / "x.jsonl", objects)
    assert texts_in(path) == [str(k) for k in range(2500)]
