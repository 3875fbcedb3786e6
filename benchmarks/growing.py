"""Growth: do new words and themes come where they belong, and is anything added that is not new?

    python -m benchmarks.growing [--runs 50]

Documents are drawn from synthetic trees: some with clear topics, others with words as frequent as in
text. A model learns from those without some words, and then from half as many new ones, which have

- words of known topics, at most one of each: do they join the topic with most of their siblings?
- a theme of words of its own, anywhere or within one topic: does it become a topic, and where?
- nothing but rare words that the earlier documents lack: is anything added?
"""

from __future__ import annotations

import argparse
from collections import Counter
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from benchmarks import synthetic
from hlta import HLTA, Corpus
from hlta.tree.reshaping import topic_above
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from hlta import LatentTree

_WORDS: Final = 10  # of known topics, that the earlier documents lack
_SIBLINGS: Final = 3  # of such a word, at least
_THEME: Final = [f"new{k}" for k in range(12)]
_SHARE: Final = 0.05  # of new documents that are on the theme
_MOST: Final = 0.6  # P(word of the theme | theme)
_SIZES: Final = (0.05, 0.4)  # of a topic that a theme is planted in
_LACKING: Final = 0.1  # of all words, the rarest, where nothing is new


class Kind(NamedTuple):
    """Trees to draw documents from, and how many documents there are before; half as many are new."""

    name: str
    tree: Callable[[int], LatentTree]
    documents: int


KINDS: Final = (
    Kind("clear topics", lambda run: planted(200, seed=run), 2_000),
    Kind("words as in text", lambda run: synthetic.hierarchy(1_000, 25, seed=run), 6_000),
)


class Row(NamedTuple):
    """A row of the table."""

    new: str
    added: str
    where: str


