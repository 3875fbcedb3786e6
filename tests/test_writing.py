"""Nothing is lost: whatever goes wrong at whichever operation, targets are old or new, and whole.

Each way to write is tried on disks that fail at the first operation, the second, and so on. After
that, the target is as it was or as it would have been (several files together: once the next run that
writes them has begun, and until then readers find the old model, the new one, or are refused), and the
next run that writes leaves nothing behind. That this holds wherever the package writes, is because it
writes in one module, which is tested, too.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from scipy.sparse import csr_array

import hlta
from hlta import HLTA, Corpus, FormatError, HltaError
from hlta._support.writing import drafting
from hlta.documents.given_matrices import as_documents
from hlta.explorer import page
from hlta.learning.checkpoint_folder import checkpoint_in
from hlta.learning.seeds import NO_WISHES
from hlta.monitor import Monitor
from hlta.options import EMOptions, StructureOptions
from hlta.reading.matrices.matrix_files import Matrix, read_matrix, write_matrix
from tests.command import run
from tests.disk import BrokenDisk, Disk, FullDisk, Kill, Killed, PowerCut, using
from tests.strategies import random_tree

pytestmark = pytest.mark.slow  # a test writes its files once for each operation that can fail
DISKS: Final = (Kill, FullDisk, PowerCut, BrokenDisk)
Way = Callable[[Path], Any]
Kind = Callable[[int], type[Disk]]

# ---- the ways to write: what each does in a folder, in which the target is called "x" ------------


def save(folder: Path) -> None:
    random_tree(1, 20, 6).save(folder / "x")


def save_corpus(folder: Path) -> None:
    corpus = Corpus([[1, 0], [1, 1], [0, 1]], ["deep", "net"], ids=["1", "2", "3"])
    corpus.save(folder / "x", overwrite=True)


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


def convert(folder: Path) -> None:
    command("convert", source(folder), folder / "x.mtx", "--overwrite", "-q")


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
    command("update", folder / "x", folder / "source" / "more.csv", "-q", "--json")


ON_A_RUN: Final = (titles, edit, update)  # the target is a run, which they change


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
    more = texts_file.read_text().replace("\n", "\n\n", 1)  # the same documents in another file
    (folder / "source" / "more.csv").write_text(more)
    shutil.copytree(fitted, folder / "model")
    if way in ON_A_RUN:
        shutil.copytree(fitted, folder / "x")
    elif way is keep:
        (folder / "y").touch()
        way(folder)
        (folder / "y").unlink()
    elif way is convert:
        write_matrix(folder / "x.mtx", Matrix(csr_array([[1, 2]]), ("old", "words")))
    elif way in (fit, save_corpus):
        Corpus([[1]], ["old"]).save(folder / "x")
    else:
        (folder / "x").write_text("old")


def content(folder: Path) -> dict[str, bytes]:
    """All visible files of a folder and of those in it, but for the source, and what goes on changing."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in name.parts)
        beside = name.parts[0] in ("source", "x.checkpoint")
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
    for target in (folder / "x.mtx", folder / "x" / "model.hlta"):
        if target.exists():
            with drafting(target):
                pass


@contextmanager
def unless_half_replaced() -> Iterator[None]:
    """Lets a reader refuse files of which only some are new, and nothing else."""
    try:
        yield
    except FormatError as error:
        if "is only half replaced" not in str(error):
            raise


def check_reading(way: Way, folder: Path, old: Any, new: Any) -> None:
    """A reader finds the old files or the new ones, and changes nothing."""
    files = sorted(folder.rglob("*"))
    now = content(folder)
    if way in ON_A_RUN:
        with unless_half_replaced():
            HLTA.load(folder / "x")
        model = os.path.join("x", "model.hlta")
        assert now[model] in (old[model], new[model])
    elif way is convert:
        with unless_half_replaced():
            read_matrix(folder / "x.mtx")
            assert now in (old, new)
    else:
        assert now in (old, new)
    assert sorted(folder.rglob("*")) == files


