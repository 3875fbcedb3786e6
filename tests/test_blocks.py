"""Text of tables in blocks: whole lines, rows over their ends, delimiters and quotes."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import DocumentsError
from hlta.reading.records import ReadOptions, Source
from hlta.reading.tables import blocks
from hlta.reading.tables.blocks import pieces, whole_lines
from hlta.reading.tables.rows import DELIMITERS, Dialect, Rows, guess_dialect
from tests.reads import texts_in

SOURCE = Source("x", ReadOptions())
TEXTS = st.lists(st.text('ab"\n', max_size=12))


@given(texts=TEXTS, first=st.integers(1, 9), quoted=st.booleans())
def test_blocks_are_the_text_and_end_as_late_as_they_can(
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
    if not quoted:
        left = "".join(texts).rpartition("\n")[2]
        assert len(found) == sum("\n" in text for text in texts) + bool(left)


@pytest.mark.parametrize("text", ['"' + "x\n" * 50, '"\n' * 51, '""\n"\n' * 17, 'a"b\n' * 33])
def test_ends_of_lines_between_quotes_are_found_in_linear_time(text: str) -> None:
    whole = text * (2**22 // len(text))  # a square of this would take an hour
    assert "".join(block for _, block in whole_lines([whole], SOURCE, quoted=True)) == whole


def test_an_open_quote_takes_linear_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Looking for the end from the beginning, at each of so many blocks, would take minutes.
    monkeypatch.setattr(blocks, "BLOCK", 1 << 8)
    monkeypatch.setattr(blocks, "FIRST", 1 << 16)
    (tmp_path / "x.csv").write_text('text,n\n"open\n' + "some words,1\n" * 300_000)
    with pytest.raises(DocumentsError, match=r"x\.csv, line 2, has a quote that is never closed"):
        texts_in(tmp_path / "x.csv")


def test_an_endless_line_takes_linear_time_and_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "LONGEST", 1 << 24)

    def endless() -> Iterator[str]:
        while True:
            yield "x" * 64

    with pytest.raises(DocumentsError, match="x, line 1, does not end within 16,777,216 char"):
        list(whole_lines(endless(), SOURCE, quoted=False))


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
def test_cr_alone_ends_lines_if_nothing_else_does(data: bytes, expected: str) -> None:
    assert "".join(pieces(io.BytesIO(data), SOURCE)) == expected


@given(st.text('a\r\n"'), st.integers(1, 3), st.booleans())
def test_what_ends_lines_at_first_ends_all_lines(text: str, size: int, only_cr: bool) -> None:
    whole = ("a\rb" if only_cr else "a\nb") + text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "FIRST", 3)
        patch.setattr(blocks, "BLOCK", size)
        found = "".join(pieces(io.BytesIO(whole.encode()), SOURCE))
    assert found == (re.sub("\r\n?", "\n", whole) if only_cr else whole)


@pytest.mark.parametrize(
    ("name", "text", "first"),
    [
        ("x.txt", "one\ntwo\n", "one"),
        ("x.tsv", "id\ttext\n1\tone\n2\ttwo\n", "one"),
        ("x.csv", 'id,text\n1,"one\nline"\n2,two\n', "one\nline"),
        ("x.jsonl", '{"text":"one"}\n{"text":"two"}\n', "one"),
    ],
)
def test_files_of_an_old_mac_have_lines(tmp_path: Path, name: str, text: str, first: str) -> None:
    (tmp_path / name).write_bytes(text.replace("\n", "\r").encode())
    assert texts_in(tmp_path / name) == [first, "two"]


COMMA = Dialect(",")
FIELDS = st.text('ab,;"\n ')


def all_rows(text: str, cuts: list[int], dialect: Dialect) -> list[tuple[int, list[str]]]:
    """The rows with their lines, where a line may end a block at each of the cuts."""
    lines = text.splitlines(keepends=True)
    places = [0, *sorted({cut for cut in cuts if cut < len(lines)}), len(lines)]
    blocks = iter([(a + 1, "".join(lines[a:b])) for a, b in pairwise(places) if b > a])
    found = []
    for line, block in blocks:
        rows = Rows(block, dialect, following=blocks, first=line)
        found += [(rows.line, row) for row in rows]
        assert not rows.unclosed
    return found


def table_of(rows: list[list[str]], delimiter: str) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return file.getvalue()


@given(
    st.lists(st.lists(FIELDS, min_size=2, max_size=3)),
    st.lists(st.integers(1, 30)),
    st.sampled_from(",;\t|"),
)
def test_blocks_change_no_rows(written: list[list[str]], cuts: list[int], delimiter: str) -> None:
    found = all_rows(table_of(written, delimiter), cuts, Dialect(delimiter))
    assert [row for _, row in found] == written
    before = 0
    for (line, _), row in zip(found, written, strict=True):
        assert line == 1 + before
        before += 1 + sum(field.count("\n") for field in row)


def test_quotes_may_mean_nothing_or_be_open() -> None:
    rows = Rows('say "hi\tb\n"c\td\n', Dialect("\t", quoted=False))
    assert list(rows) == [['say "hi', "b"], ['"c', "d"]]
    rows = Rows('a,b\n1,"open\n', COMMA, following=[(3, "x,y\n")])
    seen = [(rows.line, row, rows.unclosed) for row in rows]
    assert seen == [(1, ["a", "b"], False), (2, ["1", "open\nx,y\n"], True)]


def test_an_error_ends_one_row_and_cr_within_a_line_is_a_space() -> None:
    rows = Rows('a,b\n"c"d,e\nf,g\n', COMMA, strict=True)
    assert next(rows) == ["a", "b"]
    with pytest.raises(csv.Error):
        next(rows)
    assert (next(rows), rows.line) == (["f", "g"], 3)
    rows = Rows('a\rb,"c\rd"\r\ne,f\r\n', COMMA)
    assert next(rows) == ["a b", "c d"]
    assert rows.next_line == 2
    assert rows.rest() == "e,f\r\n"


@given(
    st.lists(st.lists(st.text('a ,;|\t"\n'), min_size=3, max_size=3), min_size=1),
    *[st.sampled_from(DELIMITERS)] * 2,
)
def test_a_delimiter_is_found_in_any_rows(
    rows: list[list[str]], delimiter: str, usual: str
) -> None:
    text = table_of([["id", "text", "date"], *rows], delimiter)
    assert guess_dialect(text, usual, None, whole=True).delimiter == delimiter


@pytest.mark.parametrize(
    ("text", "usual", "expected"),
    [
        ("text\nhello, world\n", ",", ","),
        ("text\nhello; world\n", "\t", "\t"),
        ("a,b\n1,2,3\n1\n1\n", ",", ","),
        ("a;b,c\n1;2,3\n", ",", ","),
        ("a;b,c\n1;2\n3;4\n", ",", ";"),
        ("", ",", ","),
    ],
)
def test_another_delimiter_is_taken_if_it_fits_better(text: str, usual: str, expected: str) -> None:
    assert guess_dialect(text, usual, None, whole=True).delimiter == expected


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('a\tb\n1\t"two\nlines"\n', True),  # as pandas writes it
        ('a\tb\n1\t"say ""hi"""\n', True),
        ('a\tb\n1\t"two\nlines"\n2\t5" disk\n', True),
        ('a\tb\n1\tsay "hi"\n', False),
        ('a\tb\n1\t"hi" he said\n', False),
        ('a\tb\n1\t"open\n2\tx\n', False),
        ('a\tb\n1\t"open\n2\tclosed"\n', False),  # rows agree without quotes
        ("a\tb\n1\tx\n", False),
        ('text\n"two\nlines"\n', True),
    ],
)
def test_quotes_between_tabs_count_if_rows_need_them(text: str, quoted: bool) -> None:
    assert guess_dialect(text, "\t", None, whole=True) == Dialect("\t", quoted)
    cut_off = 'a\tb\n1\t"two\nlines"\n2\t"cut\noff'
    assert guess_dialect(cut_off, "\t", None, whole=False).quoted
    assert not guess_dialect(cut_off, "\t", None, whole=True).quoted
