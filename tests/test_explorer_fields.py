"""Several fields in the page: what is compared, coloured and chosen by each of them."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

from hlta import HLTA, Corpus
from hlta.documents.strings import Strings
from tests.pages import texts

KINDS: tuple[list[str], ...] = (["talk"], ["paper", "talk"], [], ["paper"], ["paper"])


@pytest.fixture(scope="module")
def with_fields(small: tuple[HLTA, Corpus]) -> Corpus:
    _, corpus = small
    kinds = [KINDS[k % len(KINDS)] for k in range(len(corpus))]
    same = Strings.of(["x"] * len(corpus))
    fields = {"Kind of text": Strings.of(map("\n".join, kinds)), "same": same}
    return replace(corpus, group_name="desk", fields=fields)


@pytest.fixture(scope="module")
def file(
    small: tuple[HLTA, Corpus], with_fields: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    place = tmp_path_factory.mktemp("fields") / "index.html"
    small[0].topics_.to_html(place, corpus=with_fields)
    return place


def part(page: Any, name: str) -> str:
    """What the address says of something."""
    script = "name => new URLSearchParams(location.hash.slice(1)).get(name) ?? ''"
    return unquote(page.evaluate(script, name))


def test_one_choice_changes_what_is_compared_everywhere(visit: Any, file: Path) -> None:
    page = visit(file, "#view=differences")
    assert texts(page, ".differences .field-choice option") == ["desk", "Kind of text"]
    assert texts(page, ".side-name") == ["a", "b"]
    page.focus(".differences .field-choice")
    page.select_option(".differences .field-choice", "kind_of_text")
    assert part(page, "by") == "kind_of_text"
    assert page.evaluate("document.activeElement.className") == "field-choice"
    assert texts(page, ".side-name") == ["Kind of text: paper", "Kind of text: talk"]
    assert texts(page, ".across thead th")[2:] == ["paper", "talk", "no Kind of text"]
    assert page.input_value(".portrait .field-choice") == "kind_of_text"
    assert texts(page, ".portrait [aria-label=Where] .name") == ["paper", "talk"]
    again = visit(file, page.evaluate("location.hash"))
    assert texts(again, ".side-name") == ["Kind of text: paper", "Kind of text: talk"]
    again.select_option(".portrait .field-choice", "group")
    assert (part(again, "by"), texts(again, ".side-name")) == ("", ["a", "b"])


def test_counts_by_a_field_are_those_of_its_documents(
    visit: Any, file: Path, small: tuple[HLTA, Corpus], with_fields: Corpus
) -> None:
    page = visit(file, "#view=differences&by=kind_of_text")
    model, _ = small
    topic, *_ = sorted(model.topics_.roots, key=lambda one: -one.size)
    on = model.transform(with_fields)[:, [one.id for one in model.topics_].index(topic.id)] >= 0.2
    for kind in ("paper", "talk", ""):
        held = [kind in own if kind else not own for own in KINDS]
        inside = np.resize(held, len(with_fields))
        name = kind or "no Kind of text"
        label = f"“{topic.title}”, {name}: {(on & inside).sum()} of {inside.sum()} documents"
        assert page.query_selector(f'[aria-label^="{label}"]')
    page.click('[aria-label*="“, paper:"], [aria-label*="”, paper:"]')
    assert part(page, "with") == "kind_of_text:paper"
    assert part(page, "topic") in [one.id for one in model.topics_]


def test_the_map_is_coloured_by_a_field_and_its_key_narrows(visit: Any, file: Path) -> None:
    page = visit(file)
    names = texts(page, "select[aria-label='Colour by'] option")
    assert names == ["By topic", "By desk", "By Kind of text", "By date", "By selection"]
    page.select_option("select[aria-label='Colour by']", "kind_of_text")
    assert (part(page, "colour"), part(page, "by")) == ("kind_of_text", "kind_of_text")
    assert texts(page, ".map-key li") == ["paper", "talk", "no Kind of text"]
    page.click("text=no Kind of text")
    assert part(page, "with") == "kind_of_text:"
    assert "in no Kind of text" in page.inner_text(".terms")
    assert "they are chosen by this" in page.inner_text(".portrait [aria-label=Where]")


def test_a_field_is_searched_by_name_and_told_with_a_document(visit: Any, file: Path) -> None:
    page = visit(file)
    page.fill("[type=search]", "kind_of_text:talk")
    page.wait_for_selector(".hits [role=option]")
    page.press("[type=search]", "Enter")
    assert part(page, "with") == "kind_of_text:talk"
    shown = visit(file, "#document=2")
    assert "Kind of text: paper, talk" in shown.inner_text(".facts")
    elsewhere = visit(file, "#with=country:Chile")
    assert "1 part of the address could not be read" in elsewhere.inner_text(".status")


def test_one_field_leaves_no_choice(visit: Any, small: tuple[HLTA, Corpus], tmp_path: Path) -> None:
    small[0].topics_.to_html(tmp_path / "index.html", corpus=small[1].take(range(99)))
    page = visit(tmp_path / "index.html", "#view=differences&by=kind&colour=kind")
    assert page.query_selector(".field-choice") is None
    assert "Topics by group" in page.inner_text(".differences")
