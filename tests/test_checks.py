"""Checks of arguments: what does not pass is named; whole numbers come back as plain ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hlta import OptionError
from hlta._support.checks import check_choice, check_flag, check_real, check_whole


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_whole_numbers_come_back_as_int(value: Any) -> None:
    assert check_whole("n", value, least=3, most=3) == 3
    assert type(check_whole("n", value, least=0)) is int


@pytest.mark.parametrize("value", [2, 9, 4.0, "4", True, None, [4], np.array([4, 5])])
def test_what_is_not_a_whole_number_within_bounds_is_refused(value: Any) -> None:
    with pytest.raises(OptionError, match=r"^n=.*: use a whole number, from 3 to 8$"):
        check_whole("n", value, least=3, most=8)


def test_none_passes_only_where_it_stands_for_something() -> None:
    assert check_whole("n", None, least=1, none="all documents") is None
    with pytest.raises(OptionError, match=r"n=0: .*, 1 or more, or None for all documents$"):
        check_whole("n", 0, least=1, none="all documents")


@pytest.mark.parametrize("value", [0.5, np.float32(0.5), Fraction(1, 2)])
def test_numbers_within_bounds_pass(value: Any) -> None:
    check_real("x", value, least=0.0, most=1.0)
    check_real("x", value)


@pytest.mark.parametrize(
    "value", [-0.1, 1.5, float("nan"), float("inf"), 10**400, "1", True, None, 1j]
)
def test_what_is_not_a_number_within_bounds_is_refused(value: Any) -> None:
    with pytest.raises(OptionError, match=r"^x=.*: use a number, from 0 to 1 \(1 keeps all\)$"):
        check_real("x", value, least=0.0, most=1.0, hint="1 keeps all")


def test_a_number_may_have_one_bound_or_none() -> None:
    with pytest.raises(OptionError, match=r"x=-1: use a number, 0 or more$"):
        check_real("x", -1, least=0.0)
    with pytest.raises(OptionError, match=r"x='1': use a number$"):
        check_real("x", "1")


@pytest.mark.parametrize("value", [1, 0, None, "yes", np.True_])
def test_a_flag_is_true_or_false(value: Any) -> None:
    check_flag("f", True)
    with pytest.raises(OptionError, match="use True or False"):
        check_flag("f", value)


@pytest.mark.parametrize("value", ["c", "", None, ["a"], np.array(["a", "b"])])
def test_a_choice_is_one_of_the_names(value: Any) -> None:
    check_choice("em", "a", ("a", "b"))
    with pytest.raises(OptionError, match="use one of 'a', 'b'"):
        check_choice("em", value, ("a", "b"))
