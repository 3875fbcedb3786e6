"""More than two states per latent variable, beyond the paper.

The structure is that of the binary model. By default only islands, which are below the topics
that readers see, have more states: four, with which EM on all documents begins.

Other numbers of states, the same for all variables, are reached after EM, in rounds: each round
copies the existing states, except the background, and EM makes the copies differ. So states of one
variable are variants of one another at first, and all words together decide which documents are in
which. From independent random starts, EM takes far more steps and reaches a lower likelihood.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta.errors import OptionError
from hlta.learning.em import SHRINKAGE, EMResult, batch_em, stepwise_em
from hlta.learning.state_changes import add_states
from hlta.options import AUTO_PRESENCES, STATES_TRIED
from hlta.tree.state_order import order_states

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hlta._support.arrays import Floats
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.tree.latent_tree import LatentTree

_ISLAND_STATES: Final = 4  # states of an island, by default
_STEPS: Final = 10  # steps of EM without the held-out documents at first, and with all at the end
_STEPS_BETWEEN: Final = 5  # steps of EM between evaluations on the held-out documents
_TOLERANCE: Final = 1e-4  # a gain counts if it exceeds this share of the log-likelihood
_FACTORS: Final = (0.5, 2.0)  # times the shrinkage so far: each round tries these, too
_MOST_SEARCHED: Final = 20_000  # documents used by the search, at most, held-out ones included
_HELD_OUT: Final = 10  # one in so many of them is held out
_DOCUMENTS_PER_STATE: Final = 10  # documents per state, at least, when the number is chosen
_MOST_WORK: Final = 4e8  # presences times squared states, at most: then a step takes about a second


class Shrinkage(NamedTuple):
    """The arguments of these names of `batch_em`."""

    shrinkage: float
    state_shrinkage: float


USUAL_SHRINKAGE: Final = Shrinkage(SHRINKAGE, 0.0)
"""The shrinkage with which EM learns, unless `learn_states` chooses another."""


class WithStates(NamedTuple):
    """The result of `learn_states`."""

    tree: LatentTree
    shrinkage: Shrinkage | None  # None if the tree is unchanged


def refuse_too_many_states(states: int | str | None, documents: Documents) -> None:
    """Refuse more states than there are documents."""
    if isinstance(states, int) and states > len(documents):
        raise OptionError(
            f"states={states}: there are only {len(documents):,} documents; use fewer states"
        )


def add_island_states(tree: LatentTree, seed: np.random.SeedSequence) -> LatentTree:
    """The binary tree with four states per latent variable of level 1, if there are higher levels."""
    level = tree.level[tree.n_words :]
    is_island = (level == 1) & (level.max() > 1)
    return add_states(tree, np.where(is_island, _ISLAND_STATES, 2).astype(np.int32), seed)


def learn_states(
    tree: LatentTree,
    documents: Documents,
    states: int | str | None,
    *,
    seed: np.random.SeedSequence,
    monitor: Monitor,
) -> WithStates:
    """Give the latent variables of a binary tree more states, and learn all parameters again.

    `states` is the number that each of them gets; with None or 2, the tree is unchanged. With "auto",
    the number grows through `STATES_TRIED` as long as the likelihood of held-out documents rises; the
    tree is unchanged if the result does not predict them better than four states per island. A topic
    is on in as many of its strongest states as bring P(on) nearest to that with two states.
    """
    if states is None or states == 2:
        return WithStates(tree, None)
    with monitor.stage("states"):
        search = _Search(tree, documents, seed, monitor)
        if states == "auto":
            found, report = search.best()
            monitor.note(f'states="auto": {report}')
        else:
            lower = (number for number in STATES_TRIED if number < int(states))
            found = search.grow((*lower, int(states)))
        if found is None:
            return WithStates(tree, None)
        # If there is too much text for batch EM, the steps are those of stepwise EM.
        em: Callable[..., EMResult] = partial(batch_em, steps=_STEPS)
        if documents.n_presences > AUTO_PRESENCES:
            rng = np.random.default_rng(seed.spawn(1)[0])
            em = partial(stepwise_em, batch_size=_MOST_SEARCHED, updates=_STEPS, seed=rng)
        tree_of_all = em(found.tree, documents, **found.shrinkage._asdict()).tree
        sizes = tree.marginals[tree.n_words :]
        return WithStates(order_states(tree_of_all, size=sizes), found.shrinkage)


class _Fitted(NamedTuple):
    """A tree, its shrinkage, and its log-likelihood of each held-out document."""

    tree: LatentTree
    shrinkage: Shrinkage
    log_likelihoods: Floats

    def is_better_than(self, other: _Fitted) -> bool:
        """Whether its mean log-likelihood is higher by more than the tolerance."""
        mean = other.log_likelihoods.mean()
        return bool(self.log_likelihoods.mean() - mean > _TOLERANCE * abs(mean))

    def surely_beats(self, other: _Fitted) -> bool:
        """Whether its mean log-likelihood is higher by more than one standard error."""
        gains = self.log_likelihoods - other.log_likelihoods
        return bool(gains.mean() > gains.std() / len(gains) ** 0.5)


class _Search:
    """A search for the number of states, with the same held-out documents for all numbers."""

    def __init__(
        self,
        tree: LatentTree,
        documents: Documents,
        seed: np.random.SeedSequence,
        monitor: Monitor,
    ) -> None:
        self._monitor = monitor
        self._seed, splitting = seed.spawn(2)
        order = np.random.default_rng(splitting).permutation(len(documents))[:_MOST_SEARCHED]
        held = max(1, len(order) // _HELD_OUT)
        self._held_out, self._documents = (
            documents.take(np.sort(some)) for some in (order[:held], order[held:])
        )
        with monitor.stage("two states"):
            self._binary = self._after_em(tree, _STEPS, Shrinkage(SHRINKAGE, SHRINKAGE))

    def best(self) -> tuple[_Fitted | None, str]:
        """The best tree, or None if it does not surely beat the default, and a line that reports it."""
        affordable = (_MOST_WORK / max(self._documents.n_presences, 1)) ** 0.5
        most = min(len(self._documents) / _DOCUMENTS_PER_STATE, affordable)
        numbers = [number for number in STATES_TRIED if number <= most]
        if not numbers:
            return None, "as by default; there are too few documents, or too much text, to try more"
        found = self.grow(numbers, while_better=True)
        islands = add_island_states(self._binary.tree, self._seed)
        with self._monitor.stage("the default states"):
            default = self._run_em(islands, USUAL_SHRINKAGE)
        if found is self._binary or not found.surely_beats(default):
            return None, "as by default; nothing tried predicts better"
        return found, f"{found.tree.parameters.most_states} states per latent variable"

    def grow(self, numbers: Sequence[int], *, while_better: bool = False) -> _Fitted:
        """The tree grown to each of these numbers of states in turn, or only `while_better`."""
        best = self._binary
        for states in numbers:
            with self._monitor.stage(f"{states} states"):
                found = self._with_more(best, states)
            if while_better and not found.is_better_than(best):
                break
            best = found
        return best

    def _with_more(self, best: _Fitted, states: int) -> _Fitted:
        """Add states and run EM, then also with other shrinkages; return what predicts best."""
        found = self._run_em(add_states(best.tree, states, self._seed), best.shrinkage)
        others = (Shrinkage(*(f * value for value in best.shrinkage)) for f in _FACTORS)
        tried = [found, *(self._run_em(found.tree, other) for other in others)]
        return max(tried, key=lambda fitted: float(fitted.log_likelihoods.mean()))

    def _run_em(self, tree: LatentTree, shrinkage: Shrinkage) -> _Fitted:
        """Run EM as long as the held-out likelihood rises by more than the tolerance."""
        best = self._after_em(tree, _STEPS_BETWEEN, shrinkage)
        while (found := self._after_em(best.tree, _STEPS_BETWEEN, shrinkage)).is_better_than(best):
            best = found
        return best

    def _after_em(self, tree: LatentTree, steps: int, shrinkage: Shrinkage) -> _Fitted:
        options = shrinkage._asdict()
        learned = batch_em(tree, self._documents, steps=steps, **options).tree
        scores = learned.log_likelihood(self._held_out)
        return _Fitted(learned, shrinkage, scores)
