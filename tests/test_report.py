"""What is put into the page, and how."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hlta import HLTA, Corpus, OptionError, TopicTree
from hlta.explorer import contents
from hlta.explorer.container import packed, steps, strings, unpacked
from hlta.explorer.contents import MOST_DOCUMENTS, about_documents, read_documents, sample
from hlta.topics.periods import periods
from hlta.topics.related import (
    pair_information,
    related_topics,
    together_in_documents,
    together_in_model,
)
from tests.strategies import random_tree
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def learned() -> tuple[HLTA, Corpus]:
    X = planted(60, 3).sample(900, seed=1)
    corpus = Corpus(
        X,
        [f"word{k}" for k in range(60)],
        titles=[f"Title {k}" for k in range(900)],
        dates=[f"{2001 + k % 5}-0{1 + k % 7}-03" for k in range(900)],
        groups=["" if k % 11 == 0 else "ab"[k % 2] for k in range(900)],
        texts=[f"text {k} " * 300 for k in range(900)],
    )
    return HLTA(max_top_topics=3).fit(corpus), corpus


# ---- the container -------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=4),
    st.lists(st.sampled_from(["u1", "u2", "u4", "i4", "f4", "f8"]), max_size=5),
    st.integers(0, 40),
)
def test_what_is_packed_comes_out(header: dict[str, str], kinds: list[str], size: int) -> None:
    header.pop("arrays", None)
    rng = np.random.default_rng(size)
    arrays = {f"{k}": (200 * rng.random(size + k)).astype(t) for k, t in enumerate(kinds)}
    told, found = unpacked(packed(header, arrays))
    assert told == header
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


@settings(deadline=None)
@given(st.lists(st.sets(st.integers(0, 100_000), max_size=9), max_size=9))
def test_steps_add_up(lists: list[set[int]]) -> None:
    starts = np.cumsum([0, *map(len, lists)])
    numbers = np.array([n for part in lists for n in sorted(part)], dtype=np.int64)
    added = steps(starts, numbers)
    for part, a, b in zip(lists, starts[:-1], starts[1:], strict=True):
        assert np.cumsum(added[a:b]).tolist() == sorted(part)


def test_strings_end_where_they_end() -> None:
    arrays = strings("x", ["", "hé", "\ud800", "日本"])
    data = arrays["x"].tobytes()
    ends = [0, *arrays["x.ends"].tolist()]
    parts = [data[a:b].decode() for a, b in pairwise(ends)]
    assert parts == ["", "hé", "?", "日本"]


# ---- dates ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dates", "unit", "names", "numbers"),
    [
        (["1999", "2001", ""], "year", ["1999", "2000", "2001"], [0, 2, -1]),
        (["2020-01-30", "2020-03-01"], "day", None, [0, 31]),
        (["2020-11", "2021-02-03"], "month", ["2020-11", "2020-12", "2021-01", "2021-02"], [0, 3]),
        (["2010-11", "2021-02-03"], "year", None, [0, 11]),
        (["Sat, 3 Apr 1993 10:00:00 GMT", "4 Apr 1993 10:00:00"], "day", None, [0, 1]),
        (["in spring 1987", "c. 1989"], "year", ["1987", "1988", "1989"], [0, 2]),
        (["1577836800", "1580515200.0"], "day", None, [0, 31]),
        (["2020-02-31", "2021"], "year", ["2020", "2021"], [0, 1]),
        (["2020/5/7 12:00", "2020.6.1"], "day", None, [0, 25]),
        (["20210304", "20210306"], "day", None, [0, 2]),
        (["9999-12-31", "0001-01-01", "2020", "2021"], "year", ["2020", "2021"], [-1, -1, 0, 1]),
        (["2019.0", "2020.0"], "year", ["2019", "2020"], [0, 1]),
    ],
)
def test_periods(dates: list[str], unit: str, names: Any, numbers: list[int]) -> None:
    found = periods(dates)
    assert found is not None
    assert found.unit == unit
    if names is not None:
        assert list(found.names) == names
    assert found.number.tolist() == numbers


@pytest.mark.parametrize("dates", [[], ["", "n.d."], ["2020", "2020"], ["0000", "99999", "\0"]])
def test_no_periods(dates: list[str]) -> None:
    assert periods(dates) is None


@settings(deadline=None)
@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_text_may_stand_for_a_date(dates: list[str]) -> None:
    found = periods(dates)
    assert found is None or len(found.number) == len(dates)


# ---- what goes together --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_topics_in_the_model(seed: int) -> None:
    tree = random_tree(seed, 12, 6)
    n, m = tree.n_words, tree.n_latents
    states = np.array(list(product((0, 1), repeat=m)))
    weight = np.ones(len(states))
    for k in range(m):
        up = int(tree.parent[n + k])
        above = np.zeros(len(states), dtype=int) if up < 0 else states[:, up - n]
        p = tree.probability[n + k][above]
        weight *= np.where(states[:, k], p, 1 - p)
    chosen = np.arange(n, n + m)[::-2]
    expected = (states * weight[:, None]).T @ states
    found = together_in_model(tree, chosen)
    np.testing.assert_allclose(found, expected[np.ix_(chosen - n, chosen - n)], atol=1e-12)


def test_information_of_pairs() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((4000, 5)) < 0.3
    X[:, 1] = X[:, 0] ^ (rng.random(4000) < 0.1)
    X[:, 2] = ~X[:, 0] & X[:, 2]  # avoids it
    found = pair_information(X.T.astype(float) @ X / 4000)
    for a, b in product(range(5), repeat=2):
        if a == b:
            continue
        joint = np.histogram2d(X[:, a], X[:, b], bins=2)[0] / 4000
        alone = joint.sum(axis=1)[:, None] * joint.sum(axis=0)[None, :]
        expected = (joint * np.log(joint / alone, where=joint > 0, out=np.zeros((2, 2)))).sum()
        avoids = joint[1, 1] <= alone[1, 1]
        assert found[a, b] == pytest.approx(0.0 if avoids else expected, abs=1e-12)


def test_related_topics_are_not_the_family() -> None:
    # 0 has children 1 and 2, 1 has child 3; 4 is a root with child 5.
    parent = [-1, 0, 0, 1, -1, 4]
    both = np.full((6, 6), 0.2)
    np.fill_diagonal(both, 0.25)
    found = related_topics(both, parent, 9)
    names = [{other for other, _ in row} for row in found]
    assert names == [{5}, {4, 5}, {3, 4, 5}, {2, 4, 5}, {1, 2, 3}, {0, 1, 2, 3}]


def test_pairs_in_documents() -> None:
    P = np.array([[0.5, 0.0, 1.0], [0.25, 1.0, 0.0]])
    both = together_in_documents(csr_array(P))
    expected = P.T @ P / 2
    np.fill_diagonal(expected, P.mean(axis=0))
    np.testing.assert_allclose(both, expected)


# ---- documents -----------------------------------------------------------------------------------


def test_a_sample_has_the_likeliest_of_each_topic() -> None:
    rng = np.random.default_rng(0)
    P = rng.random((5000, 7)) * (rng.random((5000, 7)) < 0.2)
    chosen = sample(csr_array(P), 400)
    assert len(chosen) == 400
    assert (np.diff(chosen) > 0).all()
    for column in P.T:
        assert set(np.argsort(-column)[:20]) <= set(chosen.tolist())
    np.testing.assert_array_equal(sample(csr_array(P), 5000), np.arange(5000))
    assert len(sample(csr_array(P), 3)) == 3


def test_memberships_in_the_page(learned: tuple[HLTA, Corpus]) -> None:
    model, corpus = learned
    topics = list(model.topics_)
    read = read_documents(model.tree_, topics, corpus, MOST_DOCUMENTS, None)
    header, arrays = about_documents(read, None, None)
    lowest, step = header["odds"]
    P = model.transform(corpus)
    for k in range(len(topics)):
        a, b = arrays["topics.start"][k : k + 2]
        documents = np.cumsum(arrays["topics"][a:b].astype(np.int64))
        assert documents.tolist() == np.flatnonzero(P[:, k] > 0.1).tolist()
        odds = lowest + step * arrays["topics.odds"][a:b]
        np.testing.assert_allclose(1 / (1 + np.exp(-odds)), P[documents, k], atol=2e-4)
    total = sum(len(text) for text in strings_of(arrays, "texts"))
    assert total <= 14_000_000 + 2 * len(corpus)


def strings_of(arrays: dict[str, Any], name: str) -> list[str]:
    ends = [0, *arrays[f"{name}.ends"].tolist()]
    data = arrays[name].tobytes()
    return [data[a:b].decode() for a, b in pairwise(ends)]


def test_links_lead_to_files_and_web_addresses_alone(
    learned: tuple[HLTA, Corpus], tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a b#.txt").write_text("x")
    (tmp_path / "secret").write_text("x")
    ids = [
        "a b#.txt",
        "https://example.org/1",
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        str(tmp_path / "secret"),
        "missing.txt",
        "nul\0",
        "http\n://x",
    ]
    model, corpus = learned
    some = Corpus(corpus.documents.take(np.arange(len(ids))), corpus.words, ids=ids)
    read = read_documents(model.tree_, list(model.topics_), some, 100, None)
    _, arrays = about_documents(read, tmp_path / "docs", tmp_path / "out" / "index.html")
    assert strings_of(arrays, "links") == [
        "../docs/a%20b%23.txt",
        "https://example.org/1",
        *[""] * 7,
    ]


# ---- the page ------------------------------------------------------------------------------------


class Parts(HTMLParser):
    """The policy, and what is inside of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.policy, self.inside, self.tags = "", {"script": [], "style": []}, []
        self._open: tuple[str, dict[str, str | None]] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        self._open = (tag, given) if tag in self.inside else None

    def handle_data(self, data: str) -> None:
        if self._open and self._open[1].get("type") != "application/octet-stream":
            self.inside[self._open[0]].append(data)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._open = None


