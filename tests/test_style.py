"""Words of style: which they are, and how far they are from others."""

from __future__ import annotations

import numpy as np
import pytest

from hlta.algorithm.style import least_contrast, of_style, style_axis


def test_at_most_a_third_of_the_words_are_of_style() -> None:
    rng = np.random.default_rng(0)
    for spread in (0.1, 1.0, 5.0):
        contrast = rng.lognormal(sigma=spread, size=400)
        share = np.mean(contrast < least_contrast(contrast))
        assert share <= 1 / 3 + 1e-9
        assert (share > 0.3) == (spread >= 1.0)


def test_words_of_equal_contrast_are_not_of_style() -> None:
    for value in (0.0, 0.3):
        same = np.full(30, value)
        assert not (same < least_contrast(same)).any() or value == 0.0
    assert least_contrast(np.zeros(30)) > 0.0


def test_words_of_equal_contrast_point_the_same_way() -> None:
    contrast = np.array([0.0, 0.01, 0.2, 0.2, 0.5, 0.9, 1.0])
    axis = style_axis(contrast)
    assert (axis**2).sum(axis=1) == pytest.approx(1.0)
    like = axis @ axis.T
    for i, one in enumerate(contrast):  # the nearer in contrast, the more alike
        for j, two in enumerate(contrast[i:-1], start=i):
            assert like[i, j] >= like[i, j + 1]
            assert (one == two) == (like[i, j] == pytest.approx(1.0, abs=1e-12))


def test_a_part_is_of_style_by_the_mean_of_its_words() -> None:
    rng = np.random.default_rng(1)
    contrast, parts = rng.exponential(size=90), np.append(np.arange(25), rng.integers(25, size=65))
    expected = [contrast[parts == k].mean() < least_contrast(contrast) for k in range(25)]
    assert of_style(parts, contrast).tolist() == expected
    assert any(expected)
