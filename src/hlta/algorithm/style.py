"""Words of style: those with so little contrast that they belong to no theme.

They are in documents on anything, so that what they have in common with a theme is chance. Which
words these are is known far more surely than which theme each of them would join.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST: Final = 1.0 / 3.0  # of the words, at most, are of style,
_LITTLE: Final = 0.75  # and these have so much of the contrast of the median word, at most
_TINY: Final = float(np.finfo(np.float64).tiny)


def least_contrast(contrast: NDArray[np.float64]) -> float:
    """The contrast below which words are of style."""
    most, median = np.quantile(contrast, (_MOST, 0.5))
    return max(float(min(most, _LITTLE * median)), _TINY)


def style_axis(contrast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors of length 1 that point the more to the second axis the more contrast: (n_words, 2)."""
    angle = 0.5 * np.pi * contrast / (contrast + least_contrast(contrast))
    return np.column_stack((np.cos(angle), np.sin(angle)))


def of_style(parts: NDArray[np.intp], contrast: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which parts of the words have so little contrast on the average."""
    mean = np.bincount(parts, contrast) / np.bincount(parts)
    found: NDArray[np.bool_] = mean < least_contrast(contrast)
    return found
