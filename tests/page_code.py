"""The page's own code, bundled and run in Node.js, to be compared with that of Python."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

EXPLORER = Path(__file__).parents[1] / "explorer"
_ESBUILD = EXPLORER / "node_modules" / ".bin" / "esbuild"

needs_node = pytest.mark.skipif(
    not (shutil.which("node") and _ESBUILD.exists()) and "HLTA_ALL_TESTS" not in os.environ,
    reason="needs Node.js: scripts/browser",
)


def bundled(script: str, folder: Path) -> Path:
    """A script in TypeScript with all that it imports; SOURCE stands for the page's sources in it."""
    (folder / "script.ts").write_text(script.replace("SOURCE", str(EXPLORER / "src")))
    options = ("--bundle", "--platform=node", "--format=esm", f"--outfile={folder}/script.mjs")
    subprocess.run([_ESBUILD, folder / "script.ts", *options], check=True, capture_output=True)
    return folder / "script.mjs"


def answers(script: str, given: Any, folder: Path) -> Any:
    """The JSON that a script prints if it is given something as JSON."""
    node = ["node", str(bundled(script, folder))]
    return json.loads(subprocess.check_output(node, input=json.dumps(given), text=True))
