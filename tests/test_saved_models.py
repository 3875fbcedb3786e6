"""What of an estimator survives a file, and what becomes of a file that was tampered with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import HLTA, FormatError, LatentTree, load
from tests.model_files import array_of, change_file, header_of
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path

X = planted(12, seed=1).sample(200, seed=2)


def loaded(path: Path) -> HLTA:
    model = load(path)
    assert isinstance(model, HLTA)
    return model


def test_a_model_is_the_same_after_a_round_trip(tmp_path: Path) -> None:
    model = HLTA(em_steps=2, max_top_topics=5).fit(X, words=[f"word{k}" for k in range(12)])
    model.save(tmp_path / "model.hlta")
    back = loaded(tmp_path / "model.hlta")
    assert back.get_params() == model.get_params()
    assert back.tree_ == model.tree_
    assert back.em_ == model.em_
    np.testing.assert_array_equal(back.log_likelihoods_, model.log_likelihoods_)
    assert str(back.topics_) == str(model.topics_)
    assert back.topics_.to_dict() == model.topics_.to_dict()
    assert {"stability", "contrast"} <= back.topics_.roots[0].to_dict().keys()
    assert back.topics_.roots[0].keywords[0].stability is not None
    for kind in ("share", "probability", "evidence"):
        found, expected = (one.transform(X, kind=kind) for one in (back, model))
        np.testing.assert_array_equal(found, expected)
    assert back.main_table(X).equals(model.main_table(X))


def test_an_estimator_is_not_a_latent_tree(tmp_path: Path) -> None:
    HLTA(em_steps=2).fit(X).save(tmp_path / "model.hlta")
    with pytest.raises(FormatError, match=r"'estimator', not a latent tree; use hlta\.load"):
        LatentTree.load(tmp_path / "model.hlta")


def test_parameters_of_numpy_become_plain_ones(tmp_path: Path) -> None:
    model = HLTA(em_steps=2, random_state=np.random.RandomState(0))
    model.set_params(max_top_topics=np.int64(3)).fit(X).save(tmp_path / "model.hlta")
    parameters = loaded(tmp_path / "model.hlta").get_params()
    assert (parameters["max_top_topics"], type(parameters["max_top_topics"])) == (3, int)
    assert parameters["random_state"] is None  # the state of a generator is not kept


@pytest.mark.parametrize(
    "changes",
    [
        {"em": None, "log_likelihoods": "none"},
        {"text": {"n_words": -1}},
        {"text": {"stop_words": 3}},
        {"text": {"include": 5}},
        {"text": []},
        {"options": None},
        {"counted": {}},
        {"counted": {"shares": [0.5], "spreads": [0.1], "documents": [9], "mainly": [5]}},
        {"sizes": "none"},
        {"sizes": {"shares": [0.5], "spreads": [0.1], "documents": [9], "mainly": [5]}},
        {"sizes": {"shares": [0.5]}},
        {"counts": 5},
        {"counts": {"documents": [1.0], "length": 3.0}},
        {"counts": {"length": 3.0}},
        {"contrast": []},
        {"word_stability": [[0.5]]},
        {"contrast": [0.5] * 99},
        {"contrast": [None] * X.shape[1]},
    ],
)
def test_a_header_that_was_tampered_with_is_refused(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    path = tmp_path / "model.hlta"
    HLTA(em_steps=2).fit(X).save(path)
    change_file(path, changes)
    with pytest.raises(FormatError, match=r"model\.hlta is damaged"):
        load(path)


def test_counts_that_were_tampered_with_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.hlta"
    model = HLTA(em_steps=2).fit(X)
    model.save(path)
    words, counts = array_of(path, "counts_words"), array_of(path, "counts")
    for name, wrong in (
        ("counts_words", words + np.uint32(X.shape[1])),
        ("counts", -1 - counts),
        ("counts", counts[:-1]),
        ("counts", counts.astype(float)),
        ("counts_indptr", array_of(path, "counts_indptr")[:-1]),
    ):
        model.save(path)
        change_file(path, arrays={name: wrong})
        with pytest.raises(FormatError, match=r"model\.hlta is damaged"):
            load(path)
    model.save(path)
    change_file(path, without={"counts_words"})
    with pytest.raises(FormatError, match=r"model\.hlta is damaged"):
        load(path)


# ---- files of earlier versions ---------------------------------------------------------------------


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file with what earlier versions knew of documents: other numbers, and corrections."""
    path = tmp_path / "model.hlta"
    model = HLTA(em_steps=2, samples=1).fit(X)
    model.edit.rename(model.topics_.roots[0], "Mine")
    model.save(path)
    on = [150] * model.tree_.n_latents
    change_file(
        path,
        {"documents": on, "corrections": [0], "counted": on},
        {"corrections": np.zeros((1, X.shape[1]), dtype=np.int8)},
        without={"sizes", "counts", "counts_indptr", "counts_words"},
    )
    return path


def test_a_file_of_an_earlier_version_is_read_without_its_counts(old: Path) -> None:
    model = loaded(old)
    assert model.topics_.roots[0].title == "Mine"
    for topic in model.topics_:
        assert topic.documents is topic.main_documents is None
        node = model.tree_.names.index(topic.id)
        assert topic.size == model.tree_.marginals[node]  # P(topic)
    shares = model.transform(X, topics=model.topics_.roots)
    np.testing.assert_allclose(shares.sum(axis=1), model.knows(X))


def test_a_file_of_an_earlier_version_can_be_counted_and_updated(old: Path) -> None:
    model = loaded(old)
    model.edit.recount(X)
    shares = model.transform(X)
    counted = (shares >= 0.2).sum(axis=0).tolist()
    assert [topic.documents for topic in model.topics_] == counted
    np.testing.assert_allclose([topic.size for topic in model.topics_], shares.mean(axis=0))
    model.save(old)
    again = loaded(old)
    assert [topic.documents for topic in again.topics_] == counted
    assert not {"documents", "corrections"} & header_of(old).keys()
    again.partial_fit(X)
    new = (again.transform(X) >= 0.2).sum(axis=0).tolist()
    both = [before + after for before, after in zip(counted, new, strict=True)]
    assert [topic.documents for topic in again.topics_] == both
    uncounted = HLTA(em_steps=2, samples=1).fit(X)
    uncounted.save(old)
    change_file(old, without={"sizes", "counts", "counts_indptr", "counts_words"})
    assert all(topic.documents is None for topic in loaded(old).partial_fit(X).topics_)
