"""The same bits whatever the processor offers, but for what three libraries leave open."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.nightly import nightly

pytestmark = [nightly, pytest.mark.slow]  # every kernel is compiled again

TOLERANCE = 1e-10  # what the documentation promises
FIT = """
import sys
import numpy as np
from hlta import HLTA
from tests.synthetic import planted
X = planted(30, 3).sample(400, seed=1)
parts = []
for options in ({"samples": 1}, {"samples": 4, "states": 2}, {"samples": 1, "em": "stepwise"}):
    model = HLTA(em_steps=5, em_updates=10, **options).fit(X)
    tree = model.tree_
    parts += [tree.parent, tree.parameters.word, tree.parameters.latent]
    parts += [model.transform(X), model.score_samples(X)]
np.savez(sys.argv[1], *parts)
"""
# The allocator's choices change nothing, and nor do vectors and fused arithmetic in our own code.
EXACT = {"PYTHONMALLOC": "malloc", "MALLOC_PERTURB_": "165", "NUMBA_CPU_NAME": "generic"}
EXACT["NUMBA_CPU_FEATURES"] = ""
# NumPy's and the C library's exp and log, and OpenBLAS, round differently on other processors.
NEAR = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR AVX2 FMA3 AVX512F",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
    "OPENBLAS_CORETYPE": "Prescott",
}


def results(file: Path, **environment: str) -> list[NDArray[np.float64]]:
    """Structure, parameters, posteriors and likelihoods of some fits in such a process."""
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FIT, str(file)],
        env=os.environ | environment | {"PYTHONPATH": os.pathsep.join(["", *sys.path])},
        check=True,
    )
    with np.load(file) as arrays:
        return [arrays[name] for name in arrays.files]


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> list[NDArray[np.float64]]:
    return results(tmp_path_factory.mktemp("usual") / "results.npz")


def test_vectors_and_memory_change_no_bit(usual: list[NDArray[np.float64]], tmp_path: Path) -> None:
    code = {"NUMBA_CACHE_DIR": str(tmp_path)}
    for one, other in zip(usual, results(tmp_path / "results.npz", **EXACT, **code), strict=True):
        np.testing.assert_array_equal(one, other)


def test_other_libraries_are_near(usual: list[NDArray[np.float64]], tmp_path: Path) -> None:
    for one, other in zip(usual, results(tmp_path / "results.npz", **NEAR), strict=True):
        np.testing.assert_allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE)
