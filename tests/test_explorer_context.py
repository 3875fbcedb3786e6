"""Occurrences of what is searched, with what stands around them."""

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from hlta import Corpus
from tests.pages import document_shown, documents_counted, reload, rest, saved, table_in, texts

LINES = ".occurrence"
ORDER = "[aria-label=Order]"
PHRASE = "black hole"


@cache
def words_of(text: str) -> list[str]:
    """The words of a text, without case and accents."""
    letters = unicodedata.normalize("NFD", text.lower())
    plain = "".join(one for one in letters if unicodedata.category(one)[0] != "M")
    return re.findall(r"[^\W_]+", plain)


def counts(corpus: Corpus, *words: str, prefix: bool = False) -> list[int]:
    """How often each document has consecutive words in its title, id or text."""
    found = []
    for fields in zip(corpus.titles or (), corpus.ids or (), corpus.texts or (), strict=True):
        number = 0
        for field in map(words_of, fields):
            for at in range(len(field) - len(words) + 1):
                some = field[at : at + len(words)]
                number += some == list(words) or (prefix and some[0].startswith(words[0]))
        found.append(number)
    return found


def shown(numbers: list[int]) -> str:
    return f"{sum(numbers):,} occurrences in {sum(n > 0 for n in numbers):,} documents"


def press(page: Any, way: str) -> None:
    page.click(f".listing button:text-is('{way}')")


def parts(page: Any, count: int) -> list[list[str]]:
    """What stands left of the first occurrences, they themselves, and what stands right of them."""
    page.wait_for_selector(LINES)
    found: list[list[str]] = page.evaluate(
        """count => [...document.querySelectorAll(".occurrence .line")].slice(0, count).map(line => {
            const [left, right] = line.children;
            const words = right.firstElementChild.textContent;
            return [left.textContent, words, right.textContent.slice(words.length)];
        })""",
        count,
    )
    return found


def test_every_occurrence_is_counted(page: Any, demo: Any) -> None:
    for query in ("model", "MODEL", "model*", f'"{PHRASE}"', "schrodinger"):
        page.fill("input[type=search]", query)
        page.keyboard.press("Enter")
        press(page, "In context")
        words = words_of(query)
        expected = counts(demo[1], *words, prefix=query.endswith("*"))
        assert documents_counted(page) == shown(expected)
        for _, found, _ in parts(page, 15):
            assert words_of(found)[0].startswith(words[0])
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert len(texts(page, LINES)) == min(100, sum(expected))
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        page.click(".working .clear")


def test_lines_are_sorted_by_group_and_topic(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file, f'#with=text:"{PHRASE}"&context=1&order=group')
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    groups = texts(page, f"{LINES} > .soft")
    expected = zip(demo[1].groups, counts(demo[1], *PHRASE.split()), strict=True)
    assert groups == sorted(group for group, number in expected for _ in range(number))
    page.select_option(ORDER, label="Main topic")
    topics = texts(page, f"{LINES} > .soft")
    titles = [topic.title for topic in demo[0].topics_]
    assert [titles.index(title) for title in topics] == sorted(map(titles.index, topics))
    assert len(set(topics)) > 1


def test_a_line_opens_its_document_and_back_returns(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file, "#with=text:model&context=1&order=right")
    page.wait_for_selector(LINES)
    page.evaluate("document.querySelector('#details').scrollTop = 6000")
    rest(page)
    line = page.query_selector_all(".occurrence")[12]
    number, left = line.get_attribute("data-at"), line.inner_text()
    line.query_selector("button").click()
    row = document_shown(page)
    assert line_words(left) <= set(words_of(f"{demo[1].titles[row]} {demo[1].texts[row]}"))
    page.go_back()
    page.wait_for_selector(f"{LINES}[data-at='{number}']")
    assert page.evaluate("document.querySelector('#details').scrollTop") == 6000
    assert page.inner_text(f"{LINES}[data-at='{number}']") == left


def line_words(line: str) -> set[str]:
    """Words of a line that are surely whole."""
    return set(words_of(line.rsplit("\n", 1)[0])[2:-2])


def test_it_is_in_the_address_and_the_browser_goes_back(visit: Any, page_file: Path) -> None:
    page = visit(page_file, "#with=text:model")
    assert documents_counted(page).endswith(" documents")
    press(page, "In context")
    page.select_option(ORDER, label="Word to the left")
    assert page.evaluate("location.hash") == "#with=text%3Amodel&context=1&order=left"
    first = parts(page, 3)
    reload(page)
    assert parts(page, 3) == first
    page.evaluate("document.querySelector('#details').scrollTop = 9000")
    page.go_back()
    page.wait_for_selector(".result[data-at='0']")
    assert page.inner_text(".listing [aria-pressed=true]") == "Documents"
    assert not page.query_selector(LINES)
    page = visit(page_file, "#with=group:cs.LG&context=1")
    page.wait_for_selector(".result")
    assert not page.is_visible(".listing")  # there are no words to show in context


def test_lines_are_saved(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file, f'#with=text:"{PHRASE}"&context=1&order=oldest')
    script = "all => all.map(mark => Math.round(mark.getBoundingClientRect().left))"
    edges = page.eval_on_selector_all(f"{LINES} mark", script)
    assert max(edges) - min(edges) <= 1
    page.click(".result-tools .menu summary")
    name, data = saved(page, lambda: page.click("[aria-label='Save these lines as CSV']"))
    assert name == "context.csv"
    table = table_in(data)
    assert list(table[0]) == ["left", "word", "right", "document", "title", "date", "group"]
    corpus = demo[1]
    expected = counts(corpus, *PHRASE.split())
    assert len(table) == sum(expected)
    assert [line["date"] for line in table] == sorted(line["date"] for line in table)
    for line in table:
        row = corpus.ids.index(line["document"])
        assert expected[row] > 0
        assert words_of(line["word"]) == PHRASE.split()
        assert line["title"] == corpus.titles[row]
        cells = (re.sub("^'(?=[-=+@])", "", line[side]) for side in ("left", "word", "right"))
        around = re.sub(r"\s+", "", "".join(cells))
        everything = (re.sub(r"\s+", "", text) for text in (corpus.texts[row], corpus.titles[row]))
        assert any(around in text for text in everything)


def test_keys_lead_from_line_to_line(visit: Any, page_file: Path) -> None:
    page = visit(page_file, "#with=text:model&context=1")
    page.focus(f"{LINES} button")
    at = "Number(document.activeElement.closest('[data-at]').dataset.at)"
    for key, place in [("ArrowDown", 1), ("ArrowDown", 2), ("PageDown", 10), ("Home", 0)]:
        page.keyboard.press(key)
        assert page.evaluate(at) == place
    page.keyboard.press("Enter")
    page.wait_for_selector("#details .facts >> text=document")
    page.keyboard.press("Escape")
    page.wait_for_selector(LINES)
