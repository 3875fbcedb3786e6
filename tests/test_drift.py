"""Drift: tests of many differences, and reports of what changed, or of nothing."""

from copy import copy, deepcopy
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from hlta import HLTA, Corpus, TextOptions, read_corpus
from hlta.drift import Drift, difference, discoveries, interval, tail, two_sided
from tests.conftest import DEMO
from tests.synthetic import planted

WORDS = [f"w{k}" for k in range(60)]


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


@given(st.integers(0, 50), st.integers(0, 50), st.floats(0.01, 0.99), st.integers(1, 5))
def test_tails_are_those_of_words_frequent_enough_to_be_tested(
    earlier: int, more: int, chance: float, least: int
) -> None:
    new, trials = least + more, earlier + least + more
    expected = binom.sf(new - 1, trials, chance) / binom.sf(least - 1, trials, chance)
    found = tail(np.array([float(earlier)]), np.array([float(new)]), chance, least)
    assert found[0] == pytest.approx(expected, rel=1e-6)

    assert tail(np.array([0.0]), np.array([200.0]), 0.01, 200).tolist() == [1.0]  # the fewest


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("drift") / "model.hlta"
    HLTA(samples=1, lowest_level=1).fit(Corpus(planted(60).sample(3000, seed=0), WORDS)).save(path)
    return path


@pytest.mark.parametrize("seed", range(1, 4))
def test_nothing_is_reported_of_documents_like_those_before(learned: Path, seed: int) -> None:
    drift = HLTA.load(learned).partial_fit(planted(60).sample(1500, seed=seed)).drift_
    assert not drift
    assert (
        str(drift) == "No significant difference between 1,500 new documents and the earlier ones."
    )


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


@pytest.mark.slow
def test_abstracts_like_the_earlier_ones_are_hardly_ever_reported() -> None:
    texts = np.array(read_corpus(DEMO, text="abstract").texts, dtype=object)
    reported = 0
    for run in range(5):
        order = np.random.default_rng(run).permutation(len(texts))
        model = HLTA(samples=1).fit(texts[order[:600]])
        for new in (order[600:1200], order[1200:1800]):
            reported += bool(copy(model).partial_fit(texts[new]).drift_)
    assert reported <= 1


CONSONANTS = "bcdfghjklmnpqrstvwxz"
RARE = ["".join(four) for four in product(CONSONANTS, "aeiou", CONSONANTS, CONSONANTS[:10])]
SUBJECTS = [[f"{kind}{a}{b}" for a in "xyz" for b in "aeiou"] for kind in ("deep", "dark", "apple")]


def texts_of_rare_words(
    count: int, rng: np.random.Generator, shares: tuple[float, ...] = (0.4, 0.3, 0.3)
) -> list[str]:
    """Texts of one subject each, and of words that follow Zipf's law: most words of a batch are rare."""
    chances = 1.0 / np.arange(20, len(RARE) + 20)
    subjects = [SUBJECTS[k] for k in rng.choice(len(SUBJECTS), count, p=shares)]
    return [
        " ".join((*rng.choice(RARE, 20, p=chances / chances.sum()), *rng.choice(subject, 8)))
        for subject in subjects
    ]


@pytest.fixture(scope="module")
def of_rare_words() -> HLTA:
    return HLTA(samples=1).fit(texts_of_rare_words(1000, np.random.default_rng(0)))


@pytest.mark.slow
@pytest.mark.parametrize("size", [20, 50, 200])
def test_among_rare_words_only_news_are_reported(of_rare_words: HLTA, size: int) -> None:
    def drift(texts: list[str]) -> Drift:
        return copy(of_rare_words).partial_fit(texts).drift_

    rng = np.random.default_rng(size)
    drifts = [drift(texts_of_rare_words(size, rng)) for _ in range(20)]
    assert any(one.unknown_words for one in drifts)
    assert sum(map(bool, drifts)) <= 1
    texts = texts_of_rare_words(size, np.random.default_rng(size), (1.0, 0.0, 0.0))
    often = 5 + size // 25  # the fit allows a quarter of the documents
    found = drift([f"{text} quantum" if k < often else text for k, text in enumerate(texts)])
    assert found.new_words == ("quantum",)
    assert found.unknown_words["quantum"] == often
    assert any(change.after > change.before for change in found.topics)


