"""`hlta convert`: between formats of documents, and of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hlta import HLTA, LatentTree, read_corpus
from tests.command import run

if TYPE_CHECKING:
    from pathlib import Path

ORDERED = ("docword.x.txt", "y.ldac", "x.npz", "z.mtx", "corpus")


@pytest.fixture(scope="module")
def converted(texts_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the texts in every format."""
    folder = tmp_path_factory.mktemp("converted")
    for name in (*ORDERED, "x.sparse.txt"):
        done = run("convert", texts_file, folder / name)
        assert (done.exit_code, done.stdout) == (0, "")
        assert "30 documents" in done.stderr
        assert f"Wrote {folder / name}" in done.stderr
    return folder


def test_every_format_holds_the_same_documents(converted: Path) -> None:
    corpus = read_corpus(converted / "corpus")
    expected = corpus.documents.to_csr().toarray()
    for name in (*ORDERED, "x.sparse.txt"):  # in these tuples, words stand in another order
        read = read_corpus(converted / name)
        columns = [corpus.words.index(word) for word in read.words]
        assert (read.documents.to_csr().toarray() == expected[:, columns]).all()
        assert read.words == corpus.words or name == "x.sparse.txt"


KEEP = ("--min-df", 1, "--max-df", 1.0, "--stop-words", "none", "--keep-style")  # every word


def test_matrices_keep_their_counts(tmp_path: Path) -> None:
    counts = "2 1:3 2:1\n2 0:2 2:5\n"
    (tmp_path / "a.ldac").write_text(counts)
    (tmp_path / "a.words.txt").write_text("x\ny\nz\n")
    done = run("convert", tmp_path / "a.ldac", tmp_path / "b.mtx", *KEEP)
    assert "2 documents, 3 words" in done.stderr
    assert run("convert", tmp_path / "b.mtx", tmp_path / "c.ldac", "-q", *KEEP).stderr == ""
    assert (tmp_path / "c.ldac").read_text() == counts
    assert (tmp_path / "c.words.txt").read_text() == "x\ny\nz\n"


def test_models_are_converted(fitted: Path, tmp_path: Path) -> None:
    for source in (fitted, fitted / "model.hlta"):
        done = run("convert", source, tmp_path / "m.bif", "--overwrite")
        assert (done.exit_code, done.stderr) == (0, f"Wrote {tmp_path / 'm.bif'}\n")
    assert run("convert", tmp_path / "m.bif", tmp_path / "m.hlta").exit_code == 0
    assert run("convert", tmp_path / "m.hlta", tmp_path / "again.hlta", "-q").exit_code == 0
    assert LatentTree.load(tmp_path / "again.hlta").words == HLTA.load(fitted).tree_.words
    done = run("topics", tmp_path / "m.hlta")
    assert (done.exit_code, "holds a tree alone" in done.stderr) == (1, True)


# ---- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{model}", "m.npz"], "converted to .bif or .hlta"),
        (["{model}", "m.bif", "--text", "body"], "--text applies to documents"),
        (["{model}", "m.bif", "--words", 7], "--words applies to documents"),
        (["{model}", "m.bif", "--cluster", "local"], "--cluster applies to documents"),
        (["{matrix}", "x.mtx", "--text", "body"], "text"),
        (["{matrix}", "x.mtx", "--keep-mail"], "text"),
        (["{texts}", "x.npz", "--vocabulary", "{texts}"], "vocabulary"),
        (["{texts}", "x.xlsx"], "x.xlsx': use docword"),
        (["{texts}", "m.bif"], "would be a model"),
    ],
)
def test_what_cannot_be_converted_is_told(
    arguments: list[object],
    message: str,
    converted: Path,
    fitted: Path,
    texts_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = {"model": fitted / "model.hlta", "matrix": converted / "x.npz", "texts": texts_file}
    monkeypatch.chdir(tmp_path)
    done = run("convert", *(str(argument).format(**places) for argument in arguments))
    assert (done.exit_code, message in done.stderr) == (1, True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x.mtx", "x.words.txt"])
def test_an_existing_file_is_kept_unless_overwritten(
    name: str, converted: Path, tmp_path: Path
) -> None:
    (tmp_path / name).write_text("mine")
    done = run("convert", converted / "x.npz", tmp_path / "x.mtx")
    assert (done.exit_code, "exists" in done.stderr) == (1, True)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
    assert run("convert", converted / "x.npz", tmp_path / "x.mtx", "--overwrite").exit_code == 0
    assert (tmp_path / name).read_text() != "mine"


def test_only_own_folders_are_overwritten(texts_file: Path, tmp_path: Path) -> None:
    thesis, empty = tmp_path / "thesis", tmp_path / "empty"
    thesis.mkdir()
    empty.mkdir()
    (thesis / "chapter.txt").write_text("years of work")
    assert run("convert", texts_file, thesis, "--overwrite").exit_code == 1
    assert [path.name for path in thesis.iterdir()] == ["chapter.txt"]
    for _ in range(2):  # the folder is empty, then a corpus
        assert run("convert", texts_file, empty, "--overwrite").exit_code == 0
