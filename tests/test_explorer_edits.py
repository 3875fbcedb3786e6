"""Topics are edited in the page, and the model understands the log that it exports."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import HLTA, OptionError, Topic
from hlta.edits.entries import KINDS
from tests.command import ran
from tests.editable import siblings
from tests.pages import FIRST_TOPIC, go_to, reload, saved, texts, topic_shown, tree_rows

TITLE = "#details h2"
FIELD = "#details .form input"
MENU = ".menu summary >> text=Edits"
REFUSED = "#details [role=alert]"
# Waits until the file that was chosen has been read.
READ = """async () => {
    const file = document.querySelector("input[type=file]");
    while (file.value) await new Promise(requestAnimationFrame);
}"""


@pytest.fixture(scope="module")
def planted(learned: Path) -> Path:
    """A folder with a model that has two levels of topics, and its page."""
    HLTA.load(learned).topics_.to_html(learned.with_name("index.html"), title="Planted")
    return learned.parent


@pytest.fixture
def page(visit: Any, planted: Path) -> Any:
    return visit(planted / "index.html")


def go(page: Any, topic: Topic | str) -> None:
    """Open the details of a topic."""
    go_to(page, f"topic={topic.id if isinstance(topic, Topic) else topic}")


def press(page: Any, tool: str) -> None:
    # A menu that is open would be in the way.
    page.evaluate("document.querySelectorAll('.menu').forEach(menu => { menu.open = false })")
    page.click("#details .topic-tools summary")
    page.click(f"#details .topic-tools >> text={tool}")


def rename(page: Any, title: str) -> None:
    press(page, "Rename")
    page.fill(FIELD, title)
    page.press(FIELD, "Enter")


def choose(page: Any, tool: str, title: str) -> None:
    """Merge into the topic of that title, or move below it."""
    press(page, tool)
    assert page.is_disabled("#details .form [type=submit]")  # until something is chosen
    found = page.eval_on_selector_all(
        "#details .form option",
        "(all, title) => all.find(o => o.textContent.trim() === title).value",
        title,
    )
    page.select_option("#details .form select", found)
    page.click("#details .form [type=submit]")


def open_menu(page: Any) -> None:
    if not page.is_visible("text=Export edits"):
        page.click(MENU)


def exported(page: Any, folder: Path) -> Path:
    """The log that the page exports."""
    open_menu(page)
    name, data = saved(page, lambda: page.click("text=Export edits"))
    assert name == "edits.json"
    (folder / name).write_bytes(data)
    return folder / name


def bring(page: Any, log: Path) -> str:
    """Import a log; what the page says if it refuses it."""
    open_menu(page)
    page.set_input_files("input[type=file]", log)
    page.evaluate(READ)
    shown: str = page.text_content(".items.wide > [role=alert]")
    return shown


def log_of(model: HLTA, folder: Path, /, *edits: dict[str, Any], **other: Any) -> Path:
    path = folder / "log.json"
    whole = json.loads(model.edit.to_json())
    path.write_text(json.dumps(whole | {"edits": [*whole["edits"], *edits]} | other))
    return path


# ---- from the page to the model and back ---------------------------------------------------------


def test_root_topics_are_named_one_after_the_other(page: Any, model: HLTA, tmp_path: Path) -> None:
    roots = [root for root in model.topics_.roots if not root.is_vague]
    first, second, third, *others = roots
    page.click(f"text=Name topics ({len(roots)})")
    page.fill(FIELD, first.title + " itself")
    page.press(FIELD, "Enter")
    assert topic_shown(page) == second.id
    page.fill(FIELD, "")
    page.press(FIELD, "Enter")  # no title
    assert "Give a title" in page.inner_text(REFUSED)
    page.click("#details .form >> text=Skip")
    assert topic_shown(page) == third.id
    words = texts(page, "#details .form .choices button")
    for word in words[:2]:
        page.click(f"#details .form .choices >> text='{word}'")
    assert page.input_value(FIELD) == " ".join(words[:2])
    page.click("#details .form >> text=Name it")
    for topic in others:
        assert topic_shown(page) == topic.id
        page.press(FIELD, "Enter")  # as it is
    assert page.is_visible("text=Name topics (1)")  # everything, again
    model.edit.replay(exported(page, tmp_path))
    given = {topic.id: topic.title for topic in model.topics_.roots}
    assert given[first.id] == first.title + " itself"
    assert given[second.id] == second.title
    assert given[third.id] == " ".join(words[:2])


def test_what_the_page_exports_is_replayed_on_the_model_and_shown_by_its_next_page(
    page: Any, visit: Any, planted: Path, model: HLTA, tmp_path: Path
) -> None:
    one, other, third = siblings(model)[:3]
    assert one.parent is not None
    above = one.parent.id
    hidden = next(root for root in model.topics_.roots if root.id != above)
    go(page, one)
    rename(page, "  A name of   our own ")
    press(page, "Pin")
    press(page, "Note")
    page.fill("#details textarea", "Ask the physicists.\nAll of them.")
    page.click("text=Save the note")
    go(page, other)
    choose(page, "Merge", "A name of our own")
    assert topic_shown(page) == one.id  # where it went
    assert "was merged into it" in page.inner_text("#details .notice")
    go(page, third)
    rename(page, "Not for long")
    open_menu(page)
    page.click("text=Undo")
    go(page, hidden)
    press(page, "Hide")
    log = exported(page, tmp_path)

    folder = Path(shutil.copytree(planted, tmp_path / "folder"))
    (folder / "index.html").unlink()
    ran("edit", folder / "model.hlta", log)
    model = HLTA.load(folder)
    assert [entry["edit"] for entry in model.edit] == ["rename", "pin", "note", "merge", "hide"]
    topic = model.topics_[one.id]
    assert (topic.title, topic.pinned) == ("A name of our own", True)
    assert topic.note == "Ask the physicists.\nAll of them."
    assert other.id not in model.topics_
    assert hidden.id not in model.topics_
    kept = json.loads(log.read_text(encoding="utf-8"))["edits"]
    assert [entry["words"] for entry in kept] == [entry["words"] for entry in model.edit]

    ran("report", folder / "model.hlta", "-o", folder / "next.html")
    following = visit(folder / "next.html")
    assert "Edits (" not in following.inner_text("header")  # they are the model's now
    following.fill("[type=search]", "our own")
    following.press("[type=search]", "Enter")
    assert following.inner_text(TITLE) == "A name of our own"
    assert following.inner_text(".own-note") == "Ask the physicists.\nAll of them."
    assert following.query_selector("#details .notice") is None


def edits_at_random(model: HLTA, seed: int) -> Iterator[dict[str, Any]]:
    """Edits of all kinds that the page makes, possible ones and others."""
    rng = np.random.default_rng(seed)

    def topic() -> str:
        return str(rng.choice(model.tree_.latent_names))

    while True:
        kind = str(rng.choice(["rename", "note", "hide", "show", "pin", "unpin", "merge", "move"]))
        fields: dict[str, Any] = {"topic": topic()}
        if kind == "rename":
            fields = {"titles": {topic(): f"title {rng.integers(4)}"}}
        elif kind == "note":
            fields["text"] = str(rng.choice(["", "a\nb"]))
        elif kind == "merge":
            fields["into"] = topic()
        elif kind == "move":
            fields = {"name": topic(), "below": topic() if rng.random() < 0.8 else None}
        yield {"edit": kind, **fields}


def place(topic: Topic) -> tuple[Any, ...]:
    return (topic.level, topic.parent and topic.parent.id, topic.pinned, topic.note)


def places_in(page: Any) -> dict[str, tuple[Any, ...]]:
    """What the page's export says of its topics."""
    page.click(".menu summary >> text=Export")
    data = json.loads(saved(page, lambda: page.click("text=Topics as JSON"))[1])
    found: dict[str, tuple[Any, ...]] = {}

    def walk(entries: list[dict[str, Any]], parent: str | None) -> None:
        for entry in entries:
            pinned, note = entry.get("pinned", False), entry.get("note", "")
            found[entry["id"]] = (entry["level"], parent, pinned, note)
            walk(entry["children"], entry["id"])

    walk(data["topics"], None)
    return found