def test_the_policy_lets_in_the_page_s_own_script_and_style(learned: tuple[HLTA, Corpus]) -> None:
    model, corpus = learned
    page = Parts(model.topics_.to_html(corpus=corpus, title="</title><script>"))
    assert page.policy.startswith("default-src 'none'; ")
    for kind in ("script", "style"):
        (text,) = page.inside[kind]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in page.policy
    assert not any("src" in given or "href" in given for _, given in page.tags)


def test_the_same_model_gives_the_same_page(learned: tuple[HLTA, Corpus], tmp_path: Path) -> None:
    model, corpus = learned
    one = model.topics_.to_html(tmp_path / "a.html", corpus=corpus, n_jobs=1)
    two = model.topics_.to_html(tmp_path / "b.html", corpus=corpus, n_jobs=3)
    assert one == two == (tmp_path / "a.html").read_text(encoding="utf-8")


def test_shares_by_period_and_group(learned: tuple[HLTA, Corpus]) -> None:
    model, corpus = learned
    page = model.topics_.to_html(corpus=corpus, most_documents=10)
    header, arrays = unpacked(re.search(r'id="topics">([^<]*)<', page)[1])
    P = model.transform(corpus)
    assert header["documents"] == 900
    assert header["periods"]["names"] == ["2001", "2002", "2003", "2004", "2005"]
    years = np.array([date[:4] for date in corpus.dates])
    groups = np.array(list(corpus.groups))
    for name, labels in (("periods", years), ("groups", groups)):
        shares = arrays[f"{name}.shares"].reshape(-1, P.shape[1])
        for k, part in enumerate(header[name]["names"]):
            assert header[name]["documents"][k] == (labels == part).sum()
            np.testing.assert_allclose(shares[k], P[labels == part].mean(axis=0), rtol=1e-5)
    assert sorted(header["groups"]["names"]) == ["a", "b"]


