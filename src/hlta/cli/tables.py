"""Answers as text, JSON or a table: `hlta documents`, `hlta trends` and `hlta compare`."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hlta._support.messages import plural
from hlta._support.writing import write_text
from hlta.cli import common_options as options
from hlta.cli.inputs import NEEDS_DOCUMENTS, keeping, load_model, read_for_model, refuse_options
from hlta.cli.printing import show, tell
from hlta.cli.run_record import documents_of
from hlta.cli.serving import open_index
from hlta.cli.workbook import check_form, output_table
from hlta.documents.fields import GROUP, columns_of, find_field, value_list
from hlta.errors import OptionError
from hlta.options import IN_PART, LEAST_SIMILARITY
from hlta.text.patterns import patterns

if TYPE_CHECKING:
    from hlta._support.arrays import Ints
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.text.index import IndexFile
    from hlta.topics.comparison import Comparison
    from hlta.topics.topic import Topic
    from hlta.topics.topic_tree import TopicTree

_ABOUT: Final = ("document", "title", "date", "group")
_FOUND: Final = ("main_topic", "share", "passage")
_PASSAGE: Final = 200  # characters
_PERIOD: Final = ("period", "both")
_DIGITS: Final = 4
_ROUNDED: Final = dict.fromkeys(("share", "low", "high"), _DIGITS)


@options.grouped
def documents(
    model_path: options.ModelPath,
    paths: options.Documents = None,
    *,
    search: str | None = None,
    topic: str | None = None,
    like: str | None = None,
    number: int = 10,
    output: Path | None = None,
    overwrite: options.Overwrite = False,
    reading: options.Reading,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Find documents: those that hold some words, are on a topic, or are like another one.

    With several conditions, documents meet all of them. The most similar ones come first, as many as
    --number says; or those with the largest share of the topic; or else those that have the words in the
    title or often.

    Parameters
    ----------
    search
        Words, "phrases" and prefixes such as neur* that a document must have; OR between two of them,
        - before one that it must not have, and parentheses around several; date:2019, date:2019-Q2, and
        country:Chile for a column that is kept.
    topic
        The id or title of a topic that it must be on.
    like
        The id of a document that it must be like.
    number (-n) : from 1
        How many documents to show, at most.
    output (-o) : default print
        Table to write, .csv or .xlsx, with all that is found; share is that of the topic asked for.
    """
    if search is None and topic is None and like is None:
        words = next(
            (one for one in paths or () if not (one == "-" or os.path.exists(one) or glob(one))),
            None,
        )
        such = "" if words is None else f", such as --search {words!r:.60}"
        raise OptionError(f"nothing to find: give --search, --topic or --like{such}")
    if search is not None and not patterns(search):
        raise OptionError(f"--search={search!r:.60} has no words; give one or more")
    check_form(output, as_json=as_json)
    model = load_model(model_path)
    asked = None if topic is None else model.topics_[topic]
    paths, reading = documents_of(model_path, paths, reading, run)
    corpus = read_for_model(model, paths, reading, run, home=model_path, with_texts=True)
    with ExitStack() as ending:
        index = None if search is None else open_index(model_path, model, corpus, ending)
        found, shares = _find_documents(model, corpus, search, asked, like, index)
        if search is not None and not len(found):
            _explain(search, corpus, index)
    if like is not None:  # nearly all documents are a little like it
        found = found[:number]
    if output is not None:
        from hlta.topics.tables import csv_text

        with output_table(output, model_path, *paths, overwrite=overwrite) as file:
            rows = _rows(model, corpus, found, shares, search or "")
            fields = columns_of(corpus.fields, (*_ABOUT, *_FOUND))
            shown = [name for name in _FOUND if name != "share" or topic is not None]
            write_text(file, csv_text((*_ABOUT, *fields, *shown), rows, _ROUNDED), "replace")
        tell(f"Wrote {plural(len(found), 'document')} to {output}", quiet=run.quiet)
        return
    rows = _rows(model, corpus, found[:number], shares, search or "")
    if as_json:
        answer = {"documents_found": len(found), "documents": rows}
        show(json.dumps(answer, ensure_ascii=False, indent=1))
    else:
        first = f"; the first {number:,}:" if len(found) > number else ":" if rows else ""
        show("\n".join([f"{plural(len(found), 'document')}{first}", *map(_lines, rows)]))


