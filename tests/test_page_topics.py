"""The topics of a page: ids, hierarchy, keywords, shares over time and by group."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import HLTA, Corpus, TopicTree
from hlta.explorer.page_data import about_topics, select_page_documents
from hlta.tree.fingerprint import fingerprint
from hlta.tree.reshaping import members
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path


def test_shares_by_period_and_group(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, 10, None)
    header, arrays = about_topics(model.tree_, model.topics_, selected, None)
    shares = model.transform(corpus)
    assert header["periods"]["names"] == ("2001", "2002", "2003", "2004", "2005")
    assert header["groups"]["names"] == ("a", "b", "")  # in no group: the last
    assert header["groups"]["further"] == 0
    assert corpus.dates is not None
    assert corpus.groups is not None
    years = np.array([date[:4] for date in corpus.dates])
    groups = np.array(list(corpus.groups))
    for name, labels in (("periods", years), ("groups", groups)):
        of_parts = arrays[f"{name}.shares"].reshape(-1, shares.shape[1])
        on = arrays[f"{name}.on"].reshape(-1, shares.shape[1])
        for k, part in enumerate(header[name]["names"]):
            of_part = shares[labels == part]
            assert header[name]["documents"][k] == len(of_part)
            np.testing.assert_allclose(of_parts[k], of_part.mean(axis=0), rtol=1e-5)
            np.testing.assert_array_equal(on[k], (of_part >= 0.2).sum(axis=0))
    mean, spread = shares.mean(axis=0), shares.var(axis=0)
    evidence = np.maximum(mean * (1.0 - mean) / spread, 1.0)
    np.testing.assert_allclose(header["evidence"], evidence, atol=0.006)


def test_sizes_are_those_of_the_documents_of_the_page(small: tuple[HLTA, Corpus]) -> None:
    model, whole = small
    corpus = Corpus(whole.documents[:70], whole.words)
    for topics in (model.topics_, model.topics_.flat(model.topics_.cut(3))):
        selected = select_page_documents(model.tree_, topics, corpus, 10, None)
        entries = about_topics(model.tree_, topics, selected, None)[0]["topics"]
        shares, main = topics.shares().with_flags(corpus.documents)
        sizes = [one["size"] for one in entries]
        np.testing.assert_allclose(sizes, shares.mean(axis=0), atol=1e-6)
        assert [one["documents"] for one in entries] == (shares >= 0.2).sum(axis=0).tolist()
        assert [one["mainly"] for one in entries] == main.sum(axis=0).tolist()


def test_a_document_counts_in_each_of_its_groups_and_further_groups_are_counted(
    small: tuple[HLTA, Corpus],
) -> None:
    model, whole = small
    groups = ["a\nb", "b", "", "a", "b\nc\nb"] * 20
    for given in (groups, [f"group {k}" for k in range(600)]):
        corpus = Corpus(whole.documents[: len(given)], whole.words, groups=given)
        selected = select_page_documents(model.tree_, model.topics_, corpus, None, None)
        header, arrays = about_topics(model.tree_, model.topics_, selected, None)
        shares, found = model.transform(corpus), header["groups"]
        of_groups = arrays["groups.shares"].reshape(-1, shares.shape[1])
        for k, name in enumerate(found["names"]):
            members = np.array([name in group.split("\n") for group in given])
            assert found["documents"][k] == members.sum()
            np.testing.assert_allclose(of_groups[k], shares[members].mean(axis=0), rtol=1e-5)
        if given is groups:
            assert found["names"] == ("b", "a", "c", "")
    assert (len(found["names"]), found["further"]) == (500, 100)


def test_topics_are_those_of_python(small: tuple[HLTA, Corpus]) -> None:
    model, _ = small
    header, _ = about_topics(model.tree_, model.topics_, None, None)
    ids = [entry["id"] for entry in header["topics"]]
    for topic, entry in zip(model.topics_, header["topics"], strict=True):
        assert entry["id"] == topic.id
        assert entry["level"] == topic.level
        assert entry["size"] == pytest.approx(topic.size, rel=1e-5)
        assert entry["documents"] == topic.documents
        assert entry["mainly"] == topic.main_documents
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
