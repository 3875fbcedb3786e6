"""Every loader reads what its `save` wrote, and names the right loader for anything else."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import hlta
from hlta import HLTA, Corpus, FormatError, LatentTree
from hlta._support.writing import check_unlocked, drafting
from tests.strategies import random_tree

if TYPE_CHECKING:
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


def test_load_reads_every_kind(saved: Path) -> None:
    assert hlta.load(saved / "tree.hlta") == TREE
    assert isinstance(hlta.load(saved / "model.hlta"), HLTA)
    assert isinstance(hlta.load(saved / "corpus"), Corpus)


def test_load_reads_the_model_of_a_folder(fitted_folder: Path) -> None:
    assert isinstance(hlta.load(fitted_folder), HLTA)


def test_load_accepts_text_for_a_path(saved: Path) -> None:
    assert hlta.load(str(saved / "tree.hlta")) == TREE


def test_a_model_loads_with_what_it_learned(saved: Path, fitted_folder: Path) -> None:
    model, same = HLTA.load(saved / "model.hlta"), HLTA.load(fitted_folder)
    assert model.get_params()["em_steps"] == 1
    assert model.tree_ == same.tree_
    assert len(model.log_likelihoods_) == 1


def test_a_tree_is_not_a_model(saved: Path) -> None:
    message = r"tree.hlta is of kind 'latent-tree', not a fitted model; .* LatentTree.load"
    with pytest.raises(FormatError, match=message):
        HLTA.load(saved / "tree.hlta")


def test_a_model_is_not_a_tree(saved: Path) -> None:
    message = r"model.hlta is of kind 'estimator', not a latent tree; .* HLTA.load"
    with pytest.raises(FormatError, match=message):
        LatentTree.load(saved / "model.hlta")


def test_a_corpus_is_not_a_model(saved: Path) -> None:
    with pytest.raises(FormatError, match=r"corpus holds a corpus, not a fitted model; .*Corpus"):
        HLTA.load(saved / "corpus")


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"holds no fitted model: it has no model\.hlta"):
        HLTA.load(tmp_path)


def test_a_file_that_does_not_exist_is_missing(tmp_path: Path) -> None:
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
