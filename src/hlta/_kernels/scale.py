"""Numbers with a coarse exponent of their own: x * STEP**power.

A product of thousands of likelihood ratios leaves the range of a double. A product that leaves
[LOW, HIGH] is multiplied by STEP or 1/STEP, and the power is counted. The bounds leave room for one
more factor: with probabilities in [1e-100, 1 - 2**-53] a factor is at most 1e200, and HIGH is about
1e100.
"""

from __future__ import annotations

import math
from typing import Final

STEP: Final = 2.0**332
UNSTEP: Final = 2.0**-332
HIGH: Final = STEP
LOW: Final = UNSTEP
LOG_STEP: Final = 332 * math.log(2.0)
LOG_SAFE: Final = 300.0  # ratios within exp(+-LOG_SAFE) need no guard: their squares fit a double
