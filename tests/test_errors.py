"""The tables of errors in the documentation: all classes and all messages are there, and no others."""

import ast
import re
from pathlib import Path

import hlta
from hlta import errors

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "errors.md"
SOURCE = Path(hlta.__file__).parent
FILLED_IN = "\N{HORIZONTAL ELLIPSIS}"


def column(heading: str) -> list[str]:
    """The first cells of the table below a heading."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.*?) \|", section, re.MULTILINE)
    return rows[1:]


def text_of(node: ast.expr) -> str | None:
    """A message as it stands in the source, or None if it is made elsewhere."""
    if isinstance(node, ast.JoinedStr):
        parts = (p.value if isinstance(p, ast.Constant) else FILLED_IN for p in node.values)
        return "".join(map(str, parts))
    if isinstance(node, ast.BinOp):
        return f"{text_of(node.left) or FILLED_IN}{text_of(node.right) or FILLED_IN}"
    if isinstance(node, ast.IfExp):
        return f"{text_of(node.body) or FILLED_IN} {text_of(node.orelse) or FILLED_IN}"
    return str(node.value) if isinstance(node, ast.Constant) else None


def strings(tree: ast.AST) -> list[str]:
    """All strings of a module."""
    kinds = (ast.JoinedStr, ast.Constant)
    return [text_of(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)]


def raised(tree: ast.AST) -> list[str]:
    """The messages of the errors that a module makes; `error` stands for a class that it is given."""
    made = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    named = (call for call in made if isinstance(call.func, ast.Name) and call.func.id in CLASSES)
    found = (text_of(call.args[0]) for call in named)
    return [text for text in found if text is not None]


CLASSES = {*(name for name in vars(errors) if name.endswith("Error")), "error"}
TREES = [ast.parse(file.read_text(encoding="utf-8")) for file in sorted(SOURCE.rglob("*.py"))]
TEXTS = "\n".join(text for tree in TREES for text in strings(tree))
MESSAGES = sorted({message for tree in TREES for message in raised(tree)})
EXPLAINED = [
    piece
    for heading in ("Messages", "Messages about files and models", "Messages about arguments")
    for cell in column(heading)
    for piece in cell.split(" / ")
]
REMEDIES = {word for cell in column("Messages that say what to do") for word in cell.split(", ")}


def test_every_class_is_explained_and_every_message_is_one_that_the_package_has() -> None:
    classes = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert {name.strip("`") for name in column("Classes")} == classes
    texts = f"{TEXTS}\n{TEXTS.replace(FILLED_IN, '')}"
    assert [message for message in EXPLAINED if message not in texts] == []


def says_what_to_do(message: str) -> bool:
    """Whether a word of the remedies begins a clause, or says what must be."""
    words = "|".join(sorted(REMEDIES - {"must"}))
    clause = rf"(^|[;,:] |\b(and|or|so|see|to) |pip )({words})\b|\bmust\b"
    return re.search(clause, message) is not None


def test_every_error_is_explained_or_says_what_to_do() -> None:
    assert len(MESSAGES) > 300
    only_filled_in = re.compile(rf"(edit|line|[\W{FILLED_IN}])*")
    unexplained = [
        message
        for message in MESSAGES
        if not any(piece in message for piece in EXPLAINED)
        and not says_what_to_do(message)
        and not only_filled_in.fullmatch(message)
    ]
    assert unexplained == [], "explain these in docs/reference/errors.md, or say what to do"


def test_every_message_of_a_model_that_cannot_be_loaded_is_explained() -> None:
    """The name of an argument does not say what is wrong with a file."""
    known = column("Messages")
    found = raised(ast.parse((SOURCE / "tree" / "model_file.py").read_text("utf-8")))
    assert len(found) > 10
    assert [text for text in found if not any(piece in text for piece in known)] == []
