"""Whether pairs that avoid each other count: by option, or by how much they tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hlta.documents.matrix import as_documents
from hlta.learning.paper.association import includes_negative, share_of_avoidance
from hlta.monitor import Monitor
from hlta.options import StructureOptions

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Notes(Monitor):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, message: str) -> None:
        self.notes.append(message)


def positive(n: int = 6) -> NDArray[np.int8]:
    """Variables that go together."""
    rng = np.random.default_rng(0)
    on = rng.random((2000, 1)) < 0.3
    return (rng.random((2000, n)) < np.where(on, 0.8, 0.1)).astype(np.int8)


def opposites() -> NDArray[np.int8]:
    """Two variables, each on where the other is off."""
    on = positive(1)
    return np.hstack((on, 1 - on))


def share(X: NDArray[np.int8], **options: Any) -> float:
    return share_of_avoidance(as_documents(X), **options)


def test_nothing_is_avoided_where_all_go_together() -> None:
    assert share(positive()) == 0.0


def test_partners_that_go_the_same_way_count_against_avoidance() -> None:
    X = positive()
    X[:, 3:] = 1 - X[:, 3:]
    assert share(X) < 0.5


def test_opposites_do_nothing_but_avoid_each_other() -> None:
    assert share(opposites()) == 1.0


def test_nothing_is_avoided_where_nothing_varies() -> None:
    assert share(np.ones((5, 4), dtype=np.int8)) == 0.0


@settings(max_examples=30)
@given(st.integers(0, 1000), st.integers(2, 12))
def test_the_share_is_that_of_squared_correlations(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    X = (rng.random((50, n)) < 0.5).astype(np.int8)
    X[:2] = [[0], [1]]  # all vary
    correlation = np.asarray(np.corrcoef(X.T))
    np.fill_diagonal(correlation, 0.0)
    best = correlation[np.arange(n), np.abs(correlation).argmax(axis=1)]
    # Of two partners as good as each other either may count.
    ranked = np.sort(np.abs(correlation), axis=1)
    assume((ranked[:, -1] - ranked[:, -2]).min() > 1e-9)
    expected = (best[best < 0.0] ** 2).sum() / (best**2).sum()
    assert share(X) == pytest.approx(expected, rel=1e-9)


def test_a_sample_of_variables_looks_at_all_partners() -> None:
    X = np.hstack((opposites(), positive(40)))
    assert share(X, sample=1) == 1.0  # the first one's partner is its opposite
    assert share(X, sample=2) < 1.0


@pytest.mark.parametrize(
    ("association", "X", "expected"),
    [
        ("positive", opposites(), False),
        ("any", positive(), True),
        ("auto", positive(), False),
        ("auto", opposites(), True),
    ],
)
def test_the_option_decides_or_the_data(
    association: str, X: NDArray[np.int8], expected: bool
) -> None:
    options = StructureOptions(association=association)
    assert includes_negative(as_documents(X), options, Monitor()) is expected


def test_auto_says_when_it_finds_other_data_than_text() -> None:
    monitor = Notes()
    includes_negative(as_documents(positive()), StructureOptions(), monitor)
    assert monitor.notes == []
    includes_negative(as_documents(opposites()), StructureOptions(), monitor)
    (note,) = monitor.notes
    assert 'association="auto": "any", because 100% of' in note
