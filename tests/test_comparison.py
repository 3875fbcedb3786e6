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


def test_nothing_is_shown_where_nothing_differs() -> None:
    topics = HLTA(samples=1).fit(TEXTS * 20).topics_
    expected = "Topics: 3 in both (3 unchanged), 0 only in the first, 0 only in the second"
    assert str(topics.compare(topics)) == expected


def test_a_title_is_a_change() -> None:
    model, other = (HLTA(samples=1).fit(TEXTS * 20) for _ in range(2))
    other.set_titles({other.topics_.roots[0].id: "Fruit"})
    shown = str(model.topics_.compare(other.topics_)).splitlines()
    assert "3 in both (2 unchanged)" in shown[0]
    assert shown[-1].endswith(f"{model.topics_.roots[0].title} -> Fruit")


def test_long_parts_are_counted(large: Comparison) -> None:
    lines = large.to_text(most=2).splitlines()
    assert len(large.only_first) > 2
    assert f"  and {len(large.only_first) - 2} more" in lines
    assert f"  and {len(large.pairs) - 2} more" in lines
    assert sum(line.startswith("  0.") for line in lines) == 2
    nearest = large.only_first[0]
    assert nearest.nearest is not None
    expected = f"  {nearest.topic}; nearest, {nearest.similarity:.2f}: {nearest.nearest.title}"
    assert expected in lines
    assert not any(line.endswith(" more") for line in large.to_text(most=1000).splitlines())
    with pytest.raises(OptionError, match="most=0"):
        large.to_text(most=0)


def test_topics_that_share_a_counterpart_have_parts_of_their_own(
    sharing: Comparison,
) -> None:
    shown = sharing.to_text(names=("A", "B"))
    assert f" unchanged), 1 joined, 1 split, {len(sharing.only_first)} only in A" in shown
    (one,), (other,) = sharing.joined, sharing.split
    assert one.nearest is other.topic
    line = f"  {one.topic}; nearest, 0.60: {other.topic.title}"
    joined = shown.split("\n\nJoined: topics of A that resemble one of B with another partner\n")[1]
    assert joined.splitlines()[:2] == [line, ""]
    split = shown.split("\n\nSplit: topics of B that resemble one of A with another partner\n")[1]
    assert split.splitlines()[:2] == [f"  {other.topic}; nearest, 0.70: {one.topic.title}", ""]


def test_topics_that_moved_are_marked(found: Comparison) -> None:
    same = found.pairs[-1]
    assert same.is_same
    shown = str(replace(found, pairs=[*found.pairs[:-1], replace(same, moved=True)]))
    title = same.first.title
    assert shown.splitlines()[-1] == f"  1.00 [0.33 -> 0.33] {title} (moved)"
    assert title not in str(found)


def test_rows_hold_pairs_and_what_is_in_one_only(sharing: Comparison) -> None:
    large = sharing
    rows = large.to_dicts()
    kinds = ("both", "first", "second", "joined", "split")
    parts = {which: [row for row in rows if row["in"] == which] for which in kinds}
    assert sum(map(len, parts.values())) == len(rows)
    for row, pair in zip(parts["both"], large.pairs, strict=True):
        assert (row["first"], row["second"]) == (pair.first.id, pair.second.id)
        assert (row["first_title"], row["second_size"]) == (pair.first.title, pair.second.size)
        assert (row["similarity"], row["by_words"]) == (pair.similarity, pair.by_words)
        assert (row["by_documents"], row["moved"]) == (pair.by_documents, pair.moved)
        assert (row["gained"], row["lost"]) == (" ".join(pair.gained), " ".join(pair.lost))
    for kind, which, other, alone in (
        ("first", "first", "second", large.only_first),
        ("second", "second", "first", large.only_second),
        ("joined", "first", "second", large.joined),
        ("split", "second", "first", large.split),
    ):
        for row, one in zip(parts[kind], alone, strict=True):
            assert row[which] == one.topic.id
            assert row[other] == (one.nearest and one.nearest.id)
            assert row["similarity"] == one.similarity
            assert row["moved"] is row["by_words"] is None


def test_frames_hold_the_rows(large: Comparison, found: Comparison) -> None:
    assert large.to_polars().to_dicts() == large.to_dicts()
    assert found.to_polars().to_dicts() == found.to_dicts()
    assert found.to_polars().schema == large.to_polars().schema
    pytest.importorskip("pandas")
    frame = large.to_pandas()
    assert list(frame.columns) == list(large.to_dicts()[0])
    assert frame["first"].tolist() == large.to_polars()["first"].to_list()


def test_csv_holds_the_rows(found: Comparison, tmp_path: Path) -> None:
    text = found.to_csv(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 4
    assert [row["in"] for row in rows] == ["both", "both", "first", "second"]
    assert (rows[0]["similarity"], rows[0]["by_documents"], rows[0]["lost"]) == (
        "0.6667",
        "",
        "networks",
    )
    assert (rows[2]["second"], rows[2]["second_size"]) == ("", "")
