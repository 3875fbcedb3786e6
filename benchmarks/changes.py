"""Changes of topics over time: the false-alarm rate, and how often a planted change is found.

    python -m benchmarks.changes [--only NAME ...] [--documents 4000] [--quick]

The shares are those of root topics in documents of `benchmarks.corpora`. Dates, which are those of the
corpus, or random ones of 24 months where it has none, are permuted, so that nothing changes.

rule        the rule of `hlta trends`, also for the titles of charts
bound       the same with a bound that holds without Wilks' theorem: a likelihood ratio of x or more has
            a chance of at most 1/x
ends        the difference between the mean shares of the first and the last period, of those of 30
            documents or more, in standard errors
trend       the slope of a linear regression of documents' shares on their periods, in standard errors

The latter two name a topic if its statistic is larger than those of all topics in 95% of permutations, so
their false-alarm rate is 5%. The first table has the false-alarm rates of the other two.

For the second table, the documents of each period are drawn with replacement, some at random, and some by
their shares of a topic, so that its expected share is its mean share times a factor, see `profile`. The
topic is a random one with a mean share of 1% or more that can rise by all factors in this way. The
figures are how often each rule names it; how many periods lie between the beginning of the change and
where the first rule says that it rose most; and how much more often the first rule names it than others.
They are means over corpora, each of which counts once, with standard errors over corpora.
`--quick` has a tenth of the permutations and repetitions.
"""

from __future__ import annotations

import argparse
import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks.corpora import CORPORA, can_read
from benchmarks.counts import CORPORA as WITH_FIELDS
from hlta import HLTA, Corpus
from hlta.cli.trend_report import _Finding, _findings
from hlta.options import IN_PART
from hlta.topics.divisions import by_period, wilson
from hlta.topics.segments import CHANCE, FEW, required_gain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

RULES = ("rule", "bound", "ends", "trend")
SHAPES = ("step", "rise", "peak")
FACTORS = (1.5, 2.0, 3.0)
_MONTHS = 24  # of corpora without dates
_PEAK = 3  # periods
_LEAST_SHARE = 0.01


class Dated(NamedTuple):
    """The shares of documents, (documents, topics), and their periods, none of which is empty."""

    shares: NDArray[np.float64]
    period: NDArray[np.intp]


def learned(name: str, count: int) -> Dated:
    """Some documents of a corpus, drawn at random."""
    random = np.random.default_rng(0)
    if name in WITH_FIELDS:
        corpus = WITH_FIELDS[name]()
        corpus = corpus.take(
            np.sort(random.choice(len(corpus), min(len(corpus), count), replace=False))
        )
    else:
        corpus = Corpus.from_texts(CORPORA[name]().drawn(count).texts)
    rows, parts = np.arange(len(corpus)), random.integers(_MONTHS, size=len(corpus))
    if (division := by_period(corpus.dates)) is not None:
        rows, parts = division.rows, division.parts
    model = HLTA(random_state=0, n_jobs=1).fit(corpus)
    roots = {topic.id for topic in model.topics_.roots}
    columns = [k for k, topic in enumerate(model.topics_) if topic.id in roots]
    shares = model.transform(corpus)[rows][:, columns]
    return Dated(shares, np.unique(parts, return_inverse=True)[1])


def bound(comparisons: int) -> float:
    """`required_gain` without Wilks' theorem: the gain in log-likelihood that a difference needs."""
    return math.log(comparisons / CHANCE)


def findings(data: Dated, needed: Callable[[int], float]) -> Sequence[_Finding]:
    """What `hlta trends` says of each topic; its rows are as in `TopicTree.over_time`."""
    counts = np.bincount(data.period)
    share, on = np.zeros((2, len(counts), data.shares.shape[1]))
    np.add.at(share, data.period, data.shares / counts[data.period, None])
    np.add.at(on, data.period, data.shares >= IN_PART)
    mean = data.shares.mean(axis=0)
    evidence = np.maximum(mean * (1 - mean) / np.maximum(data.shares.var(axis=0), 1e-12), 1)
    low, high = wilson(share, counts[:, None] * evidence)
    series = [
        [
            {"period": str(k), "documents": n, "share": a, "low": b, "high": c, "on_topic": d}
            for k, (n, a, b, c, d) in enumerate(zip(counts.tolist(), *one.tolist(), strict=True))
        ]
        for one in np.array([share, low, high, on]).transpose(2, 0, 1)
    ]
    with patch("hlta.cli.trend_report.required_gain", needed):
        return _findings(series)


def of_ends(data: Dated) -> NDArray[np.float64]:
    counts = np.bincount(data.period)
    first, last = np.flatnonzero(counts >= FEW)[[0, -1]]
    rise = data.shares[data.period == last].mean(axis=0)
    rise -= data.shares[data.period == first].mean(axis=0)
    return np.asarray(
        np.abs(rise) / np.sqrt(data.shares.var(axis=0) * (1 / counts[first] + 1 / counts[last]))
    )


