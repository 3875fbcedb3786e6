"""A person at the page with a mouse, and one with a keyboard alone."""

from collections.abc import Callable
from typing import Any, Final

MOST: Final = 400  # presses of a key until it is given up
HERE: Final = """target => {
    const pressed = "button, a[href], input, select, textarea, summary, [tabindex]";
    return target.closest(pressed) === document.activeElement;
}"""
ROW: Final = "document.activeElement.closest('[data-at]')?.dataset.at"


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


class Keys(Hand):
    """Does with keys what a hand does with a mouse: Tab, arrows, Enter and Space."""

    def click(self, selector: str) -> None:
        """Go to an element and press it."""
        found = self.page.locator(selector).first
        found.wait_for(state="visible")
        if found.get_attribute("role") == "option":
            self._until("ArrowDown", lambda: found.get_attribute("aria-selected") == "true")
        else:
            self._go(selector)
        box = self.page.evaluate("document.activeElement.matches('[type=checkbox]')")
        self.page.keyboard.press("Space" if box else "Enter")

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list with the arrows."""
        self._go(selector)
        self.page.keyboard.press("Home")
        self._until("ArrowDown", lambda: self.page.locator(selector).first.input_value() == value)

    def slide(self, selector: str, value: str) -> None:
        """Move a slider with the arrows."""
        self._go(selector)
        least = int(value) / 100
        self._until("ArrowRight", lambda: f"least={least}&" in f"{self.page.url}&")

    def drag(self, selector: str, _: list[tuple[float, float]]) -> None:
        """Come nearer on the map, and take what is in view, in the place of an outline."""
        self._go(selector)
        self.page.keyboard.press("+")
        self.page.keyboard.press("+")
        self.click("[aria-label='Select what is in view']")

    def type(self, selector: str, text: str, end: str = "Enter") -> None:
        """Type into a field, after going there."""
        if selector.startswith(".search"):
            self.page.keyboard.press("/")
        else:
            self._go(selector)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        if end:
            self.page.keyboard.press(end)
        else:
            self.page.wait_for_selector(".hits [role=option], textarea")

    def _go(self, selector: str) -> None:
        """Tab leads once to every list, tree and bar of tabs; the arrows lead on from there."""
        found = self.page.locator(selector).first

        def here() -> bool:
            return bool(found.count() and found.evaluate(HERE))

        def within(kind: str) -> bool:
            return bool(found.evaluate("(e, kind) => e.closest(kind) !== null", kind))

        if within("[role=tree]"):
            self._until("Tab", lambda: self._is_in("[role=tree]"))
            self.page.keyboard.press("Home")
            self._until("ArrowDown", here)
        elif within("[role=tablist]"):
            self._until("Tab", lambda: self._is_in("[role=tab]"))
            self._until("ArrowRight", here)
        elif within(".results"):
            row = found.evaluate("e => e.closest('[data-at]').dataset.at")
            self._until("Tab", lambda: self._is_in(".results"))
            self._until("ArrowDown", lambda: self.page.evaluate(ROW) == row)
            if not here():
                box = found.evaluate("e => e.matches('input')")
                self.page.keyboard.press("Shift+Tab" if box else "Tab")
        else:
            self._until("Tab", here)

    def _is_in(self, kind: str) -> bool:
        return bool(self.page.evaluate("kind => !!document.activeElement.closest(kind)", kind))

    def _until(self, key: str, is_there: Callable[[], bool]) -> None:
        for _ in range(MOST):
            if is_there():
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead there")
