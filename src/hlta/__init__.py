"""Hierarchical topic detection with latent tree models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlta.errors import (
    ClippedProbabilityWarning,
    DocumentsError,
    FormatError,
    HltaError,
    OptionError,
    TreeError,
)

if TYPE_CHECKING:
    from hlta.algorithm.em import EMResult, batch_em, stepwise_em
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.loading import load
    from hlta.monitor import Monitor, TextMonitor
    from hlta.options import TextOptions
    from hlta.reading.corpus_reader import read_corpus
    from hlta.topics.narrow import NarrowTopics
    from hlta.topics.topic import Keyword, Topic
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

__version__ = "0.1.0.dev0"

__all__ = [
    "HLTA",
    "ClippedProbabilityWarning",
    "Corpus",
    "DocumentsError",
    "EMResult",
    "FormatError",
    "HltaError",
    "Keyword",
    "LatentTree",
    "Monitor",
    "NarrowTopics",
    "OptionError",
    "TextMonitor",
    "TextOptions",
    "Topic",
    "TopicTree",
    "TreeError",
    "__version__",
    "batch_em",
    "load",
    "read_corpus",
    "stepwise_em",
]

# Imported when first asked for: `import hlta` itself costs next to nothing.
_HOME = {
    "HLTA": "hlta.estimator",
    "Corpus": "hlta.documents.corpus",
    "EMResult": "hlta.algorithm.em",
    "Keyword": "hlta.topics.topic",
    "LatentTree": "hlta.tree.latent_tree",
    "Monitor": "hlta.monitor",
    "NarrowTopics": "hlta.topics.narrow",
    "TextMonitor": "hlta.monitor",
    "TextOptions": "hlta.options",
    "Topic": "hlta.topics.topic",
    "TopicTree": "hlta.topics.topic_tree",
    "batch_em": "hlta.algorithm.em",
    "load": "hlta.loading",
    "read_corpus": "hlta.reading.corpus_reader",
    "stepwise_em": "hlta.algorithm.em",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
