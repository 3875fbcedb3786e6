"""What can be done with a model: `hlta topics`, `titles`, `assign`, `score`, `report`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from hlta._support.checks import check_real, check_whole
from hlta._support.formats import PAGE, RESULTS
from hlta._support.messages import plural
from hlta._support.writing import write_text
from hlta.cli import common_options as options
from hlta.cli import results
from hlta.cli.inputs import load_model, read_for_model, refuse_documents, refuse_options
from hlta.cli.output import report_warnings, show_topics
from hlta.cli.printing import pass_on, show, tell
from hlta.cli.run_record import documents_of, has_documents, page_of, record_beside, run_record
from hlta.cli.updating import tell_of_stale_files
from hlta.cli.workbook import check_form, is_workbook, output_table
from hlta.errors import OptionError
from hlta.options import IN_PART

_FORMS: Final = {".csv": "as_csv", ".md": "as_markdown", ".tex": "as_latex"}


@options.grouped
def topics(
    model_path: options.ModelPath,
    *,
    words: int = 5,
    depth: int | None = None,
    number: int | None = None,
    search: str | None = None,
    every: Annotated[bool, typer.Option("--all", help="Show vague topics, too.")] = False,
    ids: bool = False,
    output: Path | None = None,
    overwrite: options.Overwrite = False,
    as_json: options.AsJson = False,
) -> None:
    """Print the topics of a model: their shares, titles, further keywords and numbers of documents.

    A document is on a topic in part if at least a fifth of its words is about it, and mainly if it is the
    document's main topic: the one with the largest share, at least a fifth, among the root topics, then
    among those below that one, and so on.

    Parameters
    ----------
    words : from 1
        Keywords per topic.
    depth : from 1, default all
        Show so many layers, from the top of the tree.
    number : default the tree
        Show this many topics as a flat list: those that tell most about documents.
    search : default the tree
        Show the topics that these words are about, as a flat list, best first.
    ids
        Print the ids too.
    output (-o) : default print
        Table to write, .csv or .xlsx, with the columns of topics.csv.
    """
    check_form(output, as_json=as_json)
    model = load_model(model_path)
    tree = model.topics_
    if every and (number is not None or search is not None or as_json):
        raise OptionError(
            "--all is for the tree; leave out --number, --search and --json, or --all"
        )
    if output is not None and (every or ids or depth is not None):
        raise OptionError("--all, --ids and --depth are for what is printed; leave them out")
    if search is not None:
        if number is not None:
            raise OptionError("--search and --number are both given; choose one")
        from hlta.topics.searching import unknown_words

        unknown = unknown_words(model.tree_.words, tree, search, model.text_options_)
        lacking = "; ".join(f"{word!r:.40} is {reason}" for word, reason in unknown.items())
        tree = tree.flat(tree.search(search))
        if not tree.roots:
            why = f": {lacking}" if lacking else ""
            raise OptionError(f"--search={search!r}: no topic has any of these words{why}")
        if lacking:
            tell(f"Not found: {lacking}")
    if number is not None:
        check_whole("--number", number, least=1, most=tree.most_in_cut)
        tree = tree.flat(tree.cut(number))
    if output is not None:
        with output_table(output, model_path, overwrite=overwrite) as file:
            tree.to_csv(file)
        tell(f"Wrote {plural(len(tree), 'topic')} to {output}")
    elif as_json:
        show(tree.to_json(indent=1))
    else:
        show_topics(tree, n_words=words, depth=depth, ids=ids, whole=every, model=model_path)


@options.grouped
def titles(
    model_path: options.ModelPath,
    *,
    given: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="A CSV file with columns id and title, such as an edited topics.csv.",
        ),
    ] = None,
    endpoint: str | None = None,
    chat_model: str = "",
    key: Annotated[
        str | None,
        typer.Option(metavar="TEXT", envvar="HLTA_CHAT_KEY", help="The key for the endpoint."),
    ] = None,
) -> None:
    """Give topics other titles, from a file or a language model, and write the model again.

    Parameters
    ----------
    endpoint
        The address of a language model to ask, up to /chat/completions. It gets keywords and titles,
        but no documents.
    chat_model
        The name of the language model.
    """
    if (given is None) == (endpoint is None):
        raise OptionError("give either --from, a file with titles, or --endpoint, a language model")
    if (endpoint is None) != (not chat_model):
        raise OptionError("--endpoint and --chat-model belong together; give both, or neither")
    names, table = None, {} if given is None else results.read_titles(given)
    if endpoint is not None:
        from hlta.topics import ChatNames

        with report_warnings():  # warnings appear before anything is sent
            names = ChatNames(endpoint, chat_model, key)
    with results.changing(model_path) as made:
        model = load_model(model_path)
        before = {topic.id: topic.title for topic in model.topics_}
        with report_warnings():
            if names is None:
                model.set_titles(table)
            else:
                model.name_topics(names)
        results.rewrite_model(made, model_path, model)
    renamed = [
        f"Done: rename {before.get(topic.id, topic.id)!r} ({topic.id}) to {topic.title!r}"
        for topic in model.topics_  # with those that were not shown until they had a title
        if topic.title != before.get(topic.id)
    ]
    tell("\n".join(renamed or ["The topics have these titles already"]))
    if renamed and model_path.is_dir():
        tell_of_stale_files(model_path, run_record(model_path))


@options.grouped
def assign(
    model_path: options.ModelPath,
    paths: options.Documents = None,
    *,
    output: Path | None = None,
    overwrite: options.Overwrite = False,
    main: bool = False,
    least: float | None = None,
    reading: options.Reading,
    run: options.Run,
    as_json: options.AsJsonLines = False,
) -> None:
    """List the topics of documents, old or new, as CSV: one row per document and topic.

    Parameters
    ----------
    output (-o) : default standard output
        Table to write, .csv or .xlsx.
    main
        One row per document instead, with its main topic of each level.
    least : default 0.2
        The smallest share of a document's words that a topic must have.
    """
    if main and least is not None:
        raise OptionError("--least chooses from all topics, --main takes one; leave one out")
    for name in ("date", "date_format", "group", "keep"):
        if not main and getattr(reading, name) is not None:
            raise OptionError(
                f"{options.flag_of(name)} applies to --main; add it, or leave this out"
            )
    if as_json and output is not None and is_workbook(output):
        raise OptionError("--json writes JSON Lines, and no workbook; choose another --output")
    least = IN_PART if least is None else least
    check_real("--least", least, least=0.0, most=1.0)
    counts: list[int] = []
    paths, reading = documents_of(model_path, paths, reading, run)

    def rows() -> Iterator[str]:
        model = load_model(model_path)
        corpus = read_for_model(model, paths, reading, run, home=model_path)
        if main:
            yield from (results.main_lines if as_json else results.main_parts)(model, corpus)
        else:
            write = results.share_lines if as_json else results.share_parts
            yield from write(model, corpus, least, on_none=counts.append)

    if output is None:
        pass_on(rows())
    else:
        output_to = results.output_file if as_json else output_table
        with output_to(output, model_path, *paths, overwrite=overwrite) as file:
            results.write_parts(file, rows())
    if (on_none := sum(counts)) and not run.quiet:
        are = "is" if on_none == 1 else "are"
        tell(
            f"{plural(on_none, 'document')} with known words {are} on no topic, because no topic has a "
            f"share of at least {least:g} (--least)"
        )


@options.grouped
def score(
    model_path: options.ModelPath,
    paths: options.Documents = None,
    *,
    reading: options.ReadingText,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Print the mean log-likelihood per document: how well the model predicts the documents."""
    model = load_model(model_path)
    paths, reading = documents_of(model_path, paths, reading, run)
    values = model.score_samples(read_for_model(model, paths, reading, run, home=model_path))
    mean = float(values.mean())
    if as_json:
        show(json.dumps({"documents": len(values), "log_likelihood": mean}))
    else:
        count = plural(len(values), "document")
        show(f"Mean log-likelihood of {count}: {mean:.4f} (natural logarithm)")


