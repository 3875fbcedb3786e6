"""A small model to edit, and what tests compare after edits."""

from pathlib import Path
from typing import Any

from hlta import HLTA, Topic
from hlta.tree.reshaping import members
from tests.synthetic import planted

DOCUMENTS = planted(60).sample(600, seed=0).toarray()


def learn(path: Path) -> Path:
    """Learn a small model with two levels of topics, and write it to a file."""
    model = HLTA(refine=False, lowest_level=1, max_top_topics=4)
    model.fit(DOCUMENTS).save(path)
    return path


def siblings(model: HLTA) -> list[Topic]:
    """Three topics of the lowest level or more, below one topic."""
    lowest = (root.children for root in model.topics_.roots)
    return next(children for children in lowest if len(children) > 2)


def members_of(model: HLTA, topic: str) -> list[str]:
    tree = model.tree_
    return [tree.names[v] for v in members(tree, tree.names.index(topic))]


def state(model: HLTA) -> tuple[Any, ...]:
    """Everything that is shown or computed."""
    shown = [
        (t.id, t.title, t.size, t.documents, t.main_documents, t.pinned, t.note)
        for t in model.topics_
    ]
    return model.tree_, shown, list(model.edit)
