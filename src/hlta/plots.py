"""Static pictures of topics with Matplotlib: an icicle, sizes, shares over time and by group."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.checks import check_whole, needing
from hlta._support.threads import on_threads
from hlta.documents.fields import GROUP
from hlta.errors import DocumentsError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from hlta.documents.corpus import Corpus
    from hlta.topics.topic import Topic
    from hlta.topics.topic_tree import TopicTree

# Hues that the colour-blind can tell apart, on white.
_HUES: Final = (
    *("#0b6cb0", "#b84a05", "#007a57", "#a03d78"),
    *("#806400", "#5357c4", "#7a4b2a", "#45626f"),
    *("#5e1b7e", "#2c4c20", "#711e40", "#203d81"),
    *("#80689a", "#971c11", "#8a6d64", "#433e56"),
    *("#8141a4", "#348008", "#744a70", "#bf425b"),
)
_DASHES: Final = ("-", "--", ":", "-.")
_MOST_SERIES: Final = 8
_MOST_GROUPS: Final = 40
_MOST_TICKS: Final = 10
_LABEL_HEIGHT: Final = 0.018  # of the picture: lower areas have no label
# What XML 1.0, and so SVG, cannot hold, and carriage returns, which its readers turn into line feeds.
_FORBIDDEN: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def icicle(topics: TopicTree, *, depth: int = 3, n_words: int = 3, ax: Axes | None = None) -> Axes:
    """Draw the hierarchy as areas: a column per layer, heights in proportion to size among siblings.

    Parameters
    ----------
    topics
        The topics.
    depth
        Layers, from the root topics downwards, at least 1.
    n_words
        Keywords per topic, at least 1.
    ax
        The axes to draw into; None for those of a new figure.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    OptionError
        If `depth` or `n_words` is out of range, or Matplotlib is not installed.

    Examples
    --------
    >>> from hlta import HLTA, plots
    >>> model = HLTA().fit(texts)  # doctest: +SKIP
    >>> plots.icicle(model.topics_).figure.savefig("icicle.png")  # doctest: +SKIP
    """
    check_whole("depth", depth, least=1)
    check_whole("n_words", n_words, least=1)
    ax = _axes(ax, (4.0 * depth, 9.0))
    from matplotlib.patches import Rectangle

    def draw(siblings: list[Topic], low: float, high: float, layer: int, hue: str | None) -> None:
        total = sum(topic.size for topic in siblings)
        top = high
        for number, topic in enumerate(siblings):
            height = (high - low) * topic.size / total
            own_hue = hue or _HUES[number % len(_HUES)]
            colour = _mixed(own_hue, max(0.12, 0.4 - 0.09 * layer))
            corner = (layer, top - height)
            ax.add_patch(Rectangle(corner, 1.0, height, facecolor=colour, edgecolor="white"))
            if height >= _LABEL_HEIGHT:
                label = f"{_name(topic, n_words)}  {topic.size:.0%}"
                ax.text(
                    *(layer + 0.02, top - height / 2, label),
                    va="center",
                    fontsize=8,
                    clip_on=True,
                    parse_math=False,
                )
            if layer + 1 < depth and topic.children:
                draw(topic.children, top - height, top, layer + 1, own_hue)
            top -= height

    draw(topics.roots, 0.0, 1.0, 0, None)
    ax.set(xlim=(0, depth), ylim=(0, 1))
    ax.set_axis_off()
    return ax


def sizes(
    topics: TopicTree, *, level: int | None = None, n_words: int = 4, ax: Axes | None = None
) -> Axes:
    """Draw the topics of a level as bars, the largest first.

    Parameters
    ----------
    topics, n_words, ax
        See `icicle`.
    level
        The level; None for the highest.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    OptionError
        As in `icicle`, or if the level has no topics.
    """
    check_whole("n_words", n_words, least=1)
    levels = sorted({topic.level for topic in topics})
    chosen_level = levels[-1] if level is None else level
    if chosen_level not in levels:
        raise OptionError(f"level={level!r} has no topics; there are levels {levels}")
    chosen = sorted((t for t in topics if t.level == chosen_level), key=lambda t: -t.size)
    labels = [_name(topic, n_words) for topic in chosen]
    return _bars(ax, labels, [100 * topic.size for topic in chosen], "% of the documents")


def over_time(
    topics: TopicTree,
    corpus: Corpus,
    *,
    only: Iterable[Topic | str] | None = None,
    n_words: int = 3,
    n_jobs: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw, over years, months or days, the mean share of their documents' words on each topic.

    Parameters
    ----------
    topics, n_words, ax
        See `icicle`.
    corpus
        Documents with dates.
    only
        Topics or their ids; None for the eight largest root topics that are not vague.
    n_jobs
        Threads; None for all processors.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    OptionError
        As in `icicle`, or if the topics have no model or `only` is empty.
    DocumentsError
        If the documents have no dates, or all are from the same period.
    KeyError
        If `only` has an id that is not among the topics.
    """
    from hlta.documents.corpus import check_corpus
    from hlta.topics.divisions import by_period
    from hlta.topics.tables import shares_by

    check_whole("n_words", n_words, least=1)
    check_corpus(corpus)
    periods = by_period(corpus.dates)
    if periods is None:
        raise DocumentsError(
            "shares over time need documents of two periods or more; give a corpus with dates"
        )
    if only is None:
        clear = [root for root in topics.roots if not root.is_vague]
        chosen = sorted(clear, key=lambda topic: -topic.size)[:_MOST_SERIES]
    else:
        chosen = [topics[topic if isinstance(topic, str) else topic.id] for topic in only]
    if not chosen:
        raise OptionError("only is empty; name at least one topic, or leave it out")
    place = {topic.id: k for k, topic in enumerate(topics)}
    with on_threads(n_jobs):
        every = shares_by(topics.shares(), corpus, topics.usual_coverage, [periods])
    values = every[0].mean[:, [place[topic.id] for topic in chosen]]
    ax = _axes(ax, (9.0, 4.5))
    known = np.flatnonzero(periods.counts)
    for k, topic in enumerate(chosen):
        ax.plot(
            *(known, 100 * values[known, k]),
            color=_HUES[k % len(_HUES)],
            linestyle=_DASHES[k % len(_DASHES)],
            marker=".",
            label=_name(topic, n_words),
        )
    step = max(1, len(periods.names) // _MOST_TICKS)
    ax.set_xticks(range(0, len(periods.names), step), periods.names[::step])
    ax.set_ylabel(f"mean share of a {periods.unit}'s documents (%)")
    ax.set_ylim(bottom=0)
    ax.spines[["top", "right"]].set_visible(False)
    legend = ax.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    for text in legend.get_texts():
        text.set_parse_math(False)
    return ax


def by_group(
    topics: TopicTree,
    corpus: Corpus,
    *,
    field: str = GROUP,
    topic: Topic | str | None = None,
    n_words: int = 3,
    n_jobs: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean share of the words of each group's documents on a topic, with 95% intervals.

    Parameters
    ----------
    topics, n_words, ax
        See `icicle`.
    corpus
        Documents with groups.
    field
        The field whose groups these are, see `TopicTree.by_group`.
    topic
        A topic or its id; None for the first root topic.
    n_jobs
        Threads; None for all processors.

    Returns
    -------
    Axes
        The axes with the picture, the group with the largest share at the top; the line marks the
        topic's share of all documents.

    Raises
    ------
    OptionError
        As in `icicle`, or if the topics have no model.
    DocumentsError
        If the documents have no such field, or fewer than two groups.
    KeyError
        If `topic` is an id that is not among the topics.
    """
    check_whole("n_words", n_words, least=1)
    wanted = topics.roots[0] if topic is None else topic
    chosen = topics[wanted if isinstance(wanted, str) else wanted.id]
    table = topics.by_group(corpus, field=field, topics=[chosen], n_jobs=n_jobs)
    table = table.sort("share", descending=True).head(_MOST_GROUPS)
    share, low, high = (100 * table[name].to_numpy() for name in ("share", "low", "high"))
    errors = {"xerr": [share - low, high - share], "ecolor": "0.5"}
    caption = "mean share of a group's documents (%)"
    drawn = _bars(ax, list(map(_clean, table["group"])), share, caption, **errors)
    drawn.axvline(100 * chosen.size, color="0.3", linewidth=1)
    drawn.set_title(_name(chosen, n_words), fontsize=10, loc="left", parse_math=False)
    return drawn


def _bars(
    ax: Axes | None, labels: list[str], lengths: ArrayLike, caption: str, **more: Any
) -> Axes:
    """A bar per label, the first one at the top."""
    ax = _axes(ax, (8.0, 1.0 + 0.28 * len(labels)))
    at = np.arange(len(labels))
    ax.barh(at, lengths, color=_HUES[0], **more)
    ax.set_yticks(at, labels, fontsize=9, parse_math=False)
    ax.invert_yaxis()
    ax.set_xlabel(caption)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _name(topic: Topic, n_words: int) -> str:
    return _clean(" ".join(topic.named(n_words)).rstrip())


def _clean(text: str) -> str:
    """The text with U+FFFD in place of each character that SVG cannot hold."""
    return _FORBIDDEN.sub("\ufffd", text)


def _mixed(colour: str, share: float) -> tuple[float, ...]:
    """A colour mixed with white."""
    return tuple(1.0 - share * (1.0 - int(colour[k : k + 2], 16) / 255) for k in (1, 3, 5))


def _axes(ax: Axes | None, size: tuple[float, float]) -> Any:
    """The axes given, or those of a new figure."""
    if ax is not None:
        return ax
    with needing("pictures need matplotlib", extra="plots"):
        from matplotlib import pyplot
    return pyplot.subplots(figsize=size, layout="constrained")[1]
