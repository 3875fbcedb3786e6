"""`TopicTree.to_graphml`: a graph that readers of XML and of graphs understand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import Topic, TopicTree
from hlta.topics.annotations import Annotations
from hlta.topics.sizes import Sizes
from tests.examples import HIERARCHY

if TYPE_CHECKING:
    from pathlib import Path

SPACE: Final = {"g": "http://graphml.graphdrawing.org/xmlns"}
KINDS: Final[dict[str, Any]] = {"string": str, "int": int, "double": float}


def read(text: str) -> tuple[dict[str, dict[str, Any]], list[tuple[str, str]]]:
    """Nodes with their values, typed as the keys say, and edges."""
    root = ET.fromstring(text.encode())
    kinds = {
        key.attrib["id"]: KINDS[key.attrib["attr.type"]] for key in root.iterfind("g:key", SPACE)
    }
    (graph,) = root.iterfind("g:graph", SPACE)
    assert graph.attrib["edgedefault"] == "directed"
    nodes = {
        node.attrib["id"]: {
            data.attrib["key"]: kinds[data.attrib["key"]](data.text or "")
            for data in node.iterfind("g:data", SPACE)
        }
        for node in graph.iterfind("g:node", SPACE)
    }
    edges = graph.iterfind("g:edge", SPACE)
    return nodes, [(edge.attrib["source"], edge.attrib["target"]) for edge in edges]


def test_nodes_are_topics_and_edges_lead_to_those_below(tmp_path: Path) -> None:
    sizes = Sizes.unknown(6)._replace(documents=np.arange(6))
    topics = TopicTree.from_tree(HIERARCHY, lowest_level=1, annotations=Annotations(sizes=sizes))
    text = topics.to_graphml(tmp_path / "topics.graphml")
    assert (tmp_path / "topics.graphml").read_text(encoding="utf-8") == text
    nodes, edges = read(text)
    assert list(nodes) == [topic.id for topic in topics]
    assert len(topics.roots) < len(topics)
    assert sorted(edges) == sorted((t.parent.id, t.id) for t in topics if t.parent is not None)
    for topic in topics:
        assert nodes[topic.id] == {
            "title": topic.title,
            "level": topic.level,
            "size": topic.size,
            "documents": topic.documents,
            "keywords": " ".join(topic.words),
        }


@settings(max_examples=300)
@given(st.text(st.characters(exclude_categories=())))
def test_any_title_can_be_written(title: str) -> None:
    topic = Topic("Z1-1", level=1, size=0.5, keywords=[], parent=None, title=title or "none")
    read_back = read(TopicTree([topic]).to_graphml())[0]["Z1-1"]["title"]
    kept = [character.isprintable() or character in "\t\n" for character in topic.title]
    assert len(read_back) == len(topic.title)
    assert all(a == b for a, b, same in zip(read_back, topic.title, kept, strict=True) if same)
