"""Checkpoints: a fit that was stopped anywhere ends with the same bits; `hlta fit --resume`."""

import errno
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import Result

from hlta import FormatError, OptionError
from hlta import __version__ as hlta_version
from hlta._support.writing import drafting
from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents
from hlta.learning import checkpoint_folder
from hlta.learning.checkpoint import Checkpoint
from hlta.learning.checkpoint_folder import STATE, checkpoint_in, discard, pack, unpack
from hlta.learning.recipe import Learned, learn_model
from hlta.learning.seeds import NO_WISHES, Wishes
from hlta.monitor import Monitor
from hlta.options import EMOptions, StructureOptions
from hlta.tree.model_file import read_archive, write_archive
from tests.command import run
from tests.jobs import on_jobs
from tests.model_files import change_file, header_of
from tests.portions import Notes
from tests.synthetic import planted
from tests.trees import small_tree

WORDS = tuple(f"w{i}" for i in range(24))
X = as_documents(planted(24, 1).sample(150, seed=2))
PARAMETERS = {"em_steps": 3, "em_updates": 5, "batch_size": 80}


class StopError(Exception):
    """What stops a fit."""


def learn(
    folder: Path | None,
    X: Documents = X,
    words: tuple[str, ...] = WORDS,
    *,
    em: str = "batch",
    seed: int | None = 0,
    n_jobs: int = 1,
    monitor: Monitor | None = None,
    wishes: Wishes = NO_WISHES,
    **options: Any,
) -> Learned:
    structure = StructureOptions(**{"max_top_topics": 2, "samples": 3} | options)
    given = X, words, structure, EMOptions(em=em, **PARAMETERS)
    how: dict[str, Any] = {"random_state": seed, "checkpoint": folder, "wishes": wishes}
    return on_jobs(n_jobs, learn_model, *given, **how, monitor=monitor or Monitor())


def stopping(number: int, error: Exception | None = None) -> Callable[..., None]:
    """`write_archive` as it is, except that it fails when it is called for the n-th time."""
    calls = count(1)

    def stopped(*arguments: Any, **how: Any) -> None:
        if next(calls) == number:
            arguments[0].write(b"half a f")
            raise error or StopError
        write_archive(*arguments, **how)

    return stopped


