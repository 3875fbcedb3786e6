"""Hierarchical topic detection with latent tree models."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if sys.version_info < (3, 11):  # noqa: UP036  (pip refuses to install it there; a checkout needs this)
    raise ImportError(f"hlta needs Python 3.11 or later, and this is {sys.version.split()[0]}")

import hlta._support.forks  # noqa: F401  (notes each fork from now on)
from hlta._support.version import __version__ as __version__

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus as Corpus
    from hlta.documents.matrix import Documents as Documents
    from hlta.errors import ClippedProbabilityWarning as ClippedProbabilityWarning
    from hlta.errors import ClusterError as ClusterError
    from hlta.errors import DocumentsError as DocumentsError
    from hlta.errors import FormatError as FormatError
    from hlta.errors import HltaError as HltaError
    from hlta.errors import OptionError as OptionError
    from hlta.errors import TreeError as TreeError
    from hlta.errors import UnknownTopicError as UnknownTopicError
    from hlta.estimator import HLTA as HLTA
    from hlta.learning.em import EMResult as EMResult
    from hlta.learning.em import batch_em as batch_em
    from hlta.learning.em import stepwise_em as stepwise_em
    from hlta.loading import load as load
    from hlta.monitor import Monitor as Monitor
    from hlta.monitor import TextMonitor as TextMonitor
    from hlta.options import TextOptions as TextOptions
    from hlta.reading.corpus_reader import read_corpus as read_corpus
    from hlta.topics.narrow import NarrowTopics as NarrowTopics
    from hlta.topics.topic import Facet as Facet
    from hlta.topics.topic import Keyword as Keyword
    from hlta.topics.topic import Topic as Topic
    from hlta.topics.topic_tree import TopicTree as TopicTree
    from hlta.tree.latent_tree import LatentTree as LatentTree
    from hlta.tree.parameters import Parameters as Parameters

# A module is imported when one of its names is first asked for: `import hlta` costs next to nothing.
_HOME = {
    name: f"hlta.{module}"
    for module, names in {
        "learning.em": "EMResult batch_em stepwise_em",
        "documents.corpus": "Corpus",
        "documents.matrix": "Documents",
        "errors": (
            "ClippedProbabilityWarning ClusterError DocumentsError FormatError HltaError OptionError "
            "TreeError UnknownTopicError"
        ),
        "estimator": "HLTA",
        "loading": "load",
        "monitor": "Monitor TextMonitor",
        "options": "TextOptions",
        "reading.corpus_reader": "read_corpus",
        "topics.narrow": "NarrowTopics",
        "topics.topic": "Facet Keyword Topic",
        "topics.topic_tree": "TopicTree",
        "tree.latent_tree": "LatentTree",
        "tree.parameters": "Parameters",
    }.items()
    for name in names.split()
}

# Type checkers skip this: they cannot evaluate `__all__`, and would accept any name for `__getattr__`.
if not TYPE_CHECKING:
    __all__ = ["__version__", *_HOME]  # noqa: PLE0604 (the keys are strings)

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        from hlta._support.dependencies import naming_the_remedy

        with naming_the_remedy():
            value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
