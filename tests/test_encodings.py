"""Bytes as text, in the encoding given, marked or guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import DocumentsError, OptionError
from hlta.reading.encodings import Decoder, holds_text
from hlta.reading.records import ReadOptions
from tests.reads import read_and_skipped, texts_in

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-32", "cp1251", "gb18030", "shift_jis", "latin-1"]
)
def test_other_alphabets_are_recognised(tmp_path: Path, encoding: str) -> None:
    text = {
        "gb18030": "机器学习是人工智能的一个分支，它研究计算机怎样模拟人类的学习行为。",
        "shift_jis": "機械学習とは、人間が自然に行っている学習能力をコンピュータで実現する技術です。",
        "latin-1": "größe",
    }.get(encoding, "Машинное обучение изучает, как программы учатся на данных, и это важно.")
    lines = [text, text[::-1]] * 3
    data = "\n".join(lines).encode(encoding)
    (tmp_path / "x.txt").write_bytes(data)
    assert texts_in(tmp_path / "x.txt", encoding=encoding) == lines
    assert texts_in(tmp_path / "x.txt") == lines


@pytest.mark.parametrize(
    "encoding", ["klingon", "undefined", "punycode", "idna", "zlib", "a\0b", "", 7]
)
def test_what_is_no_encoding_of_files_is_refused(encoding: str) -> None:
    with pytest.raises(OptionError, match=r"encoding=.* is not known; try utf-8"):
        ReadOptions(encoding=encoding)


WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
LINES = ["Ein Text, größer als zuvor", "数据 分析 2", "Третий документ"]


@pytest.mark.parametrize("name", ["x.txt", "folder", "x.csv", "x.jsonl", "x.json"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encoding", WIDE)
def test_wide_text_is_read_with_and_without_a_mark(
    tmp_path: Path, name: str, mark: str, encoding: str
) -> None:
    text = {
        "x.csv": "n;text\n" + "".join(f"1;{line}\n" for line in LINES),
        "x.jsonl": "".join(f'{{"text": "{line}"}}\n' for line in LINES),
        "x.json": "[" + ", ".join(f'"{line}"' for line in LINES) + "]",
    }.get(name, "\n".join(LINES))
    path = tmp_path / (name if name != "folder" else "x.txt")
    path.write_bytes((mark + text).encode(encoding))
    expected = ["\n".join(LINES)] if name == "folder" else LINES
    for given_encoding in (None, encoding, encoding[:6]):
        read = texts_in(tmp_path if name == "folder" else path, encoding=given_encoding)
        assert read == expected


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"])), st.data())
def test_wide_encodings_are_guessed_from_any_text(text: str, data: st.DataObject) -> None:
    encoding = data.draw(st.sampled_from(WIDE))
    raw = (text + "\n and so on, in a line of ASCII").encode(encoding)
    assert holds_text(raw)
    assert Decoder(None).text(raw, "it") == text + "\n and so on, in a line of ASCII"


@pytest.mark.parametrize(
    "raw",
    [
        *(b"deep\0nets\ndark matter\n", "größe\0 und gewicht\n".encode(), b"\0", b"\0\1\2"),
        *(b"\x01\x00\x20\x00", b"\x7fELF\x02\x01\x01" + bytes(9), bytes(100)),
    ],
)
def test_bytes_with_zeros_are_mostly_no_text(raw: bytes) -> None:
    assert not holds_text(raw)


@given(st.text(st.characters(codec="utf-8")), st.lists(st.integers(1, 20), min_size=1))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030", "utf-7", "utf-32-be"])
def test_pieces_are_decoded_like_the_whole(encoding: str, text: str, lengths: list[int]) -> None:
    raw = ("a" + text).encode(encoding)
    decoder, decoded = Decoder(encoding), ""
    for length in [4, *lengths]:
        decoded += decoder.text(raw[:length], "it", final=False)
        raw = raw[length:]
    assert decoded + decoder.text(raw, "it") == "a" + text


def test_a_guess_holds_for_the_rest() -> None:
    decoder = Decoder(None)
    assert decoder.text("größe é".encode()[:-1], "it", final=False) == "größe "
    assert decoder.text(b"\xa9 gr\xf6\xdfe", "it", final=False) == "Ã© größe"
    assert decoder.text("é".encode(), "it") == "Ã©"
    decoder = Decoder(None)
    assert decoder.text("äöüß".encode(), "it", final=False) == "äöüß"
    assert decoder.text(b"a\xe4 b", "it", final=False) == "a\ufffd b"
    assert decoder.text(b"\xe4", "it") == "\ufffd"


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "folder"])
def test_a_few_bytes_that_are_not_utf_8_are_replaced_and_told(tmp_path: Path, name: str) -> None:
    lines = ["größe über é", "naïve Straße", "plain", "häufig öfter"]
    data = "\n".join(lines).encode().replace(b"plain", b"pl\xe4in")
    table, folder = name == "x.csv", name == "folder"
    (tmp_path / ("y.txt" if folder else name)).write_bytes(b"text\n" * table + data)
    path = tmp_path if folder else tmp_path / name
    records, skipped = read_and_skipped(path)
    assert "\n".join(r.text for r in records) == "\n".join(lines).replace("plain", "pl\ufffdin")
    (place,) = skipped
    assert skipped[place] == ("only bytes that are not text in its encoding; the rest was read")
    assert place == f"{path}, document {'y.txt' if folder else '3'!r}"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "ascii"])
def test_bytes_that_the_encoding_does_not_have_are_named(encoding: str) -> None:
    with pytest.raises(
        DocumentsError, match=f"it is not {encoding}: byte 2 is 0x.*have it guessed"
    ):
        Decoder(encoding).text(b"a\x00\xff\xdf" if "16" in encoding else b"ab\xff", "it")
