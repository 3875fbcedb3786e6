"""What of an estimator survives a file, and what becomes of a file that was tampered with."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import HLTA, FormatError, LatentTree, load
from hlta.documents.matrix import as_documents
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path

X = planted(12, seed=1).sample(200, seed=2)


def loaded(path: Path) -> HLTA:
    model = load(path)
    assert isinstance(model, HLTA)
    return model


def test_parameters_of_numpy_become_plain_ones(tmp_path: Path) -> None:
    model = HLTA(em_steps=2, random_state=np.random.RandomState(0))
    model.set_params(max_top_topics=np.int64(3)).fit(X).save(tmp_path / "model.hlta")
    parameters = loaded(tmp_path / "model.hlta").get_params()
    assert (parameters["max_top_topics"], type(parameters["max_top_topics"])) == (3, int)
    assert parameters["random_state"] is None  # the state of a generator is not kept


@pytest.mark.parametrize(
    "changes",
    [
        {"options": {"max_top_topics": 3, "colour": "red"}},
        {"em": None, "log_likelihoods": "none"},
        {"text": {"n_words": -1}},
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


def test_the_matrix_type_of_the_library_is_a_matrix_like_others() -> None:
    one, two = (HLTA(em_steps=2).fit(data) for data in (X, as_documents(X)))
    assert isinstance(one.tree_, LatentTree)
    assert one.tree_ == two.tree_
    np.testing.assert_array_equal(one.transform(X), two.transform(as_documents(X)))
