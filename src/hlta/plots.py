"""Still pictures of topics with matplotlib: an icicle, sizes, shares over time.

Each function draws into `ax`, or into a figure of its own, and returns the axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta.errors import DocumentsError, OptionError
from hlta.options import check_whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from hlta.corpus.corpus import Corpus
    from hlta.topics.tree import Topic, TopicTree

# Hues that stay apart for the colour-blind, on white: the same as in explorer/src/style.css.
_HUES: Final = (
    *("#0b6cb0", "#b84a05", "#007a57", "#a03d78"),
    *("#806400", "#5357c4", "#7a4b2a", "#45626f"),
)
_DASHES: Final = ("-", "--", ":", "-.")
_SERIES: Final = 8
_LEAST: Final = 0.018  # of the height, below which an area has no label


def icicle(topics: TopicTree, *, depth: int = 3, n_words: int = 3, ax: Axes | None = None) -> Axes:
    """The hierarchy as areas: a column a layer, as high as topics are large among their siblings.

    Parameters
    ----------
    topics
        The topics.
    depth
        Layers, from the roots downwards.
    n_words
        Words a topic.
    ax
        Where to draw.
    """
    check_whole("depth", depth, least=1)
    check_whole("n_words", n_words, least=1)
    ax = _axes(ax, (4.0 * depth, 9.0))
    from matplotlib.patches import Rectangle

    def draw(siblings: list[Topic], low: float, high: float, layer: int, hue: int | None) -> None:
        total = sum(topic.size for topic in siblings)
        top = high
        for number, topic in enumerate(siblings):
            height = (high - low) * topic.size / total
            colour = _HUES[(number if hue is None else hue) % len(_HUES)]
            ax.add_patch(
                Rectangle(
                    (layer, top - height),
                    1.0,
                    height,
                    facecolor=_mixed(colour, max(0.12, 0.4 - 0.09 * layer)),
                    edgecolor="white",
                )
            )
            if height >= _LEAST:
                label = f"{' '.join(topic.label_words(n_words))}  {topic.size:.0%}"
                ax.text(
                    *(layer + 0.02, top - height / 2, label),
                    va="center",
                    fontsize=8,
                    clip_on=True,
                    parse_math=False,
                )
            if layer + 1 < depth and topic.children:
                below = number if hue is None else hue
                draw(topic.children, top - height, top, layer + 1, below)
            top -= height

    draw(topics.roots, 0.0, 1.0, 0, None)
    ax.set(xlim=(0, depth), ylim=(0, 1))
    ax.set_axis_off()
    return ax


def sizes(
    topics: TopicTree, *, level: int | None = None, n_words: int = 4, ax: Axes | None = None
) -> Axes:
    """The topics of a level as bars, the largest first; of the top level if none is given."""
    check_whole("n_words", n_words, least=1)
    levels = sorted({topic.level for topic in topics})
    chosen_level = levels[-1] if level is None else level
    if chosen_level not in levels:
        raise OptionError(f"level={level!r} has no topics; there are levels {levels}")
    chosen = sorted((t for t in topics if t.level == chosen_level), key=lambda t: -t.size)
    ax = _axes(ax, (8.0, 1.0 + 0.28 * len(chosen)))
    at = np.arange(len(chosen))
    ax.barh(at, [100 * topic.size for topic in chosen], color=_HUES[0])
    labels = [" ".join(topic.label_words(n_words)) for topic in chosen]
    ax.set_yticks(at, labels, fontsize=9, parse_math=False)
    ax.invert_yaxis()
    ax.set_xlabel("% of the documents")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def over_time(
    topics: TopicTree,
    corpus: Corpus,
    *,
    only: Iterable[Topic | str] | None = None,
    n_words: int = 3,
    n_jobs: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The expected share of the documents of each year, month or day that are on topics.

    Parameters
    ----------
    topics
        The topics.
    corpus
        Documents with dates.
    only
        Topics or their ids; the eight largest roots if none are given.
    n_words
        Words a topic.
    n_jobs
        Threads; None for all processors.
    ax
        Where to draw.
    """
    from hlta.report.shares import by_period, shares

    check_whole("n_words", n_words, least=1)
    if topics.model is None:
        raise OptionError("these topics know of no model; take them from HLTA.topics_")
    found = by_period(corpus)
    if found is None:
        raise DocumentsError("the documents are of no two periods: the corpus needs dates")
    largest = sorted(topics.roots, key=lambda topic: -topic.size)[:_SERIES]
    chosen = [topics[_id(t)] for t in (largest if only is None else only)]
    if not chosen:
        raise OptionError("only names no topic")
    tree = topics.model
    node = {name: tree.n_words + k for k, name in enumerate(tree.latent_names)}
    latents = np.array([node[topic.id] for topic in chosen])
    documents = corpus.aligned(tree.words)
    (values,) = shares(tree, documents, latents, [found], n_jobs=n_jobs)
    ax = _axes(ax, (9.0, 4.5))
    known = np.flatnonzero(found.documents)
    for k, topic in enumerate(chosen):
        ax.plot(
            known,
            100 * values[known, k],
            color=_HUES[k % len(_HUES)],
            linestyle=_DASHES[k % len(_DASHES)],
            marker=".",
            label=" ".join(topic.label_words(n_words)),
        )
    every = max(1, len(found.names) // 10)
    ax.set_xticks(range(0, len(found.names), every), found.names[::every])
    ax.set_ylabel(f"% of the documents of a {found.unit}")
    ax.set_ylim(bottom=0)
    ax.spines[["top", "right"]].set_visible(False)
    legend = ax.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    for text in legend.get_texts():
        text.set_parse_math(False)
    return ax


def _id(topic: Topic | str) -> str:
    return topic if isinstance(topic, str) else topic.id


def _mixed(colour: str, share: float) -> tuple[float, float, float]:
    """A colour mixed with white."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return tuple(1.0 - share * (1.0 - part) for part in (red, green, blue))  # type: ignore[return-value]


def _axes(ax: Axes | None, size: tuple[float, float]) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise OptionError("pictures need matplotlib; pip install 'hlta[plots]'") from error
    return pyplot.subplots(figsize=size, layout="constrained")[1]
