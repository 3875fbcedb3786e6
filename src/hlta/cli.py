"""The command `hlta`: topics from files, without a line of Python."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hlta.errors import HltaError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlta.estimator import HLTA
    from hlta.monitor import Monitor
    from hlta.reading.records import ReadOptions

app = typer.Typer(
    name="hlta",
    help="Hierarchical topic detection: a tree of topics from a pile of documents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Source = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="A folder of text files, a CSV, TSV or JSON lines file, or a file with a document a line; "
        "- is standard input.",
    ),
]
ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model, or the folder that `hlta fit` left.")
]
Column = Annotated[
    str | None, typer.Option(help="Column or key of the text.", show_default="guessed")
]
TitleColumn = Annotated[
    str | None, typer.Option(help="Column or key of the title.", show_default="guessed")
]
IdColumn = Annotated[
    str | None, typer.Option("--id", help="Column or key of the id.", show_default="guessed")
]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of the files.", show_default="guessed")
]
KeepMail = Annotated[
    bool, typer.Option("--keep-mail", help="Keep headers, quotes and signatures of mail.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Jobs = Annotated[int | None, typer.Option(help="Threads.", show_default="all processors")]
LEAST = 0.5


@app.command()
def fit(
    path: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the results.")],
    overwrite: Annotated[bool, typer.Option(help="Replace the folder if it exists.")] = False,
    text: Column = None,
    title: TitleColumn = None,
    id_: IdColumn = None,
    encoding: Encoding = None,
    keep_mail: KeepMail = False,
    words: Annotated[
        int | None, typer.Option(help="Words to keep.", show_default="by the number of documents")
    ] = None,
    ngrams: Annotated[int, typer.Option(help="Longest phrases to become a word.")] = 1,
    stop_words: Annotated[
        str, typer.Option(help='Language of the stop words, "auto", or "none".')
    ] = "auto",
    max_top_topics: Annotated[int, typer.Option(help="Most topics at the top (tau).")] = 20,
    max_island_size: Annotated[int, typer.Option(help="Most words below a topic (mu).")] = 15,
    ud_threshold: Annotated[
        float, typer.Option(help="BIC gain that splits a topic (delta).")
    ] = 3.0,
    em: Annotated[str, typer.Option(help='"batch", "stepwise" or "auto".')] = "auto",
    em_steps: Annotated[int, typer.Option(help="Steps of batch EM (kappa).")] = 50,
    structure_sample: Annotated[
        int, typer.Option(help="Documents to learn the tree from (N'); 0 for all.")
    ] = 10_000,
    refine: Annotated[bool, typer.Option(help="Improve the tree beyond the paper.")] = True,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Learn a tree of topics and leave it in a folder."""
    options = _read_options(text, title, id_, encoding, keep_mail)
    with _told(), _folder(output, overwrite=overwrite) as folder:
        _fit(
            path,
            options,
            folder,
            {
                "n_words": words,
                "ngrams": ngrams,
                "stop_words": None if stop_words == "none" else stop_words,
            },
            {
                "max_top_topics": max_top_topics,
                "max_island_size": max_island_size,
                "ud_threshold": ud_threshold,
                "em": em,
                "em_steps": em_steps,
                "structure_sample": structure_sample or None,
                "refine": refine,
                "random_state": seed,
                "n_jobs": jobs,
            },
            quiet=quiet,
        )
    if not quiet:
        typer.echo(f"\nWritten to {output}", err=True)


def _fit(
    path: str,
    options: ReadOptions,
    folder: Path,
    text_options: dict[str, Any],
    model_options: dict[str, Any],
    *,
    quiet: bool,
) -> None:
    from hlta import HLTA, Corpus, __version__

    began = time.perf_counter()
    monitor = _monitor(quiet)
    skipped: list[tuple[str, str]] = []
    ids: list[str] = []
    with monitor.stage("reading"):
        texts = _texts(path, options, ids, skipped)
        corpus = Corpus.from_texts(texts, n_jobs=model_options["n_jobs"], **text_options)
    _report_skipped(skipped, quiet=quiet)
    monitor.note(f"{len(corpus):,} documents, {len(corpus.words):,} words")
    model = HLTA(progress=monitor, **model_options).fit(corpus)
    with monitor.stage("documents"):
        memberships = model.transform(corpus)
    model.save(folder / "model.hlta")
    model.topics_.to_json(folder / "topics.json", indent=1)
    (folder / "topics.csv").write_text(_topics_csv(model), encoding="utf-8")
    _write_documents(folder / "documents.csv", model, ids, memberships)
    run = {
        "hlta": __version__,
        "source": path,
        "documents": len(corpus),
        "skipped": [{"file": name, "reason": reason} for name, reason in skipped],
        "words": len(corpus.words),
        "text": text_options,
        "options": {k: v for k, v in model.get_params().items() if k != "progress"},
        "em": model.em_,
        "log_likelihood": model.score(corpus),
        "seconds": round(time.perf_counter() - began, 3),
    }
    (folder / "run.json").write_text(json.dumps(run, indent=1, default=str), encoding="utf-8")
    if not quiet:
        typer.echo(str(model.topics_))


