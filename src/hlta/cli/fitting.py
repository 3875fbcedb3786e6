"""`hlta fit` and `hlta demo`."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlta._support.checks import check_whole
from hlta._support.formats import RUN
from hlta._support.messages import plural, printable
from hlta.cli import common_options as options
from hlta.cli.demo_files import DEMO, write_demo_files
from hlta.cli.first_run import compiling
from hlta.cli.inputs import (
    add_vectors,
    read_json,
    read_options,
    reading_arguments,
    refuse_options,
    text_options,
)
from hlta.cli.output import monitoring, report_skipped, report_warnings, show_seeds, show_topics
from hlta.cli.printing import show, tell
from hlta.cli.results import check_output, output_folder, write_record, write_results
from hlta.cli.run_record import BESIDE, digest_of, place_of
from hlta.documents.dates import is_ambiguous
from hlta.errors import DocumentsError, HltaError, OptionError
from hlta.options import SEGMENTED, EMOptions, StructureOptions, TextOptions
from hlta.reading.skipped import Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.monitor import Monitor

_DEMO_COLUMNS = options.Reading(
    text="abstract", title="title", id="id", date="date", group="category", keep_mail=True
)
_MOST_LINES = 60  # of the topics printed in the end
_SHOWN_WORDS = 12  # of a passage
_SHOWN_STYLE = 5  # words
_RECORDED = 100  # passages
_IN_PART = (
    "in brackets: the mean share of the topic in documents; mainly: the number of documents whose "
    "largest topic it is; in part: the number with at least a fifth of their words on it"
)
_FEW_ON_NONE = 0.01  # share of the documents that may be on no topic without a message
_ENOUGH = 100  # documents, for reliable topics


@options.grouped
def fit(
    paths: options.Sources,
    *,
    reading: options.Reading,
    words: options.Words,
    model: options.Model,
    page: options.Page,
    run: options.LearningRun,
) -> None:
    """Learn a tree of topics from documents, and write it to a folder.

    The folder holds index.html, a page to explore the topics; the model; topics.json and topics.csv;
    documents.csv, the main topic of each document; shares.csv, each topic with at least 5% of it; and
    run.json, a record.
    """
    _fit(paths, reading, text_options(words), model, page, run)


@options.grouped
def demo(*, files: Path | None = None, run: options.DemoRun) -> None:
    """Learn topics from 2,034 arXiv abstracts that come with the package.

    Parameters
    ----------
    files
        Write the abstracts to this folder, as the files that the documentation uses.
    """
    if run.output is None:
        if files is None:
            raise OptionError("nothing to do: give a folder for --output, --files, or both")
        ignored = replace(run, overwrite=False, quiet=False)
        refuse_options("applies to learning; add --output, or leave it out", ignored)
    if files is not None:
        names = write_demo_files(files, overwrite=run.overwrite)
        tell(f"Wrote {', '.join(names)} to {files}", quiet=run.quiet)
    if run.output is None:
        return
    beginning = "Learning topics from 2,034 abstracts of arXiv papers."
    tell(beginning, quiet=run.quiet or run.as_json)
    text = {"ngrams": 2, "stop_words": "english"}
    _fit(
        [str(DEMO)],
        _DEMO_COLUMNS,
        text,
        options.Model(),
        options.Page(heading="Abstracts of arXiv papers"),
        options.LearningRun(**vars(run)),
    )


def _fit(
    paths: list[str],
    reading: options.Reading,
    text: dict[str, Any],
    model: options.Model,
    page: options.Page,
    run: options.LearningRun,
) -> None:
    """Learn topics and write them; the folder appears when it is complete."""
    from hlta.cluster import passes_on

    began = time.perf_counter()
    read = read_options(reading)  # refuses bad options before any work, as the next line does
    parameters = _check_parameters(text, model)
    wanted = {k: read_json(file) for k in ("seeds", "apart") if (file := getattr(model, k))}
    skipped = Skipped()
    check_output(run.output, *paths, overwrite=run.overwrite)
    with (
        checkpoint_beside(run.output, resume=run.resume, overwrite=run.overwrite) as checkpoint,
        output_folder(run.output, *paths, overwrite=run.overwrite) as folder,
        monitoring(quiet=run.quiet or run.as_json) as monitor,
        compiling(monitor) as finish_compiling,
        passes_on(run.cluster),
    ):
        from hlta import read_corpus

        if wanted:
            finish_compiling()  # reading seeds imports the modules that learn, with their kernels
            text = _with_words_of(wanted, text, paths)
        arguments = reading_arguments(reading, skipped)
        with report_warnings():
            digest = digest_of(paths)
            corpus = read_corpus(paths, progress=monitor, **arguments, **text)
            corpus = add_vectors(corpus, reading)
        _report_corpus(corpus, monitor)
        finish_compiling()
        from hlta import HLTA

        parameters |= {"random_state": run.seed, "progress": monitor, "checkpoint": checkpoint}
        learner = HLTA(**parameters | wanted)
        with report_warnings():
            try:
                learned = learner.fit(corpus)
            except DocumentsError:  # perhaps because too many were skipped
                report_skipped(skipped, quiet=run.quiet)
                raise
        with monitor.stage("writing"):
            on_none = write_results(folder, learned, corpus, paths, page, run.output)
            beside = {name: str(file) for name in BESIDE if (file := getattr(reading, name))}
            record = _record(
                paths,
                digest,
                run.output,
                learned,
                corpus,
                vars(read) | beside,
                page,
                skipped,
                began,
            )
            shown = write_record(folder / RUN, record)
    if run.as_json:
        show(shown)
        return
    report_skipped(skipped, quiet=run.quiet, record=run.output / RUN)
    if not run.quiet:
        show_topics(learned.topics_, most_lines=_MOST_LINES, model=run.output)
        tell(_IN_PART)
        if on_none > _FEW_ON_NONE * len(corpus):
            _report_none(on_none, corpus)
        show_seeds(learned.seeds_)
        _warn_of_few(len(corpus) - corpus.n_repeats)
        where = f"\nOpen {run.output / 'index.html'} in a browser; the other results are beside it."
        tell(where)


def _report_none(on_none: int, corpus: Corpus) -> None:
    """Say how many documents are on no topic, and name --keep-style if most of them lack known words."""
    tell(
        f"{on_none:,} of {plural(len(corpus), 'document')} are on no topic: none has a fifth of "
        "their words, or the model knows too few of them"
    )
    wordless = int((corpus.documents.lengths == 0).sum())
    if corpus.text_options is not None and corpus.text_options.style and 2 * wordless > on_none:
        have = "has" if wordless == 1 else "have"
        tell(
            f"{plural(wordless, 'document')} {have} no word of the model; --keep-style keeps filler words"
        )


def _with_words_of(
    wanted: dict[str, Any], text: dict[str, Any], paths: list[str]
) -> dict[str, Any]:
    """The text options with the words of seeds added to `include`; malformed seeds are refused."""
    from hlta.reading.corpus_reader import matrix_among
    from hlta.seeds.given import Given

    given = Given.read(wanted.get("seeds"), wanted.get("apart"))
    if not given.words or matrix_among(paths) is not None:
        return text
    return {**text, "include": [*text.get("include", ()), *given.words]}


def _report_corpus(corpus: Corpus, monitor: Monitor) -> None:
    monitor.note(f"{plural(len(corpus), 'document')}, {plural(len(corpus.words), 'word')}")
    if corpus.n_repeats:
        monitor.note(f"{corpus.n_repeats:,} repeat the text of another; each text counts once")
    either = next(filter(is_ambiguous, corpus.dates or ()), None)
    if either is not None and corpus.day_first is not None:
        which = "day" if corpus.day_first else "month"
        monitor.note(
            f"dates such as {printable(either)} are read with the {which} first, because other dates "
            "have it there; --date-format reads them otherwise"
        )
    text = corpus.text_options
    spaced = [] if text is None else [one for one in text.languages or () if one not in SEGMENTED]
    if len(spaced) > 1 and corpus.texts is not None:  # the others are listed for a single document
        monitor.note("for a tree of each language, see `hlta convert --by-language`")
    if text is not None and text.passages:
        documents, words = text.passages[0]
        count = plural(len(text.passages), "passage")
        what = "are left out" if text.drop_passages else "are kept; --drop-passages leaves them out"
        monitor.note(
            f'many documents share {count}: "{_beginning(words)}" is in {documents:,} documents; '
            f"the words {what}"
        )
    if text is not None and text.style:
        first = ", ".join(map(printable, text.style[:_SHOWN_STYLE]))
        monitor.note(
            f"{len(text.style):,} filler words, which rarely recur within a document, such as {first}, "
            "are left out; --keep-style keeps them"
        )


def _warn_of_few(n_documents: int) -> None:
    """Say that few documents make unreliable topics."""
    if n_documents < _ENOUGH:
        tell(
            f"\nhlta: {plural(n_documents, 'document')} are too few for reliable topics; "
            f"give {_ENOUGH} or more, such as the paragraphs of long texts, one per line of a text file"
        )


def _beginning(words: tuple[str, ...]) -> str:
    more = " ..." if len(words) > _SHOWN_WORDS else ""
    return printable(" ".join(words[:_SHOWN_WORDS])) + more


def _check_parameters(text: dict[str, Any], model: options.Model) -> dict[str, Any]:
    """The parameters of `HLTA`; options that some stage would refuse later are refused."""
    TextOptions(**text)
    given = vars(model) | {"structure_sample": model.structure_sample or None}
    for stage in (StructureOptions, EMOptions):
        stage(**{field.name: given[field.name] for field in fields(stage)})
    check_whole("lowest_level", model.lowest_level, least=1)
    check_whole("n_keywords", model.n_keywords, least=1)
    check_whole("n_topics", model.n_topics, least=1, none="the whole tree")
    return given


def _record(
    paths: list[str],
    digest: str | None,
    output: Path,
    model: HLTA,
    corpus: Corpus,
    read: dict[str, Any],
    page: options.Page,
    skipped: Skipped,
    began: float,
) -> dict[str, Any]:
    """The content of run.json: how the results came about."""
    from hlta import __version__
    from hlta.estimator.face import OF_THE_RUN

    text = corpus.text_options
    passages = () if text is None or text.passages is None else text.passages
    style = () if text is None or text.style is None else text.style
    return {
        "hlta": __version__,
        "source": paths[0] if len(paths) == 1 else paths,
        "digest": digest,
        "folder": place_of(os.getcwd(), output),
        "documents": len(corpus),
        "repeats": corpus.n_repeats,
        "passages": len(passages),
        "passages_first": [
            {"documents": documents, "text": " ".join(words)}
            for documents, words in passages[:_RECORDED]
        ],
        "words_of_style": len(style),
        "words_of_style_first": style[:_RECORDED],
        "words": len(corpus.words),
        "topics": len(model.topics_),
        "log_likelihood": model.score(corpus),
        "seconds": round(time.perf_counter() - began, 3),
        "em": model.em_,
        "seeds": [seed.plain() for seed in model.seeds_],
        "read": read,
        "page": vars(page),
        "text": None if text is None else text.forget_texts().plain(),
        "options": {k: v for k, v in model.get_params().items() if k not in {*OF_THE_RUN, "text"}},
        "mails": skipped.mails,
        "skipped": skipped.count,
        "skipped_reasons": skipped.reasons,
        "skipped_first": skipped.first,
    }


# ---- what a fit that was stopped leaves behind -------------------------------------------------


@contextmanager
def checkpoint_beside(output: Path, *, resume: bool, overwrite: bool) -> Iterator[Path]:
    """The folder of the checkpoint of a fit, which is deleted when the block succeeds.

    A checkpoint that is there already is neither used nor deleted unless the user asks for it.
    """
    from hlta.learning.checkpoint_folder import STATE, discard

    target = Path(os.path.realpath(output))
    folder = target.with_name(f"{target.name}.checkpoint")
    state = folder / STATE
    if not resume:
        if state.exists() and not overwrite:
            raise OptionError(
                f"{str(folder)!r} holds what another fit has finished; if it was stopped, add "
                "--resume to go on with it, or --overwrite to begin anew"
            )
        discard(folder)
    try:
        yield folder
    except BaseException as error:
        if state.exists() and not isinstance(error, HltaError):
            tell(f"hlta: {str(folder)!r} holds what is finished; --resume goes on from there")
        raise
    discard(folder)
