"""The topics of a page: ids, hierarchy, keywords, shares over time and by group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta.explorer.page_data import about_topics, model_arrays, select_page_documents
from tests.strategies import many_states, random_tree

if TYPE_CHECKING:
    from hlta import HLTA, Corpus


def test_shares_by_period_and_group(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, 10, None)
    header, arrays = about_topics(model.tree_, model.topics_, selected, None)
    P = model.transform(corpus)
    assert header["periods"]["names"] == ("2001", "2002", "2003", "2004", "2005")
    assert sorted(header["groups"]["names"]) == ["a", "b"]
    assert corpus.dates is not None
    assert corpus.groups is not None
    years = np.array([date[:4] for date in corpus.dates])
    groups = np.array(list(corpus.groups))
    for name, labels in (("periods", years), ("groups", groups)):
        shares = arrays[f"{name}.shares"].reshape(-1, P.shape[1])
        for k, part in enumerate(header[name]["names"]):
            assert header[name]["documents"][k] == (labels == part).sum()
            np.testing.assert_allclose(shares[k], P[labels == part].mean(axis=0), rtol=1e-5)


def test_topics_are_those_of_python(small: tuple[HLTA, Corpus]) -> None:
    model, _ = small
    header, _ = about_topics(model.tree_, model.topics_, None, None)
    ids = [entry["id"] for entry in header["topics"]]
    for topic, entry in zip(model.topics_, header["topics"], strict=True):
        assert entry["id"] == topic.id
        assert entry["level"] == topic.level
        assert entry["size"] == pytest.approx(topic.size, rel=1e-5)
        assert entry["narrow"] is None
        assert [header["words"][word] for word, *_ in entry["words"]] == topic.words
        above = ids[entry["parent"]] if entry["parent"] >= 0 else None
        assert above == (topic.parent.id if topic.parent else None)
        assert model.tree_.names[entry["node"]] == topic.id


def test_with_documents_topics_have_narrow_sizes(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, None, None)
    header, _ = about_topics(model.tree_, model.topics_, selected, None)
    narrow = [entry["narrow"] for entry in header["topics"]]
    assert narrow == pytest.approx(model.narrow_topics(corpus).sizes, rel=1e-5)


@pytest.mark.parametrize("most", [2, 5])
def test_the_model_is_packed_without_padding(most: int) -> None:
    tree = many_states(random_tree(most, 30, 12), most, most=most)
    arrays = model_arrays(tree)
    states, word, latent, _ = tree.parameters
    np.testing.assert_array_equal(arrays["states"], states)
    odds_of_words, odds_of_latents = iter(arrays["word"]), iter(arrays["latent"])
    for v, up in enumerate(tree.parent.tolist()):
        rows = range(states[up - tree.n_words] if up >= 0 else 1)
        if v < tree.n_words:
            odds = np.array([next(odds_of_words) for _ in rows])
            np.testing.assert_allclose(odds / (1 + odds), word[v, rows], rtol=1e-14)
            continue
        count = states[v - tree.n_words]
        for j in rows:
            against = np.array([1.0, *(next(odds_of_latents) for _ in range(count - 1))])
            row = latent[v - tree.n_words, j, :count]
            np.testing.assert_allclose(against / against.sum(), row, rtol=1e-14)
    assert not [*odds_of_words, *odds_of_latents]
