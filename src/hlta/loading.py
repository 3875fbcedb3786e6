"""`load`: whatever a `save` wrote comes back as what it was."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hlta.files import MODEL
from hlta.model.storage import TREE, read_tree

if TYPE_CHECKING:
    from os import PathLike

    from hlta.corpus.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.model.tree import LatentTree


def load(path: str | PathLike[str]) -> LatentTree | HLTA | Corpus:
    """Read what `save` wrote: an `HLTA`, a `LatentTree` or a `Corpus`.

    Of a folder that `hlta fit` left it is the model.
    """
    folder = Path(os.fspath(path))
    if folder.is_dir():
        from hlta.corpus.storage import holds_corpus, load_corpus

        if holds_corpus(folder) or not (folder / MODEL).exists():
            return load_corpus(folder)
        path = folder / MODEL
    header, tree = read_tree(path)
    if header["kind"] == TREE:
        return tree
    from hlta.estimator import HLTA

    return HLTA._restored(header, tree, path)
