"""Stories: views that a person puts in order, and the page that tells them."""

from pathlib import Path
from typing import Any

from tests.pages import FIRST_TOPIC, go_to, reload, saved, topic_shown

BAR = ".story"
SENTENCE = ".story textarea"
HOSTILE = "</script><img src=x onerror=alert(1)> “ends” here"


def add(page: Any, sentence: str) -> None:
    page.click("summary >> text=Export")
    page.click("text=Add this view to the story")
    page.fill(SENTENCE, sentence)


def save(page: Any, file: Path) -> Path:
    """The page as it is saved with its story."""
    name, data = saved(page, lambda: page.click("text=Save page with story"))
    assert name == f"{page.inner_text('h1')}-story.html"
    file.write_bytes(data)
    return file


def test_a_saved_page_tells_the_views_in_order(page: Any, visit: Any, tmp_path: Path) -> None:
    assert page.is_hidden(BAR)
    add(page, "Everything there is.")
    page.click(FIRST_TOPIC)
    topic = topic_shown(page)
    add(page, HOSTILE)
    reload(page)
    assert page.input_value(SENTENCE) == HOSTILE  # the browser keeps it
    other = visit(save(page, tmp_path / "story.html"))
    assert "Everything there is." in other.inner_text(BAR)
    assert topic_shown(other) == ""
    assert not other.is_visible(SENTENCE)
    other.click("summary >> text=Export")
    assert not other.is_visible("text=Add this view to the story")  # it is to be read
    other.click("[aria-label='Next view']")
    assert HOSTILE in other.inner_text(BAR)
    assert topic_shown(other) == topic
    assert other.is_disabled("[aria-label='Next view']")
    other.click("[aria-label='Previous view']")
    assert topic_shown(other) == ""
    other.click("[aria-label='Next view']")
    other.click("text=Explore on your own")
    assert other.is_hidden(BAR)
    assert topic_shown(other) == topic


def test_a_view_whose_topic_is_gone_says_so(page: Any, visit: Any, tmp_path: Path) -> None:
    go_to(page, "topic=Z99-99")
    add(page, "A topic of another model.")
    other = visit(save(page, tmp_path / "story.html"))
    assert "This page has no topic Z99-99" in other.inner_text("#details")
    assert "A topic of another model." in other.inner_text(BAR)


def test_a_sentence_stands_over_its_own_view_alone(page: Any) -> None:
    page.click(FIRST_TOPIC)
    topic = topic_shown(page)
    add(page, "A topic.")
    page.go_back()
    assert page.is_disabled(SENTENCE)
    assert page.input_value(SENTENCE) == ""  # it is not about what is shown
    add(page, "Everything.")
    page.go_forward()
    assert page.input_value(SENTENCE) == "A topic."
    reload(page)
    assert page.input_value(SENTENCE) == "A topic."
    go_to(page, "view=changes")
    page.click("text=Back to 1 of 2")
    assert topic_shown(page) == topic
    page.focus("[aria-label='Next view']")
    page.keyboard.press("Enter")
    assert page.input_value(SENTENCE) == "Everything."
    assert page.evaluate("document.activeElement.closest('.story') !== null")
    page.click("[aria-label='Zoom in']")
    page.wait_for_url("**at=**")
    assert page.is_enabled(SENTENCE)  # it is still about everything, seen from near
    page.click("[aria-label='Previous view']")
    page.click(f"{BAR} >> text=Remove")
    assert page.input_value(SENTENCE) == "Everything."
    assert topic_shown(page) == ""


def test_a_phone_shows_what_a_view_is_about(page: Any, visit: Any, tmp_path: Path) -> None:
    go_to(page, "view=changes")
    add(page, "Changes.")
    go_to(page, "document=1")
    add(page, "A document.")
    go_to(page, "")
    phone = visit(save(page, tmp_path / "story.html"), viewport={"width": 390, "height": 800})
    assert not phone.is_visible("#details")
    phone.click("[aria-label='Next view']")
    assert phone.is_visible("#details h2")
    phone.click("[aria-label='Previous view']")
    assert not phone.is_visible("#details")


def test_only_a_story_that_is_saved_is_given_away(page: Any, visit: Any, tmp_path: Path) -> None:
    add(page, "A draft.")
    page.click("summary >> text=Edits")
    _, data = saved(page, lambda: page.click("text=Save page with names"))
    (tmp_path / "names.html").write_bytes(data)
    other = visit(tmp_path / "names.html")
    other.evaluate("localStorage.clear()")
    reload(other)
    assert other.is_hidden(BAR)


def test_a_story_has_ten_views_at_most_and_any_can_be_removed(page: Any) -> None:
    for number in range(10):
        go_to(page, f"with=text:w{number}")
        add(page, f"Sentence {number}")
        page.keyboard.press("Escape")
    go_to(page, "view=changes")
    page.click("summary >> text=Export")
    assert page.is_disabled("text=Add this view to the story")
    page.keyboard.press("Escape")
    page.click("text=Back to 10 of 10")
    page.click("[aria-label='Previous view']")
    assert page.input_value(SENTENCE) == "Sentence 8"
    page.click(f"{BAR} >> text=Remove")
    assert page.input_value(SENTENCE) == "Sentence 9"
    for _ in range(9):
        page.click(f"{BAR} >> text=Remove")
    assert page.is_hidden(BAR)


def test_what_is_no_story_is_ignored(page: Any) -> None:
    add(page, "First")
    keys = page.evaluate("Object.keys(localStorage).filter((one) => one.startsWith('hlta-story'))")
    assert len(keys) == 1
    for kept in ("[", '[{"view": 1}]', "null"):
        page.evaluate("([key, kept]) => localStorage.setItem(key, kept)", [keys[0], kept])
        reload(page)
        assert page.is_hidden(BAR), kept