def stop(folder: Path, number: int, **options: Any) -> bool:
    """Run a fit that stops at a write; False if it ends before that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint_folder, "write_archive", stopping(number))
        try:
            learn(folder, **options)
        except StopError:
            return True
    return False


def check_same(one: Learned, other: Learned) -> None:
    assert one.tree == other.tree
    assert one.log_likelihoods == other.log_likelihoods
    np.testing.assert_array_equal(one.stability, other.stability)


def check_every_stop(folder: Path, **options: Any) -> set[str]:
    """Stop a fit at each of its writes, and resume it; the names of all steps."""
    expected, number = learn(None, **options), 1
    while stop(folder, number, **options):
        check_same(learn(folder, **options), expected)
        discard(folder)
        number += 1
    return set(header(folder)["steps"])


def header(folder: Path) -> dict[str, Any]:
    return header_of(folder / STATE)


# ---- the same bits -------------------------------------------------------------------------------

VOTES = {"vote 0", "agreed tree", "structure", "EM"}
SEEDED = Wishes(together=(("w0", "w1", "w2"),))


@pytest.mark.usefixtures("each_step")
@pytest.mark.parametrize(
    ("options", "steps"),
    [
        ({"samples": 3, "em": "stepwise"}, VOTES | {"vote 2"}),
        ({"samples": 1, "states": 3, "wishes": SEEDED}, VOTES),
        ({"refine": False}, {"level 1", "level 2", "structure", "EM"}),
    ],
)
def test_a_fit_that_stopped_anywhere_ends_with_the_same_bits(
    options: dict[str, Any], steps: set[str], tmp_path: Path
) -> None:
    assert steps <= check_every_stop(tmp_path / "kept", **options)


@pytest.mark.usefixtures("each_step")
def test_kept_steps_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = learn(None)
    assert stop(tmp_path, 6)  # the seed, three votes and the partitions are there
    monkeypatch.setattr("hlta.learning.structure.build_hierarchy", None)
    monkeypatch.setattr("hlta.learning.structure.find_partitions", None)
    notes = Notes()
    check_same(learn(tmp_path, monitor=notes), expected)
    assert f"resuming from '{tmp_path}', where 5 steps are kept" in notes.notes


@pytest.mark.usefixtures("each_step")
def test_threads_and_the_order_of_documents_and_words_may_change(tmp_path: Path) -> None:
    assert stop(tmp_path, 3, n_jobs=2)
    order = np.random.default_rng(0).permutation(len(X))
    turned = as_documents(X.take(order).to_csr()[:, ::-1])
    resumed = learn(tmp_path, turned, WORDS[::-1], n_jobs=3)
    assert resumed.tree.with_words(WORDS) == learn(None).tree


@pytest.mark.usefixtures("each_step")
def test_a_seed_that_was_drawn_is_kept(tmp_path: Path) -> None:
    """Without a seed, two fits differ; one that goes on does not."""
    draw: dict[str, Any] = {"seed": None, "em": "stepwise"}
    assert stop(tmp_path, 5, **draw)
    resumed = learn(tmp_path, **draw)
    check_same(learn(tmp_path, **draw), resumed)
    entropy = header(tmp_path)["steps"]["seed"]
    check_same(learn(None, seed=entropy, em="stepwise"), resumed)
    assert learn(None, **draw).tree != resumed.tree


# ---- when it is written --------------------------------------------------------------------------


def test_a_short_fit_leaves_nothing(tmp_path: Path) -> None:
    learn(tmp_path / "kept")
    assert list(tmp_path.iterdir()) == []


def opened(folder: Path | None) -> AbstractContextManager[Checkpoint]:
    return checkpoint_in(
        folder, X, WORDS, (StructureOptions(), EMOptions()), NO_WISHES, 0, Monitor()
    )


# ---- what is refused -----------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path, each_step: None) -> Path:  # noqa: ARG001
    """The checkpoint of a fit that was stopped."""
    assert stop(tmp_path / "kept", 5)
    return tmp_path / "kept"


def check_refused(kept: Path, message: str, error: type[Exception], **options: Any) -> None:
    """The fit is refused, with the remedy, and the checkpoint stays as it was."""
    before = (kept / STATE).read_bytes()
    with pytest.raises(error, match=message) as caught:
        learn(kept, **options)
    assert f"delete the folder {str(kept)!r} to begin anew" in str(caught.value)
    assert (kept / STATE).read_bytes() == before


def test_another_fit_is_refused(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[tuple[dict[str, Any], str]] = [
        ({"X": X.take(np.arange(149))}, "other documents or words"),
        ({"words": (*WORDS[:-1], "other")}, "other documents or words"),
        ({"states": "auto"}, "states=None instead of 'auto'"),
        ({"samples": 4, "seed": 1}, "random_state=0 instead of 1, samples=3 instead of 4"),
        ({"seed": None}, "random_state=0 instead of None"),
        ({"em": "stepwise"}, "em='batch' instead of 'stepwise'"),
        ({"wishes": SEEDED}, "other seeds"),
    ]
    for options, message in fits:
        check_refused(kept, message, OptionError, **options)
    monkeypatch.setattr(checkpoint_folder, "__version__", "99.0")
    check_refused(kept, f"with hlta='{hlta_version}' instead of '99.0'", OptionError)


def test_a_damaged_file_is_refused(kept: Path) -> None:
    whole = (kept / STATE).read_bytes()
    damaged = bytearray(whole)
    for place in range(100, len(whole), 1000):
        damaged[place] ^= 0xFF
    truncated = [whole[: int(share * len(whole))] for share in (0.0, 0.3, 0.999)]
    for content in (bytes(damaged), *truncated):
        (kept / STATE).write_bytes(content)
        check_refused(kept, "damaged", FormatError)


@pytest.mark.parametrize(
    "entries",
    [
        {"version": 99},
        {"steps": {"structure": {"tree": []}}},
        {"steps": {"structure": {"array": "none"}}},
        {"steps": {"structure": {"function": "print"}}},
        {"steps": {"structure": {}}},
        {"steps": []},
        {"fit": None},
        {"arrays": []},
        {"arrays": {"0": "O"}},
        {"steps": {"seed": "x"}},
        {"digest": None},
    ],
)
def test_a_header_that_does_not_fit_is_refused(kept: Path, entries: dict[str, Any]) -> None:
    change_file(kept / STATE, entries)
    message = "format version 99" if "version" in entries else "damaged"
    check_refused(kept, message, FormatError)


def forge(folder: Path, steps: dict[str, Any]) -> None:
    """Let a checkpoint hold other steps, with the digest that belongs to them."""
    about, kept = read_archive(folder / STATE, lambda about: about["arrays"])
    values = {name: unpack(plain, kept) for name, plain in about["steps"].items()}
    checkpoint_folder._write(folder / STATE, about["fit"], values | steps)


ODD: list[Any] = [
    0.5,
    "a",
    (),
    (None,),
    (1, 2, 3),
    (1, 2, 3, 4),
    ((), (), 1, 2, 3),
    np.zeros((2, 3)),
]
OTHER_WORDS = small_tree()


@pytest.mark.parametrize("odd", [*ODD, -1, OTHER_WORDS, (OTHER_WORDS, None, None, ())], ids=repr)
@pytest.mark.parametrize("name", ["seed", "vote 1", "agreed tree", "structure", "EM"])
def test_a_forged_step_is_refused(learned: Path, name: str, odd: Any, tmp_path: Path) -> None:
    """Even where the digest is right; a part of one that is another's, too."""
    shutil.copytree(learned, tmp_path / "kept")
    forge(tmp_path / "kept", {name: odd} | later_steps(name))
    with pytest.raises(FormatError, match=f"'{name}' in the checkpoint is damaged; delete it"):
        learn(tmp_path / "kept")


