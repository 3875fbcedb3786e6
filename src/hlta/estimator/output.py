"""What scikit-learn's `set_output` asks for, for any topics.

scikit-learn names the columns after `get_feature_names_out`, which knows nothing of the topics that a
call of `transform` is given. It wraps only what the estimator's own class defines, so `HLTA` inherits
`transform`, and names the columns here.
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
    """Values of the rows of X, in the container that the estimator or scikit-learn is set to."""
    asked = getattr(estimator, "_sklearn_output_config", {}).get("transform")
    return _Named(values, names).set_output(transform=asked).transform(X)


class _Named(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer whose values and names are known."""

    def __init__(self, values: NDArray[np.float64], names: Sequence[str]) -> None:
        self._values = values
        self._names = names

    def transform(self, X: Any) -> NDArray[np.float64]:  # noqa: ARG002
        return self._values

    def get_feature_names_out(self, _: Any = None) -> NDArray[np.object_]:
        return np.array(self._names, dtype=object)
