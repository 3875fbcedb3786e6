"""Why a document is on a topic, against sums over all states."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import HLTA, DocumentsError, LatentTree, OptionError
from hlta.documents.matrix import as_documents
from hlta.topics.reasons import Parts, reasons
from hlta.topics.topic_tree import TopicTree
from tests.oracles import enumerate_joint
from tests.strategies import many_states, random_tree
from tests.synthetic import planted

if TYPE_CHECKING:
    from hlta.topics.topic import Topic

TEXTS = ["deep neural networks", "dark matter in galaxies", "apples and pears"]


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
        told = {reason.word for reason in found.words}
        has = {tree.words[k] for k in np.flatnonzero(row)}
        assert told == has | set(topic.words)
        few = reasons(tree, topic, as_documents(row.astype(np.int8), 5), most=2)
        assert few == replace(found, words=found.words[:2])
        sizes = [abs(reason.alone) for reason in found.words]
        assert sizes == sorted(sizes, reverse=True)
        for word, present, alone, in_context in found.words:
            k = tree.words.index(word)
            assert present == row[0, k]
            assert in_context == pytest.approx(known - log_odds(tree, latent, row, [k]), abs=1e-7)
            others = np.delete(every, k)
            assert alone == pytest.approx(log_odds(tree, latent, row, others) - nothing, abs=1e-7)


@pytest.fixture(scope="module")
def galaxies() -> tuple[HLTA, Topic]:
    model = HLTA(samples=1).fit(TEXTS * 20)
    return model, model.topics_.search("galaxies")[0]


def test_an_id_is_as_good_as_its_topic(galaxies: tuple[HLTA, Topic]) -> None:
    model, topic = copy.deepcopy(galaxies[0]), galaxies[1]
    for kind in ("share", "probability"):
        one, other = (model.why(name, ["dark galaxies"], kind=kind) for name in (topic, topic.id))
        assert one == other
    model.edit.remove("matter")  # the topic is from before
    assert model.why(topic, ["dark galaxies"]) == model.why(topic.id, ["dark galaxies"])


@pytest.mark.parametrize("odd", ["Z9-9", "", None, 3])
def test_what_is_no_topic_is_refused(galaxies: tuple[HLTA, Topic], odd: Any) -> None:
    model, topic = galaxies
    for ask in (model.why, model.documents, model.representative_documents):
        with pytest.raises(OptionError, match="use a topic of the model, its id or its title"):
            ask(odd, ["dark galaxies"])
    with pytest.raises(OptionError, match="give topics, such as model"):
        model.transform(["dark galaxies"], topics=[odd])
    with pytest.raises(OptionError, match="the tree has no latent variable 'Z9-9'"):
        model.why(replace(topic, id="Z9-9"), ["dark galaxies"])


def test_one_document_is_asked_about_and_one_kind_of_reason(galaxies: tuple[HLTA, Topic]) -> None:
    model, topic = galaxies
    with pytest.raises(DocumentsError, match="one document, not 2"):
        model.why(topic, ["dark galaxies", "apples"])
    with pytest.raises(OptionError, match="kind='evidence': use one of 'share', 'probability'"):
        model.why(topic, ["dark galaxies"], kind="evidence")  # type: ignore[call-overload]


def test_a_document_without_words_has_no_parts_and_says_what_is_missing(
    galaxies: tuple[HLTA, Topic],
) -> None:
    model, topic = galaxies
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
        roots = [model.why(root, X[[k]]).share for root in model.topics_.roots]
        assert sum(roots) == pytest.approx(1.0)


def test_parts_are_told_as_text() -> None:
    parts = Parts.of({"b": [0.25], "a": [0.5, 0.0], "c": [1.0, 0.75]})
    assert str(parts) == "50% of 3 words\n0.88 c\n0.25 a\n0.25 b"
    assert str(Parts.of({})) == "0% of 0 words"
