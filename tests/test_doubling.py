"""Twice as many documents, rows, tags or parts are about twice as much work, for readers and commands.

What counts as work, and what is not seen, is said in `tests.work`. PDFium is among the latter.
"""

import json
import os
import shutil
import warnings
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from hlta import HLTA, Corpus
from hlta.reading.formats.pdf_process import texts
from hlta.reading.matrices.beside_matrices import with_metadata
from hlta.reading.matrices.matrix_files import read_matrix
from hlta.reading.records import ReadOptions
from hlta.reading.sources import read_documents
from tests import growing
from tests.command import ran
from tests.scanning import TEXTS
from tests.work import assert_linear

# How many units there are, and twice as many: fewer of those that take more work each.
FILES = {
    100: growing.OTHERS | growing.PAGES | growing.XML | growing.WORKBOOKS,
    60: growing.TABLES,
    25: growing.ARCHIVES,
    15: growing.MAIL,
}


def grown(folder: Path, name: str, make: growing.Maker, *sizes: int) -> dict[int, Path]:
    """Files of some sizes."""
    paths = {}
    for size in sizes:
        paths[size] = folder / str(size) / name
        paths[size].parent.mkdir()
        paths[size].write_bytes(make(size))
    return paths


@pytest.mark.parametrize(
    ("name", "make", "n"),
    [
        pytest.param(name, make, n, id=name)
        for n, files in FILES.items()
        for name, make in files.items()
    ],
)
def test_files_of_documents(name: str, make: growing.Maker, n: int, tmp_path: Path) -> None:
    paths = grown(tmp_path, name, make, 1, n, 2 * n)
    options = ReadOptions(broken="skip")
    assert_linear(lambda size: list(read_documents(paths[size], options)), n)


@pytest.mark.parametrize("name", growing.PDF)
def test_pdf(name: str) -> None:
    data = {size: growing.PDF[name](size) for size in (1, 50, 100)}
    assert_linear(lambda size: texts(data[size], 1000), 50)


@pytest.mark.parametrize("name", growing.MATRICES)
def test_matrices(name: str, tmp_path: Path) -> None:
    paths = grown(tmp_path, name, growing.MATRICES[name], 1, 1000, 2000)
    for path in paths.values():
        (path.parent / "vocab.txt").write_text("".join(f"w{k}\n" for k in range(3000)))
    assert_linear(lambda size: read_matrix(paths[size]), 1000)


def test_tables_beside_matrices(tmp_path: Path) -> None:
    paths = grown(tmp_path, "a.csv", growing.TABLES["columns.csv"], 1, 200, 400)
    corpus, options = Corpus(np.eye(3), list("abc")), ReadOptions(keep="all")

    def read(n: int) -> None:
        with warnings.catch_warnings(action="ignore"):  # of columns that are not kept
            with_metadata(corpus, paths[n], options)

    assert_linear(read, 200)


# ---- commands ----------------------------------------------------------------------------------

_DOCUMENTS = 100
# They run for more than a minute, because everything is counted.
nightly = pytest.mark.skipif("HLTA_NIGHTLY" not in os.environ, reason="scripts/nightly runs it")


def _documents(n: int) -> bytes:
    """Documents of a few words, which have ids, dates and groups."""
    rows = (
        {"id": f"d{k}", "date": f"{2000 + k % 9}", "group": "ab"[k % 2], "text": TEXTS[k % 30]}
        for k in range(n)
    )
    return "\n".join(map(json.dumps, rows)).encode()


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    folder = tmp_path_factory.mktemp("documents")
    return grown(folder, "a.jsonl", _documents, 10, _DOCUMENTS, 2 * _DOCUMENTS)


@nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "fit {} -o {new} --samples 1 --em-steps 1 --min-df 1",
        "convert {} {new}.npz --min-df 1",
        "update {model} {}",
        "assign {model} {}",
        "score {model} {}",
        "documents {model} {} --search network",
        "documents {model} {} --like d1",
        "trends {model} {}",
        "trends {model} {} --by group",
        "evaluate {model} {}",
        "report {model} {} --overwrite",
    ],
)
def test_documents_of_commands(
    command: str, sources: dict[int, Path], fitted: Path, tmp_path: Path
) -> None:
    runs = count()

    def do(n: int) -> None:
        model = tmp_path / str(next(runs))
        shutil.copytree(fitted, model)
        paths = {"model": model, "new": model / "new"}
        ran(*command.format(sources[n], **paths).split(), "-q", "--jobs", 1)

    assert_linear(do, _DOCUMENTS, least=10)


@nightly
@pytest.mark.slow
@pytest.mark.parametrize("command", ["edit {model} {log}", "compare {model} {model}"])
def test_edits(command: str, fitted: Path, tmp_path: Path) -> None:
    """A log of edits is made again edit by edit."""
    runs = count()
    models: dict[int, Path] = {}
    for n in (1, 20, 40):
        shutil.copytree(fitted, models.setdefault(n, tmp_path / f"of {n}"))
        model = HLTA.load(models[n])
        for k in range(n):
            model.edit.rename(model.topics_.roots[k % len(model.topics_.roots)], f"Title {k}")
        model.edit.save(tmp_path / f"{n}.json")
        model.save(models[n] / "model.hlta")

    def do(n: int) -> None:
        model = models[n] if "compare" in command else tmp_path / str(next(runs))
        if not model.exists():
            shutil.copytree(fitted, model)
        ran(
            *(part.format(model=model, log=tmp_path / f"{n}.json") for part in command.split()),
            *("-q", "--jobs", 1),
        )

    assert_linear(do, 20)
