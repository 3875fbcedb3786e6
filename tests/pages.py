"""What tests do with pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def saved(page: Any, press: Callable[[], None]) -> tuple[str, bytes]:
    with page.expect_download() as waiting:
        press()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()
