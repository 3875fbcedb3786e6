"""The scikit-learn estimator `HLTA`, which wraps a fitted model."""

from hlta.estimator.estimator import HLTA as HLTA
