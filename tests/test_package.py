"""The package as a whole: its surface and what an import costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import hlta


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
