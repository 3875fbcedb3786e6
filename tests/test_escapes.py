"""Words that mean something to a format come back from it as words, and no spreadsheet runs them."""

import csv
import io
import re
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hlta import HLTA, Corpus, LatentTree, TopicTree
from hlta._support.cells import cell, from_cell
from hlta.cli.results import main_parts, read_titles, share_parts
from hlta.topics.tables import csv_text
from tests.command import page_data
from tests.trees import small_tree

EVIL = (
    *("</script><script>alert(1)</script>", 'quo\\te" }', "$x_{$", "&amp;<b>]]>"),
    *("a\x1b[31m\x00\x85", "=cmd|x", "\u202eabc"),
)


def test_a_page_and_a_bif_file_hold_such_words(tmp_path: Path) -> None:
    tree = small_tree(words=EVIL)
    TopicTree.from_tree(tree, lowest_level=1).to_html(tmp_path / "page.html", title=EVIL[0])
    assert "<script>alert" not in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page_data(tmp_path / "page.html")[0]["words"] == list(EVIL)
    tree.to_bif(tmp_path / "tree.bif")
    assert LatentTree.from_bif(tmp_path / "tree.bif").words == EVIL


ROWS = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1], [0, 1, 1, 1]] * 5)
CELLS = ["=1+2", "+1", "-5", "@x", "\tx", "\rx", "'=1", "''-", "plain", "", "a=b", "'tis"]
RUNS = re.compile(r"[=+\-@\t\r]")  # the rule of the page's export


@given(st.sampled_from(CELLS) | st.text("'=+-@\t\rab"))
def test_cells_are_harmless_and_come_back(text: str) -> None:
    assert not RUNS.match(cell(text))
    assert from_cell(cell(text)) == text
    assert cell(text) in {text, f"'{text}"}


def test_tables_have_harmless_texts_and_plain_numbers() -> None:
    rows = [{"text": text, "number": -1.5, "none": None} for text in CELLS]
    written = csv_text(("text", "number", "none"), rows, {"number": 2})
    read = list(csv.DictReader(io.StringIO(written, newline="")))
    assert [row["text"] for row in read] == [cell(text) for text in CELLS]
    assert {row["number"] for row in read} == {"-1.50"}


def test_titles_come_back_from_their_table(tmp_path: Path) -> None:
    titles = {f"-Z{k}": title for k, title in enumerate(CELLS[:9])}
    rows = [{"id": name, "title": title} for name, title in titles.items()]
    file = tmp_path / "topics.csv"
    text = csv_text(("id", "title"), rows, {})
    file.write_text(text, encoding="utf-8", newline="")
    assert read_titles(file) == titles
    with file.open("w", encoding="utf-8-sig", newline="") as saved:  # as a spreadsheet does
        csv.writer(saved, delimiter=";").writerows(csv.reader(io.StringIO(text)))
    assert read_titles(file) == titles


def test_ids_of_documents_and_titles_are_harmless() -> None:
    ids = [CELLS[k % len(CELLS)] for k in range(len(ROWS))]
    corpus = Corpus(ROWS, list("abcd"), ids=ids)
    model = HLTA(samples=1, states=2).fit(corpus)
    model.edit.rename(model.topics_.roots[0], "=1+2")
    for parts in (share_parts(model, corpus, 0.0), main_parts(model, corpus)):
        written = "".join(parts)
        rows = list(csv.DictReader(io.StringIO(written, newline="")))
        assert {row["document"] for row in rows} == set(map(cell, ids))
        assert "'=1+2" in {row.get("title_1", row.get("title")) for row in rows}
        assert not re.search("(^|,)=1", written)
