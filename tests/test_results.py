"""The files that the commands write."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import HLTA, Corpus
from hlta.cli import results
from hlta.cli.results import csv_memberships, json_memberships, page_title
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("source", "title"),
    [("a/papers.jsonl.xz", "papers"), ("-", "Topics"), ("v1.2", "v1.2"), ("x.tar.gz", "x")],
)
def test_a_page_is_titled_by_its_source(source: str, title: str) -> None:
    assert page_title(source) == title


def test_memberships_are_the_same_in_csv_and_json(fitted: Path) -> None:
    model = HLTA.load(fitted)
    corpus = Corpus(model.documents_from_texts(TEXTS), model.tree_.words)
    rows = [
        (row["document"], row["topic"], int(row["level"]), row["probability"])
        for row in csv.DictReader(io.StringIO("".join(csv_memberships(model, corpus, 0.3))))
    ]
    objects = [json.loads(line) for line in json_memberships(model, corpus, 0.3)]
    assert [entry["document"] for entry in objects] == [str(k + 1) for k in range(len(TEXTS))]
    assert rows == [
        (entry["document"], t["topic"], t["level"], f"{t['probability']:.4f}")
        for entry in objects
        for t in entry["topics"]
    ]
    assert len(rows) == (model.transform(TEXTS) > 0.3).sum()


def test_memberships_do_not_depend_on_batches(
    fitted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = HLTA.load(fitted)
    ids = [f"document {k}" for k in range(len(TEXTS))]
    corpus = Corpus(model.documents_from_texts(TEXTS), model.tree_.words, ids=ids)
    at_once = "".join(csv_memberships(model, corpus))
    monkeypatch.setattr(results, "_AT_ONCE", 7)
    parts = list(csv_memberships(model, corpus))
    assert len(parts) == 1 + -(-len(TEXTS) // 7)
    assert "".join(parts) == at_once


def test_a_model_of_named_columns_assigns_without_a_warning() -> None:
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    on = np.repeat(rng.random((200, 3)) < 0.4, 4, axis=1)
    data = (rng.random(on.shape) < np.where(on, 0.7, 0.1)).astype(int)
    frame = pandas.DataFrame(data, columns=[f"word{k}" for k in range(12)])
    model = HLTA(em_steps=3, lowest_level=1).fit(frame)
    lines = "".join(csv_memberships(model, Corpus(data, list(frame.columns)))).splitlines()
    assert len(lines) == 1 + (model.transform(frame) > 0.5).sum()
