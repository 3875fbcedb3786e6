"""More than two states per latent variable, beyond the paper.

The structure is that of the binary model. By default only islands, which are below the topics
that readers see, have more states: four, with which EM on all documents begins.

Other numbers of states come after EM, in rounds: each copies the states there are, the background
excepted, and EM tells the copies apart. So states of one variable are variants of one another at
first, and all words together decide which documents are in which. From independent random starts EM
takes several times as many steps, and ends lower. States that a variable's children hardly tell
apart merge again; of few documents, splitting and merging go on.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta.errors import OptionError
from hlta.learning.checkpoint import NOTHING_KEPT
from hlta.learning.em import SHRINKAGE, batch_em, stepwise_em
from hlta.learning.state_changes import add_states, merge_states
from hlta.options import AUTO_PRESENCES, STATES_TRIED
from hlta.tree.state_order import order_states

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from hlta.documents.matrix import Documents
    from hlta.learning.checkpoint import Checkpoint
    from hlta.monitor import Monitor
    from hlta.tree.latent_tree import LatentTree

_ISLAND_STATES: Final = 4  # by default
_EPOCHS: Final = 1  # passes of stepwise EM at the start of a round, which moves fast
_BATCH: Final = 500  # documents per minibatch
_EXPONENT: Final = 0.6  # of its step size
_LEAST_BATCHES: Final = 10  # per epoch; with fewer, batch EM costs little and ends better
_STEPS: Final = 10  # of batch EM then, at most
_FIRST_STEPS: Final = 20  # the same in the first round, where they cost little
_STEPS_BETWEEN: Final = 5  # between looks at the documents held out
_TOLERANCE: Final = 1e-4  # a gain counts if it exceeds this share of the log-likelihood
_LAST_STEPS: Final = 10  # with all documents
_LAST_BATCH: Final = 10_000  # documents per minibatch, if there are too many for batch EM
_LAST_UPDATES: Final = 30  # minibatches then, at most
_SHRINKAGES: Final = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # of words, that are tried
_STATE_SHRINKAGES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
_LAST_FACTORS: Final = (0.25, 0.5, 0.7, 1.0, 1.4, 2.0, 4.0)  # of the shrinkages, in the end
_PRICES: Final = (1.0, 0.3, 0.1)  # nats per parameter that merging states saves
_MERGING_LOSS: Final = 1e-3  # share of the log-likelihood that it may cost
_SPLITTING_ROUNDS: Final = 3  # at most, of few documents
_FORGETTING_STEPS: Final = 20
_DOCUMENTS_PER_STATE: Final = 10  # at least, when the number is chosen
_MOST_WORK: Final = 4e8  # presences times squared states: a step takes about a second
_HELD_OUT: Final = 10  # one in ten documents, to choose the number of states
_MOST_HELD_OUT: Final = 5_000
_MOST_SEARCHED: Final = 20_000  # of the other documents


class Shrinkage(NamedTuple):
    """Documents added to those in each state, as `batch_em` takes them."""

    shrinkage: float
    state_shrinkage: float

    def __str__(self) -> str:
        return f"shrinkage {self.shrinkage:g} and {self.state_shrinkage:g}"


USUAL_SHRINKAGE: Final = Shrinkage(SHRINKAGE, 0.0)
"""With which EM learns unless numbers of states are asked for."""

_FIRST_TRIED: Final = Shrinkage(SHRINKAGE, 2.0)


class _Fitted(NamedTuple):
    """A tree, its shrinkage, and how well it predicts each document held out."""

    tree: LatentTree
    shrinkage: Shrinkage
    log_likelihoods: NDArray[np.float64]

    @property
    def log_likelihood(self) -> float:
        """The mean over those documents."""
        return float(self.log_likelihoods.mean())

    def is_better_than(self, other: _Fitted) -> bool:
        """Whether it predicts them better by more than the tolerance."""
        gain = self.log_likelihood - other.log_likelihood
        return gain > _TOLERANCE * abs(other.log_likelihood)

    def surely_beats(self, other: _Fitted) -> bool:
        """Whether it predicts them better by more than one standard error."""
        gains = self.log_likelihoods - other.log_likelihoods
        return bool(gains.mean() > gains.std() / len(gains) ** 0.5)


class WithStates(NamedTuple):
    """A tree whose latent variables have as many states as wanted."""

    tree: LatentTree
    shrinkage: Shrinkage | None  # None if the tree is unchanged


def refuse_too_many_states(states: int | str | None, documents: Documents) -> None:
    """Refuse more states than there are documents."""
    if isinstance(states, int) and states > len(documents):
        raise OptionError(
            f"states={states}: there are only {len(documents):,} documents; use fewer states"
        )


def add_island_states(tree: LatentTree, seed: np.random.SeedSequence) -> LatentTree:
    """A binary tree with four states per island of words, where topics are above the islands."""
    return add_states(tree, _states_by_default(tree), seed)


def _states_by_default(tree: LatentTree) -> NDArray[np.int32]:
    level = tree.level[tree.n_words :]
    is_island = (level == 1) & (level.max() > 1)
    return np.where(is_island, _ISLAND_STATES, 2).astype(np.int32)


def learn_states(
    tree: LatentTree,
    documents: Documents,
    states: int | str | None,
    *,
    seed: np.random.SeedSequence,
    checkpoint: Checkpoint = NOTHING_KEPT,
    n_jobs: int | None = None,
    monitor: Monitor,
) -> WithStates:
    """Give the latent variables of a binary tree more states, and learn all parameters again.

    `states` is the number that each of them gets; with None, the tree stays as it is. With "auto"
    each gets its own: as many as help to predict documents held out of learning, up to the last of
    `STATES_TRIED`, less those that the documents do not tell apart; or the tree stays as it is, if
    that does not predict better than four states per island. A topic keeps the size that it has with
    two states, as nearly as may be: the strongest states together.
    """
    if states is None or states == 2:
        return WithStates(tree, None)
    with monitor.stage("states"):
        search = _Search(tree, documents, seed, checkpoint, n_jobs, monitor)
        found = search.best() if states == "auto" else search.with_states(int(states))
        if found is None:
            why = (
                "nothing tried predicts better"
                if search.numbers_tried
                else "there are too few documents, or too much text, to try more"
            )
            monitor.note(f'states="auto": as by default; {why}')
            return WithStates(tree, None)
        if states == "auto":
            numbers = np.unique(found.tree.parameters.states)
            told = " to ".join(map(str, numbers[[0, -1]] if len(numbers) > 1 else numbers))
            monitor.note(f'states="auto": {told} states per latent variable')
        finished = _with_all_documents(found, documents, seed, checkpoint.part("states"), n_jobs)
        ordered = order_states(finished, size=tree.marginals[tree.n_words :])
        return WithStates(ordered, found.shrinkage)


def _with_all_documents(
    fitted: _Fitted,
    documents: Documents,
    seed: np.random.SeedSequence,
    checkpoint: Checkpoint,
    n_jobs: int | None,
) -> LatentTree:
    """A few last steps of EM; at most a pass of stepwise EM where documents are too many for that."""
    if documents.n_presences <= AUTO_PRESENCES:
        return batch_em(
            fitted.tree,
            documents,
            steps=_LAST_STEPS,
            **fitted.shrinkage._asdict(),
            n_jobs=n_jobs,
            checkpoint=checkpoint,
        ).tree
    return stepwise_em(
        fitted.tree,
        documents,
        batch_size=_LAST_BATCH,
        updates=min(_LAST_UPDATES, max(1, round(len(documents) / _LAST_BATCH))),
        **fitted.shrinkage._asdict(),
        seed=np.random.default_rng(seed.spawn(1)[0]),
        n_jobs=n_jobs,
        checkpoint=checkpoint,
    ).tree


class _Search:
    """Learning with documents held out, the same ones for all numbers of states."""

    def __init__(
        self,
        tree: LatentTree,
        documents: Documents,
        seed: np.random.SeedSequence,
        checkpoint: Checkpoint,
        n_jobs: int | None,
        monitor: Monitor,
    ) -> None:
        self._tree, self._n_jobs, self._monitor = tree, n_jobs, monitor
        self._checkpoint = checkpoint
        self._seed, splitting = seed.spawn(2)
        order = np.random.default_rng(splitting).permutation(len(documents))
        held = min(max(1, len(documents) // _HELD_OUT), _MOST_HELD_OUT)
        self._held_out = documents.take(np.sort(order[:held]))
        self._documents = documents.take(np.sort(order[held : held + _MOST_SEARCHED]))

    @cached_property
    def _binary(self) -> _Fitted:
        """The binary tree after EM without the documents held out, which makes it forget them."""
        learn = partial(self._after_em, self._tree, _FORGETTING_STEPS, _FIRST_TRIED)
        return self._kept("two states", learn)

    @cached_property
    def _by_default(self) -> _Fitted:
        """The tree with four states per island, likewise."""
        states = _states_by_default(self._tree)
        if states.max() == 2:
            return self._binary
        start = self._binary._replace(shrinkage=USUAL_SHRINKAGE)
        return self._grown(start, states, "the default states", _FIRST_STEPS)

    def with_states(self, states: int) -> _Fitted:
        """Rounds of growth up to this number of states."""
        first, *later = [*(number for number in STATES_TRIED if number < states), states]
        grown = self._first_round(first)
        for number in later:
            grown = self._grown(grown, number, f"{number} states")
        return grown

    def best(self) -> _Fitted | None:
        """The states that predict best, if they surely beat those of the default; otherwise None."""
        found = self._found()
        return found if found and found.surely_beats(self._by_default) else None

    def _found(self) -> _Fitted | None:
        """Four states must surely beat two; from there on, predicting better is enough."""
        tried = self.numbers_tried
        if not tried:
            return None
        best = self._first_round(tried[0])
        if not best.surely_beats(self._binary):
            return None
        for states in tried[1:]:
            found = self._grown(best, states, f"{states} states")
            if not found.is_better_than(best):
                break
            best = found
        best, price = self._merged(best)
        if self._has_minibatches:
            return best
        return self._shrunk_anew(self._split_and_merged(best, price, tried[-1]))

    @property
    def _has_minibatches(self) -> bool:
        return len(self._documents) >= _LEAST_BATCHES * _BATCH

    @property
    def numbers_tried(self) -> list[int]:
        """Those of `STATES_TRIED` for which there are enough documents, and not too much text."""
        return [number for number in STATES_TRIED if self._affords(number)]

    def _affords(self, states: int) -> bool:
        enough = len(self._documents) >= states * _DOCUMENTS_PER_STATE
        return enough and self._documents.n_presences * states**2 <= _MOST_WORK

    def _first_round(self, states: int) -> _Fitted:
        """The first new states, with the shrinkage of words that predicts best.

        Of few documents, the one of states matters, too, and is chosen next; each shrinkage then
        deserves a start of its own. With many, a few steps from the best tree so far tell as much.
        """
        start = self._first_grown(states, _FIRST_TRIED)
        of_words = [start.shrinkage._replace(shrinkage=each) for each in _SHRINKAGES]
        if self._has_minibatches:
            return self._climbed(start, of_words, self._continued)

        def started(_: _Fitted, shrinkage: Shrinkage) -> _Fitted:
            return self._first_grown(states, shrinkage)

        best = self._climbed(start, of_words, started)
        of_states = [best.shrinkage._replace(state_shrinkage=each) for each in _STATE_SHRINKAGES]
        return self._climbed(best, of_states, started)

    def _first_grown(self, states: int, shrinkage: Shrinkage) -> _Fitted:
        binary = self._binary._replace(shrinkage=shrinkage)
        name = f"{states} states, {shrinkage}"
        return self._grown(binary, states, name, _FIRST_STEPS)

    def _continued(self, fitted: _Fitted, shrinkage: Shrinkage) -> _Fitted:
        name = f"{shrinkage}, {fitted.tree.parameters.states.sum()} states in all"
        learn = partial(self._after_em, fitted.tree, _STEPS_BETWEEN, shrinkage)
        return self._kept(name, learn)

    def _climbed(
        self,
        start: _Fitted,
        ladder: Sequence[Shrinkage],
        learn: Callable[[_Fitted, Shrinkage], _Fitted],
    ) -> _Fitted:
        """Climb a ladder from where the start is, up or else down, while prediction gets better."""
        best, middle = start, ladder.index(start.shrinkage)
        for further in (ladder[middle + 1 :], ladder[:middle][::-1]):
            for shrinkage in further:
                found = learn(best, shrinkage)
                if not found.is_better_than(best):
                    break
                best = found
            if best is not start:
                break
        return best

    def _shrunk_anew(self, fitted: _Fitted) -> _Fitted:
        """With other shrinkages, if these predict better now that there are all states."""
        with self._monitor.stage("shrinkage"):
            for name in Shrinkage._fields:
                value = getattr(fitted.shrinkage, name)
                ladder = [fitted.shrinkage._replace(**{name: f * value}) for f in _LAST_FACTORS]
                fitted = self._climbed(fitted, ladder, self._continued)
        return fitted

    def _merged(self, fitted: _Fitted) -> tuple[_Fitted, float]:
        """Without the states that hardly help: at the highest price that does no harm.

        With it comes that price, 0 if even the lowest does.
        """
        for price in _PRICES:
            found = self._merged_at(price, fitted, "merging states")
            if found.log_likelihood >= (1.0 + _MERGING_LOSS) * fitted.log_likelihood:
                return found, price
        return fitted, 0.0

    def _split_and_merged(self, best: _Fitted, price: float, most: int) -> _Fitted:
        """Split every state but the background in two, and merge again, while that predicts better.

        So variables come to have more states only where these help. Where documents are many, it
        takes long and gains little.
        """
        for number in range(1, _SPLITTING_ROUNDS + 1):
            states = best.tree.parameters.states
            wanted = np.maximum(states, np.minimum(2 * states - 1, most))
            split = self._grown(best, wanted, f"splitting states, round {number}")
            found = self._merged_at(price, split, f"merging states, round {number}")
            if not found.is_better_than(best):
                break
            best = found
        return best

    def _grown(
        self, fitted: _Fitted, states: int | NDArray[np.int32], name: str, steps: int = _STEPS
    ) -> _Fitted:
        """Add states, then EM."""

        def grow() -> _Fitted:
            tree = add_states(fitted.tree, states, self._seed)
            return self._settled(self._warmed_up(tree, fitted.shrinkage), steps, fitted.shrinkage)

        with self._monitor.stage(name):
            return self._kept(name, grow)

    def _merged_at(self, price: float, fitted: _Fitted, name: str) -> _Fitted:
        """Merge states, then EM."""

        def merge() -> _Fitted:
            merged = merge_states(
                fitted.tree,
                self._documents,
                price,
                **fitted.shrinkage._asdict(),
                n_jobs=self._n_jobs,
            )
            return self._settled(merged, _STEPS, fitted.shrinkage)

        with self._monitor.stage(name):
            return self._kept(f"{name} at {price:g} nats per parameter", merge)

    def _settled(self, tree: LatentTree, steps: int, shrinkage: Shrinkage) -> _Fitted:
        """EM until it no longer helps with the documents held out."""
        best = self._after_em(tree, _STEPS_BETWEEN, shrinkage)
        for _ in range(steps // _STEPS_BETWEEN - 1):
            found = self._after_em(best.tree, _STEPS_BETWEEN, shrinkage)
            if not found.is_better_than(best):
                break
            best = found
        return best

    def _kept(self, name: str, learn: Callable[[], _Fitted]) -> _Fitted:
        tree, shrinkage, log_likelihoods = self._checkpoint.step(name, learn)
        return _Fitted(tree, Shrinkage(*shrinkage), log_likelihoods)

    def _after_em(self, tree: LatentTree, steps: int, shrinkage: Shrinkage) -> _Fitted:
        learned = batch_em(
            tree,
            self._documents,
            steps=steps,
            **shrinkage._asdict(),
            n_jobs=self._n_jobs,
        ).tree
        scores = learned.log_likelihood(self._held_out, n_jobs=self._n_jobs)
        return _Fitted(learned, shrinkage, scores)

    def _warmed_up(self, tree: LatentTree, shrinkage: Shrinkage) -> LatentTree:
        if not self._has_minibatches:
            return tree
        return stepwise_em(
            tree,
            self._documents,
            batch_size=_BATCH,
            exponent=_EXPONENT,
            epochs=_EPOCHS,
            **shrinkage._asdict(),
            seed=np.random.default_rng(self._seed),
            n_jobs=self._n_jobs,
        ).tree
