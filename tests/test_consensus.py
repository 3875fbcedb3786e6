"""Consensus: partitions that votes agree on, vectors of words that help them, and the tree over them."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from hlta import LatentTree
from hlta.documents.given_matrices import as_documents
from hlta.learning import embedding
from hlta.learning.consensus import find_islands, find_partitions, find_roots, levels_between
from hlta.learning.embedding import embed_words, leading
from hlta.learning.given_structure import fit_tree
from hlta.learning.seeds import Seeds
from hlta.learning.votes import Vote, stability, word_stability, word_vectors
from hlta.monitor import Monitor
from tests.jobs import on_jobs
from tests.synthetic import VOTED, cast_votes, in_root_topics, planted

ISLANDS, _, TOPS = VOTED


def test_votes_that_agree_win_and_many_come_nearer_to_the_truth_than_one() -> None:
    whole = find_partitions(cast_votes(1, share=0.0), n_top=3)
    assert [adjusted_rand_score(*pair) for pair in zip(whole, VOTED, strict=True)] == [1.0] * 3
    many, one = (find_partitions(cast_votes(count), n_top=3) for count in (40, 1))
    assert adjusted_rand_score(many[0], ISLANDS) > 0.9 > adjusted_rand_score(one[0], ISLANDS)
    assert adjusted_rand_score(find_roots(word_vectors(cast_votes(40)), 3), TOPS) == 1.0


@pytest.mark.parametrize("n_top", [1, 3, 8, 100])
def test_each_partition_joins_parts_of_the_one_before(n_top: int) -> None:
    partitions = find_partitions(cast_votes(10), n_top=n_top)
    for fine, coarse in pairwise(partitions):
        assert len(np.unique(np.column_stack((fine, coarse)), axis=0)) == len(np.unique(fine))
        assert len(np.unique(coarse)) < len(np.unique(fine))
    assert len(np.unique(partitions[-1])) <= n_top
    assert np.bincount(partitions[0]).min() >= 2


def test_the_order_of_words_and_votes_changes_nothing() -> None:
    cast, order = cast_votes(12), np.random.default_rng(5).permutation(len(ISLANDS))
    other = [Vote(tuple(p[order] for p in vote.topics)) for vote in cast[::-1]]
    both = zip(find_partitions(cast, n_top=4), find_partitions(other, n_top=4), strict=True)
    for one, two in both:
        assert adjusted_rand_score(one[order], two) == 1.0


@pytest.mark.parametrize("n", [2, 3, 5])
def test_few_words_are_one_island(n: int) -> None:
    parts = find_partitions([Vote((np.arange(n),))], n_top=2)
    assert [p.tolist() for p in parts] == [[0] * n]


def test_what_is_beside_words_decides_where_votes_say_little() -> None:
    """Five votes, 70% of which are chance."""
    vectors = embed_words(as_documents(in_root_topics()), monitor=Monitor())
    votes = cast_votes(5, share=0.7)
    alone, both = (find_partitions(votes, n_top=3, embedding=each)[-1] for each in (None, vectors))
    assert adjusted_rand_score(both, TOPS) > 0.7 > adjusted_rand_score(alone, TOPS)


def test_roots_keep_to_seeds() -> None:
    together, apart = frozenset({0, 41, 82}), frozenset({1, 2, 3, 4, 5})
    seeds = Seeds((together, frozenset({0, 41})), (apart,))
    found = find_roots(word_vectors(cast_votes(20)), 3, seeds)
    assert len(set(found[list(together)])) == 1
    assert len(set(found[list(apart)])) == len(apart)
    assert np.bincount(found).min() >= 2


def test_an_island_follows_most_of_its_words_but_not_those_of_seeds() -> None:
    rows = sparse.csr_array(np.repeat(np.eye(4), 3, axis=0))  # four islands of three words
    roots_of_words = np.array([0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    islands, roots = find_islands(rows, roots_of_words)
    assert islands.tolist() == np.repeat(islands[::3], 3).tolist()
    assert roots.tolist() == [0] * 6 + [1] * 6
    islands, roots = find_islands(rows, roots_of_words, Seeds((frozenset({2, 6, 7}),)))
    assert len({*islands[[2, 6, 7]].tolist()}) == 1
    assert roots[3] != roots[6]
    islands, roots = find_islands(rows, roots_of_words, Seeds(apart=(frozenset({1, 2}),)))
    assert islands[1] != islands[2]
    assert roots[1] != roots[2]


def test_levels_join_what_is_alike_within_root_topics_only() -> None:
    """Two root topics of 12 islands each; three and three of these are alike."""
    rng = np.random.default_rng(0)
    near = np.repeat(np.arange(8), 6) * 10.0 + rng.random(48) / 10.0
    rows = sparse.csr_array(np.column_stack((near, np.ones(48))))
    islands, roots = np.arange(48) // 2, np.arange(48) // 24
    (level,) = levels_between(rows, islands, roots)
    whole = np.unique(np.column_stack((level, np.arange(48) // 6)), axis=0)
    assert len(whole) == 8  # each three are whole
    assert len(np.unique(level)) == 5
    other = np.where(islands == 1, 1, roots)  # the second island is of the other root topic now
    (level,) = levels_between(rows, islands, other)
    assert level[0] != level[2]


def test_a_seed_is_alone_where_it_becomes_whole() -> None:
    rows = word_vectors(cast_votes(20))
    inner, whole = frozenset({0, 1, 40}), frozenset({0, 1, 40, 70, 71})
    seeds = Seeds((whole, inner, whole - inner))
    islands, roots = find_islands(rows, find_roots(rows, 3, seeds), seeds)
    levels = levels_between(rows, islands, roots, seeds)
    assert len(levels) >= 2
    for level, words in zip(levels, (inner, whole), strict=False):
        beside = np.flatnonzero(level == level[0])
        assert words <= set(beside.tolist())
        assert {*islands[beside]} == {*islands[list(words)]}


@pytest.mark.parametrize("n_small", [10, 500])
def test_leading_eigenvectors_are_found(n_small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "_SMALL", n_small)
    n, rng = 80, np.random.default_rng(1)
    turn = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = np.concatenate(([5.0, 4.0, 3.5], np.linspace(0.5, 0.0, n - 3)))
    found = leading((turn * values @ turn.T).astype(np.float32), 3)
    expected = turn[:, :3] * values[:3] @ turn[:, :3].T
    np.testing.assert_allclose(found @ found.T, expected, atol=1e-5)


def test_themes_have_like_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs of words, those that meet, or the best partners of each."""
    documents, same = as_documents(in_root_topics()), TOPS[:, None] == TOPS
    one, two = (on_jobs(n, embed_words, documents, monitor=Monitor()) for n in (1, 2))
    np.testing.assert_array_equal(one, two)
    alike = []
    for name, value in (("_FEW", 0.0), ("_FEW", 1.0), ("_SMALL", 10), ("MOST_AT_ONCE", 10)):
        monkeypatch.setattr(embedding, name, value)
        vectors = embed_words(documents, monitor=Monitor())
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-9)
        alike.append(vectors @ vectors.T)
    for other in alike[1:3]:
        np.testing.assert_allclose(other, alike[0], atol=1e-3)
    whole, *_, partners = (close[same].mean() - close[~same].mean() for close in alike)
    assert whole > 0.3
    assert partners > 0.5 * whole