def test_edits_are_made_as_in_python(page: Any, model: HLTA, tmp_path: Path) -> None:
    made = 0
    for edit in edits_at_random(model, seed=0):
        log = log_of(model, tmp_path, edit)
        entry = KINDS[edit["edit"]](**{k: v for k, v in edit.items() if k != "edit"})
        try:
            model.edit.make(entry)
            made += 1
            assert bring(page, log) == "", edit
        except OptionError:
            assert bring(page, log) != "", edit
        if made == 15:
            break
    assert places_in(page) == {topic.id: place(topic) for topic in model.topics_}
    given = {t: e["titles"][t] for e in model.edit if e["edit"] == "rename" for t in e["titles"]}
    for name, title in given.items():
        if name in model.topics_:
            go(page, name)
            assert page.inner_text(TITLE) == model.topics_[name].title == title


# ---- in the page ---------------------------------------------------------------------------------


def test_all_views_show_a_new_title_at_once(page: Any, model: HLTA) -> None:
    root = model.topics_.roots[0]
    page.click("role=tab[name='Differences']")
    go(page, root)
    page.dblclick(TITLE)
    page.fill(FIELD, "Zebras")
    page.press(FIELD, "Enter")
    assert page.inner_text(TITLE) == "Zebras"
    assert page.evaluate("document.activeElement.tagName") == "H2"
    assert any(row.startswith(("Zebras: ", "Zebras, ")) for row in tree_rows(page))
    assert "Zebras" in page.inner_text("#picture h2")
    page.fill("[type=search]", "zeb")
    page.wait_for_selector(".hits >> text=Zebras")


