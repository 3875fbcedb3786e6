"""The page as a whole, its topics, its documents, and what is packed into it."""

import base64
import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hlta import HLTA, Corpus, OptionError, TopicTree
from hlta.explorer.container import Part, pack, strings, unpack
from hlta.explorer.page_data import about_documents, about_topics, cut_longest
from hlta.explorer.page_documents import (
    MAIN,
    WHOLE,
    PageDocuments,
    decode_shares,
    sample,
    select_page_documents,
)
from hlta.options import IN_PART, LISTED
from hlta.tree.fingerprint import fingerprint
from hlta.tree.reshaping import members
from tests.synthetic import planted
from tests.there import there

Fit = tuple[HLTA, Corpus]


def test_the_policy_lets_in_the_page_s_own_script_and_style(small: Fit) -> None:
    model, corpus = small
    page = model.topics_.to_html(corpus=corpus, title="</title><script>")
    policy = there(re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', page))[1]
    assert policy.startswith("default-src 'none'; ")
    for kind in ("script", "style"):
        (text,) = re.findall(f"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in policy


def test_the_same_model_gives_the_same_page(small: Fit, tmp_path: Path) -> None:
    model, corpus = small
    one = model.topics_.to_html(tmp_path / "a.html", corpus=corpus, n_jobs=1)
    two = model.topics_.to_html(tmp_path / "b.html", corpus=corpus, n_jobs=3)
    assert one == two == (tmp_path / "a.html").read_text(encoding="utf-8")
    wrong: Any = None
    with pytest.raises(OptionError, match="title=None: use a string"):
        small[0].topics_.to_html(title=wrong)


# ---- topics --------------------------------------------------------------------------------------


def check_divisions(model: HLTA, corpus: Corpus, **parts: list[list[str]]) -> dict[str, Any]:
    """Shares and numbers by division are those of the documents whose parts are given; the divisions."""
    selected = select_page_documents(model.tree_, model.topics_, corpus, 10)
    header, arrays = about_topics(model.tree_, model.topics_, selected)
    shares = model.transform(corpus)
    assert [division["key"] for division in header["divisions"]] == list(parts)
    for place, (division, of_documents) in enumerate(
        zip(header["divisions"], parts.values(), strict=True)
    ):
        of_parts = arrays[f"divisions.{place}.shares"].reshape(-1, shares.shape[1])
        on = arrays[f"divisions.{place}.on"].reshape(-1, shares.shape[1])
        for k, name in enumerate(division["names"]):
            of_part = shares[[name in own for own in of_documents]]
            assert division["documents"][k] == len(of_part)
            np.testing.assert_allclose(of_parts[k], of_part.mean(axis=0), rtol=1e-5)
            np.testing.assert_array_equal(on[k], (of_part >= 0.2).sum(axis=0))
    return {division["key"]: division for division in header["divisions"]}


def test_shares_by_period_and_group(small: Fit) -> None:
    model, corpus = small
    years = [[date[:4]] for date in there(corpus.dates)]
    found = check_divisions(
        model, corpus, date=years, group=[[one] for one in there(corpus.groups)]
    )
    assert found["date"]["names"] == ("2001", "2002", "2003", "2004", "2005")
    assert found["group"]["names"] == ("a", "b", "")  # in no group: the last
    assert found["group"]["further"] == 0


def test_sizes_are_those_of_the_documents_of_the_page(small: Fit) -> None:
    model, whole = small
    corpus = Corpus(whole.documents[:70], whole.words)
    for topics in (model.topics_, model.topics_.flat(model.topics_.cut(3))):
        selected = select_page_documents(model.tree_, topics, corpus, 10)
        entries = about_topics(model.tree_, topics, selected)[0]["topics"]
        shares, main = topics.shares().with_flags(corpus.documents)
        sizes = [one["size"] for one in entries]
        np.testing.assert_allclose(sizes, shares.mean(axis=0), atol=1e-6)
        assert [one["documents"] for one in entries] == (shares >= 0.2).sum(axis=0).tolist()
        assert [one["mainly"] for one in entries] == main.sum(axis=0).tolist()


def test_documents_count_in_each_group_and_further_groups_too(small: Fit) -> None:
    model, whole = small
    for own in (["a\nb", "b", "", "a", "b\nc\nb"] * 20, [f"group {k}" for k in range(600)]):
        one = ["x"] * len(own)  # a group, in which is nothing to compare
        given = whole.documents[: len(own)], whole.words
        corpus = Corpus(*given, groups=one, fields={"desk": own})
        (found,) = check_divisions(model, corpus, desk=[name.split("\n") for name in own]).values()
        assert found["name"] == "desk"
        if len(own) == 100:
            assert found["names"] == ("b", "a", "c", "")
    assert (len(found["names"]), found["further"]) == (500, 100)


def test_topics_are_those_of_python(small: Fit) -> None:
    model, _ = small
    header, _ = about_topics(model.tree_, model.topics_, None)
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
    header, _ = about_topics(model.tree_, TopicTree.from_tree(model.tree_), None)
    assert header["log"] == {"model": fingerprint(model.tree_), "edits": []}
    model.edit.pin(second)
    model.edit.note(second, "odd")
    model.edit.move(first, below=second)
    header, _ = about_topics(model.tree_, model.topics_, None)
    model.edit.save(tmp_path / "edits.json")
    assert header["log"] == json.loads((tmp_path / "edits.json").read_text(encoding="utf-8"))
    assert model.topics_.flat(model.topics_.roots).log == header["log"]
    entries = {entry["id"]: entry for entry in header["topics"]}
    assert (entries[second.id]["pinned"], entries[second.id]["note"]) == (True, "odd")
    assert (entries[first.id]["pinned"], entries[first.id]["note"]) == (False, "")
    tree = model.tree_
    for name, entry in entries.items():
        assert entry["members"] == len(members(tree, tree.names.index(name)))


@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=4),
    st.lists(st.sampled_from(["u1", "u2", "u4", "i4", "f4", "f8"]), max_size=5),
    st.integers(0, 40),
)
def test_what_is_packed_comes_out(header: dict[str, str], kinds: list[str], size: int) -> None:
    header.pop("arrays", None)
    rng = np.random.default_rng(size)
    arrays = {f"{k}": (200 * rng.random(size + k)).astype(t) for k, t in enumerate(kinds)}
    part = unpack(pack(header, arrays))
    assert part.header == header
    assert list(part.arrays) == list(arrays)
    for name, array in arrays.items():
        assert part.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(part.arrays[name], array)


