"""Blocks of whole lines, and the work that they take."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import DocumentsError
from hlta.reading.records import ReadOptions, Source
from hlta.reading.tables import blocks
from hlta.reading.tables.blocks import pieces, whole_lines
from tests.reads import texts_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE = Source("x", ReadOptions(), lambda *_: None)
TEXTS = st.lists(st.text('ab"\n', max_size=12))


@given(texts=TEXTS, first=st.integers(1, 9), quoted=st.booleans())
def test_blocks_are_the_text_and_know_their_lines(
    texts: list[str], first: int, quoted: bool
) -> None:
    found = list(whole_lines(texts, SOURCE, quoted=quoted, first=first))
    assert "".join(text for _, text in found) == "".join(texts)
    for k, (line, text) in enumerate(found):
        assert text
        assert line == first + sum(before.count("\n") for _, before in found[:k])
        assert text.endswith("\n") or k == len(found) - 1
        if quoted and k < len(found) - 1:
            assert text.count('"') % 2 == 0


@given(TEXTS)
def test_blocks_end_as_late_as_they_can(texts: list[str]) -> None:
    found = [text for _, text in whole_lines(texts, SOURCE, quoted=False)]
    ends = [text for text in texts if "\n" in text]
    left = "".join(texts).rpartition("\n")[2]
    assert len(found) == len(ends) + bool(left)


class Counting(str):
    """A text that counts the characters that are searched."""

    work = 0

    def count(self, sub: str, begin: Any = 0, end: Any = None) -> int:
        end = len(self) if end is None else end
        self.work += end - begin
        return super().count(sub, begin, end)

    def rfind(self, sub: str, begin: Any = 0, end: Any = None) -> int:
        found = super().rfind(sub, begin, end)
        self.work += (len(self) if end is None else end) - max(found, begin)
        return found


@pytest.mark.parametrize("text", ['"' + "x\n" * 50, '"\n' * 51, '""\n"\n' * 17, 'a"b\n' * 33])
def test_an_end_is_found_in_linear_time(text: str) -> None:
    def work(times: int) -> int:
        counting = Counting(text * times)
        blocks._last_end(counting, odd=False)
        return counting.work

    once, twice = work(10), work(20)
    assert 0 < twice <= 2.1 * once


def test_a_quote_that_is_never_closed_takes_linear_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Looking for the end from the beginning, at each of so many blocks, would take minutes.
    monkeypatch.setattr(blocks, "BLOCK", 1 << 8)
    monkeypatch.setattr(blocks, "FIRST", 1 << 16)
    (tmp_path / "x.csv").write_text('text,n\n"open\n' + "some words,1\n" * 300_000)
    with pytest.raises(DocumentsError, match=r"x\.csv, line 2, has a quote that is never closed"):
        texts_in(tmp_path / "x.csv")


def test_a_line_without_end_takes_linear_time_and_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blocks, "_LONGEST", 1 << 24)

    def endless() -> Iterator[str]:
        while True:
            yield "x" * 64

    with pytest.raises(DocumentsError, match="x, line 1, does not end within 16,777,216 char"):
        list(whole_lines(endless(), SOURCE, quoted=False))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1 << 20])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\rb\rc", "a\nb\nc"),
        (b"a\rb\r", "a\nb\n"),
        (b'a,"b\nc"\rd,e\r', 'a,"b\nc"\nd,e\n'),
        (b"a\r\nb\rc\r\n", "a\r\nb\rc\r\n"),
        (b"a\nb\rc\n", "a\nb\rc\n"),
        (b'"a\rb",c\nd\n', '"a\rb",c\nd\n'),
        (b"", ""),
    ],
)
def test_cr_alone_ends_lines_if_nothing_else_does(
    monkeypatch: pytest.MonkeyPatch, data: bytes, expected: str, size: int
) -> None:
    monkeypatch.setattr(blocks, "BLOCK", size)
    monkeypatch.setattr(blocks, "FIRST", 1 << 16)
    assert "".join(pieces(io.BytesIO(data), SOURCE)) == expected


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.tsv", "x.jsonl"])
def test_files_of_an_old_mac_have_lines(tmp_path: Path, name: str) -> None:
    text = "id,text\n1,one\n2,two\n"
    text = {"x.txt": "one\ntwo\n", "x.jsonl": '{"text":"one"}\n{"text":"two"}\n'}.get(name, text)
    text = text.replace(",", "\t") if name == "x.tsv" else text
    (tmp_path / name).write_bytes(text.replace("\n", "\r").encode())
    assert texts_in(tmp_path / name) == ["one", "two"]


def test_cells_of_an_old_mac_may_have_lines(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b'id,text\r1,"one\nline"\r2,two\r')
    assert texts_in(tmp_path / "x.csv") == ["one\nline", "two"]
