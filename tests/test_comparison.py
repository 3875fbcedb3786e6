"""A comparison as text, as rows and as tables."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hlta import HLTA, OptionError
from hlta.topics.comparison import Unpaired
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path

    from hlta.topics import Comparison

TEXTS = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
LATER = ["deep neural nets", "dark matter in galaxies", "boats and ships"]
SHOWN = """\
Topics: 2 in both (1 unchanged), 1 only in A, 1 only in B
Words: 3 only in A, 3 only in B, marked with a star

Only in A
  [0.34] apples and pears; like no other

Only in B
  [0.34] boats and ships; like no other

Changed, most changed first
  0.67 [0.33 -> 0.33] deep neural networks -> deep neural nets  + nets*  - networks*"""


@pytest.fixture(scope="module")
def found() -> Comparison:
    """One topic is the same, one changed, one is gone, one is new."""
    first, second = (HLTA(samples=1).fit(texts * 20) for texts in (TEXTS, LATER))
    return first.topics_.compare(second.topics_)


@pytest.fixture(scope="module")
def large() -> Comparison:
    """Many topics, some of them only in one model, by documents, too."""
    models = [
        HLTA(samples=1, lowest_level=1).fit(planted(60, seed).sample(500, seed=seed))
        for seed in (0, 50)
    ]
    first, second = models
    X = planted(60, 1).sample(100, seed=3)
    memberships = (first.transform(X), second.transform(X))
    return first.topics_.compare(second.topics_, memberships=memberships, least=0.5)


@pytest.fixture(scope="module")
def sharing(large: Comparison) -> Comparison:
    """The same, and a topic of each model that shares its counterpart."""
    pair, other = large.pairs[:2]
    return replace(
        large,
        joined=[Unpaired(pair.first, other.second, 0.6)],
        split=[Unpaired(other.second, pair.first, 0.7)],
    )


def test_the_text_shows_what_differs(found: Comparison) -> None:
    assert found.to_text(names=("A", "B")) == SHOWN
    assert repr(found) == (
        "Comparison(2 pairs, 0 joined, 0 split, 1 topic only in the first, 1 only in the second)"
    )
    assert str(found) == SHOWN.replace("in A", "in the first").replace("in B", "in the second")


def test_long_parts_are_counted(large: Comparison) -> None:
    lines = large.to_text(most=2).splitlines()
    assert len(large.only_first) > 2
    assert f"  and {len(large.only_first) - 2} more" in lines
    assert f"  and {len(large.pairs) - 2} more" in lines
    assert not any(line.endswith(" more") for line in large.to_text(most=1000).splitlines())
    with pytest.raises(OptionError, match="most=0"):
        large.to_text(most=0)


def test_topics_that_share_a_counterpart_have_parts_of_their_own_and_moved_ones_are_marked(
    sharing: Comparison, found: Comparison
) -> None:
    shown = sharing.to_text(names=("A", "B"))
    (one,), (other,) = sharing.joined, sharing.split
    assert f"  {one.topic}; nearest, 0.60: {other.topic.title}" in shown.splitlines()
    assert f"  {other.topic}; nearest, 0.70: {one.topic.title}" in shown.splitlines()
    same = found.pairs[-1]
    assert same.is_same
    moved = str(replace(found, pairs=[*found.pairs[:-1], replace(same, moved=True)]))
    assert moved.endswith(f"{same.first.title} (moved)")


def test_rows_hold_pairs_and_what_is_in_one_only(sharing: Comparison, tmp_path: Path) -> None:
    rows = sharing.to_dicts()
    kinds = ("both", "first", "second", "joined", "split")
    parts = {which: [row for row in rows if row["in"] == which] for which in kinds}
    assert sum(map(len, parts.values())) == len(rows)
    for row, pair in zip(parts["both"], sharing.pairs, strict=True):
        assert (row["first"], row["second"]) == (pair.first.id, pair.second.id)
        assert (row["similarity"], row["by_documents"]) == (pair.similarity, pair.by_documents)
        assert (row["gained"], row["lost"]) == (" ".join(pair.gained), " ".join(pair.lost))
    for kind, which, other, alone in (
        ("first", "first", "second", sharing.only_first),
        ("second", "second", "first", sharing.only_second),
        ("joined", "first", "second", sharing.joined),
        ("split", "second", "first", sharing.split),
    ):
        for row, one in zip(parts[kind], alone, strict=True):
            assert (row[which], row["similarity"]) == (one.topic.id, one.similarity)
            assert row[other] == (one.nearest and one.nearest.id)
    assert sharing.to_polars().to_dicts() == rows
    text = sharing.to_csv(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == text
    assert [row["in"] for row in csv.DictReader(io.StringIO(text))] == [row["in"] for row in rows]
    pytest.importorskip("pandas")
    assert list(sharing.to_pandas().columns) == list(rows[0])