class Case:
    """Earlier documents and new ones, drawn from the tree of a run."""

    def __init__(self, kind: Kind, run: int) -> None:
        self.tree = kind.tree(run)
        self.before = self.tree.sample(kind.documents, seed=2 * run).toarray()
        self.new = self.tree.sample(kind.documents // 2, seed=2 * run + 1).toarray()
        self.rng = np.random.default_rng(run)

    def model(self, lacking: Sequence[int] = ()) -> HLTA:
        """A model of the earlier documents, which lacks some words."""
        kept = np.setdiff1d(np.arange(self.tree.n_words), lacking)
        words = [self.tree.words[k] for k in kept]
        return HLTA(samples=1, lowest_level=1).fit(Corpus(self.before[:, kept], words))

    def model_of_new(self) -> HLTA:
        """A model of the new documents alone, which has all words."""
        return HLTA(samples=1, lowest_level=1).fit(Corpus(self.new, self.tree.words))

    def with_theme(self, within: NDArray[np.bool_]) -> Corpus:
        """The new documents, some of which are on a theme, all `within` these."""
        share = _SHARE * len(within) / within.sum()
        on = within & (self.rng.random(len(within)) < share)
        theme = on[:, None] & (self.rng.random((len(on), len(_THEME))) < _MOST)
        return Corpus(np.hstack((self.new, theme)), [*self.tree.words, *_THEME])


def parents(tree: LatentTree) -> dict[str, int]:
    """The node above each word."""
    return dict(zip(tree.words, tree.parent[: tree.n_words].tolist(), strict=True))


def words_of_topics(kind: Kind, runs: int) -> Row:
    """Words of known topics come to the topics with most of their siblings, as in a fit, or not."""
    total = unasked = home = apart = ceiling = 0
    for run in range(runs):
        case = Case(kind, run)
        above = case.tree.parent[: case.tree.n_words]
        order = case.rng.permutation(np.flatnonzero(np.bincount(above)[above] > _SIBLINGS))
        first_of_each = np.sort(np.unique(above[order], return_index=True)[1])
        lacking = order[first_of_each][:_WORDS].tolist()
        words = {case.tree.words[k] for k in lacking}
        model, new = case.model(lacking), Corpus(case.new, case.tree.words)
        by_itself = copy(model).partial_fit(new, grow=True)
        unasked += len(words.intersection(by_itself.tree_.words))
        found, best = (
            parents(learned.tree_)
            for learned in (model.partial_fit(new, grow=sorted(words)), case.model_of_new())
        )
        known = {found[word] for word in found.keys() - words}
        for k in lacking:
            word = case.tree.words[k]
            siblings = np.array(case.tree.words)[above == above[k]].tolist()
            home += with_most(word, siblings, found, words)
            ceiling += with_most(word, siblings, best, words)
            apart += found[word] not in known
        total += len(words)
    told = f"{home / total:.0%} with most siblings ({ceiling / total:.0%} in a fit to the new documents)"
    told += f", {apart / total:.0%} in new topics"
    return Row(f"{total:,} words of known topics", f"{unasked / total:.0%} unasked", told)


def with_most(
    word: str, siblings: Sequence[str], found: Mapping[str, int], others: Collection[str]
) -> bool:
    """Whether a word has the parent that most of its siblings have, `others` left out."""
    homes = Counter(found[sibling] for sibling in siblings if sibling not in others)
    return homes[found[word]] == max(homes.values())


def themes(kind: Kind, runs: int, *, within: bool) -> Row:
    """A theme is added unasked; if asked for, it becomes a topic, below the one that it is in."""
    words = found = below = 0
    for run in range(runs):
        case = Case(kind, run)
        model, home = case.model(), ""
        inside = np.ones(len(case.new), dtype=bool)
        if within:
            low, high = _SIZES
            topics = [t for t in model.topics_ if t.level > 1 and low < t.size < high]
            topic = topics[case.rng.integers(len(topics))]
            home = topic.id
            inside = model.transform(case.new, topics=[topic])[:, 0] > 0.5
        new = case.with_theme(inside)
        by_itself = copy(model).partial_fit(new, grow=True)
        words += len(set(_THEME).intersection(by_itself.tree_.words))
        tree = model.partial_fit(new, grow=_THEME).tree_
        above = parents(tree)
        node, count = Counter(above[word] for word in _THEME).most_common(1)[0]
        alone = not any(n == node for word, n in above.items() if word not in _THEME)
        if 2 * count >= len(_THEME) and alone:
            found += 1
            below += home in {tree.names[node] for node in ancestors(tree, node)}
    share = f"{words / (runs * len(_THEME)):.0%} unasked"
    told = f"{found} of {runs} a topic of their own"
    if within:
        return Row("a theme within a topic", share, f"{told}, {below} below that topic")
    return Row("a theme anywhere", share, told)


def ancestors(tree: LatentTree, node: int) -> Iterator[int]:
    """The topics above a node."""
    while (node := topic_above(tree, node)) >= 0:
        yield node


def nothing_new(kind: Kind, runs: int) -> Row:
    """Rare words that the earlier documents lack are not added: they are no more frequent."""
    total = added = updates = 0
    for run in range(runs):
        case = Case(kind, run)
        rare = np.argsort(case.before.sum(axis=0), kind="stable")
        lacking = rare[: int(_LACKING * case.tree.n_words)].tolist()
        model = case.model(lacking)
        before = model.tree_.n_words
        model.partial_fit(Corpus(case.new, case.tree.words), grow=True)
        total += len(lacking)
        added += model.tree_.n_words - before
        updates += model.tree_.n_words > before
    return Row(f"{total:,} rare words, nothing new", f"{added} words, in {updates} of {runs}", "")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=50)
    runs = parser.parse_args().runs
    print("| documents | new | added | where |\n|---|---|---|---|")
    for kind in KINDS:
        for rows in (
            words_of_topics,
            partial(themes, within=False),
            partial(themes, within=True),
            nothing_new,
        ):
            print(f"| {kind.name} | {' | '.join(rows(kind, runs))} |", flush=True)


if __name__ == "__main__":
    main()
