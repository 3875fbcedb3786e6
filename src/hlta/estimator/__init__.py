"""The scikit-learn estimator `HLTA`: the face of a fitted model."""

from hlta.estimator.estimator import HLTA as HLTA
