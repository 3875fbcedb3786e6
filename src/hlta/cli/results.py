"""The files that the commands write."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from glob import has_magic
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hlta._support.cells import FORMULA, cell, from_cell, line, read_rows
from hlta._support.formats import DOCUMENTS, MODEL, PAGE, RESULTS, RUN, SHARES, TOPIC_TABLE, TOPICS
from hlta._support.writing import (
    beside_links,
    check_file,
    check_folder,
    check_unlocked,
    is_half_moved,
    real,
    replacing,
    replacing_folder,
    replacing_together,
    write_text,
)
from hlta.errors import OptionError
from hlta.options import LISTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import polars as pl
    from scipy.sparse import csr_array

    from hlta._support.arrays import Bools
    from hlta.cli.common_options import Page
    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.estimator import HLTA

_AT_ONCE: Final = 10_000  # documents per batch
_DIGITS: Final = 4  # of shares
_SUFFIXES: Final = {
    *(".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz"),
    *(".txt", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather"),
    *(".npz", ".mtx", ".ldac", ".md", ".html", ".htm", ".pdf"),
}


@contextmanager
def output_file(target: Path, *sources: str | Path | None, overwrite: bool) -> Iterator[Path]:
    """A path to write, which becomes the target when the block ends; no other run writes it meanwhile.

    The `sources`, which the command reads, are never replaced.
    """
    refuse_existing(target, overwrite=overwrite)
    refuse_sources(target, *sources)
    # A folder of results may come from somebody else: a link in it is replaced, not the file it leads to.
    place = beside_links(target) if target.name in RESULTS else check_file(target)
    with replacing_together(place, overwrite=overwrite) as folder:
        yield folder / place.name


@contextmanager
def output_folder(target: Path, *sources: str | Path | None, overwrite: bool) -> Iterator[Path]:
    """A folder to fill, which replaces the target in the end; no other run writes it meanwhile."""
    check_output(target, *sources, overwrite=overwrite)
    with replacing_folder(target, overwrite=overwrite) as folder:
        check_unlocked(target / MODEL)
        yield folder


def check_output(target: Path, *sources: str | Path | None, overwrite: bool) -> None:
    """Refuse a folder that holds a source, may not be replaced, or is being written by another run."""
    refuse_sources(target, *sources)
    check_folder(target, overwrite=overwrite)
    check_unlocked(target)


@contextmanager
def changing(model_path: Path) -> Iterator[Path]:
    """A folder for a new version of a model, and of the files beside it in the folder of a run.

    No other run changes the model meanwhile. If a killed run had begun to replace these files, the
    replacement is completed, and the command is refused: it might otherwise change the model twice.
    """
    target = beside_links(model_path / MODEL) if model_path.is_dir() else real(model_path)
    half = is_half_moved(target)
    with replacing_together(target) as made:
        check_unlocked(target.parent)
        if half:
            raise OptionError(
                f"a run was killed while it replaced the files of {str(model_path)!r}, and they are all "
                "replaced now; see whether it did what you wanted, or run this command again"
            )
        yield made


def refuse_existing(target: Path, *, overwrite: bool, role: str = "") -> None:
    """Refuse to replace a file unless the user asked for it."""
    check_file(target)
    if os.path.lexists(target) and not overwrite:
        raise OptionError(f"{str(target)!r}{role} exists; choose another name, or add --overwrite")


def refuse_sources(target: Path, *sources: str | Path | None) -> None:
    """Refuse to replace what a command reads, or a folder that holds it."""
    place = target.resolve()
    for read in (Path(source).resolve() for source in sources if source not in (None, "-")):
        if place in (read, read / MODEL, *read.parents):
            raise OptionError(f"{str(target)!r} is what the command reads; choose another name")


def write_results(
    folder: Path, model: HLTA, corpus: Corpus, sources: list[str], page: Page, home: Path
) -> int:
    """Write the model, its topics, those of each document, and the page, to a folder that becomes `home`.

    Returns how many documents are on no topic.
    """
    on_none: list[int] = []
    _write_topics(folder, model)
    write_parts(folder / DOCUMENTS, main_parts(model, corpus, on_none=on_none.append))
    write_parts(folder / SHARES, share_parts(model, corpus, LISTED))
    write_page(folder / PAGE, model, corpus, page, sources, page_title(sources), home)
    return sum(on_none)


def rewrite_model(
    made: Path, model_path: Path, model: HLTA, record: dict[str, Any] | None = None
) -> None:
    """Write a model to the folder that `changing` made; for a folder of a run, also topics and record."""
    if not model_path.is_dir():
        model.save(made / real(model_path).name)
        return
    _write_topics(made, model)
    if record is not None:
        write_record(made / RUN, record)


def write_record(path: Path, record: dict[str, Any]) -> str:
    """Write the record of a run, and return it as text."""
    return write_text(path, json.dumps(record, indent=1, ensure_ascii=False), "surrogatepass")


def _write_topics(folder: Path, model: HLTA) -> None:
    model.save(folder / MODEL)
    model.topics_.to_json(folder / TOPICS, indent=1)
    model.topics_.to_csv(folder / TOPIC_TABLE)


def read_titles(path: Path) -> dict[str, str]:
    """The columns `id` and `title` of a CSV file; rows without a title are left out."""
    rows = read_rows(path, f"--from {str(path)!r}", ("id", "title"), "it needs id and title")
    return {from_cell(row["id"] or ""): from_cell(row["title"]) for row in rows if row["title"]}


def share_parts(
    model: HLTA, corpus: Corpus, least: float, *, on_none: Callable[[int], None] = lambda _: None
) -> Iterator[str]:
    """CSV with one row per document and topic with a share of at least `least` in it, in batches.

    `on_none` is called with the number of documents of each batch that the model knows and that are on
    no topic.
    """
    from hlta.topics.tables import share_rows

    yield "document,topic,title,level,share\n"
    topics = list(model.topics_)
    for batch, shares in _shares(model, corpus, least, on_none):
        yield _csv(share_rows(topics, batch.names, shares))


def share_lines(
    model: HLTA, corpus: Corpus, least: float, *, on_none: Callable[[int], None] = lambda _: None
) -> Iterator[str]:
    """One JSON object per document, with its coverage and the topics of `share_parts`."""
    topics = [
        {"topic": topic.id, "title": topic.title, "level": topic.level} for topic in model.topics_
    ]
    coverage = iter(model.coverage(corpus).round(_DIGITS).tolist())
    for batch, found in _shares(model, corpus, least, on_none):
        numbers, shares = found.indices.tolist(), found.data.round(_DIGITS).tolist()
        for document, (begin, end) in zip(batch.names, pairwise(found.indptr), strict=True):
            entries = [{**topics[numbers[k]], "share": shares[k]} for k in range(begin, end)]
            line = {"document": document, "coverage": next(coverage), "topics": entries}
            yield json.dumps(line, ensure_ascii=False) + "\n"


def main_parts(
    model: HLTA, corpus: Corpus, *, on_none: Callable[[int], None] = lambda _: None
) -> Iterator[str]:
    """CSV with one row per document, in batches: its main topic of each level, or "none"; its metadata.

    `on_none` is called with the number of documents of each batch that are on no topic.
    """
    import polars as pl

    from hlta.documents.fields import columns_of, value_list
    from hlta.topics.tables import MAIN, main_rows

    lists = model.topics_.partitions
    header = ["document", *(f"{column}{name}" for name in lists for column in MAIN)]
    about = {"document_title": corpus.titles, "date": corpus.dates}
    given = {name: values for name, values in about.items() if values is not None}
    fields = columns_of(
        {field.name: field.values for field in corpus.all_fields}, [*header, *about]
    )
    yield line([*header, *given, *map(cell, fields)])
    topics = [f"topic{name}" for name in lists]
    begin = 0
    for batch in _batches(model, corpus):
        rows = main_rows(lists, *batch)
        on_none(rows.filter(pl.all_horizontal(pl.col(topics).is_null())).height)
        rows = rows.with_columns(pl.col(pl.String).fill_null("none"))
        end = begin + len(rows)
        kept = {name: values[begin:end] for name, values in given.items()}
        for name, values in fields.items():
            kept[name] = [", ".join(value_list(one)) for one in values[begin:end]]
        yield _csv(rows.with_columns(pl.Series(name, values) for name, values in kept.items()))
        begin = end


def main_lines(model: HLTA, corpus: Corpus) -> Iterator[str]:
    """One JSON object per document: coverage, metadata, and the main topic of each level, or null."""
    from hlta.documents.fields import value_list
    from hlta.topics.tables import MAIN, main_rows

    lists = model.topics_.partitions
    coverage = iter(model.coverage(corpus).round(_DIGITS).tolist())
    number, about = 0, {"title": corpus.titles, "date": corpus.dates}
    for batch in _batches(model, corpus):
        rows = main_rows(lists, *batch)
        for row in rows.iter_rows(named=True):
            line = {"document": row["document"], "coverage": next(coverage)}
            line |= {name: values[number] for name, values in about.items() if values is not None}
            if corpus.all_fields:
                line["fields"] = {
                    name: value_list(values[number]) for _, name, values in corpus.all_fields
                }
            number += 1
            for name in lists:
                topic, title, share = (row[f"{column}{name}"] for column in MAIN)
                entry = None if topic is None else {"topic": topic, "title": title}
                line[f"main{name}"] = entry and entry | {"share": round(share, _DIGITS)}
            yield json.dumps(line, ensure_ascii=False) + "\n"


class _Batch(NamedTuple):
    """A few documents: their matrix, whether the model knows enough of their words, and their names."""

    documents: Documents
    known: Bools
    names: list[str]


def _batches(model: HLTA, corpus: Corpus) -> Iterator[_Batch]:
    known = model.knows(corpus)
    for begin, documents in corpus.aligned(model.tree_.words).chunks(_AT_ONCE):
        end = begin + len(documents)
        numbers = (str(row + 1) for row in range(begin, end))
        ids = numbers if corpus.ids is None else corpus.ids[begin:end]
        yield _Batch(documents, known[begin:end], list(ids))


def _shares(
    model: HLTA, corpus: Corpus, least: float, on_none: Callable[[int], None]
) -> Iterator[tuple[_Batch, csr_array]]:
    """Batches of documents, and the shares of topics in them that are at least `least`."""
    import numpy as np

    from hlta.topics.shares import sparse_shares

    dividing, n_topics = model.topics_.shares(), len(model.topics_)
    for batch in _batches(model, corpus):
        parts = (
            dividing.of(part) * batch.known[begin : begin + len(part), None]
            for begin, part in dividing.chunks(batch.documents)
        )
        kept = sparse_shares(parts, n_topics, least)
        is_on = np.diff(kept.indptr) > 0
        on_none(int((batch.known & ~is_on).sum()))
        yield batch, kept


def _csv(rows: pl.DataFrame) -> str:
    """Rows as CSV without a header, in which no text is a formula."""
    import polars as pl

    safe = rows.with_columns(pl.col(pl.String).str.replace(f"({FORMULA})", "'$1"))
    return safe.write_csv(include_header=False, float_precision=_DIGITS)


def write_parts(path: Path, parts: Iterator[str]) -> None:
    """Write the parts to a file, which appears only once it is complete."""
    with replacing(path) as file:
        for part in parts:
            file.write(part.encode("utf-8", "surrogatepass"))


def write_page(
    path: Path,
    model: HLTA,
    corpus: Corpus | None,
    page: Page,
    sources: list[str],
    title: str,
    home: Path,
) -> None:
    """Write the page of the topics, with documents if there are any; `page` may hold another title.

    Its links are relative to the folder `home`.
    """
    from hlta.explorer.page import explorer_page

    text = explorer_page(
        model.tree_,
        model.topics_,
        corpus,
        title=title if page.heading is None else page.heading,
        most_documents=page.page_documents,
        source=sources[0] if len(sources) == 1 else os.curdir if sources else None,
        page=home / path.name,
    )
    write_text(path, text)


def page_title(sources: list[str]) -> str:
    """The default title of a page: the name of the source without endings; of several, their folder's."""
    if sources == ["-"]:
        return "Topics"
    try:
        place = Path(os.path.commonpath([Path(source).resolve() for source in sources]))
    except ValueError:  # on different drives
        return "Topics"
    name = place.parent.name if has_magic(place.name) else place.name
    while (stem := Path(name).stem) and Path(name).suffix.lower() in _SUFFIXES:
        name = stem
    return name or "Topics"
