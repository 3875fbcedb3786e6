"""`hlta convert`: between formats of documents, and of models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hlta._support.formats import MODEL
from hlta._support.messages import join_names, plural
from hlta.cli.common_options import Cluster, Overwrite, Reading, Run, Sources, Words, grouped
from hlta.cli.inputs import read_by, refuse_options, text_options
from hlta.cli.output import report_warnings
from hlta.cli.printing import tell
from hlta.cli.results import output_file, output_folder, refuse_existing, refuse_sources
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlta.documents.corpus import Corpus

_MODELS = frozenset({".bif", ".hlta"})


@grouped
def convert(
    paths: Sources,
    target: Path,
    *,
    overwrite: Overwrite = False,
    by_language: bool = False,
    cluster: Cluster = None,
    reading: Reading,
    words: Words,
    run: Run,
) -> None:
    """Convert documents: text to a matrix or a corpus, or one matrix format to another.

    Matrices keep their counts; a matrix made of text records only which words each document has.
    Models can be converted too, between .hlta and the original authors' .bif.

    Parameters
    ----------
    target : TARGET
        For a matrix, docword*.txt (UCI), .ldac, .sparse.txt, .npz or .mtx; for a corpus, a folder,
        whose name has no ending; for a model, .bif or .hlta.
    by_language
        Write a corpus for each language to the folder, each with a vocabulary of its own.
    """
    if target.is_symlink():  # the name of the file that it leads to tells the format
        target = target.resolve()
    model = Path(paths[0])
    if len(paths) == 1 and (model.suffix.lower() in _MODELS or (model / MODEL).is_file()):
        refuse_options(
            f"applies to documents, and {paths[0]!r} is a model; leave it out", reading, words
        )
        for flag, given in (("--cluster", cluster), ("--by-language", by_language)):
            if given:
                raise OptionError(
                    f"{flag} applies to documents, and {paths[0]!r} is a model; leave it out"
                )
        _convert_model(model, target, overwrite=overwrite)
        done = f"Wrote {target}"
    else:

        def read() -> Corpus:
            from hlta import read_corpus

            options = text_options(words) | {"client": cluster}
            return read_by(read_corpus, reading, run, paths, **options)

        convert_documents = _divide if by_language else _convert_documents
        done = convert_documents(paths, target, reading, read, overwrite=overwrite)
    tell(done, quiet=run.quiet)


def _convert_documents(
    paths: list[str], target: Path, reading: Reading, read: Callable[[], Corpus], *, overwrite: bool
) -> str:
    """Convert documents, and return a sentence about what was written."""
    from hlta.reading.corpus_reader import matrix_among
    from hlta.reading.matrices import matrix_files as matrices

    kind = matrices.format_of(target)
    if target.suffix.lower() in _MODELS:
        raise OptionError(
            f"{str(target)!r} would be a model, but {paths[0]!r} is not one; see `hlta fit`"
        )
    if kind is None and target.suffix:
        raise OptionError(
            f"{str(target)!r}: use docword*.txt, .ldac, .sparse.txt, .npz or .mtx, or a folder"
        )
    if kind is None:
        with output_folder(target, *paths, overwrite=overwrite) as folder:
            corpus = read()
            corpus.save(folder)
        written = [target]
    else:
        if reading.vectors is not None:
            raise OptionError(
                "--vectors: no matrix file holds them; convert to a folder, or leave it out"
            )
        files = matrices.files_of(target)
        for beside in files[1:]:
            refuse_existing(beside, overwrite=overwrite, role=", where the words would go,")
            refuse_sources(beside, *paths, reading.vocabulary, reading.metadata)
        sources = (*paths, reading.vocabulary, reading.metadata)
        with output_file(target, *sources, overwrite=overwrite) as file:
            corpus = read()
            ids = None if corpus.ids is None else tuple(corpus.ids)
            matrix = matrices.Matrix(corpus.documents.to_csr("int64"), corpus.words, ids)
            source = matrix_among(paths)
            if source is not None and source.is_file():
                whole = matrices.read_matrix(source, reading.vocabulary)
                matrix = whole.of_words(corpus.words, ids)
            matrices.write_matrix(file, matrix)
        written = files
    what = f"{plural(len(corpus), 'document')}, {plural(len(corpus.words), 'word')}"
    return f"{what}. Wrote {', '.join(map(str, written))}"


def _divide(
    paths: list[str], target: Path, reading: Reading, read: Callable[[], Corpus], *, overwrite: bool
) -> str:
    """Write a corpus for each language, and return a sentence about them."""
    if target.suffix:
        raise OptionError(f"{str(target)!r}: --by-language writes corpora; give a folder for them")
    with output_folder(target, *paths, overwrite=overwrite) as folder:
        with report_warnings():
            corpora = read().by_language()
        if len(corpora) < 2:
            found = join_names([*map(str.title, corpora)]) or "none"
            raise OptionError(
                "--by-language needs documents in two languages that can be learned from, and there is "
                f"{found}; leave it out"
            )
        for language, corpus in corpora.items():
            corpus.save(folder / language)
    counts = (
        f"{language.title()}: {plural(len(one), 'document')}" for language, one in corpora.items()
    )
    return f"{'; '.join(counts)}. Wrote {', '.join(str(target / language) for language in corpora)}"


def _convert_model(path: Path, target: Path, *, overwrite: bool) -> None:
    from hlta import HLTA, LatentTree, load

    if target.suffix.lower() not in _MODELS:
        raise OptionError(f"{str(target)!r}: a model can only be converted to .bif or .hlta")
    with output_file(target, path, overwrite=overwrite) as file:
        loaded = LatentTree.from_bif(path) if path.suffix.lower() == ".bif" else load(path)
        tree = loaded.tree_ if isinstance(loaded, HLTA) else loaded
        if not isinstance(tree, LatentTree):
            raise OptionError(f"{str(path)!r} does not hold a model")
        if target.suffix.lower() == ".bif":
            tree.to_bif(file)
        else:
            tree.save(file)
