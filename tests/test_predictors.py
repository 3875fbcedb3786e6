"""The comparison's models: what they predict by hand, peers on planted topics, CorEx as a tree."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.decomposition import LatentDirichletAllocation

from benchmarks.cells import is_installed
from benchmarks.compare import methods
from benchmarks.compare.corex import Layer, as_tree
from benchmarks.compare.corpora import Split
from benchmarks.compare.methods import METHODS
from benchmarks.compare.predictors import GIVEN, Topics, Tree
from tests.strategies import many_states, random_tree


@pytest.mark.parametrize("most", [2, 4])
@pytest.mark.parametrize("seed", range(5))
def test_words_held_back_by_enumeration(seed: int, most: int) -> None:
    """Half of the present words are given: P(word there and held back | given ones, no other given)."""
    tree = random_tree(seed, 6, 3)
    tree = tree if most == 2 else many_states(tree, seed, most=most)
    n = tree.n_words
    everything = np.array(list(product((0, 1), repeat=n)))
    p = np.exp(tree.log_likelihood(everything))
    given = [np.array([1, 4]), np.array([], dtype=int), np.array([0, 2, 5])]
    found = Tree(tree)(given)
    for row, words in zip(found, given, strict=True):
        fits = everything[:, words].all(axis=1)
        weight = p * fits * GIVEN ** everything.sum(axis=1)
        for word in set(range(n)) - set(words.tolist()):
            expected = weight[everything[:, word] == 1].sum() / weight.sum()
            assert row[word] == pytest.approx(expected)


def test_lda_infers_as_scikit_learn_does() -> None:
    rng = np.random.default_rng(0)
    X = csr_array((rng.random((200, 30)) < 0.3).astype(float))
    model = LatentDirichletAllocation(6, random_state=0, max_iter=3).fit(X)
    phi = model.components_ / model.components_.sum(axis=1, keepdims=True)
    topics = Topics(phi, model.exp_dirichlet_component_, np.full(6, model.doc_topic_prior_))
    words = [X.indices[X.indptr[d] : X.indptr[d + 1]] for d in range(5)]
    shares = np.array([topics.shares(w) for w in words])
    np.testing.assert_allclose(shares, model.transform(X[:5]), atol=5e-3)
    np.testing.assert_allclose(topics(words), shares @ phi)


PEERS = ["lda-tomotopy-bin", "ncrp-bin", "lda-sklearn-bin", "corex"]


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_peers_learn_what_is_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two topics, learned by each: words of both, and a word is predicted by those it goes with."""
    method = METHODS[name]
    if not is_installed(method.package):
        pytest.skip(f"needs {method.package}")
    monkeypatch.setattr(methods, "_ITERATIONS", 100)
    monkeypatch.setattr(methods, "_WORKERS", 1)
    rng = np.random.default_rng(0)
    topic = rng.integers(2, size=400)
    p = np.where(np.arange(16) // 8 == topic[:, None], 0.6, 0.03)
    X = csr_array((rng.random((400, 16)) < p).astype(int))
    words = [f"w{k:02}" for k in range(16)]
    learned = method.run(Split("news-1k", X, X, words), 8, 0)
    assert learned.topics
    assert all(set(t.words) <= set(words) and t.level in (1, 2, 3) for t in learned.topics)
    of_one = {frozenset(w < "w08" for w in t.words[:3]) for t in learned.topics}
    assert {frozenset({True}), frozenset({False})} <= of_one
    left, right = learned.predict([np.array([0, 1]), np.array([8, 9])])
    assert left[2:8].sum() > 3 * left[10:].sum()
    assert right[10:].sum() > 3 * right[2:8].sum()


def test_corex_as_a_tree() -> None:
    rng = np.random.default_rng(0)
    X = (rng.random((500, 6)) < 0.4).astype(float)
    on = rng.random((500, 3))
    on[:, 2] = 0.5  # nothing belongs to it
    first = Layer(X, on, np.array([0, 0, 0, 1, 1, 1]))
    labels = (on > 0.5).astype(float)
    top = rng.random((500, 2))
    tree = as_tree([f"w{k}" for k in range(6)], [first, Layer(labels, top, np.array([0, 1, 1]))])
    assert [len(level) for level in tree.levels] == [6, 2, 2]
    for word, latent in ((0, 0), (5, 1)):
        for state, weight in enumerate((1 - on[:, latent], on[:, latent])):
            expected = (X[:, word] * weight).sum() / weight.sum()
            assert tree.probability[word, state] == pytest.approx(expected)
    latents = tree.levels[1]
    given = (labels[:, 1] * top[:, 1]).sum() / top[:, 1].sum()
    assert tree.probability[latents[1], 1] == pytest.approx(given)
    assert tree.marginals[tree.levels[2]] == pytest.approx(top.mean(axis=0))
    # The tops are independent.
    assert tree.probability[tree.levels[2], 0] == pytest.approx(tree.probability[tree.levels[2], 1])
