"""What people come for can be done on the page, and takes as little as the documentation says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.clicks import TASKS, Task, demo_of, taken
from tests.keys import Keys

if TYPE_CHECKING:
    from benchmarks.clicks import Demo

TABLE = (Path(__file__).parents[1] / "docs" / "development" / "experiments.md").read_text(
    encoding="utf-8"
)


@pytest.fixture(scope="module")
def known(demo: Any) -> Demo:
    return demo_of(*demo)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_takes_what_the_table_says(
    browser: Any, page_file: Path, known: Demo, task: Task
) -> None:
    now = taken(browser, page_file, known, task)
    assert f"| {task.name} | {task.before} | {now} |" in TABLE


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_can_be_done_by_keyboard(
    browser: Any, page_file: Path, known: Demo, task: Task
) -> None:
    taken(browser, page_file, known, task, Keys)
