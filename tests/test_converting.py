"""`hlta convert`: between formats of documents, and of models."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hlta import HLTA, Corpus, LatentTree, read_corpus
from tests.command import run

if TYPE_CHECKING:
    from pathlib import Path

# In the authors' tuples (.sparse.txt), words stand in another order, and the model differs by it.
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


def test_every_format_gives_the_same_model(converted: Path, tmp_path: Path) -> None:
    runs = set()
    for name in ORDERED:
        done = run("fit", converted / name, "-o", tmp_path / name, "--json")
        record = json.loads(done.stdout)
        runs.add((record["documents"], record["words"], record["log_likelihood"]))
    assert len(runs) == 1
    assert runs.pop()[0] == 30


def test_tuples_hold_the_same_documents(converted: Path) -> None:
    tuples, corpus = (read_corpus(converted / name) for name in ("x.sparse.txt", "corpus"))
    expected = corpus.documents.to_csr().toarray()
    assert (tuples.documents.to_csr().toarray() == expected[:, order(corpus, tuples)]).all()


def order(corpus: Corpus, other: Corpus) -> list[int]:
    """Columns of the one in the order of the other."""
    return [corpus.words.index(word) for word in other.words]


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


def test_a_corpus_remembers_how_to_read_texts_and_a_matrix_does_not(
    converted: Path, texts_file: Path, tmp_path: Path
) -> None:
    for name, code in (("corpus", 0), ("x.npz", 1)):
        fit = run("fit", converted / name, "-o", tmp_path / name, "-q", "--em-steps", 1)
        assert fit.exit_code == 0, fit.output
        done = run("assign", tmp_path / name, texts_file)
        assert done.exit_code == code
    assert "learned from a matrix and cannot read texts" in done.stderr


def test_models_are_converted(fitted: Path, tmp_path: Path) -> None:
    done = run("convert", fitted / "model.hlta", tmp_path / "m.bif")
    assert (done.exit_code, done.stderr) == (0, f"Wrote {tmp_path / 'm.bif'}\n")
    assert run("convert", tmp_path / "m.bif", tmp_path / "m.hlta").exit_code == 0
    assert run("convert", tmp_path / "m.hlta", tmp_path / "again.hlta", "-q").exit_code == 0
    assert LatentTree.load(tmp_path / "again.hlta").words == HLTA.load(fitted).tree_.words


def test_a_model_is_not_converted_to_a_matrix(fitted: Path, tmp_path: Path) -> None:
    done = run("convert", fitted / "model.hlta", tmp_path / "m.npz")
    assert (done.exit_code, "converted to .bif or .hlta" in done.stderr) == (1, True)


# ---- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("option", [("--text", "body"), ("--keep-mail",), ("--ngrams", 2)])
@pytest.mark.parametrize("verb", ["fit", "convert"])
def test_a_matrix_takes_no_options_for_texts(
    verb: str, option: tuple[object, ...], converted: Path, tmp_path: Path
) -> None:
    target = ["-o", tmp_path / "out"] if verb == "fit" else [tmp_path / "x.mtx"]
    done = run(verb, converted / "x.npz", *target, *option)
    assert done.exit_code == 1
    assert "text" in done.stderr
    assert not list(tmp_path.iterdir())


def test_texts_take_no_vocabulary(texts_file: Path, tmp_path: Path) -> None:
    done = run("convert", texts_file, tmp_path / "x.npz", "--vocabulary", texts_file)
    assert done.exit_code == 1
    assert "vocabulary" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", [("--text", "body"), ("--words", 7)])
def test_a_model_takes_no_options_for_documents(
    option: tuple[object, ...], fitted: Path, tmp_path: Path
) -> None:
    done = run("convert", fitted / "model.hlta", tmp_path / "m.bif", *option)
    assert done.exit_code == 1
    assert f"{option[0]} applies to documents" in done.stderr
    assert not list(tmp_path.iterdir())


def test_an_unknown_format_is_refused(texts_file: Path, tmp_path: Path) -> None:
    done = run("convert", texts_file, tmp_path / "x.xlsx")
    assert (done.exit_code, "x.xlsx': use docword" in done.stderr) == (1, True)


def test_an_existing_file_is_kept_unless_overwritten(converted: Path, tmp_path: Path) -> None:
    (tmp_path / "x.mtx").write_text("my own matrix")
    done = run("convert", converted / "x.npz", tmp_path / "x.mtx")
    assert (done.exit_code, "x.mtx' exists" in done.stderr) == (1, True)
    assert (tmp_path / "x.mtx").read_text() == "my own matrix"
    assert run("convert", converted / "x.npz", tmp_path / "x.mtx", "--overwrite").exit_code == 0
    assert (tmp_path / "x.mtx").read_text() != "my own matrix"


def test_an_existing_list_of_words_is_kept(converted: Path, tmp_path: Path) -> None:
    (tmp_path / "y.words.txt").write_text("my own list")
    done = run("convert", converted / "x.npz", tmp_path / "y.mtx")
    assert done.exit_code == 1
    assert "where the words would go, exists" in done.stderr
    assert (tmp_path / "y.words.txt").read_text() == "my own list"
    assert [path.name for path in tmp_path.iterdir()] == ["y.words.txt"]


def test_only_own_folders_are_overwritten(texts_file: Path, tmp_path: Path) -> None:
    thesis, empty = tmp_path / "thesis", tmp_path / "empty"
    thesis.mkdir()
    empty.mkdir()
    (thesis / "chapter.txt").write_text("years of work")
    assert run("convert", texts_file, thesis, "--overwrite").exit_code == 1
    assert [path.name for path in thesis.iterdir()] == ["chapter.txt"]
    for _ in range(2):  # the folder is empty, then a corpus
        assert run("convert", texts_file, empty, "--overwrite").exit_code == 0


def test_the_folder_of_a_fit_is_a_model(fitted: Path, tmp_path: Path) -> None:
    done = run("convert", fitted, tmp_path / "m.bif")
    assert (done.exit_code, done.stderr) == (0, f"Wrote {tmp_path / 'm.bif'}\n")
    assert LatentTree.from_bif(tmp_path / "m.bif").words == HLTA.load(fitted).tree_.words


def test_documents_do_not_become_a_model(texts_file: Path, tmp_path: Path) -> None:
    done = run("convert", texts_file, tmp_path / "m.bif")
    assert done.exit_code == 1
    assert "would be a model" in done.stderr
    assert "hlta fit" in done.stderr


def test_a_tree_without_the_rest_of_a_fit_is_called_so(fitted: Path, tmp_path: Path) -> None:
    run("convert", fitted / "model.hlta", tmp_path / "m.bif")
    run("convert", tmp_path / "m.bif", tmp_path / "m.hlta")
    done = run("topics", tmp_path / "m.hlta")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "holds a tree alone" in done.stderr
