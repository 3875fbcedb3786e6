"""What a pass of batch EM costs on a cluster: measured here, predicted for 10, 100 and 1,000 workers.

    python -m benchmarks.cluster_cost [--documents 200000] [--rounds 3]

The prices are measured on this machine, with the model of arXiv abstracts (10,000 words): of a million
presences, of a step in your own process, of a task, of the statistics of a shard, and of a message.
What they predict is compared with passes on 1, 2 and 4 workers of this machine, without and with a
delay of each message, then printed for larger corpora and clusters.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import pickle
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks import prepared
from benchmarks.cluster import ABSTRACTS, stored
from hlta import HLTA, Corpus, read_corpus
from hlta._support.passes import Merging
from hlta._support.threads import resolve_jobs
from hlta.cluster import TASKS_PER_THREAD, Cluster
from hlta.documents.matrix import PRESENCES_AT_ONCE
from hlta.learning.em import PSEUDO_COUNT, SHRINKAGE, maximise, prior_counts
from hlta.tree.counts import Workspace, _ActiveCounts, e_step
from hlta.tree.inference import Inference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hlta import Documents, LatentTree

N_WORDS: Final = 10_000
PER_DOCUMENT: Final = 50  # words, in the predictions
MILLION: Final = 1e6
DELAY: Final = 0.01  # seconds that each message is late
NETWORK: Final = 1.25e9  # bytes per second between machines: 10 Gbit/s
MANY: Final = 400  # tasks whose time is measured
DELAYED: Final = "from benchmarks.cluster_cost import delay_messages\ndelay_messages()"


@dataclass(frozen=True)
class Prices:
    """What things cost, in seconds and bytes."""

    million: float  # to accumulate a million presences, by one thread
    step: float  # in your own process: the M-step, and what all shards share
    model: float  # bytes that are sent to each worker
    shard: float  # bytes of the statistics of a shard
    round_trip: float  # of a pass with nothing in it
    messages: float  # that follow each other in it
    task: float  # for the scheduler, and for you
    byte: float  # of statistics, to receive it from a worker
    merge: float  # of the statistics of a shard


class Size(NamedTuple):
    """A corpus."""

    presences: float
    shards: int


class Predicted(NamedTuple):
    """The seconds of a pass."""

    total: float
    computing: float  # on the workers
    receiving: float  # in your own process: tasks, statistics
    fixed: float  # the M-step, messages, the model on its way

    @property
    def bound(self) -> str:
        """What takes longest."""
        longest = max(self.computing, self.receiving, self.fixed)
        names = {
            self.computing: "workers",
            self.receiving: "statistics",
            self.fixed: "your process",
        }
        return names[longest]


def size_of(documents: float) -> Size:
    """A corpus of so many documents, cut as `Documents.shards` does."""
    work = documents * (PER_DOCUMENT + 1)
    most = max(32, int(work) // PRESENCES_AT_ONCE)
    return Size(documents * PER_DOCUMENT, 1 << (most.bit_length() - 1))


def predicted(
    prices: Prices, size: Size, workers: int, *, processors: int | None = None, delay: float = 0.0
) -> Predicted:
    """A pass on so many workers of one thread each, which share processors if there are fewer."""
    per_task = -(-size.shards // (TASKS_PER_THREAD * workers))
    tasks = -(-size.shards // per_task)
    turns = -(-tasks // workers)
    slower = max(1.0, workers / (processors or workers))
    computing = turns * per_task / size.shards * size.presences / MILLION * prices.million * slower
    receiving = tasks * prices.task + size.shards * (prices.shard * prices.byte + prices.merge)
    hops = math.ceil(math.log2(workers + 1))
    fixed = prices.step + prices.round_trip + prices.messages * delay
    fixed += 0.0 if processors else hops * prices.model / NETWORK
    # Statistics come while others are still computed, but for those of the last turn.
    total = fixed + max(computing, receiving) + min(computing, receiving) / turns
    return Predicted(total, computing, receiving, fixed)


# ---- prices --------------------------------------------------------------------------------------


class Stub(NamedTuple):
    """A shard without documents."""

    bytes: int
    is_stored: bool = True


class Returning:
    """A pass that returns bytes, and nothing else."""

    def zeros(self) -> bytes:
        return b""

    def accumulate(self, shard: Stub) -> bytes:
        return bytes(shard.bytes)

    def merge(self, total: bytes, part: bytes) -> bytes:  # noqa: ARG002
        return total


def shortest(run: Callable[[], object], rounds: int) -> float:
    """The shortest of some runs, after one that does not count."""
    run()
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)


def delay_messages() -> None:
    """Let each message of this process be late."""
    from distributed.comm.tcp import TCP

    write = TCP.write
    if write.__name__ == "late":  # Dask runs this more than once
        return

    async def late(self: Any, *given: Any, **named: Any) -> Any:
        await asyncio.sleep(DELAY)
        return await write(self, *given, **named)  # type: ignore[no-untyped-call]

    TCP.write = late  # type: ignore[method-assign]


@contextmanager
def clients(workers: int, threads: int = 1, *, delayed: bool = False) -> Iterator[Any]:
    """A client of so many workers, whose messages are late if wished."""
    import dask
    from distributed import Client, LocalCluster
    from distributed.comm.tcp import TCP

    write = TCP.write
    preload = [DELAYED] if delayed else []
    if delayed:
        delay_messages()  # of your process, and of the scheduler in it
    try:
        with (
            dask.config.set({"distributed.worker.preload": preload}),
            LocalCluster(
                n_workers=workers, threads_per_worker=threads, dashboard_address=":0"
            ) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client
    finally:
        TCP.write = write  # type: ignore[method-assign]


def empty_pass(client: Any, shards: int, size: int, rounds: int) -> float:
    """Seconds of a pass whose shards return so many bytes each."""
    place, stubs = Cluster(client), [Stub(size)] * shards
    return shortest(lambda: place.run(Returning(), stubs), rounds)


def measured(tree: LatentTree, documents: Documents, rounds: int) -> Prices:
    """The prices on this machine."""
    inference, workspace = tree.inference(), Workspace()
    work = _ActiveCounts(inference, workspace)
    shards = documents.shards(1)
    prior = prior_counts(tree.parameters.states, documents, PSEUDO_COUNT, SHRINKAGE)
    counts = e_step(inference, documents, n_jobs=1)
    part = work.accumulate(shards[0])

    def step() -> bytes:
        found = maximise(counts.word, counts.latent, tree.parameters, prior)
        under = Inference.under(tree.numbering, found)
        return pickle.dumps(_ActiveCounts(under, workspace), pickle.HIGHEST_PROTOCOL)

    def accumulate() -> None:
        for shard in shards:
            workspace.give_back(sums=work.accumulate(shard))

    def merge() -> None:
        merging = Merging(work)
        for number in range(100):
            merging.add(number, part._replace())

    with clients(2, MANY // 4) as client:
        trip = empty_pass(client, 2, 0, 10 * rounds)
        task = (empty_pass(client, MANY, 0, rounds) - trip) / (MANY - 2)
        large = empty_pass(client, 64, 1 << 20, rounds) - empty_pass(client, 64, 0, rounds)
    with clients(2, delayed=True) as client:
        late = empty_pass(client, 2, 0, rounds)
    return Prices(
        million=shortest(accumulate, rounds) / documents.n_presences * MILLION,
        step=shortest(step, rounds),
        model=len(step()),
        shard=len(pickle.dumps(part, pickle.HIGHEST_PROTOCOL)),
        round_trip=trip,
        messages=(late - trip) / DELAY,
        task=task,
        byte=max(0.0, large) / (64 << 20),
        merge=shortest(merge, rounds) / 100,
    )


# ---- tables --------------------------------------------------------------------------------------


def told(prices: Prices) -> str:
    """The prices, for people."""
    return "\n".join(
        (
            "| price | |\n|---|---|",
            f"| a million presences, one thread | {prices.million * 1000:.0f} ms |",
            f"| M-step, model for the next pass | {prices.step * 1000:.1f} ms |",
            f"| the model | {prices.model / 1000:,.0f} kB to each worker |",
            f"| statistics | {prices.shard / 1000:,.0f} kB per shard |",
            f"| a pass with nothing in it | {prices.round_trip * 1000:.0f} ms, of "
            f"{prices.messages:.0f} messages one after the other |",
            f"| a task | {prices.task * 1000:.2f} ms |",
            f"| to receive statistics | {prices.byte * 1e9:.1f} ms per MB |",
            f"| to merge them | {prices.merge * 1000:.2f} ms per shard |",
        )
    )


def check(prices: Prices, tree: LatentTree, documents: Documents, rounds: int) -> None:
    """Print passes on workers of this machine beside what is predicted."""
    from hlta._support.passes import passes_at

    size = Size(documents.n_presences, len(documents.shards(1)))
    inference, processors = tree.inference(), resolve_jobs(None)
    print("\n| workers | delay of a message | measured | predicted |\n|---|---|---|---|")
    for delayed in (False, True):
        for workers in (1, 2, 4):
            with clients(workers, delayed=delayed) as client, passes_at(Cluster(client)):
                seconds = shortest(lambda: e_step(inference, documents), rounds)
            delay = DELAY if delayed else 0.0
            expected = predicted(prices, size, workers, processors=processors, delay=delay)
            print(
                f"| {workers} | {delay * 1000:.0f} ms | {seconds:.2f} s | {expected.total:.2f} s |",
                flush=True,
            )


def predictions(prices: Prices) -> None:
    """Print passes on larger clusters."""
    print("\n| documents | shards | workers | seconds | times as fast as one | most time in |")
    print("|---|---|---|---|---|---|")
    for documents in (8e6, 1e8, 1e9):
        size = size_of(documents)
        one = predicted(prices, size, 1).total
        for workers in (1, 10, 100, 1000):
            found = predicted(prices, size, workers, delay=0.0005)
            print(
                f"| {documents / MILLION:,.0f} million | {size.shards:,} | {workers:,} | "
                f"{found.total:,.1f} | {one / found.total:,.0f} | {found.bound} |"
            )


def main() -> None:
    """Print the prices, the check and the predictions."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    prepared.require()
    texts = read_corpus(ABSTRACTS, n_words=N_WORDS, min_df=5, snippet=0)
    tree = HLTA(samples=1).fit(texts).tree_
    with tempfile.TemporaryDirectory() as folder:
        drawn = Corpus(tree.sample(chosen.documents, seed=0), tree.words)
        documents = stored(drawn, Path(folder, "corpus"))
        prices = measured(tree, documents, chosen.rounds)
        print(told(prices), flush=True)
        check(prices, tree, documents, chosen.rounds)
    predictions(prices)


if __name__ == "__main__":
    main()