@options.grouped
def report(
    model_path: options.ModelPath,
    paths: options.Documents = None,
    *,
    topics_alone: bool = False,
    output: Path | None = None,
    overwrite: options.Overwrite = False,
    written: options.WriteUp,
    reading: options.Reading,
    page: options.Page,
    run: options.Run,
) -> None:
    """Write the page of a model again, or what an article about the topics needs.

    Parameters
    ----------
    topics_alone
        Leave documents out.
    output (-o) : default index.html beside the model
        File to write.
    """
    if written.is_wanted:
        refuse_options("applies to the page, which is not written; leave it out", page)
        if output is not None:
            raise OptionError("--output applies to the page, which is not written; leave it out")
    if topics_alone or not has_documents(model_path, paths):
        refuse_documents(paths, reading, replace(page, heading=None))
    else:
        page = page if paths else page_of(model_path, page)
        remedy = "give PATH, or add --topics-alone"
        paths, reading = documents_of(model_path, paths, reading, run, remedy)
    if written.is_wanted:
        write_up(model_path, paths, reading, run, written, overwrite=overwrite)
        return
    beside = model_path if model_path.is_dir() else model_path.parent
    target = beside / PAGE if output is None else output
    title = results.page_title(paths or [str(beside)])
    with results.output_file(target, model_path, *(paths or []), overwrite=overwrite) as file:
        model = load_model(model_path)
        corpus = None
        if paths:
            corpus = read_for_model(model, paths, reading, run, home=model_path, with_texts=True)
        results.write_page(file, model, corpus, page, paths or [], title, target.parent)
    tell(f"Wrote {target}", quiet=run.quiet)


