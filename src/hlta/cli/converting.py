"""`hlta convert`: between formats of documents, and of models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlta.cli import arguments as a
from hlta.cli.output import Skipped, told
from hlta.errors import OptionError

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.tree.latent_tree import LatentTree

_MODELS = frozenset({".bif", ".hlta"})


def convert(
    path: a.Source,
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET",
            help="docword*.txt (UCI), .ldac, .sparse.txt, .npz or .mtx; a name without an "
            "ending is a folder for a corpus. Of a model: .bif or .hlta.",
        ),
    ],
    overwrite: a.Overwrite = False,
    text: a.TextColumn = None,
    title: a.TitleColumn = None,
    id_: a.IdColumn = None,
    date: a.DateColumn = None,
    group: a.GroupColumn = None,
    encoding: a.Encoding = None,
    keep_mail: a.KeepMail = False,
    skip_broken: a.SkipBroken = False,
    vocabulary: a.Vocabulary = None,
    words: a.NWords = None,
    ngrams: a.NGrams = 1,
    stop_words: a.StopWords = "auto",
    min_df: a.MinDf = None,
    max_df: a.MaxDf = None,
    min_length: a.MinLength = None,
    numbers: a.Numbers = False,
    keep_case: a.KeepCase = False,
    lemmas: a.Lemmas = None,
    segment: a.Segment = None,
    include: a.Include = None,
    exclude: a.Exclude = None,
    seed: a.NoSeed = 0,
    jobs: a.Jobs = None,
    quiet: a.Quiet = False,
) -> None:
    """Convert documents: text to a matrix or a corpus, one format of matrices to another.

    Matrices keep their counts; of text it is noted which words a document has, not how often. A
    model can be converted too, between .hlta and the authors' .bif.
    """
    with told():
        if target.exists() and not overwrite:
            raise OptionError(f"{str(target)!r} exists; choose another name, or --overwrite it")
        if Path(path).suffix.lower() in _MODELS:
            _convert_model(Path(path), target)
            if not quiet:
                typer.echo(f"Written: {target}", err=True)
            return
        from hlta.reading.corpus_reader import is_matrix, read_corpus
        from hlta.reading.matrix_formats import BESIDE, format_of, vocabulary_beside
        from hlta.reading.matrix_reader import read_matrix
        from hlta.reading.matrix_writer import write_matrix

        kind = format_of(target)
        if kind is None and target.suffix:
            raise OptionError(
                f"{str(target)!r}: use docword*.txt, .ldac, .sparse.txt, .npz or .mtx, or a folder"
            )
        if kind in BESIDE:
            words_file = vocabulary_beside(target)[0]
            if words_file.exists() and not overwrite:
                raise OptionError(
                    f"{str(words_file)!r}, where the words would go, exists; choose another name, "
                    "or --overwrite it"
                )
        skipped = Skipped()
        read = a.read_options(text, title, id_, date, group, encoding, keep_mail, skip_broken)
        # Of a matrix this finds out whether it can be read, and that no option of text is given.
        corpus = read_corpus(
            path,
            vocabulary=vocabulary,
            on_skip=skipped,
            n_jobs=jobs,
            **vars(read),
            **a.text_options(
                words,
                ngrams,
                stop_words,
                min_df,
                max_df,
                min_length,
                numbers,
                keep_case,
                lemmas,
                segment,
                include,
                exclude,
            ),
        )
        skipped.tell(quiet=quiet)
        if kind is not None and is_matrix(path) and Path(path).is_file():  # with its counts
            written = write_matrix(target, read_matrix(Path(path), vocabulary))
            if not quiet:
                typer.echo(f"Written: {', '.join(map(str, written))}", err=True)
            return
        _write(corpus, target, overwrite=overwrite, quiet=quiet)


def _write(corpus: Corpus, target: Path, *, overwrite: bool, quiet: bool) -> None:
    import numpy as np
    from scipy.sparse import csr_array

    from hlta.reading.matrix_formats import Matrix, format_of
    from hlta.reading.matrix_writer import write_matrix

    if format_of(target) is None:
        corpus.save(target, overwrite=overwrite)
        written = [target]
    else:
        documents = corpus.documents
        parts = (
            np.ones(len(documents.indices), dtype=np.int64),
            documents.indices.astype(np.int64),
            documents.indptr,
        )
        ids = None if corpus.ids is None else tuple(corpus.ids)
        counts = csr_array(parts, shape=documents.shape)
        written = write_matrix(target, Matrix(counts, corpus.words, ids))
    if not quiet:
        what = f"{len(corpus):,} documents, {len(corpus.words):,} words"
        typer.echo(f"{what}. Written: {', '.join(map(str, written))}", err=True)


def _convert_model(path: Path, target: Path) -> None:
    from hlta import HLTA, LatentTree, load

    if target.suffix.lower() not in _MODELS:
        raise OptionError(f"{str(target)!r}: a model becomes a .bif or a .hlta")
    tree: LatentTree
    if path.suffix.lower() == ".bif":
        tree = LatentTree.from_bif(path)
    else:
        model = load(path)
        if isinstance(model, HLTA):
            tree = model.tree_
        elif isinstance(model, LatentTree):
            tree = model
        else:
            raise OptionError(f"{str(path)!r} holds no model")
    if target.suffix.lower() == ".bif":
        tree.to_bif(target)
    else:
        tree.save(target)
