"""What can be done with a model: `topics`, `assign`, `score`, `evaluate`, `report`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hlta.cli import arguments as a
from hlta.cli.results import LEAST, json_memberships, memberships
from hlta.cli.telling import Skipped, show_topics, told
from hlta.errors import OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hlta.corpus.corpus import Corpus
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
        tree = _load(model, jobs).topics_
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
        learned = _load(model, jobs)
        read = a.read_options(text, title, id_, None, None, encoding, keep_mail, skip_broken)
        corpus = _corpus(learned, path, read, vocabulary, quiet=quiet)
        rows = json_memberships if as_json else memberships
        if output is None:
            for part in rows(learned, corpus, least):
                sys.stdout.write(part)
            return
        from hlta.files import replacing

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
        learned = _load(model, jobs)
        read = a.read_options(text, title, id_, None, None, encoding, keep_mail, skip_broken)
        values = learned.score_samples(_corpus(learned, path, read, vocabulary, quiet=quiet))
        mean = float(values.mean())
        if as_json:
            typer.echo(json.dumps({"documents": len(values), "log_likelihood": mean}))
        else:
            typer.echo(f"{mean:.4f} nats a document, {len(values):,} documents")


def evaluate(
    model: a.ModelPath,
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="Documents, as for fit.")
    ] = None,
    words: Annotated[
        int, typer.Option(help="Keywords that count in coherence and compactness (M).")
    ] = 4,
    vectors: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Word vectors, of word2vec (binary or text) or GloVe, for compactness.",
            show_default="none",
        ),
    ] = None,
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
    """Print numbers about a model: topics by level, and with documents likelihood and coherence."""
    with told():
        learned = _load(model, jobs)
        corpus = None
        if path is not None:
            read = a.read_options(text, title, id_, None, None, encoding, keep_mail, skip_broken)
            corpus = _corpus(learned, path, read, vocabulary, quiet=quiet)
        result = _evaluated(learned, corpus, words)
        if vectors is not None:
            result |= _compactness(learned, vectors, words)
        typer.echo(json.dumps(result, indent=1) if as_json else _shown(result))


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
        learned = _load(model, jobs)
        beside = model if model.is_dir() else model.parent
        target = beside / "index.html" if output is None else output
        if target.exists() and not overwrite:
            raise OptionError(f"{str(target)!r} exists; choose another name, or --overwrite it")
        read = a.read_options(text, title, id_, date, group, encoding, keep_mail, skip_broken)
        corpus = None
        if path is not None:
            corpus = _corpus(learned, path, read, vocabulary, quiet=quiet, shown=True)
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


def _evaluated(model: HLTA, corpus: Corpus | None, words: int) -> dict[str, Any]:
    found = list(model.topics_)
    result: dict[str, Any] = {"words": model.tree_.n_words, "topics": len(found)}
    coherence = None
    if corpus is not None:
        import numpy as np

        from hlta.evaluate.coherence import topic_coherence

        documents = corpus.aligned(model.tree_.words)
        coherence = topic_coherence(found, documents, model.tree_.words, n_words=words)
        result |= {
            "documents": len(corpus),
            "log_likelihood": float(model.tree_.log_likelihood(documents).mean()),
            "coherence": _mean(coherence),
            "topics_scored": int(np.isfinite(coherence).sum()),
        }
    result["levels"] = []
    for level in sorted({topic.level for topic in found}, reverse=True):
        at = [k for k, topic in enumerate(found) if topic.level == level]
        entry: dict[str, Any] = {
            "level": level,
            "topics": len(at),
            "mean_size": sum(found[k].size for k in at) / len(at),
        }
        if coherence is not None:
            entry["coherence"] = _mean(coherence[at])
        result["levels"].append(entry)
    return result


def _mean(scores: NDArray[np.float64]) -> float | None:
    """The mean of those topics that have a score; None if none has enough words for one."""
    import numpy as np

    return float(np.nanmean(scores)) if np.isfinite(scores).any() else None


def _compactness(model: HLTA, path: Path, words: int) -> dict[str, Any]:
    from hlta.evaluate.compactness import read_vectors, topic_compactness

    used = {word for topic in model.topics_ for word in topic.words[:words]}
    scores, covered = topic_compactness(model.topics_, read_vectors(path, used), n_words=words)
    return {"compactness": _mean(scores), "words_with_vectors": covered}


def _shown(result: dict[str, Any]) -> str:
    lines = []
    for name, value in result.items():
        if name != "levels":
            number = (
                f"{value:,.4f}"
                if isinstance(value, float)
                else "-"
                if value is None
                else f"{value:,}"
            )
            lines.append(f"{name.replace('_', ' ')}: {number}")
    for entry in result["levels"]:
        line = f"level {entry['level']}: {entry['topics']:,} topics, mean size {entry['mean_size']:.3f}"
        score = entry.get("coherence")
        coherence = "" if score is None else f", coherence {score:.2f}"
        lines.append(line + coherence)
    return "\n".join(lines)


def _corpus(
    model: HLTA,
    path: str,
    read: ReadOptions,
    vocabulary: Path | None,
    *,
    quiet: bool,
    shown: bool = False,
) -> Corpus:
    """Documents with the words of the model."""
    from hlta.reading.corpus import SNIPPET, read_with_words

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


def _load(path: Path, jobs: int | None) -> HLTA:
    from hlta import HLTA, load

    model = load(path)
    if not isinstance(model, HLTA):
        raise OptionError(f"{str(path)!r} holds no model that hlta fit left")
    model.n_jobs = jobs
    return model
