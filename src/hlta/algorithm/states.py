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

from hlta.algorithm.em import SHRINKAGE, batch_em, stepwise_em
from hlta.errors import OptionError
from hlta.options import AUTO_PRESENCES, STATES_TRIED
from hlta.tree.parameters import MAX_PROBABILITY, MIN_PROBABILITY, Parameters
from hlta.tree.state_order import order_states

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
_LAST_BATCH: Final = 1000  # documents per minibatch, where there are too many for steps of batch EM
_SHRINKAGES: Final = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
_TRIAL: Final = 8  # states with which the shrinkage is chosen
_FORGETTING_STEPS: Final = 30
_DOCUMENTS_PER_STATE: Final = 10  # at least, when the number is chosen
_HELD_OUT: Final = 10  # one in ten documents, to choose the number of states
_MOST_HELD_OUT: Final = 10_000
_MOST_SEARCHED: Final = 50_000  # of the other documents


class _Fitted(NamedTuple):
    """A tree, and how well it predicts documents that were held out."""

    tree: LatentTree
    log_likelihood: float  # mean over those documents


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
    number = None if states == "auto" else int(states)
    search = _Search(tree, documents, seed, n_jobs, monitor)
    with monitor.stage("states"):
        shrinkage = search.best_shrinkage(min(number or _TRIAL, _TRIAL))
        best = search.with_states(number, shrinkage) if number else search.best_number(shrinkage)
        if number is None:
            found = 2 if best is None else best.tree.parameters.most_states
            monitor.note(f'states="auto": {found} states per latent variable')
        if best is None:
            return tree
        finished = _with_all_documents(best.tree, documents, shrinkage, seed, n_jobs)
    return order_states(finished)


def _with_all_documents(
    tree: LatentTree,
    documents: Documents,
    shrinkage: float,
    seed: np.random.SeedSequence,
    n_jobs: int | None,
) -> LatentTree:
    """A few last steps of EM; one pass of stepwise EM where there are too many documents for that."""
    if len(documents.indices) <= AUTO_PRESENCES:
        return batch_em(tree, documents, steps=_LAST_STEPS, shrinkage=shrinkage, n_jobs=n_jobs).tree
    return stepwise_em(
        tree,
        documents,
        batch_size=_LAST_BATCH,
        epochs=1,
        shrinkage=shrinkage,
        seed=np.random.default_rng(seed.spawn(1)[0]),
        n_jobs=n_jobs,
    ).tree


class _Search:
    """Learning with documents held out, the same ones for all numbers of states."""

    def __init__(
        self,
        tree: LatentTree,
        documents: Documents,
        seed: np.random.SeedSequence,
        n_jobs: int | None,
        monitor: Monitor,
    ) -> None:
        self._n_jobs, self._monitor = n_jobs, monitor
        self._found: dict[tuple[int, float], _Fitted] = {}
        self._seed, splitting = seed.spawn(2)
        order = np.random.default_rng(splitting).permutation(len(documents))
        held = min(max(1, len(documents) // _HELD_OUT), _MOST_HELD_OUT)
        self._held_out = documents.take(np.sort(order[:held]))
        self._documents = documents.take(np.sort(order[held : held + _MOST_SEARCHED]))
        # The tree knows the documents held out; EM on the others makes it forget them.
        self._tree = self._em(tree, _FORGETTING_STEPS, SHRINKAGE)

    def best_shrinkage(self, states: int) -> float:
        """Climb from the middle of `_SHRINKAGES`, up or else down, while prediction gets better."""
        best = middle = len(_SHRINKAGES) // 2
        for direction in (1, -1):
            while 0 <= (rival := best + direction) < len(_SHRINKAGES):
                one, other = (self.with_states(states, _SHRINKAGES[k]) for k in (rival, best))
                if one.log_likelihood <= other.log_likelihood:
                    break
                best = rival
            if best != middle:
                break
        return _SHRINKAGES[best]

    def best_number(self, shrinkage: float) -> _Fitted | None:
        """Try more and more states, while they predict better; None if two states are best."""
        best, least = None, self._scored(self._tree).log_likelihood
        for states in STATES_TRIED:
            if states * _DOCUMENTS_PER_STATE > len(self._documents):
                break
            found = self.with_states(states, shrinkage)
            if found.log_likelihood <= least:
                break
            best, least = found, found.log_likelihood
        return best

    def with_states(self, states: int, shrinkage: float) -> _Fitted:
        """EM for this number of states, until it no longer helps with the documents held out."""
        if (states, shrinkage) not in self._found:
            with self._monitor.stage(f"{states} states, shrinkage {shrinkage:g}"):
                self._found[states, shrinkage] = self._learned(states, shrinkage)
        return self._found[states, shrinkage]

    def _learned(self, states: int, shrinkage: float) -> _Fitted:
        tree = self._warmed_up(add_states(self._tree, states, self._seed), shrinkage)
        best = self._scored(self._em(tree, _STEPS_BETWEEN, shrinkage))
        for _ in range(_STEPS // _STEPS_BETWEEN - 1):
            found = self._scored(self._em(best.tree, _STEPS_BETWEEN, shrinkage))
            gain = found.log_likelihood - best.log_likelihood
            if gain > 0.0:
                best = found
            if gain < _STEPS_BETWEEN * _TOLERANCE * abs(found.log_likelihood):
                break
        return best

    def _em(self, tree: LatentTree, steps: int, shrinkage: float) -> LatentTree:
        return batch_em(
            tree, self._documents, steps=steps, shrinkage=shrinkage, n_jobs=self._n_jobs
        ).tree

    def _scored(self, tree: LatentTree) -> _Fitted:
        scores = tree.log_likelihood(self._held_out, n_jobs=self._n_jobs)
        return _Fitted(tree, float(scores.mean()))

    def _warmed_up(self, tree: LatentTree, shrinkage: float) -> LatentTree:
        if len(self._documents) < _LEAST_BATCHES * _BATCH:
            return tree
        return stepwise_em(
            tree,
            self._documents,
            batch_size=_BATCH,
            exponent=_EXPONENT,
            epochs=_EPOCHS,
            shrinkage=shrinkage,
            seed=np.random.default_rng(self._seed),
            n_jobs=self._n_jobs,
        ).tree


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
