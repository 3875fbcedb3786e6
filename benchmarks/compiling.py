"""What the first run waits for: compilation with an empty cache, and start-up from a full one.

    python -m benchmarks.compiling [--source PATH] [--rounds N] [--no-demo]

Each round starts fresh processes with a new, empty Numba cache. The first one imports every module
that has Numba functions and takes the time of each; the others run `hlta demo` twice, cold with an
empty cache and warm with the cache that the cold run has filled. The tables show medians:

- kernels: how many functions in the module Numba compiles. Those with a signature are compiled by
  the import, those without one by their first call, which only the demo shows.
- CPU, wall: seconds of the import, without the listed modules that it imports in turn.
- references: the same CPU seconds in units of a reference, one small kernel that is compiled in
  the same process. Compare versions by this column: it depends little on the machine.

The demo is also shown by its parts, as its progress tells them: compiling, reading, learning from
samples, their consensus, EM, titles, and writing, which includes the map and the page. What is left
are the start of the process and imports.

To measure another version, check it out elsewhere and give its `src` as `--source`. The modules are
found by their decorators rather than by name: those of Numba, and functions of the package that use
them.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.timing import Spent, run_with_progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parents[1]
_STAGE = re.compile(r"([^:]+?)(?: \([\d,]+\))? (\d+\.\d\d) s")  # an outer one
_REST = "start and imports"
NUMBAS_OWN = frozenset({"njit", "jit", "vectorize", "guvectorize", "generated_jit"})


class Demo(NamedTuple):
    """The demo with an empty cache, and with a full one; wall seconds by part, too."""

    cold: Spent
    warm: Spent
    cold_parts: dict[str, float]
    warm_parts: dict[str, float]


class Imports(NamedTuple):
    """What a process with an empty cache spent.

    Attributes
    ----------
    numba
        Importing Numba.
    reference
        Compiling the reference kernel once.
    modules
        Importing each module, without the others of the list.
    total
        Importing all of them, and whatever else they import.
    """

    numba: Spent
    reference: Spent
    modules: dict[str, Spent]
    total: Spent


def modules_with_kernels(source: Path) -> dict[str, int]:
    """The modules below `source` that have Numba functions, and how many each has."""
    trees = {
        file: ast.parse(file.read_text(encoding="utf-8"))
        for file in sorted(source.glob("hlta/**/*.py"))
    }
    wrappers = NUMBAS_OWN.union(*map(_wrappers, trees.values()))
    counts = {}
    for file, tree in trees.items():
        decorators = (d for function in _functions(tree) for d in function.decorator_list)
        names = (_name(d.func if isinstance(d, ast.Call) else d) for d in decorators)
        if count := sum(name in wrappers for name in names):
            parts = file.relative_to(source).with_suffix("").parts
            counts[".".join(parts).removesuffix(".__init__")] = count
    return counts


def _wrappers(tree: ast.AST) -> set[str]:
    """The functions of a module that use a decorator of Numba, directly or through each other."""
    found: set[str] = set()
    while True:
        known = NUMBAS_OWN | found
        using = {f.name for f in _functions(tree) if not known.isdisjoint(_names_in(f))}
        if using == found:
            return found
        found = using


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _names_in(function: ast.FunctionDef) -> Iterator[str]:
    """The names in the body of a function, its decorators aside."""
    nodes = (node for statement in function.body for node in ast.walk(statement))
    return (name for node in nodes if isinstance(node, ast.expr) and (name := _name(node)))


def _name(expression: ast.expr) -> str | None:
    """The last part of a dotted name; None if the expression is not one."""
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else None


def python(source: Path, cache: Path, *arguments: str) -> tuple[Spent, str, str]:
    """Run Python with the package in `source` and a Numba cache: see `run_with_progress`."""
    paths = {"PYTHONPATH": os.pathsep.join((str(source), str(ROOT))), "NUMBA_CACHE_DIR": str(cache)}
    # Somewhere else, or the package in the current folder might come first.
    return run_with_progress([sys.executable, *arguments], paths, cwd=cache)


def import_all(source: Path, cache: Path, modules: Iterable[str]) -> Imports:
    """Import the modules in a fresh process."""
    _, answer, _ = python(source, cache, "-m", "benchmarks.cold_import", *modules)
    found: dict[str, Any] = json.loads(answer.splitlines()[-1])
    if not Path(found["file"]).is_relative_to(source):
        sys.exit(f"{found['file']} was imported instead of the package in {source}")
    return Imports(
        Spent(*found["numba"]),
        Spent(*found["reference"]),
        {name: Spent(*spent) for name, spent in found["modules"].items()},
        Spent(*found["all"]),
    )


def run_demo(source: Path, cache: Path) -> Demo:
    """Run the demo twice with the same cache."""

    def run(name: str) -> tuple[Spent, dict[str, float]]:
        took, _, progress = python(source, cache, "-m", "hlta", "demo", "-o", str(cache / name))
        return took, _parts(progress, took.wall)

    (cold, cold_parts), (warm, warm_parts) = run("cold"), run("warm")
    return Demo(cold, warm, cold_parts, warm_parts)


def _parts(progress: str, wall: float) -> dict[str, float]:
    """Wall seconds of each outer stage that the progress tells, and of the rest."""
    parts: dict[str, float] = {}
    for line in progress.splitlines():
        if found := _STAGE.fullmatch(line):
            parts[found[1]] = parts.get(found[1], 0.0) + float(found[2])
    return parts | {_REST: wall - sum(parts.values())}


def middle(spent: Iterable[Spent]) -> Spent:
    """The median of each clock."""
    return Spent(*(median(clock) for clock in zip(*spent, strict=True)))


def show_imports(counts: dict[str, int], rounds: list[Imports]) -> None:
    """Print a row per module, and the total."""
    reference = middle(each.reference for each in rounds)
    print("| module | kernels | CPU, s | wall, s | references |")
    print("|---|---|---|---|---|")

    def row(name: str, count: int | str, spent: Spent) -> None:
        share = spent.cpu / reference.cpu
        print(f"| {name} | {count} | {spent.cpu:.2f} | {spent.wall:.2f} | {share:.1f} |")

    for name, count in counts.items():
        row(name, count, middle(each.modules[name] for each in rounds))
    row("**all, with what they import**", sum(counts.values()), middle(r.total for r in rounds))
    row("Numba itself, before", "", middle(each.numba for each in rounds))
    print(f"\nReference: {reference.cpu:.3f} s of CPU, {reference.wall:.3f} s wall.")


def show_demo(rounds: list[Demo], reference: Spent) -> None:
    """Print what the demo takes, cold and warm."""
    cold, warm = middle(each.cold for each in rounds), middle(each.warm for each in rounds)
    wait = Spent(cold.cpu - warm.cpu, cold.wall - warm.wall)
    print("\n## `hlta demo`\n")
    print("| | CPU, s | wall, s | references |")
    print("|---|---|---|---|")
    for name, spent in (("cold", cold), ("warm", warm), ("**difference**", wait)):
        share = spent.cpu / reference.cpu
        print(f"| {name} | {spent.cpu:.1f} | {spent.wall:.1f} | {share:.0f} |")
    print("\n| part | cold, wall s | warm, wall s |")
    print("|---|---|---|")
    for part in rounds[0].cold_parts:
        both = (
            median(each.get(part, 0.0) for each in runs)
            for runs in ([r.cold_parts for r in rounds], [r.warm_parts for r in rounds])
        )
        print(f"| {part} | {' | '.join(f'{seconds:.1f}' for seconds in both)} |")


def show_start(source: Path, modules: Iterable[str], rounds: int) -> None:
    """Print the wall time of starting with a full cache."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)

        def shortest(code: str) -> float:
            return min(python(source, cache, "-c", code)[0].wall for _ in range(rounds))

        everything = f"import {', '.join(modules)}"
        python(source, cache, "-c", everything)
        bare, package = shortest("pass"), shortest("import hlta")
        numba, kernels = shortest("import numba, scipy.sparse"), shortest(everything)
    print("\n## Start with a full cache\n")
    print(f"- `import hlta`: {(package - bare) * 1e3:.0f} ms more than starting Python")
    print(f"- all kernels: {kernels - numba:.2f} s more than importing Numba and SciPy")


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--source",
        type=Path,
        default=ROOT / "src",
        metavar="PATH",
        help="the folder that has the package hlta (default: src of this checkout)",
    )
    parser.add_argument("--rounds", type=int, default=3, help="(default: 3)")
    parser.add_argument("--no-demo", action="store_true", help="imports only")
    chosen = parser.parse_args()
    source = chosen.source.resolve()
    if chosen.rounds < 1:
        parser.error(f"--rounds {chosen.rounds}: use 1 or more")
    counts = modules_with_kernels(source)
    if not counts:
        parser.error(f"--source {source}: there is no package hlta with Numba functions")
    imports, demos = [], []
    for _ in range(chosen.rounds):
        with tempfile.TemporaryDirectory() as folder:
            imports.append(import_all(source, Path(folder).resolve(), counts))
        if not chosen.no_demo:
            with tempfile.TemporaryDirectory() as folder:
                demos.append(run_demo(source, Path(folder).resolve()))
    print("# Compilation\n")
    show_imports(counts, imports)
    if demos:
        show_demo(demos, middle(each.reference for each in imports))
    show_start(source, counts, 3)


if __name__ == "__main__":
    main()
