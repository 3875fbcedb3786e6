"""Packages that are missing or too old are named; what is released agrees, is pinned and audited."""

import io
import json
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement

import hlta
from hlta import Corpus, DocumentsError, HltaError, read_corpus
from hlta._support.dependencies import naming_the_remedy, unmet_requirements
from hlta.cli.workbook import output_table
from hlta.cluster import passes_on
from hlta.explorer.serve.agents import check_installed
from hlta.reading.formats import pdf
from hlta.reading.tables import columnar
from tests.scanning import TEXTS

ROOT = Path(__file__).parents[1]
FOR_DEVELOPERS = {"all", "bench", "docs", "dev"}
CHINESE, JAPANESE = "机器学习很有用" * 9, "機械学習はとても役に立つ" * 9
KOREAN, THAI = "기계 학습은 유용하다 " * 9, "การเรียนรู้ของเครื่องมีประโยชน์" * 9


def read(name: str, content: bytes) -> Callable[[Path], object]:
    def reading(folder: Path) -> object:
        file = folder / name
        file.write_bytes(content)
        return read_corpus(file)

    return reading


def segment(language: str, text: str) -> Callable[[Path], object]:
    return lambda _: Corpus.from_texts([text, text], tokenizer=language)


def connect(_: Path) -> object:
    with passes_on("local"):
        return None


def workbook(folder: Path) -> object:
    with output_table(folder / "a.xlsx", overwrite=False) as file:
        return file


# What needs an extra, and the package without which it fails.
NEEDS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "pdf": ("pypdfium2", read("a.pdf", b"%PDF-1.4")),
    "html": ("selectolax", read("a.html", b"<p>some words</p>")),
    "zst": ("zstandard", read("a.txt.zst", b"(\xb5/\xfd")),
    "lemmas": ("simplemma", lambda _: Corpus.from_texts(TEXTS * 9, lemmas="english")),
    "chinese": ("rjieba", segment("chinese", CHINESE)),
    "japanese": ("fugashi", segment("japanese", JAPANESE)),
    "korean": ("kiwipiepy", segment("korean", KOREAN)),
    "thai": ("pythainlp", segment("thai", THAI)),
    "excel": ("xlsxwriter", workbook),
    "notebook": ("anywidget", lambda _: import_module("hlta.widget")),
    "dask": ("distributed", connect),
    "mcp": ("mcp", lambda _: check_installed()),
}


@pytest.mark.parametrize("extra", NEEDS)
def test_what_extra_is_missing(extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, use = NEEDS[extra]
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "hlta.widget", raising=False)
    pdf._reader.end()  # a process that runs has its package already
    with pytest.raises((HltaError, ImportError)) as caught:
        use(tmp_path)
    assert f'pip install "hlta[{extra}]"' in str(caught.value)


@pytest.fixture
def old_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars of long ago, no NumPy, and an optional package that is too old."""
    there = {"polars": "1.0.0", "selectolax": "0.3.2", "rich": "13.9.0rc1", "ruff": "0.1"}
    monkeypatch.setattr(metadata, "version", lambda name: _version(there, name))
    needed = ["polars>=1.36", "numpy>=1.26", "rich>=13.9", "other", 'x>=1; extra == "x"']
    more = ['selectolax>=0.3.28; extra == "html"', 'ruff>=0.12; extra == "dev"']
    monkeypatch.setattr(metadata, "requires", lambda _: needed + more)


def _version(there: dict[str, str], name: str) -> str:
    if name not in there:
        raise metadata.PackageNotFoundError(name)
    return there[name]


@pytest.mark.usefixtures("old_polars")
def test_what_is_missing_or_too_old_is_named_with_the_remedy() -> None:
    assert unmet_requirements() == [
        "polars 1.0.0 is installed, and hlta needs 1.36 or later; "
        'pip install --upgrade "polars>=1.36"',
        'numpy is not installed; pip install --upgrade "numpy>=1.26"',
        "selectolax 0.3.2 is installed, and hlta needs 0.3.28 or later; "
        'pip install --upgrade "selectolax>=0.3.28"',
    ]
    with pytest.raises(ImportError, match=r"polars 1\.0\.0 is installed"), naming_the_remedy():
        raise AttributeError("module 'polars' has no attribute 'collect_batches'")


@pytest.mark.usefixtures("old_polars")
def test_a_table_that_an_old_package_cannot_read_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"")
    ended = SimpleNamespace(stdout=io.BytesIO(), kill=bool)
    with pytest.raises(DocumentsError, match=r"cannot be read: polars 1\.0\.0 is installed"):
        columnar._receive(ended, tmp_path / "a.parquet")


def test_other_errors_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert unmet_requirements() == []
    with pytest.raises(DocumentsError, match="mine"), naming_the_remedy():
        raise DocumentsError("mine")
    monkeypatch.setattr(metadata, "requires", lambda _: _version({}, "hlta"))
    assert unmet_requirements() == []  # not installed: nothing is known


BROKEN = f"""if True:
    import sys, types
    from importlib import metadata
    there = metadata.version
    metadata.version = lambda name: "1.0.0" if name == "polars" else there(name)
    metadata.requires = lambda name: ["polars>=1.36"]
    sys.modules["polars"] = types.ModuleType("polars")  # which lacks everything
    sys.argv = ["hlta", "fit", {str(ROOT / "CONTRIBUTING.md")!r}, "-o", "x"]
    from hlta.__main__ import main
    from hlta import cli
    def fail(): raise AttributeError("collect_batches")
    cli.main = fail
    main()
