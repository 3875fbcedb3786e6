"""`load`: whatever a `save` wrote comes back as what it was."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hlta._support.files import MODEL
from hlta.tree.model_file import TREE, read_tree

if TYPE_CHECKING:
    from os import PathLike

    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.tree.latent_tree import LatentTree


def load(path: str | PathLike[str]) -> LatentTree | HLTA | Corpus:
    """Read what `save` wrote: an `HLTA`, a `LatentTree` or a `Corpus`.

    Of a folder that `hlta fit` left it is the model.
    """
    folder = Path(os.fspath(path))
    if folder.is_dir():
        from hlta.documents.corpus import Corpus
        from hlta.documents.corpus_folder import holds_corpus

        if holds_corpus(folder) or not (folder / MODEL).exists():
            return Corpus.load(folder)
        path = folder / MODEL
    header, tree = read_tree(path)
    if header["kind"] == TREE:
        return tree
    from hlta.estimator import HLTA

    return HLTA._restored(header, tree, path)