def test_a_word_in_many_new_documents_is_reported() -> None:
    texts = texts_of_rare_words(200, np.random.default_rng(1))
    new = [f"{text} quantum" if k % 5 < 2 else text for k, text in enumerate(texts)]
    model = HLTA(samples=1, text=TextOptions(max_df=0.5)).fit(texts)
    assert model.partial_fit(new).drift_.new_words == ("quantum",)


def test_a_word_of_one_long_document_is_in_one_document(of_rare_words: HLTA) -> None:
    rng = np.random.default_rng(2)
    parts = texts_of_rare_words(100, rng)
    long = " ".join(f"{text} quantum" if k < 50 else text for k, text in enumerate(parts))
    texts = [long, *[f"{text} qubit" for text in texts_of_rare_words(2, rng)]]
    corpus = Corpus.from_texts(texts, min_df=1)
    assert len(corpus.units) > 6
    drift = copy(of_rare_words).partial_fit([*texts, *texts_of_rare_words(17, rng)]).drift_
    assert drift.unknown_words["qubit"] == 2
    assert "quantum" not in drift.unknown_words  # as too rare
    assert not drift.new_words


def test_how_frequent_a_word_may_be_is_counted_in_sections(of_rare_words: HLTA) -> None:
    rng = np.random.default_rng(5)
    long = [" ".join(texts_of_rare_words(100, rng)) for _ in range(20)]
    texts = [f"{text} quantum" if k < 8 else text for k, text in enumerate(long)]
    drift = copy(of_rare_words).partial_fit(texts).drift_
    assert drift.unknown_words["quantum"] == 8  # in 2 of 5 documents, but in few of their sections


def test_a_text_counts_once_in_words_and_the_report_says_so(of_rare_words: HLTA) -> None:
    copied, *others = texts_of_rare_words(20, np.random.default_rng(3))
    drift = copy(of_rare_words).partial_fit([*others, *[f"{copied} quantum"] * 21]).drift_
    assert (drift.n_documents, drift.n_repeats) == (20, 20)
    assert "quantum" not in drift.unknown_words
    assert "20 new documents, 20 repeats aside," in str(drift)
    assert drift.to_dict()["repeats"] == 20


def test_a_split_does_not_make_words_new(of_rare_words: HLTA) -> None:
    model, rng = deepcopy(of_rare_words), np.random.default_rng(4)
    texts = texts_of_rare_words(400, rng)
    times = {a + b: k for k, (a, b) in enumerate(product("qx", "abcdefghi"), 1)}
    new = [
        " ".join((text, *(f"news{word}" for word, often in times.items() if k < often)))
        for k, text in enumerate(texts)
    ]
    rarest = model.tree_.marginals[: model.tree_.n_words].min()
    below = np.bincount(model.tree_.parent[model.tree_.parent >= 0])
    model.edit.split(model.tree_.names[int(below.argmax())], texts_of_rare_words(1000, rng))
    assert model.tree_.marginals[: model.tree_.n_words].min() != rarest
    split, whole = (one.partial_fit(new).drift_ for one in (model, copy(of_rare_words)))
    assert 0 < len(split.new_words) < len(times)
    assert split.new_words == whole.new_words


def test_a_long_report_is_cut_and_counted(learned: Path) -> None:
    rows = planted(60).sample(1500, seed=7).toarray()[:, ::-1]
    drift = HLTA.load(learned).partial_fit(rows).drift_
    assert len(drift.topics) > 2
    shown = drift.to_text(1)
    assert " more" in shown
    assert len(shown.splitlines()) < len(drift.to_text(100).splitlines())
    assert repr(drift).startswith("Drift(1,500 documents: ")


def test_one_document_does_not_differ() -> None:
    assert (
        str(Drift(1, (), {}, ()))
        == "No significant difference between 1 new document and the earlier ones."
    )
    assert str(Drift(1, (), {"new": 1}, ("new",))).startswith("1 new document differs from")
