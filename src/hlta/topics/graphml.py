"""The topic tree as GraphML, which networkx, igraph, Gephi, yEd and Cytoscape read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlta.topics.topic import Topic

_NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"
_TYPES: Final = {
    "title": "string",
    "level": "int",
    "size": "double",
    "documents": "int",
    "main_documents": "int",
    "stability": "double",
    "keywords": "string",
}
# What XML 1.0 cannot hold, and carriage returns, which its readers turn into line feeds.
_FORBIDDEN: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def graphml(topics: Iterable[Topic]) -> str:
    """A directed graph with a node per topic, and an edge from each topic to each one below it.

    Characters that XML cannot hold, such as control characters, become U+FFFD.
    """
    root = ET.Element("graphml", xmlns=_NAMESPACE)
    for name, kind in _TYPES.items():
        ET.SubElement(
            root, "key", {"id": name, "for": "node", "attr.name": name, "attr.type": kind}
        )
    graph = ET.SubElement(root, "graph", id="topics", edgedefault="directed")
    topics = list(topics)
    for topic in topics:
        node = ET.SubElement(graph, "node", id=clean(topic.id))
        for name in _TYPES:
            value = " ".join(topic.words) if name == "keywords" else getattr(topic, name)
            if value is not None:
                ET.SubElement(node, "data", key=name).text = clean(str(value))
    for topic in topics:
        for child in topic.children:
            ET.SubElement(graph, "edge", source=clean(topic.id), target=clean(child.id))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def clean(text: str) -> str:
    """The text with U+FFFD in place of each character that XML, and so SVG, cannot hold."""
    return _FORBIDDEN.sub("\ufffd", text)
