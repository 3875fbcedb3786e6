"""Documents around the others."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from hlta.explorer.layout.margin import around


def test_they_lie_around_a_shape_that_is_not_round() -> None:
    rng = np.random.default_rng(0)
    place = rng.uniform(-1.0, 1.0, (2000, 2)) * [10.0, 2.0]
    none = csr_array((200, 3))
    out = around(place, csr_array((2000, 3)), none)
    assert ((np.abs(out) > [10.0, 2.0]).any(axis=1)).all()
    assert np.abs(out[:, 1]).max() < 9.0  # the belt is flat, too
    assert np.abs(out).max() < 15.0


def test_they_lie_in_the_direction_of_their_topics() -> None:
    place = np.array([[5.0, 0.0], [6.0, 0.1], [-5.0, 0.0], [-6.0, -0.1]])
    on = csr_array([[0.9, 0.0], [0.9, 0.0], [0.0, 0.9], [0.0, 0.9]])
    weak = csr_array([[0.0, 0.3], [0.3, 0.0]] * 20)
    out = around(place, on, weak)
    angle = np.arctan2(out[:, 1], out[:, 0]) % (2 * np.pi)
    assert angle[1::2].max() < angle[::2].min()


def test_the_more_they_are_the_wider_the_belt() -> None:
    place, on = np.random.default_rng(0).standard_normal((100, 2)), csr_array((100, 1))
    few, many = (around(place, on, csr_array((n, 1))) for n in (20, 2000))
    assert np.abs(many).max() > 2 * np.abs(few).max()


def test_there_need_be_no_others() -> None:
    out = around(np.zeros((0, 2)), csr_array((0, 2)), csr_array((50, 2)))
    assert len(np.unique(out, axis=0)) == 50
    assert around(np.zeros((0, 2)), csr_array((0, 2)), csr_array((0, 2))).shape == (0, 2)
