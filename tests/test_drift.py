"""Drift: tests of many differences, and reports of what changed, or of nothing."""

from copy import copy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import HLTA, Corpus, read_corpus
from hlta.drift import Drift, difference, discoveries, interval, two_sided
from tests.conftest import DEMO
from tests.synthetic import planted

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


def test_new_words_are_reported(learned: Path) -> None:
    rng = np.random.default_rng(0)
    known = planted(60).sample(1500, seed=6).toarray()
    new = (rng.random((1500, 1)) < 0.5) & (rng.random((1500, 4)) < 0.9)
    corpus = Corpus(np.hstack((known, new)), [*WORDS, "a", "b", "c", "d"])
    drift = HLTA.load(learned).partial_fit(corpus).drift_
    assert set(drift.new_words) == set("abcd")
    assert drift.unknown_words == {w: new[:, "abcd".index(w)].sum() for w in drift.unknown_words}
    assert list(drift.unknown_words.values()) == sorted(drift.unknown_words.values(), reverse=True)
    assert "New words, which the model lacks:" in str(drift)


def test_abstracts_like_the_earlier_ones_are_hardly_ever_reported() -> None:
    texts = np.array(read_corpus(DEMO, text="abstract").texts, dtype=object)
    reported = 0
    for run in range(5):
        order = np.random.default_rng(run).permutation(len(texts))
        model = HLTA(samples=1).fit(texts[order[:600]])
        for new in (order[600:1200], order[1200:1800]):
            reported += bool(copy(model).partial_fit(texts[new]).drift_)
    assert reported <= 1


def test_a_long_report_is_cut_and_counted(learned: Path) -> None:
    rows = planted(60).sample(1500, seed=7).toarray()[:, ::-1]
    drift = HLTA.load(learned).partial_fit(rows).drift_
    assert len(drift.topics) > 2
    shown = drift.to_text(1)
    assert " more" in shown
    assert len(shown.splitlines()) < len(drift.to_text(100).splitlines())
    assert repr(drift).startswith("Drift(1,500 documents: ")


def test_one_document_does_not_differ() -> None:
    assert str(Drift(1, (), {}, ())) == "1 new document does not differ from the earlier ones."
    assert str(Drift(1, (), {"new": 1}, ("new",))).startswith("1 new document differs from")
