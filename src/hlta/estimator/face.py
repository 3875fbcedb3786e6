"""What the parts of `HLTA` share: a fitted model, how it is shown, and where its passes run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlta._support.checks import check_whole
from hlta.cluster import passes_on
from hlta.model.value import View

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from hlta.model.value import Model
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree


class Face:
    """A base class of the parts of `HLTA`."""

    lowest_level: int
    n_keywords: int | None
    n_topics: int | None
    n_jobs: int | None
    client: Any
    tree_: LatentTree
    topics_: TopicTree
    coverage_: float | None
    _fitted: Model

    @property
    def _view(self) -> View:
        check_whole("lowest_level", self.lowest_level, least=1)
        check_whole("n_keywords", self.n_keywords, least=1, none="every word")
        check_whole("n_topics", self.n_topics, least=1, none="the whole tree")
        return View(self.lowest_level, self.n_keywords, self.n_topics)

    def _running(self) -> AbstractContextManager[None]:
        """Let passes over documents run where the parameters say."""
        return passes_on(self.client, self.n_jobs)

    def _show(self, model: Model) -> None:
        """Become the face of a model."""
        raise NotImplementedError
