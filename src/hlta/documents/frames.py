"""Values of pandas and Polars data frames as text, without importing either library."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Final

import numpy as np

ONE_COLUMN: Final = (
    "give one column of it, such as frame['text'], or use Corpus.from_frame(frame, text='text')"
)
"""Advice in error messages where a data frame is given in place of a column of texts."""
_MISSING: Final = {"None", "nan", "NaT", "<NA>"}  # as Python, NumPy and pandas write missing values
_DAY: Final = 10  # the number of characters of 2020-01-31


def is_frame(value: Any) -> bool:
    """Whether this is a data frame, rather than a column of one, an array or a list."""
    return hasattr(type(value), "columns") and len(getattr(value, "shape", ())) == 2


def plain(value: Any) -> Any:
    """A date as 2020-01-31, a whole number by its digits, a missing value as ""; others unchanged.

    Dates are those of Python, NumPy, pandas and Polars; the time of day is left out.

    Examples
    --------
    >>> from datetime import datetime
    >>> [plain(value) for value in (datetime(2020, 1, 31, 12), 2020.0, float("nan"), "May 2020")]
    ['2020-01-31', '2020', '', 'May 2020']
    """
    if isinstance(value, (str, bool)):
        return value
    shown = str(value)
    if shown in _MISSING:
        return ""
    if isinstance(value, np.datetime64) or hasattr(value, "strftime"):
        return shown[:_DAY]
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real) and float(value).is_integer():
        return str(int(float(value)))
    return value
