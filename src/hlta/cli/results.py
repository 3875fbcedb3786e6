"""The files that the commands write."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hlta._support.files import DOCUMENTS, MODEL, PAGE, replacing
from hlta.errors import OptionError
from hlta.options import ON_TOPIC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scipy.sparse import csr_array

    from hlta.cli.common_options import Page
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA

_AT_ONCE: Final = 10_000  # documents per batch
_SUFFIXES: Final = {
    *(".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz"),
    *(".txt", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather"),
    *(".npz", ".mtx", ".ldac", ".md", ".html", ".htm", ".pdf"),
}


def refuse_existing(target: Path, *, overwrite: bool, role: str = "") -> None:
    """Refuse to replace a file unless the user asked for it."""
    if target.exists() and not overwrite:
        raise OptionError(f"{str(target)!r}{role} exists; choose another name, or add --overwrite")


def write_results(folder: Path, model: HLTA, corpus: Corpus, source: str, page: Page) -> None:
    """The model, its topics, the topics of each document, and the page."""
    model.save(folder / MODEL)
    model.topics_.to_json(folder / "topics.json", indent=1)
    model.topics_.to_csv(folder / "topics.csv")
    write_memberships(folder / DOCUMENTS, csv_memberships(model, corpus))
    write_page(folder / PAGE, model, corpus, page, source, page_title(source))


def rewrite_results(folder: Path, model: HLTA, corpus: Corpus, source: str, page: Page) -> None:
    """Write the results of a run again; nothing is replaced before all is written."""
    with tempfile.TemporaryDirectory(prefix=".", dir=folder) as made:
        write_results(Path(made), model, corpus, source, page)
        for file in sorted(Path(made).iterdir()):
            os.replace(file, folder / file.name)


def write_titles(model_path: Path, model: HLTA) -> None:
    """Write a model again, and its topics if they are beside it in the folder of a run."""
    folder = model_path if model_path.is_dir() else None
    model.save(model_path if folder is None else folder / MODEL)
    if folder is not None:
        model.topics_.to_json(folder / "topics.json", indent=1)
        model.topics_.to_csv(folder / "topics.csv")


def read_titles(path: Path) -> dict[str, str]:
    """The columns `id` and `title` of a CSV file; rows without a title are left out."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            missing = {"id", "title"} - set(rows.fieldnames or ())
            if missing:
                raise OptionError(
                    f"--from {str(path)!r} has no column {min(missing)!r}; it needs id and title"
                )
            return {row["id"]: row["title"] for row in rows if row["title"]}
    except csv.Error as error:
        raise OptionError(f"--from {str(path)!r} is not a CSV file: {error}") from None


def csv_memberships(model: HLTA, corpus: Corpus, threshold: float = ON_TOPIC) -> Iterator[str]:
    """CSV with one row per document and topic it is on, in batches of documents."""
    from hlta.topics.tables import membership_frame

    yield "document,topic,level,probability\n"
    topics = list(model.topics_)
    for documents, memberships in _memberships(model, corpus, threshold):
        rows = membership_frame(topics, documents, memberships).drop("title")
        yield rows.write_csv(include_header=False, float_precision=4)


def json_memberships(model: HLTA, corpus: Corpus, threshold: float = ON_TOPIC) -> Iterator[str]:
    """One JSON object per document, with the topics it is on."""
    topics = [{"topic": topic.id, "level": topic.level} for topic in model.topics_]
    for documents, memberships in _memberships(model, corpus, threshold):
        numbers, probabilities = memberships.indices.tolist(), memberships.data.tolist()
        for document, (begin, end) in zip(documents, pairwise(memberships.indptr), strict=True):
            entries = [
                {**topics[numbers[k]], "probability": round(probabilities[k], 4)}
                for k in range(begin, end)
            ]
            yield json.dumps({"document": document, "topics": entries}, ensure_ascii=False) + "\n"


def _memberships(
    model: HLTA, corpus: Corpus, threshold: float
) -> Iterator[tuple[list[str], csr_array]]:
    """Batches of documents: their ids, and their memberships above the threshold."""
    for begin, batch in corpus.aligned(model.tree_.words).chunks(_AT_ONCE):
        end = begin + len(batch)
        numbers = (str(row + 1) for row in range(begin, end))
        ids = numbers if corpus.ids is None else corpus.ids[begin:end]
        names = [name.encode("utf-8", "replace").decode() for name in ids]
        # As `Documents`: of a plain matrix, scikit-learn would warn that its columns have no names.
        yield names, model.assign(batch, least=threshold)


def write_memberships(path: Path, parts: Iterator[str]) -> None:
    """Write the parts to a file, which appears only once it is complete."""
    with replacing(path) as file:
        for part in parts:
            file.write(part.encode("utf-8", "surrogatepass"))


def write_page(
    path: Path, model: HLTA, corpus: Corpus | None, page: Page, source: str | None, title: str
) -> None:
    """The page of the topics, with documents if there are any; `page` may hold another title."""
    model.topics_.to_html(
        path,
        corpus=corpus,
        title=title if page.heading is None else page.heading,
        source=source,
        most_documents=page.page_documents,
        n_jobs=model.n_jobs,
    )


def page_title(source: str) -> str:
    """The default title of a page: the name of the source without its endings."""
    name = Path(source).resolve().name if source != "-" else ""
    while (stem := Path(name).stem) and Path(name).suffix.lower() in _SUFFIXES:
        name = stem
    return name or "Topics"