@app.command()
def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the results.")],
    overwrite: Annotated[bool, typer.Option(help="Replace the folder if it exists.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Show the whole thing on 2,000 arXiv abstracts that come with the package."""
    if not quiet:
        typer.echo("The first run compiles the kernels, which takes some seconds.", err=True)
    with _told(), _folder(output, overwrite=overwrite) as folder:
        path = str(Path(__file__).with_name("data") / "arxiv.tsv.xz")
        text_options = {"n_words": None, "ngrams": 2, "stop_words": "english"}
        model_options = {"random_state": seed, "n_jobs": jobs}
        options = _read_options("abstract", "title", "id", None, keep_mail=True)
        _fit(path, options, folder, text_options, model_options, quiet=quiet)
    if not quiet:
        typer.echo(f"\nWritten to {output}", err=True)


@app.command()
def topics(
    model: ModelFile,
    words: Annotated[int, typer.Option(help="Words a topic.")] = 5,
    depth: Annotated[int | None, typer.Option(help="Layers to show.", show_default="all")] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Print the ids too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the topics of a model."""
    with _told():
        tree = _load(model).topics_
        text = tree.to_text(n_words=words, depth=depth, ids=ids)
        typer.echo(tree.to_json(indent=1) if as_json else text)


@app.command()
def assign(
    model: ModelFile,
    path: Source,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="CSV file.", show_default="standard output"),
    ] = None,
    least: Annotated[float, typer.Option(help="Least P(topic | document) to list.")] = LEAST,
    text: Column = None,
    title: TitleColumn = None,
    id_: IdColumn = None,
    encoding: Encoding = None,
    keep_mail: KeepMail = False,
    quiet: Quiet = False,
) -> None:
    """List the topics of documents, new ones too, as CSV."""
    with _told():
        learned = _load(model)
        ids: list[str] = []
        skipped: list[tuple[str, str]] = []
        options = _read_options(text, title, id_, encoding, keep_mail)
        found = learned.transform(list(_texts(path, options, ids, skipped)))
        _report_skipped(skipped, quiet=quiet)
        if output is None:
            sys.stdout.write(_documents_csv(learned, ids, found, least))
        else:
            _write_documents(output, learned, ids, found, least)


@app.command()
def score(
    model: ModelFile,
    path: Source,
    text: Column = None,
    title: TitleColumn = None,
    id_: IdColumn = None,
    encoding: Encoding = None,
    keep_mail: KeepMail = False,
    as_json: AsJson = False,
) -> None:
    """Print the mean log-likelihood of documents, a measure of how well the model knows them."""
    with _told():
        learned = _load(model)
        options = _read_options(text, title, id_, encoding, keep_mail)
        values = learned.score_samples(list(_texts(path, options, [], [])))
        if as_json:
            typer.echo(
                json.dumps({"documents": len(values), "log_likelihood": float(values.mean())})
            )
        else:
            typer.echo(f"{values.mean():.4f} nats a document, {len(values):,} documents")


@app.command()
def evaluate(
    model: ModelFile,
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="Documents to evaluate with, as for fit.")
    ] = None,
    words: Annotated[int, typer.Option(help="Keywords that count in coherence (M).")] = 4,
    text: Column = None,
    title: TitleColumn = None,
    id_: IdColumn = None,
    encoding: Encoding = None,
    keep_mail: KeepMail = False,
    as_json: AsJson = False,
) -> None:
    """Print numbers about a model: topics by level, and with documents likelihood and coherence."""
    with _told():
        learned = _load(model)
        found = list(learned.topics_)
        result: dict[str, Any] = {"words": learned.tree_.n_words, "topics": len(found)}
        coherence = None
        if path is not None:
            import numpy as np

            from hlta.evaluate.coherence import topic_coherence

            options = _read_options(text, title, id_, encoding, keep_mail)
            texts = list(_texts(path, options, [], []))
            documents = learned.read(texts)
            coherence = topic_coherence(found, documents, learned.tree_.words, n_words=words)
            result |= {
                "documents": len(texts),
                "log_likelihood": float(learned.tree_.log_likelihood(documents).mean()),
                "coherence": float(np.nanmean(coherence)),
                "topics_scored": int(np.isfinite(coherence).sum()),
            }
        levels = sorted({topic.level for topic in found}, reverse=True)
        result["levels"] = []
        for level in levels:
            at = [k for k, topic in enumerate(found) if topic.level == level]
            entry: dict[str, Any] = {
                "level": level,
                "topics": len(at),
                "mean_size": sum(found[k].size for k in at) / len(at),
            }
            if coherence is not None:
                entry["coherence"] = float(np.nanmean(coherence[at]))
            result["levels"].append(entry)
        typer.echo(json.dumps(result, indent=1) if as_json else _shown(result))


def _shown(result: dict[str, Any]) -> str:
    lines = []
    for name, value in result.items():
        if name != "levels":
            number = f"{value:,.4f}" if isinstance(value, float) else f"{value:,}"
            lines.append(f"{name.replace('_', ' ')}: {number}")
    for entry in result["levels"]:
        line = f"level {entry['level']}: {entry['topics']:,} topics, mean size {entry['mean_size']:.3f}"
        coherence = f", coherence {entry['coherence']:.2f}" if "coherence" in entry else ""
        lines.append(line + coherence)
    return "\n".join(lines)


def _read_options(
    text: str | None, title: str | None, id_: str | None, encoding: str | None, keep_mail: bool
) -> ReadOptions:
    from hlta.reading.records import ReadOptions

    mail = "keep" if keep_mail else "auto"
    return ReadOptions(text=text, title=title, id=id_, encoding=encoding, mail=mail)


def _texts(
    path: str, options: ReadOptions, ids: list[str], skipped: list[tuple[str, str]]
) -> Iterator[str]:
    """The texts, one after the other; the ids are noted."""
    from hlta.reading.documents import read_documents

    for record in read_documents(path, options, on_skip=lambda *what: skipped.append(what)):
        ids.append(record.id)
        yield record.text


def _report_skipped(skipped: list[tuple[str, str]], *, quiet: bool) -> None:
    if skipped and not quiet:
        name, reason = skipped[0]
        rest = f", and {len(skipped) - 1:,} more" if len(skipped) > 1 else ""
        typer.echo(f"Not read: {name!r} ({reason}){rest}", err=True)


def _load(path: Path) -> HLTA:
    from hlta import HLTA, load

    file = path / "model.hlta" if path.is_dir() else path
    model = load(file)
    if not isinstance(model, HLTA):
        raise OptionError(f"{file} holds a tree alone; use a model that hlta fit left")
    return model


def _monitor(quiet: bool) -> Monitor:
    from hlta.monitor import Monitor, TextMonitor

    return Monitor() if quiet else TextMonitor()


def _topics_csv(model: HLTA) -> str:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["id", "level", "parent", "size", "words"])
    for topic in model.topics_:
        parent = topic.parent.id if topic.parent else ""
        table.writerow([topic.id, topic.level, parent, f"{topic.size:.6f}", " ".join(topic.words)])
    return out.getvalue()


def _documents_csv(model: HLTA, ids: list[str], memberships: Any, least: float = LEAST) -> str:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["document", "topic", "level", "probability"])
    topics = list(model.topics_)
    for document, row in zip(ids, memberships, strict=True):
        for t in (row >= least).nonzero()[0].tolist():
            table.writerow([document, topics[t].id, topics[t].level, f"{row[t]:.4f}"])
    return out.getvalue()


def _write_documents(
    path: Path, model: HLTA, ids: list[str], memberships: Any, least: float = LEAST
) -> None:
    from hlta.files import replacing

    with replacing(path) as file:
        file.write(_documents_csv(model, ids, memberships, least).encode())


@contextmanager
def _folder(output: Path, *, overwrite: bool) -> Iterator[Path]:
    """A folder that takes its place when it is complete, and not before."""
    if output.exists() and not overwrite:
        raise OptionError(f"{output} exists; choose another folder, or --overwrite it")
    output.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{output.name}.", dir=output.parent))
    try:
        yield made
        made.chmod(0o755)
        if output.is_dir() and not output.is_symlink():
            shutil.rmtree(output)
        elif output.exists():
            output.unlink()
        os.replace(made, output)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


@contextmanager
def _told() -> Iterator[None]:
    """A user's mistake is a line on stderr and an exit code, not a traceback."""
    try:
        yield
    except (HltaError, OSError) as error:
        what = str(error)
        if isinstance(error, OSError) and error.filename:
            what = f"{error.filename}: {error.strerror}"
        typer.echo(f"hlta: {what}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo("hlta: interrupted", err=True)
        raise typer.Exit(130) from None


def main() -> None:
    """Run the command."""
    app()
