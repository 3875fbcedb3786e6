"""Comparisons of topics: which correspond, how well, what is shown of them; `hlta compare`."""

import csv
import io
import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from hlta import HLTA, DocumentsError, LatentTree, OptionError, TopicTree
from hlta.topics import Comparison
from hlta.topics.comparison import Unpaired
from hlta.topics.correspondence import best_pairs, overlaps, shared_variances, word_shares
from tests import scanning
from tests.command import mistake, run
from tests.strategies import trees
from tests.synthetic import planted

seeds = st.integers(0, 10**6)


@given(trees(max_latents=4))
def test_words_tell_their_share_of_the_information(tree: LatentTree) -> None:
    topics = TopicTree.from_tree(tree, lowest_level=1, n_keywords=None)
    weights = word_shares(tree, None, topics).toarray()
    for row, topic in zip(weights, topics, strict=True):
        raised = {
            k.word: k.mutual_information for k in topic.keywords if k.p_topic > k.p_background
        }
        total = sum(raised.values())
        shares = [raised.get(word, 0.0) / total if total else 0.0 for word in tree.words]
        assert row == pytest.approx(shares)


def shares(rng: np.random.Generator, rows: int, columns: int) -> NDArray[np.float64]:
    """Rows that sum to 1, with many zeros; some are 0 throughout."""
    values = rng.random((rows, columns)) * (rng.random((rows, columns)) < 0.5)
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1e-12))


