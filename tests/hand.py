"""A person at the page with a mouse."""

from collections.abc import Callable
from typing import Any


class Hand:
    """Clicks, types and drags on a page, and counts these acts."""

    def __init__(self, page: Any) -> None:
        self.page, self.acts = page, 0

    def click(self, selector: str) -> None:
        self.acts += 1
        self.page.locator(selector).first.click()

    def choose(self, selector: str, value: str) -> None:
        self.acts += 1
        self.page.locator(selector).first.select_option(value)

    def slide(self, selector: str, value: str) -> None:
        self.acts += 1
        self.page.locator(selector).first.fill(value)

    def drag(self, selector: str, corners: list[tuple[float, float]]) -> None:
        """Drag over something; corners are shares of its width and height."""
        self.acts += 1
        box = self.page.locator(selector).first.bounding_box()
        places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*place, steps=5)
        self.page.mouse.up()

    def type(self, selector: str, text: str, end: str = "Enter") -> None:
        """Type into a field, and end with a key."""
        self.acts += 1
        self.page.locator(selector).first.fill(text)
        if end:
            self.page.keyboard.press(end)

    def save(self, press: Callable[[], None]) -> bytes:
        """The file that something saves."""
        with self.page.expect_download() as waiting:
            press()
        with open(waiting.value.path(), "rb") as file:
            return file.read()
