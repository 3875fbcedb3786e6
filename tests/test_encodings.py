"""Files as text: compressed or not, in the encoding given or guessed."""

from __future__ import annotations

import bz2
import gzip
import lzma
from typing import IO, TYPE_CHECKING

import pytest

from hlta import OptionError
from hlta.reading.encodings import kind_of, without_compression
from hlta.reading.records import ReadOptions
from tests.reads import texts_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def open_zstd(path: Path, mode: str) -> IO[bytes]:
    opened: IO[bytes] = pytest.importorskip("zstandard").open(path, mode)
    return opened


@pytest.mark.parametrize(
    ("suffix", "opener"),
    [("", open), (".gz", gzip.open), (".xz", lzma.open), (".bz2", bz2.open), (".zst", open_zstd)],
)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.txt", "größe"),
        ("x.csv", "text\ngröße"),
        ("x.jsonl", '{"text": "größe"}'),
        ("x.json", '["größe"]'),
    ],
)
def test_files_may_be_compressed(
    tmp_path: Path, name: str, text: str, suffix: str, opener: Callable[..., IO[bytes]]
) -> None:
    path = tmp_path / (name + suffix)
    with opener(path, "wb") as file:
        file.write(text.encode())
    assert texts_in(path) == ["größe"]


@pytest.mark.parametrize(
    ("name", "stem", "kind"),
    [
        ("x.csv", "x.csv", ".csv"),
        ("x.CSV.GZ", "x.CSV", ".csv"),
        ("x.tar.xz", "x.tar", ".tar"),
        ("x.zst", "x", ""),
        (".gz", ".gz", ""),
    ],
)
def test_the_kind_of_a_file_is_that_of_its_contents(name: str, stem: str, kind: str) -> None:
    assert without_compression(name) == stem
    assert kind_of(name) == kind


@pytest.mark.parametrize(
    ("data", "encoding", "expected"),
    [
        ("größe".encode(), None, "größe"),
        ("größe".encode("latin-1"), None, "größe"),
        ("\ufeffgröße".encode(), None, "größe"),
        ("größe".encode("utf-16"), None, "größe"),
        ("größe".encode("latin-1"), "latin-1", "größe"),
    ],
)
def test_encodings_are_guessed_or_given(
    tmp_path: Path, data: bytes, encoding: str | None, expected: str
) -> None:
    (tmp_path / "x.txt").write_bytes(data)
    assert texts_in(tmp_path, encoding=encoding) == [expected]


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-32", "cp1251", "gb18030", "shift_jis", "koi8-r"]
)
def test_other_alphabets_are_recognised(tmp_path: Path, encoding: str) -> None:
    text = {
        "gb18030": "机器学习是人工智能的一个分支，它研究计算机怎样模拟人类的学习行为。",
        "shift_jis": "機械学習とは、人間が自然に行っている学習能力をコンピュータで実現する技術です。",
    }.get(encoding, "Машинное обучение изучает, как программы учатся на данных, и это важно.")
    lines = [text, text[::-1]] * 3
    data = "\n".join(lines).encode(encoding)
    (tmp_path / "x.txt").write_bytes(data)
    assert texts_in(tmp_path / "x.txt", encoding=encoding) == lines
    assert texts_in(tmp_path / "x.txt") == lines


def test_an_unknown_encoding_is_named() -> None:
    with pytest.raises(OptionError, match="encoding='klingon' is not known"):
        ReadOptions(encoding="klingon")
