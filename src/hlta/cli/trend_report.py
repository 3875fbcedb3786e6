"""Shares of topics by period or group as a person reads them: what surely differs, and a table."""

from __future__ import annotations

import math
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.console import Console

from hlta._support.messages import counted
from hlta.topics.divisions import USUALLY
from hlta.topics.topic import as_percent
from hlta.topics.turning_points import FEW, surely_within, turning_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Row = Mapping[str, Any]  # the share of a part on a topic, as in `TopicTree.over_time`
    Parts = Mapping[str, Sequence[Row]]

_MOST_TURNS: Final = 4  # in a sentence
_LISTED: Final = 10  # topics
_ROWS: Final = 50  # of the table
_TITLE: Final = 16  # characters of a column
_COUNT: Final = "documents"
_GAP: Final = "  "


def trend_lines(rows: Sequence[Row], width: int | None = None) -> Iterator[str]:
    """What surely changed or differs, and a table of as many topics as fit into the width."""
    parts = {part: list(shares) for part, shares in groupby(rows, _part)}
    large = [shares for shares in parts.values() if shares[0][_COUNT] >= FEW]
    found = _findings(list(zip(*(large or parts.values()), strict=True)))
    order = sorted(range(len(found)), key=lambda k: -found[k].evidence)
    sure = [found[k] for k in order if found[k].rows and large]
    yield from _said(sure, rows[0], len(parts) - len(large))
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
    def of(cls, shares: Sequence[Row], low: Sequence[float], high: Sequence[float]) -> _Finding:
        """Of one topic, one row per part, with the bounds that each share is surely within."""
        places = range(len(shares))
        empty = [not row["on_topic"] for row in shares]
        if "group" in shares[0]:
            most = max(places, key=lambda k: -math.inf if empty[k] else low[k])
            least = min(places, key=high.__getitem__)
            chosen = [most, least] if not empty[most] and low[most] > high[least] else []
        else:
            chosen = turning_points(low, high, empty=empty)
        rows = [shares[k] for k in chosen]
        if rows and _alike(*_ends(rows)):
            rows = []
        return cls(rows, max(_errors(*pair) for pair in pairwise(rows or _ends(shares))))


def _findings(series: Sequence[Sequence[Row]]) -> list[_Finding]:
    """What each topic did, given the rows of the parts that are compared."""
    rows = [row for shares in series for row in shares]
    share, low, high = (np.array([row[name] for row in rows]) for name in ("share", "low", "high"))
    # Wilson's interval tells of how many documents it is: low * high = share^2 / (1 + USUALLY^2 / n).
    near, ends = np.maximum(share, 1.0 - share), np.where(share < 0.5, 1.0 - high, low)
    others = np.where(share < 0.5, 1.0 - low, high)
    documents = USUALLY**2 / (near**2 / (ends * others) - 1.0)
    bounds = surely_within(share, documents)
    each = (bound.reshape(len(series), -1).tolist() for bound in bounds)
    return [_Finding.of(*one) for one in zip(series, *each, strict=True)]


def _ends(rows: Sequence[Row]) -> tuple[Row, Row]:
    """The rows with the lowest and the highest share."""
    return min(rows, key=_share_of), max(rows, key=_share_of)


def _share_of(row: Row) -> float:
    return float(row["share"])


def _alike(one: Row, other: Row) -> bool:
    """Whether two shares are the same as they are shown."""
    return as_percent(one["share"]) == as_percent(other["share"])


def _errors(one: Row, other: Row) -> float:
    """How many standard errors two shares are apart."""
    error = math.hypot(*((row["high"] - row["low"]) / (2.0 * USUALLY) for row in (one, other)))
    return abs(_share_of(one) - _share_of(other)) / max(error, 1e-12)


def _part(row: Row) -> str:
    return " ".join(row[name] for name in ("period", "group") if name in row)


def _kind(row: Row) -> str:
    return "period" if "group" not in row else "group" if "period" not in row else "part"


def _said(found: Sequence[_Finding], row: Row, small: int) -> Iterator[str]:
    """A line per topic."""
    verb = "differs" if "group" in row else "changed"
    if found:
        yield (
            f"What surely {verb}: mean shares of topics, with 95% intervals and numbers of documents in "
            "parentheses"
        )
    else:
        yield f"No topic surely {verb}: there may be too few documents to tell."
    yield from (f"  {one.rows[0]['title']}: {_sentence(one.rows)}" for one in found[:_LISTED])
    if (more := len(found) - _LISTED) > 0:
        yield f"  and {counted(more, 'further topic')}"
    if small:
        yield f"Not compared: {counted(small, _kind(row))} of fewer than {FEW} documents"


def _sentence(rows: Sequence[Row]) -> str:
    if "group" in rows[0]:
        more, less = (f"in {_part(row)}, {_share(row)}" for row in rows)
        return f"more frequent {more}, than {less}"
    pairs = list(pairwise(rows))
    if len(rows) > _MOST_TURNS or any(_alike(*pair) for pair in pairs):
        low, high = (f"{_share(row)} in {_part(row)}" for row in _ends(rows))
        return f"went up and down between {low} and {high}"
    steps: list[str] = []
    for before, after in pairs:
        verb = "rose" if before["share"] < after["share"] else "fell"
        start = "" if steps else f" from {_share(before)} in {_part(before)}"
        steps.append(f"{verb}{start} to {_share(after)} in {_part(after)}")
    return ", then ".join(steps)


def _share(row: Row) -> str:
    share, low, high = (as_percent(row[name]) for name in ("share", "low", "high"))
    return f"{share} ({low} to {high}, n = {row[_COUNT]:,})"


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
