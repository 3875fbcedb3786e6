"""Words that mean something to a format come back from it as words."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from hlta import LatentTree, TopicTree
from hlta.topics.graphml import clean
from tests.command import page_data
from tests.trees import small_tree

if TYPE_CHECKING:
    from pathlib import Path

EVIL = (
    *("</script><script>alert(1)</script>", 'quo\\te" }', "$x_{$", "&amp;<b>]]>"),
    *("a\x1b[31m\x00\x85", "=cmd|x", "\u202eabc"),
)


@pytest.fixture(scope="module")
def topics() -> TopicTree:
    return TopicTree.from_tree(small_tree(words=EVIL), lowest_level=1)


def words_of(topics: TopicTree) -> list[list[str]]:
    return [list(topic.words) for topic in topics]


def test_json(topics: TopicTree) -> None:
    def listed(entries: list[dict[str, object]]) -> list[list[str]]:
        found = []
        for entry in entries:
            found.append([word["word"] for word in entry["keywords"]])  # type: ignore[attr-defined]
            found += listed(entry["children"])  # type: ignore[arg-type]
        return found

    assert listed(json.loads(topics.to_json())["topics"]) == words_of(topics)


def test_graphml(topics: TopicTree) -> None:
    found = [data.text for data in ET.fromstring(topics.to_graphml()).iter() if data.get("key")]
    for words in words_of(topics):
        assert clean(" ".join(words)) in found


def test_page(topics: TopicTree, tmp_path: Path) -> None:
    topics.to_html(tmp_path / "page.html", title=EVIL[0])
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert page_data(tmp_path / "page.html")[0]["words"] == list(EVIL)


def test_bif(tmp_path: Path) -> None:
    small_tree(words=EVIL).to_bif(tmp_path / "tree.bif")
    assert LatentTree.from_bif(tmp_path / "tree.bif").words == EVIL


@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
def test_svg(topics: TopicTree) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    from hlta import plots

    for draw in (plots.icicle, plots.sizes):
        out = io.StringIO()
        figure: Any = draw(topics).figure
        figure.savefig(out, format="svg")
        ET.fromstring(out.getvalue())
    pyplot.close("all")
