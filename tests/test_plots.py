"""Still pictures: what is drawn is what the topics are."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import HLTA, Corpus, DocumentsError, OptionError, TopicTree
from tests.synthetic import planted

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.patches import Rectangle  # noqa: E402

from hlta import plots  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def learned() -> tuple[HLTA, Corpus]:
    X = planted(90, 3).sample(800, seed=1)
    words = [f"$w{k}$_^" for k in range(90)]  # nothing that TeX should see
    corpus = Corpus(X, words, dates=[f"{1990 + k % 5}" for k in range(800)])
    return HLTA(max_top_topics=4).fit(corpus), corpus


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


def test_areas_are_in_proportion_to_sizes(learned: tuple[HLTA, Corpus]) -> None:
    topics = learned[0].topics_
    ax = plots.icicle(topics, depth=2)
    ax.figure.canvas.draw()
    areas = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    layers = [[area for area in areas if area.get_x() == layer] for layer in range(3)]
    shown = [topics.roots, [child for root in topics.roots for child in root.children], []]
    for layer, siblings in zip(layers[:2], shown, strict=False):
        assert len(layer) == len(siblings)
    assert layers[2] == []  # no deeper than asked for
    total = sum(root.size for root in topics.roots)
    expected = [root.size / total for root in topics.roots]
    divided = sum(
        share for share, root in zip(expected, topics.roots, strict=True) if root.children
    )
    assert sum(area.get_height() for area in layers[1]) == pytest.approx(divided)
    assert [area.get_height() for area in layers[0]] == pytest.approx(expected)


def test_areas_are_labelled(learned: tuple[HLTA, Corpus]) -> None:
    topics = learned[0].topics_
    first = topics.roots[0]
    ax = plots.icicle(topics, depth=1, n_words=2)
    words = " ".join(first.named(2)).rstrip()
    assert ax.texts[0].get_text() == f"{words}  {first.size:.0%}"


def test_sizes(learned: tuple[HLTA, Corpus]) -> None:
    topics = learned[0].topics_
    own = pyplot.figure().subplots()
    ax = plots.sizes(topics, level=2, ax=own)
    assert ax is own
    ax.figure.canvas.draw()
    widths = [patch.get_width() for patch in ax.patches if isinstance(patch, Rectangle)]
    expected = sorted((100 * t.size for t in topics if t.level == 2), reverse=True)
    assert widths == pytest.approx(expected)
    top = max(t.level for t in topics)
    assert len(plots.sizes(topics).patches) == sum(t.level == top for t in topics)
    with pytest.raises(OptionError, match="there are levels"):
        plots.sizes(topics, level=9)


def test_over_time_draws_the_share_of_each_year(learned: tuple[HLTA, Corpus]) -> None:
    model, corpus = learned
    topic = list(model.topics_)[-1]
    ax = plots.over_time(model.topics_, corpus, only=[topic, model.topics_.roots[0].id])
    ax.figure.canvas.draw()
    assert corpus.dates is not None
    years = np.array(list(corpus.dates))
    shares = model.transform(corpus)
    for line, column in zip(ax.lines, (len(model.topics_) - 1, 0), strict=True):
        share = shares[:, column]
        expected = [100 * share[years == str(year)].mean() for year in range(1990, 1995)]
        np.testing.assert_allclose(np.asarray(line.get_ydata()), expected)


def test_over_time_draws_the_largest_root_topics(learned: tuple[HLTA, Corpus]) -> None:
    model, corpus = learned
    ax = plots.over_time(model.topics_, corpus)
    largest = sorted(model.topics_.roots, key=lambda topic: -topic.size)[:8]
    labels = [" ".join(topic.named(3)).rstrip() for topic in largest]
    assert [line.get_label() for line in ax.lines] == labels


def test_over_time_refuses_what_it_cannot_draw(learned: tuple[HLTA, Corpus]) -> None:
    model, corpus = learned
    with pytest.raises(DocumentsError, match="give a corpus with dates"):
        plots.over_time(model.topics_, Corpus(corpus.documents, corpus.words))
    with pytest.raises(OptionError, match="no model attached"):
        plots.over_time(TopicTree(model.topics_.roots), corpus)
    with pytest.raises(OptionError, match="only is empty"):
        plots.over_time(model.topics_, corpus, only=[])
    with pytest.raises(KeyError, match="no topic 'Z9-9'"):
        plots.over_time(model.topics_, corpus, only=["Z9-9"])


def test_by_group_draws_the_share_of_each_group(learned: tuple[HLTA, Corpus]) -> None:
    model, corpus = learned
    groups = ["ab"[k % 3 == 0] for k in range(len(corpus))]
    grouped = Corpus(corpus.documents, corpus.words, groups=groups)
    topic = model.topics_.roots[1]
    ax = plots.by_group(model.topics_, grouped, topic=topic.id)
    ax.figure.canvas.draw()
    table = model.topics_.by_group(grouped, topics=[topic]).sort("share", descending=True)
    assert [label.get_text() for label in ax.get_yticklabels()] == table["group"].to_list()
    widths = [bar.get_width() for bar in ax.patches if isinstance(bar, Rectangle)]
    assert widths == pytest.approx([100 * share for share in table["share"].to_list()])
    with pytest.raises(DocumentsError, match="give documents with groups"):
        plots.by_group(model.topics_, corpus)
    with pytest.raises(KeyError, match="no topic 'Z9-9'"):
        plots.by_group(model.topics_, grouped, topic="Z9-9")


def test_without_matplotlib(learned: tuple[HLTA, Corpus], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OptionError, match=r"hlta\[plots\]"):
        plots.icicle(learned[0].topics_)


def test_hues_are_those_of_the_page() -> None:
    style = Path(__file__).parents[1] / "explorer" / "src" / "style.css"
    found = re.findall(r"--branch-\d+: var\(--light, (#\w{6})\)", style.read_text(encoding="utf-8"))
    assert tuple(found) == plots._HUES