# ---- what an article about the topics needs ----------------------------------------------------


def write_up(
    model_path: Path,
    paths: list[str] | None,
    reading: options.Reading,
    run: options.Run,
    wanted: options.WriteUp,
    *,
    overwrite: bool,
) -> None:
    """Print or write what an article about the topics needs."""
    from hlta import writeup

    form = None if wanted.appendix is None else _FORMS.get(wanted.appendix.suffix.lower())
    if wanted.appendix is not None and form is None:
        raise OptionError(
            f"--appendix {str(wanted.appendix)!r}: use a name that ends in .csv, .md or .tex"
        )
    targets = [one for one in (wanted.appendix, wanted.codebook) if one is not None]
    for flag, given in (("--overwrite", overwrite), ("--depth", wanted.depth is not None)):
        if given and not targets:
            raise OptionError(f"{flag} applies to files, and none is written; leave it out")
    if len({target.resolve() for target in targets}) < len(targets):
        raise OptionError("--appendix and --codebook name the same file; give each its own")
    for target in targets:
        results.refuse_existing(target, overwrite=overwrite)
        if target.name in RESULTS:
            raise OptionError(
                f"{target.name!r} is the name of a result of `hlta fit`; choose another name"
            )
    model = load_model(model_path)
    corpus = (
        read_for_model(model, paths, reading, run, home=model_path, with_texts=True)
        if paths
        else None
    )
    files = {}
    if wanted.methods:
        show(writeup.methods(model, corpus, run=record_beside(model_path)).rstrip("\n"))
    if wanted.appendix is not None and form is not None:
        files[wanted.appendix] = getattr(writeup, form)(
            writeup.appendix(model, corpus, depth=wanted.depth)
        )
    if wanted.codebook is not None:
        files[wanted.codebook] = writeup.codebook(model, corpus, depth=wanted.depth)
    for target, text in files.items():
        with results.output_file(target, model_path, *(paths or []), overwrite=overwrite) as file:
            write_text(file, text)
        tell(f"Wrote {target}", quiet=run.quiet)
