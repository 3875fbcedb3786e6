"""The outline that notebooks show."""

from __future__ import annotations

from hlta import LatentTree, TopicTree
from hlta.topics import outline
from hlta.topics.topic import Topic
from tests.strategies import random_tree


def test_every_topic_is_an_entry_and_words_are_escaped() -> None:
    fields = random_tree(0, 12, 6).fields._replace(words=tuple(f"<b>{k}" for k in range(12)))
    tree = LatentTree(**fields._asdict())
    topics = TopicTree.from_tree(tree, lowest_level=1)
    html = topics._repr_html_()
    assert html.count("<li") == len(topics)
    assert "<b>0" not in html
    assert "&lt;b&gt;" in html
    assert "script" not in html


def test_the_lowest_levels_of_large_trees_are_left_out() -> None:
    root = Topic("Z2-1", 2, 0.5, [], None)
    root.children.extend(Topic(f"Z1-{k}", 1, 0.1, [], root) for k in range(2001))
    html = "".join(outline.outline([root]))
    assert "<b>2,002 topics</b>: 1 on level 2, 2,001 on level 1" in html
    assert "Levels below 2 are left out here." in html
    assert html.count("<li") == 1


def test_vague_topics_are_an_entry_that_unfolds() -> None:
    root = Topic("Z2-1", 2, 0.5, [], None, title="root")
    for k in range(4):
        child = Topic(
            f"Z1-{k}", 1, 0.1, [], root, title=f"child {k}", stability=0.1, is_vague=k > 1
        )
        root.children.append(child)
    html = "".join(outline.outline([root]))
    assert "<b>5 topics, 2 of them vague</b>" in html
    before, within = html.split("<summary>2 vague topics</summary>")
    assert all(f"child {k}" in (within if k > 1 else before) for k in range(4))
    assert html.count("<details>") == html.count("</details>") == 2
    assert "10.0%?" in within
