"""What an installation takes: packages, megabytes, seconds, and the way to the first page.

    python -m benchmarks.installing [--wheel FILE] [--python PATH ...] [--peers]

The wheel is that of `scripts/build`, in dist/. For each Python, once with the newest versions of all
dependencies and once with the oldest that pyproject.toml allows, which uv finds, it is installed into
a new environment, where `hlta demo` runs twice: the first run compiles the kernels. With --peers,
other libraries are installed into new environments of the first Python. Packages are downloaded
beforehand, so that seconds do not depend on the network. What fails says so in the table.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PEERS = ("scikit-learn", "tomotopy", "corextopic", "gensim", "bertopic")
CHECK = """
from hlta import HLTA
print(HLTA(samples=1).fit(["deep neural networks", "dark matter"] * 30).topics_)
"""


class Installed(NamedTuple):
    """An environment with what was asked for."""

    packages: int
    megabytes: float
    seconds: float


def run(*command: object, **environment: str) -> float:
    """Seconds that a command takes; what it printed is shown if it fails."""
    begin = time.perf_counter()
    subprocess.run(
        [str(part) for part in command],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
    return time.perf_counter() - begin


def install(folder: Path, python: str, *what: str) -> Installed:
    """A new environment of a Python with these requirements, from downloaded packages."""
    wheels = folder.with_name(f"{folder.name}-wheels")
    run(python, "-m", "venv", folder)
    pip = folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check"
    run(*pip, "wheel", "--wheel-dir", wheels, *what)
    seconds = run(*pip, "install", "--no-index", "--find-links", wheels, *sorted(wheels.glob("*")))
    listed = subprocess.run(
        [*map(str, pip), "list", "--format", "freeze"], capture_output=True, text=True, check=True
    )
    packages = [
        line
        for line in listed.stdout.splitlines()
        if line.split("==")[0] not in {"pip", "setuptools"}
    ]
    site = next((folder / "lib").glob("python*")) / "site-packages"
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    of_pip = [*site.glob("pip*"), *site.glob("setuptools*"), *site.glob("pkg_resources*")]
    ours = sum(f.stat().st_size for one in of_pip for f in one.rglob("*") if f.is_file())
    return Installed(len(packages), (size - ours) / 1e6, seconds)


def oldest(python: str) -> list[str]:
    """The oldest versions that are allowed and that this Python has wheels for, as requirements."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    resolve = ("uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", "-")
    how = ("--resolution", "lowest-direct", "--only-binary", ":all:", "--python", python)
    found = subprocess.run(
        [sys.executable, "-m", *resolve, *how],
        input="\n".join(project["dependencies"]),
        check=True,
        capture_output=True,
        text=True,
    )
    return found.stdout.split()


def demo(folder: Path) -> tuple[float, float]:
    """Seconds of the demo, from the first run and from the second one."""
    hlta, cache = folder / "bin" / "hlta", str(folder / "cache")
    times = [
        run(hlta, "demo", "-q", "-o", folder / f"demo{number}", NUMBA_CACHE_DIR=cache)
        for number in (1, 2)
    ]
    return times[0], times[1]


def row(*cells: object) -> None:
    print("|", *(f"{cell:.1f} |" if isinstance(cell, float) else f"{cell} |" for cell in cells))
    sys.stdout.flush()


def measured(folder: Path, python: str, wheel: Path, dependencies: str) -> list[object]:
    """Figures of one environment, or what went wrong."""
    try:
        pinned = oldest(python) if dependencies == "oldest" else []
        installed = install(folder, python, str(wheel), *pinned)
        run(folder / "bin" / "python", "-W", "error", "-c", CHECK)
        first, second = demo(folder)
    except subprocess.CalledProcessError as error:
        reason = (error.stderr or error.stdout).strip().splitlines()[-1][:120]
        return [f"failed: {reason}", *[""] * 4]
    return [*installed, first, second]


def main() -> None:
    parser = argparse.ArgumentParser(description="What an installation takes.")
    parser.add_argument("--wheel", type=Path, default=None)
    parser.add_argument("--python", nargs="+", default=[sys.executable])
    parser.add_argument("--peers", action="store_true")
    arguments = parser.parse_args()
    wheel = arguments.wheel or next((ROOT / "dist").glob("*.whl"), None)
    if wheel is None:
        parser.error("there is no wheel in dist/; run scripts/build, or give --wheel")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        heads = ("packages", "MB", "install, s", "first demo, s", "second demo, s")
        row("Python", "dependencies", *heads)
        row(*["---"] * (2 + len(heads)))
        for k, python in enumerate(arguments.python):
            version = subprocess.check_output([python, "-V"], text=True).split()[1]
            for which in ("newest", "oldest"):
                row(version, which, *measured(folder / f"{which}{k}", python, wheel, which))
        if arguments.peers:
            print()
            row("package", "packages", "MB", "install, s")
            row(*["---"] * 4)
            row("hlta", *install(folder / "hlta", arguments.python[0], str(wheel)))
            for peer in PEERS:
                try:
                    row(peer, *install(folder / peer, arguments.python[0], peer))
                except subprocess.CalledProcessError as error:
                    row(peer, "failed: " + error.stderr.strip().splitlines()[-1][:120], "", "")


if __name__ == "__main__":
    main()
