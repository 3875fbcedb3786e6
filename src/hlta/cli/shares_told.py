"""Shares of topics by period or group as a person reads them: what differs most, and a table."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from hlta._support.counted import counted
from hlta.topics.topic import as_percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Row = Mapping[str, Any]  # the share of a part on a topic, as in `TopicTree.over_time`
    Parts = Mapping[str, Sequence[Row]]

_FEW: Final = 5  # documents: shares of fewer are largely chance
_LISTED: Final = 10  # topics
_TITLE: Final = 16  # characters of a column
_COUNT: Final = "documents"
_GAP: Final = "  "


def shares_told(rows: Sequence[Row], width: int | None = None) -> Iterator[str]:
    """The topics that changed or differ most, and a table of as many topics as fit into the width."""
    every = {part: list(shares) for part, shares in groupby(rows, _part)}
    enough = {part: shares for part, shares in every.items() if shares[0][_COUNT] >= _FEW}
    parts = enough or every
    ends = [_ends(shares) for shares in zip(*parts.values(), strict=True)]
    order = sorted(range(len(ends)), key=lambda k: (_may_be_chance(ends[k]), -_difference(ends[k])))
    if len(enough) > 1:
        yield from _differences([ends[k] for k in order[:_LISTED]])
        yield ""
    first = max(map(cell_len, parts))
    columns = (width or Console().width) - first - len(_GAP + _COUNT)
    shown = order[: max(1, columns // len(_GAP + _TITLE * " "))]
    yield from _table(parts, shown, first)
    yield from _notes(len(every), len(enough), len(order) - len(shown), rows[0])


def _part(row: Row) -> str:
    return " ".join(row[name] for name in ("period", "group") if name in row)


def _ends(shares: Sequence[Row]) -> tuple[Row, Row]:
    """The first and last share of a topic; among groups, the largest and the smallest."""
    if "group" not in shares[0]:
        return shares[0], shares[-1]
    ordered = sorted(shares, key=lambda row: -row["share"])
    return ordered[0], ordered[-1]


def _difference(ends: tuple[Row, Row]) -> float:
    return abs(float(ends[0]["share"] - ends[1]["share"]))


def _may_be_chance(ends: tuple[Row, Row]) -> bool:
    """Whether the intervals overlap."""
    return bool(max(row["low"] for row in ends) <= min(row["high"] for row in ends))


def _differences(ends: Sequence[tuple[Row, Row]]) -> Iterator[str]:
    """A line per topic, those that surely differ first."""
    if "group" in ends[0][0]:
        yield "What differs most, with 95% intervals in parentheses"
    else:
        one, other = (f"{_part(row)} ({counted(row[_COUNT], 'document')})" for row in ends[0])
        yield f"What changed most from {one} to {other}, with 95% intervals in parentheses"
    for chance, alike in groupby(ends, _may_be_chance):
        if chance:
            yield "This may be chance, because the two intervals overlap:"
        yield from (f"  {_told(*pair)}" for pair in alike)


def _told(one: Row, other: Row) -> str:
    if "group" in one:
        what = f"{_share(one)} in {_part(one)}, {_share(other)} in {_part(other)}"
    else:
        before, after = as_percent(one["share"]), as_percent(other["share"])
        verb = "rose" if one["share"] < other["share"] else "fell"
        change = "hardly changed," if before == after else verb
        what = f"{change} from {_share(one)} to {_share(other)}"
    return f"{one['title']}: {what}"


def _share(row: Row) -> str:
    share, low, high = (as_percent(row[name]) for name in ("share", "low", "high"))
    return f"{share} ({low} to {high})"


def _table(parts: Parts, shown: Sequence[int], first: int) -> Iterator[str]:
    """A line per part, with these topics for columns."""
    shares = next(iter(parts.values()))
    titles = (_fitted(shares[k]["title"]) for k in shown)
    yield _GAP.join((" " * first, _COUNT, *titles)).rstrip()
    for part, shares in parts.items():
        values = (f"{as_percent(shares[k]['share']):>{_TITLE}}" for k in shown)
        count = f"{shares[0][_COUNT]:>{len(_COUNT)},}"
        yield _GAP.join((set_cell_size(part, first), count, *values))


def _fitted(title: str) -> str:
    """A title at the right of a column, cut if need be."""
    wide = cell_len(title)
    if wide <= _TITLE:
        return " " * (_TITLE - wide) + title
    return set_cell_size(title, _TITLE - 1) + "…"


def _notes(n_parts: int, n_enough: int, n_hidden: int, row: Row) -> Iterator[str]:
    """What the table leaves out, or why it says little."""
    what = "period" if "group" not in row else "group" if "period" not in row else "part"
    left = [counted(n_hidden, "further topic")] if n_hidden else []
    if 0 < n_enough < n_parts:
        left.append(f"{counted(n_parts - n_enough, what)} of fewer than {_FEW} documents")
    if left:
        yield f"\nNot in the table: {' and '.join(left)}; --output and --json have everything."
    if not n_enough:
        yield f"\nNo {what} has {_FEW} documents; shares of so few are largely chance."
