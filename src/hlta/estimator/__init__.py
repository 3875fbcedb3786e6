"""The scikit-learn estimator `HLTA`, and the documents that it takes."""

from hlta.estimator.estimator import HLTA as HLTA
