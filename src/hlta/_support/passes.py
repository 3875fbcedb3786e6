"""A pass over documents: zeros, accumulate each shard, merge in the order of the shards.

Passes run on threads of this process, or at a place that `passes_at` names. The result has the same bits
wherever they run.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from hlta._support.threads import map_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Shard = TypeVar("Shard")
ShardT_contra = TypeVar("ShardT_contra", contravariant=True)
Part = TypeVar("Part")
Item = TypeVar("Item")


class Pass(Protocol[ShardT_contra, Part]):
    """A computation over all documents.

    The shards and the order of merging do not depend on the workers, and the part of a shard
    depends on that shard alone. So the result is the same to the last bit for any number of workers.
    """

    def zeros(self) -> Part:
        """The empty total, into which parts are merged."""

    def accumulate(self, shard: ShardT_contra) -> Part:
        """The part of one shard; several threads may call this at the same time."""

    def merge(self, total: Part, part: Part) -> Part:
        """The total with the part added. `part` is not used again."""


class Place(Protocol):
    """Where passes run, if not in this process."""

    def reaches(self, shards: Sequence[Any]) -> bool:
        """Whether these shards can be accumulated there."""

    def run(self, work: Pass[Shard, Part], shards: Sequence[Shard], *, apart: bool = False) -> Part:
        """The result of a pass; for `apart`, see `run_pass`."""


_place: Final = ContextVar[Place | None]("hlta_place", default=None)


@contextmanager
def passes_at(place: Place | None) -> Iterator[None]:
    """Let the passes in the block run at a place, if it reaches their shards; None for this process."""
    token = _place.set(place)
    try:
        yield
    finally:
        _place.reset(token)


def passes_leave_this_process() -> bool:
    """Whether `passes_at` names a place."""
    return _place.get() is not None


def run_pass(work: Pass[Shard, Part], shards: Sequence[Shard], *, apart: bool = False) -> Part:
    """Accumulate all shards, on the threads of `on_threads` or at a place, and merge the parts in order.

    `apart` says that parts are as large as their shards: a place then accumulates only few shards
    before it merges their parts.
    """
    place = _place.get()
    if place is not None and place.reaches(shards):
        return place.run(work, shards, apart=apart)
    merging = Merging(work)

    def visit(number: int) -> None:
        merging.add(number, work.accumulate(shards[number]))

    map_in_order(visit, range(len(shards)))
    return merging.total


class Merging(Generic[Shard, Part]):
    """The total of a pass: parts arrive in any order, and are merged in the order of the shards.

    `next` is the number of the first shard whose part has not arrived.
    """

    def __init__(self, work: Pass[Shard, Part]) -> None:
        self.total = work.zeros()
        self._work = work
        self._waiting: dict[int, Part] = {}
        self.next = 0
        self._lock = Lock()

    def add(self, number: int, part: Part) -> None:
        """Take the part of a shard; it is merged as soon as all parts before it are."""
        with self._lock:
            self._waiting[number] = part
            while self.next in self._waiting:
                self.total = self._work.merge(self.total, self._waiting.pop(self.next))
                self.next += 1


class Collecting(Generic[Shard, Item]):
    """The pass that lists the results of `visit`, one for each shard."""

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
