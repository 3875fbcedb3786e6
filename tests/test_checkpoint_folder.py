"""Checkpoints: a fit that was stopped anywhere ends with the same bits; `hlta fit --resume`."""

import errno
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
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


@pytest.fixture(scope="module")
def whole() -> Learned:
    """A fit that was never stopped."""
    return learn(None)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of this fit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint_folder, "PACE", 0.0)
        patch.setattr(checkpoint_folder, "RARITY", 0.0)
        learn(folder := tmp_path_factory.mktemp("finished") / "kept")
    return folder


@pytest.fixture
def kept(finished: Path, tmp_path: Path) -> Path:
    """A copy of it, to change."""
    return Path(shutil.copytree(finished, tmp_path / "kept"))


# ---- the same bits -------------------------------------------------------------------------------

VOTES = {"vote 0", "agreed tree", "structure", "EM"}
SEEDED = Wishes(together=(("w0", "w1", "w2"),))


@pytest.mark.slow
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
def test_kept_steps_are_not_repeated(
    whole: Learned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stop(tmp_path, 6)  # the seed, three votes and the partitions are there
    monkeypatch.setattr("hlta.learning.structure.build_hierarchy", None)
    monkeypatch.setattr("hlta.learning.structure.find_partitions", None)
    notes = Notes()
    check_same(learn(tmp_path, monitor=notes), whole)
    assert f"resuming from '{tmp_path}', where 5 steps are kept" in notes.notes


@pytest.mark.usefixtures("each_step")
def test_threads_and_the_order_of_documents_may_change(whole: Learned, tmp_path: Path) -> None:
    assert stop(tmp_path, 3, n_jobs=2)
    order = np.random.default_rng(0).permutation(len(X))
    turned = as_documents(X.take(order).to_csr()[:, ::-1])
    resumed = learn(tmp_path, turned, WORDS[::-1], n_jobs=3)
    assert resumed.tree.with_words(WORDS) == whole.tree


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


def test_a_short_fit_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_folder, "PACE", 3600.0)  # short even on a busy machine
    learn(tmp_path / "kept")
    assert list(tmp_path.iterdir()) == []


# ---- what is refused -----------------------------------------------------------------------------


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
    ("entries", "message"),
    [
        ({"version": 99}, "format version 99"),
        ({"arrays": []}, "damaged"),
        ({"arrays": {"0": "O"}}, "damaged"),
        ({"digest": None}, "damaged"),
    ],
)
def test_a_header_that_is_odd_is_refused(kept: Path, entries: dict[str, Any], message: str) -> None:
    change_file(kept / STATE, entries)
    check_refused(kept, message, FormatError)


def steps_in(folder: Path) -> dict[str, Any]:
    """The values that a checkpoint holds, by their names."""
    about, arrays = read_archive(folder / STATE, lambda about: about["arrays"])
    return {name: unpack(plain, arrays) for name, plain in about["steps"].items()}


def forge(folder: Path, name: str, value: Any) -> None:
    """Let a checkpoint hold another step, with the digest that belongs to it.

    Without a structure, the steps that it was learned from are asked for.
    """
    values = steps_in(folder) | {"structure": None, name: value}
    checkpoint_folder._write(folder / STATE, header(folder)["fit"], values)


@pytest.mark.parametrize("plain", [{"tree": []}, {"array": "none"}, {"function": "print"}, {}])
def test_what_stands_for_no_value_is_refused(kept: Path, plain: dict[str, Any]) -> None:
    forge(kept, "structure", plain)
    check_refused(kept, "damaged", FormatError)


def test_a_tree_that_is_none_is_refused() -> None:
    kept: dict[str, NDArray[Any]] = {}
    plain = pack(small_tree(), kept)
    kept["0"] = kept["0"][::-1]  # the parents
    with pytest.raises(ValueError, match="root"):
        unpack(plain, kept)


OTHER_WORDS = small_tree()


def instead(place: int, odd: Any) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """A step of which one part is another."""
    return lambda parts: (*parts[:place], odd, *parts[place + 1 :])


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        *(("seed", odd) for odd in ("a", -1, 7)),  # which is that of another fit
        *(("vote 1", odd) for odd in (0.5, (), (None,), (np.zeros(24),))),
        *(("agreed tree", odd) for odd in (0.5, OTHER_WORDS)),
        *(("structure", odd) for odd in (0.5, (1, 2, 3), (OTHER_WORDS, None, None, ()))),
        *(("structure", instead(1, odd)) for odd in (0.5, np.zeros(3), np.array([["a"]]))),
        ("structure", instead(2, np.zeros((9, 24)))),
        *(("structure", instead(3, odd)) for odd in (None, ("a",))),
        *(("EM", odd) for odd in (0.5, (), ((), ()), (("a",), (1, 2, 3, 4)), ((), (1, 2, 3, 4)))),
        ("EM", lambda em: (em[0], (-em[1][0], *em[1][1:]))),  # a negative number of states
    ],
)
def test_a_forged_step_with_its_own_digest_is_refused(kept: Path, name: str, odd: Any) -> None:
    forge(kept, name, odd(steps_in(kept)[name]) if callable(odd) else odd)
    with pytest.raises(FormatError, match=f"'{name}' in the checkpoint is damaged; delete it"):
        learn(kept)


