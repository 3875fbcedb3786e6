"""Still pictures: what is drawn is what the topics are."""

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from hlta import HLTA, Corpus, DocumentsError, OptionError, TopicTree
from tests.synthetic import planted

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.patches import Rectangle  # noqa: E402

from hlta import plots  # noqa: E402


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


def test_areas_are_in_proportion_to_sizes_and_labelled(learned: tuple[HLTA, Corpus]) -> None:
    topics = learned[0].topics_
    ax = plots.icicle(topics, depth=2, n_words=2)
    ax.figure.canvas.draw()
    areas = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    total = sum(root.size for root in topics.roots)
    roots = [area.get_height() for area in areas if area.get_x() == 0]
    assert roots == pytest.approx([root.size / total for root in topics.roots])
    children = [area for area in areas if area.get_x() == 1]
    assert len(children) == sum(len(root.children) for root in topics.roots)
    assert len(areas) == len(roots) + len(children)  # no deeper than asked for
    first = topics.roots[0]
    assert ax.texts[0].get_text() == f"{' '.join(first.named(2)).rstrip()}  {first.size:.0%}"


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


def test_over_time_refuses_what_it_cannot_draw(learned: tuple[HLTA, Corpus]) -> None:
    model, corpus = learned
    topics, bare = model.topics_, Corpus(corpus.documents, corpus.words)
    with pytest.raises(DocumentsError, match="dates"):
        plots.over_time(topics, bare)
    with pytest.raises(DocumentsError, match="groups"):
        plots.by_group(topics, bare)
    with pytest.raises(OptionError, match="no model attached"):
        plots.over_time(TopicTree(topics.roots), corpus)
    with pytest.raises(OptionError, match="only is empty"):
        plots.over_time(topics, corpus, only=[])
    with pytest.raises(KeyError, match="no topic 'Z9-9'"):
        plots.over_time(topics, corpus, only=["Z9-9"])
    with pytest.raises(OptionError, match="there are levels"):
        plots.sizes(topics, level=9)


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


def test_without_matplotlib(learned: tuple[HLTA, Corpus], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OptionError, match=r"hlta\[plots\]"):
        plots.icicle(learned[0].topics_)
