"""Shares: documents divided among topics as is likeliest; why a document is on a topic."""

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from hlta import HLTA, Corpus, DocumentsError, LatentTree, OptionError, TopicTree
from hlta.documents.given_matrices import as_documents
from hlta.topics import shares as module
from hlta.topics.reasons import Parts, reasons
from hlta.topics.shares import PRIOR_WORDS, Sharing
from hlta.topics.topic import Topic
from hlta.topics.word_counts import count_words
from tests.oracles import enumerate_joint
from tests.strategies import many_states, random_tree
from tests.synthetic import planted

TREE = planted(90, 1)
DOCUMENTS = as_documents(TREE.sample(400, seed=1))
COUNTS = count_words(TREE, DOCUMENTS)
CLOSE = 5e-3  # the kernel stops where a step of EM moves a ten-thousandth of a document


def sharing(lowest: int = 1) -> Sharing:
    return Sharing.of_tree(TREE, COUNTS, lowest)


def likeliest(
    words: NDArray[np.float64], mass: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The parts of a family's topics under which its words are likeliest, by a general solver."""

    def unlikely(x: NDArray[np.float64]) -> float:
        part = np.exp(x - x.max())
        part /= part.sum()
        return -float(mass @ np.log(words @ part) + prior @ np.log(part))

    best = minimize(unlikely, np.log(prior), method="BFGS", options={"gtol": 1e-9})
    part = np.exp(best.x - best.x.max())
    return np.asarray(part / part.sum())


def divided(sharing: Sharing, document: NDArray[np.intp]) -> NDArray[np.float64]:
    """The shares of topics in a document, from the roots downwards, as their definition says."""
    words = np.exp(module.STEP * sharing.codes[document].astype(np.float64))
    mass = np.ones((len(document), 1 + len(sharing.latents)))  # the last: of the whole document
    shares = np.zeros(len(sharing.latents))
    for begin, end, above in zip(*sharing.families, strict=True):
        own = words[:, begin:end]
        part = likeliest(own, mass[:, above], sharing.prior[begin:end])
        weight = own * part
        mass[:, begin:end] = mass[:, [above]] * weight / weight.sum(axis=1, keepdims=True)
        shares[begin:end] = mass[:, begin:end].mean(axis=0)
    return shares


@pytest.mark.parametrize("lowest", [1, 2])
def test_words_are_divided_so_that_they_are_likeliest(lowest: int) -> None:
    few = DOCUMENTS.take(np.flatnonzero(DOCUMENTS.lengths)[:25])
    by_kernel = sharing(lowest).shares(few)
    for k in range(len(few)):
        expected = divided(sharing(lowest), few[k : k + 1].indices.astype(np.intp))
        np.testing.assert_allclose(by_kernel[k], expected, atol=CLOSE)


def test_shares_of_a_family_add_up_to_that_of_the_topic_above() -> None:
    has_words = (DOCUMENTS.lengths > 0).astype(float)
    for counts in (COUNTS, None):
        shared = Sharing.of_tree(TREE, counts, 1)
        shares = shared.shares(DOCUMENTS)
        for above in np.unique(shared.above).tolist():
            whole = shares[:, above] if above >= 0 else has_words
            found = shares[:, shared.above == above].sum(axis=1)
            np.testing.assert_allclose(found, whole, atol=1e-12)
    among = Sharing(TREE, COUNTS, [[3, 5, 8]])
    assert among.latents.tolist() == [3, 5, 8]
    np.testing.assert_allclose(among.shares(DOCUMENTS).sum(axis=1), has_words, atol=1e-12)
    assert among.prior.sum() == pytest.approx(PRIOR_WORDS)


def test_documents_without_words_have_no_shares_and_no_bit_depends_on_threads_or_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = as_documents(np.zeros((2, TREE.n_words), dtype=int))
    assert not sharing().shares(nothing).any()
    assert not sharing().are_main(sharing().shares(nothing)).any()
    single = as_documents(np.eye(TREE.n_words, dtype=int))
    shares = sharing().shares(single)
    np.testing.assert_allclose(shares[:, sharing().above < 0].sum(axis=1), 1.0)
    assert sharing().shares(nothing.take(np.arange(0))).shape == (0, TREE.n_latents)
    one = sharing().shares(DOCUMENTS)
    monkeypatch.setattr(module, "GRAIN", 50)
    np.testing.assert_array_equal(one, sharing().shares(DOCUMENTS))


@pytest.fixture(scope="module", name="corpus")
def planted_corpus() -> Corpus:
    tree = planted(120, 1)
    return Corpus(tree.sample(1500, seed=1), tree.words)


@pytest.fixture(scope="module", name="model")
def learned(corpus: Corpus) -> HLTA:
    return HLTA(samples=3, em_steps=5).fit(corpus)


def test_a_topic_that_is_asked_for_has_its_share_however_often(model: HLTA, corpus: Corpus) -> None:
    one, other = model.topics_.roots[:2]
    once = model.transform(corpus, topics=[one, other])
    twice = model.transform(corpus, topics=[one, other, one])
    np.testing.assert_array_equal(twice, once[:, [0, 1, 0]])
    alone = model.transform(corpus, topics=[one])
    np.testing.assert_array_equal(
        alone[:, 0], model.transform(corpus, topics=model.topics_.roots)[:, 0]
    )


def test_what_has_no_main_topic_is_refused(model: HLTA, corpus: Corpus) -> None:
    root = next(topic for topic in model.topics_.roots if topic.children)
    overlapping = [root, root.children[0]]
    with pytest.raises(OptionError, match=f"{root.children[0].id} is below {root.id}"):
        model.predict(corpus, topics=overlapping)
    assert set(model.predict(corpus, topics=[])) == {-1}
    both = model.transform(corpus, topics=overlapping)
    assert (both[:, 1] <= both[:, 0] + 1e-12).all()
    tree = planted(120, 3)
    renamed = {"words": tuple(f"other {word}" for word in tree.words)}
    foreign = TopicTree.from_tree(LatentTree(**tree.fields._asdict() | renamed))["Z2-1"]
    odd: list[Any] = [foreign, "Z1-1"]
    for topic in odd:
        with pytest.raises(OptionError, match="topics"):
            model.transform(corpus, topics=[topic])


def log_odds(tree: LatentTree, latent: int, row: Any, unknown: Any) -> float:
    """The log-odds of a topic if nothing is known of some words, which are then no news."""
    word = tree.parameters.word.copy()
    word[unknown] = np.where(word[unknown] > 0, 0.5, 0.0)
    tree = tree.with_probability(tree.parameters._replace(word=word))
    p = float(enumerate_joint(tree, row).posterior(tree)[0, latent])
    return float(np.log(p) - np.log1p(-p))


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), most=st.integers(2, 4))
def test_every_word_says_what_enumeration_says(seed: int, most: int) -> None:
    tree = random_tree(seed, 5, 3)
    if most > 2:
        tree = many_states(tree, seed, most=most)
    row = np.random.default_rng(seed).random((1, 5)) < 0.4
    every = np.arange(5)
    for topic in TopicTree.from_tree(tree):
        latent = tree.latent_names.index(topic.id)
        found = reasons(tree, topic, as_documents(row.astype(np.int8), 5))
        known, nothing = log_odds(tree, latent, row, []), log_odds(tree, latent, row, every)
        assert found.probability == pytest.approx(1 / (1 + np.exp(-known)), rel=1e-9)
        shown = {reason.word for reason in found.words}
        has = {tree.words[k] for k in np.flatnonzero(row)}
        assert shown == has | set(topic.words)
        sizes = [abs(reason.alone) for reason in found.words]
        assert sizes == sorted(sizes, reverse=True)
        for word, present, alone, in_context in found.words:
            k = tree.words.index(word)
            assert present == row[0, k]
            assert in_context == pytest.approx(known - log_odds(tree, latent, row, [k]), abs=1e-7)
            others = np.delete(every, k)
            assert alone == pytest.approx(log_odds(tree, latent, row, others) - nothing, abs=1e-7)