def _find_documents(
    model: HLTA,
    corpus: Corpus,
    search: str | None,
    topic: Topic | None,
    like: str | None,
    index: IndexFile | None,
) -> tuple[Ints, dict[int, float]]:
    """The documents that meet the conditions, in order, and their shares of the topic."""
    import numpy as np

    from hlta.text.search import find

    lists = [] if search is None else [find(corpus, search, index)]
    shares: dict[int, float] = {}
    if topic is not None:
        top = model.documents(topic, corpus, n=len(corpus))
        on = top.shares >= IN_PART
        shares = dict(zip(top.rows[on].tolist(), top.shares[on].tolist(), strict=True))
        lists.append(top.rows[on])
    if like is not None:
        ids = [str(k + 1) for k in range(len(corpus))] if corpus.ids is None else list(corpus.ids)
        if (having := ids.count(like)) != 1:
            raise OptionError(
                f"--like={like!r:.60}: {f'{having:,} documents have' if having else 'no document has'} "
                "this id; give an id that just one document has"
            )
        lists.append(corpus.similar(ids.index(like), len(corpus)))
    *others, found = lists
    for other in others:
        found = found[np.isin(found, other)]
    return found, shares


def _explain(search: str, corpus: Corpus, index: IndexFile | None) -> None:
    """Explain why a search finds nothing: words that no document has, and names that are no field."""
    from hlta.text.search import fields_in, lacking

    if missing := lacking(corpus, search, index):
        shown = " or ".join(repr(part.strip('"')[:60]) for part in missing)
        tell(f"No document has {shown}")
    for name in fields_in(search):
        if name != "date" and find_field(corpus.all_fields, name) is None:
            tell(
                f"The documents have no field {name!r:.60}; if it is a column of theirs, "
                f"--keep {name:.60} reads it"
            )


def _rows(
    model: HLTA, corpus: Corpus, found: Ints, shares: dict[int, float], query: str
) -> list[dict[str, Any]]:
    """One row per document, with the columns of the table."""
    from hlta.text.search import excerpt

    if not len(found):
        return []
    roots = model.topics_.roots
    main = model.predict(corpus.take(found)).tolist()

    def part(strings: Any, row: int) -> str:
        return "" if strings is None else strings[row]

    fields = columns_of(corpus.fields, (*_ABOUT, *_FOUND))
    return [
        {name: ", ".join(value_list(values[row])) for name, values in fields.items()}
        | {
            "document": str(row + 1) if corpus.ids is None else corpus.ids[row],
            "title": part(corpus.titles, row),
            "date": part(corpus.dates, row),
            "group": ", ".join(part(corpus.groups, row).split("\n")),
            "main_topic": "none" if at < 0 else roots[at].title,
            "share": round(shares[row], _DIGITS) if row in shares else None,
            "passage": excerpt(part(corpus.texts, row), query, _PASSAGE),
        }
        for row, at in zip(found.tolist(), main, strict=True)
    ]


def _lines(row: dict[str, Any]) -> str:
    """A document as lines for a terminal."""
    kept = [row[name] for name in row if name not in (*_ABOUT, *_FOUND)]
    about = [row["title"] and row["document"], row["date"], row["group"], *kept]
    share = "" if row["share"] is None else f"{row['share']:.0%} · "
    passage = f"\n  {row['passage']}" if row["passage"] else ""
    behind = f" ({', '.join(filter(None, about))})" if any(about) else ""
    head = f"\n{share}{row['title'] or row['document']}{behind}"
    return f"{head}\n  main topic: {row['main_topic']}{passage}"


