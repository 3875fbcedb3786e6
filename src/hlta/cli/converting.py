"""`hlta convert`: between formats of documents, and of models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hlta.cli.common_options import Overwrite, Reading, Run, Source, Words, grouped
from hlta.cli.inputs import reading_arguments, refuse_options, text_options
from hlta.cli.output import Skipped
from hlta.cli.results import refuse_existing
from hlta.errors import OptionError

_MODELS = frozenset({".bif", ".hlta"})


@grouped
def convert(
    path: Source,
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET",
            help="For a matrix, docword*.txt (UCI), .ldac, .sparse.txt, .npz or .mtx; for a corpus, "
            "a folder, whose name has no ending; for a model, .bif or .hlta.",
        ),
    ],
    *,
    overwrite: Overwrite = False,
    reading: Reading,
    words: Words,
    run: Run,
) -> None:
    """Convert documents: text to a matrix or a corpus, or one matrix format to another.

    Matrices keep their counts; a matrix made of text records only which words each document has.
    Models can be converted too, between .hlta and the original authors' .bif.
    """
    refuse_existing(target, overwrite=overwrite)
    if Path(path).suffix.lower() in _MODELS:
        for group in (reading, words):
            refuse_options(group, f"applies to documents, and {path!r} is a model; leave it out")
        _convert_model(Path(path), target)
        done = f"Wrote {target}"
    else:
        done = _convert_documents(path, target, reading, words, run, overwrite=overwrite)
    if not run.quiet:
        typer.echo(done, err=True)


def _convert_documents(
    path: str, target: Path, reading: Reading, words: Words, run: Run, *, overwrite: bool
) -> str:
    """Convert, and say what was written."""
    from hlta import read_corpus
    from hlta.reading import matrix_files as matrices

    kind = matrices.format_of(target)
    if kind is None and target.suffix:
        raise OptionError(
            f"{str(target)!r}: use docword*.txt, .ldac, .sparse.txt, .npz or .mtx, or a folder"
        )
    if kind in matrices.BESIDE:
        words_file = matrices.vocabulary_beside(target)[0]
        refuse_existing(words_file, overwrite=overwrite, role=", where the words would go,")
    skipped = Skipped()
    # For a matrix, this checks that it can be read and that no options for text are given.
    arguments = reading_arguments(reading, skipped, run.jobs)
    corpus = read_corpus(path, **arguments, **text_options(words))
    skipped.tell(quiet=run.quiet)
    if kind is None:
        corpus.save(target, overwrite=overwrite)
        written = [target]
    else:
        ids = None if corpus.ids is None else tuple(corpus.ids)
        matrix = matrices.Matrix(corpus.documents.to_csr("int64"), corpus.words, ids)
        if matrices.format_of(Path(path)) and Path(path).is_file():
            matrix = matrices.read_matrix(Path(path), reading.vocabulary)  # with counts
        written = matrices.write_matrix(target, matrix)
    what = f"{len(corpus):,} documents, {len(corpus.words):,} words"
    return f"{what}. Wrote {', '.join(map(str, written))}"


def _convert_model(path: Path, target: Path) -> None:
    from hlta import HLTA, LatentTree, load

    if target.suffix.lower() not in _MODELS:
        raise OptionError(f"{str(target)!r}: a model is converted to .bif or .hlta")
    loaded = LatentTree.from_bif(path) if path.suffix.lower() == ".bif" else load(path)
    tree = loaded.tree_ if isinstance(loaded, HLTA) else loaded
    if not isinstance(tree, LatentTree):
        raise OptionError(f"{str(path)!r} does not hold a model")
    if target.suffix.lower() == ".bif":
        tree.to_bif(target)
    else:
        tree.save(target)
