"""Nothing is lost: whatever goes wrong at whichever operation, targets are old or new, and whole.

Each way to write is tried on disks that fail at the first operation, the second, and so on. After
that, once the next run that writes has begun, the target is as it was or as it would have been, and
that run leaves nothing behind. That all of this holds wherever the package writes, is because it
writes in one room, which is tested, too.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import hlta
from hlta import HLTA, Corpus, HltaError
from hlta._support.writing.drafts import clear
from hlta.documents.matrix import as_documents
from hlta.explorer import page
from hlta.learning.checkpoint_folder import checkpoint_in
from hlta.learning.seeds import NO_WISHES
from hlta.monitor import Monitor
from hlta.options import EMOptions, StructureOptions
from tests.command import run
from tests.disk import BrokenDisk, Disk, FullDisk, Kill, Killed, PowerCut, using
from tests.strategies import random_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

DISKS: Final = (Kill, FullDisk, PowerCut, BrokenDisk)
Way = Callable[[Path], Any]

# ---- the ways to write: what each does in a folder, in which the target is called "x" ------------


def save(folder: Path) -> None:
    random_tree(1, 20, 6).save(folder / "x")


def save_corpus(folder: Path) -> None:
    ids = [f"document {k}" for k in range(3)]
    Corpus([[1, 0], [1, 1], [0, 1]], ["deep", "net"], ids=ids).save(folder / "x", overwrite=True)


def keep(folder: Path) -> None:
    X = as_documents([[1, 0], [0, 1]])
    options = StructureOptions(), EMOptions()
    with checkpoint_in(folder / "x", X, ("a", "b"), options, NO_WISHES, 0, Monitor()) as kept:
        vars(kept)["_due"] = 0.0
        kept.keep("step", len(os.listdir(folder)))


def command(*arguments: object) -> None:
    """Run a command; if it fails it says why, and about the target."""
    done = run(*arguments)
    if isinstance(done.exception, Exception) and not isinstance(done.exception, SystemExit):
        raise done.exception
    if done.exit_code:
        assert done.stderr.startswith("hlta: ")
        assert "hlta-draft" not in done.stderr
        raise HltaError(done.stderr)


def source(folder: Path) -> Path:
    return folder / "source" / "texts.csv"


def fit(folder: Path) -> None:
    command("fit", source(folder), "-o", folder / "x", "--overwrite", "-q", "--samples", 1)


def assign(folder: Path) -> None:
    command("assign", folder / "model", source(folder), "-o", folder / "x", "--overwrite")


def report(folder: Path) -> None:
    command("report", folder / "model", source(folder), "-o", folder / "x", "--overwrite", "-q")


def compare(folder: Path) -> None:
    models = folder / "model", folder / "model"
    command("compare", *models, "-o", folder / "x", "--overwrite", "-q")


def convert(folder: Path) -> None:
    command("convert", source(folder), folder / "x.mtx", "--overwrite", "-q")


def convert_to_corpus(folder: Path) -> None:
    command("convert", source(folder), folder / "x", "--overwrite", "-q")


def convert_model(folder: Path) -> None:
    command("convert", folder / "model" / "model.hlta", folder / "x.bif", "--overwrite", "-q")


def titles(folder: Path) -> None:
    table = folder / "source" / "titles.csv"
    first = next(iter(HLTA.load(folder / "x").topics_)).id
    table.write_text(f"id,title\n{first},A title\n")
    command("titles", folder / "x", "--from", table)


def edit(folder: Path) -> None:
    log = folder / "source" / "log.json"
    model = HLTA.load(folder / "x")
    model.edit.rename(next(iter(model.topics_)), "Another title")
    model.edit.save(log)
    command("edit", folder / "x", log, "--documents", source(folder), "-q")


def update(folder: Path) -> None:
    command("update", folder / "x", source(folder), "-q", "--json")


ON_A_RUN: Final = (titles, edit, update)  # the target is a run, which they change
WAYS: Final = (
    *(save, save_corpus, keep, fit, assign, report, compare),
    *(convert, convert_to_corpus, convert_model, *ON_A_RUN),
)


# ---- trying them ---------------------------------------------------------------------------------


@pytest.fixture
def small_steps(fitted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not writing takes no time: a fit gives a model that is there, a page is short."""
    model = HLTA.load(fitted)
    monkeypatch.setattr(HLTA, "fit", lambda *_: model)
    text = '<!doctype html><meta name="generator" content="hlta">'
    monkeypatch.setattr(page, "explorer_page", lambda *_, **__: text)


