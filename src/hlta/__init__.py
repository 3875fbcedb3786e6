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
    from hlta.model.learning import EMResult, batch_em, stepwise_em
    from hlta.model.storage import load
    from hlta.model.tree import LatentTree

__version__ = "0.1.0.dev0"

__all__ = [
    "ClippedProbabilityWarning",
    "DocumentsError",
    "EMResult",
    "FormatError",
    "HltaError",
    "LatentTree",
    "OptionError",
    "TreeError",
    "__version__",
    "batch_em",
    "load",
    "stepwise_em",
]

# Imported when first asked for: `import hlta` itself costs next to nothing.
_HOME = {
    "EMResult": "hlta.model.learning",
    "LatentTree": "hlta.model.tree",
    "batch_em": "hlta.model.learning",
    "load": "hlta.model.storage",
    "stepwise_em": "hlta.model.learning",
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
