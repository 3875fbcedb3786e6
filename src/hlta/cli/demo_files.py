"""The abstracts of the demo as files of several kinds, which the documentation uses."""

from __future__ import annotations

import csv
import io
import json
import lzma
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hlta._support.writing import check_file, parents_of, write_text
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

DEMO: Final = Path(__file__).parents[1] / "data" / "arxiv.tsv.xz"
_NEW: Final = 200  # abstracts that are set aside as new, the last ones
_SOME: Final = 300  # mails, and files of one abstract each
_SHARDS: Final = 4
_FILLERS: Final = ("paper", "results", "show", "study")

Paper = dict[str, str]


def write_demo_files(folder: Path, *, overwrite: bool) -> list[str]:
    """Write the files, none of which may exist without `overwrite`, and return their names."""
    contents = dict(_files())
    for name in contents:
        if check_file(folder / name).exists() and not overwrite:
            raise OptionError(
                f"{str(folder / name)!r} exists; choose another folder for --files, or add --overwrite"
            )
    for name, text in contents.items():
        with parents_of(folder / name):
            write_text(folder / name, text)
    return list(dict.fromkeys(name.split("/")[0] for name in contents))


def _files() -> Iterator[tuple[str, str]]:
    """The names and contents of the files."""
    with lzma.open(DEMO, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    every = [
        {
            "id": row["id"],
            "title": row["title"],
            "abstract": row["abstract"],
            "year": row["date"][:4],
            "venue": row["category"],
        }
        for row in rows
    ]
    by_date = sorted(range(len(rows)), key=lambda k: rows[k]["date"])
    papers = [every[k] for k in sorted(by_date[:-_NEW])]
    new = [every[k] for k in by_date[-_NEW:]]
    yield "papers.jsonl", _json_lines(papers)
    yield "papers.csv", _table(papers)
    yield "new.jsonl", _json_lines(new)
    for k in range(_SHARDS):
        yield f"shards/{k + 1}.jsonl", _json_lines(papers[k::_SHARDS])
    some = papers[:: len(papers) // _SOME]
    for paper in some:
        field = paper["venue"].split(".")[0]
        yield f"reports/{field}/{paper['id'].replace('/', '-')}.txt", _report(paper)
    yield "Inbox.mbox", "".join(map(_mail, some))
    yield "titles.txt", "".join(f"{paper['title']}\n" for paper in papers)
    yield "words.txt", "".join(f"{word}\n" for word in _FILLERS)


def _json_lines(papers: list[Paper]) -> str:
    return "".join(json.dumps(paper, ensure_ascii=False) + "\n" for paper in papers)


def _table(papers: list[Paper]) -> str:
    table = io.StringIO()
    writer = csv.DictWriter(table, list(papers[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(papers)
    return table.getvalue()


def _report(paper: Paper) -> str:
    return f"{paper['title']}\n\n{paper['abstract']}\n"


def _mail(paper: Paper) -> str:
    who, year = "author@example.org", paper["year"]
    head = f"From: {who}\nSubject: {paper['title']}\nDate: 1 Jan {year} 12:00 +0000"
    return f"From {who} Mon Jan  1 12:00:00 {year}\n{head}\n\n{paper['abstract']}\n\n"
