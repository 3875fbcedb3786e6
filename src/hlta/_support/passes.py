"""A pass over documents: zeros, accumulate each shard, merge in the order of the shards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from hlta._support.threads import map_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Shard = TypeVar("Shard")
ShardT_contra = TypeVar("ShardT_contra", contravariant=True)
Part = TypeVar("Part")
Item = TypeVar("Item")


class Pass(Protocol[ShardT_contra, Part]):
    """What one visit of all documents computes.

    The shards and the order of merging follow from the documents alone, and the part of a shard from
    that shard alone. So the result is the same to the last bit wherever and on however many workers
    `accumulate` runs.
    """

    def zeros(self) -> Part:
        """What the parts are merged into."""

    def accumulate(self, shard: ShardT_contra) -> Part:
        """The part of one shard; several threads may call this at once."""

    def merge(self, total: Part, part: Part) -> Part:
        """The total with the part added. `part` is not used again."""


def run_pass(work: Pass[Shard, Part], shards: Sequence[Shard], n_jobs: int | None) -> Part:
    """Visit all shards on `n_jobs` threads and merge their parts in order."""
    total = work.zeros()
    for part in map_in_order(work.accumulate, shards, n_jobs):
        total = work.merge(total, part)
    return total


class Collecting(Generic[Shard, Item]):
    """The pass that lists what `visit` makes of each shard."""

    def __init__(self, visit: Callable[[Shard], Item]) -> None:
        self._visit = visit

    def zeros(self) -> list[Item]:
        """No item."""
        return []

    def accumulate(self, shard: Shard) -> list[Item]:
        """One item."""
        return [self._visit(shard)]

    def merge(self, total: list[Item], part: list[Item]) -> list[Item]:
        """The items of both."""
        total.extend(part)
        return total
