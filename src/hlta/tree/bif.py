"""Trees in BIF, the Bayesian interchange format, which the program of the paper's authors writes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.messages import warn
from hlta._support.writing import write_text
from hlta.errors import ClippedProbabilityWarning, FormatError, TreeError
from hlta.tree.bif_parser import BACKGROUND, ESCAPES, LEVEL, parse_bif
from hlta.tree.parameters import MAX_PROBABILITY, MIN_PROBABILITY, ROUNDING, Parameters
from hlta.tree.validation import TreeFields, infer_levels

if TYPE_CHECKING:
    from os import PathLike

CLIP: Final = 1e-15
"""Probabilities of 0 and 1 in a file are read as this and its complement."""


def read_bif(path: str | PathLike[str]) -> TreeFields:
    """Read a tree; its leaves are the words, in the order of the file."""
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
    states = [len(distributions[name].rows[0]) for name in names]
    odd = next((word for word, count in zip(words, states, strict=False) if count != 2), None)
    if odd is not None:
        raise FormatError(
            f"{file}: the leaf {odd!r} has {states[number[odd]]} states; leaves are words, which "
            "have 2: absent and present"
        )
    most = max(states)
    parent = np.empty(len(names), dtype=np.int32)
    n_words = len(words)
    word, latent = np.zeros((n_words, most)), np.zeros((len(names) - n_words, most, most))
    clipped = 0
    for node, name in enumerate(names):
        above, rows, *_ = distributions[name]
        parent[node] = -1 if above is None else number[above]
        for j, row in enumerate(rows):
            inside, changed = _inside(row, MAX_PROBABILITY if node < n_words else 1.0)
            clipped += changed
            if node < n_words:
                word[node, j] = inside[1]
            else:
                latent[node - n_words, slice(None) if above is None else j, : len(row)] = inside
    if clipped:
        warn(
            f"{file}: {clipped} probabilities of 0 or 1 were read as {CLIP:g} and 1 - {CLIP:g}; "
            "documents that the file rules out are very unlikely instead",
            ClippedProbabilityWarning,
        )
    try:
        level = infer_levels(parent, n_words, names)
    except TreeError as error:
        raise FormatError(f"{file}: {error}") from error
    for node, name in enumerate(names):
        level[node] = level[node] if (given := distributions[name].level) is None else given
    background = np.array([distributions[name].background for name in names[n_words:]])
    parameters = Parameters(np.array(states[n_words:]), word, latent, background)
    return TreeFields(words, parent, level, parameters, latent_names=names[n_words:])


def _inside(row: list[float], highest: float) -> tuple[list[float], bool]:
    """A distribution, normalised unless it sums to 1, without 0 and 1, and whether it had any.

    The last state may have a probability up to `highest`, which is 1.0 for latent variables: a
    probability slightly below 1 may be rounded to it.
    """
    total = sum(row)
    inside = row
    if len(row) > 2 and (abs(total - 1.0) > ROUNDING or max(row) > 1.0):
        inside = [p / total for p in row]
    elif len(row) == 2 and total != 1.0:
        inside = [1.0 - row[1] / total, row[1] / total]
    if min(inside) >= MIN_PROBABILITY and inside[-1] <= highest:
        return inside, False
    small = [CLIP if p < 1.0 - MAX_PROBABILITY else p for p in inside]
    largest = max(range(len(small)), key=small.__getitem__)
    small[largest] = 1.0 - sum(small[:largest] + small[largest + 1 :])
    return small, True


def write_bif(tree: TreeFields, path: str | PathLike[str]) -> None:
    """Write the tree, words first; levels are written, as a property, if the shape does not give them."""
    names = [
        '"' + "".join(ESCAPES.get(c, c) for c in name) + '"'
        for name in (*tree.words, *tree.latent_names)
    ]
    followed = infer_levels(tree.parent, len(tree.words))
    tells_levels = not np.array_equal(followed, tree.level)
    n_words, (states, word, latent, background) = len(tree.words), tree.probability
    counts = [2] * n_words + states.tolist()
    first = [1] * n_words + background.tolist()  # the first state in which it is on
    blocks = ['network "hlta" {\n}\n']
    for name, count, on, level in zip(names, counts, first, tree.level.tolist(), strict=True):
        shown = " ".join(f'"s{k}"' for k in range(count))
        more = f"\tproperty {BACKGROUND} {on} ;\n" if on > 1 else ""
        more += f"\tproperty {LEVEL} {level} ;\n" if tells_levels and level else ""
        blocks.append(f"variable {name} {{\n\ttype discrete[{count}] {{ {shown} }};\n{more}}}\n")
    for node, (name, above) in enumerate(zip(names, tree.parent.tolist(), strict=True)):
        rows = (
            np.stack((1.0 - word[node], word[node])).T if node < n_words else latent[node - n_words]
        )
        of_parent = 1 if above < 0 else counts[above]
        # The child's state is the slow index: P(0|0) P(0|1) P(1|0) P(1|1).
        table = " ".join(map(repr, rows[:of_parent, : counts[node]].T.ravel().tolist()))
        given = "" if above < 0 else f" | {names[above]}"
        blocks.append(f"probability ( {name}{given} ) {{\n\ttable {table};\n}}\n")
    write_text(path, "\n".join(blocks))
