"""A hand that uses the page as a person does, and counts what it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

SEEN = """element => {
    let { top, bottom } = element.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    for (let up = element.parentElement; up; up = up.parentElement) {
        if (getComputedStyle(up).overflowY === "visible") continue;
        const box = up.getBoundingClientRect();
        if (middle < box.top || middle > box.bottom) return false;
    }
    return middle >= 0 && middle <= innerHeight;
}"""


class Hand:
    """Clicks, typing and scrolling on a page; what is out of sight has to be scrolled to first.

    Attributes
    ----------
    clicks, fields, scrolls
        How often something was clicked or dragged, typed into, and out of sight.
    """

    def __init__(self, page: Any) -> None:
        self.page = page
        self.clicks = self.fields = self.scrolls = 0

    def click(self, selector: str) -> None:
        """Click what a person sees."""
        self._reach(selector)
        self.clicks += 1
        self.page.locator(selector).first.click()

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list: a click that opens it, and one on the entry."""
        self._reach(selector)
        self.clicks += 2
        self.page.locator(selector).first.select_option(value)

    def slide(self, selector: str, value: str) -> None:
        """Drag a slider."""
        self._reach(selector)
        self.clicks += 1
        self.page.locator(selector).first.fill(value)

    def drag(self, selector: str, corners: list[tuple[float, float]]) -> None:
        """Drag over something; corners are shares of its width and height."""
        box = self.page.locator(selector).first.bounding_box()
        places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
        self.clicks += 1
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*place, steps=5)
        self.page.mouse.up()

    def type(self, selector: str, text: str, end: str = "Enter") -> None:
        """Type into a field, and end with a key."""
        self._reach(selector)
        self.fields += 1
        self.page.locator(selector).first.fill(text)
        if end:
            self.page.keyboard.press(end)

    def save(self, press: Callable[[], None]) -> bytes:
        """The file that something saves."""
        with self.page.expect_download() as waiting:
            press()
        with open(waiting.value.path(), "rb") as file:
            return file.read()

    def _reach(self, selector: str) -> None:
        found = self.page.locator(selector).first
        found.wait_for(state="visible")
        if not found.evaluate(SEEN):
            self.scrolls += 1

    @property
    def told(self) -> str:
        """What it took, in words."""
        kinds = ((self.clicks, "click"), (self.fields, "field"), (self.scrolls, "scroll"))
        parts = [f"{n} {what}{'s' if n > 1 else ''}" for n, what in kinds if n]
        return ", ".join(parts) or "nothing"