def test_titles_are_changed_by_keyboard(page: Any) -> None:
    page.focus("[role=treeitem][tabindex='0']")
    page.keyboard.press("F2")
    page.keyboard.type("By keyboard")
    page.keyboard.press("Enter")
    assert page.inner_text(TITLE) == "By keyboard"
    page.focus(TITLE)
    page.keyboard.press("F2")
    page.keyboard.type("Not this")
    page.keyboard.press("Escape")
    assert page.inner_text(TITLE) == "By keyboard"
    assert page.inner_text(MENU) == "Edits (1)"


# ---- what is kept --------------------------------------------------------------------------------


def test_edits_are_kept_in_the_browser_and_shared_among_windows(page: Any, model: HLTA) -> None:
    root = model.topics_.roots[0]
    go(page, root)
    rename(page, "Kept")
    reload(page)
    assert page.inner_text(TITLE) == "Kept"
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-ready]")
    rename(other, "Kept again")
    page.wait_for_selector(f"{TITLE} >> text=Kept again")
    open_menu(page)
    page.click("text=Undo")
    assert page.inner_text(TITLE) == "Kept"
    other.wait_for_selector(f"{TITLE} >> text=Kept")


def test_a_saved_page_has_its_names(page: Any, visit: Any, model: HLTA, tmp_path: Path) -> None:
    root = model.topics_.roots[0]
    hostile = "</script><b>&amp; שלום"
    go(page, root)
    rename(page, hostile)
    open_menu(page)
    name, data = saved(page, lambda: page.click("text=Save page with names"))
    (tmp_path / name).write_bytes(data)
    elsewhere = visit(tmp_path / name, f"#topic={root.id}")
    assert elsewhere.inner_text(TITLE) == hostile
    assert elsewhere.inner_text(MENU) == "Edits (1)"
    open_menu(elsewhere)
    elsewhere.click("text=Undo")
    reload(elsewhere)
    assert elsewhere.inner_text(TITLE) == root.title  # also after a visit
    rename(elsewhere, "Second")
    open_menu(elsewhere)
    _, again = saved(elsewhere, lambda: elsewhere.click("text=Save page with names"))
    assert again.count(b'octet-stream" id="edits"') == 1
    assert len(again) < 1.01 * len(data)


