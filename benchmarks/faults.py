"""Are the bits the same when workers are killed?

    python -m benchmarks.faults [--kills 50] [--seed 0]

20 Newsgroups with 5,000 words is learned on threads, then on workers of this machine, of which one
after the other gets SIGKILL at a random moment, or stops for some seconds. Fits go on, one after the
other, by batch EM and by stepwise EM, until so many workers were killed.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

from benchmarks import prepared
from hlta import HLTA, Corpus, cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

WORKERS: Final = 3
PATIENCE: Final = 600.0  # seconds to wait for a worker, on a busy machine
CORPUS: Final = "news-5k"
EVERY: Final = (0.2, 1.0)  # seconds between two faults
PAUSE: Final = 2.0  # seconds that a worker stops
PAUSES: Final = 0.2  # share of the faults
FITS: Final[dict[str, dict[str, Any]]] = {
    "batch EM": {"em": "batch", "em_steps": 100, "refine": False},
    "refined, stepwise EM": {"em": "stepwise", "em_updates": 50, "structure_sample": 2_000},
}


class Faults:
    """Workers that are killed or stopped at random moments."""

    def __init__(self, kills: int, rng: random.Random) -> None:
        self._left, self._rng = kills, rng
        self.kills = self.pauses = 0

    @contextmanager
    def among(self, workers: Any) -> Iterator[None]:
        """Let faults happen."""
        stop = Event()
        thread = Thread(target=self._go_on, args=(workers, stop))
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    @staticmethod
    def _working(workers: Any) -> list[int]:
        """The processes of workers that have begun; Dask does not replace those killed before."""
        nannies = workers.workers.values()
        begun = [nanny.process for nanny in nannies if nanny.status.name == "running"]
        return [one.pid for one in begun if one is not None and one.status.name == "running"]

    def _go_on(self, workers: Any, stop: Event) -> None:
        while self.kills < self._left and not stop.wait(self._rng.uniform(*EVERY)):
            if len(working := self._working(workers)) < 2:  # a worker takes seconds to begin
                continue
            pid = self._rng.choice(working)
            with suppress(ProcessLookupError):  # it has just ended
                if self._rng.random() < PAUSES:
                    os.kill(pid, signal.SIGSTOP)
                    time.sleep(PAUSE)
                    os.kill(pid, signal.SIGCONT)
                    self.pauses += 1
                else:
                    os.kill(pid, signal.SIGKILL)
                    self.kills += 1


def bits(model: HLTA) -> tuple[bytes, ...]:
    """All that was learned."""
    tree, parameters = model.tree_, model.tree_.parameters
    arrays = tree.parent, parameters.word, parameters.latent
    return tuple(array.tobytes() for array in arrays)


def main() -> None:
    """Print how many workers were killed, and whether the models are the same."""
    from distributed import Client, LocalCluster

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    prepared.require()
    cluster.PATIENCE = PATIENCE  # type: ignore[misc]
    matrices = prepared.read(CORPUS)
    with tempfile.TemporaryDirectory() as folder:
        Corpus(matrices.train, matrices.words).save(Path(folder, "corpus"))
        corpus = Corpus.load(Path(folder, "corpus"))
        expected = {
            name: bits(HLTA(samples=1, **options).fit(corpus)) for name, options in FITS.items()
        }
        faults, fits, same = Faults(chosen.kills, random.Random(chosen.seed)), 0, 0
        while faults.kills < chosen.kills:
            for name, options in FITS.items():
                before, began = faults.kills, time.perf_counter()
                with (
                    LocalCluster(
                        n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0"
                    ) as workers,
                    Client(workers, set_as_default=False) as client,
                    faults.among(workers),
                ):
                    model = HLTA(samples=1, client=client, **options).fit(corpus)
                fits, same = fits + 1, same + (bits(model) == expected[name])
                print(
                    f"{name}: {faults.kills - before} kills in "
                    f"{time.perf_counter() - began:.0f} s, "
                    f"{'the same bits' if bits(model) == expected[name] else 'OTHER BITS'}",
                    flush=True,
                )
    print(
        f"{faults.kills} workers killed and {faults.pauses} stopped for {PAUSE:.0f} s during {fits} "
        f"fits; {same} of them have the same bits as with threads"
    )


if __name__ == "__main__":
    main()