@pytest.fixture(scope="module")
def galaxies(of_themes: HLTA) -> tuple[HLTA, Topic]:
    return of_themes, of_themes.topics_.search("galaxies")[0]


def test_an_id_is_as_good_as_its_topic_and_parts_are_told_as_text(
    galaxies: tuple[HLTA, Topic],
) -> None:
    model, topic = copy.deepcopy(galaxies[0]), galaxies[1]
    for kind in ("share", "probability"):
        one, other = (model.why(name, ["dark galaxies"], kind=kind) for name in (topic, topic.id))
        assert one == other
    model.edit.remove("matter")  # the topic is from before
    assert model.why(topic, ["dark galaxies"]) == model.why(topic.id, ["dark galaxies"])
    shown = str(Parts.of({"b": [0.25], "a": [0.5, 0.0], "c": [1.0, 0.75]}))
    assert shown == "50% of 3 words\n0.88 c\n0.25 a\n0.25 b"
    assert str(Parts.of({})) == "0% of 0 words"


@pytest.mark.parametrize("odd", ["Z9-9", "", None, 3])
def test_what_is_no_topic_is_refused(galaxies: tuple[HLTA, Topic], odd: Any) -> None:
    model, topic = galaxies
    for ask in (model.why, model.documents, model.representative_documents):
        with pytest.raises(OptionError, match=r"there is no topic .*; ids look like"):
            ask(odd, ["dark galaxies"])
    with pytest.raises(OptionError, match="give topics, such as model"):
        model.transform(["dark galaxies"], topics=[odd])
    with pytest.raises(OptionError, match="the tree has no latent variable 'Z9-9'"):
        model.why(replace(topic, id="Z9-9"), ["dark galaxies"])


