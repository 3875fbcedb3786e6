"""What is given beside a matrix: words to leave out, and a table with metadata of its documents."""

from __future__ import annotations

import csv
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.formats import METADATA
from hlta.documents.corpus import Corpus, make_text_options
from hlta.documents.dates import parse_in_format
from hlta.errors import DocumentsError, OptionError
from hlta.reading.compression import kind_of, naming_damage, open_bytes
from hlta.reading.recording import KeptColumns, with_group_name
from hlta.reading.records import ReadOptions, Source, check_kept, choose_kept, usual_columns
from hlta.reading.sources import TABLES
from hlta.reading.tables.blocks import pieces
from hlta.reading.tables.delimited import without_lines
from hlta.reading.tables.rows import Rows, guess_dialect
from hlta.text.fillers import find_fillers
from hlta.text.scanner import counted_stream
from hlta.text.selection import document_bounds
from hlta.text.stop_words import find_languages, stop_words_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from scipy.sparse import csr_array

    from hlta._support.arrays import Bools
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.options import TextOptions

WORD_OPTIONS: Final = ("stop_words", "min_df", "max_df", "exclude", "keep_style")
"""The options for texts that matrices take, too."""
_PARTS: Final = dict(zip(METADATA, ("id", "title", "date", "group", "text"), strict=True))


# ---- words -----------------------------------------------------------------------------------


def without_words(
    corpus: Corpus, given: Mapping[str, Any], counts: csr_array | None, monitor: Monitor
) -> Corpus:
    """The corpus without the words that options leave out, by default or as they are `given`.

    A matrix has `counts`, and all of `WORD_OPTIONS` apply as they do to texts. The words of a saved
    corpus were chosen before, so that only options that are given apply.
    """
    options, documents = make_text_options(given), corpus.documents.units
    by_default = dict.fromkeys(WORD_OPTIONS) if counts is not None else {}
    reasons = _find_left_out(documents, corpus.words, counts, options, {**by_default, **given})
    kept = np.flatnonzero(~np.logical_or.reduce(list(reasons.values())))
    if len(kept) < 2:
        shown = ", ".join(f"{name}={value!r:.40}" for name, value in given.items())
        raise DocumentsError(
            f"{len(kept)} of {len(corpus.words):,} words are left{f' with {shown}' if shown else ''}; "
            "change stop_words, min_df, max_df, exclude or keep_style so that more are"
        )
    if len(kept) == len(corpus.words):
        return corpus
    numbers = [(int(mask.sum()), reason) for reason, mask in reasons.items() if mask.any()]
    monitor.note(
        f"words left out: {', '.join(f'{number:,} {reason}' for number, reason in numbers)}"
    )
    words = tuple(corpus.words[column] for column in kept.tolist())
    return replace(corpus, documents=corpus.aligned(words), words=words, coverage=None)


def _find_left_out(
    documents: Documents,
    words: tuple[str, ...],
    counts: csr_array | None,
    options: TextOptions,
    asked: Collection[str],
) -> dict[str, Bools]:
    """Which words are left out for each reason, bool (words,); each word has only its first reason."""
    frequency, lower = documents.document_frequency, [word.lower() for word in words]
    low, high = document_bounds(len(documents), options)
    found = {"to be excluded": _among(lower, options.exclude)}
    if "stop_words" in asked:
        if options.stop_words == "auto":
            options = replace(
                options, languages=find_languages(counted_stream(documents.to_csr(np.int64), lower))
            )
        found["stop words"] = _among(lower, stop_words_of(options))
    if "max_df" in asked:
        found[f"in more than {high:,} documents"] = frequency > high
    if "min_df" in asked:
        found[f"in fewer than {low:,} documents"] = frequency < low
    if counts is not None and not options.keep_style and (counts.data % 1.0 == 0.0).all():
        left = np.logical_or.reduce(list(found.values()))
        found["filler words"] = find_fillers(
            counted_stream(counts, lower), ~left, counted_stream(counts[:0], lower)
        )
    before = np.zeros(len(words), dtype=bool)
    for reason, mask in found.items():
        found[reason] = mask & ~before
        before |= mask
    return found


