"""`hlta fit` and `hlta demo`."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hlta.cli import arguments as a
from hlta.cli.first_run import compile_kernels
from hlta.cli.output import Skipped, monitoring, show_topics, told
from hlta.options import EMOptions, StructureOptions

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.reading.records import ReadOptions


def _model(text: str, **more: Any) -> Any:
    return typer.Option(help=text, rich_help_panel=a.MODEL, **more)


def fit(
    path: a.Source,
    output: a.Folder,
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
    max_top_topics: Annotated[
        int, _model("Most topics at the top (the paper's tau).")
    ] = StructureOptions.max_top_topics,
    max_island_size: Annotated[
        int, _model("Most words, or topics, directly below a topic (mu).")
    ] = StructureOptions.max_island_size,
    ud_threshold: Annotated[
        float, _model("How much better in BIC two topics must be than one (delta).")
    ] = StructureOptions.ud_threshold,
    association: Annotated[
        str, _model("Which words count as related: positive, any, or auto.")
    ] = StructureOptions.association,
    structure_sample: Annotated[
        int, _model("Documents to learn the structure from (N'); 0 for all.")
    ] = StructureOptions.structure_sample or 0,
    refine: Annotated[
        bool, _model("Improve the structure beyond the paper.")
    ] = StructureOptions.refine,
    em: Annotated[
        str, _model("How parameters are learned: batch, stepwise, or auto.")
    ] = EMOptions.em,
    em_steps: Annotated[int, _model("Steps of batch EM (kappa).")] = EMOptions.em_steps,
    batch_size: Annotated[
        int, _model("Stepwise EM: documents a minibatch.")
    ] = EMOptions.batch_size,
    step_exponent: Annotated[
        float, _model("Stepwise EM: exponent of the stepsize (alpha).")
    ] = EMOptions.step_exponent,
    em_updates: Annotated[int, _model("Stepwise EM: updates.")] = EMOptions.em_updates,
    lowest_level: Annotated[int, _model("Level of the most specific topics shown.")] = 2,
    keywords: Annotated[int, _model("Keywords a topic.")] = 10,
    heading: a.Heading = None,
    page_documents: a.PageDocuments = None,
    seed: a.Seed = 0,
    jobs: a.Jobs = None,
    quiet: a.Quiet = False,
    as_json: a.AsJson = False,
) -> None:
    """Learn a tree of topics from documents, and leave it in a folder.

    The folder holds index.html, a page to look at; the model; topics.json and topics.csv;
    documents.csv, which says who is on what; and run.json, which says how it came about.
    """
    with told():
        _fit(
            path,
            output,
            overwrite=overwrite,
            read=a.read_options(text, title, id_, date, group, encoding, keep_mail, skip_broken),
            vocabulary=vocabulary,
            text=a.text_options(
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
            model={
                "max_top_topics": max_top_topics,
                "max_island_size": max_island_size,
                "ud_threshold": ud_threshold,
                "association": association,
                "structure_sample": structure_sample or None,
                "refine": refine,
                "em": em,
                "em_steps": em_steps,
                "batch_size": batch_size,
                "step_exponent": step_exponent,
                "em_updates": em_updates,
                "lowest_level": lowest_level,
                "n_keywords": keywords,
                "random_state": seed,
                "n_jobs": jobs,
            },
            heading=heading,
            page_documents=page_documents,
            quiet=quiet,
            as_json=as_json,
        )


def demo(
    output: a.Folder,
    overwrite: a.Overwrite = False,
    seed: a.Seed = 0,
    jobs: a.Jobs = None,
    quiet: a.Quiet = False,
    as_json: a.AsJson = False,
) -> None:
    """Show the whole thing on 2,000 arXiv abstracts that come with the package."""
    if not quiet and not as_json:
        typer.echo(
            "2,034 abstracts of arXiv papers.",
            err=True,
        )
    with told():
        _fit(
            str(Path(__file__).parents[1] / "data" / "arxiv.tsv.xz"),
            output,
            overwrite=overwrite,
            read=a.read_options("abstract", "title", "id", "date", "category", None, True, False),
            vocabulary=None,
            text={"ngrams": 2, "stop_words": "english"},
            model={"random_state": seed, "n_jobs": jobs},
            heading="Abstracts of arXiv papers",
            page_documents=None,
            quiet=quiet,
            as_json=as_json,
        )


def _fit(
    path: str,
    output: Path,
    *,
    overwrite: bool,
    read: ReadOptions,
    vocabulary: Path | None,
    text: dict[str, Any],
    model: dict[str, Any],
    heading: str | None,
    page_documents: int | None,
    quiet: bool,
    as_json: bool,
) -> None:
    from hlta import __version__
    from hlta._support.files import replacing_folder

    began = time.perf_counter()
    skipped = Skipped()
    with (
        replacing_folder(output, overwrite=overwrite) as folder,
        monitoring(quiet=quiet or as_json) as monitor,
    ):
        compile_kernels(monitor)
        from hlta import HLTA
        from hlta.reading.corpus_reader import read_corpus

        corpus = read_corpus(
            path,
            vocabulary=vocabulary,
            on_skip=skipped,
            progress=monitor,
            n_jobs=model["n_jobs"],
            **vars(read),
            **text,
        )
        monitor.note(f"{len(corpus):,} documents, {len(corpus.words):,} words")
        learned = HLTA(progress=monitor, **model).fit(corpus)
        with monitor.stage("writing"):
            _write(folder, learned, corpus)
            learned.topics_.to_html(
                folder / "index.html",
                corpus=corpus,
                title=a.heading(path) if heading is None else heading,
                source=path,
                most_documents=page_documents,
                n_jobs=model["n_jobs"],
            )
        run = {
            "hlta": __version__,
            "source": path,
            "documents": len(corpus),
            "words": len(corpus.words),
            "topics": len(learned.topics_),
            "log_likelihood": learned.score(corpus),
            "seconds": round(time.perf_counter() - began, 3),
            "em": learned.em_,
            "read": vars(read),
            "text": None if corpus.text_options is None else corpus.text_options.plain(),
            "options": {k: v for k, v in learned.get_params().items() if k != "progress"},
            "skipped": skipped.count,
            "skipped_first": skipped.first,
        }
        text_of_run = json.dumps(run, indent=1, ensure_ascii=False)
        (folder / "run.json").write_text(text_of_run, encoding="utf-8", errors="surrogatepass")
    if as_json:
        typer.echo(text_of_run)
        return
    skipped.tell(quiet=quiet)
    if not quiet:
        show_topics(learned.topics_, most_lines=60)
        typer.echo(f"\nOpen {output / 'index.html'}; the results are beside it.", err=True)


def _write(folder: Path, model: HLTA, corpus: Corpus) -> None:
    from hlta._support.files import MODEL
    from hlta.cli.results import write_memberships, write_topics

    model.save(folder / MODEL)
    model.topics_.to_json(folder / "topics.json", indent=1)
    write_topics(folder / "topics.csv", model)
    write_memberships(folder / "documents.csv", model, corpus)
