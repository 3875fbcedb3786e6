"""What tests do with pages in a browser."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from hlta import HLTA, Corpus, LatentTree, Topic, TopicTree

# What a click selects: the first topic of the tree, the first document of a list.
FIRST_TOPIC = "[role=treeitem][aria-label*=', '] .label >> nth=0"
FIRST_DOCUMENT = ".documents .title >> nth=0"
# Goes to addresses within a page, and returns the numbers of documents that it shows at each.
TOLD: Final = """async addresses => {
    const found = [];
    for (const address of addresses) {
        const status = document.querySelector(".working .status");
        status.textContent = "";
        location.hash = address;
        for (let k = 0; k < 1000 && !/\\d/.test(status.textContent); k++) {
            await new Promise(rested => setTimeout(rested));
        }
        found.push([status.textContent, document.querySelector(".documents .found").textContent]);
    }
    return found;
}"""


ENOUGH_FREE: Final = 2  # pages opened in the same way, each of which takes memory


class Pages:
    """The pages of a browser, which tests reuse because opening a new one takes a second.

    A page is empty when a test takes it, and its storage, too.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: dict[str, list[Any]] = {}

    @contextmanager
    def take(self, **options: Any) -> Iterator[Any]:
        options = {"viewport": {"width": 1440, "height": 900}, **options}
        free = self._free.setdefault(repr(sorted(options.items())), [])
        page = free.pop() if free else self._open(options)
        yield page
        if page.is_closed() or len(free) == ENOUGH_FREE:
            page.context.close()
            return
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.mouse.move(0, 0)
        page.unroute_all()
        page.context.set_offline(False)
        page.emulate_media(media="null")
        page.set_viewport_size(options["viewport"])
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
        page.goto("about:blank")
        kept = {"origin": origin, "storageTypes": "all"}
        page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", kept)
        free.append(page)

    def _open(self, options: dict[str, Any]) -> Any:
        page = self._browser.new_context(**options).new_page()
        page.set_default_timeout(20_000)
        return page


def views_of(topic: str, other: str) -> dict[str, str]:
    """The addresses of all views, with two topics."""
    return {
        "front": "",
        "topic": f"#topic={topic}",
        "nothing": "#topic=Z9-999&model=another&with=nonsense",
        "map of groups": "#colour=group&with=text:model",
        "map of dates": "#colour=date&with=none",
        "changes": "#view=changes",
        "changes, document": f"#topic={topic}&view=changes&document=5",
        "differences": "#view=differences",
        "differences of a topic": f"#topic={topic}&view=differences",
        "compare": f"#compare={topic}&compare={other}&view=differences",
        "in context": "#with=text:model&context=1",
        "several things": f"#topic={topic}&with=text:model&with=date:2001..2015",
    }


def page_in(folder: Path, demo: tuple[HLTA, Corpus], title: str = "Demo") -> Path:
    """The page of a model and its documents, written into a folder."""
    model, corpus = demo
    file = folder / "index.html"
    model.topics_.to_html(file, corpus=corpus, title=title)
    return file


def page_of_tree(folder: Path, tree: LatentTree, X: Any, /, **of: Any) -> Path:
    """The page of a tree as it is and of documents, written into a folder."""
    file = folder / "index.html"
    corpus = Corpus(X, tree.words, **of)
    TopicTree.from_tree(tree, lowest_level=1).to_html(file, corpus=corpus, title="Odd")
    return file


def branches(topics: TopicTree) -> list[Topic]:
    """The root topics with topics below them."""
    return [root for root in topics.roots if root.children]


def box_of(page: Any, selector: str) -> dict[str, float]:
    """Where the first such element is; pictures are drawn anew at any time, so it is asked at once."""
    script = """selector => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return box?.height ? box.toJSON() : null;
    }"""
    box: dict[str, float] = page.wait_for_function(script, arg=selector).json_value()
    return box


def rest(page: Any, milliseconds: int = 200) -> None:
    """Wait until nothing moves: by the page's own clock, which a busy machine delays like the rest."""
    page.evaluate(
        """milliseconds => new Promise(rested => setTimeout(
            () => requestAnimationFrame(() => requestAnimationFrame(rested)), milliseconds))""",
        milliseconds,
    )


