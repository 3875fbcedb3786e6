"""Jupyter notebooks: prose and code, not what the code printed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hlta import DocumentsError
from hlta.reading.formats.notebooks import notebook_text


def test_prose_and_code_are_read() -> None:
    cells: list[Any] = [
        {
            "cell_type": "code",
            "source": "# no title\nimport numpy",
            "outputs": [{"text": "printed"}],
        },
        {"cell_type": "markdown", "source": ["# On nets\n", "Deep nets"]},
        "no cell",
        {"cell_type": "raw"},
    ]
    record = notebook_text(json.dumps({"cells": cells, "metadata": {"name": "kernel"}}))
    assert " ".join(record.text.split()) == "# no title import numpy # On nets Deep nets"
    assert record.title == "On nets"


def test_notebooks_of_format_3_are_read() -> None:
    sheets = [{"cells": [{"cell_type": "code", "input": ["a\n", "b"]}]}]
    assert notebook_text(json.dumps({"worksheets": sheets})).text == "a\nb"


@pytest.mark.parametrize("data", ["", "[" * 100_000, "{}", "[]", '{"cells": {}}', '{"cells": [1]}'])
def test_what_is_no_notebook_is_told(data: str) -> None:
    with pytest.raises(DocumentsError, match="it is not "):
        notebook_text(data)
