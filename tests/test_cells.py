"""Cells of CSV files: no spreadsheet runs them, and our own commands read them back."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import HLTA, Corpus
from hlta._support.cells import cell, from_cell
from hlta.cli.results import main_parts, read_titles, share_parts
from hlta.topics.tables import csv_text

if TYPE_CHECKING:
    from pathlib import Path

ROWS = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1], [0, 1, 1, 1]] * 5)
TEXTS = ["=1+2", "+1", "-5", "@x", "\tx", "\rx", "'=1", "''-", "plain", "", "a=b", "'tis"]
RUNS = re.compile(r"[=+\-@\t\r]")  # the rule of the page's export


@given(st.sampled_from(TEXTS) | st.text("'=+-@\t\rab"))
def test_cells_are_harmless_and_come_back(text: str) -> None:
    assert not RUNS.match(cell(text))
    assert from_cell(cell(text)) == text
    assert cell(text) in {text, f"'{text}"}


def test_tables_have_harmless_texts_and_plain_numbers() -> None:
    rows = [{"text": text, "number": -1.5, "none": None} for text in TEXTS]
    written = csv_text(("text", "number", "none"), rows, {"number": 2})
    read = list(csv.DictReader(io.StringIO(written, newline="")))
    assert [row["text"] for row in read] == [cell(text) for text in TEXTS]
    assert {row["number"] for row in read} == {"-1.50"}


def test_ids_of_documents_and_titles_are_harmless() -> None:
    ids = [TEXTS[k % len(TEXTS)] for k in range(len(ROWS))]
    corpus = Corpus(ROWS, list("abcd"), ids=ids)
    model = HLTA(samples=1, states=2).fit(corpus)
    model.edit.rename(model.topics_.roots[0], "=1+2")
    written = "".join(share_parts(model, corpus, 0.0))
    read = {row["document"] for row in csv.DictReader(io.StringIO(written, newline=""))}
    assert read == set(map(cell, ids))
    written = "".join(main_parts(model, corpus))
    rows = list(csv.DictReader(io.StringIO(written, newline="")))
    assert [row["document"] for row in rows] == list(map(cell, ids))
    assert "'=1+2" in {row["title_1"] for row in rows}
    assert not re.search("(^|,)=1", written)


@pytest.mark.parametrize("title", TEXTS[:9])
def test_titles_come_back_from_their_table(title: str, tmp_path: Path) -> None:
    file = tmp_path / "topics.csv"
    file.write_text(
        csv_text(("id", "title"), [{"id": "-Z", "title": title}], {}), encoding="utf-8", newline=""
    )
    assert read_titles(file) == {"-Z": title}