@given(seeds, st.integers(1, 5), st.integers(1, 5), st.integers(1, 7))
def test_overlaps_are_sums_of_the_smaller_shares(seed: int, n: int, m: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = shares(rng, n, columns), shares(rng, m, columns)
    slow = [[sum(min(x, y) for x, y in zip(a, b, strict=True)) for b in other] for a in one]
    found = overlaps(csr_array(one), csr_array(other))
    assert found == pytest.approx(np.array(slow))
    assert ((found >= 0.0) & (found <= 1.0)).all()


@given(seeds, st.integers(2, 30))
def test_shared_variances_are_squared_correlations(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = rng.random((n, 3)), rng.random((n, 2))
    correlation = np.corrcoef(one, other, rowvar=False)[:3, 3:]
    expected = np.where(correlation > 0.0, correlation**2, 0.0)
    assert shared_variances(one, other) == pytest.approx(expected, abs=1e-9)


@given(seeds, st.integers(1, 4), st.integers(1, 4), st.sampled_from([0.0, 0.3, 0.6]))
def test_no_other_pairs_are_better(seed: int, n: int, m: int, least: float) -> None:
    similarity = np.random.default_rng(seed).random((n, m))
    pairs = best_pairs(similarity, (np.ones(n), np.ones(m)), least)
    worth = np.where(similarity >= least, similarity, 0.0)
    if n > m:
        worth = worth.T
    rows = np.arange(min(n, m))
    best = max(worth[rows, list(some)].sum() for some in permutations(range(max(n, m)), min(n, m)))
    assert sum(similarity[pair] for pair in pairs) == pytest.approx(best)
    assert all(similarity[pair] >= least for pair in pairs)
    for side in zip(*pairs, strict=True):
        assert len(set(side)) == len(side)


def test_ties_go_to_topics_of_one_size() -> None:
    sizes = np.array([0.1, 0.2, 0.3, 0.4])
    other = np.array([2, 0, 3, 1])
    pairs = best_pairs(np.ones((4, 4)), (sizes, sizes[other]), 0.5)
    assert [other[j] for _, j in pairs] == [0, 1, 2, 3]


N_WORDS = 60


def topics_of(tree: LatentTree) -> TopicTree:
    return TopicTree.from_tree(tree, lowest_level=1)


def pairs_of(found: Comparison) -> dict[str, str]:
    return {pair.first.id: pair.second.id for pair in found.pairs}


def themes(*groups: list[int]) -> LatentTree:
    """Six topics of three words each, under as many others as there are groups, linked in a row."""
    n = 18
    tops = range(n + 6, n + 6 + len(groups))
    above = {topic: top for top, group in zip(tops, groups, strict=True) for topic in group}
    parent = [n + k // 3 for k in range(n)] + [above[k] for k in range(6)]
    parent += [-1, *tops[:-1]]
    level = [0] * n + [1] * 6 + [2] * len(groups)
    chance = [[0.05 + 0.01 * (k % 3), 0.5 + 0.1 * (k % 3)] for k in range(n)]
    chance += [[0.1, 0.7]] * 6 + [[0.3, 0.3], *[[0.2, 0.4]] * (len(groups) - 1)]
    return LatentTree([f"w{k}" for k in range(n)], parent, level, chance)


@pytest.mark.parametrize("seed", range(3))
def test_a_model_corresponds_to_itself(seed: int) -> None:
    tree = planted(N_WORDS, seed)
    p = tree.posteriors(tree.sample(100, seed=seed)).dense()
    topics = topics_of(tree)
    p = p[:, [tree.latent_names.index(topic.id) for topic in topics]]
    for memberships in (None, (p, p)):
        found = topics.compare(topics, memberships=memberships, least=1.0 - 1e-9)
        assert pairs_of(found) == {topic.id: topic.id for topic in topics}
        assert all(pair.is_same and pair.gained == pair.lost == () for pair in found.pairs)
        assert found.only_first == found.only_second == found.joined == found.split == []
        assert found.words_only_first == found.words_only_second == set()


@pytest.mark.parametrize("seed", range(3))
def test_the_reverse_comparison_is_the_reverse(seed: int) -> None:
    first, second = (topics_of(planted(N_WORDS, k)) for k in (seed, seed + 50))
    found, reverse = first.compare(second), second.compare(first)
    assert found.pairs
    assert found.joined + found.split
    seen = {
        (p.second.id, p.first.id, round(p.similarity, 9), p.lost, p.gained, p.moved)
        for p in found.pairs
    }
    assert seen == {
        (p.first.id, p.second.id, round(p.similarity, 9), p.gained, p.lost, p.moved)
        for p in reverse.pairs
    }
    for one, other in (
        (found.only_first, reverse.only_second),
        (found.only_second, reverse.only_first),
        (found.joined, reverse.split),
        (found.split, reverse.joined),
    ):
        assert [u.topic.id for u in one] == [u.topic.id for u in other]
        assert [u.similarity for u in one] == pytest.approx([u.similarity for u in other])


def test_topics_that_are_less_alike_than_asked_do_not_correspond() -> None:
    first, second = topics_of(planted(N_WORDS, 0)), topics_of(planted(N_WORDS, 50))
    similarity = [pair.similarity for pair in first.compare(second).pairs]
    assert similarity == sorted(similarity)  # those that changed most come first
    middle = float(np.median(similarity))
    found = first.compare(second, least=middle)
    assert min(pair.similarity for pair in found.pairs) >= middle
    assert len(found.pairs) + len(found.only_first) + len(found.joined) == len(first)
    assert len(found.pairs) + len(found.only_second) + len(found.split) == len(second)
    assert all(one.similarity < middle for one in found.only_first + found.only_second)
    assert all(one.similarity >= middle for one in found.joined + found.split)


def test_words_that_one_model_does_not_know_are_lost() -> None:
    tree = themes([0, 1, 2], [3, 4, 5])
    words = [f"new{k}" if k in {0, 3, 4, 5} else word for k, word in enumerate(tree.words)]
    other = LatentTree(words, tree.parent, tree.level, tree.probability)
    found = topics_of(tree).compare(topics_of(other))
    pair = next(pair for pair in found.pairs if pair.first.id == "Z1-1")
    assert (set(pair.lost), set(pair.gained)) == ({"w0"}, {"new0"})
    kept = topics_of(tree)["Z1-1"].keywords
    total = sum(keyword.mutual_information for keyword in kept)
    expected = sum(k.mutual_information for k in kept if k.word != "w0") / total
    assert pair.by_words == pair.similarity == pytest.approx(expected)
    assert [one.topic.id for one in found.only_first] == ["Z1-2"]
    assert found.only_first[0].nearest is None
    assert found.words_only_first == {"w0", "w3", "w4", "w5"}
    assert found.words_only_second == {"new0", "new3", "new4", "new5"}


def test_a_topic_under_another_one_has_moved() -> None:
    before, after = themes([0, 1, 2], [3, 4, 5]), themes([0, 1], [2, 3, 4, 5])
    found = topics_of(before).compare(topics_of(after))
    assert {pair.first.id for pair in found.pairs if pair.moved} == {"Z1-3"}
    moved = next(pair for pair in found.pairs if pair.moved)
    assert moved.by_words > 0.99
    assert not moved.is_same


def test_with_documents_both_count() -> None:
    trees = planted(N_WORDS, 0), planted(N_WORDS, 50)
    topics = [topics_of(tree) for tree in trees]
    X = trees[0].sample(200, seed=0)
    p = [
        tree.posteriors(X).dense()[:, [tree.latent_names.index(one.id) for one in chosen]]
        for tree, chosen in zip(trees, topics, strict=True)
    ]
    found = topics[0].compare(topics[1], memberships=(p[0], p[1]))
    assert found.pairs
    columns = [{one.id: k for k, one in enumerate(chosen)} for chosen in topics]
    for pair in found.pairs:
        one, other = p[0][:, columns[0][pair.first.id]], p[1][:, columns[1][pair.second.id]]
        assert pair.by_documents == pytest.approx(np.corrcoef(one, other)[0, 1] ** 2)
        assert pair.similarity**2 == pytest.approx(pair.by_words * (pair.by_documents or 0.0))


def test_models_without_a_common_word_are_compared_by_documents_alone() -> None:
    tree = themes([0, 1, 2], [3, 4, 5])
    foreign = LatentTree([f"mot{k}" for k in range(18)], tree.parent, tree.level, tree.probability)
    topics, others = topics_of(tree), topics_of(foreign)
    with pytest.raises(OptionError, match="no word in common; compare them by documents"):
        topics.compare(others)
    order = [tree.latent_names.index(topic.id) for topic in topics]
    p = tree.posteriors(tree.sample(100, seed=1)).dense()[:, order]
    found = topics.compare(others, memberships=(p, p))
    assert pairs_of(found) == {topic.id: topic.id for topic in topics}


P = np.random.default_rng(0).random((5, 8))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"least": 1.5}, OptionError, "least=1.5"),
        ({"memberships": (P, P[:, :7])}, DocumentsError, "second memberships"),
        ({"memberships": (2 * P, P)}, DocumentsError, "first memberships"),
        ({"memberships": (np.nan * P, P)}, DocumentsError, "first memberships"),
        ({"memberships": (P[0], P)}, DocumentsError, "first memberships"),
        ({"memberships": (P, P[:4])}, DocumentsError, "of 5 and 4 documents"),
        ({"memberships": (P, 0 * P)}, DocumentsError, "are the same to the second model"),
        ({"memberships": (P[:0], P[:0])}, DocumentsError, "are the same to the first model"),
    ],
)
def test_mistakes_are_told(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    topics = topics_of(themes([0, 1, 2], [3, 4, 5]))
    with pytest.raises(error, match=message):
        topics.compare(topics, **arguments)


def test_other_things_than_topics_are_refused() -> None:
    topics = topics_of(themes([0, 1, 2], [3, 4, 5]))
    for other in (topics.model, topics.flat([]), TopicTree(topics.roots)):
        with pytest.raises(OptionError):
            topics.compare(other)  # type: ignore[arg-type]


LATER = ["deep neural nets", "dark matter in galaxies", "boats and ships"]
SHOWN = """\
Topics: 2 in both (1 unchanged), 1 only in A, 1 only in B
Words: 3 only in A, 3 only in B, marked with a star

Only in A
  [0.34] apples and pears; like no other

Only in B
  [0.34] boats and ships; like no other

Changed, most changed first (similarity [mean share in A -> mean share in B] titles \
+ words gained - words lost)
  0.67 [0.33 -> 0.33] deep neural networks -> deep neural nets  + nets*  - networks*"""


@pytest.fixture(scope="module")
def found(of_themes: HLTA) -> Comparison:
    """One topic is the same, one changed, one is gone, one is new."""
    return of_themes.topics_.compare(HLTA(samples=1).fit(LATER * 20).topics_)


@pytest.fixture(scope="module")
def large() -> Comparison:
    """Many topics, some only in one model; by documents, too; two share their counterpart."""
    samples = (planted(60, seed).sample(500, seed=seed) for seed in (0, 50))
    first, second = (HLTA(samples=1, lowest_level=1).fit(sample) for sample in samples)
    X = planted(60, 1).sample(100, seed=3)
    memberships = (first.transform(X), second.transform(X))
    found = first.topics_.compare(second.topics_, memberships=memberships, least=0.5)
    pair, other = found.pairs[:2]
    joined, split = (pair.first, other.second, 0.6), (other.second, pair.first, 0.7)
    return replace(found, joined=[Unpaired(*joined)], split=[Unpaired(*split)])


def test_the_text_shows_what_differs(found: Comparison) -> None:
    assert found.to_text(names=("A", "B")) == SHOWN
    expected = "2 pairs, 0 joined, 0 split, 1 topic only in the first, 1 only in the second"
    assert repr(found) == f"Comparison({expected})"
    assert str(found) == SHOWN.replace("in A", "in the first").replace("in B", "in the second")


def test_long_parts_are_counted(large: Comparison) -> None:
    lines = large.to_text(most=2).splitlines()
    assert len(large.only_first) > 2
    assert f"  and {len(large.only_first) - 2} more" in lines
    assert f"  and {len(large.pairs) - 2} more" in lines
    assert not any(line.endswith(" more") for line in large.to_text(most=1000).splitlines())
    with pytest.raises(OptionError, match="most=0"):
        large.to_text(most=0)


def test_topics_that_share_a_counterpart_have_parts(large: Comparison, found: Comparison) -> None:
    shown = large.to_text(names=("A", "B"))
    of_a = "each of these topics of A is like a topic of B that is paired with another topic of A"
    of_b = "each of these topics of B is like a topic of A that is paired with another topic of B"
    assert {f"Joined: {of_a}", f"Split: {of_b}"} <= set(shown.splitlines())
    (one,), (other,) = large.joined, large.split
    assert f"  {one.topic}; nearest, 0.60: {other.topic.title}" in shown.splitlines()
    assert f"  {other.topic}; nearest, 0.70: {one.topic.title}" in shown.splitlines()
    same = found.pairs[-1]
    assert same.is_same
    moved = str(replace(found, pairs=[*found.pairs[:-1], replace(same, moved=True)]))
    assert moved.endswith(f"{same.first.title} (moved)")


def test_rows_hold_pairs_and_what_is_in_one_only(large: Comparison, tmp_path: Path) -> None:
    rows = large.to_dicts()
    kinds = ("both", "first", "second", "joined", "split")
    parts = {which: [row for row in rows if row["in"] == which] for which in kinds}
    assert sum(map(len, parts.values())) == len(rows)
    for row, pair in zip(parts["both"], large.pairs, strict=True):
        assert (row["first"], row["second"]) == (pair.first.id, pair.second.id)
        assert (row["similarity"], row["by_documents"]) == (pair.similarity, pair.by_documents)
        assert (row["gained"], row["lost"]) == (" ".join(pair.gained), " ".join(pair.lost))
    for kind, which, other, alone in (
        ("first", "first", "second", large.only_first),
        ("second", "second", "first", large.only_second),
        ("joined", "first", "second", large.joined),
        ("split", "second", "first", large.split),
    ):
        for row, one in zip(parts[kind], alone, strict=True):
            assert (row[which], row["similarity"]) == (one.topic.id, one.similarity)
            assert row[other] == (one.nearest and one.nearest.id)
    assert large.to_polars().to_dicts() == rows
    text = large.to_csv(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == text
    assert [row["in"] for row in csv.DictReader(io.StringIO(text))] == [row["in"] for row in rows]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A model of all texts, and one of most of them."""
    folder = tmp_path_factory.mktemp("models")
    HLTA(samples=1).fit(scanning.TEXTS).save(folder / "first.hlta")
    some = [text for text in scanning.TEXTS if "deep" not in text]
    HLTA(samples=1).fit(some).save(folder / "second.hlta")
    return folder / "first.hlta", folder / "second.hlta"


def test_what_differs_is_printed_or_written(models: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = (HLTA.load(path).topics_ for path in models)
    names = (repr(str(models[0])), repr(str(models[1])))
    done = run("compare", *models)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == first.compare(second).to_text(names=names) + "\n"
    columns = f"similarity [mean share in {names[0]} -> mean share in {names[1]}] titles"
    assert f"Changed, most changed first ({columns}" in done.stdout
    strict = run("compare", *models, "--least", 0.99, "--number", 1).stdout
    assert strict == first.compare(second, least=0.99).to_text(most=1, names=names) + "\n"
    assert "Only in" in strict
    target = tmp_path / "both.csv"
    done = run("compare", *models, "-o", target)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote {target}\n")
    assert target.read_text() == first.compare(second).to_csv()


def test_each_model_reads_the_documents_itself(models: tuple[Path, Path], texts_file: Path) -> None:
    rows = json.loads(run("compare", *models, texts_file, "--json").stdout)
    one, other = (HLTA.load(path) for path in models)
    shares = one.transform(scanning.TEXTS), other.transform(scanning.TEXTS)
    assert rows == one.topics_.compare(other.topics_, memberships=shares).to_dicts()
    assert rows[0]["by_documents"] > 0.5


@pytest.fixture(scope="module")
def odd(models: tuple[Path, Path]) -> Path:
    """A folder with documents in another language, a model of another matrix, and a tree alone."""
    folder = models[0].parent
    (folder / "strange").write_text("der Hund\ndie Katze\n")
    HLTA(samples=1).fit(np.eye(8, dtype=int)[np.arange(80) % 8]).save(folder / "foreign")
    HLTA.load(models[0]).tree_.save(folder / "tree")
    return folder


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{other}", "-"], "standard input can be read only once"),
        (["{other}", "nowhere"], "'nowhere' does not exist"),
        (["{other}", "--text", "body"], "--text applies to documents, and none are given"),
        (["{other}", "--least", 2], "--least 2.0: use a number, from 0 to 1"),
        (["{other}", "{odd}/strange"], "all documents are the same to the first model"),
        (["{other}", "-o", "x.csv", "--json"], "--output writes a table, and --json prints JSON"),
        (["{odd}/foreign"], "the two models have no word in common"),
        (["{odd}/foreign", "{texts}"], "was learned from a matrix and cannot read texts"),
        (["{odd}/tree"], "holds a tree alone"),
        (["{texts}"], "is not a model; to learn one from documents, run `hlta fit"),
    ],
)
def test_mistakes_are_a_line(
    arguments: list[str], message: str, models: tuple[Path, Path], odd: Path, texts_file: Path
) -> None:
    places = {"other": models[1], "texts": texts_file, "odd": odd}
    asked = (str(argument).format(**places) for argument in arguments)
    assert message in mistake("compare", models[0], *asked)
