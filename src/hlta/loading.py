"""`load`: read what `save` wrote, be it a model, a tree or a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hlta._support.formats import MODEL
from hlta.documents.corpus import Corpus
from hlta.documents.corpus_folder import holds_corpus
from hlta.tree.latent_tree import LatentTree, tree_from_file
from hlta.tree.model_file import TREE, model_in, read_tree

if TYPE_CHECKING:
    from os import PathLike

    from hlta.estimator import HLTA


def load(path: str | PathLike[str]) -> LatentTree | HLTA | Corpus:
    """Read what `save` wrote: an `HLTA`, a `LatentTree` or a `Corpus`.

    If you know what the file holds, prefer `HLTA.load`, `LatentTree.load` or `Corpus.load`: type
    checkers then know it too.

    Parameters
    ----------
    path
        A file that `HLTA.save` or `LatentTree.save` wrote, a folder that `Corpus.save` wrote, or a
        folder that `hlta fit` wrote, whose model is read.

    Returns
    -------
    LatentTree or HLTA or Corpus

    Raises
    ------
    FormatError
        If the file or folder is damaged, not one of ours, or of an unknown version.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> import tempfile, hlta
    >>> tree = hlta.LatentTree(("a", "b", "c"), [3, 3, 3, -1], [0, 0, 0, 1], [[0.3, 0.3]] * 4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tree.save(f"{folder}/tree.hlta")
    ...     hlta.load(f"{folder}/tree.hlta") == tree
    True
    """
    folder = Path(path)
    if holds_corpus(folder) or (folder.is_dir() and not (folder / MODEL).exists()):
        return Corpus.load(folder)
    saved = read_tree(model_in(folder))
    tree = tree_from_file(saved.fields, saved.refusal)
    if saved.kind == TREE:
        return tree
    from hlta.estimator import HLTA

    return HLTA.restore(saved, tree)
