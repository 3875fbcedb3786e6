"""Parquet and Arrow files, read by another process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hlta import DocumentsError
from hlta.reading.records import Record
from hlta.reading.tables import columnar
from tests.reads import read, read_and_skipped, texts_in

DAMAGED = Path(__file__).parent / "damaged"
WRITERS = [("x.parquet", pl.DataFrame.write_parquet), ("x.arrow", pl.DataFrame.write_ipc)]
FRAME = pl.DataFrame({"text": ["one", None, "drei größer"], "id": [1, 2, 3]})


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_rows_come_in_order_from_many_batches(tmp_path: Path, name: str, write: Any) -> None:
    texts = [f"text {k}" for k in range(50_001)]
    write(pl.DataFrame({"n": range(50_001), "text": texts}), tmp_path / name)
    records = read(tmp_path / name)
    assert [record.text for record in records] == texts
    assert [record.id for record in records[-2:]] == ["50000", "50001"]


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_missing_texts_are_skipped(tmp_path: Path, name: str, write: Any) -> None:
    write(FRAME, tmp_path / name)
    records, skipped = read_and_skipped(tmp_path / name)
    assert records == [Record("one", "1"), Record("drei größer", "3")]
    assert skipped == {f"{tmp_path / name}, row 2": "it has no text"}


@pytest.mark.parametrize("name", ["[x].parquet", "x*.parquet", "x?.arrow", "-x.arrow"])
def test_a_name_is_no_pattern(tmp_path: Path, name: str) -> None:
    for one in ("x.parquet", "xy.parquet", "xy.arrow"):
        (tmp_path / one).write_bytes(b"no table")
    write = FRAME.write_parquet if name.endswith("parquet") else FRAME.write_ipc
    with (tmp_path / name).open("wb") as file:
        write(file)
    assert texts_in(tmp_path / name) == ["one", "drei größer"]


@pytest.mark.parametrize("name", ["aborts.arrow", "panics.arrow"])
def test_files_that_crash_polars_are_refused(name: str) -> None:
    with pytest.raises(DocumentsError, match=f"{name}' cannot be read: it is damaged"):
        read(DAMAGED / name)


@pytest.mark.parametrize(
    "program",
    [
        "import os; os.abort()",
        "raise BaseException('panicked')",
        "import os; os.write(1, b'c' + (100).to_bytes(8, 'little') + b'cut off')",
        pytest.param(
            "import mmap, os\n"
            "mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_NORESERVE)\n"
            "os.write(1, b'c' + (8).to_bytes(8, 'little') + b'[\"text\"]' + b'.' + bytes(8))",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="not every system limits it"),
        ),
    ],
)
def test_a_process_that_ends_too_early_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    (tmp_path / "program.py").write_text(program)
    monkeypatch.setattr(columnar, "_PROGRAM", tmp_path / "program.py")
    FRAME.write_ipc(tmp_path / "x.arrow")
    with pytest.raises(DocumentsError, match=r"x\.arrow' cannot be read: it is damaged"):
        read(tmp_path / "x.arrow")


def test_no_module_of_the_current_folder_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FRAME.write_parquet(tmp_path / "x.parquet")
    for name in ("json", "io", "polars", "_polars_runtime_32", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(
            "from pathlib import Path\nPath('imported').touch()\nraise SystemExit(1)\n"
        )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert texts_in("x.parquet") == ["one", "drei größer"]
    assert not (tmp_path / "imported").exists()


def test_the_process_ends_with_its_reader(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "x.parquet")
    with pytest.raises(DocumentsError, match="there is no column 'body'"):
        read(tmp_path / "x.parquet", text="body")
    with columnar._reading(tmp_path / "x.parquet") as process:
        pass
    assert process.poll() is not None