@options.grouped
def trends(
    model_path: options.ModelPath,
    paths: options.Documents = None,
    *,
    by: str = "period",
    unit: str | None = None,
    depth: int = 1,
    search: str | None = None,
    output: Path | None = None,
    overwrite: options.Overwrite = False,
    reading: options.Reading,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Show how the mean share of each topic changes over time, or differs between groups.

    What surely changed comes first, then a table of as many topics as fit, none of them vague; --output
    and --json have all.

    Parameters
    ----------
    by : PART
        What divides the documents: period, group, both, or another column of theirs, which is kept.
    unit : default the shortest that gives few periods with enough documents
        Length of the periods: decade, year, quarter, month, week or day.
    depth : from 1
        Layers of topics; 1 for root topics.
    search : QUERY, default all documents
        Only the documents that this finds, as in `hlta documents`: words, group:nips, date:2019-Q2
        and the like.
    output (-o) : default print what surely changed, and a table
        Table to write, .csv or .xlsx, with a 95% interval for each share.
    """
    if unit is not None and by not in _PERIOD:
        raise OptionError(f"--unit applies to periods, but --by is {by:.60}; leave one out")

    paths, reading = documents_of(model_path, paths, reading, run)

    def read() -> tuple[TopicTree, Corpus]:
        """The topics, and the documents that --search finds, or all."""
        model = load_model(model_path)
        kept = reading if by in (*_PERIOD, GROUP) else keeping(reading, by, paths)
        texts = search is not None
        corpus = read_for_model(model, paths, kept, run, home=model_path, with_texts=texts)
        if search is None:
            return model.topics_, corpus
        with ExitStack() as ending:
            index = open_index(model_path, model, corpus, ending)
            found, _ = _find_documents(model, corpus, search, None, None, index)
            if not len(found):
                _explain(search, corpus, index)
                raise OptionError(f"--search {search!r:.60} finds no document; search for others")
        return model.topics_, corpus.take(sorted(found.tolist()))

    check_form(output, as_json=as_json)
    if output is not None:
        with output_table(output, model_path, *paths, overwrite=overwrite) as file:
            from hlta.topics.tables import csv_text

            rows = _shares(*read(), by, unit, depth)
            write_text(file, csv_text(rows[0], rows, _ROUNDED), "replace")
        tell(f"Wrote {output}", quiet=run.quiet)
    elif as_json:
        show(json.dumps(_shares(*read(), by, unit, depth), ensure_ascii=False, indent=1))
    else:
        from hlta.cli.trend_report import trend_lines
        from hlta.topics.divisions import by_group

        tree, corpus = read()
        rows, cells = _shares(tree, corpus, by, unit, depth, whole=False), []
        if by == "period" and by_group(corpus.groups) is not None:
            cells = _shares(tree, corpus, "both", unit, depth, whole=False)
        show("\n".join(trend_lines(rows, cells=cells, groups=corpus.group_name)))


def _shares(
    tree: TopicTree, corpus: Corpus, by: str, unit: str | None, depth: int, *, whole: bool = True
) -> list[dict[str, Any]]:
    """One row per pair of a part of the documents and a topic; without vague ones unless `whole`."""
    from hlta.topics.exports import with_layers

    topics = [topic for layer, topic in with_layers(tree.roots) if layer < depth]
    if by in _PERIOD:
        table = tree.over_time(corpus, topics=topics, unit=unit, by_group=by == "both")
    else:
        table = tree.by_group(corpus, field=by, topics=topics)
    kept = {topic.id for _, topic in with_layers(tree.roots, whole=whole)}
    return [row for row in table.to_dicts() if row["topic"] in kept]


@options.grouped
def compare(
    first: Path,
    second: Path,
    paths: list[str] | None = None,
    *,
    least: float = LEAST_SIMILARITY,
    number: int = 20,
    output: Path | None = None,
    overwrite: options.Overwrite = False,
    reading: options.ReadingText,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Compare the topics of two models: which correspond, which are in one only, and what changed.

    Parameters
    ----------
    first : FIRST
        A model file, or the folder that `hlta fit` wrote.
    second : SECOND
        Another one, such as that of a later period.
    paths : PATH, default none: by words alone
        Documents that both models read, in any form that `hlta fit` reads, to compare topics by
        documents, too.
    least
        The similarity, from 0 to 1, that topics need to correspond.
    number : from 1
        Most topics, or pairs, to show in each part.
    output (-o) : default print what differs
        Table to write, .csv or .xlsx.
    """

    def compared() -> Comparison:
        one, other = load_model(first), load_model(second)
        memberships = None
        if not paths:
            refuse_options(NEEDS_DOCUMENTS, reading)
        elif paths == ["-"]:
            raise OptionError(
                "standard input can be read only once, and both models need it; use a file"
            )
        else:  # each model reads the documents in its own way, and what was skipped is reported once
            quiet = replace(run, quiet=True)
            shares = one.transform(read_for_model(one, paths, reading, run, home=first))
            same = read_for_model(other, paths, reading, quiet, home=first)
            memberships = shares, other.transform(same)
        return one.topics_.compare(other.topics_, memberships=memberships, least=least)

    check_form(output, as_json=as_json)
    if output is not None:
        with output_table(output, first, second, *(paths or []), overwrite=overwrite) as file:
            compared().to_csv(file)
        tell(f"Wrote {output}", quiet=run.quiet)
    elif as_json:
        show(json.dumps(compared().to_dicts(), ensure_ascii=False, indent=1))
    else:
        show(compared().to_text(most=number, names=(repr(str(first)), repr(str(second)))))