def strings_of(part: Part, name: str) -> list[str]:
    ends = [0, *part.arrays[f"{name}.ends"].tolist()]
    data = part.arrays[name].tobytes()
    return [data[a:b].decode() for a, b in pairwise(ends)]


# ---- the documents of a page ---------------------------------------------------------------------


def test_a_sample_has_the_documents_with_the_largest_shares_of_each_topic() -> None:
    rng = np.random.default_rng(0)
    P = rng.random((5000, 7)) * (rng.random((5000, 7)) < 0.2)
    codes = csr_array(np.floor(P * WHOLE).astype(np.uint16))
    codes.data += (MAIN * (rng.random(codes.nnz) < 0.5)).astype(np.uint16)  # which changes nothing
    chosen = sample(codes, 400)
    assert len(chosen) == 400
    assert (np.diff(chosen) > 0).all()
    for column in np.floor(P * WHOLE).T:
        assert set(np.argsort(-column, kind="stable")[:20]) <= set(chosen.tolist())
    np.testing.assert_array_equal(sample(codes, 5000), np.arange(5000))
    assert len(sample(codes, 3)) == 3


@pytest.fixture(scope="module")
def selected(small: Fit) -> PageDocuments:
    model, corpus = small
    return select_page_documents(model.tree_, model.topics_, corpus, None)


