"""The package as a whole: its surface, what an import costs, who may import whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import hlta

SOURCE = Path(hlta.__file__).parent

# Each package may import itself and what stands before it.
ORDER = (
    *("errors", "files", "monitor", "options", "parallel", "kernels", "corpus", "reading", "model"),
    *(
        "structure",
        "topics",
        "report",
        "plots",
        "evaluate",
        "pipeline",
        "estimator",
        "loading",
        "cli",
    ),
    "__main__",
)
# Friendly faces that reach further: `topics.to_html()`.
EXCEPTIONS = {("topics/tree.py", "report")}


def test_the_surface_is_curated() -> None:
    assert set(hlta.__all__) == {
        "HLTA",
        "Corpus",
        "Keyword",
        "Monitor",
        "NarrowTopics",
        "TextMonitor",
        "TextOptions",
        "Topic",
        "TopicTree",
        "ClippedProbabilityWarning",
        "DocumentsError",
        "EMResult",
        "FormatError",
        "HltaError",
        "LatentTree",
        "OptionError",
        "TreeError",
        "__version__",
        "batch_em",
        "load",
        "read_corpus",
        "stepwise_em",
    }
    for name in hlta.__all__:
        assert getattr(hlta, name) is not None
    assert set(hlta.__all__) <= set(dir(hlta))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = hlta.nothing


def test_importing_hlta_imports_nothing_heavy() -> None:
    heavy = "{'numba', 'numpy', 'scipy', 'sklearn'}"
    code = f"import sys, hlta; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_tree_can_be_read_and_written_without_compiling() -> None:
    code = (
        "import sys; from hlta import LatentTree; "
        "t = LatentTree(('a', 'b', 'c'), [3, 3, 3, -1], [0, 0, 0, 1], [[0.5, 0.5]] * 4); "
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    "path", sorted(SOURCE.rglob("*.py")), ids=lambda p: str(p.relative_to(SOURCE))
)
def test_imports_point_one_way(path: Path) -> None:
    home = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if home in {"__init__", "cli", "data"}:  # the command may use the whole surface
        return
    allowed = ORDER[: ORDER.index(home) + 1]
    if home == "kernels":
        allowed = ("kernels",)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("hlta"):
            parts = node.module.split(".")
            targets = parts[1:2] or [alias.name for alias in node.names]
            for target in targets:
                excepted = (path.relative_to(SOURCE).as_posix(), target) in EXCEPTIONS
                assert target in allowed or excepted, f"{home} imports {node.module}"
