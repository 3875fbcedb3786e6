"""What axe, a checker of accessibility, finds on a page."""

import os
from pathlib import Path
from typing import Any

import pytest

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
