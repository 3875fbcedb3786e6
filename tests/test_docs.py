"""README.md and docs/ do what they show: their blocks run, and every option that they name exists."""

import json
import re
import runpy
import shlex
import shutil
import socketserver
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, NamedTuple
from urllib.request import urlopen

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from benchmarks.rules import RULES
from hlta import HLTA, read_corpus
from hlta.cli import app

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
MADE: Final = DOCS / "_build"  # by scripts/docs
PAGES: Final = [
    ROOT / "README.md",
    *(page for page in sorted(DOCS.rglob("*.md")) if MADE not in page.parents),
]
N_PAPERS: Final = 200  # two or more of each archive, as halves of them for cross-validation need


class Block(NamedTuple):
    """A fenced block: what follows the backticks, the line it begins at, and its text."""

    kind: str
    line: int
    text: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    fences = re.finditer(r"^```(.*)\n((?:.*\n)*?)```$", text, re.MULTILINE)
    return [Block(f[1].strip(), text.count("\n", 0, f.start(2)) + 1, f[2]) for f in fences]


def python_blocks(page: Path) -> list[Block]:
    """The blocks to run; those marked `python no-run` need what is not here."""
    return [block for block in blocks(page) if block.kind == "python"]


def commands(page: Path) -> list[str]:
    """Every `hlta ...` line of the blocks for a shell, without its comment."""
    shells = (block for block in blocks(page) if block.kind in {"sh", "bash", "console"})
    lines = (line.removeprefix("$ ") for block in shells for line in block.text.splitlines())
    return [line.split(" #")[0].strip() for line in lines if line.startswith("hlta ")]


def inline_code(page: Path) -> list[str]:
    prose = re.sub(r"^```.*\n(?:.*\n)*?```$", "", page.read_text(encoding="utf-8"), flags=re.M)
    return re.findall(r"`([^`\n]+)`", prose)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def pages_with(what: Callable[[Path], Any]) -> pytest.MarkDecorator:
    """One test for each page that has such blocks."""
    chosen = [page for page in PAGES if what(page)]
    return pytest.mark.parametrize("page", chosen, ids=name_of)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what `hlta demo --files .` writes, fewer papers in it, and what else is named."""
    folder = tmp_path_factory.mktemp("docs")
    assert run_command("hlta demo --files .", folder).exit_code == 0
    for name in ("papers.jsonl", "papers.csv", "new.jsonl", "titles.txt"):
        whole = (folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
        rows, head = (whole[1:], whole[:1]) if name.endswith(".csv") else (whole, [])
        some = rows[:: max(1, len(rows) // N_PAPERS)][:N_PAPERS]
        (folder / name).write_text("".join([*head, *some]), encoding="utf-8")
    lines = (folder / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    for shard in sorted((folder / "shards").iterdir())[1:]:
        shard.unlink()
    shutil.copy(folder / "papers.jsonl", folder / "shards" / "1.jsonl")
    for name in ("PATH", "NEW"):  # a reader's own
        shutil.copytree(folder / "reports", folder / name)
    np.save(folder / "vectors.npy", np.random.default_rng(0).normal(size=(len(records), 16)))
    model = HLTA(em_steps=5).fit(read_corpus(folder / "papers.jsonl"))
    model.tree_.to_bif(folder / "model.bif")
    words = [topic.words for topic in model.topics_]
    (folder / "lists.json").write_text(json.dumps(words), encoding="utf-8")
    vectors = (f"{word} {k % 7} {k % 3} 1" for k, word in enumerate(model.tree_.words))
    (folder / "GoogleNews.bin").write_text("\n".join(vectors), encoding="utf-8")
    fitted = run_command("hlta fit papers.jsonl -o topics", folder)
    assert fitted.exit_code == 0, fitted.output
    edited = HLTA.load(folder / "topics")
    titles = {edited.topics_.roots[0].id: "A title by hand"}
    edited.set_titles(titles).save(folder / "topics" / "model.hlta")
    for other in ("topics2", "topics3"):
        shutil.copytree(folder / "topics", folder / other)
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def no_display() -> Iterator[None]:
    """Matplotlib, where it is installed, draws without a window."""
    if find_spec("matplotlib") is None:
        yield
        return
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    yield
    pyplot.close("all")


SERVE = socketserver.BaseServer.serve_forever


def opened_once(server: Any, *arguments: float) -> None:
    """In place of `serve_forever`: somebody opens the page once it is ready, then presses Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():  # it is being prepared
        SERVE(server, *arguments)
        return
    with ThreadPoolExecutor() as browser:
        page = browser.submit(lambda: urlopen(server.address, timeout=60).read())
        server.handle_request()
        assert page.result().lstrip().lower().startswith(b"<!doctype html")
    raise KeyboardInterrupt


