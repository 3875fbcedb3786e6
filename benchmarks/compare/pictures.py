"""What was found, as a picture of quality against time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.compare.methods import METHODS
from benchmarks.compare.recorded import JAVA
from benchmarks.compare.tables import figures, short_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from benchmarks.compare.tables import Results

_PANELS = (
    ("log_likelihood", "log-likelihood per document"),
    ("completion", "log P(word), words held back"),
    ("npmi", "NPMI of topics, M = 4"),
)
_BASELINE = "independent"
_MARKS = "o1^v<>sDPXdph8*H"
_JAVA_MARKS = {"batch": "k+", "stepwise": "kx"}


def picture(results: Results, corpora: Sequence[str], file: Path, *, quick: bool = False) -> None:
    """Draw likelihood, completion and NPMI against time, on a logarithmic axis.

    The authors' program, which ran on whole corpora, is left out of quick pictures.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "hlta"  # the same picture gives the same file
    from matplotlib import pyplot as plt

    size = (3.6 * len(corpora), 3.2 * len(_PANELS))
    figure, axes = plt.subplots(
        len(_PANELS), len(corpora), figsize=size, sharex=True, squeeze=False, layout="constrained"
    )
    drawn = [method for method in METHODS if method != _BASELINE]
    colours = [plt.colormaps["tab20"](k) for k in range(len(drawn))]
    styles = dict(zip(drawn, zip(_MARKS, colours, strict=False), strict=True))
    for row, (name, title) in zip(axes, _PANELS, strict=True):
        for ax, corpus in zip(row, corpora, strict=True):
            _draw_methods(ax, results, corpus, name, styles)
            if not quick:
                _draw_java(ax, corpus, name)
            ax.set(xscale="log", xlabel="seconds", title=short_name(corpus))
            ax.spines[["top", "right"]].set_visible(False)
        row[0].set_ylabel(title)
    handles: dict[str, Artist] = {}
    for ax in axes.ravel():
        artists, labels = ax.get_legend_handles_labels()
        handles.update(zip(labels, artists, strict=True))
    figure.legend(
        list(handles.values()), list(handles), loc="outside lower center", ncols=5, frameon=False
    )
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def _draw_methods(
    ax: Axes, results: Results, corpus: str, name: str, styles: dict[str, tuple[str, Any]]
) -> None:
    """A point per split of each method, and a line for independent words."""
    for method, (mark, colour) in styles.items():
        own = [outcome.found or {} for outcome in results.get((corpus, method), ())]
        points = [(found["seconds"], found[name]) for found in own if name in found]
        if points:
            x, y = zip(*points, strict=True)
            label = METHODS[method].label
            ax.plot(x, y, mark, label=label, color=colour, alpha=0.8)
    for level in figures(results, corpus, _BASELINE, name)[:1]:
        ax.axhline(level, color="0.6", lw=0.8, ls=":", label=METHODS[_BASELINE].label)


def _draw_java(ax: Axes, corpus: str, name: str) -> None:
    """The recorded runs of the authors' program."""
    for mode, runs in JAVA.items():
        if corpus in runs and hasattr(runs[corpus], name):
            x, y = runs[corpus].seconds, getattr(runs[corpus], name)
            ax.plot([x], [y], _JAVA_MARKS[mode], label=f"the authors' Java, {mode}")
