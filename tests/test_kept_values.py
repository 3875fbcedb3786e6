"""Values that a checkpoint keeps come back as they were, bit for bit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays, floating_dtypes, integer_dtypes

from hlta.learning.kept_values import pack, unpack
from hlta.tree.latent_tree import LatentTree
from tests.trees import small_tree, three_states

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLAIN = st.none() | st.integers() | st.floats(allow_nan=False) | st.text()
ARRAYS = arrays(integer_dtypes() | floating_dtypes(), st.sampled_from([(), (0,), (3,), (2, 1, 4)]))
VALUES = st.recursive(
    PLAIN | ARRAYS, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6
)


def there_and_back(value: Any) -> Any:
    kept: dict[str, NDArray[Any]] = {}
    return unpack(json.loads(json.dumps(pack(value, kept))), kept)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return bool(one.dtype == other.dtype and one.tobytes() == other.tobytes())
    if isinstance(one, tuple):
        return isinstance(other, tuple) and all(map(same, one, other)) and len(one) == len(other)
    return type(one) is type(other) and bool(one == other)


@given(VALUES)
def test_plain_values_come_back(value: Any) -> None:
    assert same(there_and_back(value), value)


@pytest.mark.parametrize(
    "tree",
    [
        small_tree(),
        small_tree(probability=three_states()),
        LatentTree(("a", "b"), [2, 2, -1], [0, 0, 1], [[0.5, 0.5]] * 3, allow_irregular=True),
    ],
)
def test_trees_come_back(tree: LatentTree) -> None:
    ((number, back),) = there_and_back([(0.1 + 0.2, tree)])
    assert number == 0.1 + 0.2
    assert back == tree
    assert back.allow_irregular == tree.allow_irregular


def test_a_tree_that_is_none_is_refused() -> None:
    kept: dict[str, NDArray[Any]] = {}
    plain = pack(small_tree(), kept)
    kept["0"] = kept["0"][::-1]  # the parents
    with pytest.raises(ValueError, match="root"):
        unpack(plain, kept)
