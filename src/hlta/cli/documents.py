"""`hlta documents`: the documents that hold some words, are on a topic, or are like another one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hlta._support.counted import counted
from hlta._support.writing import write_text
from hlta.cli import common_options as options
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.printing import show, tell
from hlta.cli.workbook import output_table
from hlta.errors import OptionError
from hlta.options import IN_PART
from hlta.text.patterns import patterns

if TYPE_CHECKING:
    from hlta._support.arrays import Ints
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA

_COLUMNS: Final = ("document", "title", "date", "group", "topic", "share", "passage")
_PASSAGE: Final = 200  # characters
_DIGITS: Final = 4


@options.grouped
def documents(
    model_path: options.ModelPath,
    paths: options.Sources,
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
        and - before one that it must not have.
    topic
        The id or title of a topic that it must be on.
    like
        The id of a document that it must be like.
    number (-n) : from 1
        How many documents to show, at most.
    output (-o) : default print
        Table to write, .csv or .xlsx, with all that is found.
    """
    if search is None and topic is None and like is None:
        raise OptionError("nothing to find: give --search, --topic or --like")
    if search is not None and not patterns(search):
        raise OptionError(f"--search={search!r:.60} has no words; give one or more")
    if output is not None and as_json:
        raise OptionError("--output writes a table, and --json prints JSON; choose one")
    model = load_model(model_path)
    corpus = read_for_model(model, paths, reading, run, with_texts=True)
    found, shares = _found(model, corpus, search, topic, like)
    if like is not None:  # nearly all documents are a little like it
        found = found[:number]
    if output is not None:
        from hlta.topics.tables import csv_text

        with output_table(output, model_path, *paths, overwrite=overwrite) as file:
            rows = _rows(model, corpus, found, shares, search or "")
            write_text(file, csv_text(_COLUMNS, rows, {"share": _DIGITS}), "replace")
        tell(f"Wrote {counted(len(found), 'document')} to {output}", quiet=run.quiet)
        return
    rows = _rows(model, corpus, found[:number], shares, search or "")
    if as_json:
        answer = {"documents_found": len(found), "documents": rows}
        show(json.dumps(answer, ensure_ascii=False, indent=1))
    else:
        shown = f"; the first {number:,}:" if len(found) > number else ":" if rows else ""
        show("\n".join([f"{counted(len(found), 'document')}{shown}", *map(_lines, rows)]))


def _found(
    model: HLTA, corpus: Corpus, search: str | None, topic: str | None, like: str | None
) -> tuple[Ints, dict[int, float]]:
    """The documents that meet the conditions, in order, and their shares of the topic."""
    import numpy as np

    lists = [] if search is None else [corpus.search(search)]
    shares: dict[int, float] = {}
    if topic is not None:
        top = model.documents(topic, corpus, n=len(corpus))
        on = top.shares >= IN_PART
        shares = dict(zip(top.rows[on].tolist(), top.shares[on].tolist(), strict=True))
        lists.append(top.rows[on])
    if like is not None:
        ids = [str(k + 1) for k in range(len(corpus))] if corpus.ids is None else list(corpus.ids)
        if like not in ids:
            raise OptionError(
                f"--like={like!r:.60}: no document has this id; give the id of one of the documents"
            )
        lists.append(corpus.similar(ids.index(like), len(corpus)))
    *others, found = lists
    for other in others:
        found = found[np.isin(found, other)]
    return found, shares


def _rows(
    model: HLTA, corpus: Corpus, found: Ints, shares: dict[int, float], query: str
) -> list[dict[str, Any]]:
    """One row per document, with the columns of the table."""
    from hlta.text.search import passage

    if not len(found):
        return []
    roots = model.topics_.roots
    main = model.predict(corpus.take(found)).tolist()

    def part(strings: Any, row: int) -> str:
        return "" if strings is None else strings[row]

    return [
        {
            "document": str(row + 1) if corpus.ids is None else corpus.ids[row],
            "title": part(corpus.titles, row),
            "date": part(corpus.dates, row),
            "group": ", ".join(part(corpus.groups, row).split("\n")),
            "topic": "none" if at < 0 else roots[at].title,
            "share": round(shares[row], _DIGITS) if row in shares else None,
            "passage": passage(part(corpus.texts, row), query, _PASSAGE),
        }
        for row, at in zip(found.tolist(), main, strict=True)
    ]


def _lines(row: dict[str, Any]) -> str:
    """A document as lines for a terminal."""
    about = [row["title"] and row["document"], row["date"], row["group"]]
    share = "" if row["share"] is None else f"{row['share']:.0%} · "
    passage = f"\n  {row['passage']}" if row["passage"] else ""
    behind = f" ({', '.join(filter(None, about))})" if any(about) else ""
    return (
        f"\n{share}{row['title'] or row['document']}{behind}\n  main topic: {row['topic']}{passage}"
    )
