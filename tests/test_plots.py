"""Still pictures: what is drawn is what the topics are."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.synthetic import planted
from hlta import HLTA, Corpus, DocumentsError, OptionError, TopicTree

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

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


def test_icicle(learned: tuple[HLTA, Corpus]) -> None:
    topics = learned[0].topics_
    ax = plots.icicle(topics, depth=2)
    ax.figure.canvas.draw()
    areas = [(p.get_x(), p.get_height()) for p in ax.patches]
    assert sorted(areas, key=lambda a: a[0]) == areas or len(areas) > len(topics.roots)
    for layer in (0, 1):
        assert sum(h for x, h in areas if x == layer) == pytest.approx(1.0)
    total = sum(root.size for root in topics.roots)
    roots = [h for x, h in areas if x == 0]
    assert roots == pytest.approx([root.size / total for root in topics.roots])
    assert topics.roots[0].label_words(3)[0] in ax.texts[0].get_text()


def test_sizes(learned: tuple[HLTA, Corpus]) -> None:
    topics = learned[0].topics_
    own = pyplot.figure().subplots()
    ax = plots.sizes(topics, level=2, ax=own)
    assert ax is own
    ax.figure.canvas.draw()
    widths = [patch.get_width() for patch in ax.patches]
    expected = sorted((100 * t.size for t in topics if t.level == 2), reverse=True)
    assert widths == pytest.approx(expected)
    top = max(t.level for t in topics)
    assert len(plots.sizes(topics).patches) == sum(t.level == top for t in topics)
    with pytest.raises(OptionError, match="there are levels"):
        plots.sizes(topics, level=9)


def test_over_time(learned: tuple[HLTA, Corpus]) -> None:
    model, corpus = learned
    topic = list(model.topics_)[-1]
    ax = plots.over_time(model.topics_, corpus, only=[topic, model.topics_.roots[0].id])
    ax.figure.canvas.draw()
    column = len(model.topics_) - 1
    p = model.transform(corpus)[:, column]
    years = np.array(list(corpus.dates))
    expected = [100 * p[years == str(year)].mean() for year in range(1990, 1995)]
    np.testing.assert_allclose(ax.lines[0].get_ydata(), expected)
    assert len(plots.over_time(model.topics_, corpus).lines) == min(8, len(model.topics_.roots))
    with pytest.raises(DocumentsError, match="dates"):
        plots.over_time(model.topics_, Corpus(corpus.documents, corpus.words))
    with pytest.raises(OptionError, match="no model"):
        plots.over_time(TopicTree(model.topics_.roots), corpus)


def test_without_matplotlib(learned: tuple[HLTA, Corpus], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OptionError, match=r"hlta\[plots\]"):
        plots.icicle(learned[0].topics_)


def test_hues_are_those_of_the_page() -> None:
    style = Path(__file__).parents[1] / "explorer" / "src" / "style.css"
    found = re.findall(r"--branch-\d: var\(--light, (#\w{6})\)", style.read_text(encoding="utf-8"))
    assert tuple(found) == plots._HUES