def test_ids_are_those_of_python(learned: tuple[HLTA, Corpus]) -> None:
    model, _ = learned
    header, _ = unpacked(re.search(r'id="topics">([^<]*)<', model.topics_.to_html())[1])
    assert [entry["id"] for entry in header["topics"]] == [topic.id for topic in model.topics_]
    ups = [t["parent"] for t in header["topics"]]
    ids = [t["id"] for t in header["topics"]]
    for topic, up in zip(model.topics_, ups, strict=True):
        assert (ids[up] if up >= 0 else None) == (topic.parent.id if topic.parent else None)


def test_topics_without_a_model_have_no_page(learned: tuple[HLTA, Corpus]) -> None:
    with pytest.raises(OptionError, match="know of no model"):
        TopicTree(learned[0].topics_.roots).to_html()
    with pytest.raises(OptionError, match="most_documents"):
        learned[0].topics_.to_html(corpus=learned[1], most_documents=0)


def test_notebooks_show_an_outline() -> None:
    tree = random_tree(0, 12, 6)
    names = tuple(f"<b>{k}" for k in range(12))
    tree = type(tree)(
        words=names,
        parent=tree.parent,
        level=tree.level,
        probability=tree.probability,
        allow_irregular=True,
    )
    topics = TopicTree.from_tree(tree, lowest_level=1)
    html = topics._repr_html_()
    assert html.count("<li") == len(topics)
    assert "<b>0" not in html
    assert "script" not in html


def test_long_documents_are_sampled(
    learned: tuple[HLTA, Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, corpus = learned
    topics = list(model.topics_)
    every = read_documents(model.tree_, topics, corpus, None, None)
    assert len(every.shown) == len(corpus)
    entries = len(corpus.documents.indices) + every.memberships.nnz
    monkeypatch.setattr(contents, "MOST_ENTRIES", entries // 3)
    some = read_documents(model.tree_, topics, corpus, None, None)
    assert len(some.shown) in (len(corpus) // 3 - 1, len(corpus) // 3)
