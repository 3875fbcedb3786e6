"""`hlta fit --resume`: a fit that was stopped goes on, and what is kept is never lost by mistake."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from hlta import Monitor
from hlta.learning.checkpoint_folder import STATE, checkpoint_in
from hlta.learning.seeds import NO_WISHES
from tests.command import run

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

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


def kept(out: Path) -> Path:
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
    assert f"'{kept(out)}' holds what is finished; --resume goes on" in done.stderr
    done = fit(texts_file, out, "--resume")
    assert done.exit_code == 0
    assert f"resuming from '{kept(out)}'" in done.stderr
    assert (out / "model.hlta").read_bytes() == model(texts_file, out)
    assert not kept(out).exists()
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".")] == []


def test_a_checkpoint_is_not_replaced_by_mistake(texts_file: Path, out: Path) -> None:
    stopped(texts_file, out, KeyboardInterrupt())
    before = (kept(out) / STATE).read_bytes()
    done = fit(texts_file, out)
    assert done.exit_code == 1
    assert "add --resume to go on with it, or --overwrite to begin anew" in done.stderr
    done = fit(texts_file, out, "--resume", "--seed", 1)
    assert done.exit_code == 1
    assert "another fit, with --seed 0 instead of 1" in done.stderr
    assert "--resume goes on" not in done.stderr
    assert (kept(out) / STATE).read_bytes() == before
    assert fit(texts_file, out, "--overwrite", "--seed", 1).exit_code == 0
    assert (out / "model.hlta").read_bytes() == model(texts_file, out, "--seed", 1)


def test_results_can_be_replaced_by_a_fit_that_goes_on(texts_file: Path, out: Path) -> None:
    assert fit(texts_file, out).exit_code == 0
    stopped(texts_file, out, KeyboardInterrupt(), "--overwrite", "--seed", 1)
    assert kept(out).exists()
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
    assert f"'{kept(out)}' holds what is finished" in done.stderr
    assert not out.exists()
    assert fit(texts_file, out, "--resume").exit_code == 0


def test_a_fit_that_is_under_way_is_left_alone(texts_file: Path, out: Path) -> None:
    from hlta.documents.matrix import as_documents
    from hlta.options import EMOptions, StructureOptions

    options = StructureOptions(), EMOptions()
    with checkpoint_in(
        kept(out), as_documents([[1]]), ["a"], options, NO_WISHES, 0, Monitor()
    ) as first:
        first.keep("step", 1)
        for how in ("--overwrite", "--resume"):
            done = fit(texts_file, out, how)
            assert done.exit_code == 1
            assert "another run is writing" in done.stderr
    assert kept(out).exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
def test_a_fit_that_is_killed_goes_on(texts_file: Path, out: Path) -> None:
    command = [sys.executable, "-c", AT_EACH_STEP, "fit", str(texts_file), "-o", str(out), "-q"]
    again = [*command, "--samples", "20", "--resume"]
    state = kept(out) / STATE
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
