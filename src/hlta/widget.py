"""`Explorer`: the page in a cell of a notebook; Python can read and change what is selected in it."""

from __future__ import annotations

from importlib.resources import files
from typing import Final
from urllib.parse import parse_qs, urlencode

from hlta._support.checks import check_whole
from hlta.documents.corpus import Corpus
from hlta.errors import OptionError
from hlta.explorer.page import explorer_page
from hlta.topics.topic import Topic
from hlta.topics.topic_tree import TopicTree, attached_model

try:
    import anywidget
    import traitlets
except ImportError:
    raise ImportError(
        'hlta.widget needs anywidget; install it with pip install "hlta[notebook]"'
    ) from None

_NOTHING: Final = "#"
_MOST_DIGITS: Final = 18  # of the number of a document


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
        The selected topic and document as in the page's address; `observe(f, "address")` calls `f`
        whenever the selection changes.

    Examples
    --------
    >>> from hlta import HLTA
    >>> from hlta.widget import Explorer
    >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
    >>> model = HLTA(samples=1).fit(texts * 20)
    >>> explorer = Explorer(model.topics_)
    >>> explorer.topic = model.topics_.roots[1]
    >>> print(explorer.topic)
    [0.33] dark matter in galaxies
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
        if not isinstance(topics, TopicTree) or not isinstance(corpus, Corpus | None):
            raise OptionError(
                "give the topics of a model, such as model.topics_, and a Corpus or None"
            )
        page = explorer_page(
            attached_model(topics), topics, corpus, title=title, most_documents=None
        )
        self._topics, self._rows = topics, 0 if corpus is None else len(corpus)
        super().__init__(_page=page, height=check_whole("height", height, least=1))

    @property
    def topic(self) -> Topic | None:
        """The topic that is selected."""
        name = self._selected.get("topic", "")
        return next((topic for topic in self._topics if topic.id == name), None)

    @topic.setter
    def topic(self, topic: Topic | str | None) -> None:
        name = topic.id if isinstance(topic, Topic) else topic
        if name is not None and not (isinstance(name, str) and name in self._topics):
            raise OptionError(f"topic={name!r:.60} is not one of these topics")
        self._select(topic=name, document=None)

    @property
    def document(self) -> int | None:
        """The row of the document that is selected."""
        number = self._selected.get("document", "")[:_MOST_DIGITS]
        return int(number) - 1 if number.isdecimal() and 0 < int(number) <= self._rows else None

    @document.setter
    def document(self, row: int | None) -> None:
        if row is not None:
            if not self._rows:
                raise OptionError(f"document={row!r:.60}: the explorer has no documents")
            row = check_whole("document", row, least=0, most=self._rows - 1) + 1
        self._select(document=row)

    def _select(self, **parts: str | int | None) -> None:
        """Change parts of the address; None removes a part."""
        changed = self._selected | parts
        self.address = "#" + urlencode({k: v for k, v in changed.items() if v is not None})

    @property
    def _selected(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(self.address[1:]).items()}
