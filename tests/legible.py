"""Whether everybody can read a page: how well texts stand out, on maps too, and what axe finds."""

import io
import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

ENOUGH: Final = 4.5  # by WCAG 2, level AA
ENOUGH_IF_LARGE: Final = 3.0
NEARLY_ALL: Final = 0.9  # of the pixels around letters; points shine through the halo of a label

# The lines of text in sight: their boxes, colours, and whether they are large.
LINES: Final = """() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const all = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const element = node.parentElement;
        if (!node.data.trim() || element.closest(":disabled, title, .hidden")) continue;
        const style = getComputedStyle(element);
        if (style.visibility !== "visible" || style.clipPath !== "none") continue;
        const drawn = element instanceof SVGElement;
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const line of range.getClientRects()) {
            let { left, top, right, bottom } = line;
            for (let up = element; up; up = up.parentElement) {  // what cuts it off
                if (up !== document.body && getComputedStyle(up).overflow === "visible") continue;
                const box = up === document.body ? all : up.getBoundingClientRect();
                [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
                [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
            }
            const [x, y] = [(left + right) / 2, (top + bottom) / 2];
            if (right - left < 3 || bottom - top < 3) continue;
            if (bottom - top < 0.9 * (line.bottom - line.top)) continue;  // cut at an edge
            const at = document.elementFromPoint(x, y);
            if (!at || !(at.contains(element) || element.contains(at) || drawn)) continue;
            found.push({
                text: node.data.trim().slice(0, 40),
                box: [left, top, right, bottom],
                colour: rgba(drawn ? style.fill : style.color),
                large,
            });
        }
    }
    return found;
}"""
HIDE: Final = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`*, ::placeholder { color: transparent !important; }
        text, tspan { fill: none !important; }`);
    document.adoptedStyleSheets = [sheet];
}"""


def luminance(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relative luminance by WCAG 2 of colours from 0 to 255: (..., 3)."""
    parts = colours / 255.0
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """The contrast of colours by WCAG 2, from 1 to 21."""
    a, b = luminance(one), luminance(other)
    return np.asarray((np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05))


def painted(page: Any) -> NDArray[np.float64]:
    """The pixels in sight."""
    image = Image.open(io.BytesIO(page.screenshot(scale="css"))).convert("RGB")
    return np.asarray(image, dtype=np.float64)


def pale_texts(page: Any) -> tuple[int, dict[str, float]]:
    """How many lines of text there are, and the contrast of those with too little.

    What counts is what lies behind the letters and one pixel around them.
    """
    lines = page.evaluate(LINES)
    with_text = painted(page)
    page.evaluate(HIDE)
    behind = painted(page)
    page.evaluate("document.adoptedStyleSheets = []")
    inked = np.abs(with_text - behind).max(axis=2) > 20
    near = inked.copy()
    for axis in (0, 1):
        near |= np.roll(near, 1, axis) | np.roll(near, -1, axis)
    pale = {}
    for line in lines:
        left, top, right, bottom = (int(max(0, edge)) for edge in line["box"])
        at = near[top : bottom + 1, left : right + 1]
        if not at.any():
            continue  # out of sight, such as what a scroller cuts off
        *colour, alpha = line["colour"]
        back = behind[top : bottom + 1, left : right + 1][at]
        ink = np.array(colour) * alpha / 255.0 + back * (1.0 - alpha / 255.0)
        ratio = float(np.quantile(contrast(ink, back), 1.0 - NEARLY_ALL))
        if ratio < (ENOUGH_IF_LARGE if line["large"] else ENOUGH) - 0.01:
            pale[line["text"]] = round(ratio, 2)
    return len(lines), pale


AXE = Path(__file__).parents[1] / "explorer" / "node_modules" / "axe-core" / "axe.min.js"

needs_axe = pytest.mark.skipif(
    not AXE.exists() and "HLTA_ALL_TESTS" not in os.environ, reason="needs axe: scripts/browser"
)


def serious(page: Any) -> list[Any]:
    """What axe finds, but for trifles."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    options = {
        "resultTypes": ["violations"],
        "rules": {"label-content-name-mismatch": {"enabled": True}},  # experimental, as of 4.10
    }
    report = page.evaluate("options => axe.run(document, options)", options)
    return [
        (v["id"], v["impact"], [node["target"] for node in v["nodes"]][:4])
        for v in report["violations"]
        if v["impact"] in ("serious", "critical", "moderate")
    ]
