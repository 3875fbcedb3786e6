"""Shares of topics by period or group as text: which ones differ significantly, and a table."""

from __future__ import annotations

from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.console import Console

from hlta._support.messages import plural
from hlta.documents.fields import GROUP
from hlta.topics.divisions import USUALLY, wilson
from hlta.topics.segments import FEW, gain, required_gain, segments
from hlta.topics.topic import as_percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Row = Mapping[str, Any]  # the share of a topic in a part, as in `TopicTree.over_time`
    Parts = Mapping[str, Sequence[Row]]

_MOST_TURNS: Final = 4  # in a sentence
_LISTED: Final = 10  # topics
_ROWS: Final = 50  # of the table
_TITLE: Final = 16  # characters of a column
_COUNT: Final = "documents"
_GAP: Final = "  "
_TO: Final = "\N{EN DASH}"


def trend_lines(
    rows: Sequence[Row],
    width: int | None = None,
    cells: Sequence[Row] = (),
    groups: str = "",
) -> Iterator[str]:
    """Significant changes or differences, and a table of as many topics as fit into the width.

    Given `cells`, the rows by period and group, it also says which changes are significant within groups.
    """
    parts = {part: list(shares) for part, shares in groupby(rows, _part)}
    found = _findings(list(zip(*parts.values(), strict=True)))
    order = sorted(range(len(found)), key=lambda k: -found[k].evidence)
    sure = [found[k] for k in order if found[k].rows]
    yield from _finding_lines(sure, rows[0], len(parts), _small(parts))
    if cells and sure:
        yield _within([one.rows for one in sure[:_LISTED]], cells, groups)
    yield ""
    first = max(map(cell_len, parts))
    columns = (width or Console().width) - first - len(_GAP + _COUNT)
    shown = order[: max(1, columns // len(_GAP + _TITLE * " "))]
    some = _choose_parts(parts, rows[0])
    yield from _table(some, shown, first)
    hidden = [(len(order) - len(shown), "further topic"), (len(parts) - len(some), _kind(rows[0]))]
    if left := [plural(number, what) for number, what in hidden if number]:
        yield f"\nNot in the table: {' and '.join(left)}; --output and --json have them."


class _Finding(NamedTuple):
    """The parts between which a share differs significantly, and the largest `gain` of a step."""

    rows: Sequence[Row]
    evidence: float


def _findings(series: Sequence[Sequence[Row]]) -> list[_Finding]:
    """A finding for each topic, given its rows; one without rows if nothing is significant."""
    if "group" in series[0][0]:
        large = [[row for row in rows if row[_COUNT] >= FEW] for rows in series]
        pairs = sum(len(rows) * (len(rows) - 1) // 2 for rows in large)
        found = [_most_and_least(rows, required_gain(pairs)) for rows in large]
    else:
        steps = sum(len(rows) - 1 for rows in series)
        found = [_turning_points(rows, required_gain(steps)) for rows in series]
    sure = ([] if rows and _alike(*_ends(rows)) else rows for rows in found)
    return [_Finding(rows, max(map(_gain, pairwise(rows)), default=0.0)) for rows in sure]


def _most_and_least(rows: Sequence[Row], least_gain: float) -> Sequence[Row]:
    """The groups with the highest lower and the lowest upper bound of a share, if their shares differ."""
    most = max((row for row in rows if row["on_topic"]), key=itemgetter("low"), default=None)
    least = min(rows, key=itemgetter("high"), default=None)
    if most is None or least is None or _share_of(most) <= _share_of(least):
        return []
    return [most, least] if _gain((most, least)) >= least_gain else []


def _turning_points(rows: Sequence[Row], penalty: float) -> Sequence[Row]:
    """The segments of periods where a share turns, with the first and the last; empty if none differ."""
    documents = np.array([row[_COUNT] for row in rows], dtype=np.float64)
    share = np.array([row["share"] for row in rows])
    effective_size = sum(map(_effective_size, rows)) / documents.sum()
    begins = segments(share, documents, effective_size, penalty)
    parts = [_join_periods(rows[begin:end]) for begin, end in pairwise((*begins, len(rows)))]
    rises = [_share_of(one) < _share_of(other) for one, other in pairwise(parts)]
    turns = [
        parts[k] for k in range(len(parts)) if k in (0, len(rises)) or rises[k - 1] != rises[k]
    ]
    peaks = (max(pair, key=_share_of) for pair in pairwise(turns))
    return turns if len(turns) > 1 and all(peak["on_topic"] for peak in peaks) else []


def _gain(pair: Sequence[Row]) -> float:
    return gain(*(np.array([value(row) for row in pair]) for value in (_share_of, _effective_size)))


def _join_periods(rows: Sequence[Row]) -> Row:
    """One row for consecutive periods."""
    documents = sum(row[_COUNT] for row in rows)
    share = sum(_share_of(row) * row[_COUNT] for row in rows) / documents
    low, high = wilson(np.array(share), np.array(sum(map(_effective_size, rows))))
    return {
        **rows[0],
        "period": _span(rows[0]["period"], rows[-1]["period"]),
        "periods": [row["period"] for row in rows],
        "share": share,
        "low": float(low),
        "high": float(high),
        "on_topic": sum(row["on_topic"] for row in rows),
        _COUNT: documents,
    }


def _within(changes: Sequence[Sequence[Row]], cells: Sequence[Row], groups: str) -> str:
    """A sentence on which changes are significant within groups, too; others may reflect their mix."""
    series: dict[str, dict[str, list[Row]]] = {}  # by topic and group
    for cell in cells:
        series.setdefault(cell["topic"], {}).setdefault(cell["group"], []).append(cell)
    sure = [
        rows[0]["title"]
        for rows in changes
        if all(_holds_within(*pair, series[rows[0]["topic"]].values()) for pair in pairwise(rows))
    ]
    within = "Within groups, " if groups == GROUP else f"Within the groups of {groups}, "
    if len(sure) == len(changes):
        return f"{within}all of these changes are sure, too."
    others = "may only reflect a changing mix of groups (--by both and --search show each group)."
    if not sure:
        return f"{within}none of these changes is sure: they {others}"
    are = "is" if len(sure) == 1 else "are"
    of_these = f"{len(sure)} of these {len(changes)} changes {are} sure, too"
    return f"{within}{of_these}: {'; '.join(sure)}. The others {others}"


def _holds_within(before: Row, after: Row, groups: Iterable[Sequence[Row]]) -> bool:
    """Whether a change between two segments is also significant within groups, taken together.

    The differences within groups are weighted as in the test of Cochran, Mantel and Haenszel.
    """
    difference = variance = total = 0.0
    for cells in groups:
        ends = [
            [cell for cell in cells if cell["period"] in row["periods"]] for row in (before, after)
        ]
        if all(ends):
            one, other = map(_join_periods, ends)
            weight = one[_COUNT] * other[_COUNT] / (one[_COUNT] + other[_COUNT])
            difference += weight * (_share_of(other) - _share_of(one))
            variance += weight**2 * (_variance(one) + _variance(other))
            total += weight
    rises = _share_of(after) > _share_of(before)
    return total > 0.0 and (difference if rises else -difference) > USUALLY * variance**0.5


def _variance(row: Row) -> float:
    """The variance of a mean share."""
    return _share_of(row) * (1.0 - _share_of(row)) / _effective_size(row)


def _span(first: str, last: str) -> str:
    """The name of consecutive periods."""
    if first == last:
        return first
    return f"{first} {_TO} {last}" if "-" in first else f"{first}{_TO}{last}"


def _small(parts: Parts) -> int:
    """The number of groups that have too few documents to be compared."""
    return sum("group" in rows[0] and rows[0][_COUNT] < FEW for rows in parts.values())


def _effective_size(row: Row) -> float:
    """The effective number of documents: so many, each wholly on the topic or not, give this interval.

    It follows from Wilson's interval: low * high = share^2 / (1 + USUALLY^2 / effective_size).
    """
    share, low, high = row["share"], row["low"], row["high"]
    if share < 0.5:
        share, low, high = 1.0 - share, 1.0 - high, 1.0 - low
    return float(USUALLY**2 / (share**2 / (low * high) - 1.0))


def _ends(rows: Sequence[Row]) -> tuple[Row, Row]:
    """The rows with the lowest and the highest share."""
    return min(rows, key=_share_of), max(rows, key=_share_of)


def _share_of(row: Row) -> float:
    return float(row["share"])


def _alike(one: Row, other: Row) -> bool:
    """Whether two shares are the same percentages when they are shown."""
    return as_percent(one["share"]) == as_percent(other["share"])


def _part(row: Row) -> str:
    return " ".join(row[name] for name in ("period", "group") if name in row)


def _kind(row: Row) -> str:
    return "period" if "group" not in row else "group" if "period" not in row else "part"


def _finding_lines(found: Sequence[_Finding], row: Row, number: int, small: int) -> Iterator[str]:
    """A heading, a line per topic, and what is not listed or not compared."""
    verb = "differs" if "group" in row else "changed"
    if found:
        yield (
            f"What surely {verb}: mean shares of topics, with 95% intervals and numbers of documents in "
            "parentheses"
        )
    elif number - small < 2 <= number:
        yield f"Nothing was compared: fewer than two {_kind(row)}s have {FEW} documents or more."
    else:
        yield f"No topic surely {verb}: there may be too few documents to tell."
    yield from (f"  {one.rows[0]['title']}: {_sentence(one.rows)}" for one in found[:_LISTED])
    if (more := len(found) - _LISTED) > 0:
        yield f"  and {plural(more, 'further topic')}"
    if small:
        yield f"Not compared: {plural(small, _kind(row))} of fewer than {FEW} documents"


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


def _choose_parts(parts: Parts, row: Row) -> Parts:
    """The parts that the table shows: the last periods, or the largest groups, which come first."""
    names = list(parts)
    some = names[:_ROWS] if "group" in row else names[-_ROWS:]
    return {name: parts[name] for name in some}


def _table(parts: Parts, shown: Sequence[int], first: int) -> Iterator[str]:
    """A line per part, with these topics for columns."""
    shares = next(iter(parts.values()))
    titles = (_fit_title(shares[k]["title"]) for k in shown)
    yield _GAP.join((" " * first, _COUNT, *titles)).rstrip()
    for part, shares in parts.items():
        values = (f"{as_percent(shares[k]['share']):>{_TITLE}}" for k in shown)
        count = f"{shares[0][_COUNT]:>{len(_COUNT)},}"
        yield _GAP.join((set_cell_size(part, first), count, *values))


def _fit_title(title: str) -> str:
    """A title aligned to the right of a column, cut if it is too long."""
    wide = cell_len(title)
    if wide <= _TITLE:
        return " " * (_TITLE - wide) + title
    return set_cell_size(title, _TITLE - 1) + "…"
