"""What can be done with a model: `topics`, `assign`, `score`, `report`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlta.cli import arguments as a
from hlta.cli.output import Skipped, show_topics, told
from hlta.cli.results import LEAST, json_memberships, memberships
from hlta.errors import OptionError

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.reading.records import ReadOptions


def topics(
    model: a.ModelPath,
    words: Annotated[int, typer.Option(help="Words a topic.")] = 5,
    depth: Annotated[int | None, typer.Option(help="Layers to show.", show_default="all")] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Print the ids too.")] = False,
    seed: a.NoSeed = 0,
    jobs: a.Jobs = None,
    quiet: a.Quiet = False,
    as_json: a.AsJson = False,
) -> None:
    """Print the topics of a model: their sizes and first words."""
    with told():
        tree = load_model(model, jobs).topics_
        if as_json:
            typer.echo(tree.to_json(indent=1))
        else:
            show_topics(tree, n_words=words, depth=depth, ids=ids)


def assign(
    model: a.ModelPath,
    path: a.Source,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write.", show_default="standard output"),
    ] = None,
    least: Annotated[
        float, typer.Option(help="Probability a topic must exceed to be listed.")
    ] = LEAST,
    text: a.TextColumn = None,
    title: a.TitleColumn = None,
    id_: a.IdColumn = None,
    encoding: a.Encoding = None,
    keep_mail: a.KeepMail = False,
    skip_broken: a.SkipBroken = False,
    vocabulary: a.Vocabulary = None,
    seed: a.NoSeed = 0,
    jobs: a.Jobs = None,
    quiet: a.Quiet = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON lines, one a document.", rich_help_panel=a.RUN)
    ] = False,
) -> None:
    """List the topics of documents, new ones too: as CSV, a row for each document and topic."""
    with told():
        learned = load_model(model, jobs)
        read = a.read_options(text, title, id_, None, None, encoding, keep_mail, skip_broken)
        corpus = model_corpus(learned, path, read, vocabulary, quiet=quiet)
        rows = json_memberships if as_json else memberships
        if output is None:
            for part in rows(learned, corpus, least):
                sys.stdout.write(part)
            return
        from hlta._support.files import replacing

        with replacing(output) as file:
            for part in rows(learned, corpus, least):
                file.write(part.encode("utf-8", "surrogatepass"))


def score(
    model: a.ModelPath,
    path: a.Source,
    text: a.TextColumn = None,
    title: a.TitleColumn = None,
    id_: a.IdColumn = None,
    encoding: a.Encoding = None,
    keep_mail: a.KeepMail = False,
    skip_broken: a.SkipBroken = False,
    vocabulary: a.Vocabulary = None,
    seed: a.NoSeed = 0,
    jobs: a.Jobs = None,
    quiet: a.Quiet = False,
    as_json: a.AsJson = False,
) -> None:
    """Print the mean log-likelihood of documents, a measure of how well the model knows them."""
    with told():
        learned = load_model(model, jobs)
        read = a.read_options(text, title, id_, None, None, encoding, keep_mail, skip_broken)
        values = learned.score_samples(model_corpus(learned, path, read, vocabulary, quiet=quiet))
        mean = float(values.mean())
        if as_json:
            typer.echo(json.dumps({"documents": len(values), "log_likelihood": mean}))
        else:
            typer.echo(f"{mean:.4f} nats a document, {len(values):,} documents")


def report(
    model: a.ModelPath,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]",
            help="Documents to show with the topics, of any kind that `hlta fit` takes.",
            show_default="none, the topics alone",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="File to write.", show_default="index.html beside the model"
        ),
    ] = None,
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
    heading: a.Heading = None,
    page_documents: a.PageDocuments = None,
    seed: a.NoSeed = 0,
    jobs: a.Jobs = None,
    quiet: a.Quiet = False,
) -> None:
    """Write the page of a model anew, or elsewhere, or with other documents."""
    with told():
        learned = load_model(model, jobs)
        beside = model if model.is_dir() else model.parent
        target = beside / "index.html" if output is None else output
        if target.exists() and not overwrite:
            raise OptionError(f"{str(target)!r} exists; choose another name, or --overwrite it")
        read = a.read_options(text, title, id_, date, group, encoding, keep_mail, skip_broken)
        corpus = None
        if path is not None:
            corpus = model_corpus(learned, path, read, vocabulary, quiet=quiet, shown=True)
        learned.topics_.to_html(
            target,
            corpus=corpus,
            title=a.heading(path or str(beside)) if heading is None else heading,
            source=path,
            most_documents=page_documents,
            n_jobs=jobs,
        )
        if not quiet:
            typer.echo(f"Written to {target}", err=True)


def model_corpus(
    model: HLTA,
    path: str,
    read: ReadOptions,
    vocabulary: Path | None,
    *,
    quiet: bool,
    shown: bool = False,
) -> Corpus:
    """Documents with the words of the model."""
    from hlta.reading.corpus_reader import SNIPPET, read_with_words

    skipped = Skipped()
    words, text = model.tree_.words, model.text_options_
    corpus = read_with_words(
        path,
        words,
        text,
        read=read,
        vocabulary=vocabulary,
        snippet=SNIPPET if shown else 0,
        on_skip=skipped,
        n_jobs=model.n_jobs,
    )
    skipped.tell(quiet=quiet)
    return corpus


def load_model(path: Path, jobs: int | None) -> HLTA:
    """A model that hlta fit left."""
    from hlta import HLTA, load

    model = load(path)
    if not isinstance(model, HLTA):
        raise OptionError(f"{str(path)!r} holds no model that hlta fit left")
    model.n_jobs = jobs
    return model
