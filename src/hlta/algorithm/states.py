"""More than two states per latent variable, beyond the paper.

The structure is that of the binary model. Every latent variable gets K states: its background stays
state 0, and the others begin as copies of its state 1, made different at random. They are tied along
the tree, state k of a variable mostly under state k of its parent, so that at first all words
together decide which documents are in state k; EM then loosens the tie where the words want it. From
independent random starts EM takes several times as many steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import xlog1py, xlogy

from hlta.algorithm.em import (
    PSEUDO_COUNT,
    SHRINKAGE,
    batch_em,
    maximise,
    prior_counts,
    stepwise_em,
)
from hlta.errors import OptionError
from hlta.options import STATES_TRIED
from hlta.tree.counts import Workspace, e_step
from hlta.tree.inference import Inference
from hlta.tree.parameters import Parameters
from hlta.tree.validation import FLOOR, MAX_PROBABILITY, MIN_PROBABILITY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.tree.latent_tree import LatentTree

_NOISE: Final = 0.5  # standard deviation of the logarithm of odds and of weights
_TIE: Final = 0.9  # share of P(on | parent = k) that goes to state k itself, for k > 0
_EPOCHS: Final = 4  # passes of stepwise EM first, which moves fast from a random start
_BATCH: Final = 500  # documents per minibatch
_EXPONENT: Final = 0.6  # of its step size
_LEAST_BATCHES: Final = 10  # per epoch; with fewer, batch EM costs little and ends better
_STEPS: Final = 100  # of batch EM then, at most
_STEPS_BETWEEN: Final = 5  # looks at the documents held out
_TOLERANCE: Final = 5e-5  # stop when a step gains less than this share of the log-likelihood
_LAST_STEPS: Final = 10  # with all documents
_SHRINKAGE_BOUNDS: Final = (0.01, 300.0)
_DOCUMENTS_PER_STATE: Final = 10  # at least, when the number is chosen
_HELD_OUT: Final = 10  # one in ten documents, to choose the number of states
_MOST_HELD_OUT: Final = 10_000


class _Fitted(NamedTuple):
    """A tree, and how well it predicts documents that were held out."""

    tree: LatentTree
    log_likelihood: float  # mean over those documents
    shrinkage: float  # that of EM, with which it predicts them best


def learn_states(
    tree: LatentTree,
    documents: Documents,
    states: int | str,
    *,
    seed: np.random.SeedSequence,
    n_jobs: int | None = None,
    monitor: Monitor,
) -> LatentTree:
    """Give the latent variables of a binary tree more states, and learn all parameters again.

    `states` is their number, or "auto" for the best of `STATES_TRIED`. One document in ten is held
    out at first: how well they are predicted decides on the number and on the shrinkage, and ends EM
    before it overfits.
    """
    if states == 2:
        return tree
    if states != "auto" and int(states) > len(documents):
        raise OptionError(
            f"states={states}: there are only {len(documents):,} documents; use fewer states"
        )
    search = _Search(documents, seed, n_jobs)
    numbers = STATES_TRIED if states == "auto" else (int(states),)
    best = None if states != "auto" else search.without_more_states(tree)
    with monitor.stage("states", len(numbers) + 1):
        for number in numbers:
            if best is not None and number * _DOCUMENTS_PER_STATE > len(documents):
                break
            found = search.with_states(tree, number)
            monitor.advance()
            if best is not None and found.log_likelihood <= best.log_likelihood:
                break
            best = found
        if best is None or best.tree is tree:
            return tree
        steps, shrinkage = _LAST_STEPS, best.shrinkage
        return batch_em(best.tree, documents, steps=steps, shrinkage=shrinkage, n_jobs=n_jobs).tree


class _Search:
    """Learning with documents held out, which are the same for all numbers of states."""

    def __init__(
        self, documents: Documents, seed: np.random.SeedSequence, n_jobs: int | None
    ) -> None:
        self._seed, splitting = seed.spawn(2)
        order = np.random.default_rng(splitting).permutation(len(documents))
        held = min(max(1, len(documents) // _HELD_OUT), _MOST_HELD_OUT)
        self._held_out = documents.take(np.sort(order[:held]))
        self._documents = documents.take(np.sort(order[held:]))
        self._n_jobs = n_jobs

    def without_more_states(self, tree: LatentTree) -> _Fitted:
        scores = tree.log_likelihood(self._held_out, n_jobs=self._n_jobs)
        return _Fitted(tree, float(scores.mean()), SHRINKAGE)

    def with_states(self, tree: LatentTree, states: int) -> _Fitted:
        """EM for this number of states, until it no longer helps with the documents held out."""
        tree = self._warmed_up(add_states(tree, states, self._seed))
        parameters, prior = tree.parameters, None
        best, workspace = _Fitted(tree, -np.inf, SHRINKAGE), Workspace()
        for step in range(_STEPS + 1):
            inference = Inference.under(tree.numbering, parameters)
            counts = e_step(inference, self._documents, n_jobs=self._n_jobs, workspace=workspace)
            if step % _STEPS_BETWEEN == 0:
                held_out = e_step(inference, self._held_out, n_jobs=self._n_jobs)
                found = held_out.log_likelihood / len(self._held_out)
                gain = found - best.log_likelihood
                if gain > 0.0:
                    shrinkage = best_shrinkage(counts.word, held_out.word)
                    best = _Fitted(tree.with_probability(parameters), found, shrinkage)
                    prior = prior_counts(tree, self._documents, PSEUDO_COUNT, shrinkage)
                if gain < _STEPS_BETWEEN * _TOLERANCE * abs(found):
                    break
            parameters = maximise(counts.word, counts.latent, parameters, prior)
        return best

    def _warmed_up(self, tree: LatentTree) -> LatentTree:
        if len(self._documents) < _LEAST_BATCHES * _BATCH:
            return tree
        return stepwise_em(
            tree,
            self._documents,
            batch_size=_BATCH,
            exponent=_EXPONENT,
            epochs=_EPOCHS,
            seed=np.random.default_rng(self._seed),
            n_jobs=self._n_jobs,
        ).tree


def best_shrinkage(word: NDArray[np.float64], held_out: NDArray[np.float64]) -> float:
    """The `shrinkage` of `batch_em` under which counts of words predict those held out best.

    Both are float64 (n_words, K, 2), as in `Counts`.
    """
    share = (word[:, :, 1].sum(axis=1) / word.sum(axis=(1, 2)))[:, None]
    share = np.clip(share, FLOOR, 1.0 - FLOOR)
    present, total = word[:, :, 1] + PSEUDO_COUNT, word.sum(axis=2) + 2.0 * PSEUDO_COUNT

    def loss(log_shrinkage: float) -> float:
        shrinkage = np.exp(log_shrinkage)
        p = (present + shrinkage * share) / (total + shrinkage)
        return -float((xlogy(held_out[:, :, 1], p) + xlog1py(held_out[:, :, 0], -p)).sum())

    bounds = tuple(np.log(_SHRINKAGE_BOUNDS))
    return float(np.exp(minimize_scalar(loss, bounds=bounds, options={"xatol": 0.05}).x))


def add_states(tree: LatentTree, states: int, seed: np.random.SeedSequence) -> LatentTree:
    """The binary tree with `states` states per latent variable: copies of state 1, made different."""
    rng = np.random.default_rng(seed)
    _, word, latent = tree.parameters
    source = np.minimum(np.arange(states), 1)  # each state's in the binary tree
    odds = word[:, source] / (1.0 - word[:, source])
    odds[:, 1:] *= np.exp(rng.normal(0.0, _NOISE, (len(word), states - 1)))
    on = latent[:, source, 1]  # P(on | parent = j)
    weight = np.exp(rng.normal(0.0, _NOISE, (len(latent), states, states - 1)))
    shares = weight / weight.sum(axis=2, keepdims=True)
    shares[:, 1:] = (1.0 - _TIE) * shares[:, 1:] + _TIE * np.eye(states - 1)
    root = tree.root - tree.n_words
    shares[root] = shares[root, 0]
    rows = np.concatenate((latent[:, source, :1], on[:, :, None] * shares), axis=2)
    return tree.with_probability(
        Parameters(
            np.full(len(latent), states, dtype=np.int32),
            np.clip(odds / (1.0 + odds), MIN_PROBABILITY, MAX_PROBABILITY),
            _distributions(rows),
        )
    )


def _distributions(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows that sum to 1, all entries within their bounds."""
    bounded = np.maximum(rows, MIN_PROBABILITY)
    normalised: NDArray[np.float64] = bounded / bounded.sum(axis=-1, keepdims=True)
    return normalised
