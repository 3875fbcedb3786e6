"""Files that are read up to where they are damaged: the place and the damage are named."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from hlta import DocumentsError, FormatError, read_corpus
from hlta.evaluate import read_vectors

if TYPE_CHECKING:
    from pathlib import Path


def test_an_entry_that_is_no_object_is_named(tmp_path: Path) -> None:
    (tmp_path / "texts.json").write_text('[{"text": "apples"}, 3]')
    with pytest.raises(DocumentsError, match=r"texts\.json, entry 2"):
        read_corpus(tmp_path / "texts.json", min_df=1)


def test_columns_and_vocabulary_must_agree(tmp_path: Path) -> None:
    market = "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 1\n2 3 1\n"
    (tmp_path / "a.mtx").write_text(market)
    (tmp_path / "a.words.txt").write_text("one\ntwo\nthree\nfour\n")
    with pytest.raises(DocumentsError, match="has 3 columns, but the vocabulary"):
        read_corpus(tmp_path / "a.mtx")


def test_blank_lines_of_matrices_are_no_documents(tmp_path: Path) -> None:
    (tmp_path / "a.ldac").write_text("1 0:1\n\n1 1:2\n")
    (tmp_path / "a.words.txt").write_text("one\ntwo\n")
    assert len(read_corpus(tmp_path / "a.ldac", min_df=1, stop_words=None)) == 2
    (tmp_path / "b.sparse.txt").write_text("x, one\n\ny, two\n")
    assert len(read_corpus(tmp_path / "b.sparse.txt", min_df=1, stop_words=None)) == 2


def test_vectors_that_are_cut_off_are_damaged(tmp_path: Path) -> None:
    whole = gzip.compress(b"apples 1 2 3\npears 3 2 1\n" * 2000)
    (tmp_path / "vectors.txt.gz").write_bytes(whole[:-30])
    with pytest.raises(FormatError, match=r"vectors\.txt\.gz"):
        read_vectors(tmp_path / "vectors.txt.gz", ["plums", "apples"])