"""


def test_the_command_names_an_old_package_beside_the_error() -> None:
    command = [sys.executable, "-c", BROKEN]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    first, second = done.stderr.splitlines()
    assert first == "hlta: AttributeError: collect_batches"
    assert second.startswith("hlta: polars 1.0.0 is installed, and hlta needs 1.36 or later")


def test_python_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    source = Path(hlta.__file__)
    with pytest.raises(ImportError, match=r"hlta needs Python 3\.11 or later, and this is 3\."):
        exec(compile(source.read_text(encoding="utf-8"), source, "exec"), {"__name__": "hlta"})


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPE = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
BASE_VERSION = hlta.__version__.partition(".dev")[0]


def test_the_recipe_and_the_citation_agree_with_the_package() -> None:
    run = RECIPE.split("  run:\n")[1].split("\n\n")[0]
    needed = {line.strip("- ").replace(" ", "") for line in run.splitlines()}
    assert needed == {*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"}
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for text, indent in ((citation, ""), (RECIPE, "  ")):
        assert re.search(rf"^{indent}version: {re.escape(BASE_VERSION)}$", text, re.MULTILINE)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_only_publishing_may_ask_for_an_identity(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+(/\w+)*@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+(\.\d+\.\d+)?", comment), action
    assert re.search(r"^permissions:\n  contents: read$", text, re.MULTILINE)
    assert text.count("id-token: write") == (workflow.stem == "release")


def test_what_is_published_is_built_alone_by_tools_with_hashes() -> None:
    release = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    build = release.split("\n  build:\n")[1].split("\n  publish:\n")[0]
    assert re.findall(r"^      - run: (.*)$", build, re.MULTILINE) == ["scripts/build"]
    tools = (ROOT / "packaging" / "build.txt").read_text(encoding="utf-8").splitlines()[2:]
    assert all(re.fullmatch(r"[\w-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}", tool) for tool in tools)
    assert {"build", "hatchling"} <= {tool.partition("==")[0] for tool in tools}


def test_every_extra_is_in_all_and_tested() -> None:
    extras = PROJECT["optional-dependencies"]
    named = re.fullmatch(r"hlta\[(.*)\]", extras["all"][0])
    assert named is not None
    assert set(named[1].split(",")) == set(extras) - FOR_DEVELOPERS == set(NEEDS)


def test_a_developer_s_versions_are_pinned_within_the_bounds() -> None:
    lines = (ROOT / "packaging" / "development.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(re.findall(r"^([\w-]+)==([^\s;]+)", "\n".join(lines), re.MULTILINE))
    extras = PROJECT["optional-dependencies"]
    of_developers = [one for name, ones in extras.items() if name != "bench" for one in ones]
    for text in (*PROJECT["dependencies"], *of_developers):
        needed = Requirement(text)
        if needed.name != "hlta":
            assert needed.specifier.contains(pinned[needed.name], prereleases=True), text


def test_copyleft_and_the_unknown_are_not_allowed() -> None:
    """By `scripts/audit`, which continuous integration runs."""
    allowed = runpy.run_path(str(ROOT / "scripts" / "licences.py"))["ALLOWED"].search
    lesser = "GNU Lesser General Public License v3 (LGPLv3)"
    assert all(map(allowed, ("MIT", "BSD-3-Clause", "Apache Software License", lesser)))
    affero = "GNU Affero General Public License v3"
    others = ("GPL-3.0-only", affero, "Proprietary", "none is declared", "Permitted uses")
    assert not any(map(allowed, others))


@pytest.mark.parametrize(
    ("found", "line", "code"),
    [
        ([], "of 1 packages: 0", 0),
        ([{"id": "PYSEC-1", "fix_versions": ["3"]}], "harmed 2: PYSEC-1, mended in 3", 1),
    ],
)
def test_vulnerabilities_are_told_and_fail_the_audit(
    found: list[dict[str, object]], line: str, code: int, tmp_path: Path
) -> None:
    packages = [{"name": "harmed", "version": "2", "vulns": found}]
    packages += [{"name": "unknown", "skip_reason": "Dependency not found on PyPI"}]
    (report := tmp_path / "report.json").write_text(json.dumps({"dependencies": packages}))
    command = [sys.executable, str(ROOT / "scripts" / "vulnerabilities.py"), str(report)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert line in done.stdout
    assert done.stdout.endswith("does not know 1: unknown\n")
    assert (done.returncode, done.stderr) == (code, "")
