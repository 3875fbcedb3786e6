"""`Explorer`: the page in a cell of a notebook, where Python sees what is selected, and selects."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

from hlta.errors import OptionError
from hlta.explorer.page import explorer_page
from hlta.topics.topic import Topic
from hlta.topics.topic_tree import attached_model

try:
    import anywidget
    import traitlets
except ImportError:
    raise ImportError(
        "hlta.widget needs anywidget; install it with pip install 'hlta[notebook]'"
    ) from None

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.topics.topic_tree import TopicTree

_NOTHING = "#"


class Explorer(anywidget.AnyWidget):
    """The explorer as a widget for Jupyter and other notebooks.

    Parameters
    ----------
    topics
        The topics of a model, such as `model.topics_`.
    corpus
        Documents to show with them.
    title
        The heading.
    height
        In pixels.

    Attributes
    ----------
    topic : Topic or None
        The topic that is selected; assign a topic or its id to select another.
    document : int or None
        The row of the document that is selected in the corpus; assign another to select it.
    address : str
        Both, as the page has them in its address; `observe(f, "address")` calls `f` whenever
        something is selected.

    Examples
    --------
    >>> from hlta import HLTA
    >>> from hlta.widget import Explorer
    >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
    >>> model = HLTA(samples=1).fit(texts * 20)
    >>> explorer = Explorer(model.topics_)
    >>> explorer.topic = model.topics_.roots[1]
    >>> print(explorer.topic)
    [0.33] deep neural networks
    """

    _esm = (files("hlta.explorer") / "assets" / "widget.js").read_text(encoding="utf-8")
    _page = traitlets.Unicode().tag(sync=True)
    address = traitlets.Unicode(_NOTHING).tag(sync=True)
    height = traitlets.Int(700).tag(sync=True)

    def __init__(
        self,
        topics: TopicTree,
        corpus: Corpus | None = None,
        *,
        title: str = "Topics",
        height: int = 700,
    ) -> None:
        page = explorer_page(
            attached_model(topics), topics, corpus, title=title, most_documents=None
        )
        self._topics, self._rows = topics, 0 if corpus is None else len(corpus)
        super().__init__(_page=page, height=height)

    @property
    def topic(self) -> Topic | None:
        """The topic that is selected."""
        name = self._selected.get("topic", "")
        return next((topic for topic in self._topics if topic.id == name), None)

    @topic.setter
    def topic(self, topic: Topic | str | None) -> None:
        name = topic.id if isinstance(topic, Topic) else topic
        if name is not None and name not in self._topics:
            raise OptionError(f"topic={name!r} is not one of these topics")
        self.address = _NOTHING if name is None else "#" + urlencode({"topic": name})

    @property
    def document(self) -> int | None:
        """The row of the document that is selected."""
        number = self._selected.get("document", "")
        return int(number) - 1 if number.isdecimal() and 0 < int(number) <= self._rows else None

    @document.setter
    def document(self, row: int | None) -> None:
        if row is not None and not 0 <= row < self._rows:
            there = f"documents 0 to {self._rows - 1}" if self._rows else "no documents"
            raise OptionError(f"document={row}: the explorer has {there}")
        name = self._selected.get("topic")
        parts: dict[str, Any] = {} if name is None else {"topic": name}
        self.address = "#" + urlencode(parts if row is None else parts | {"document": row + 1})

    @property
    def _selected(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(self.address[1:]).items()}
