"""The cells as the paper's tables, and as a picture of quality against time."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.compare.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.compare.cells import Cell

# The authors' own figures (Tables 6 to 9 of the paper), for other selections of documents and words.
PAPER_MINUTES = {
    "nips-1k": {"HLTA-batch": 5.6, "nCRP-bin": 782, "nHDP-bin": 152, "hPAM-bin": 261, "CorEx": 53},
    "nips-5k": {"HLTA-batch": 86.1, "nCRP-bin": 3608, "nHDP-bin": 288, "CorEx": 371},
    "news-1k": {
        "HLTA-batch": 66.1,
        "HLTA-step": 9.6,
        "nHDP-bin": 162,
        "hPAM-bin": 328,
        "CorEx": 779,
    },
    "news-5k": {"HLTA-batch": 432, "HLTA-step": 133, "nHDP-bin": 263, "CorEx": 4287},
}
# The authors' program on these very files, recorded: log-likelihood, coherence, topics, seconds.
JAVA = {
    "nips-1k": (-430.64, -5.419, 157, 1447.0),
    "news-1k": (-118.32, -11.238, 109, 870.0),
}


def markdown(cells: Sequence[Cell], corpora: Sequence[str], *, quick: bool = False) -> str:
    """All tables; quick ones stand beside nothing that was measured on whole corpora."""
    recorded = JAVA if not quick else {}
    parts = [
        _table(
            "Held-out log-likelihood a document, binary data",
            cells,
            corpora,
            "log_likelihood",
            "{:.2f}",
            java={c: f[0] for c, f in recorded.items()},
        ),
        _table(
            "Seconds",
            cells,
            corpora,
            "seconds",
            "{:.1f}",
            java={c: f[3] for c, f in recorded.items()},
        ),
        _table(
            "Coherence, M = 4 (topics)",
            cells,
            corpora,
            _coherence,
            "{:.2f}",
            java={c: f[1] for c, f in recorded.items()},
        ),
        _table("Compactness, M = 4", cells, corpora, "compactness", "{:.3f}"),
        _table("NPMI, M = 4", cells, corpora, "npmi", "{:.3f}"),
        _table("Diversity of the first 4 words", cells, corpora, "diversity", "{:.2f}"),
        _table(
            "Completion: mean log P of a word held back", cells, corpora, "completion", "{:.3f}"
        ),
        _table(
            "Words of a document at that rate (log P of its words, as nHDP's article scores)",
            cells,
            corpora,
            "tokens",
            "{:.0f}",
        ),
        _table("CPU seconds", cells, corpora, "cpu_seconds", "{:.1f}"),
        _table("Memory at most, GB", cells, corpora, _memory, "{:.2f}"),
        _best(cells, corpora),
        "" if quick else _factors(cells, corpora),
        _reasons(cells),
        machine(),
    ]
    return "\n".join(part for part in parts if part)


def _coherence(figures: dict) -> float:
    return figures["coherence"]


def _memory(figures: dict) -> float:
    return figures["peak_memory"] / 1e9


def _of(cells: Sequence[Cell], corpus: str, method: str) -> list[Cell]:
    return [cell for cell in cells if cell.corpus == corpus and cell.method == method]


def _table(
    title: str,
    cells: Sequence[Cell],
    corpora: Sequence[str],
    figure: str | Callable[[dict], float],
    form: str,
    *,
    java: dict[str, float] | None = None,
) -> str:
    take = (lambda figures: figures.get(figure)) if isinstance(figure, str) else figure
    lines = [
        f"### {title}\n",
        "| | " + " | ".join(corpora) + " |",
        "|---" * (len(corpora) + 1) + "|",
    ]
    for method in METHODS:
        row = []
        for corpus in corpora:
            own = _of(cells, corpus, method)
            values = [take(cell.figures) for cell in own if cell.status == "ok"]
            known = [value for value in values if value is not None]
            if known:
                shown = form.format(float(np.mean(known)))
                if len(known) > 1:
                    shown += f" ± {form.format(float(np.std(known)))}"
                if figure is _coherence:
                    count = np.mean(
                        [c.figures["coherence_topics"] for c in own if c.status == "ok"]
                    )
                    shown += f" ({count:.0f})"
                if len(known) < len(own):
                    shown += f", {len(known)} of {len(own)} runs"
            else:
                shown = {"not run": "NR"}.get(own[0].status, "-") if own else ""
            row.append(shown)
        if any(cell not in ("", "-", "NR") for cell in row) or any(row):
            lines.append(f"| {METHODS[method].label} | " + " | ".join(row) + " |")
    if java:
        row = [
            form.format(java[corpus]) + (f" ({JAVA[corpus][2]})" if figure is _coherence else "")
            if corpus in java
            else ""
            for corpus in corpora
        ]
        if any(row):
            lines.append("| the authors' Java, recorded | " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def _best(cells: Sequence[Cell], corpora: Sequence[str]) -> str:
    """Coherence at an equal number of topics: of each method its most coherent ones."""
    lines = [
        "### Coherence of the 50, 100, 200 and 400 most coherent topics\n",
        "| | " + " | ".join(corpora) + " |",
        "|---" * (len(corpora) + 1) + "|",
    ]
    for method, entry in METHODS.items():
        row = []
        for corpus in corpora:
            own = [
                c.figures["best_coherence"] for c in _of(cells, corpus, method) if c.status == "ok"
            ]
            shown = [
                f"{np.mean([best[n] for best in own]):.2f}"
                if own and all(n in best for best in own)
                else "-"
                for n in ("50", "100", "200", "400")
            ]
            row.append(" / ".join(shown) if own else "")
        if any(row):
            lines.append(f"| {entry.label} | " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def _factors(cells: Sequence[Cell], corpora: Sequence[str]) -> str:
    """How many times faster than the paper's minutes and than the Java."""
    lines = [
        "### Speed of `hlta`, its defaults, against others (times faster)\n",
        "| | " + " | ".join(corpora) + " |",
        "|---" * (len(corpora) + 1) + "|",
    ]

    def seconds(corpus: str, method: str) -> float | None:
        own = [c.figures["seconds"] for c in _of(cells, corpus, method) if c.status == "ok"]
        return float(np.mean(own)) if own else None

    def row(label: str, other: Callable[[str], float | None]) -> None:
        shown = []
        for corpus in corpora:
            ours, theirs = seconds(corpus, "hlta"), other(corpus)
            shown.append("" if ours is None or theirs is None else f"{theirs / ours:,.0f}")
        if any(shown):
            lines.append(f"| {label} | " + " | ".join(shown) + " |")

    def paper(mode: str) -> Callable[[str], float | None]:
        def minutes(corpus: str) -> float | None:
            found = PAPER_MINUTES.get(corpus, {}).get(mode)
            return None if found is None else 60.0 * found

        return minutes

    for mode in ("HLTA-batch", "HLTA-step"):
        row(f"the paper's minutes of {mode}", paper(mode))
    row("the authors' Java, recorded", lambda corpus: JAVA[corpus][3] if corpus in JAVA else None)
    for method, entry in METHODS.items():
        if not method.startswith("hlta"):
            row(entry.label, lambda corpus, method=method: seconds(corpus, method))  # type: ignore[misc]
    return "\n".join(lines) + "\n"


