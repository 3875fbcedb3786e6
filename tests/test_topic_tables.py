"""Topics as tables, the documents on them, and the search for them."""

import csv
import io
import sys
from copy import copy
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
import polars as pl
import pytest

from hlta import HLTA, Corpus, DocumentsError, OptionError, TopicTree
from hlta.topics import divisions
from hlta.topics.divisions import wilson
from hlta.topics.tables import COLUMNS
from tests.synthetic import planted

N = 600
Fit = tuple[HLTA, Corpus]


@pytest.fixture(scope="module")
def learned() -> Fit:
    """Documents of five years and three groups; some have neither, and some are in two groups."""
    X = planted(90, 3).sample(N, seed=1)
    words = [f"w{k}" for k in range(90)]
    dates = ["" if k % 50 == 0 else f"{1990 + k % 5}-0{1 + k % 2}" for k in range(N)]
    groups = ["" if k % 70 == 0 else "abc"[k % 3] + "\nb" * (k % 9 == 2) for k in range(N)]
    corpus = Corpus(X, words, dates=dates, groups=groups)
    return HLTA(max_top_topics=4, samples=5).fit(corpus), corpus


def test_frames_and_csv_have_a_row_per_topic(learned: Fit, tmp_path: Path) -> None:
    topics = learned[0].topics_
    frame = topics.to_polars()
    assert frame.columns == list(COLUMNS)
    for name in ("id", "title", "documents", "stability", "contrast", "mark"):
        assert frame[name].to_list() == [getattr(topic, name) for topic in topics]
    sure = [[f"{word.stability:.2f}" for word in topic.keywords] for topic in topics]
    assert frame["word_stability"].str.split(" ").to_list() == sure
    parents = [None if topic.parent is None else topic.parent.id for topic in topics]
    assert frame["parent"].to_list() == parents
    assert pl.DataFrame(topics.flat([]).to_polars()).is_empty()
    text = topics.to_csv(tmp_path / "topics.csv")
    assert (tmp_path / "topics.csv").read_text() == text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["title"] for row in rows] == frame["title"].to_list()
    sizes = [float(row["size"]) for row in rows]
    assert sizes == pytest.approx(frame["size"].to_list(), abs=1e-6)
    bare = TopicTree.from_tree(learned[0].tree_).to_csv().splitlines()[1].split(",")
    assert bare[-7:-3] == [""] * 4  # documents, stability, contrast and mark


def test_pandas_frames(learned: Fit, monkeypatch: pytest.MonkeyPatch) -> None:
    topics = learned[0].topics_
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "pandas", None)
        with pytest.raises(OptionError, match="needs pandas"):
            topics.to_pandas()
    pytest.importorskip("pandas")
    assert topics.to_pandas()["id"].tolist() == [topic.id for topic in topics]


# ---- main topics -----------------------------------------------------------------------------------


def way_down(model: HLTA, shares: np.ndarray) -> list[str]:
    """From the roots downwards, the topics with the largest shares, as long as these are a fifth."""
    place = {topic.id: k for k, topic in enumerate(model.topics_)}
    way: list[str] = []
    family = model.topics_.roots
    while family:
        best = max(family, key=lambda topic: shares[place[topic.id]])
        if shares[place[best.id]] < 0.2:
            break
        way.append(best.id)
        family = best.children
    return way


def test_a_table_has_the_main_topics_of_every_document(learned: Fit) -> None:
    model, corpus = learned
    shares = model.transform(corpus)
    place = {topic.id: k for k, topic in enumerate(model.topics_)}
    levels = sorted({topic.level for topic in model.topics_}, reverse=True)
    table = model.main_table(corpus)
    per_level = (f"{name}_{level}" for level in levels for name in ("topic", "title", "share"))
    assert table.columns == ["document", *per_level]
    assert table["document"].to_list() == list(range(N))
    ids = {level: [topic.id for topic in model.topics_.level(level)] for level in levels}
    for k, row in enumerate(table.iter_rows(named=True)):
        way = way_down(model, shares[k])
        for level in levels:
            main = next((topic for topic in way if topic in ids[level]), None)
            assert row[f"topic_{level}"] == main
            if main is None:
                assert row[f"title_{level}"] is row[f"share_{level}"] is None
            else:
                assert row[f"title_{level}"] == model.topics_[main].title
                assert row[f"share_{level}"] == shares[k, place[main]]
    assert table[f"topic_{levels[-1]}"].null_count() > 0  # none has a fifth of these documents
    assert (table["topic_3"] == table["topic_2"]).any()  # a topic stands where it has none below
    for topic in model.topics_:
        assert topic.main_documents == (table[f"topic_{topic.level}"] == topic.id).sum()
    for level in levels:
        predicted = model.predict(corpus, topics=model.topics_.level(level))
        named = [None if k < 0 else ids[level][k] for k in predicted]
        assert table[f"topic_{level}"].to_list() == named


