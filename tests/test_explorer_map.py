"""The map of the documents: where one looks, what is told, and what is selected on it."""

import re
from pathlib import Path
from typing import Any

import pytest

from hlta import HLTA, Corpus
from tests.pages import box_of, rest, saved, texts, topic_shown

MAP = ".map-sheet canvas"
COLOURS = "[aria-label='Colour by']"
LABELS = ".map-names button"

# Where the pixels of documents in colour are on the page, but for those under labels.
POINTS = """() => {
    const canvas = document.querySelector(".map-sheet canvas");
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    const { data, width } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const box = canvas.getBoundingClientRect();
    const found = [];
    for (let k = 0; k < data.length; k += 4) {
        const [red, green, blue] = data.subarray(k, k + 3);
        if (Math.max(red, green, blue) - Math.min(red, green, blue) < 60) continue;
        const at = k / 4, ratio = width / box.width;
        const point = [box.x + (at % width) / ratio, box.y + Math.floor(at / width) / ratio];
        if (document.elementFromPoint(...point) === canvas) found.push(point);
    }
    return found;
}"""


@pytest.fixture
def page(visit: Any, small_file: Path) -> Any:
    return visit(small_file, reduced_motion="reduce")


def seen(page: Any) -> str:
    """What the map shows, in words."""
    words: str = page.get_attribute(MAP, "aria-label")
    return words


def selected(page: Any) -> int:
    """How many documents a screen reader is told are selected."""
    shown = page.text_content(".map [role=status]")
    return int(re.findall(r"[\d,]+", shown)[0].replace(",", ""))


def lit(page: Any) -> int:
    """How many documents a screen reader is told are lit up."""
    shown = re.search(r"([\d,]+) documents? lit up", page.text_content(".map [role=status]"))
    return int(shown[1].replace(",", "")) if shown else 0


def picture(page: Any) -> bytes:
    """What is on the canvas."""
    rest(page)
    data: str = page.eval_on_selector(MAP, "canvas => canvas.toDataURL()")
    return data.encode()


def test_titles_of_topics_light_and_select_their_documents(
    page: Any, small: tuple[HLTA, Corpus]
) -> None:
    assert texts(page, "[role=tab]")[:2] == ["Map", "Changes"]
    assert seen(page) == "Map of 900 documents, coloured by topic"
    assert len(page.evaluate(POINTS)) > 900
    names = page.eval_on_selector_all(LABELS, "all => all.map(e => e.getAttribute('aria-label'))")
    assert {topic.title for topic in small[0].topics_.roots} <= set(names)
    before = picture(page)
    documents = {topic.id: topic.documents for topic in small[0].topics_}
    for at in range(page.locator(LABELS).count()):
        name = page.locator(LABELS).nth(at)
        name.hover()
        assert lit(page) == documents[name.get_attribute("data-topic")]
        assert picture(page) != before
    page.mouse.move(5, 5)
    assert lit(page) == 0
    assert picture(page) == before
    page.focus(f"{LABELS} >> nth=1")
    assert lit(page) == documents[page.get_attribute(f"{LABELS} >> nth=1", "data-topic")]
    page.focus(MAP)
    assert lit(page) == 0
    page.focus(f"{LABELS} >> nth=0")
    topic = page.get_attribute(f"{LABELS} >> nth=0", "data-topic")
    page.keyboard.press("Enter")
    assert topic_shown(page) == topic
    assert 0 < selected(page) < 900
    assert "in colour" in seen(page)
    assert page.get_attribute(f"{LABELS}[data-topic='{topic}']", "aria-pressed") == "true"


def ring(page: Any) -> tuple[float, ...]:
    """Where the selected document is on the map."""
    rest(page)
    circle = page.locator(".map-marks .selected")
    return tuple(float(circle.get_attribute(name)) for name in ("cx", "cy"))


