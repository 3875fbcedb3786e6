"""`hlta fit` and `hlta demo`."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hlta.cli.common_options import LearningRun, Model, Page, Reading, Source, Words, grouped
from hlta.cli.first_run import compiling
from hlta.cli.inputs import read_json, read_options, reading_arguments, text_options
from hlta.cli.output import Skipped, monitoring, show_seeds, show_topics, told_warnings
from hlta.cli.results import write_results
from hlta.cli.resuming import checkpoint_beside

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA

_DEMO = Path(__file__).parents[1] / "data" / "arxiv.tsv.xz"
_DEMO_COLUMNS = Reading(
    text="abstract", title="title", id="id", date="date", group="category", keep_mail=True
)
_MOST_LINES = 60  # of the topics printed in the end


@grouped
def fit(
    path: Source, *, reading: Reading, words: Words, model: Model, page: Page, run: LearningRun
) -> None:
    """Learn a tree of topics from documents, and write it to a folder.

    The folder holds index.html, a page to explore the topics; the model; topics.json and topics.csv;
    documents.csv, the topic probabilities per document; and run.json, a record of the run.
    """
    _fit(path, reading, text_options(words), model, page, run)


@grouped
def demo(*, run: LearningRun) -> None:
    """Learn topics from 2,034 arXiv abstracts that come with the package."""
    if not run.quiet and not run.as_json:
        typer.echo("Learning topics from 2,034 abstracts of arXiv papers.", err=True)
    text = {"ngrams": 2, "stop_words": "english"}
    _fit(str(_DEMO), _DEMO_COLUMNS, text, Model(), Page(heading="Abstracts of arXiv papers"), run)


def _fit(
    path: str, reading: Reading, text: dict[str, Any], model: Model, page: Page, run: LearningRun
) -> None:
    """Learn topics and write them; the folder appears when it is complete."""
    from hlta._support.files import RUN, check_replaceable, replacing_folder

    began = time.perf_counter()
    read = read_options(reading)  # refuses bad options before any work
    check_replaceable(run.output, overwrite=run.overwrite)
    sample = model.structure_sample or None
    options = {"structure_sample": sample, "random_state": run.seed, "n_jobs": run.jobs}
    wanted = {k: read_json(file) for k in ("seeds", "apart") if (file := getattr(model, k))}
    skipped = Skipped()
    with (
        checkpoint_beside(run.output, resume=run.resume, overwrite=run.overwrite) as checkpoint,
        monitoring(quiet=run.quiet or run.as_json) as monitor,
        compiling(monitor) as finish_compiling,
    ):
        from hlta import read_corpus
        from hlta.estimator.seeds import Given
        from hlta.reading.corpus_reader import is_matrix

        given = Given.read(wanted.get("seeds"), wanted.get("apart"))
        if given.words and not is_matrix(path):
            text = {**text, "include": [*text.get("include", ()), *given.words]}
        arguments = reading_arguments(reading, skipped, run.jobs)
        corpus = read_corpus(path, progress=monitor, **arguments, **text)
        monitor.note(f"{len(corpus):,} documents, {len(corpus.words):,} words")
        finish_compiling()
        from hlta import HLTA

        learner = HLTA(progress=monitor, checkpoint=checkpoint, **vars(model) | options | wanted)
        with told_warnings():
            learned = learner.fit(corpus)
        with (
            monitor.stage("writing"),
            replacing_folder(run.output, overwrite=run.overwrite) as folder,
        ):
            write_results(folder, learned, corpus, path, page)
            record = _record(path, learned, corpus, vars(read), skipped, began)
            shown = json.dumps(record, indent=1, ensure_ascii=False)
            (folder / RUN).write_text(shown, encoding="utf-8", errors="surrogatepass")
    if run.as_json:
        typer.echo(shown)
        return
    skipped.tell(quiet=run.quiet)
    if not run.quiet:
        show_topics(learned.topics_, most_lines=_MOST_LINES)
        show_seeds(learned.seeds_)
        where = f"\nOpen {run.output / 'index.html'} in a browser; the other results are beside it."
        typer.echo(where, err=True)


def _record(
    path: str, model: HLTA, corpus: Corpus, read: dict[str, Any], skipped: Skipped, began: float
) -> dict[str, Any]:
    """What run.json holds: how the results came about."""
    from hlta import __version__
    from hlta.estimator.estimator import OF_THE_RUN

    return {
        "hlta": __version__,
        "source": path,
        "documents": len(corpus),
        "words": len(corpus.words),
        "topics": len(model.topics_),
        "log_likelihood": model.score(corpus),
        "seconds": round(time.perf_counter() - began, 3),
        "em": model.em_,
        "seeds": [seed.plain() for seed in model.seeds_],
        "read": read,
        "text": None if corpus.text_options is None else corpus.text_options.plain(),
        "options": {k: v for k, v in model.get_params().items() if k not in {*OF_THE_RUN, "text"}},
        "skipped": skipped.count,
        "skipped_first": skipped.first,
    }