def later_steps(name: str) -> dict[str, Any]:
    """Without the structure, the steps that it was learned from are asked for."""
    return {"structure": None} if name in ("vote 1", "agreed tree") else {}


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a fit that ended."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint_folder, "PACE", 0.0)
        patch.setattr(checkpoint_folder, "RARITY", 0.0)
        learn(folder := tmp_path_factory.mktemp("learned") / "kept")
    return folder


@pytest.mark.parametrize(
    ("place", "odd"),
    [
        *((1, odd) for odd in (0.5, np.zeros(3), np.array([["a"]]))),
        *((2, odd) for odd in (0.5, np.zeros(24), np.zeros((9, 24)))),
        *((3, odd) for odd in (None, ("a",))),
    ],
    ids=repr,
)
def test_a_forged_part_of_a_step_is_refused(
    learned: Path, tmp_path: Path, place: int, odd: Any
) -> None:
    shutil.copytree(learned, tmp_path / "kept")
    about, kept = read_archive(learned / STATE, lambda about: about["arrays"])
    parts = list(unpack(about["steps"]["structure"], kept))
    parts[place] = odd
    forge(tmp_path / "kept", {"structure": tuple(parts)})
    with pytest.raises(FormatError, match="'structure' in the checkpoint is damaged; delete it"):
        learn(tmp_path / "kept")


def test_forged_parameters_are_refused(learned: Path, tmp_path: Path) -> None:
    shutil.copytree(learned, tmp_path / "kept")
    about, kept = read_archive(learned / STATE, lambda about: about["arrays"])
    seen, (states, *others) = unpack(about["steps"]["EM"], kept)
    forge(tmp_path / "kept", {"EM": (seen, (-states, *others))})
    with pytest.raises(FormatError, match="'EM' in the checkpoint is damaged; delete it"):
        learn(tmp_path / "kept")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kept" / STATE).mkdir(parents=True)
    with pytest.raises(OptionError, match=r"cannot be read: .*; delete the folder"):
        learn(tmp_path / "kept")


def test_equal_options_of_other_types_are_the_same(kept: Path) -> None:
    learn(kept, ud_threshold=np.float32(3.0), samples=np.int64(3))


def test_two_fits_at_once_are_refused(kept: Path) -> None:
    with opened(kept.parent / "other") as first:
        first.keep("step", 1)
        with pytest.raises(OptionError, match="another run is writing"):
            learn(kept.parent / "other")
        with pytest.raises(OptionError, match="another run is writing"):
            discard(kept.parent / "other")
    assert (kept.parent / "other" / STATE).exists()
    learn(kept)


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    for use in (learn, discard):
        with pytest.raises(OptionError, match="holds files other than a checkpoint; choose"):
            use(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    number: Any = 3
    with pytest.raises(OptionError, match="checkpoint=3: use the path of a folder, or None"):
        learn(number)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OptionError, match=r"file' cannot be written: .*; choose another folder"):
        learn(tmp_path / "file")


# ---- failures ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("each_step")
def test_a_full_disk_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint_folder, "write_archive", stopping(4, full))
        with pytest.raises(OSError, match=re.escape(f"left on device: '{tmp_path / STATE}'")):
            learn(tmp_path)
    assert len(header(tmp_path)["steps"]) == 3
    check_same(learn(tmp_path), learn(None))


def test_what_a_killed_process_had_half_written_goes(kept: Path) -> None:
    with drafting(kept / STATE) as draft:
        pass
    draft.mkdir()
    (draft / STATE).write_bytes(b"half a f")
    learn(kept)
    assert [path.name for path in kept.iterdir()] == [STATE]


def test_a_checkpoint_can_be_discarded(kept: Path) -> None:
    discard(kept)
    discard(kept)  # nothing is there any more
    assert list(kept.parent.iterdir()) == []


# ---- values that are kept ------------------------------------------------------------------------


def test_a_tree_that_is_none_is_refused() -> None:
    kept: dict[str, NDArray[Any]] = {}
    plain = pack(small_tree(), kept)
    kept["0"] = kept["0"][::-1]  # the parents
    with pytest.raises(ValueError, match="root"):
        unpack(plain, kept)


