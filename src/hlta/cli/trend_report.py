"""Shares of topics by period or group as a person reads them: what surely differs, and a table."""

from __future__ import annotations

import math
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from hlta._support.counted import counted
from hlta.topics.divisions import USUALLY
from hlta.topics.topic import as_percent
from hlta.topics.turning_points import turning_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Row = Mapping[str, Any]  # the share of a part on a topic, as in `TopicTree.over_time`
    Parts = Mapping[str, Sequence[Row]]

_CHANCE: Final = 0.05  # how often anything is said to differ where nothing does
_MOST_TURNS: Final = 4  # in a sentence
_LISTED: Final = 10  # topics
_ROWS: Final = 50  # of the table
_TITLE: Final = 16  # characters of a column
_COUNT: Final = "documents"
_GAP: Final = "  "


def trend_lines(rows: Sequence[Row], width: int | None = None) -> Iterator[str]:
    """What surely changed or differs, and a table of as many topics as fit into the width."""
    parts = {part: list(shares) for part, shares in groupby(rows, _part)}
    series = list(zip(*parts.values(), strict=True))
    found = [_Finding.of(shares, tests=len(rows)) for shares in series]
    order = sorted(range(len(series)), key=lambda k: -found[k].evidence)
    sure = [found[k] for k in order if found[k].rows]
    yield from _said(sure, "group" in rows[0])
    yield ""
    first = max(map(cell_len, parts))
    columns = (width or Console().width) - first - len(_GAP + _COUNT)
    shown = order[: max(1, columns // len(_GAP + _TITLE * " "))]
    some = _listed(parts, rows[0])
    yield from _table(some, shown, first)
    hidden = [(len(order) - len(shown), "further topic"), (len(parts) - len(some), _kind(rows[0]))]
    if left := [counted(number, what) for number, what in hidden if number]:
        yield f"\nNot in the table: {' and '.join(left)}; --output and --json have everything."


class _Finding(NamedTuple):
    """The shares between which a topic surely changed or differs, and how sure that is."""

    rows: Sequence[Row]
    evidence: float  # standard errors of the surest difference, or else of the largest

    @classmethod
    def of(cls, shares: Sequence[Row], tests: int) -> _Finding:
        """Of one topic, one row per part; intervals are wider than 95%, as there are many `tests`."""
        from scipy.special import ndtri

        wider = float(ndtri(1.0 - _CHANCE / (2.0 * max(1, tests)))) / USUALLY
        low = [row["share"] - wider * (row["share"] - row["low"]) for row in shares]
        high = [row["share"] + wider * (row["high"] - row["share"]) for row in shares]
        empty = [not row["on_topic"] for row in shares]
        if "group" in shares[0]:
            places = range(len(shares))
            most = max(places, key=lambda k: -math.inf if empty[k] else low[k])
            least = min(places, key=high.__getitem__)
            chosen = [most, least] if not empty[most] and low[most] > high[least] else []
        else:
            chosen = turning_points(low, high, empty=empty)
        rows = [shares[k] for k in chosen]
        ends = rows or (min(shares, key=_share_of), max(shares, key=_share_of))
        return cls(rows, max(_errors(*pair) for pair in pairwise(ends)))


def _share_of(row: Row) -> float:
    return float(row["share"])


def _errors(one: Row, other: Row) -> float:
    """How many standard errors two shares are apart."""
    error = math.hypot(*((row["high"] - row["low"]) / (2.0 * USUALLY) for row in (one, other)))
    return abs(_share_of(one) - _share_of(other)) / max(error, 1e-12)


def _part(row: Row) -> str:
    return " ".join(row[name] for name in ("period", "group") if name in row)


def _kind(row: Row) -> str:
    return "period" if "group" not in row else "group" if "period" not in row else "part"


def _said(found: Sequence[_Finding], among_groups: bool) -> Iterator[str]:
    """A line per topic."""
    verb = "differs" if among_groups else "changed"
    if not found:
        yield f"No topic surely {verb}: there may be too few documents to tell."
        return
    yield f"What surely {verb}, with 95% intervals in parentheses"
    yield from (f"  {one.rows[0]['title']}: {_sentence(one.rows)}" for one in found[:_LISTED])
    if (more := len(found) - _LISTED) > 0:
        yield f"  and {counted(more, 'further topic')}"


def _sentence(rows: Sequence[Row]) -> str:
    if "group" in rows[0]:
        return ", ".join(f"{_share(row)} in {_part(row)}" for row in rows)
    if len(rows) > _MOST_TURNS:
        ends = min(rows, key=_share_of), max(rows, key=_share_of)
        low, high = (f"{_share(row)} in {_part(row)}" for row in ends)
        return f"went up and down between {low} and {high}"
    steps: list[str] = []
    for before, after in pairwise(rows):
        verb = "rose" if before["share"] < after["share"] else "fell"
        start = "" if steps else f" from {_share(before)} in {_part(before)}"
        steps.append(f"{verb}{start} to {_share(after)} in {_part(after)}")
    return ", then ".join(steps)


def _share(row: Row) -> str:
    if not row["on_topic"]:
        return "none"
    share, low, high = (as_percent(row[name]) for name in ("share", "low", "high"))
    return f"{share} ({low} to {high})"


def _listed(parts: Parts, row: Row) -> Parts:
    """The parts that the table has: the last periods, or the largest groups, which come first."""
    names = list(parts)
    some = names[:_ROWS] if "group" in row else names[-_ROWS:]
    return {name: parts[name] for name in some}


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
