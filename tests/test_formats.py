"""What `hlta` writes is recognised by its content, and nothing else is."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from hlta import Corpus
from hlta._support.formats import is_ours

if TYPE_CHECKING:
    from pathlib import Path


def test_every_file_of_a_run_is_ours(fitted: Path) -> None:
    assert len(list(fitted.iterdir())) == 7
    assert [file.name for file in fitted.iterdir() if not is_ours(file)] == []


def test_every_file_of_a_corpus_is_ours(tmp_path: Path) -> None:
    texts = ["deep net", "deep sea", "a net in the deep sea"]
    dates = ["2001", "2002", ""]
    corpus = Corpus.from_texts(
        texts, min_df=1, ngrams=2, ids=texts, titles=texts, dates=dates, groups=texts
    )
    corpus.save(tmp_path / "corpus")
    assert len(list((tmp_path / "corpus").iterdir())) >= 13
    assert [file.name for file in (tmp_path / "corpus").iterdir() if not is_ours(file)] == []


def test_a_table_of_topics_that_another_program_saved_is_ours(fitted: Path, tmp_path: Path) -> None:
    """People edit titles in it."""
    text = (fitted / "topics.csv").read_text()
    for edited in (
        "\ufeff" + text,
        text.replace(",", ";"),
        text.replace("id,level", '"id","level"'),
    ):
        (tmp_path / "topics.csv").write_text(edited)
        assert is_ours(tmp_path / "topics.csv")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("documents.csv", "document,topic_3,title_3,share_3,topic_2,title_2,share_2\n"),
        ("documents.csv", "document,topic,title,share\r\n"),  # of a flat list of topics
        ("documents.csv", "document,topic,level,probability\n"),  # of an earlier version
        ("shares.csv", "document,topic,title,level,share\n"),
    ],
)
def test_tables_of_documents_are_ours(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.encode())
    assert is_ours(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("index.html", "<!doctype html><title>My page</title>"),
        ("index.html", ""),
        ("topics.json", '{"topics": []}'),
        ("topics.csv", "id,price\n1,2\n"),
        ("documents.csv", "document,date\n"),
        ("documents.csv", "document,topic\n"),
        ("shares.csv", "document,topic,title,share\n"),
        ("run.json", '{"speed": 3}'),
        ("corpus.json", '{"format": "other"}'),
        ("model.hlta", "a text"),
        ("indices.npy", "a text"),
        ("00000.indices.npy", "a text"),
        ("thesis.txt", "years of work"),
    ],
)
def test_files_of_others_are_not_ours(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert not is_ours(tmp_path / name)


def test_neither_are_folders_links_or_other_names(fitted: Path, tmp_path: Path) -> None:
    (tmp_path / "run.json").mkdir()
    (tmp_path / "model.hlta").symlink_to(fitted / "model.hlta")
    (tmp_path / "my.hlta").write_bytes((fitted / "model.hlta").read_bytes())
    (tmp_path / "my.npy").write_bytes(b"\x93NUMPY")
    assert not any(is_ours(path) for path in tmp_path.iterdir())


def test_little_of_a_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>" + "x" * 10_000)
    read = list[int]()

    class File(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            read.append(size or 0)
            return b""

    monkeypatch.setattr("pathlib.Path.open", lambda *_: File())
    assert not is_ours(tmp_path / "index.html")
    assert read == [4096]