def test_addresses_tell_places(visit: Any, small_file: Path) -> None:
    page = visit(small_file, "#document=5", reduced_motion="reduce")
    rest(page)
    assert "at=" not in page.url
    page.focus(MAP)
    for key in ("+", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    place = ring(page)
    assert "at=" in page.url
    fragment = "#" + page.url.split("#")[1]
    again = visit(small_file, fragment, reduced_motion="reduce")
    assert ring(again) == pytest.approx(place, abs=1)
    again.click("[role=treeitem] >> nth=0")
    rest(again)
    again.go_back()
    assert ring(again) == pytest.approx(place, abs=1)
    assert again.url.endswith(fragment)
    page.keyboard.press("0")
    rest(page)
    assert "at=" not in page.url


def test_a_row_of_the_list_lights_its_topic_but_not_after_a_click(page: Any) -> None:
    rows = page.locator("[role=treeitem]")
    rows.nth(1).hover()
    on = int(rows.nth(1).locator(".count").inner_text().replace(",", ""))
    assert lit(page) == on
    page.mouse.move(0, 0)
    assert lit(page) == 0
    rows.nth(0).click()
    page.mouse.move(0, 0)
    assert lit(page) == 0
    page.keyboard.press("ArrowDown")
    assert lit(page) > 0
    page.keyboard.press("/")
    assert lit(page) == 0


def test_a_flight_is_a_step_back_and_forth(page: Any) -> None:
    home = picture(page)
    page.click("[role=treeitem] >> nth=0")
    page.mouse.move(0, 0)  # where the mouse rests on a topic of the list, its documents are lit up
    there = picture(page)
    assert there != home
    page.go_back()
    assert picture(page) == home
    page.go_forward()
    assert picture(page) == there


def test_keys_buttons_and_the_mouse_move_the_map(page: Any) -> None:
    home = picture(page)
    page.focus(MAP)
    for key in ("ArrowLeft", "ArrowDown", "+"):
        before = picture(page)
        page.keyboard.press(key)
        assert picture(page) != before
    page.keyboard.press("0")
    assert picture(page) == home
    page.click("[aria-label='Zoom in']")
    assert picture(page) != home
    page.click("[aria-label='Show all documents']")
    assert picture(page) == home
    box = box_of(page, MAP)
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.wheel(0, -300)
    near = picture(page)
    assert near != home
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 260, steps=4)
    page.mouse.up()
    assert picture(page) != near
    assert "document" not in page.url  # a drag opens nothing


def test_a_point_tells_of_its_document_and_opens_it(page: Any) -> None:
    points = page.evaluate(POINTS)
    for x, y in points[:: max(1, len(points) // 40)]:
        page.mouse.move(x, y)
        if page.is_visible(".map-card"):
            break
    title = page.inner_text(".map-card .map-title")
    assert title.startswith("Title ")
    page.mouse.click(x, y)
    assert f"document={int(title[6:]) + 1}" in page.url
    assert page.query_selector(".map-marks .selected")


def test_entries_of_the_key_select_documents(page: Any) -> None:
    for name, entry, term in (
        ("Group", "a", "group%3Aa"),
        ("Group", "no group", "group%3A"),
        ("Date", "2001", "date%3A"),
    ):
        page.select_option(COLOURS, name.lower())
        assert seen(page) == f"Map of 900 documents, coloured by {name.lower()}"
        assert f"colour={name.lower()}" in page.url
        page.click(f".map-key button >> text={entry}")
        assert f"with={term}" in page.url
        assert 0 < selected(page) < 900
        page.click(".working >> text=Clear")


def test_the_map_can_be_saved_large_and_with_another_title(page: Any) -> None:
    page.click(".menu summary")
    name, data = saved(page, lambda: page.click("text=Picture as PNG"))
    assert name == "map.png"
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 2400  # pixels of width
    page.click(".menu summary")
    name, data = saved(page, lambda: page.click("text=Picture as SVG"))
    assert name == "map.svg"
    drawing = data.decode()
    assert drawing.startswith("<svg ")
    assert 'xmlns="http://www.w3.org/2000/svg"' in drawing
    assert "Planted" in drawing
    assert "coloured by topic" in drawing
    assert drawing.count("hlta") == 1
    assert "data:image/png" in drawing  # the glow
    assert len(re.findall(r"M[\d.-]+ [\d.-]+h0", drawing)) == 900
    page.click(".menu summary")
    page.fill(".fields [type=text]", "Where they are")
    page.check(".fields [type=checkbox]")
    _, data = saved(page, lambda: page.click("text=Large picture as PNG"))
    assert int.from_bytes(data[16:20], "big") == 4800
    page.click(".menu summary")
    _, data = saved(page, lambda: page.click("text=Picture as SVG"))
    drawing = data.decode()
    assert re.findall(r'<text[^>]*font-size="17"[^>]*>([^<]*)<', drawing) == ["Where they are"]
    assert '<rect width="100%" height="100%" fill="none"' in drawing


def test_a_finger_sees_a_card_then_the_document(visit: Any, small_file: Path) -> None:
    page = visit(small_file, viewport={"width": 390, "height": 844}, has_touch=True)
    page.tap(".switches >> text=Pictures")
    rest(page)
    points = page.evaluate(POINTS)
    for x, y in points[:: -max(1, len(points) // 40)]:  # names of topics are above their documents
        page.touchscreen.tap(x, y)
        if page.is_visible(".map-card"):
            break
    page.tap(".map-card >> text=Open")
    assert "document=" in page.url
    page.tap(".switches >> text=Pictures")
    heights = page.eval_on_selector_all(".map-tools > *", "all => all.map(e => e.offsetHeight)")
    assert len(heights) == 6
    assert min(heights) >= 44