def test_all_documents_that_fit_are_shown_whose_shares_few_at_a_time_do_not_change(
    small: Fit, selected: PageDocuments, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, corpus = small
    np.testing.assert_array_equal(selected.shown, np.arange(len(corpus)))
    monkeypatch.setattr("hlta.topics.shares._MOST_SHARES", 40 * len(model.topics_))
    some = select_page_documents(model.tree_, model.topics_, corpus, 100)
    assert len(some.shown) == 100
    assert (some.shares != selected.shares).nnz == 0


def test_shares_in_the_page(small: Fit, selected: PageDocuments) -> None:
    model, corpus = small
    header, arrays = about_documents(selected, None, None)
    assert header["least"] == LISTED
    shares, main = model.transform(corpus), model.main_table(corpus)
    for k, topic in enumerate(model.topics_):
        a, b = arrays["topics.start"][k : k + 2]
        documents = np.cumsum(arrays["topics"][a:b].astype(np.int64))
        assert documents.tolist() == np.flatnonzero(shares[:, k] >= LISTED).tolist()
        codes = arrays["topics.share"][a:b]
        np.testing.assert_allclose(decode_shares(codes), shares[documents, k], atol=1.0 / WHOLE)
        assert ((decode_shares(codes) >= IN_PART) == (shares[documents, k] >= IN_PART)).all()
        is_main = (main[f"topic_{topic.level}"] == topic.id).fill_null(False).to_numpy()
        np.testing.assert_array_equal(codes >= MAIN, is_main[documents])
        assert is_main.sum() == (codes >= MAIN).sum() == topic.main_documents


def test_the_map_has_a_place_for_each_document_shown(small: Fit) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, 300)
    header, arrays = about_documents(selected, None, None)
    x, y = arrays["map.x"], arrays["map.y"]
    assert x.dtype == y.dtype == np.uint16
    assert len(x) == len(y) == 300
    assert max(int(np.ptp(x)), int(np.ptp(y))) == 65535
    on = model.transform(corpus)[selected.shown] >= 0.2
    assert [place is None for place in header["places"]] == (on.sum(axis=0) == 0).tolist()
    for k, place in enumerate(header["places"]):
        if place is not None:
            assert x[on[:, k]].min() <= place[0] <= x[on[:, k]].max()
            assert y[on[:, k]].min() <= place[1] <= y[on[:, k]].max()


def test_words_and_titles_are_those_of_the_documents_shown(small: Fit) -> None:
    model, corpus = small
    selected = select_page_documents(model.tree_, model.topics_, corpus, 50)
    part = about_documents(selected, None, None)
    assert part.header["documents"] == len(corpus)
    assert part.header["rows"] == (selected.shown + 1).tolist()
    assert strings_of(part, "titles") == [there(corpus.titles)[int(row)] for row in selected.shown]
    starts = part.arrays["words.start"]
    for place, row in enumerate(selected.shown.tolist()):
        words = np.cumsum(part.arrays["words"][starts[place] : starts[place + 1]].astype(np.int64))
        np.testing.assert_array_equal(words, corpus.documents[row : row + 1].indices)


def test_texts_are_whole_and_strings_end_where_they_end(small: Fit) -> None:
    model, corpus = small
    texts = ["short", *["word\n\n" * 400_000] * 9]
    some = Corpus(corpus.documents[:10], corpus.words, texts=texts)
    selected = select_page_documents(model.tree_, model.topics_, some, None)
    part = about_documents(selected, None, None)
    assert strings_of(part, "texts") == texts
    assert "cut" not in part.arrays
    odd = Part({}, strings("x", ["", "hé", "\ud800", "日本"]))
    assert strings_of(odd, "x") == ["", "hé", "?", "日本"]


@given(
    st.lists(st.text(st.sampled_from("aé知\ud800 \n"), max_size=40), min_size=1, max_size=9),
    st.integers(1, 200),
)
def test_the_longest_texts_are_cut_if_all_are_too_long(texts: list[str], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.explorer.page_data.MOST_TEXT", most)
        found, cut = cut_longest(texts)
    sizes = [len(text.encode("utf-8", "replace")) for text in texts]
    shorter = [sizes[row] for row in range(len(texts)) if row not in cut]
    if sum(sizes) <= most:
        assert (found, cut.tolist()) == (texts, [])
        return
    assert len(cut)
    assert max(shorter, default=0) < min(sizes[row] for row in cut)
    held = 0
    for row, text in enumerate(texts):
        if row in cut:
            assert found[row].endswith(" …")
            assert text.startswith(found[row][:-2])
        else:
            assert found[row] == text
        held += len(found[row].removesuffix(" …").encode("utf-8", "replace"))
    assert held <= most


def test_links_lead_to_files_and_the_web_alone(small: Fit, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a b#.txt").write_text("x")
    (tmp_path / "secret").write_text("x")
    ids = ["a b#.txt", "https://example.org/1", "javascript:alert(1)", "JAVASCRIPT:alert(1)"]
    ids += ["data:text/html,x", str(tmp_path / "secret"), "missing.txt", "nul\0", "http\n://x"]
    model, corpus = small
    some = Corpus(corpus.documents.take(np.arange(len(ids))), corpus.words, ids=ids)
    selected = select_page_documents(model.tree_, model.topics_, some, 100)
    part = about_documents(selected, tmp_path / "docs", tmp_path / "out" / "index.html")
    expected = ["../docs/a%20b%23.txt", "https://example.org/1", *[""] * 7]
    assert strings_of(part, "links") == expected
