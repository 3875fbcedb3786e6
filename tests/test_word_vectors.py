"""Word vectors from files, whole and damaged."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import FormatError
from hlta.reading.word_vectors import read_vectors

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["deep", "größe", "net", "other"]
VECTORS = np.random.default_rng(0).normal(size=(4, 7)).astype("<f4")


def binary() -> bytes:
    rows = [w.encode() + b" " + v.tobytes() + b"\n" for w, v in zip(WORDS, VECTORS, strict=True)]
    return b"4 7\n" + b"".join(rows)


def text(*, head: bool) -> bytes:
    rows = [f"{w} {' '.join(map(str, v))}\n" for w, v in zip(WORDS, VECTORS, strict=True)]
    return ("4 7\n" * head + "".join(rows)).encode()


@pytest.mark.parametrize(
    "data",
    [
        binary(),
        text(head=True),
        text(head=False),
        b"\xef\xbb\xbf" + text(head=True),
        text(head=True).replace(b" ", b"\t").replace(b"4\t7", b"4 7"),
    ],
)
def test_every_format_is_read(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "v.gz").write_bytes(gzip.compress(data))
    vectors = read_vectors(tmp_path / "v.gz", ["net", "deep", "größe", "absent"])
    assert set(vectors.number) == {"net", "deep", "größe"}
    assert vectors.vectors.dtype == np.float32
    unit = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    for row, word in enumerate(WORDS[:3]):
        np.testing.assert_allclose(vectors.vectors[vectors.number[word]], unit[row], rtol=1e-5)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (binary()[:-12], r"announces 4 words but only 3 can be read"),
        (
            text(head=True).replace(b"net ", b"net x "),
            r"line 4: 'net' is not followed by 7 numbers",
        ),
        (text(head=True).rsplit(b"\n", 2)[0] + b"\n", r"announces 4 words but has 3"),
        (text(head=False).replace(b"net ", b"net nan ").replace(b"\n", b" \n"), "is not followed"),
        (b"1 7\nnet " + np.full(7, np.inf, "<f4").tobytes(), "'net' holds NaN or infinite values"),
        (b"PK\x03\x04whatever", r"is a zip archive; unpack it"),
        (b"9" * 5000 + b" 2\n", r"holds no word vectors"),
        (b"nothing\n", r"holds no word vectors"),
        (b"", r"holds no word vectors"),
        (b"2 3\nab 1 2 3\ncd 1 2 3\n", r"vectors for none of the 2 words"),
        (gzip.compress(binary())[:-30], "is damaged"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / ("v.gz" if data[:2] == b"\x1f\x8b" else "v.bin")
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message):
        read_vectors(path, ["net", "größe"])


def test_numbers_of_any_size_are_scaled(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("net 3e38 0 0\nab 0 -1e308 0\nno 0 0 0\nlow 0 0 1e-320\n")
    vectors = read_vectors(tmp_path / "v.txt", ["net", "ab", "no", "low"])
    expected = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    np.testing.assert_array_equal(vectors.vectors, expected)
    assert vectors.vectors.dtype == np.float32
