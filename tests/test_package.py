"""The package as a whole: its public names, their documentation, and what an import costs."""

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

import hlta
import hlta.evaluate

PUBLIC: Final[list[str]] = vars(hlta)["__all__"]  # type checkers are not shown it
INIT: Final = ast.parse(Path(hlta.__file__).read_text(encoding="utf-8"))


def imported(statements: list[ast.stmt]) -> dict[str, str]:
    """The names that `from hlta... import ...` brings, with the modules they come from."""
    return {
        alias.name: str(one.module)
        for one in statements
        if isinstance(one, ast.ImportFrom) and str(one.module).startswith("hlta")
        for alias in one.names
    }


def test_the_surface_is_what_is_imported_early_or_late_and_type_checkers_see_it() -> None:
    tested = (one for one in INIT.body if isinstance(one, ast.If))
    (block,) = (one for one in tested if ast.unparse(one.test) == "TYPE_CHECKING")
    assert imported(block.body) == hlta._HOME
    assert set(PUBLIC) == {*imported(INIT.body), *hlta._HOME, "__version__"}
    assert set(PUBLIC) <= set(dir(hlta))
    for name, home in hlta._HOME.items():
        assert getattr(hlta, name) is getattr(import_module(home), name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = hlta.nothing  # type: ignore[attr-defined]


# ---- documentation -----------------------------------------------------------------------------

SECTIONS: Final = (  # of numpydoc, in its order
    *("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns", "Warnings"),
    *("See Also", "Notes", "References", "Examples"),
)


def public_names(room: ModuleType) -> list[str]:
    own = [name for name, value in vars(room).items() if inspect.getmodule(value) is room]
    return getattr(room, "__all__", [name for name in own if not name.startswith("_")])


def own_members(value: type) -> set[str]:
    """What a class defines, and what it has from the parts that it is made of."""
    parts = [part for part in value.__mro__ if part.__module__.startswith("hlta.")]
    return {name for part in parts for name in vars(part)}


def documented(room: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public classes and functions of a room, and the methods that the classes define."""
    for name in public_names(room):
        value = getattr(room, name)
        if inspect.isfunction(value):
            yield f"{room.__name__}.{name}", value
        if inspect.isclass(value):
            yield f"{room.__name__}.{name}", value
            for method in sorted(own_members(value)):
                member = inspect.getattr_static(value, method)
                member = getattr(member, "__func__", member)  # of a class method
                if inspect.isfunction(member) and not method.startswith("_"):
                    yield f"{room.__name__}.{name}.{method}", member


DOCUMENTED: Final = dict(entry for room in (hlta, hlta.evaluate) for entry in documented(room))


def sections(value: Any) -> dict[str, str]:
    """The sections of a docstring in numpydoc form; what comes first is under the empty name."""
    text = inspect.getdoc(value) or ""
    parts = re.split(r"^(.+)\n-{3,}$", text, flags=re.MULTILINE)
    return {"": parts[0].strip()} | dict(zip(parts[1::2], parts[2::2], strict=True))


def entries(section: str) -> set[str]:
    """The names that a section describes: those at its margin, `a, b` being two."""
    lines = re.findall(r"^(\S[^:\n]*)", section, flags=re.MULTILINE)
    return {name.strip(" *") for line in lines for name in line.split(",")}


def parameters(value: Any) -> set[str]:
    """The names of the parameters; errors and warnings take what every exception takes."""
    if inspect.isclass(value) and issubclass(value, BaseException):
        return set()
    found = inspect.signature(value).parameters
    return {name for name in found if name not in {"self", "cls"}}


def gives_something(value: Any) -> bool:
    """Whether there is a result to describe: of its own class, its name and summary say enough."""
    annotation = str(inspect.signature(value).return_annotation)
    return annotation not in {"None", value.__qualname__.split(".")[0]}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_docstrings_are_in_numpydoc_form(name: str) -> None:
    """Summary, sections in order, every parameter; the result, where there are parameters."""
    value = DOCUMENTED[name]
    found = sections(value)
    assert found[""], "there is no summary"
    assert list(found)[1:] == [section for section in SECTIONS if section in found]
    described = entries(found.get("Parameters", ""))
    if inspect.isclass(value):
        assert parameters(value) <= described | entries(found.get("Attributes", ""))
        return
    assert described == parameters(value)
    if described and gives_something(value):
        assert "Returns" in found or "Yields" in found


# ---- imports -----------------------------------------------------------------------------------


def test_a_tree_can_be_read_and_written_without_compiling() -> None:
    code = (
        "import sys; from hlta import LatentTree; "
        "t = LatentTree(('a', 'b', 'c'), [3, 3, 3, -1], [0, 0, 0, 1], [[0.5, 0.5]] * 4); "
        "print('numba' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


def test_type_checkers_are_told_of_types() -> None:
    """The code of a user, `tests/user_code.py`, is checked with all other code."""
    assert (Path(hlta.__file__).parent / "py.typed").is_file()
