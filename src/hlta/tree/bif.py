"""Models of the authors' program: binary trees in BIF, the Bayesian interchange format."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.files import replacing
from hlta.errors import ClippedProbabilityWarning, FormatError, TreeError
from hlta.tree.bif_parser import ESCAPES, parse_bif
from hlta.tree.validation import MAX_PROBABILITY, MIN_PROBABILITY, TreeFields, infer_levels

if TYPE_CHECKING:
    from os import PathLike

CLIP: Final = 1e-15
"""Probabilities of 0 and 1 in a file are read as this and its complement."""


def read_bif(path: str | PathLike[str]) -> TreeFields:
    """Read a tree of binary variables; its leaves are the words, in the order of the file."""
    file = os.fspath(path)
    try:
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
    except UnicodeDecodeError as error:
        raise FormatError(f"{file} is not a BIF file in UTF-8: {error}") from error
    distributions = parse_bif(text, file)
    parents = {distribution.parent for distribution in distributions.values()}
    words = tuple(name for name in distributions if name not in parents)
    names = (*words, *(name for name in distributions if name in parents))
    number = {name: node for node, name in enumerate(names)}
    parent = np.empty(len(names), dtype=np.int32)
    probability = np.empty((len(names), 2))
    for node, name in enumerate(names):
        above, rows = distributions[name]
        parent[node] = -1 if above is None else number[above]
        probability[node] = [_probability_of_one(row) for row in rows] * (2 // len(rows))
    impossible, certain = probability < MIN_PROBABILITY, probability > MAX_PROBABILITY
    clipped = np.count_nonzero(impossible | certain)
    if clipped:
        warnings.warn(
            f"{file}: {clipped} probabilities of 0 or 1 were read as {CLIP:g} and 1 - {CLIP:g}; "
            "documents that the file rules out are very unlikely instead",
            ClippedProbabilityWarning,
            stacklevel=3,  # the line that calls LatentTree.from_bif
        )
        probability[impossible], probability[certain] = CLIP, 1.0 - CLIP
    try:
        level = infer_levels(parent, len(words), names)
    except TreeError as error:
        raise FormatError(f"{file}: {error}") from error
    return TreeFields(words, parent, level, probability, latent_names=names[len(words) :])


def _probability_of_one(row: list[float]) -> float:
    """P(1), from a row that may be rounded; rows that sum to 1 are read unchanged."""
    zero, one = row
    return one if zero + one == 1.0 else one / (zero + one)


def write_bif(tree: TreeFields, path: str | PathLike[str]) -> None:
    """Write the tree, words first. The format has no levels; they follow from the shape."""
    names = [
        '"' + "".join(ESCAPES.get(c, c) for c in name) + '"'
        for name in (*tree.words, *tree.latent_names)
    ]
    blocks = ['network "hlta" {\n}\n']
    blocks += [f'variable {name} {{\n\ttype discrete[2] {{ "s0" "s1" }};\n}}\n' for name in names]
    for node, (name, above) in enumerate(zip(names, tree.parent.tolist(), strict=True)):
        one = tree.probability[node].tolist()[: 1 if above < 0 else 2]
        table = " ".join(repr(p) for p in [*(1.0 - p for p in one), *one])
        given = "" if above < 0 else f" | {names[above]}"
        blocks.append(f"probability ( {name}{given} ) {{\n\ttable {table};\n}}\n")
    with replacing(path) as file:
        file.write("\n".join(blocks).encode("utf-8"))
