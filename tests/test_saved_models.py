"""What of an estimator survives a file, and what becomes of a file that was tampered with."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import HLTA, FormatError, LatentTree, load
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
    np.testing.assert_array_equal(back.transform(X), model.transform(X))


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
        {"documents": 1e300},
        {"counted": [1e300]},
        {"contrast": []},
        {"word_stability": [[0.5]]},
        {"corrections": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]},
        {"corrections": [[0]]},
        {"corrections": [0.5]},
        {"corrections": ["0"]},
        {"corrections": [True]},
        {"corrections": [9999]},
        {"corrections": "none"},
        {"contrast": [0.5] * 99},
        {"contrast": [None] * X.shape[1]},
    ],
)
def test_a_header_that_was_tampered_with_is_refused(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    path = tmp_path / "model.hlta"
    HLTA(em_steps=2).fit(X).save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(members["header.json"])
    members["header.json"] = json.dumps(header | changes).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(FormatError, match=r"model\.hlta is damaged"):
        load(path)
