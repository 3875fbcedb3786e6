"""Options are checked when they are made, by name."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

from hlta import Corpus, DocumentsError, OptionError, TextOptions
from hlta.options import EMOptions, StructureOptions


@pytest.mark.parametrize(
    ("options", "argument", "value", "message"),
    [
        (StructureOptions, "max_top_topics", 0, "max_top_topics=0: use a whole number, 1 or more"),
        (StructureOptions, "max_top_topics", 2.5, "max_top_topics=2.5"),
        (StructureOptions, "max_top_topics", True, "max_top_topics=True"),
        (StructureOptions, "max_island_size", 61, "from 3 to 60"),
        (StructureOptions, "ud_threshold", float("nan"), "ud_threshold=nan: use a number"),
        (StructureOptions, "structure_sample", 1, "2 or more, or None for all documents"),
        (StructureOptions, "association", "none", "use one of 'auto', 'positive', 'any'"),
        (StructureOptions, "samples", np.array([1, 2]), "use a whole number, 1 or more, or"),
        (StructureOptions, "refine", 1, "refine=1: use True or False"),
        (EMOptions, "em_steps", -1, "em_steps=-1"),
        (EMOptions, "step_exponent", 1.5, "step_exponent=1.5: use a number, from 0 to 1"),
    ],
)
def test_odd_values_are_refused(options: Any, argument: str, value: Any, message: str) -> None:
    with pytest.raises(OptionError) as error:
        options(**{argument: value})
    assert message in str(error.value)


def test_a_tokenizer_is_a_name_or_a_function() -> None:
    with pytest.raises(OptionError, match="tokenizer=3"):
        TextOptions(tokenizer=3)
    with pytest.raises(DocumentsError, match="a single string"):
        Corpus.from_texts("one text")


def test_numpy_numbers_are_numbers() -> None:
    whole: Any = np.int64(3)
    real: Any = np.float32(0.5)
    structure = StructureOptions(max_top_topics=whole, ud_threshold=real)
    em = EMOptions(step_exponent=real, em_updates=whole)
    assert (structure.max_top_topics, structure.ud_threshold) == (3, 0.5)
    assert (em.step_exponent, em.em_updates) == (0.5, 3)


@pytest.mark.parametrize("options", [StructureOptions(), EMOptions()])
def test_options_cannot_be_changed_once_checked(options: Any) -> None:
    name = next(iter(vars(options)))
    with pytest.raises(FrozenInstanceError):
        setattr(options, name, -1)