def _among(words: list[str], wanted: Iterable[str]) -> Bools:
    """Which of the words, in lower case, are among the wanted ones, in any case of letters."""
    lower = {word.lower() for word in wanted}
    return np.array([word in lower for word in words], dtype=bool)


# ---- metadata --------------------------------------------------------------------------------


def with_metadata(
    corpus: Corpus, path: str | os.PathLike[str], options: ReadOptions, *, keep_texts: bool = True
) -> Corpus:
    """The corpus with the ids, titles, dates, groups and texts in a table.

    Its rows are in the order of the matrix; or they are found by id, if both have ids.
    """
    name = os.fspath(path)
    if options.sheet is not None:
        raise OptionError(
            f"sheet={options.sheet!r:.60} is for workbooks, and {name!r} is none; leave it out"
        )
    names, rows = _read_rows(name, options)
    columns = usual_columns(names, options, name)
    check_kept(names, options, name)
    kept = choose_kept(names, options, columns.values())
    if not kept and not any(columns.values()):
        parts = ", ".join(_PARTS.values())
        raise DocumentsError(f"{name}: no column has a usual name; name one that holds the {parts}")
    if corpus.ids is not None and columns["id"] is not None:
        rows = _by_id(rows, names.index(columns["id"]), corpus.ids, name)
    elif len(rows) != len(corpus):
        raise DocumentsError(
            f"{name} has {len(rows):,} rows for the {len(corpus):,} documents of the matrix; give one "
            "each, in the same order"
        )
    places = {name: place for place, name in reversed([*enumerate(names)])}
    found: dict[str, Any] = {
        strings: [row[places[column]] for row in rows]
        for strings, part in _PARTS.items()
        if (column := columns[part]) is not None
    }
    if not keep_texts:
        found.pop("texts", None)
    if options.date_format is not None and "dates" in found:
        found["dates"] = [
            parse_in_format(one, options.date_format) or one for one in found["dates"]
        ]
    if kept:
        collected = KeptColumns(options.to_keep)
        for row in rows:
            collected.append((column, row[places[column]]) for column in kept)
        found["fields"] = collected.read()
    return with_group_name(replace(corpus, **found), columns["group"])


def _read_rows(name: str, options: ReadOptions) -> tuple[list[str], list[list[str]]]:
    """The names of the columns and the rows of a CSV or TSV file, all at once."""
    with naming_damage(name, csv.Error), open_bytes(name) as file:
        whole = "".join(pieces(file, Source(name, options)))
        text = without_lines(whole, options.skip_rows or 0)
        usual = TABLES.get(kind_of(name), ",")
        dialect = guess_dialect(text, usual, options.delimiter, whole=True)
        rows = list(filter(None, Rows(text, dialect)))
    if not rows:
        raise DocumentsError(f"{name} is empty; its first line must name the columns")
    names = rows[0]
    if options.by_number(names):
        names = [str(k) for k in range(1, len(names) + 1)]
    else:
        rows = rows[1:]
    odd = next((k for k, row in enumerate(rows, start=1) if len(row) != len(names)), None)
    if odd is not None:
        raise DocumentsError(
            f"{name}, row {odd:,}, has {len(rows[odd - 1])} fields, but the first line has {len(names)}"
        )
    return names, rows


def _by_id(rows: list[list[str]], at: int, ids: Iterable[str], name: str) -> list[list[str]]:
    """The rows, in the order of the documents with these ids; column `at` has their own ids."""
    place = {row[at]: row for row in rows}
    missing = next((id_ for id_ in ids if id_ not in place), None)
    if missing is not None:
        raise DocumentsError(f"{name} has no row for the document {missing!r:.60} of the matrix")
    return [place[id_] for id_ in ids]


def refuse_text_options(given: Iterable[str], path: str) -> None:
    """Refuse options that say how texts are read, for documents that are words already."""
    for name in given:
        raise OptionError(
            f"{name} is an option for texts, but {path!r} holds words already; leave it out"
        )
