"""What takes too long for every change: `scripts/nightly` sets the variable for it."""

import os
from typing import Final

import pytest

NIGHTLY: Final = "HLTA_NIGHTLY" in os.environ
nightly: Final = pytest.mark.skipif(not NIGHTLY, reason="scripts/nightly runs it")
