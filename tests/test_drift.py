"""Drift: tests of many differences, and reports of what changed, or of nothing."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlta import HLTA, Corpus, read_corpus
from hlta.drift.changes import (
    Misfit,
    difference,
    discoveries,
    interval,
    misfits,
    sums_over,
    two_sided,
)
from hlta.drift.report import Drift
from hlta.drift.themes import Theme, new_themes, risen
from hlta.tree.independence import evidence_against
from tests.conftest import DEMO
from tests.strategies import Case, ordinary, trees, with_documents
from tests.synthetic import planted
from tests.trees import flat_tree

WORDS = [f"w{k}" for k in range(60)]


# ---- many differences at once --------------------------------------------------------------------


@given(st.lists(st.floats(0.0, 1.0), max_size=12), st.floats(0.001, 0.5))
def test_discoveries_are_those_of_benjamini_and_hochberg(values: list[float], rate: float) -> None:
    p = np.array(values)
    found = discoveries(p, rate)
    ordered = sorted(values)
    last = max((k for k, v in enumerate(ordered, 1) if v <= rate * k / len(values)), default=0)
    assert sorted(p[found]) == ordered[:last]
    assert (np.diff(p[found]) >= 0.0).all()


def test_differences_of_equal_shares_are_of_size_one() -> None:
    rng = np.random.default_rng(0)
    for share in (0.02, 0.3, 0.9):
        one, other = (rng.binomial(n, share, 20_000) / n for n in (2000, 500))
        z = difference(one, other, 2000, 500)
        assert z.mean() == pytest.approx(0.0, abs=0.1)
        assert z.std() == pytest.approx(1.0, abs=0.05)
        assert (two_sided(z) < 0.01).mean() == pytest.approx(0.01, abs=0.004)


def test_intervals_hold_the_share_as_often_as_they_say() -> None:
    shares = np.random.default_rng(0).binomial(300, 0.1, 4000) / 300
    held = [low <= 0.1 <= high for low, high in (interval(share, 300) for share in shares)]
    assert np.mean(held) == pytest.approx(0.95, abs=0.02)


# ---- what is summed up and tested ----------------------------------------------------------------


@given(with_documents(trees()))
def test_sums_are_those_of_posteriors(pair: Case) -> None:
    tree, rows = pair
    corpus = Corpus(rows, tree.words)
    sums = sums_over(tree, corpus.documents)
    on = tree.posteriors(rows).dense()
    np.testing.assert_allclose(sums.latent, on.sum(axis=0), rtol=1e-9)
    parents = on[:, tree.parent[: tree.n_words] - tree.n_words]
    np.testing.assert_allclose(sums.present, (parents * rows).sum(axis=0), rtol=1e-9, atol=1e-12)


@given(with_documents(trees(probability=ordinary)))
def test_evidence_is_over_independent_words(pair: Case) -> None:
    tree, rows = pair
    share = tree.marginals[: tree.n_words]
    independent = np.log(np.where(rows, share, 1.0 - share)).sum(axis=1)
    found = evidence_against(tree, Corpus(rows, tree.words).documents)
    np.testing.assert_allclose(found, independent - tree.log_likelihood(rows), rtol=1e-7, atol=1e-9)


def test_evidence_is_a_p_value_for_documents_of_the_tree() -> None:
    tree = planted(60)
    documents = Corpus(tree.sample(20_000, seed=0), WORDS).documents
    evidence = evidence_against(tree, documents)
    for x in (1.0, 2.0, 4.0):
        assert (evidence >= x).mean() <= np.exp(-x)
    assert misfits(evidence, 0.0, 0.0125) == []
    worst = np.append(evidence, [40.0, 30.0])
    assert [one.row for one in misfits(worst, 0.0, 0.0125)] == [20_000, 20_001]
    assert misfits(worst, 35.0, 0.0125) == []


def test_words_that_rise_together_are_a_theme() -> None:
    rng = np.random.default_rng(0)
    rows = rng.random((1000, 12)) < 0.05
    rows[:60, :4] |= rng.random((60, 4)) < 0.7
    words = [f"x{k}" for k in range(12)]
    tree = flat_tree(words[6:], [(0.9, [0.05] * 6), (0.1, [0.06] * 6)])

    def found(rows: NDArray[np.bool_]) -> list[Theme]:
        order = [*range(6, 12), *range(6)]  # the words of the tree come first
        documents = Corpus(rows[:, order], [words[k] for k in order]).documents
        more = risen(documents, np.full(12, 0.05), 2e3, 0.0125)
        return new_themes(tree, documents, [words[k] for k in order], more, 0.0125)

    (theme,) = found(rows)
    assert set(theme.words) == {"x0", "x1", "x2", "x3"}
    assert len(set(theme.rows).intersection(range(60))) >= 50
    apart = rows.copy()
    for k in range(4):
        apart[:, k] = rng.permutation(apart[:, k])
    assert found(apart) == []


def test_a_topic_that_grows_is_no_new_theme() -> None:
    words = ("a", "b", "c", "d")
    tree = flat_tree(words, [(0.9, [0.02] * 4), (0.1, [0.7] * 4)])
    grown = flat_tree(words, [(0.75, [0.02] * 4), (0.25, [0.7] * 4)])
    documents = Corpus(grown.sample(2000, seed=0), words).documents
    more = risen(documents, tree.marginals[:4], 5000.0, 0.0125)
    assert new_themes(tree, documents, words, more, 0.0125) == []
    apart = flat_tree(words, [(0.9, [0.09] * 4), (0.1, [0.09] * 4)])
    more = risen(documents, apart.marginals[:4], 5000.0, 0.0125)
    (theme,) = new_themes(apart, documents, words, more, 0.0125)
    assert set(theme.words) == set(words)


# ---- reports -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("drift") / "model.hlta"
    HLTA(samples=1, lowest_level=1).fit(Corpus(planted(60).sample(3000, seed=0), WORDS)).save(path)
    return path


@pytest.mark.parametrize("seed", range(1, 4))
def test_nothing_is_reported_of_documents_like_those_before(learned: Path, seed: int) -> None:
    drift = HLTA.load(learned).partial_fit(planted(60).sample(1500, seed=seed)).drift_
    assert not drift
    assert str(drift) == "1,500 new documents do not differ from the earlier ones."


def test_a_topic_that_vanishes_and_one_that_grows_are_reported(learned: Path) -> None:
    source = planted(60)
    lowest = np.flatnonzero(source.level == 1)
    values = source.probability.copy()
    values[lowest[0]], values[lowest[3]] = 1e-3, np.minimum(3.0 * values[lowest[3]], 0.98)
    changed = source.with_probability(values)
    model = HLTA.load(learned)
    topics = {topic.id: set(topic.words) for topic in model.topics_}
    drift = model.partial_fit(changed.sample(1500, seed=5)).drift_
    for node, rises in ((lowest[0], False), (lowest[3], True)):
        own = {source.words[v] for v in np.flatnonzero(source.parent == node)}
        found = [t for t in drift.topics if topics[t.topic] <= own]
        assert [change.after > change.before for change in found] == [rises]
        assert all(change.low <= change.after <= change.high for change in found)


def test_a_new_theme_is_reported_with_unknown_words(learned: Path) -> None:
    rng = np.random.default_rng(0)
    known = planted(60).sample(1500, seed=6).toarray()
    new = (rng.random((1500, 1)) < 0.5) & (rng.random((1500, 4)) < 0.9)
    corpus = Corpus(np.hstack((known, new)), [*WORDS, "a", "b", "c", "d"])
    drift = HLTA.load(learned).partial_fit(corpus).drift_
    (theme,) = drift.themes
    assert set(theme.words) == set("abcd")
    assert drift.unknown_words == {w: new[:, "abcd".index(w)].sum() for w in drift.unknown_words}
    assert list(drift.unknown_words.values()) == sorted(drift.unknown_words.values(), reverse=True)
    assert "New themes:" in drift.to_text()
    assert json.loads(json.dumps(drift.to_dict()))["themes"][0]["words"] == list(theme.words)


def test_a_word_that_leaves_its_topic_is_reported(learned: Path) -> None:
    rows = planted(60).sample(1500, seed=7).toarray()
    rows[:, 5] = 0
    model = HLTA.load(learned)
    (change,) = model.partial_fit(rows).drift_.words
    assert (change.word, change.after) == ("w5", 0.0)
    assert change.topic == model.tree_.names[model.tree_.parent[5]]


def test_abstracts_like_the_earlier_ones_are_hardly_ever_reported() -> None:
    """Most words of so few are rare: what they say by chance is no evidence."""
    texts = np.array(read_corpus(DEMO, text="abstract").texts, dtype=object)
    reported = []
    for run in range(10):
        order = np.random.default_rng(run).permutation(len(texts))
        model = HLTA(samples=1).fit(texts[order[:600]])
        drift = model.partial_fit(texts[order[600:1200]]).drift_
        reported.append(bool(drift) or bool(drift.new_words))
    assert sum(reported) <= 1


def test_a_long_report_is_cut_and_counted(learned: Path) -> None:
    rows = planted(60).sample(1500, seed=7).toarray()[:, ::-1]
    drift = HLTA.load(learned).partial_fit(rows).drift_
    assert len(drift.topics) > 2
    shown = drift.to_text(1, ids=[f"id{k}" for k in range(1500)])
    assert "more\n" in shown
    assert len(shown.splitlines()) < len(drift.to_text(100).splitlines())
    assert repr(drift).startswith("Drift(1,500 documents: ")


def test_one_document_does_not_differ() -> None:
    drift = Drift(1, (), (), (), (), {}, ())
    assert str(drift) == "1 new document does not differ from the earlier ones."
    assert str(replace(drift, misfits=(Misfit(0, 1.5),))).startswith("1 new document differs from")