def prepare(folder: Path, way: Way, fitted: Path, texts_file: Path) -> None:
    """A folder with what the command reads, and an old target."""
    (folder / "source").mkdir(parents=True)
    shutil.copy(texts_file, source(folder))
    shutil.copytree(fitted, folder / "model")
    if way in ON_A_RUN:
        shutil.copytree(fitted, folder / "x")
    elif way is keep:
        (folder / "y").touch()
        way(folder)
        (folder / "y").unlink()
    elif way in (fit, convert_to_corpus, save_corpus):
        Corpus([[1]], ["old"]).save(folder / "x")
    else:
        for name in ("x", "x.mtx", "x.words.txt", "x.bif"):
            (folder / name).write_text("old")


def content(folder: Path) -> dict[str, bytes]:
    """All visible files of a folder and of those in it, but for the source, and what goes on changing."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in name.parts)
        beside = name.parts[0] in ("source", "x.checkpoint") or path.name == "lock"
        if path.is_file() and not hidden and not beside:
            found[str(name)] = path.read_bytes()
            if path.name == "run.json":
                record = json.loads(path.read_text())
                record.pop("seconds")
                found[str(name)] = json.dumps(record).encode()
    return found


def debris(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob(".*")]


def settle(folder: Path) -> None:
    """What the next run that writes several files does first."""
    for target in (folder / "x.mtx", folder / "x" / "model.hlta", folder / "x"):
        clear(target)


def check_reading(folder: Path, old: Any, new: Any) -> None:
    """A reader finds the old model or the new one, and changes nothing."""
    files = sorted(folder.rglob("*"))
    run("topics", folder / "x")
    assert sorted(folder.rglob("*")) == files
    model = os.path.join("x", "model.hlta")
    assert content(folder)[model] in (old[model], new[model])


def check(way: Way, disk: Disk, folder: Path, old: Any, new: Any) -> bool:
    """Write on a disk that fails, and see that nothing is lost; False if it was not reached."""
    with using(disk), suppress(Killed, OSError, HltaError):
        way(folder)
    if way in ON_A_RUN:
        check_reading(folder, old, new)
    settle(folder)
    assert content(folder) in (old, new), (type(disk).__name__, disk.done)
    if disk.struck:
        way(folder)
        assert debris(folder) == [], (type(disk).__name__, disk.done)
    return disk.struck


def try_all(
    way: Way, start: Path, folder: Path, kind: Callable[[int], type[Disk]], step: int = 1
) -> int:
    """Fail at each operation in turn, or at some, each on a disk of some kind; how many there are."""
    old = content(start)
    shutil.copytree(start, folder)
    way(folder)
    new = content(folder)
    assert debris(folder) == []
    assert old != new
    number = 1
    reached = True
    while reached:
        shutil.rmtree(folder)
        shutil.copytree(start, folder)
        reached = check(way, kind(number)(number), folder, old, new)
        number += step
    return number


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_lost(way: Way, fitted: Path, texts_file: Path, tmp_path: Path) -> None:
    """Every seventh operation fails, in turn on each of the disks."""
    prepare(tmp_path / "start", way, fitted, texts_file)
    turn = lambda number: DISKS[number % len(DISKS)]  # noqa: E731
    assert try_all(way, tmp_path / "start", tmp_path / "x", turn, step=7) > 10


@pytest.mark.slow
@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("kind", DISKS)
@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_lost_on_any_disk(
    way: Way, kind: type[Disk], fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    prepare(tmp_path / "start", way, fitted, texts_file)
    assert try_all(way, tmp_path / "start", tmp_path / "x", lambda _: kind) > 10


# ---- as the system ends a process ---------------------------------------------------------------

ENDING: Final = """
import os, sys
from pathlib import Path
from tests.disk import Kill, using
from tests.test_writing import save, save_corpus

class End(Kill):
    def fail(self, *_):
        os._exit(9)

