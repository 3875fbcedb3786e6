"""The scikit-learn face: `HLTA`, the documents it takes, and the file it is saved to."""

from hlta.estimator.estimator import HLTA as HLTA