def check(way: Way, disk: Disk, folder: Path, old: Any, new: Any) -> bool:
    """Write on a disk that fails, and see that nothing is lost; False if it was not reached."""
    with using(disk), suppress(Killed, OSError, HltaError):
        way(folder)
    check_reading(way, folder, old, new)
    settle(folder)
    assert content(folder) in (old, new), (type(disk).__name__, disk.done)
    if disk.struck:
        if way is not update or content(folder) == old:  # an update is not made twice
            way(folder)
        assert debris(folder) == [], (type(disk).__name__, disk.done)
    return disk.struck


def try_all(way: Way, start: Path, folder: Path, kind: Kind, step: int = 1) -> int:
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
@pytest.mark.parametrize("way", [fit, edit, update])
def test_commands_lose_nothing(way: Way, fitted: Path, texts_file: Path, tmp_path: Path) -> None:
    """Every seventh operation fails, in turn on each of the disks."""
    prepare(tmp_path / "start", way, fitted, texts_file)
    turn = lambda number: DISKS[number % len(DISKS)]  # noqa: E731
    assert try_all(way, tmp_path / "start", tmp_path / "x", turn, step=7) > 10


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("kind", DISKS)
@pytest.mark.parametrize("way", [save, save_corpus, keep, convert, titles])
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
from tests.test_writing import content, debris, save, save_corpus

class End(Kill):
    def fail(self, *_):
        os._exit(9)

def ends(way, folder, number):
    child = os.fork()
    if not child:
        with using(End(number)):
            way(folder)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 9)
    return code == 9

for way in save, save_corpus:
    folder = Path(sys.argv[1], way.__name__)
    folder.mkdir()
    way(folder)
    before, number = content(folder), 1
    while ends(way, folder, number):
        assert content(folder) == before
        assert len(debris(folder)) <= 1
        number += 1
    assert number > 8
    assert content(folder) == before
    assert debris(folder) == []
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that share nothing")
def test_a_process_that_ends_anywhere_loses_nothing(tmp_path: Path) -> None:
    """Locks end with the process; the next one clears what it left."""
    script = [sys.executable, "-c", ENDING, str(tmp_path)]
    subprocess.run(script, cwd=Path(__file__).parents[1], check=True)


# ---- nothing is written elsewhere ----------------------------------------------------------------

SOURCE: Final = Path(hlta.__file__).parent
WRITES: Final = re.compile(
    r"\.(write_bytes|touch|mkdir|unlink|rmdir|chmod|symlink_to|hardlink_to|tofile)\("
    r"|\.write_text\(|\bos\.(open|replace|rename|remove|makedirs|mkfifo|link|symlink|truncate)\("
    r"|\bopen\([^()]*,\s*(mode=)?['\"][wxa+]|\.open\(\s*(mode=)?['\"][wxa+]"
    r"|\bnp\.save[a-z_]*\((?!\s*file)|\bjson\.dump\(|\bZipFile\((?!file)[^()]*['\"][wxa]"
    r"|\b(shutil|memmap|savefig)\b|\.(sink|write)_(csv|parquet|ipc)\(\s*[a-z_]*path"
)
EXAMPLES: Final = re.compile(r"^\s*(>>>|\.\.\.) .*$", re.MULTILINE)
ELSEWHERE: Final = {
    "_support/writing.py",
    "_kernels/cache.py",  # what is lost there is compiled again
    "learning/checkpoint_folder.py",  # deletes a checkpoint
    "cli/process.py",  # the null device in place of closed streams
}


def test_nothing_else_writes() -> None:
    for text in (
        *("open(path, 'w')", "path.open('xb')", "path.write_text('a')", "os.replace(a, b)"),
        *("np.save(path, array)", "frame.write_csv(path)", "path.unlink()", "json.dump(data, out)"),
        *("zipfile.ZipFile(path, 'w')", "from shutil import rmtree"),
    ):
        assert WRITES.search(text)
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if WRITES.search(EXAMPLES.sub("", path.read_text(encoding="utf-8")))
    }
    assert found == ELSEWHERE
