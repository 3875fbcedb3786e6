"""The fuzzer: every target for a while, and whether it notices what is wrong."""

from pathlib import Path

import pytest

from tests.fuzz.runner import FOUND, Runner, jobs
from tests.fuzz.targets import targets_in
from tests.fuzz.worker import random_of

INPUTS = 60  # for each quick target, always the same; scripts/nightly makes others for an hour


@pytest.mark.slow
def test_no_input_does_harm(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    counts = {name: target.count(INPUTS) for name, target in targets_in().items()}
    runner.run(jobs(counts, INPUTS), processes=2)
    assert {name: runner.counts[name].total() for name in counts} == counts
    shown = [one.read_text()[-2000:] for one in sorted(tmp_path.glob("*/report.txt"))]
    assert not shown, "\n".join(shown)
    assert not any(count[kind] for count in runner.counts.values() for kind in FOUND)
    for kind in ("results", "refused"):
        assert sum(count[kind] for count in runner.counts.values()) > sum(counts.values()) / 10


@pytest.mark.slow
def test_whatever_goes_wrong_is_noticed(tmp_path: Path) -> None:
    names = ("well", "refused", "traceback", "nonsense", "memory", "crash", "hang")
    runner = Runner(tmp_path, limit=1.0, modules=["faults"])
    counts = dict.fromkeys(names, 4) | {"hang": 1}
    runner.run(jobs(counts, 4))
    crashes = sum(random_of(0, "crash", number).random() < 0.5 for number in range(4))
    assert 0 < crashes < 4
    assert {name: dict(+count) for name, count in runner.counts.items()} == {
        "well": {"results": 4},
        "refused": {"refused": 4},
        "traceback": {"tracebacks": 4},
        "nonsense": {"nonsense": 4},
        "memory": {"memory": 4},
        "crash": {"crashes": crashes, "results": 4 - crashes},
        "hang": {"hangs": 1},
    }
    assert "panic" in (tmp_path / "traceback-0-tracebacks" / "report.txt").read_text()
    kept = (tmp_path / "traceback-0-tracebacks" / "input" / "input").read_text()
    assert kept == str(random_of(0, "traceback", 0).random())
    assert "in hang" in (tmp_path / "hang-0-hangs" / "report.txt").read_text()
    assert len(list(tmp_path.glob("traceback-*"))) == 3  # the same place need not be kept again
