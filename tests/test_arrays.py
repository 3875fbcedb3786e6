"""Offsets, ranges, alignment and read-only views."""

from __future__ import annotations

import numpy as np
import pytest

from hlta._support.arrays import CACHE_LINE, aligned_zeros, offsets, ranges, read_only


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [([], [0]), ([0], [0, 0]), ([3, 0, 2], [0, 3, 3, 5]), (np.array([1, 2], np.uint32), [0, 1, 3])],
)
def test_offsets_are_where_lists_begin_and_the_last_one_ends(
    lengths: list[int], expected: list[int]
) -> None:
    result = offsets(lengths)
    assert result.tolist() == expected
    assert result.dtype == np.int64


def test_offsets_of_small_integers_do_not_wrap() -> None:
    assert offsets(np.array([200, 100], dtype=np.uint8)).tolist() == [0, 200, 300]


@pytest.mark.parametrize(
    ("count", "size", "expected"),
    [
        (0, 4, []),
        (3, 4, [(0, 3)]),
        (8, 4, [(0, 4), (4, 8)]),
        (9, 4, [(0, 4), (4, 8), (8, 9)]),
    ],
)
def test_ranges_cover_all_numbers_and_the_last_may_be_shorter(
    count: int, size: int, expected: list[tuple[int, int]]
) -> None:
    assert ranges(count, size) == expected


def test_a_read_only_view_refuses_to_be_written_to_and_shares_its_memory() -> None:
    array = np.arange(3)
    view = read_only(array)
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 5
    array[0] = 7
    assert view[0] == 7


def test_a_read_only_view_leaves_the_array_as_it_is() -> None:
    array = np.arange(3)
    read_only(array)
    assert array.flags.writeable


def test_a_read_only_view_of_a_memory_map_is_a_plain_array(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    mapped = np.memmap(tmp_path_factory.mktemp("map") / "array", dtype=np.int64, shape=3, mode="w+")
    assert type(read_only(mapped)) is np.ndarray


@pytest.mark.parametrize("shape", [(3, 8), (1,), (5, 2, 16)])
def test_aligned_zeros_begin_a_cache_line(shape: tuple[int, ...]) -> None:
    kept = [aligned_zeros(shape) for _ in range(8)]
    for array in kept:
        assert array.shape == shape
        assert array.dtype == np.float64
        assert array.flags.c_contiguous
        assert array.flags.writeable
        assert not array.any()
        assert array.ctypes.data % CACHE_LINE == 0
