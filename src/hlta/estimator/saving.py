"""What the file of a model holds besides its tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.errors import FormatError
from hlta.options import TextOptions

if TYPE_CHECKING:
    from hlta.estimator.estimator import HLTA
    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.model_file import SavedTree


def header_of(model: HLTA) -> dict[str, Any]:
    """Entries of the file's header: parameters, and how the model was learned."""
    options = {k: _plain(v) for k, v in model.get_params().items() if k != "progress"}
    return {
        "options": options,
        "em": model.em_,
        "log_likelihoods": model.log_likelihoods_.tolist(),
        "named": hasattr(model, "feature_names_in_"),
        "text": None if model.text_options_ is None else model.text_options_.plain(),
    }


def restored(cls: type[HLTA], saved: SavedTree, tree: LatentTree) -> HLTA:
    """The model as it was saved."""
    header = saved.header
    try:
        model = cls(**header["options"])
        model.em_ = str(header["em"])
        model.log_likelihoods_ = np.array(header["log_likelihoods"], dtype=np.float64)
        model.n_features_in_ = tree.n_words
        if header["named"]:
            model.feature_names_in_ = np.array(tree.words, dtype=object)
        text = header.get("text")
        model.text_options_ = None if text is None else TextOptions(**text)
        model._set_tree(tree)
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{saved.path} is damaged: {error}") from error
    return model


def _plain(value: Any) -> Any:
    """A parameter as JSON can hold it."""
    if isinstance(value, np.generic):
        return value.item()
    return value if value is None or isinstance(value, (bool, int, float, str)) else None