def _reasons(cells: Sequence[Cell]) -> str:
    missing = [cell for cell in cells if cell.status != "ok"]
    if not missing:
        return ""
    lines = ["### Why there is no figure\n"]
    told = set()
    for cell in missing:
        line = f"- {METHODS[cell.method].label} on {cell.corpus}: {cell.status}; {cell.reason}"
        if line not in told:
            lines.append(line)
            told.add(line)
    return "\n".join(lines) + "\n"


def machine() -> str:
    """What it ran on."""
    info = Path("/proc/cpuinfo")
    names = (
        [
            line.split(":", 1)[1].strip()
            for line in info.read_text().splitlines()
            if "model name" in line
        ]
        if info.exists()
        else []
    )
    versions = []
    for package in ("hlta", "numpy", "numba", "scikit-learn", "tomotopy", "corextopic"):
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package}: none")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"Machine: {names[0] if names else platform.processor()}, {cores} cores, "
        f"{platform.system()}, Python {platform.python_version()}; {', '.join(versions)}.\n"
    )


def picture(cells: Sequence[Cell], corpora: Sequence[str], file: Path) -> None:
    """Coherence and likelihood against time, on a logarithmic axis."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    panels = (("log_likelihood", "log-likelihood a document"), ("coherence", "coherence, M = 4"))
    figure, axes = pyplot.subplots(
        len(panels),
        len(corpora),
        figsize=(3.6 * len(corpora), 6.4),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    colours = dict(zip(METHODS, pyplot.colormaps["tab20"].colors, strict=False))
    marks = dict(zip(METHODS, "o^v<>sDPXdph8", strict=True))
    for row, (key, name) in zip(axes, panels, strict=True):
        for ax, corpus in zip(row, corpora, strict=True):
            for method, entry in METHODS.items():
                own = [c.figures for c in _of(cells, corpus, method) if c.status == "ok"]
                points = [(f["seconds"], f[key]) for f in own if key in f]
                if points:
                    x, y = zip(*points, strict=True)
                    ax.plot(
                        x, y, marks[method], color=colours[method], label=entry.label, alpha=0.8
                    )
            if corpus in JAVA:
                value = JAVA[corpus][0 if key == "log_likelihood" else 1]
                ax.plot(JAVA[corpus][3], value, "k*", label="the authors' Java, recorded")
            ax.set(xscale="log", xlabel="seconds", title=corpus)
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
