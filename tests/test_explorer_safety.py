"""Hostile text in documents and words stays text: in the page, and in what it saves."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import HLTA, Corpus
from tests.pages import FIRST_DOCUMENT, FIRST_TOPIC, saved_documents, table_in

pytestmark = pytest.mark.filterwarnings("ignore:.*write dates as")  # these dates are read as years
HOSTILE = "</script><script>window.hurt=1</script><img src=x onerror='window.hurt=1'>"


def test_nothing_hostile_runs(visit: Any, tmp_path: Path) -> None:
    """A page whose words, title and documents try to run scripts."""
    rng = np.random.default_rng(0)
    topic = rng.random((300, 4)) < 0.3
    X = (rng.random((300, 24)) < np.repeat(np.where(topic, 0.7, 0.05), 6, axis=1)).astype(int)
    words = [f"{HOSTILE}{k}" for k in range(12)] + [f"'\"`&<{k}" for k in range(12)]
    corpus = Corpus(
        X,
        words,
        ids=["javascript:window.hurt=1" if k % 2 else f"../{HOSTILE}" for k in range(300)],
        titles=[f"=HYPERLINK(1) {HOSTILE} {k}" for k in range(300)],
        dates=[f"{2000 + k % 9} {HOSTILE}" for k in range(300)],
        groups=[f"{HOSTILE}{k % 3}" for k in range(300)],
        texts=[f"{HOSTILE} \u202e\x00\u2028 {{{{7*7}}}} ${{1}} {k}" for k in range(300)],
    )
    model = HLTA(samples=1, max_top_topics=2).fit(corpus)
    file = tmp_path / "index.html"
    model.topics_.to_html(file, corpus=corpus, title=f"{HOSTILE}]]>--><b>", source=tmp_path)
    page = visit(file)
    assert page.title().startswith("</script>")
    for view in ("Map", "Changes", "Differences"):
        page.click(f"role=tab[name='{view}']")
    page.click(FIRST_TOPIC)
    titles = [row["title"] for row in table_in(saved_documents(page, "CSV")[1])]
    assert titles
    assert all(title.startswith("'=") for title in titles)  # no formulas in a table
    page.click(FIRST_DOCUMENT)
    page.click(".figures-of summary")
    page.wait_for_selector(".parts li")
    page.fill(".search input", "</script>")
    page.wait_for_selector(".hits [role=option]")
    page.keyboard.press("Enter")
    assert page.evaluate("window.hurt") is None
    assert page.query_selector("img, iframe, object, body script[src]") is None
    assert page.query_selector("a[href^='javascript']") is None
