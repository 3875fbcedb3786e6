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
    """A computation over all documents.

    The shards and the order of merging do not depend on the workers, and the part of a shard
    follows from that shard alone. So the result is the same to the last bit for any number of them.
    """

    def zeros(self) -> Part:
        """The empty total, into which parts are merged."""

    def accumulate(self, shard: ShardT_contra) -> Part:
        """The part of one shard; several threads may call this at the same time."""

    def merge(self, total: Part, part: Part) -> Part:
        """The total with the part added. `part` is not used again."""


def run_pass(work: Pass[Shard, Part], shards: Sequence[Shard], n_jobs: int | None) -> Part:
    """Accumulate all shards on `n_jobs` threads, then merge their parts in order."""
    total = work.zeros()
    for part in map_in_order(work.accumulate, shards, n_jobs):
        total = work.merge(total, part)
    return total


class Collecting(Generic[Shard, Item]):
    """The pass that lists what `visit` makes of each shard."""

    def __init__(self, visit: Callable[[Shard], Item]) -> None:
        self._visit = visit

    def zeros(self) -> list[Item]:
        """An empty list."""
        return []

    def accumulate(self, shard: Shard) -> list[Item]:
        """One item."""
        return [self._visit(shard)]

    def merge(self, total: list[Item], part: list[Item]) -> list[Item]:
        """Both lists, in `total`."""
        total.extend(part)
        return total
