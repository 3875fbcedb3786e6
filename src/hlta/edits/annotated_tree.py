"""`AnnotatedTree`: a tree and the annotations of its topics, to which edits apply."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from hlta.errors import OptionError
from hlta.topics.annotations import Annotations
from hlta.tree.given_on import words_given_on
from hlta.tree.reshaping import is_below, members, topic_above, topics_over

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlta.tree.latent_tree import LatentTree

_BETWEEN_WORDS: Final = re.compile(r"[\s,-]+")


class AnnotatedTree(NamedTuple):
    """A tree and its annotations; each edit gives another one."""

    tree: LatentTree
    annotations: Annotations

    def annotate(self, **known: Any) -> AnnotatedTree:
        """A copy with other values of these fields of `Annotations`."""
        return self._replace(annotations=self.annotations._replace(**known))

    def topic(self, name: str) -> int:
        """The node of a topic; raises `OptionError` if there is none of that id."""
        if name not in self.tree.latent_names:
            shown = self.tree.names[self.roots[0]]  # topics of lower levels may not be listed
            raise OptionError(f"there is no topic {name!r:.60}; ids look like {shown!r}")
        return self.tree.n_words + self.tree.latent_names.index(name)

    def word(self, name: str) -> int:
        """The node of a word; raises `OptionError` if the model does not have it."""
        if name not in self.tree.words:
            raise OptionError(f"the model has no word {name!r:.60}")
        return self.tree.words.index(name)

    def node(self, name: str) -> int:
        """The node of a topic or a word."""
        if name not in self.tree.words and name not in self.tree.latent_names:
            raise OptionError(f"there is no topic or word {name!r:.60}")
        return self.tree.names.index(name)

    def name_of(self, node: int) -> str:
        """How messages name a node: a topic by its title, if any, and id; a word in quotation marks."""
        name = self.tree.names[node]
        if node < self.tree.n_words:
            return repr(name)
        title = self.annotations.titles.get(name)
        return f"{title!r} ({name})" if title else name

    def call(self, name: str) -> str:
        """`name_of` for the topic or word with this name in the tree."""
        return self.name_of(self.node(name))

    def hidden_by(self, node: int) -> str | None:
        """The id of the lowest hidden topic that a topic is or is below, if there is one."""
        names = (self.tree.names[v] for v in (node, *topics_over(self.tree, node)))
        return next((name for name in names if name in self.annotations.hidden), None)

    def refuse_hidden(self, node: int) -> None:
        """Raise `OptionError` if a topic is hidden, or below a hidden one."""
        hidden = self.hidden_by(node)
        if hidden is not None:
            above = self.name_of(self.tree.names.index(hidden))
            raise OptionError(f"{self.name_of(node)} is hidden; show {above} first")

    @property
    def roots(self) -> list[int]:
        """The topics that are below no other."""
        return [v for v in self.tree.levels[-1].tolist() if topic_above(self.tree, v) < 0]

    def refuse_to_empty(self, node: int, into: int = -1) -> None:
        """Raise `OptionError` if the topic above `node` would be left with fewer than two members.

        `into` is the topic that `node` is to be merged into.
        """
        up = topic_above(self.tree, node)
        if up < 0 or len(below := members(self.tree, up)) > 2:
            return
        above, other = self.name_of(up), next(member for member in below if member != node)
        if other == into:
            remedy = f"merge both into {above} instead"
        else:
            remedy = f"merge {above} into another topic"
            if other >= self.tree.n_words:
                remedy = f"first merge {self.name_of(other)} into {above}, or {remedy}"
        raise OptionError(
            f"without {self.name_of(node)}, {above} would be left with one member, "
            f"{self.name_of(other)}; {remedy}"
        )

    def topics_named_after(self, node: int) -> set[str]:
        """The ids of the topics above a node whose titles hold the node's word, or one below it."""
        tree, words = self.tree, set[str]()
        open_nodes = [node]
        while open_nodes:
            below = open_nodes.pop()
            if below < tree.n_words:
                words.add(tree.words[below])
            else:
                open_nodes += members(tree, below)
        found = set()
        for above in topics_over(tree, node):
            title = self.annotations.titles.get(tree.names[above], "")
            parts = set(_BETWEEN_WORDS.split(title.lower()))
            if any(parts.issuperset(word.split("-")) for word in words):
                found.add(tree.names[above])
        return found

    def reshape(
        self, tree: LatentTree, changed: Iterable[str], retitled: Iterable[str]
    ) -> AnnotatedTree:
        """The model with another tree, to which the annotations are carried over.

        The numbers of documents on topics are unknown until they are counted again, and topics that were
        not listed stay so below the same topic (`_is_same`); the share of a topic becomes its own plus
        those of the topics below it. Topics that are `changed` lose their stability. Topics that are
        `retitled` lose their titles, so that new ones are made; those that a person gave stay.
        """
        there, known = frozenset(tree.latent_names), self.annotations
        lost = frozenset(retitled) - known.titled
        titles = {name: title for name, title in known.titles.items() if name in there - lost}
        notes = {name: text for name, text in known.notes.items() if name in there}
        place = {name: v for v, name in enumerate(self.tree.latent_names)}
        places = np.array([place.get(name, -1) for name in tree.latent_names], dtype=np.intp)
        stability, sizes, counts = known.stability, known.sizes, known.counts
        if stability is not None:
            is_changed = np.isin(tree.latent_names, list(changed))
            stability = np.append(stability, math.nan)[np.where(is_changed, -1, places)]
        if sizes is not None:
            own = np.append(sizes.own(self.tree), math.nan)[places]
            folded = known.find_folded(self.tree) & there.difference(changed)
            folded = frozenset(name for name in folded if _is_same(name, self.tree, tree))
            sizes = sizes.carry(own, tree, places)._replace(folded=folded)
        column = {word: k for k, word in enumerate(self.tree.words)}
        columns = np.array([column[word] for word in tree.words], dtype=np.intp)
        if counts is not None:
            counts = counts.carry(places, columns)
        contrast, word_stability = known.contrast, known.word_stability
        titled, hidden, pinned = (ids & there for ids in (known.titled, known.hidden, known.pinned))
        return AnnotatedTree(
            tree,
            Annotations(
                *(stability, titles, notes, titled, hidden, pinned),
                contrast=None if contrast is None else contrast[columns],
                word_stability=None if word_stability is None else word_stability[:, columns],
                sizes=sizes,
                counts=counts,
            ),
        )

    def with_absorbed(self, into: int, before: AnnotatedTree, part: int) -> AnnotatedTree:
        """The model after a merge: the topic `into` gets the annotations of `part`, a topic of `before`.

        Word counts and shares are added up. If `into` has no title given by a person, or no note, it gets
        that of `part`, unless `part` was below it. Each is a node of its own model.
        """
        latent, of = into - self.tree.n_words, part - before.tree.n_words
        known, old = self.annotations, before.annotations
        if known.counts is not None and old.counts is not None:
            own = known.counts.own[[latent]] + old.counts.own[[of]]
            number = float(known.counts.documents[latent] + old.counts.documents[of])
            vector, other = known.counts.vector(latent), old.counts.vector(of)
            if vector is not None and other is not None:
                vector = vector + other
            counts = known.counts.with_own(latent, own, number, vector)
            known = known._replace(counts=counts)
        if known.sizes is not None and old.sizes is not None:
            shares = known.sizes.own(self.tree)
            more = old.sizes.own(before.tree)[of]
            if not math.isnan(more):
                shares[latent] = np.nan_to_num(shares[latent]) + more
            sizes = known.sizes.carry(shares, self.tree, np.arange(len(shares)))
            known = known._replace(sizes=sizes)
        name, other_name = self.tree.names[into], before.tree.names[part]
        if is_below(before.tree, part, before.node(name)):
            return self._replace(annotations=known)
        if other_name in old.titled and name not in known.titled:
            titles = {**known.titles, name: old.titles[other_name]}
            known = known._replace(titles=titles, titled=known.titled | {name})
        if other_name in old.notes:
            known = known._replace(notes={name: old.notes[other_name], **known.notes})
        return self._replace(annotations=known)

    def with_halves(self, one: int, other: int) -> AnnotatedTree:
        """The model after a split, in which the new topic `other` gets a part of the counts of `one`.

        Words, documents and shares are divided in proportion to what the tree expects. Both are nodes.
        """
        tree, known = self.tree, self.annotations
        latents = np.array([one, other]) - tree.n_words
        size = tree.marginals[[one, other]]
        part = float(size[1] / size.sum())
        if known.counts is not None:
            expected = size[:, None] * words_given_on(tree, latents)
            own = known.counts.own[[int(latents[0])]]
            moved = own.multiply(expected[1] / expected.sum(axis=0)).rint().minimum(own)
            number = float(known.counts.documents[latents[0]])
            vector, counts = known.counts.vector(int(latents[0])), known.counts
            halves = (own - moved, 1.0 - part), (csr_array(moved), part)
            for latent, (words, weight) in zip(latents.tolist(), halves, strict=True):
                sums = None if vector is None else np.float32(weight) * vector
                counts = counts.with_own(latent, words, weight * number, sums)
            known = known._replace(counts=counts)
        if known.sizes is not None:
            shares = known.sizes.own(tree)
            shares[latents] = shares[latents[0]] * np.array([1.0 - part, part])
            sizes = known.sizes.carry(shares, tree, np.arange(len(shares)))
            known = known._replace(sizes=sizes)
        return self._replace(annotations=known)


def _is_same(name: str, before: LatentTree, after: LatentTree) -> bool:
    """Whether a topic is below the same topic as before, and has no further members."""
    places = [(tree, tree.n_words + tree.latent_names.index(name)) for tree in (before, after)]
    above, above_now = (tree.names[topic_above(tree, v)] for tree, v in places)
    had, has = ({tree.names[u] for u in members(tree, v)} for tree, v in places)
    return above == above_now and has <= had
