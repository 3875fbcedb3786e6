"""`fingerprint`: a digest that identifies a model."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree


def fingerprint(tree: LatentTree) -> str:
    """16 hexadecimal digits of a digest of the names, structure and parameters of a tree."""
    digest = hashlib.sha256("\n".join(tree.names).encode("utf-8", "surrogatepass"))
    for array in (tree.parent, tree.level, *tree.parameters):
        digest.update(array.tobytes())
    return digest.hexdigest()[:16]
