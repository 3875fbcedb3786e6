"""What the parts of `HLTA` share: its parameters, a fitted model, how it is shown and where it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hlta._support.checks import check_whole
from hlta.cluster import passes_on
from hlta.model.value import View

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from hlta.model.value import Model
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

OF_THE_RUN: Final = frozenset({"n_jobs", "progress", "checkpoint", "client"})
"""Parameters of `HLTA` that say where it runs, reports and writes: files do not hold them."""
OF_THE_MODEL: Final = frozenset(
    {
        *("max_top_topics", "max_island_size", "ud_threshold", "association"),
        *("em", "em_steps", "batch_size", "step_exponent", "em_updates"),
        *("structure_sample", "refine", "samples", "states", "seeds", "apart"),
        *("random_state", "lowest_level", "n_keywords", "n_topics", "text"),
    }
)
"""Parameters of `HLTA` that say how a model is learned and shown: the only ones that files hold."""


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
        """Run passes over documents where `client` and `n_jobs` say."""
        return passes_on(self.client, self.n_jobs)

    def _show(self, model: Model) -> None:
        """Set the attributes to those of a model."""
        raise NotImplementedError