# ---- hlta fit --resume ---------------------------------------------------------------------------


AT_EACH_STEP = """
from hlta.learning import checkpoint_folder
checkpoint_folder.PACE = checkpoint_folder.RARITY = 0.0
from hlta.cli import main
main()
"""


@pytest.fixture
def out(tmp_path: Path, each_step: None) -> Path:  # noqa: ARG001
    """Where the results go; a checkpoint is written after each step."""
    return tmp_path / "out"


def fit(source: Path, out: Path, *options: object) -> Result:
    return run("fit", source, "-o", out, "--samples", 2, "--em-steps", 3, "--jobs", 1, *options)


def stopped(source: Path, out: Path, error: BaseException, *options: object) -> Result:
    """A fit that stops in EM."""

    def stop(*_: object, **__: object) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.learning.recipe.run_em", stop)
        return fit(source, out, *options)


def checkpoint_of(out: Path) -> Path:
    return out.with_name("out.checkpoint")


def written(state: Path) -> int:
    """When a checkpoint was written last; 0 for never."""
    return state.stat().st_mtime_ns if state.exists() else 0


def model(source: Path, out: Path, *options: object) -> bytes:
    """The model of a fit that was never stopped."""
    whole = out.with_name("whole")
    assert fit(source, whole, *options).exit_code == 0
    return (whole / "model.hlta").read_bytes()


def test_a_fit_goes_on(texts_file: Path, out: Path) -> None:
    done = stopped(texts_file, out, KeyboardInterrupt())
    assert done.exit_code == 130
    assert f"'{checkpoint_of(out)}' holds what is finished; --resume goes on" in done.stderr
    done = fit(texts_file, out, "--resume")
    assert done.exit_code == 0
    assert f"resuming from '{checkpoint_of(out)}'" in done.stderr
    assert (out / "model.hlta").read_bytes() == model(texts_file, out)
    assert not checkpoint_of(out).exists()
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".")] == []


def test_a_checkpoint_is_not_replaced_by_mistake(texts_file: Path, out: Path) -> None:
    stopped(texts_file, out, KeyboardInterrupt())
    before = (checkpoint_of(out) / STATE).read_bytes()
    done = fit(texts_file, out)
    assert done.exit_code == 1
    assert "add --resume to go on with it, or --overwrite to begin anew" in done.stderr
    done = fit(texts_file, out, "--resume", "--seed", 1)
    assert done.exit_code == 1
    assert "another fit, with --seed 0 instead of 1" in done.stderr
    assert "--resume goes on" not in done.stderr
    assert (checkpoint_of(out) / STATE).read_bytes() == before
    assert fit(texts_file, out, "--overwrite", "--seed", 1).exit_code == 0
    assert (out / "model.hlta").read_bytes() == model(texts_file, out, "--seed", 1)


def test_results_can_be_replaced_by_a_fit_that_goes_on(texts_file: Path, out: Path) -> None:
    assert fit(texts_file, out).exit_code == 0
    stopped(texts_file, out, KeyboardInterrupt(), "--overwrite", "--seed", 1)
    assert checkpoint_of(out).exists()
    assert "exists" in fit(texts_file, out, "--resume", "--seed", 1).stderr
    assert fit(texts_file, out, "--resume", "--overwrite", "--seed", 1).exit_code == 0
    assert (out / "model.hlta").read_bytes() == model(texts_file, out, "--seed", 1)


def test_what_is_finished_outlives_a_full_disk(texts_file: Path, out: Path) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hlta.cli.fitting.write_results", full)
        done = fit(texts_file, out)
    assert done.exit_code == 1
    assert "make room and try again" in done.stderr
    assert f"'{checkpoint_of(out)}' holds what is finished" in done.stderr
    assert not out.exists()
    assert fit(texts_file, out, "--resume").exit_code == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
def test_a_fit_that_is_killed_goes_on(texts_file: Path, out: Path) -> None:
    command = [sys.executable, "-c", AT_EACH_STEP, "fit", str(texts_file), "-o", str(out), "-q"]
    again = [*command, "--samples", "20", "--resume"]
    state = checkpoint_of(out) / STATE
    before = 0
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
        process = subprocess.Popen(again)
        while written(state) == before:
            assert process.poll() is None
            time.sleep(0.001)
        process.send_signal(number)
        assert process.wait() in {-number, 128 + number}
        before = written(state)
    subprocess.run(again, check=True)
    whole = out.with_name("whole")
    assert run("fit", texts_file, "-o", whole, "-q", "--samples", 20).exit_code == 0
    assert (out / "model.hlta").read_bytes() == (whole / "model.hlta").read_bytes()