def test_without_storage_the_page_says_so_and_works(page: Any, model: HLTA, tmp_path: Path) -> None:
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() {throw Error()}})")
    reload(page)
    page.click("text=Colours: system")
    page.click(".fold")
    go(page, model.topics_.roots[0])
    rename(page, "Not kept")
    assert page.inner_text(TITLE) == "Not kept"
    open_menu(page)
    assert "This browser keeps no edits" in page.inner_text(".items.wide")
    model.edit.replay(exported(page, tmp_path))
    assert model.topics_.roots[0].title == "Not kept"
    page.close()  # or else its script would go on


def test_damaged_storage_is_left_out_and_told(page: Any, model: HLTA) -> None:
    for kept in ("{", '{"begun": "", "log": 5}', '{"begun": "", "log": "{}"}'):
        keep(page, model, kept)
        assert page.inner_text(MENU) == "Edits"
        open_menu(page)
        assert "are damaged and were ignored" in page.inner_text(".items.wide")


def keep(page: Any, model: HLTA, kept: str) -> None:
    """Open the page in a browser that keeps this for its model."""
    origin = json.loads(model.edit.to_json())["model"]
    page.evaluate(
        "([key, text]) => localStorage.setItem(key, text)", [f"hlta-edits-{origin}", kept]
    )
    reload(page)


def test_kept_edits_of_another_log_are_offered(visit: Any, model: HLTA, tmp_path: Path) -> None:
    first, second, *_ = model.topics_.roots
    model.edit.rename(first, "In the browser")
    kept = json.dumps({"begun": "", "log": model.edit.to_json()})
    model.edit.undo()
    model.edit.rename(second, "In the model")
    model.topics_.to_html(tmp_path / "index.html")
    page = visit(tmp_path / "index.html")
    keep(page, model, kept)
    open_menu(page)
    assert "also keeps another log of this model, with 1 edit" in page.inner_text(".items.wide")
    page.click("text=Use it instead")
    shown = page.inner_text(".items.wide > [role=alert]")
    assert "does not begin with the edits that the model of this page has" in shown
    page.click("text=Forget it")
    assert "also keeps" not in page.inner_text(".items.wide")


# ---- bad input -----------------------------------------------------------------------------------


def test_logs_that_the_page_cannot_show_are_refused(page: Any, model: HLTA, tmp_path: Path) -> None:
    root = model.topics_.roots[0]
    of_word = {"edit": "move", "name": "x1", "below": root.id}
    go(page, root)
    rename(page, "Before")
    logs: tuple[tuple[dict[str, Any], str], ...] = (
        ({"model": "x"}, "the log is of another model"),
        ({"version": 9}, "the log is of version 9, not 1"),
        ({"edits": [of_word]}, "edit 1: this page has no topic x1"),
        ({"edits": [{"edit": "constructor"}]}, "edit 1: it is of the kind “constructor”"),
    )
    for change, reason in logs:
        assert f"Not imported: {reason}" in bring(page, log_of(model, tmp_path, **change))
    (tmp_path / "log.json").write_bytes(b"\xff\xfe\x00")
    assert "it is not JSON" in bring(page, tmp_path / "log.json")
    assert page.inner_text(TITLE) == "Before"
    assert texts(page, ".edits li") == [f"Rename “{root.title}” to “Before”"]


def test_a_list_of_topics_cannot_be_restructured(visit: Any, model: HLTA, tmp_path: Path) -> None:
    model.topics_.flat(model.topics_.level(1)).to_html(tmp_path / "flat.html")
    page = visit(tmp_path / "flat.html")
    page.click(FIRST_TOPIC)
    tools = texts(page, ".topic-tools button")
    assert tools == ["Compare with…", "Rename", "Note", "☆ Pin", "Hide"]
    rename(page, "Alone")
    assert page.inner_text(TITLE) == "Alone"
