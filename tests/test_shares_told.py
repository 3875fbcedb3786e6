"""Shares as a person reads them."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len

from hlta.cli.shares_told import shares_told

TITLES = ("small change", "a title for two columns", "large change")


def rows(parts: dict[str, tuple[int, list[float]]], name: str = "period") -> list[dict[str, Any]]:
    """A row per part and topic; each interval is 0.1 wide."""
    return [
        {
            name: part,
            "topic": f"Z1-{k}",
            "title": title,
            "share": share,
            "low": max(0.0, share - 0.05),
            "high": min(1.0, share + 0.05),
            "documents": count,
        }
        for part, (count, shares) in parts.items()
        for k, (title, share) in enumerate(zip(TITLES, shares, strict=True))
    ]


def test_the_topics_are_in_the_order_of_their_change() -> None:
    parts = {
        "2019": (4, [0.9, 0.9, 0.9]),
        "2020": (5, [0.21, 0.3, 0.1]),
        "2021": (1200, [0.5, 0.5, 0.5]),
        "2022": (6, [0.2, 0.45, 0.3]),
    }
    assert list(shares_told(rows(parts), width=57)) == [
        "What changed most from 2020 (5 documents) to 2022 (6 documents), with 95% intervals in "
        "parentheses",
        "  large change: rose from 10.0% (5.0% to 15.0%) to 30.0% (25.0% to 35.0%)",
        "  a title for two columns: rose from 30.0% (25.0% to 35.0%) to 45.0% (40.0% to 50.0%)",
        "This may be chance, because the two intervals overlap:",
        "  small change: fell from 21.0% (16.0% to 26.0%) to 20.0% (15.0% to 25.0%)",
        "",
        "      documents      large change  a title for two…",
        "2020          5             10.0%             30.0%",
        "2021      1,200             50.0%             50.0%",
        "2022          6             30.0%             45.0%",
        "\nNot in the table: 1 further topic and 1 period of fewer than 5 documents; --output and --json "
        "have everything.",
    ]  # fmt: skip


def test_equal_figures_are_no_change() -> None:
    parts = {"2020": (9, [0.2, 0.2001, 0.1]), "2021": (9, [0.2, 0.2, 0.1002])}
    told = [line for line in shares_told(rows(parts), width=57) if " from " in line][1:]
    assert len(told) == 3
    assert all(": hardly changed, from " in line for line in told)


def test_groups_are_compared_by_the_largest_and_the_smallest_share() -> None:
    parts = {"a": (9, [0.2, 0.1, 0.3]), "b": (8, [0.3, 0.1, 0.9]), "c": (7, [0.1, 0.1, 0.5])}
    told = list(shares_told(rows(parts, "group"), width=200))
    assert told[1:3] == [
        "  large change: 90.0% (85.0% to 95.0%) in b, 30.0% (25.0% to 35.0%) in a",
        "  small change: 30.0% (25.0% to 35.0%) in b, 10.0% (5.0% to 15.0%) in c",
    ]
    assert told[-1].split() == ["c", "7", "50.0%", "10.0%", "10.0%"]


def test_of_few_documents_there_is_only_a_table() -> None:
    parts = {"2020": (1, [0.2, 0.1, 0.3]), "2021": (2, [0.3, 0.1, 0.9])}
    head, *lines, note = shares_told(rows(parts), width=200)
    assert head.split()[0] == "documents"
    assert [line.split()[:2] for line in lines] == [["2020", "1"], ["2021", "2"]]
    assert note == "\nNo period has 5 documents; shares of so few are largely chance."


def test_titles_in_wide_letters_keep_the_columns_aligned() -> None:
    wide = [
        row | {"title": "机器学习 神经网络 深度学习"}
        for row in rows({"2020": (9, [0.1] * 3), "2021": (9, [0.2] * 3)})
    ]
    told = list(shares_told(wide, width=40))
    head = next(k for k, line in enumerate(told) if "…" in line)
    assert cell_len(told[head]) == cell_len(told[head + 1]) <= 40