WORDS = tuple(f"w{k}" for k in range(12))
FINE = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])


def tree_over(*partitions: np.ndarray) -> LatentTree:
    X = (np.random.default_rng(0).random((200, 12)) < 0.3).astype(np.int8)
    return fit_tree(list(partitions), as_documents(X), WORDS)


def test_parts_become_latent_variables_above_their_words() -> None:
    tree = tree_over(FINE, FINE // 2)
    assert tree.words == WORDS
    assert [len(nodes) for nodes in tree.levels] == [12, 4, 2]
    np.testing.assert_array_equal(tree.parent[:12], 12 + FINE)
    assert tree.parent[12:16].tolist() == [16, 16, 17, 17]
    assert sorted(tree.parent[16:].tolist())[0] == -1
    assert tree_over(np.zeros(12, dtype=int)).n_latents == 1
    X = np.zeros((50, 12), dtype=np.int8)
    X[:, 3:5] = 1  # words that no document has, and those in all, do no harm
    assert np.isfinite(fit_tree([FINE, FINE // 2], as_documents(X), WORDS).log_likelihood(X)).all()


def test_a_part_that_stays_the_same_is_one_topic_and_a_single_word_none() -> None:
    tree = tree_over(FINE, np.array([0] * 6 + [1] * 3 + [2] * 3))
    assert [len(nodes) for nodes in tree.levels] == [12, 2, 3]
    np.testing.assert_array_equal(tree.level[12:], [1, 1, 2, 2, 2])
    top = tree.levels[2]
    assert all(tree.parent[v] in (-1, *top) for v in top)
    fine = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4])
    tree = tree_over(fine, np.array([0] * 6 + [1] * 6))
    assert tree.level[tree.parent[11]] == 2
    assert [len(nodes) for nodes in tree.levels] == [12, 4, 2]


@pytest.mark.parametrize("seed", range(3))
def test_a_known_structure_is_fitted_about_as_well_as_its_own_parameters(seed: int) -> None:
    truth = planted(150, seed)
    train, test = (truth.sample(n, seed=seed + n).toarray() for n in (3000, 1000))
    above, partitions = truth.parent[:150], []
    for _ in truth.levels[1:]:
        partitions.append(np.unique(above, return_inverse=True)[1])
        above = truth.parent[above]
    tree = fit_tree(partitions, as_documents(train), truth.words)
    independent = train.mean(axis=0).clip(1e-4, 1 - 1e-4)
    floor = (test @ np.log(independent) + (1 - test) @ np.log(1 - independent)).mean()
    best, found = truth.log_likelihood(test).mean(), tree.log_likelihood(test).mean()
    assert (found - floor) / (best - floor) > 0.9


def similarity(cast: list[Vote]) -> np.ndarray:
    """Slowly: half for an island, the other half for the share of upper levels."""
    n = len(cast[0].topics[0])
    out = np.zeros((n, n))
    for vote in cast:
        lowest, *upper = vote.topics
        for i in range(n):
            for j in range(n):
                above = np.mean([p[i] == p[j] for p in upper]) if upper else lowest[i] == lowest[j]
                out[i, j] += 0.5 * (lowest[i] == lowest[j]) + 0.5 * above
    return out / len(cast)


@pytest.mark.parametrize("depth", [1, 3])
def test_products_of_vectors_are_how_often_and_how_closely_words_meet(depth: int) -> None:
    cast = [Vote(vote.topics[:depth]) for vote in cast_votes(2)]
    vectors = word_vectors(cast)
    np.testing.assert_allclose((vectors @ vectors.T).toarray(), similarity(cast))


def test_stability_is_the_mean_overlap_with_the_topic_most_alike() -> None:
    parent = [*[7] * 3, *[8] * 4, -1, 7]
    tree = LatentTree(tuple("abcdefg"), parent, [0] * 7 + [1, 1], np.full((9, 2), 0.3))
    same = Vote((np.array([0, 0, 0, 1, 1, 1, 1]),))
    other = Vote((np.array([0, 0, 1, 1, 1, 2, 2]), np.array([0, 0, 0, 0, 0, 1, 1])))
    found = stability(tree, [same, other])
    words = word_stability(tree, [same, other])
    assert words.tolist() == [[1.0, 1.0, 0.5, 0.5, 0.5, 1.0, 1.0]]  # the likes are ab and fg
    assert found[0] == pytest.approx((1 + 2 / 3) / 2)  # abc: ab
    assert found[1] == pytest.approx((1 + 2 / 4) / 2)  # defg: fg