way = {"save": save, "save_corpus": save_corpus}[sys.argv[1]]
way(Path(sys.argv[2]))
number = 1
while True:
    child = os.fork()
    if not child:
        with using(End(number)):
            way(Path(sys.argv[2]))
        os._exit(0)
    if not os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        break
    print(number, flush=True)
    sys.stdin.readline()
    number += 1
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that share nothing")
@pytest.mark.parametrize("way", [save, save_corpus])
def test_a_process_that_ends_anywhere_loses_nothing(way: Way, tmp_path: Path) -> None:
    """Locks end with the process; the next one clears what it left."""
    place = {"cwd": Path(__file__).parents[1], "text": True}
    script = [sys.executable, "-c", ENDING, way.__name__, str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(script, stdin=pipe, stdout=pipe, **place) as process:  # type: ignore[call-overload]
        assert process.stdout is not None
        assert process.stdin is not None
        ends = 0
        before = None
        for _ in process.stdout:
            found = content(tmp_path)
            assert before in (None, found)
            before = found
            assert len(debris(tmp_path)) <= 4  # one draft, with a folder, a file and a lock
            process.stdin.write("\n")
            process.stdin.flush()
            ends += 1
        assert ends >= 8
        assert debris(tmp_path) == []


# ---- nothing is written elsewhere ----------------------------------------------------------------

SOURCE: Final = Path(hlta.__file__).parent
ROOM: Final = SOURCE / "_support" / "writing"
WRITING_MODULES: Final = {"tempfile", "shutil"}
CHANGING: Final = {  # methods of paths and functions of `os`
    *("write_text", "write_bytes", "touch", "mkdir", "makedirs", "mkfifo", "symlink", "symlink_to"),
    *(
        "link",
        "hardlink_to",
        "unlink",
        "rmdir",
        "rmtree",
        "removedirs",
        "renames",
        "chmod",
        "umask",
    ),
    *(
        "truncate",
        "ftruncate",
        "sink_csv",
        "sink_parquet",
        "sink_ipc",
        "savefig",
        "tofile",
        "memmap",
    ),
}
TO_A_FILE: Final = {"save", "savez", "savez_compressed", "savetxt", "mmwrite", "ZipFile", "dump"}
ON_OS: Final = {"replace", "rename", "remove", "open"}
READING: Final = {"r", "rb", "rt"}


def mode_of(call: ast.Call, position: int) -> str | None:
    """The mode in which `open` opens; None if it is computed."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    given += call.args[position : position + 1]
    if not given:
        return "r"
    return str(given[0].value) if isinstance(given[0], ast.Constant) else None


def opens_to_write(call: ast.Call) -> bool:
    """Of a path, the mode comes first; of the function, or of a module such as gzip, second."""
    if isinstance(call.func, ast.Name):
        return mode_of(call, 1) not in READING
    modes = [one.value for one in call.args[:2] if isinstance(one, ast.Constant)]
    return not READING.issuperset(modes)


def writes(call: ast.Call) -> bool:
    """Whether a call may change something on the disk, as far as its name and arguments tell."""
    owner, _, name = ast.unparse(call.func).rpartition(".")
    if owner == "os":
        return name in ON_OS | CHANGING
    if owner in ("", "np", "json", "zipfile") and name in TO_A_FILE:
        opened = bool(call.args) and ast.unparse(call.args[0]) == "file"
        return not opened and (name != "ZipFile" or mode_of(call, 1) not in READING)
    if name == "open":
        return opens_to_write(call)
    if ast.unparse(call.func) == "write_text":  # the room's own function
        return False
    return name in CHANGING or (name == "write_csv" and bool(call.args))


def written_in(text: str) -> list[str]:
    """The calls in a module that may write, and the modules that do which it imports."""
    tree = ast.parse(text)
    found = [
        ast.unparse(one) for one in ast.walk(tree) if isinstance(one, ast.Call) and writes(one)
    ]
    for one in ast.walk(tree):
        if isinstance(one, ast.Import):
            found += [alias.name for alias in one.names if alias.name in WRITING_MODULES]
        if isinstance(one, ast.ImportFrom) and one.module in WRITING_MODULES:
            found.append(str(one.module))
    return found


@pytest.mark.parametrize(
    "text",
    [
        *("import tempfile", "from shutil import rmtree", "open(path, 'w')", "open(path, mode)"),
        *("path.open('xb')", "path.write_text('a')", "os.replace(a, b)", "os.umask(0)"),
        *("np.save(path, array)", "mmwrite(path, matrix)", "frame.write_csv(path)"),
        *(
            "path.unlink()",
            "json.dump(data, out)",
            "os.open(path, 0)",
            "zipfile.ZipFile(path, 'w')",
        ),
    ],
)
def test_what_writes_is_found(text: str) -> None:
    assert written_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "open(path)",
        "path.open('rb')",
        "gzip.open(path, 'rb')",
        "np.save(file, array)",
        "frame.rename(a)",
    ],
)
def test_what_does_not_write_is_not_found(text: str) -> None:
    assert written_in(text) == []


def modules() -> Iterator[Path]:
    return (path for path in sorted(SOURCE.rglob("*.py")) if ROOM not in path.parents)


ELSEWHERE: Final = {
    "_kernels/cache.py",  # what is lost there is compiled again
    "cli/process.py",  # the null device in place of closed streams
}


def test_nothing_else_writes() -> None:
    found = {
        path.relative_to(SOURCE).as_posix(): calls
        for path in modules()
        if (calls := written_in(path.read_text(encoding="utf-8")))
    }
    assert found.keys() == ELSEWHERE, found
