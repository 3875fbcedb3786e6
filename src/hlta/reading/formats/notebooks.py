"""What an author wrote in a Jupyter notebook: prose and code, without what the code printed."""

from __future__ import annotations

import json
from typing import Any

from hlta.documents.fields import as_string
from hlta.errors import DocumentsError
from hlta.reading.records import Record


def notebook_text(data: str) -> Record:
    """The sources of all cells; the first heading is the title. The record has no id."""
    try:
        notebook = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DocumentsError(f"it is not valid JSON: {error}") from None
    cells = [cell for cell in _cells(notebook) if isinstance(cell, dict)]
    if not cells:
        raise DocumentsError("it is not a notebook: it has no cells")
    sources = [(cell.get("cell_type"), _source(cell)) for cell in cells]
    lines = (line for kind, text in sources if kind == "markdown" for line in text.splitlines())
    title = next((line.strip("# \t") for line in lines if line.startswith("# ")), "")
    return Record("\n\n".join(text for _, text in sources), "", title)


def _cells(notebook: Any) -> list[Any]:
    """The cells of a notebook of format 4, or of format 3, which has sheets."""
    sheets = [notebook, *_entries(notebook, "worksheets")]
    return [cell for sheet in sheets for cell in _entries(sheet, "cells")]


def _entries(value: Any, key: str) -> list[Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def _source(cell: dict[str, Any]) -> str:
    """The text of a cell, stored as a string or a list of lines; in format 3, code is in "input"."""
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list):
        return "".join(map(as_string, source))
    return as_string(source)
