"""Options are checked where they are given, by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlta import OptionError
from hlta.options import EMOptions, StructureOptions


@pytest.mark.parametrize(
    ("options", "argument", "value", "message"),
    [
        (StructureOptions, "max_top_topics", 0, "max_top_topics=0: use a whole number, 1 or more"),
        (StructureOptions, "max_top_topics", 2.5, "max_top_topics=2.5"),
        (StructureOptions, "max_top_topics", True, "max_top_topics=True"),
        (StructureOptions, "max_island_size", 2, "from 3 to 60"),
        (StructureOptions, "max_island_size", 61, "from 3 to 60"),
        (StructureOptions, "ud_threshold", float("nan"), "ud_threshold=nan: use a number"),
        (StructureOptions, "ud_threshold", "3", "ud_threshold='3'"),
        (StructureOptions, "structure_sample", 1, "2 or more, or None for all documents"),
        (EMOptions, "em", "full", "em='full': use one of 'auto', 'batch', 'stepwise'"),
        (EMOptions, "em_steps", -1, "em_steps=-1"),
        (EMOptions, "batch_size", 0, "batch_size=0"),
        (EMOptions, "step_exponent", 1.5, "step_exponent=1.5: use a number, from 0 to 1"),
        (EMOptions, "em_updates", None, "em_updates=None"),
    ],
)
def test_odd_values_are_refused(options: Any, argument: str, value: Any, message: str) -> None:
    with pytest.raises(OptionError) as error:
        options(**{argument: value})
    assert message in str(error.value)


def test_numpy_numbers_are_numbers() -> None:
    StructureOptions(
        max_top_topics=np.int64(3), ud_threshold=np.float32(2.0), structure_sample=None
    )
    EMOptions(em="stepwise", step_exponent=np.float64(0.5), em_updates=np.uint8(3))
