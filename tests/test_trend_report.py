"""Shares as a person reads them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from hlta.cli.trend_report import trend_lines
from hlta.topics.turning_points import turning_points

TITLES = ("small change", "a title for two columns", "large change")
HEAD = "What surely changed, with 95% intervals in parentheses"


def rows(
    parts: dict[str, tuple[int, list[float]]], name: str = "period", width: float = 0.05
) -> list[dict[str, Any]]:
    """A row per part and topic, whose interval goes so far to both sides; 0 is of no document."""
    return [
        {
            name: part,
            "topic": f"Z1-{k}",
            "title": title,
            "share": share,
            "low": max(0.0, share - width),
            "high": min(1.0, share + width),
            "on_topic": int(np.ceil(share * count)),
            "documents": count,
        }
        for part, (count, shares) in parts.items()
        for k, (title, share) in enumerate(zip(TITLES, shares, strict=True))
    ]


def test_the_topics_that_surely_changed_come_first_and_the_table_has_what_fits() -> None:
    parts = {
        "2019": (40, [0.21, 0.3, 0.1]),
        "2020": (50, [0.2, 0.1, 0.9]),
        "2021": (1200, [0.22, 0.3, 0.5]),
        "2022": (60, [0.2, 0.6, 0.5]),
    }
    assert list(trend_lines(rows(parts, width=0.03), width=57)) == [
        HEAD,
        "  large change: rose from 10.0% (7.0% to 13.0%) in 2019 to 90.0% (87.0% to 93.0%) in 2020, then "
        "fell to 50.0% (47.0% to 53.0%) in 2021",
        "  a title for two columns: fell from 30.0% (27.0% to 33.0%) in 2019 to 10.0% (7.0% to 13.0%) in "
        "2020, then rose to 60.0% (57.0% to 63.0%) in 2022",
        "",
        "      documents      large change  a title for two…",
        "2019         40             10.0%             30.0%",
        "2020         50             90.0%             10.0%",
        "2021      1,200             50.0%             30.0%",
        "2022         60             50.0%             60.0%",
        "\nNot in the table: 1 further topic; --output and --json have everything.",
    ]


def test_what_may_be_chance_is_not_said() -> None:
    parts = {"2020": (9, [0.2, 0.25, 0.1]), "2021": (9, [0.22, 0.2, 0.12])}
    first, *_ = trend_lines(rows(parts), width=57)
    assert first == "No topic surely changed: there may be too few documents to tell."


def test_with_many_topics_and_parts_intervals_must_be_farther_apart() -> None:
    two = {"2020": (9, [0.2] * 3), "2021": (9, [0.31] * 3)}
    many = {str(2020 + k): (9, [0.2 if k < 30 else 0.31] * 3) for k in range(60)}
    said = [next(trend_lines(rows(parts, width=0.04), width=57)) for parts in (two, many)]
    assert said == [HEAD, "No topic surely changed: there may be too few documents to tell."]


def test_a_share_of_no_document_is_neither_a_peak_nor_said_as_a_figure() -> None:
    noise = {"2020": (90, [0.3, 0.0, 0.3]), "2021": (90, [0.9, 0.9, 0.3])}
    shares = rows(noise, width=0.01)
    for row in shares[3:4]:
        row["on_topic"] = 0  # as if the high share were left over of words that fit nothing
    said = [line for line in trend_lines(shares, width=57) if "rose" in line]
    assert said == [
        "  a title for two columns: rose from none in 2020 to 90.0% (89.0% to 91.0%) in 2021"
    ]


def test_many_turns_are_put_together() -> None:
    parts = {str(2000 + k): (9, [0.1 + 0.5 * (k % 2)] * 3) for k in range(8)}
    said = list(trend_lines(rows(parts, width=0.01), width=57))
    assert said[1] == (
        "  small change: went up and down between 10.0% (9.0% to 11.0%) in 2000 and 60.0% (59.0% to "
        "61.0%) in 2001"
    )


def test_groups_are_compared_by_the_surest_of_the_highest_and_lowest_shares() -> None:
    parts = {"a": (9, [0.2, 0.1, 0.3]), "b": (8, [0.4, 0.1, 0.9]), "c": (7, [0.1, 0.1, 0.5])}
    said = list(trend_lines(rows(parts, "group", width=0.03), width=200))
    assert said[:3] == [
        "What surely differs, with 95% intervals in parentheses",
        "  large change: 90.0% (87.0% to 93.0%) in b, 30.0% (27.0% to 33.0%) in a",
        "  small change: 40.0% (37.0% to 43.0%) in b, 10.0% (7.0% to 13.0%) in c",
    ]
    assert said[-1].split() == ["c", "7", "50.0%", "10.0%", "10.0%"]


def test_a_small_group_with_a_wide_interval_is_not_the_highest() -> None:
    parts = {"a": (900, [0.2, 0.2, 0.2]), "b": (900, [0.6, 0.6, 0.6]), "one": (1, [1.0, 1.0, 1.0])}
    shares = rows(parts, "group", width=0.02)
    for row in shares[6:]:
        row["low"] = 0.2
    said = list(trend_lines(shares, width=200))
    assert all(" in b, " in line for line in said[1:4])


def test_the_table_has_the_last_periods_and_the_largest_groups() -> None:
    many = {f"{k:03}": (900 - k, [0.1] * 3) for k in range(60)}
    *_, period, note = trend_lines(rows(many), width=200)
    assert (period.split()[0], note.split(": ")[1]) == (
        "059",
        "10 periods; --output and --json have everything.",
    )
    *_, group, note = trend_lines(rows(many, "group"), width=200)
    assert (group.split()[0], note.split(": ")[1].split(";")[0]) == ("049", "10 groups")


def test_titles_in_wide_letters_keep_the_columns_aligned() -> None:
    wide = [
        row | {"title": "机器学习 神经网络 深度学习"}
        for row in rows({"2020": (9, [0.1] * 3), "2021": (9, [0.2] * 3)})
    ]
    lines = list(trend_lines(wide, width=40))
    head = next(k for k, line in enumerate(lines) if "…" in line)
    assert cell_len(lines[head]) == cell_len(lines[head + 1]) <= 40


SERIES = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 0.4), st.booleans()), min_size=1, max_size=12
)


@given(SERIES)
def test_from_turn_to_turn_a_share_surely_rises_and_falls_by_turns(
    series: list[tuple[float, float, bool]],
) -> None:
    low = [max(0.0, share - half) for share, half, _ in series]
    high = [share + half for share, half, _ in series]
    turns = turning_points(low, high, empty=[none for *_, none in series])
    assert turns == sorted(set(turns))
    assert len(turns) != 1
    rises = [low[b] > high[a] for a, b in pairwise(turns)]
    falls = [high[b] < low[a] for a, b in pairwise(turns)]
    assert rises == [not fell for fell in falls]
    assert all(a != b for a, b in pairwise(rises))
    for place, rose in zip(turns[1:], rises, strict=True):
        assert not (rose and series[place][2])  # no peak without a document


@pytest.mark.parametrize(
    ("shares", "turns"),
    [
        ([0.1, 0.1, 0.1], []),
        ([0.1, 0.5, 0.9], [0, 2]),
        ([0.9, 0.5, 0.1], [0, 2]),
        ([0.3, 0.1, 0.9, 0.1, 0.3], [0, 1, 2, 3, 4]),
        ([0.5, 0.52, 0.1, 0.11, 0.9], [1, 2, 4]),
    ],
)
def test_turning_points_by_hand(shares: list[float], turns: list[int]) -> None:
    low, high = [value - 0.05 for value in shares], [value + 0.05 for value in shares]
    assert turning_points(low, high, empty=[False] * len(shares)) == turns
