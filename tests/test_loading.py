"""Every loader reads what its `save` wrote, and what hlta wrote is told from all else."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import hlta
from hlta import HLTA, Corpus, FormatError, LatentTree
from hlta._support.formats import is_ours
from hlta._support.writing import check_unlocked, drafting
from tests.strategies import random_tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TREE = random_tree(0, 20, 4)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one file or folder of each kind."""
    folder = tmp_path_factory.mktemp("saved")
    documents = TREE.sample(300, seed=0)
    TREE.save(folder / "tree.hlta")
    HLTA(em_steps=1, refine=False).fit(documents).save(folder / "model.hlta")
    Corpus(documents, TREE.words).save(folder / "corpus")
    return folder


@pytest.fixture
def fitted_folder(saved: Path, tmp_path: Path) -> Path:
    """A folder with a model in it, as `hlta fit` writes it."""
    shutil.copy(saved / "model.hlta", tmp_path)
    return tmp_path


def test_load_reads_every_kind(saved: Path, fitted_folder: Path) -> None:
    assert hlta.load(saved / "tree.hlta") == hlta.load(str(saved / "tree.hlta")) == TREE
    assert isinstance(hlta.load(saved / "corpus"), Corpus)
    for path in (saved / "model.hlta", fitted_folder):
        assert isinstance(hlta.load(path), HLTA)
        model = HLTA.load(path)
        assert model.get_params()["em_steps"] == 1
        assert len(model.log_likelihoods_) == 1


@pytest.mark.parametrize(
    ("load", "name", "message"),
    [
        (
            HLTA.load,
            "tree.hlta",
            "is of kind 'latent-tree', not a fitted model; .* LatentTree.load",
        ),
        (LatentTree.load, "model.hlta", "is of kind 'estimator', not a latent tree; .* HLTA.load"),
        (HLTA.load, "corpus", r"corpus holds a corpus, not a fitted model; .*Corpus"),
    ],
)
def test_anything_else_is_refused_with_the_right_loader(
    saved: Path, load: Callable[[Path], object], name: str, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        load(saved / name)


def test_what_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"holds no fitted model: it has no model\.hlta"):
        HLTA.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        HLTA.load(tmp_path / "nothing.hlta")


def test_a_model_is_loaded_whose_run_was_killed_while_it_was_replaced(
    fitted_folder: Path, saved: Path
) -> None:
    with drafting(fitted_folder / "model.hlta") as draft:
        pass
    (draft / "moving").mkdir(parents=True)
    shutil.copy(saved / "tree.hlta", draft / "moving" / "model.hlta")
    (draft / "moving" / "topics.json").write_text('{"format": "hlta-topics"}')
    before = sorted(fitted_folder.rglob("*"))
    assert isinstance(hlta.load(fitted_folder), HLTA)  # the old one, as it is moved last
    assert sorted(fitted_folder.rglob("*")) == before
    check_unlocked(fitted_folder / "model.hlta")  # as the next run that writes it does
    assert hlta.load(fitted_folder) == TREE
    assert {path.name for path in fitted_folder.iterdir()} == {"model.hlta", "topics.json"}


# ---- what hlta writes is recognised by its content, and nothing else is --------------------------


def test_every_file_of_a_run_and_of_a_corpus_is_ours(fitted: Path, tmp_path: Path) -> None:
    texts, dates = ["deep net", "deep sea", "a net in the deep sea"], ["2001", "2002", ""]
    about: dict[str, Any] = {"ids": texts, "titles": texts, "dates": dates, "groups": texts}
    Corpus.from_texts(texts, min_df=1, ngrams=2, **about).save(tmp_path / "corpus")
    for folder, least in ((fitted, 7), (tmp_path / "corpus", 13)):
        files = list(folder.iterdir())
        assert len(files) >= least
        assert [file.name for file in files if not is_ours(file)] == []


def test_tables_that_people_edit_or_that_are_older_are_ours(fitted: Path, tmp_path: Path) -> None:
    text = (fitted / "topics.csv").read_text()
    tables = [
        ("topics.csv", "\ufeff" + text),  # as another program saves it
        ("topics.csv", text.replace(",", ";")),
        ("topics.csv", text.replace("id,level", '"id","level"')),
        ("documents.csv", "document,topic_3,title_3,share_3,topic_2,title_2,share_2\n"),
        ("documents.csv", "document,topic,title,share\r\n"),  # of a flat list of topics
        ("documents.csv", "document,topic,level,probability\n"),  # of an earlier version
        ("shares.csv", "document,topic,title,level,share\n"),
    ]
    for name, content in tables:
        (tmp_path / name).write_bytes(content.encode())
        assert is_ours(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("index.html", "<!doctype html><title>My page</title>"),
        ("topics.json", '{"topics": []}'),
        ("topics.csv", "id,price\n1,2\n"),
        ("documents.csv", "document,topic\n"),
        ("shares.csv", "document,topic,title,share\n"),
        ("run.json", '{"speed": 3}'),
        ("corpus.json", '{"format": "other"}'),
        ("model.hlta", "a text"),
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
