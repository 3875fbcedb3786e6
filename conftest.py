"""Examples in docstrings run in a folder of their own, so that the files they write leave no trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _folder_of_examples(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(tmp_path)