def test_what_is_asked_oddly_is_refused_and_without_words_what_is_missing_said(
    galaxies: tuple[HLTA, Topic],
) -> None:
    model, topic = galaxies
    with pytest.raises(DocumentsError, match="one document, not 2"):
        model.why(topic, ["dark galaxies", "apples"])
    with pytest.raises(OptionError, match="kind='evidence': use one of 'share', 'probability'"):
        model.why(topic, ["dark galaxies"], kind="evidence")  # type: ignore[call-overload]
    parts = model.why(topic, ["zebras"])
    assert (parts.share, parts.words) == (0.0, ())
    found = model.why(topic, ["zebras"], kind="probability")
    assert found.probability < 0.5
    assert not any(reason.present for reason in found.words)
    assert str(found).count("no ") == len(topic.words)


@pytest.mark.parametrize("n_topics", [None, 5])
def test_parts_of_words_make_up_the_share(n_topics: int | None) -> None:
    """In the tree and in a list, among whose topics words are divided."""
    tree = planted(60, 1)
    X = tree.sample(300, seed=1)
    options: dict[str, Any] = {"samples": 1, "max_top_topics": 4, "n_topics": n_topics}
    model = HLTA(lowest_level=1, **options).fit(X, words=tree.words)
    for k in np.flatnonzero(np.diff(X.indptr) > 2)[::30].tolist():
        own = sorted(tree.words[j] for j in X[[k]].indices)
        shares = dict(zip(model.topics_, model.transform(X[[k]])[0].tolist(), strict=True))
        for topic, share in shares.items():
            found = model.why(topic, X[[k]])
            parts = [part for _, part in found.words]
            assert sorted(word for word, _ in found.words) == own
            assert parts == sorted(parts, reverse=True)
            assert all(0.0 <= part <= 1.0 for part in parts)
            assert found.share == pytest.approx(sum(parts) / len(parts))
            assert found.share == pytest.approx(share, abs=1e-3)
        roots = [dict(model.why(root, X[[k]]).words) for root in model.topics_.roots]
        for word in own:
            assert sum(parts[word] for parts in roots) == pytest.approx(1.0)


def test_a_topic_that_was_moved_has_the_same_share_in_every_list() -> None:
    """It stands beside topics of lower levels, which have their parts of the words of the topic above."""
    X = TREE.sample(600, seed=3)
    model = HLTA(samples=4, lowest_level=1).fit(X, words=TREE.words)
    first, second = model.topics_.roots
    model.edit.move(second.id, below=first.id)
    model.edit.recount(X)
    moved = model.topics_[second.id]
    levels = {topic.level for topic in model.topics_[first.id].children}
    assert levels == {moved.level, moved.level - 1}
    expected = model.transform(X)[:, list(model.topics_).index(moved)]
    np.testing.assert_allclose(model.transform(X, topics=[moved])[:, 0], expected, atol=CLOSE)
    assert expected.mean() == pytest.approx(moved.size, abs=CLOSE)
