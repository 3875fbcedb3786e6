"""The explorer in a cell of a notebook: what is selected goes both ways."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from hlta import HLTA, Corpus, OptionError, Topic
from tests.pages import FIRST_TOPIC, rest, topic_shown
from tests.scanning import THEMES

pytest.importorskip("anywidget")

from hlta.widget import Explorer


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.from_texts(THEMES, min_df=1, max_df=1.0)


@pytest.fixture(scope="module")
def model(corpus: Corpus) -> HLTA:
    return HLTA(samples=1).fit(corpus)


@pytest.fixture
def explorer(model: HLTA, corpus: Corpus) -> Explorer:
    return Explorer(model.topics_, corpus, title="Three subjects")


def selected(explorer: Explorer) -> list[Topic | int]:
    return [one for one in (explorer.topic, explorer.document) if one is not None]


def test_topics_and_documents_are_selected_by_the_address(explorer: Explorer, model: HLTA) -> None:
    assert not selected(explorer)
    first = model.topics_.roots[0]
    explorer.topic = first
    assert explorer.address == f"#topic={first.id}"
    explorer.document = 7
    assert explorer.address == f"#topic={first.id}&document=8"
    assert selected(explorer) == [first, 7]
    explorer.topic = None
    assert not selected(explorer)
    explorer.address = "#topic=Z9-9&document=999"
    assert not selected(explorer)


def test_what_is_not_there_is_refused(explorer: Explorer, model: HLTA) -> None:
    with pytest.raises(OptionError, match="topic='Z9-9' is not one of these topics"):
        explorer.topic = "Z9-9"
    with pytest.raises(OptionError, match="document=60: use a whole number, from 0 to 59"):
        explorer.document = 60
    with pytest.raises(OptionError, match="document=0: the explorer has no documents"):
        Explorer(model.topics_).document = 0


NOTEBOOK = """
<div id="cell"></div>
<script type="module">
  import widget from "data:text/javascript;base64,SCRIPT";
  const values = {_page: atob("PAGE"), address: "#", height: 500};
  const listeners = [];
  window.model = {
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; },
    save_changes: () => { window.saved = values.address; },
    on: (_, listener) => listeners.push(listener),
    off: (_, listener) => listeners.splice(listeners.indexOf(listener), 1),
  };
  window.select = (address) => { values.address = address; listeners.forEach((f) => f()); };
  window.listening = () => listeners.length;
  window.away = widget.render({model: window.model, el: document.getElementById("cell")});
</script>
"""


def content(explorer: Explorer, address: str = "#") -> str:
    """A page with the widget, and with what a notebook gives it."""
    script, page = (base64.b64encode(s.encode()).decode() for s in (explorer._esm, explorer._page))
    made = NOTEBOOK.replace("SCRIPT", script).replace("PAGE", page)
    return made.replace('address: "#"', f'address: "{address}"')


@pytest.fixture
def notebook(browser: Any, explorer: Explorer) -> Iterator[Any]:
    opened = browser.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.set_content(content(explorer))
    frame = opened.frame_locator("iframe")
    frame.locator("[role=treeitem] .label").first.wait_for()
    yield opened
    opened.close()
    assert errors == []


def test_selections_go_to_python_and_back(notebook: Any, explorer: Explorer, model: HLTA) -> None:
    frame, last = notebook.frames[1], model.topics_.roots[-1]
    frame.click(FIRST_TOPIC)
    notebook.wait_for_function("window.saved")
    explorer.address = notebook.evaluate("window.saved")
    assert explorer.topic is not None
    assert explorer.topic.id == topic_shown(frame)
    notebook.evaluate("address => select(address)", f"#topic={last.id}")
    frame.wait_for_selector(f"#details[data-topic='{last.id}']")


def test_what_was_selected_before_is_shown(browser: Any, model: HLTA, explorer: Explorer) -> None:
    last = model.topics_.roots[-1]
    opened = browser.new_page()
    opened.set_content(content(explorer, f"#topic={last.id}"))
    shown = f"#details[data-topic='{last.id}']"
    opened.frame_locator("iframe").locator(shown).wait_for()
    opened.close()


def test_messages_of_others_are_ignored_and_none_heard_later(notebook: Any, model: HLTA) -> None:
    last = model.topics_.roots[-1]
    notebook.evaluate("address => postMessage({hlta: address}, '*')", f"#topic={last.id}")
    for odd in ("null", "3", "{}", "{hlta: 3}", "{hlta: 'nonsense'}"):
        notebook.evaluate(f"frames[0].postMessage({odd}, '*')")
    rest(notebook)
    assert notebook.evaluate("window.saved ?? '#'") == "#"
    assert topic_shown(notebook.frames[1]) == ""
    assert notebook.evaluate("listening()") == 2
    notebook.evaluate("away()")
    assert notebook.evaluate("listening()") == 0