def test_a_document_that_is_unknown_has_no_main_topic(learned: Fit) -> None:
    model, corpus = learned
    some = corpus.take(np.arange(3))
    X = np.vstack([some.documents.to_csr().toarray(), np.zeros((2, 90), dtype=int)])
    table = model.main_table(Corpus(X, corpus.words, ids=[f"d{k}" for k in range(5)]))
    assert table["document"].to_list() == [f"d{k}" for k in range(5)]
    assert table.head(3).drop("document").equals(model.main_table(some).drop("document"))
    nothing = table.tail(2).drop("document")
    assert all(column.null_count() == 2 for column in nothing)
    alone = model.main_table(np.zeros((2, 90), dtype=int))
    assert alone.drop("document").equals(nothing)
    assert alone.schema == model.main_table(some.documents).schema


def test_a_flat_model_has_one_main_topic(learned: Fit) -> None:
    corpus = learned[1]
    model = HLTA(max_top_topics=4, samples=5, n_topics=6).fit(corpus)
    table, shares = model.main_table(corpus), model.transform(corpus)
    assert table.columns == ["document", "topic", "title", "share"]
    np.testing.assert_allclose(shares.sum(axis=1), corpus.documents.lengths > 0)
    predicted = model.predict(corpus, topics=model.topics_)
    ids = [topic.id for topic in model.topics_]
    assert table["topic"].to_list() == [None if k < 0 else ids[k] for k in predicted]
    mainly = np.bincount(predicted[predicted >= 0], minlength=len(ids))
    assert [topic.main_documents for topic in model.topics_] == mainly.tolist()


# ---- over time and by group ------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:left out")
def test_shares_over_time_and_by_group_are_means(learned: Fit) -> None:
    model, corpus = learned
    shares = model.transform(corpus)
    years = np.array([date[:4] for date in corpus.dates or ()])
    every = np.ones(N, dtype=bool)
    lacking = "left out: 19 of 600 documents, with no date that gives the year or no group"
    with pytest.warns(UserWarning, match=lacking):
        crossed = model.topics_.over_time(corpus, by_group=True, unit="year")
    groups = model.topics_.by_group(corpus)
    assert len(crossed) == 5 * 3 * len(model.topics_)
    assert groups["group"].unique(maintain_order=True).to_list() == ["b", "a", "c"]
    place = {topic.id: k for k, topic in enumerate(model.topics_)}
    for row in (*crossed.iter_rows(named=True), *groups.iter_rows(named=True)):
        of_period = years == row["period"] if "period" in row else every
        members = of_period & [row["group"] in group.split("\n") for group in corpus.groups or ()]
        of_topic = shares[members, place[row["topic"]]]
        assert row["share"] == pytest.approx(of_topic.mean())
        assert row["on_topic"] == (of_topic >= 0.2).sum()
        assert row["documents"] == members.sum()
        assert row["low"] <= row["share"] <= row["high"]


