"""Twice as many documents, rows, tags or parts are about twice as much work, for every reader."""

from pathlib import Path
from typing import Any

import pytest

from hlta.reading.formats.pdf_process import texts
from hlta.reading.matrices.matrix_files import read_matrix
from hlta.reading.records import ReadOptions
from hlta.reading.sources import read_documents
from tests import growing
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
    assert_linear(lambda size: texts(data[size]), 50)


@pytest.mark.parametrize("name", growing.MATRICES)
def test_matrices(name: str, tmp_path: Path) -> None:
    paths = grown(tmp_path, name, growing.MATRICES[name], 1, 1000, 2000)
    for path in paths.values():
        (path.parent / "vocab.txt").write_text("".join(f"w{k}\n" for k in range(3000)))
    assert_linear(lambda size: read_matrix(paths[size]), 1000)
