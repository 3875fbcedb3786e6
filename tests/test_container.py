"""What is packed into a page comes out of it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta.explorer.container import packed, steps, strings, unpacked


@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=4),
    st.lists(st.sampled_from(["u1", "u2", "u4", "i4", "f4", "f8"]), max_size=5),
    st.integers(0, 40),
)
def test_what_is_packed_comes_out(header: dict[str, str], kinds: list[str], size: int) -> None:
    header.pop("arrays", None)
    rng = np.random.default_rng(size)
    arrays = {f"{k}": (200 * rng.random(size + k)).astype(t) for k, t in enumerate(kinds)}
    part = unpacked(packed(header, arrays))
    assert part.header == header
    assert list(part.arrays) == list(arrays)
    for name, array in arrays.items():
        assert part.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(part.arrays[name], array)


@pytest.mark.slow
@given(st.lists(st.sets(st.integers(0, 100_000), max_size=9), max_size=9))
def test_steps_add_up(lists: list[set[int]]) -> None:
    starts = np.cumsum([0, *map(len, lists)])
    numbers = np.array([n for part in lists for n in sorted(part)], dtype=np.int64)
    added = steps(starts, numbers)
    for part, a, b in zip(lists, starts[:-1], starts[1:], strict=True):
        assert np.cumsum(added[a:b]).tolist() == sorted(part)


def test_strings_end_where_they_end() -> None:
    arrays = strings("x", ["", "hé", "\ud800", "日本"])
    data = arrays["x"].tobytes()
    ends = [0, *arrays["x.ends"].tolist()]
    parts = [data[a:b].decode() for a, b in pairwise(ends)]
    assert parts == ["", "hé", "?", "日本"]