def run_command(line: str, folder: Path) -> Any:
    """One `hlta ...` line, in this process; `> FILE` takes what it prints."""
    line, _, file = line.partition(" > ")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setattr(socketserver.BaseServer, "serve_forever", opened_once)
        done = CliRunner().invoke(app, shlex.split(line)[1:])
        if file:
            Path(file).write_text(done.stdout, encoding="utf-8")
        return done


@pytest.mark.slow
@pages_with(python_blocks)
@pytest.mark.usefixtures("folder", "no_display")
def test_python_blocks_run(page: Path) -> None:
    """In the order of the page, in one namespace, as a reader would paste them."""
    found = python_blocks(page)
    if any("matplotlib" in block.text for block in found):
        pytest.importorskip("matplotlib")
    namespace: dict[str, Any] = {"__name__": page.stem}
    for block in found:
        # Lines are counted as in the page, so that a traceback points there.
        code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
        exec(code, namespace)


@pytest.mark.slow
@pages_with(commands)
def test_commands_run(page: Path, folder: Path, demo_files: Path) -> None:
    lines = commands(page)
    for name in ("topics", "topics2", "topics3"):
        if any(f"-o {name} " in f"{line} " for line in lines):  # the page makes it itself
            shutil.rmtree(folder / name)
    for line in lines:
        if line == "hlta demo --files .":  # they are there already, and fewer
            continue
        if line == "hlta demo -o demo":
            shutil.copytree(demo_files / "results", folder / "demo")
            continue
        done = run_command(line, folder)
        assert done.exit_code == 0, f"{line}\n{done.output}"


def verbs() -> dict[str, set[str]]:
    """The options of each verb; those of `hlta` itself are under the empty name."""

    def options(command: Any) -> set[str]:
        parameters = command.get_params(typer.Context(command))
        return {name for one in parameters for name in (*one.opts, *one.secondary_opts)} | {"-h"}

    group: Any = typer.main.get_command(app)
    return {"": options(group)} | {name: options(verb) for name, verb in group.commands.items()}


VERBS: Final = verbs()


def long_options(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text))


@cache
def of_other_programs() -> set[str]:
    """Options of the benchmarks and scripts."""
    folders = (ROOT / "benchmarks", ROOT / "scripts")
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    sources = (file.read_bytes().decode("utf-8", "ignore") for file in files)
    return {option for source in sources for option in re.findall(r"--[a-z][\w-]*", source)}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_and_options_that_are_named_exist(page: Path) -> None:
    codes = inline_code(page)
    for code in (*(code for code in codes if code.startswith("hlta ")), *commands(page)):
        first = code.split()[1]
        verb = "" if first.startswith("-") else first
        assert verb in VERBS, code
        assert long_options(code) <= VERBS[verb], code
    named = {option for code in codes for option in re.findall(r"(?<!\S)--[a-z][\w-]*", code)}
    assert named <= set[str]().union(*VERBS.values(), of_other_programs())


def test_the_site_lists_every_verb_and_option() -> None:
    path = DOCS / "_extensions" / "command_line.py"
    listed = runpy.run_path(str(path))["command_line"]()
    sections = dict(re.findall(r"^## `hlta (\w+)`\n(.*?)(?=^## |\Z)", listed, re.M | re.S))
    assert sections.keys() == VERBS.keys() - {""}
    for verb, section in sections.items():
        declared = " ".join(re.findall(r"^````{option} (.*)$", section, re.M))
        taken = {name for name in VERBS[verb] if name.startswith("-")} - {"--help", "-h"}
        assert long_options(declared) == taken, verb


TYPED: Final = {
    "stopwords": "stop-words.md",
    "excel csv export": "export.md",
    "number how many topics": "number-of-topics.md",
    "rename merge topics": "edit.md",
    "gpu umap outliers": "from-bertopic.md",
    "pyldavis": "from-lda.md",
}
"""What people type into the search, and the page that it must find."""


def test_pages_have_the_words_by_which_people_search() -> None:
    for typed, page in TYPED.items():
        text = (DOCS / "how-to" / page).read_text(encoding="utf-8").lower()
        assert [word for word in typed.split() if word not in text] == [], page


def test_the_site_lists_the_numbers_of_the_method() -> None:
    path = DOCS / "_extensions" / "method_numbers.py"
    listed = "\n".join(runpy.run_path(str(path))["lists"]())
    rows = re.findall(r"^- `[\w, ]+` = .*?\*Measured as: (.*)\.\*$", listed, re.M)
    named = {name for row in rows for name in row.split(", ")}
    changed = {
        name
        for name, rule in RULES.items()
        if any(place.rpartition(".")[2].lstrip("_").isupper() for place in rule.changes)
    }
    assert set() < changed <= named
    for rule in RULES.values():
        assert all(resolve_name(place) is not None for place in rule.changes)
