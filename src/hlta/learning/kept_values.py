"""Values as JSON and arrays: what a checkpoint keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import Parameters
from hlta.tree.validation import TreeFields

if TYPE_CHECKING:
    from numpy.typing import NDArray


def pack(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """A value as JSON can hold it; its arrays go into `arrays`, and their names stand for them.

    A value is a tree, an array, a string, a number, None, or a sequence of such values.
    """
    if isinstance(value, LatentTree):
        return {"tree": pack(value.fields, arrays)}
    if isinstance(value, np.ndarray):
        name = str(len(arrays))
        arrays[name] = value
        return {"array": name}
    if isinstance(value, tuple | list):
        return [pack(part, arrays) for part in value]
    return value


def unpack(plain: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """The value that was packed, in which every sequence is a tuple.

    Raises KeyError, TypeError or ValueError if `plain` is not what `pack` gives.
    """
    if isinstance(plain, list):
        return tuple(unpack(part, arrays) for part in plain)
    if not isinstance(plain, dict):
        return plain
    ((kind, content),) = plain.items()
    if kind == "array":
        return arrays[content]
    if kind == "tree":
        fields = TreeFields(*unpack(content, arrays))
        probability = Parameters(*fields.probability)
        return LatentTree(**fields._replace(probability=probability)._asdict())
    raise ValueError(f"{kind!r} is neither an array nor a tree")
