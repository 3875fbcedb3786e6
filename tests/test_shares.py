"""Shares: documents divided among topics, against the conditions of the largest likelihood."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.optimize import minimize

from hlta import HLTA, Corpus, LatentTree, OptionError, TopicTree
from hlta.documents.matrix import Documents, as_documents
from hlta.options import IN_PART
from hlta.topics import shares as module
from hlta.topics.shares import PRIOR_WORDS, Sharing
from hlta.topics.word_counts import count_words
from tests.synthetic import planted

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
            np.testing.assert_allclose(
                shares[:, shared.above == above].sum(axis=1), whole, atol=1e-12
            )
    among = Sharing.among(TREE, COUNTS, [3, 5, 8])
    assert among.latents.tolist() == [3, 5, 8]
    np.testing.assert_allclose(among.shares(DOCUMENTS).sum(axis=1), has_words, atol=1e-12)
    assert among.prior.sum() == pytest.approx(PRIOR_WORDS)


def test_parts_of_words_make_up_the_shares() -> None:
    shared = sharing()
    for k in range(20):
        document = DOCUMENTS[k : k + 1]
        if not document.n_presences:
            continue
        shares = shared.shares(document)[0]
        parts = shared.parts(document, shares)
        assert (parts >= 0.0).all()
        np.testing.assert_allclose(parts.mean(axis=0), shares, atol=CLOSE)
        np.testing.assert_allclose(parts[:, shared.above < 0].sum(axis=1), 1.0)


def test_the_main_topic_is_the_largest_on_the_way_down_and_in_a_fifth_of_the_words() -> None:
    shared = sharing()
    shares = shared.shares(DOCUMENTS)
    main = shared.are_main(shares)
    for k, of_document in enumerate(shares):
        expected, up = [], -1
        while True:
            family = np.flatnonzero(shared.above == up)
            best = family[of_document[family].argmax()] if len(family) else -1
            if best < 0 or of_document[best] < IN_PART:
                break
            expected.append(best)
            up = best
        assert np.flatnonzero(main[k]).tolist() == sorted(expected)


def test_threads_and_parts_of_the_documents_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    one = sharing().shares(DOCUMENTS)
    monkeypatch.setattr(module, "GRAIN", 50)
    np.testing.assert_array_equal(one, sharing().shares(DOCUMENTS))


def test_the_order_of_documents_words_and_topics_changes_nothing() -> None:
    order = np.random.default_rng(0).permutation(TREE.n_words)
    tree = TREE.with_words([TREE.words[k] for k in order])
    documents = as_documents(DOCUMENTS.to_csr()[::-1][:, order])
    counts = COUNTS.carried(np.arange(TREE.n_latents), order)
    one = sharing().shares(DOCUMENTS)
    other = Sharing.of_tree(tree, counts, 1).shares(documents)[::-1]
    np.testing.assert_allclose(one, other, atol=1e-6)


def test_documents_without_words_have_no_shares_and_one_word_is_enough() -> None:
    nothing = as_documents(np.zeros((2, TREE.n_words), dtype=int))
    assert not sharing().shares(nothing).any()
    assert not sharing().are_main(sharing().shares(nothing)).any()
    single = as_documents(np.eye(TREE.n_words, dtype=int))
    shares = sharing().shares(single)
    np.testing.assert_allclose(shares[:, sharing().above < 0].sum(axis=1), 1.0)
    assert sharing().shares(nothing.take(np.arange(0))).shape == (0, TREE.n_latents)


# ---- what documents are about, where that is known ----------------------------------------------


@pytest.fixture(scope="module", name="corpus")
def planted_corpus() -> Corpus:
    tree = planted(120, 1)
    return Corpus(tree.sample(1500, seed=1), tree.words)


@pytest.fixture(scope="module", name="model")
def learned(corpus: Corpus) -> HLTA:
    return HLTA(samples=3, em_steps=5).fit(corpus)


def root_shares(model: HLTA, documents: Documents) -> NDArray[np.float64]:
    return model.transform(documents, topics=model.topics_.roots)


def test_a_topic_that_is_asked_for_has_its_share_however_often(model: HLTA, corpus: Corpus) -> None:
    one, other = model.topics_.roots[:2]
    once = model.transform(corpus, topics=[one, other])
    twice = model.transform(corpus, topics=[one, other, one])
    np.testing.assert_array_equal(twice, once[:, [0, 1, 0]])
    alone = model.transform(corpus, topics=[one])
    np.testing.assert_array_equal(alone[:, 0], root_shares(model, corpus.documents)[:, 0])


def test_what_has_no_main_topic_is_refused(model: HLTA, corpus: Corpus) -> None:
    root = next(topic for topic in model.topics_.roots if topic.children)
    overlapping = [root, root.children[0]]
    with pytest.raises(OptionError, match=f"{root.children[0].id} is below {root.id}"):
        model.predict(corpus, topics=overlapping)
    both = model.transform(corpus, topics=overlapping)
    assert (both[:, 1] <= both[:, 0] + 1e-12).all()
    tree = planted(120, 3)
    renamed = {"words": tuple(f"other {word}" for word in tree.words)}
    foreign = TopicTree.from_tree(LatentTree(**tree.fields._asdict() | renamed))["Z2-1"]
    odd: list[Any] = [foreign, "Z1-1"]
    for topic in odd:
        with pytest.raises(OptionError, match="topics"):
            model.transform(corpus, topics=[topic])