@pytest.mark.filterwarnings("ignore:left out")
def test_only_the_largest_groups_are_compared_and_a_warning_says_so(
    learned: Fit, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, corpus = learned
    monkeypatch.setattr(divisions, "_MOST_GROUPS", 2)
    for tabulate in (model.topics_.by_group, partial(model.topics_.over_time, by_group=True)):
        with pytest.warns(UserWarning, match="only the 2 largest of 3 groups are compared"):
            assert set(tabulate(corpus)["group"]) == {"b", "a"}


@pytest.mark.filterwarnings("ignore:left out")
def test_periods_are_as_fine_as_wanted_and_what_has_none_is_refused(learned: Fit) -> None:
    model, corpus = learned
    first = model.topics_.roots[:1]
    with pytest.warns(
        UserWarning, match="left out: 12 of 600 documents, with no date that gives the"
    ):
        months = model.topics_.over_time(corpus, topics=first, unit="month")["period"].to_list()
    assert months[:2] == ["1990-01", "1990-02"]
    years = model.topics_.over_time(corpus, topics=first)["period"].to_list()
    assert years == [str(year) for year in range(1990, 1995)]
    with pytest.raises(DocumentsError, match="use unit='month'"):
        model.topics_.over_time(corpus, unit="day")
    with pytest.raises(OptionError, match="unit='weeks'"):
        model.topics_.over_time(corpus, unit="weeks")
    quarters = model.topics_.over_time(corpus, topics=first, unit="quarter")["period"].to_list()
    assert quarters[:2] == ["1990-Q1", "1991-Q1"]  # empty parts have no rows
    bare = Corpus(corpus.documents, corpus.words)
    with pytest.raises(DocumentsError, match="give documents with dates"):
        model.topics_.over_time(bare)
    with pytest.raises(DocumentsError, match="give documents with groups"):
        model.topics_.by_group(bare)
    topics, texts = model.topics_, cast("Corpus", ["deep neural networks"])
    for ask in (
        lambda: topics.over_time(texts),
        lambda: topics.by_group(texts),
        lambda: topics.to_html(corpus=texts),
    ):
        with pytest.raises(OptionError, match="corpus is of type list; use a Corpus"):
            ask()


def test_intervals_hold_the_true_share_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    for share, count in ((0.05, 40), (0.3, 25), (0.5, 200)):
        drawn = rng.binomial(count, share, 4000) / count
        low, high = wilson(drawn, np.array(count))
        assert ((low <= share) & (share <= high)).mean() == pytest.approx(0.95, abs=0.03)
    low, high = wilson(np.array([0.0, 1.0]), np.array([10, 10]))
    assert low[0] == 0.0
    assert high[1] == pytest.approx(1.0)
    assert 0.2 < high[0] < 0.35


# ---- documents -------------------------------------------------------------------------------------


def test_documents_of_a_topic_have_the_largest_shares(learned: Fit) -> None:
    model, corpus = learned
    topic = model.topics_.roots[0]
    shares = model.transform(corpus, topics=[topic])[:, 0]
    found = model.documents(topic.id, corpus, n=7)
    assert found.rows.tolist() == np.argsort(-shares, kind="stable")[:7].tolist()
    assert found.shares.tolist() == shares[found.rows].tolist()
    framed = copy(model).set_output(transform="polars")
    assert framed.documents(topic, corpus, n=7).rows.tolist() == found.rows.tolist()
    with pytest.raises(OptionError, match="n=0"):
        model.documents(topic, corpus, n=0)


def test_shares_from_the_threshold_on_are_listed(learned: Fit) -> None:
    model, corpus = learned
    chosen = model.topics_.roots[:3]
    shares = model.transform(corpus, topics=chosen)
    rows, columns = np.nonzero(shares >= 0.3)
    named = Corpus(corpus.documents, corpus.words, ids=map("d{}".format, range(N)))
    for given, names in ((corpus.documents, rows.tolist()), (named, [f"d{row}" for row in rows])):
        table = model.share_table(given, topics=chosen, least=0.3)
        assert table["document"].to_list() == names
        for name in ("id", "title", "level"):
            expected = [getattr(chosen[k], name) for k in columns]
            assert table["topic" if name == "id" else name].to_list() == expected
        assert table["share"].to_list() == shares[rows, columns].tolist()
    of_all = model.transform(corpus)
    usual, every, none = (model.share_table(corpus, least=least) for least in (0.2, 0.0, 1.0))
    assert len(usual) == (of_all >= 0.2).sum()
    assert len(every) == (of_all > 0.0).sum() < of_all.size  # there are documents without words
    assert none.is_empty()
    assert none.schema == usual.schema
    with pytest.raises(OptionError, match="least=2"):
        model.share_table(corpus, least=2)


def slow_typical(X: np.ndarray, shares: np.ndarray, n: int) -> list[int]:
    """Document by document, against the mean of all; copies of earlier ones are passed over."""
    rarity = np.log(len(X) / np.maximum(X.sum(axis=0), 1))
    squared = [float(((row * rarity) ** 2).sum()) for row in X]
    vectors = [row * rarity / (own + np.mean(squared)) for row, own in zip(X, squared, strict=True)]
    rows = [d for d in range(len(X)) if shares[d] >= 0.2]
    contrast = np.average([vectors[d] for d in rows], axis=0, weights=shares[rows])
    contrast -= np.mean(vectors, axis=0)
    chosen: list[int] = []
    for d in sorted(rows, key=lambda d: -round(float(vectors[d] @ contrast), 14)):
        if len(chosen) < n and not any(
            (X[d] & X[e]).sum() >= 0.8 * (X[d] | X[e]).sum() for e in chosen
        ):
            chosen.append(d)
    return chosen


def test_representative_documents_are_typical_and_no_copies(learned: Fit) -> None:
    model, corpus = learned
    repeated = corpus.take(np.repeat(np.arange(0, N, 2), 2))
    topic = model.topics_.roots[0]
    shares = model.transform(repeated, topics=[topic])[:, 0]
    found = model.representative_documents(topic, repeated, n=8)
    X = repeated.documents.to_csr().toarray()
    assert found.rows.tolist() == slow_typical(X, shares, 8)
    assert found.shares.tolist() == shares[found.rows].tolist()
    assert len({X[row].tobytes() for row in found.rows}) == 8
    assert not len(model.representative_documents(topic, np.zeros((3, 90)), n=2).rows)


def test_a_search_finds_words_titles_and_inflections() -> None:
    texts = ["deep neural networks learn", "stars and galaxies shine", "ripe apples and pears"]
    topics = HLTA(samples=1).fit(texts * 20).topics_
    best = {query: topics.search(query)[0].words for query in ("network", "galaxy", "APPLES pear")}
    assert "networks" in best["network"]
    assert "galaxies" in best["galaxy"]
    assert "pears" in best["APPLES pear"]
    assert topics.search("zebra") == topics.search("  ") == []
    # No topic has both words: those with one are found.
    assert topics.search("galaxy zebra") == topics.search("galaxy")
    with pytest.raises(OptionError, match="no model attached"):
        TopicTree(topics.roots).search("galaxy")
    with pytest.raises(OptionError, match="query=5: use words"):
        topics.search(5)  # type: ignore[arg-type]
