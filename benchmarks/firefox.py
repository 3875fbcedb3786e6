"""Whether the page works in Firefox: it opens, is searched, mapped, read, compared and renamed.

    python -m benchmarks.firefox PAGE [--geckodriver PATH]

PAGE is a page of the demo or of any other documents with texts. This needs Firefox, geckodriver and
`pip install selenium`; continuous integration has none of them. Every step ends with a check, and
an error that the page reports ends the program.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 30  # seconds
COLOURED = """const canvas = document.querySelector(".map-sheet canvas");
const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
let found = 0;
for (let k = 0; k < data.length; k += 4) {
    const [a, b, c] = data.subarray(k, k + 3);
    if (Math.max(a, b, c) - Math.min(a, b, c) > 60) found++;
}
return found;"""


class Page:
    """The page in Firefox, and what goes wrong in it."""

    def __init__(self, file: Path, geckodriver: str) -> None:
        from selenium.webdriver import Firefox, FirefoxOptions
        from selenium.webdriver.firefox.service import Service

        options = FirefoxOptions()
        options.add_argument("-headless")
        options.set_capability("webSocketUrl", True)
        self.driver: Any = Firefox(options, Service(geckodriver))
        self.driver.set_window_size(1440, 1000)
        self.errors: list[str] = []
        script = self.driver.script
        script.add_javascript_error_handler(lambda error: self.errors.append(error.text))
        script.add_console_message_handler(lambda entry: self.errors.append(entry.text))
        self.driver.get(file.resolve().as_uri())
        self.one("html[data-ready]")

    def every(self, selector: str) -> list[Any]:
        """The elements that are there now."""
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def one(self, selector: str) -> Any:
        """The first element of a kind, as soon as it is there."""
        return self.when(lambda: next(iter(self.every(selector)), None), selector)

    def when(self, found: Callable[[], Any], what: str) -> Any:
        """What is found, as soon as it is something."""
        from selenium.common.exceptions import TimeoutException
        from selenium.webdriver.support.wait import WebDriverWait

        try:
            return WebDriverWait(self.driver, PATIENCE).until(lambda _: found())
        except TimeoutException:
            sys.exit(f"Firefox does not show this: {what}")

    def type(self, selector: str, text: str) -> None:
        """Type into a field in the place of what was there, and press Enter."""
        field = self.one(selector)
        field.clear()
        field.send_keys(f"{text}\ue007")


def use(page: Page) -> None:
    """Do what people do."""
    page.when(lambda: page.driver.execute_script(COLOURED) > 500, "points in colour on the map")
    print(f"opened and drawn: {page.one('.map-sheet canvas').get_attribute('aria-label')}")

    page.type(".search input", "model")
    told = page.when(lambda: page.one(".documents .found").text, "the documents of a search")
    print(f"searched: {told}")
    page.one(".working .clear").click()

    page.one(".map-names button").click()
    topic = page.one("#details").get_attribute("data-topic")
    page.when(lambda: page.every(f".map-names button[data-topic='{topic}'].chosen"), "its label")
    page.one(".documents .title").click()
    page.when(lambda: page.every("#details .text .said"), "words that say why")
    heading = page.one("h3.why").text
    page.when(lambda: page.every("#details .similar li"), "similar documents")
    print(f"read: {heading}")
    page.driver.back()

    page.one(".topic-tools button").click()
    page.one(".proposed button").click()
    print(f"compared: {page.when(lambda: page.one('.compare h2').text, 'a comparison')}")

    for view in ("areas", "diagram", "time", "groups", "map"):
        for tab in page.every(f"#tab-{view}"):
            tab.click()
            drawing = "canvas" if view == "map" else "svg"
            drawn = page.every(f"#picture {drawing}")  # buttons have small pictures, too
            if max(min(picture.size.values()) for picture in drawn) < 100:
                sys.exit(f"Firefox does not show the view {view}")
    print("seen: every picture")

    page.one(".topic-tools button:nth-of-type(2)").click()
    page.type("#details .form input", "Zebras")
    page.driver.refresh()
    page.when(lambda: page.one("#details h2").text == "Zebras", "the new name of a topic")
    print("renamed: the title is kept when the page is opened again")


def main() -> None:
    """Open the page and use it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("page", type=Path)
    parser.add_argument("--geckodriver", default=shutil.which("geckodriver"))
    options = parser.parse_args()
    if options.geckodriver is None:
        parser.error("needs geckodriver: put it on the path, or name it with --geckodriver")
    page = Page(options.page, options.geckodriver)
    try:
        use(page)
        print(f"Firefox {page.driver.capabilities['browserVersion']}")
    finally:
        page.driver.quit()
    if page.errors:
        sys.exit("\n".join(page.errors))


if __name__ == "__main__":
    main()