def of_trend(data: Dated) -> NDArray[np.float64]:
    x, y = data.period - data.period.mean(), data.shares - data.shares.mean(axis=0)
    r = x @ y / np.sqrt((x @ x) * (y * y).sum(axis=0))
    return np.asarray(np.abs(r) * np.sqrt((len(x) - 2) / (1 - r**2)))


def plant(data: Dated, topic: int, times: NDArray[Any], random: np.random.Generator) -> Dated:
    """Documents drawn so that a topic's expected share in each period is `times` its mean share."""
    share, n = data.shares[:, topic], len(data.shares)
    by_share = (times - 1) * share.mean() ** 2 / share.var()
    rows = np.where(
        random.random(n) < by_share[data.period],
        random.choice(n, n, p=share / share.sum()),
        random.integers(n, size=n),
    )
    return Dated(data.shares[rows], data.period)


def rose(finding: _Finding) -> float:
    """The period from which on a topic rose most, the middle one if several were put together."""
    one, other = max(pairwise(finding.rows), key=lambda pair: pair[1]["share"] - pair[0]["share"])
    (*_, last), (first, *_) = (re.findall(r"\d+", row["period"]) for row in (one, other))
    return (int(last) + 1 + int(first)) / 2


def profile(shape: str, factor: float, periods: NDArray[np.intp], begin: int) -> NDArray[Any]:
    """The factor by which the topic's share is larger in each period."""
    part = {
        "step": periods >= begin,
        "rise": periods / periods[-1],
        "peak": (begin <= periods) & (periods < begin + _PEAK),
    }
    return np.asarray(1 + (factor - 1) * part[shape])


def found(
    data: Dated, shape: str, factor: float, bounds: Sequence[float], random: np.random.Generator
) -> list[float]:
    """Whether each rule names a planted topic, and how many periods off the first one is, or NaN."""
    begin = int(np.quantile(data.period, random.uniform(0.25, 0.75)))
    mean = data.shares.mean(axis=0)
    can_rise = (FACTORS[-1] - 1) * mean**2 <= data.shares.var(axis=0)
    topic = random.choice(np.flatnonzero((mean >= _LEAST_SHARE) & can_rise))
    times = profile(shape, factor, np.arange(data.period.max() + 1), begin)
    drawn = plant(data, topic, times, random)
    said = [findings(drawn, needed)[topic] for needed in (required_gain, bound)]
    named = [bool(one.rows) for one in said]
    named += [z(drawn)[topic] > bound for z, bound in zip((of_ends, of_trend), bounds, strict=True)]
    return [*named, abs(rose(said[0]) - begin) if named[0] and shape != "rise" else np.nan]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=list(CORPORA), nargs="+", default=list(CORPORA))
    parser.add_argument("--documents", type=int, default=4000, help="drawn of larger corpora")
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args()
    permutations, repetitions = (50, 10) if chosen.quick else (500, 100)
    print(f"| corpus | documents | periods | topics | {' | '.join(RULES[:2])} |\n|{6 * '---|'}")
    alarms, figures = [], []
    for name in filter(can_read, chosen.only):
        data, random = learned(name, chosen.documents), np.random.default_rng(0)
        reports, largest = [], []
        for _ in range(permutations):
            permuted = Dated(data.shares, random.permutation(data.period))
            said = (findings(permuted, needed) for needed in (required_gain, bound))
            reports.append([any(one.rows for one in report) for report in said])
            largest.append([z(permuted).max() for z in (of_ends, of_trend)])
        sizes = f"{len(data.period):,} | {data.period.max() + 1} | {data.shares.shape[1]}"
        print(f"| {name} | {sizes} | {' | '.join(map(mean_of, np.array(reports).T))} |", flush=True)
        alarms.append(np.mean(reports, axis=0))
        bounds = np.quantile(largest, 1 - CHANCE, axis=0).tolist()
        figures.append(
            [
                [found(data, shape, factor, bounds, random) for _ in range(repetitions)]
                for shape in SHAPES
                for factor in FACTORS
            ]
        )
    print(f"| mean | | | | {' | '.join(map(mean_of, np.array(alarms).T))} |")
    means = np.ma.masked_invalid(figures).mean(axis=2).filled(np.nan)  # (corpora, changes, figures)
    heads = ["change", "factor", *RULES, "distance", "rule - bound", "rule - trend"]
    print(f"\n| {' | '.join(heads)} |\n|{len(heads) * '---|'}")
    for k, change in enumerate(means.transpose(1, 2, 0)):
        shape, factor = SHAPES[k // len(FACTORS)], FACTORS[k % len(FACTORS)]
        cells = map(mean_of, [*change, *(change[0] - change[k] for k in (1, 3))])
        print(f"| {shape} | {factor:g} | {' | '.join(cells)} |")


def mean_of(values: NDArray[np.float64]) -> str:
    """A mean with its standard error."""
    known = values[np.isfinite(values)]
    error = f" ± {known.std(ddof=1) / np.sqrt(len(known)):.3f}" if len(known) > 1 else ""
    return f"{known.mean():.3f}{error}" if len(known) else ""


if __name__ == "__main__":
    main()
