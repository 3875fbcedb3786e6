"""The topics of a page: ids, hierarchy, keywords, shares over time and by group."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import HLTA, Corpus, TopicTree
from hlta.explorer.page_data import about_topics, model_arrays, select_page_documents
from hlta.tree.fingerprint import fingerprint
from hlta.tree.reshaping import members
from tests.strategies import many_states, random_tree
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path


def test_shares_by_period_and_group(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, 10, None)
    header, arrays = about_topics(model.tree_, model.topics_, selected, None)
    P = model.transform(corpus)
    assert header["periods"]["names"] == ("2001", "2002", "2003", "2004", "2005")
    assert header["groups"]["names"] == ("a", "b", "")  # in no group: the last
    assert header["groups"]["further"] == 0
    assert corpus.dates is not None
    assert corpus.groups is not None
    years = np.array([date[:4] for date in corpus.dates])
    groups = np.array(list(corpus.groups))
    for name, labels in (("periods", years), ("groups", groups)):
        shares = arrays[f"{name}.shares"].reshape(-1, P.shape[1])
        for k, part in enumerate(header[name]["names"]):
            assert header[name]["documents"][k] == (labels == part).sum()
            np.testing.assert_allclose(shares[k], P[labels == part].mean(axis=0), rtol=1e-5)


def test_groups_that_are_too_many_are_counted() -> None:
    X = planted(24, 2).sample(600, seed=0)
    corpus = Corpus(X, [f"word{k}" for k in range(24)], groups=[f"group {k}" for k in range(600)])
    model = HLTA(samples=1).fit(corpus)
    selected = select_page_documents(model.tree_, model.topics_, corpus, None, None)
    groups = about_topics(model.tree_, model.topics_, selected, None)[0]["groups"]
    assert (len(groups["names"]), groups["further"]) == (500, 100)


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


def test_the_page_has_what_people_changed(tmp_path: Path) -> None:
    model = HLTA(samples=1, max_top_topics=4).fit(planted(60).sample(600, seed=0))
    first, second, *_ = model.topics_.roots
    header, _ = about_topics(model.tree_, TopicTree.from_tree(model.tree_), None, None)
    assert header["log"] == {"model": fingerprint(model.tree_), "edits": []}
    model.edit.pin(second)
    model.edit.note(second, "odd")
    model.edit.move(first, below=second)
    header, _ = about_topics(model.tree_, model.topics_, None, None)
    model.edit.save(tmp_path / "edits.json")
    assert header["log"] == json.loads((tmp_path / "edits.json").read_text(encoding="utf-8"))
    assert model.topics_.flat(model.topics_.roots).log == header["log"]
    entries = {entry["id"]: entry for entry in header["topics"]}
    assert (entries[second.id]["pinned"], entries[second.id]["note"]) == (True, "odd")
    assert (entries[first.id]["pinned"], entries[first.id]["note"]) == (False, "")
    tree = model.tree_
    for name, entry in entries.items():
        assert entry["members"] == len(members(tree, tree.names.index(name)))


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
