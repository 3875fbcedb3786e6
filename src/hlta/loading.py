"""`load`: whatever a `save` wrote comes back as what it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlta.model.storage import TREE, read_tree

if TYPE_CHECKING:
    from os import PathLike

    from hlta.estimator import HLTA
    from hlta.model.tree import LatentTree


def load(path: str | PathLike[str]) -> LatentTree | HLTA:
    """Read a model that `save` wrote: an `HLTA` or a `LatentTree`."""
    header, tree = read_tree(path)
    if header["kind"] == TREE:
        return tree
    from hlta.estimator import HLTA

    return HLTA._restored(header, tree, path)
