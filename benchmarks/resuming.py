"""Does a fit that is killed again and again end with the same model, and what does that cost?

    python -m benchmarks.resuming [--path PATH] [--kills 100] [--pace 0] [--rounds 3] [OPTION ...]

First, `hlta fit OPTION ...` learns from PATH, by default the demo's, without interruption. Then it is
killed (SIGKILL) after a random time and resumed, until it ends; then anew, up to so many kills. Each
fit that ends must leave the same model file, bit for bit, and nothing besides its results. With
`--pace`, it writes its checkpoint that often (in seconds), 0 for after every step. Last, fits with and
without a checkpoint run in turn.

Fits of about a minute, with the prepared corpora:

    python -m benchmarks.resuming --path ../shared/data/arxiv-50k.tsv.xz --text abstract --rounds 0
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

import hlta
from benchmarks.timing import in_turn
from hlta import HLTA, read_corpus
from hlta.learning import checkpoint_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

DEMO: Final = Path(hlta.__file__).parent / "data" / "arxiv.tsv.xz"
COMMAND: Final = """
from hlta.learning import checkpoint_folder
checkpoint_folder.PACE, checkpoint_folder.RARITY = {pace}, {rarity}
from hlta.cli import main
main()
"""


def command(path: Path, output: Path, options: Sequence[str], pace: float) -> list[str]:
    """A command that fits; if `pace` is short, its own cost no longer delays a write, either."""
    rarity = checkpoint_folder.RARITY if pace >= checkpoint_folder.PACE else 0.0
    code = COMMAND.format(pace=pace, rarity=rarity)
    return [sys.executable, "-c", code, "fit", str(path), "-o", str(output), "-q", *options]


def digest(output: Path) -> str:
    """The model, as a number."""
    return hashlib.sha256((output / "model.hlta").read_bytes()).hexdigest()


def killed_until_done(
    fit: list[str], output: Path, longest: float, rng: np.random.Generator, most: int
) -> int:
    """Kill a fit after random times until it is too quick, or was killed so often; count the kills."""
    for kills in range(most):
        process = subprocess.Popen([*fit, "--resume"])
        try:
            process.wait(timeout=rng.uniform(0.0, longest))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            if output.exists():  # killed when all was done
                return kills + 1
            continue
        if process.returncode:
            raise SystemExit(f"hlta fit failed with exit code {process.returncode}")
        return kills
    subprocess.run([*fit, "--resume"], check=True)
    return most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--path", type=Path, default=DEMO)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--pace", type=float, default=checkpoint_folder.PACE)
    parser.add_argument("--rounds", type=int, default=3)
    chosen, options = parser.parse_known_args()
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.perf_counter()
        whole = command(chosen.path, folder / "whole", options, chosen.pace)
        subprocess.run(whole, check=True)
        longest = time.perf_counter() - began
        expected = digest(folder / "whole")
        print(f"uninterrupted: {longest:.1f} s, sha256 {expected}", flush=True)
        kills = fits = 0
        while kills < chosen.kills:
            output = folder / f"fit {fits}"
            fit = command(chosen.path, output, options, chosen.pace)
            killed = killed_until_done(fit, output, longest, rng, chosen.kills - kills)
            kills, fits = kills + killed, fits + 1
            same = digest(output) == expected
            left = sorted(
                one.name for one in folder.iterdir() if one.name.startswith(f"{output.name}.")
            )
            print(
                f"fit {fits}: {killed} kills, same model: {same}, left behind: {left}", flush=True
            )
            if not same:
                raise SystemExit(1)
        hidden = [one.name for one in folder.iterdir() if one.name.startswith(".")]
        print(f"{kills} kills in {fits} fits; all models the same; hidden files: {hidden}")
        if chosen.rounds:
            print_cost(chosen.path, folder, chosen.rounds)


def print_cost(path: Path, folder: Path, rounds: int) -> None:
    corpus = read_corpus(path)

    def fit(place: Path | None) -> None:
        HLTA(checkpoint=place).fit(corpus)
        if place is not None:
            checkpoint_folder.discard(place)

    timing = in_turn(lambda: fit(folder / "cost"), lambda: fit(None), rounds)
    print(
        f"with a checkpoint {timing.first:.2f} s, without {timing.second:.2f} s: "
        f"median ratio {timing.ratio:.3f}, best {timing.best:.3f}"
    )


if __name__ == "__main__":
    main()