def saved(page: Any, press: Callable[[], None]) -> tuple[str, bytes]:
    """The name and content of the file that this saves."""
    with page.expect_download() as waiting:
        press()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def saved_documents(page: Any, kind: str) -> tuple[str, bytes]:
    """The file that the list of documents is saved as: CSV or JSON."""
    page.click(".result-tools .menu summary")
    return saved(page, lambda: page.click(f"[aria-label='Save these documents as {kind}']"))


def table_in(data: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(data.decode())))


def go_to(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address; }", address)


def reload(page: Any) -> None:
    """Load the page again, as it is with what the browser keeps for it."""
    page.reload()
    page.wait_for_selector("html[data-ready]")


def open_anew(page: Any, address: str) -> None:
    """Open an address of the page, as if nothing of it had been open."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html[data-ready]")


def texts(page: Any, selector: str) -> list[str]:
    """The text of every element."""
    found: list[str] = page.eval_on_selector_all(selector, "all => all.map(e => e.textContent)")
    return found


def rows(page: Any, selector: str) -> list[list[str]]:
    """The text of every cell: of the children of every element."""
    found: list[list[str]] = page.eval_on_selector_all(
        selector, "all => all.map(row => [...row.children].map(cell => cell.textContent))"
    )
    return found


def expand(page: Any) -> None:
    """Expand all rows of the tree but those of vague and small topics, as from the first row on."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # all rows, not those in sight
    closed = "[role=treeitem][aria-expanded=false]:not(.vague) .twist"
    page.evaluate(
        """closed => {
            for (let twist; (twist = document.querySelector(closed)); ) twist.click();
        }""",
        closed,
    )
    page.evaluate("dispatchEvent(new Event('afterprint'))")


def tree_rows(page: Any) -> list[str]:
    """The topics that the tree shows, as a screen reader names them."""
    return [row.get_attribute("aria-label") for row in page.query_selector_all("[role=treeitem]")]


def topic_shown(page: Any) -> str:
    """The id of the topic whose details are shown."""
    topic: str = page.get_attribute("#details", "data-topic")
    return topic


def document_shown(page: Any) -> int:
    """The row of the document whose details are shown."""
    number = re.search(r"document ([\d,]+)", page.inner_text("#details .facts"))
    assert number is not None
    return int(number[1].replace(",", "")) - 1


def documents_counted(page: Any) -> str:
    """What stands above a list of documents: how many there are."""
    shown: str = page.inner_text(".documents .found")
    return shown


def scroll_to_row(page: Any, row: int) -> None:
    """Scroll the list of documents until a row is in sight."""
    page.evaluate(
        """row => {
            const list = document.querySelector(".results");
            const { offsetHeight } = list.querySelector("[data-at]");
            document.querySelector("#details").scrollTop = list.offsetTop + (row - 2) * offsetHeight;
        }""",
        row,
    )
    page.wait_for_selector(f".result[data-at='{row}']")


def listed(page: Any, count: int) -> list[str]:
    """The titles of the documents that the list begins with."""
    found = []
    for row in range(count):
        scroll_to_row(page, row)
        found.append(page.inner_text(f".result[data-at='{row}'] .title"))
    return found


def percent(share: float) -> str:
    """A share as the page tells it."""
    if share == 0:
        return "0%"
    return "<0.1%" if share < 0.001 else f"{100 * share:.{1 if share < 0.0995 else 0}f}%"


def holding(corpus: Corpus, words: str) -> NDArray[np.bool_]:
    """Which documents have consecutive words in title or text, or as one of the vocabulary."""
    pattern = re.compile(rf"(?<![^\W_]){words}(?![^\W_])".replace(" ", r"[\W_]+"), re.IGNORECASE)
    columns = [k for k, word in enumerate(corpus.words) if word == words.replace(" ", "-")]
    known = corpus.documents.to_csr()[:, columns].sum(axis=1)
    documents = zip(corpus.titles or (), corpus.texts or (), known, strict=True)
    return np.array([bool(on or pattern.search(f"{a} {b}")) for a, b, on in documents])


def column(model: Any, topic: str) -> int:
    """The column of `transform` that belongs to a topic."""
    return [other.id for other in model.topics_].index(topic)
