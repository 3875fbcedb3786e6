"""The cells as the paper's tables, and as a picture of quality against time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.compare.methods import METHODS
from benchmarks.compare.recorded import JAVA, PAPER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from benchmarks.compare.cells import Cell


@dataclass(frozen=True)
class Table:
    """A figure of all methods and corpora.

    name   of the figure in a cell, and of the authors' program
    count  another figure that stands in brackets behind it
    paper  which of the paper's tables it is
    """

    title: str
    name: str
    form: str
    count: str | None = None
    paper: str | None = None
    unit: float = 1.0


_TABLES = (
    Table(
        "Held-out log-likelihood a document, binary data",
        "log_likelihood",
        "{:.2f}",
        paper="log_likelihood",
    ),
    Table("Completion: mean log P of a word held back", "completion", "{:.3f}"),
    Table("Completion: of all words of a document, at that rate", "tokens", "{:.0f}"),
    Table("Seconds (of the paper: minutes)", "seconds", "{:.1f}", paper="minutes"),
    Table("CPU seconds", "cpu_seconds", "{:.1f}"),
    Table("Memory at most, GB", "peak_memory", "{:.2f}", unit=1e9),
    Table("Topics (dead ones besides)", "topics", "{:.0f}", count="dead"),
    Table("Coherence, M = 4 (topics)", "coherence", "{:.2f}", count="scored", paper="coherence"),
    Table("Compactness, M = 4", "compactness", "{:.3f}", paper="compactness"),
    Table("NPMI, M = 4", "npmi", "{:.3f}"),
    Table("Diversity of the first 4 words", "diversity", "{:.2f}"),
)


def markdown(cells: Sequence[Cell], corpora: Sequence[str], *, quick: bool = False) -> str:
    """All tables; quick ones stand beside nothing that was measured on whole corpora."""
    parts = [_table(table, cells, corpora, others=not quick) for table in _TABLES]
    parts.append(_best(cells, corpora))
    if not quick:
        parts.append(_factors(cells, corpora))
    parts += [_reasons(cells), _machines(cells)]
    return "\n".join(part for part in parts if part)


def _of(cells: Sequence[Cell], corpus: str, method: str) -> list[Cell]:
    return [cell for cell in cells if cell.corpus == corpus and cell.method == method]


def _figures(cells: Sequence[Cell], corpus: str, method: str, name: str) -> list[float]:
    own = (cell.figures for cell in _of(cells, corpus, method) if cell.status == "ok")
    return [figures[name] for figures in own if name in figures]


def _rows(title: str, corpora: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """A table of those rows that say anything, if there are any."""
    known = [f"| {label} | " + " | ".join(row) + " |" for label, row in rows if any(row)]
    head = "| | " + " | ".join(map(_name, corpora)) + " |"
    lines = [f"### {title}\n", head, "|---" * (len(corpora) + 1) + "|", *known]
    return "\n".join(lines) + "\n" if known else ""


def _name(corpus: str) -> str:
    return PurePath(corpus).name


def _table(table: Table, cells: Sequence[Cell], corpora: Sequence[str], *, others: bool) -> str:
    rows = [
        (entry.label, [_shown(table, cells, corpus, method) for corpus in corpora])
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


def _shown(table: Table, cells: Sequence[Cell], corpus: str, method: str) -> str:
    own = _of(cells, corpus, method)
    known = np.array(_figures(cells, corpus, method, table.name)) / table.unit
    if not len(known):
        # A method without such a figure has no row if it has none on any corpus.
        if own and own[0].status == "not run":
            return "NR"
        return "-" if own and (own[0].status != "ok" or table.paper) else ""
    shown = table.form.format(known.mean())
    if len(known) > 1:
        shown += f" ± {table.form.format(known.std(ddof=1))}"
    if table.count is not None:
        shown += f" ({np.mean(_figures(cells, corpus, method, table.count)):.0f})"
    if len(known) < len(own):
        shown += f", {len(known)} of {len(own)} runs"
    return shown


def _best(cells: Sequence[Cell], corpora: Sequence[str]) -> str:
    """Coherence at an equal number of topics: of each method its most coherent ones."""

    def shown(corpus: str, method: str) -> str:
        own = [
            cell.figures["best_coherence"]
            for cell in _of(cells, corpus, method)
            if cell.status == "ok" and "best_coherence" in cell.figures
        ]
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
    return _rows("Coherence of the 50, 100, 200 and 400 most coherent topics", corpora, rows)


def _factors(cells: Sequence[Cell], corpora: Sequence[str]) -> str:
    """How many times faster: in CPU time, which other work on the machine hardly changes."""

    def mean(corpus: str, method: str, name: str) -> float | None:
        known = _figures(cells, corpus, method, name)
        return float(np.mean(known)) if known else None

    def row(other: Callable[[str], float | None], name: str = "cpu_seconds") -> list[str]:
        shown = []
        for corpus in corpora:
            ours, theirs = mean(corpus, "hlta", name), other(corpus)
            shown.append("" if ours is None or theirs is None else f"{theirs / ours:,.0f}")
        return shown

    def paper(mode: str) -> Callable[[str], float | None]:
        def seconds(corpus: str) -> float | None:
            found = PAPER["minutes"].get(corpus, {}).get(mode)
            return None if found is None else 60.0 * float(found.replace(",", ""))

        return seconds

    rows = [
        (f"*paper:* {mode}, time on the clock", row(paper(mode), "seconds"))
        for mode in ("HLTA-batch", "HLTA-step")
    ]
    for mode, runs in JAVA.items():
        spent = {corpus: run.cpu_seconds for corpus, run in runs.items()}
        rows.append((f"the authors' Java, {mode}", row(spent.get)))
    for method, entry in METHODS.items():
        if not method.startswith(("hlta", "independent")):
            rows.append(
                (
                    entry.label,
                    row(lambda corpus, method=method: mean(corpus, method, "cpu_seconds")),
                )  # type: ignore[misc]
            )
    return _rows("CPU seconds as a multiple of those of `hlta`, its defaults", corpora, rows)


def _reasons(cells: Sequence[Cell]) -> str:
    told = dict.fromkeys(
        f"- {METHODS[cell.method].label} on {_name(cell.corpus)}: {cell.status}; {cell.reason}"
        for cell in cells
        if cell.status != "ok"
    )
    return "\n".join(("### Why there is no figure\n", *told)) + "\n" if told else ""


def _machines(cells: Sequence[Cell]) -> str:
    told = dict.fromkeys(cell.machine for cell in cells if cell.machine)
    return "".join(f"Machine: {machine}.\n" for machine in told)


def picture(
    cells: Sequence[Cell], corpora: Sequence[str], file: Path, *, quick: bool = False
) -> None:
    """Likelihood, completion and topics against time, on a logarithmic axis."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "hlta"  # the same picture is the same file
    from matplotlib import pyplot

    panels = (
        ("log_likelihood", "log-likelihood a document"),
        ("completion", "log P of a word held back"),
        ("npmi", "NPMI of topics, M = 4"),
    )
    figure, axes = pyplot.subplots(
        len(panels),
        len(corpora),
        figsize=(3.6 * len(corpora), 3.2 * len(panels)),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    drawn = [method for method in METHODS if method != "independent"]
    colours = dict(zip(drawn, pyplot.colormaps["tab20"].colors, strict=False))
    marks = dict(zip(drawn, "o^v<>sDPXdph8*", strict=True))
    for row, (key, name) in zip(axes, panels, strict=True):
        for ax, corpus in zip(row, corpora, strict=True):
            for method in drawn:
                own = [c.figures for c in _of(cells, corpus, method) if c.status == "ok"]
                points = [(f["seconds"], f[key]) for f in own if key in f]
                if points:
                    x, y = zip(*points, strict=True)
                    style = {"color": colours[method], "alpha": 0.8}
                    ax.plot(x, y, marks[method], label=METHODS[method].label, **style)
            for mode, runs in () if quick else JAVA.items():
                if corpus in runs and hasattr(runs[corpus], key):
                    mark = "k+" if mode == "batch" else "kx"
                    label = f"the authors' Java, {mode}"
                    ax.plot(runs[corpus].seconds, getattr(runs[corpus], key), mark, label=label)
            for y in _figures(cells, corpus, "independent", key)[:1]:
                ax.axhline(y, color="0.6", lw=0.8, ls=":", label="independent words")
            ax.set(xscale="log", xlabel="seconds", title=_name(corpus))
            ax.spines[["top", "right"]].set_visible(False)
        row[0].set_ylabel(name)
    handles = {}
    for ax in axes.ravel():
        handles.update(zip(*ax.get_legend_handles_labels()[::-1], strict=True))
    figure.legend(
        handles.values(), handles.keys(), loc="outside lower center", ncols=5, frameon=False
    )
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)
