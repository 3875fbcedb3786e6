"""`View`: how the topics of a model are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hlta.topics.memberships import are_known
from hlta.topics.shares import Sharing, sizes_of
from hlta.topics.topic_tree import TopicTree

if TYPE_CHECKING:
    from hlta._support.arrays import Floats
    from hlta.documents.matrix import Documents
    from hlta.edits.annotated_tree import AnnotatedTree
    from hlta.model.value import Model
    from hlta.topics.sizes import Sizes

_LOWEST_COUNTED: Final = 2  # level of topics whose sizes are counted, unless lower ones are shown


class View(NamedTuple):
    """The parameters of `HLTA` of the same names."""

    lowest_level: int
    n_keywords: int | None
    n_topics: int | None

    def topics_of(self, model: Model) -> TopicTree:
        """The topics after the edits: a tree, or a list of so many."""
        topics = TopicTree.from_tree(
            model.tree,
            lowest_level=self.lowest_level,
            n_keywords=self.n_keywords,
            annotations=model.annotations,
            log=model.log.plain(),
        )
        if self.n_topics is not None:
            topics = self._list_of(topics)
        topics.usual_coverage = model.coverage
        return topics

    def sizes_of(
        self,
        annotated: AnnotatedTree,
        documents: Documents,
        coverage: Floats,
        usual_coverage: float | None,
    ) -> Sizes:
        """How large the topics are in documents; `coverage` is the share of their words that is known.

        Those of a list share all words among themselves.
        """
        tree, known = annotated
        lowest = min(self.lowest_level, _LOWEST_COUNTED, int(tree.level.max()))
        sharings = [Sharing.of_tree(tree, known.counts, lowest)]
        if self.n_topics is not None:
            listed = self._list_of(TopicTree.from_tree(tree, annotations=known))
            sharings.append(listed.shares().sharing)
        by_vectors = sharings[0].goes_by_vectors(documents)
        is_known = are_known(documents, coverage, usual_coverage, by_vectors=by_vectors)
        return sizes_of(tree, sharings, documents, is_known)

    def _list_of(self, topics: TopicTree) -> TopicTree:
        """The list of `n_topics` topics, pinned ones first."""
        cut = topics.cut(min(self.n_topics or 1, topics.most_in_cut))
        return topics.flat(sorted(cut, key=lambda topic: not topic.pinned))
