"""What was found, as the paper's tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from benchmarks.compare.methods import METHODS
from benchmarks.compare.recorded import JAVA, PAPER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.cells import Outcome


@dataclass(frozen=True)
class Table:
    """How to show one figure of all methods and corpora.

    Attributes
    ----------
    name
        The name of the figure in a cell, and in the runs of the authors' program.
    form
        How the figure is formatted.
    count
        Another figure, which follows in brackets.
    paper
        The name of the paper's table.
    unit
        What the figure is divided by.
    """

    title: str
    name: str
    form: str
    count: str | None = None
    paper: str | None = None
    unit: float = 1.0


_TABLES = (
    Table(
        "Held-out log-likelihood per document, binary data",
        "log_likelihood",
        "{:.2f}",
        paper="log_likelihood",
    ),
    Table("Completion: mean log P(word) of the words held back", "completion", "{:.3f}"),
    Table("Seconds (the paper's rows: minutes)", "seconds", "{:.1f}", paper="minutes"),
    Table("CPU seconds", "cpu_seconds", "{:.1f}"),
    Table("Peak memory, GB", "peak_memory", "{:.2f}", unit=1e9),
    Table("Number of topics (dead ones)", "topics", "{:.0f}", count="dead"),
    Table(
        "Coherence, M = 4 (topics scored)",
        "coherence",
        "{:.2f}",
        count="scored",
        paper="coherence",
    ),
    Table("Compactness, M = 4", "compactness", "{:.3f}", paper="compactness"),
    Table("NPMI, M = 4", "npmi", "{:.3f}"),
    Table("Diversity of the first 4 keywords", "diversity", "{:.2f}"),
)


Results: TypeAlias = "dict[tuple[str, str], list[Outcome]]"
"""What each method found on each corpus, by seed."""


def markdown(results: Results, corpora: Sequence[str], *, quick: bool = False) -> str:
    """All tables; figures of others, which are for whole corpora, are left out of quick ones."""
    parts = [_table(table, results, corpora, others=not quick) for table in _TABLES]
    parts += [_best(results, corpora), _reasons(results), _machines(results)]
    return "\n".join(part for part in parts if part)


def figures(results: Results, corpus: str, method: str, name: str) -> list[Any]:
    """One figure of a method on a corpus, from all splits that have it."""
    own = (outcome.found or {} for outcome in results.get((corpus, method), ()))
    return [found[name] for found in own if name in found]


def short_name(corpus: str) -> str:
    """The name of a corpus, without folders if it is a file."""
    return PurePath(corpus).name


def _rows(title: str, corpora: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """A table of the rows that have entries; nothing if there are none."""
    known = [f"| {label} | " + " | ".join(row) + " |" for label, row in rows if any(row)]
    head = "| | " + " | ".join(map(short_name, corpora)) + " |"
    lines = [f"### {title}\n", head, "|---" * (len(corpora) + 1) + "|", *known]
    return "\n".join(lines) + "\n" if known else ""


def _table(table: Table, results: Results, corpora: Sequence[str], *, others: bool) -> str:
    """One figure, with the figures of others below ours."""
    rows = [
        (entry.label, [_shown(table, results, corpus, method) for corpus in corpora])
        for method, entry in METHODS.items()
    ]
    if others:
        for mode, runs in JAVA.items():
            known = {
                corpus: table.form.format(getattr(run, table.name))
                + (f" ({run.topics})" if table.name == "coherence" else "")
                for corpus, run in runs.items()
                if hasattr(run, table.name)
            }
            row = [known.get(corpus, "") for corpus in corpora]
            rows.append((f"the authors' Java, {mode}", row))
        paper = PAPER.get(table.paper or "", {})
        for label in dict.fromkeys(label for own in paper.values() for label in own):
            row = [paper.get(corpus, {}).get(label, "") for corpus in corpora]
            rows.append((f"*paper:* {label}", row))
    return _rows(table.title, corpora, rows)


def _shown(table: Table, results: Results, corpus: str, method: str) -> str:
    """One entry: mean and standard deviation over the splits, or a mark."""
    own = results.get((corpus, method), [])
    known = np.array(figures(results, corpus, method, table.name)) / table.unit
    if not len(known):
        # A method that has no such figure on any corpus gets no row.
        return "-" if own and (own[0].found is None or table.paper) else ""
    shown = table.form.format(known.mean())
    if len(known) > 1:
        shown += f" ± {table.form.format(known.std(ddof=1))}"
    if table.count is not None:
        shown += f" ({np.mean(figures(results, corpus, method, table.count)):.0f})"
    if len(known) < len(own):
        shown += f", {len(known)} of {len(own)} runs"
    return shown


def _best(results: Results, corpora: Sequence[str]) -> str:
    """Coherence at an equal number of topics: the most coherent ones of each method."""

    def shown(corpus: str, method: str) -> str:
        own = figures(results, corpus, method, "best_coherence")
        if not own:
            return ""
        return " / ".join(
            f"{np.mean([best[n] for best in own]):.2f}" if all(n in best for best in own) else "-"
            for n in ("50", "100", "200", "400")
        )

    rows = [
        (entry.label, [shown(corpus, method) for corpus in corpora])
        for method, entry in METHODS.items()
    ]
    return _rows("Coherence of the 50 / 100 / 200 / 400 most coherent topics", corpora, rows)


def _reasons(results: Results) -> str:
    reasons = [
        f"- {METHODS[method].label} on {short_name(corpus)}: {outcome.reason}"
        for (corpus, method), own in results.items()
        for outcome in own
        if outcome.found is None
    ]
    return "\n".join(("### Missing figures\n", *reasons)) + "\n" if reasons else ""


def _machines(results: Results) -> str:
    every = dict.fromkeys(outcome.machine for own in results.values() for outcome in own)
    return "".join(f"Machine: {machine}.\n" for machine in every if machine)
