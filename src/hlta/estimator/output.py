"""Output in the container that scikit-learn's `set_output` chose, for any topics.

scikit-learn names the columns by `get_feature_names_out`, which does not know the topics passed to
`transform`. It wraps only methods that the estimator's own class defines, so `HLTA` inherits
`transform`, and the columns are named here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def as_output(
    estimator: BaseEstimator, X: Any, values: NDArray[np.float64], names: Sequence[str]
) -> Any:
    """Values of the rows of X, in the container for which the estimator or scikit-learn is configured."""
    asked = getattr(estimator, "_sklearn_output_config", {}).get("transform")
    return _Named(values, names).set_output(transform=asked).transform(X)


class _Named(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that returns given values, with given names of columns."""

    def __init__(self, values: NDArray[np.float64], names: Sequence[str]) -> None:
        self._values = values
        self._names = names

    def transform(self, X: Any) -> NDArray[np.float64]:  # noqa: ARG002
        return self._values

    def get_feature_names_out(self, _: Any = None) -> NDArray[np.object_]:
        return np.array(self._names, dtype=object)
