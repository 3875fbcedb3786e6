"""The rules of learning that `benchmarks.ablation` switches off or changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hlta.learning.em import batch_em

if TYPE_CHECKING:
    from hlta import LatentTree
    from hlta.documents.matrix import Documents

_NONE: Final = 1e-9


@dataclass(frozen=True)
class Rule:
    """A change of learning: objects that are replaced while a model is learned, and options.

    changes         the replacements, by the target that `unittest.mock.patch` takes
    options         of `HLTA`
    text            options with which texts are read
    concerns_votes  whether the rule changes the votes of samples
    """

    changes: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    text: dict[str, Any] = field(default_factory=dict)
    concerns_votes: bool = False


def _unmoved(tree: LatentTree, documents: Documents) -> LatentTree:
    return batch_em(tree, documents, steps=6).tree


_A = "hlta.learning"
_EM = f"{_A}.recipe.batch_em"

RULES: dict[str, Rule] = {
    "as they are": Rule(),
    # votes
    "the paper's search": Rule(options={"refine": False}, concerns_votes=True),
    "one vote": Rule(options={"samples": 1}, concerns_votes=True),
    "12 votes": Rule(options={"samples": 12}, concerns_votes=True),
    "50 votes": Rule(options={"samples": 50}, concerns_votes=True),
    "votes without free moves": Rule(
        {f"{_A}.structure.make_free_moves": _unmoved}, concerns_votes=True
    ),
    "large islands in all votes": Rule({f"{_A}.structure._LITTLE_TEXT": 0}, concerns_votes=True),
    # consensus
    "islands weigh less in votes": Rule({f"{_A}.votes._ISLAND_SHARE": 0.25}),
    "words' vectors do not count": Rule({f"{_A}.consensus._EMBEDDING_SHARE": _NONE}),
    "words' vectors count twice": Rule({f"{_A}.consensus._EMBEDDING_SHARE": 0.5}),
    "10 dimensions of words' vectors": Rule({f"{_A}.embedding._DIMENSIONS": 10}),
    "no firm units in root topics": Rule({f"{_A}.consensus._FIRM": 1.0}),
    "root topics do not count in islands": Rule({f"{_A}.consensus._ROOT_WEIGHT": _NONE}),
    "root topics count more in islands": Rule({f"{_A}.consensus._ROOT_WEIGHT": 0.5}),
    "fewer root topics": Rule({f"{_A}.consensus._ROOTS_PER_POWER_OF_TEN": 3}),
    "more root topics": Rule({f"{_A}.consensus._ROOTS_PER_POWER_OF_TEN": 6}),
    "islands of two words": Rule({f"{_A}.consensus._ISLAND_SIZE": 2.0}),
    "islands of four words": Rule({f"{_A}.consensus._ISLAND_SIZE": 4.0}),
    "narrower level 2": Rule(
        {f"{_A}.consensus._EVENNESS": 0.4, f"{_A}.consensus._MOST_ISLANDS": 20.0}
    ),
    "wider level 2": Rule({f"{_A}.consensus._EVENNESS": 1.0}),
    # parameters
    "no first steps": Rule({f"{_A}.given_structure._STEPS": 0}),
    "20 first steps": Rule({f"{_A}.given_structure._STEPS": 20}),
    "two states per island": Rule(options={"states": 2}),
    "eight states per island": Rule({f"{_A}.states._ISLAND_STATES": 8}),
    "words shrink less": Rule({_EM: partial(batch_em, shrinkage=1.0)}),
    "words shrink more": Rule({_EM: partial(batch_em, shrinkage=6.0)}),
    "rows shrink as well": Rule({_EM: partial(batch_em, state_shrinkage=2.0)}),
    # words
    "filler words stay": Rule(text={"keep_style": True}, concerns_votes=True),
}