def test_equal_options_of_other_types_are_the_same(kept: Path) -> None:
    learn(kept, ud_threshold=np.float32(3.0), samples=np.int64(3))


@pytest.mark.usefixtures("each_step")
def test_two_fits_at_once_and_a_folder_of_other_files_are_refused(tmp_path: Path) -> None:
    options = StructureOptions(), EMOptions()
    with checkpoint_in(tmp_path / "kept", X, WORDS, options, NO_WISHES, 0, Monitor()) as first:
        first.keep("step", 1)
        for use in (learn, discard):
            with pytest.raises(OptionError, match="another run is writing"):
                use(tmp_path / "kept")
    assert (tmp_path / "kept" / STATE).exists()
    (tmp_path / "thesis.txt").write_text("years of work")
    for use in (learn, discard):
        with pytest.raises(OptionError, match="holds files other than a checkpoint; choose"):
            use(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"kept", "thesis.txt"}


def test_what_is_no_folder_or_no_file_is_refused(tmp_path: Path) -> None:
    number: Any = 3
    with pytest.raises(OptionError, match="checkpoint=3: use the path of a folder, or None"):
        learn(number)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OptionError, match=r"file' cannot be written: .*; choose another folder"):
        learn(tmp_path / "file")
    (tmp_path / "kept" / STATE).mkdir(parents=True)
    with pytest.raises(OptionError, match=r"cannot be read: .*; delete the folder"):
        learn(tmp_path / "kept")


@pytest.mark.usefixtures("each_step")
def test_a_full_disk_costs_nothing(
    whole: Learned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint_folder, "write_archive", stopping(4, full))
        with pytest.raises(OSError, match=re.escape(f"left on device: '{tmp_path / STATE}'")):
            learn(tmp_path)
    assert len(header(tmp_path)["steps"]) == 3
    check_same(learn(tmp_path), whole)


def test_what_a_killed_process_half_wrote_goes_and_all_when_discarded(kept: Path) -> None:
    with drafting(kept / STATE) as draft:
        pass
    draft.mkdir()
    (draft / STATE).write_bytes(b"half a f")
    learn(kept)
    assert [path.name for path in kept.iterdir()] == [STATE]
    for _ in range(2):  # the second time, nothing is there any more
        discard(kept)
    assert list(kept.parent.iterdir()) == []


# ---- hlta fit --resume ---------------------------------------------------------------------------


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


@pytest.fixture(scope="module")
def model(texts_file: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The model of a fit with the seed 1 that was never stopped."""
    folder = tmp_path_factory.mktemp("whole") / "whole"
    assert fit(texts_file, folder, "--seed", 1).exit_code == 0
    return (folder / "model.hlta").read_bytes()


def test_a_fit_goes_on(texts_file: Path, out: Path, model: bytes) -> None:
    done = stopped(texts_file, out, KeyboardInterrupt(), "--seed", 1)
    assert done.exit_code == 130
    assert f"'{checkpoint_of(out)}' holds what is finished; --resume goes on" in done.stderr
    done = fit(texts_file, out, "--resume", "--seed", 1)
    assert done.exit_code == 0
    assert f"resuming from '{checkpoint_of(out)}'" in done.stderr
    assert (out / "model.hlta").read_bytes() == model
    assert not checkpoint_of(out).exists()
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".")] == []


def test_a_checkpoint_is_not_replaced_by_mistake(texts_file: Path, out: Path, model: bytes) -> None:
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
    assert (out / "model.hlta").read_bytes() == model


def test_a_fit_that_goes_on_can_replace_results(texts_file: Path, out: Path, model: bytes) -> None:
    assert fit(texts_file, out).exit_code == 0
    stopped(texts_file, out, KeyboardInterrupt(), "--overwrite", "--seed", 1)
    assert checkpoint_of(out).exists()
    assert "exists" in fit(texts_file, out, "--resume", "--seed", 1).stderr
    assert fit(texts_file, out, "--resume", "--overwrite", "--seed", 1).exit_code == 0
    assert (out / "model.hlta").read_bytes() == model


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
    state, more = checkpoint_of(out) / STATE, ("-q", "--samples", "20")
    code = (
        "from hlta.learning import checkpoint_folder as steps; steps.PACE = steps.RARITY = 0.0; "
        "from hlta.cli import main; main()"
    )
    command = ["fit", str(texts_file), "-o", str(out), "--resume", *more]
    again = [sys.executable, "-c", code, *command]
    for number in (signal.SIGKILL, signal.SIGTERM):
        before = state.exists() and state.stat().st_mtime_ns
        process = subprocess.Popen(again)
        while before == (state.exists() and state.stat().st_mtime_ns):
            assert process.poll() is None
            time.sleep(0.001)
        process.send_signal(number)
        assert process.wait() in {-number, 128 + number}
    subprocess.run(again, check=True)
    whole = out.with_name("whole")
    assert run("fit", texts_file, "-o", whole, *more).exit_code == 0
    assert (out / "model.hlta").read_bytes() == (whole / "model.hlta").read_bytes()
