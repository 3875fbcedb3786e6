"""Compactness with word vectors from files, whole and damaged."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from hlta import FormatError, Keyword, Topic
from hlta.evaluate.compactness import read_vectors, topic_compactness

WORDS = ["deep", "größe", "net", "other"]
VECTORS = np.random.default_rng(0).normal(size=(4, 7)).astype("<f4")
SHARED = Path(__file__).parents[2] / "shared" / "data" / "googlenews-26k.bin.xz"


def topic(*words: str) -> Topic:
    return Topic("Z", 2, 0.5, [Keyword(word, 0.9, 0.1, 0.2) for word in words], None)


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
def test_the_mean_cosine_of_pairs(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "v.gz").write_bytes(gzip.compress(data))
    vectors = read_vectors(tmp_path / "v.gz", ["net", "deep", "größe", "absent"])
    assert set(vectors.number) == {"net", "deep", "größe"}
    unit = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    a, b, c = unit[:3].astype(float)
    found = topic_compactness(
        [topic("deep", "absent", "net", "größe", "other"), topic("absent", "net")], vectors
    )
    assert found.scores[0] == pytest.approx((a @ b + a @ c + b @ c) / 3, rel=1e-5)
    assert np.isnan(found.scores[1])
    assert found.covered == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (binary()[:-12], r"announces 4 words and 3 can be read"),
        (
            text(head=True).replace(b"net ", b"net x "),
            r"line 4: 'net' is not followed by 7 numbers",
        ),
        (text(head=True).rsplit(b"\n", 2)[0] + b"\n", r"announces 4 words and has 3"),
        (text(head=False).replace(b"net ", b"net nan ").replace(b"\n", b" \n"), "is not followed"),
        (b"1 7\nnet " + np.full(7, np.inf, "<f4").tobytes(), "'net' holds what is no number"),
        (b"PK\x03\x04whatever", r"is a zip archive; unpack it"),
        (b"nothing\n", r"holds no word vectors"),
        (b"", r"holds no word vectors"),
        (b"2 3\nab 1 2 3\ncd 1 2 3\n", r"vectors for none of the 2 words"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "v.bin").write_bytes(data)
    with pytest.raises(FormatError, match=message):
        read_vectors(tmp_path / "v.bin", ["net", "größe"])
    (tmp_path / "v.gz").write_bytes(gzip.compress(binary())[:-30])
    with pytest.raises(FormatError, match="is damaged"):
        read_vectors(tmp_path / "v.gz", WORDS)


@pytest.mark.skipif(not SHARED.exists(), reason="needs the benchmark data")
def test_the_google_news_vectors() -> None:
    vectors = read_vectors(SHARED, ["team", "game", "hockey", "bible"])
    alike, unlike = topic_compactness(
        [topic("team", "game"), topic("hockey", "bible")], vectors
    ).scores
    assert alike > 2 * unlike
