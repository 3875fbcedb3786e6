"""Files that strangers made: whatever they say, nothing connects, unpickles or writes elsewhere.

Each hostile file is given to every command and method that takes one of its kind. It is refused by
name, or what it says is not done.
"""

import contextlib
import json
import os
import pickle
import shutil
import socket
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from scipy.sparse import csr_array

from hlta import HLTA, Corpus, FormatError, Monitor, OptionError, load
from hlta.cli.common_options import Reading, Run
from hlta.cli.serving import prepare_archive, read_model_and_documents
from hlta.estimator.face import OF_THE_RUN
from hlta.learning import checkpoint_folder
from hlta.reading.matrices.matrix_files import Matrix, write_matrix
from hlta.tree.model_file import read_archive, write_archive
from tests.command import run
from tests.disk import Disk, Kill, Killed, draft_of, files_in, using
from tests.model_files import change_file, header_of
from tests.watching import HarmError, watching

SCHEDULER: Final = "tcp://127.0.0.1:9"


class Evil:
    """What a pickle could run."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("true",)


@pytest.fixture
def place(fitted: Path, texts_file: Path, tmp_path: Path) -> Path:
    """A folder with documents and the results of a run, and one outside with files of the user."""
    shutil.copytree(fitted, tmp_path / "in" / "model")
    shutil.copy(texts_file, tmp_path / "in" / "texts.csv")
    names, *rows = texts_file.read_text().splitlines()
    (tmp_path / "in" / "more.csv").write_text("\n".join([names, *reversed(rows)]))
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "thesis.txt").write_text("years of work")
    return tmp_path / "in"


def serve(place: Path) -> str:
    """Prepare to serve; the documents as they stand in the page."""
    texts = [str(place / "texts.csv")]
    found = read_model_and_documents(place / "model", texts, Reading(), Run(quiet=True))
    with ExitStack() as ending:
        return prepare_archive(found, Monitor(), ending).store.blocks["documents"]


COMMANDS: Final = {
    "topics": "topics model",
    "assign": "assign model texts.csv -o x.csv",
    "score": "score model texts.csv",
    "report": "report model texts.csv -o x.html",
    "titles": "titles model --from model/topics.csv",
    "edit": "edit model --json",
    "edit by a log": "edit model log.json --documents texts.csv",
    "update": "update model more.csv",
    "evaluate": "evaluate model texts.csv",
    "trends": "trends model texts.csv --group id --by group",
    "compare": "compare model model",
    "convert": "convert model x.bif",
    "fit": "fit model -o new",
    "serve": "serve",
}


def do(place: Path, command: str) -> Any:
    """Run a command within the folder, or prepare to serve."""
    if command == "serve":
        return serve(place)
    with contextlib.chdir(place):
        return run(*command.split())


def rewrite_header(model: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    header = header_of(model)
    change(header)
    change_file(model, header)


def forge(file: Path, change: dict[str, Any]) -> None:
    """Let a file of JSON say something else."""
    file.write_text(json.dumps(json.loads(file.read_text()) | change))


EVIL: Final = np.array([Evil()], dtype=object)


def assert_refused(done: Any, *named: str) -> None:
    assert done.exit_code == 1, done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert done.stderr.startswith("hlta: ")
    assert all(name in done.stderr for name in named), done.stderr


OF_A_RUN: Final = {"client": SCHEDULER, "checkpoint": "x", "progress": True, "output": "x"}
"""Where a run works, writes and reports; and what no file ever said."""


@pytest.mark.parametrize("field", OF_A_RUN)
@pytest.mark.parametrize("part", ["options", "statistics", "header", "header of a tree"])
def test_a_model_does_not_say_where_it_runs_or_writes(place: Path, part: str, field: str) -> None:
    file = place / "model" / "model.hlta"
    if part == "header of a tree":
        shutil.copy(Path(__file__).parent / "frozen" / "tree.hlta", file)
    rewrite_header(file, lambda header: header.get(part, header).update({field: OF_A_RUN[field]}))
    with watching(place), pytest.raises(FormatError, match=f"the field '{field}'"):
        load(file)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "fit"])
def test_no_command_connects_where_a_model_says(place: Path, name: str) -> None:
    """But for `hlta fit`, which reads no model."""
    model = place / "model" / "model.hlta"
    rewrite_header(model, lambda header: header["options"].update(client=SCHEDULER))
    with watching(place):
        if name == "serve":
            with pytest.raises(FormatError, match="its options have the field 'client', which"):
                serve(place)
        else:
            assert_refused(do(place, COMMANDS[name]), "its options have the field 'client', which")


def test_what_is_loaded_runs_here(place: Path) -> None:
    """A number of threads, which older files hold, is up to whoever loads the model."""
    file = place / "model" / "model.hlta"
    rewrite_header(file, lambda header: header["options"].update(n_jobs=10**9))
    model = HLTA.load(file)
    expected = dict.fromkeys(("n_jobs", "client", "checkpoint")) | {"progress": False}
    assert {name: getattr(model, name) for name in OF_THE_RUN} == expected
    X = np.arange(40 * model.tree_.n_words).reshape(40, -1) % 3 == 0
    with watching(place):
        model.partial_fit(Corpus(X, model.tree_.words)).transform(X)


def test_every_parameter_of_a_model_is_one_or_the_other() -> None:
    """A new parameter must be put on one of the two lists."""
    from hlta.estimator.face import OF_THE_MODEL

    assert frozenset(HLTA().get_params(deep=False)) == OF_THE_MODEL | OF_THE_RUN
    assert not OF_THE_MODEL & OF_THE_RUN


@pytest.mark.parametrize("member", ["parent", "counts"])
def test_arrays_of_a_model_are_not_unpickled(place: Path, member: str) -> None:
    change_file(place / "model" / "model.hlta", arrays={member: EVIL})
    with watching(place):
        assert_refused(run("topics", place / "model"), "holds Python objects")


def save_corpus(place: Path) -> Path:
    texts = ["deep neural networks", "dark matter in galaxies"] * 20
    Corpus.from_texts(texts, min_df=1, max_df=1.0).save(place / "corpus")
    return place / "corpus"


CONVERT: Final = "convert corpus x.mtx"
READING: Final = ("fit corpus -o new -q", CONVERT, "assign model corpus", "update model corpus")


@pytest.mark.parametrize(
    ("command", "change", "named"),
    [
        *((command, {"client": SCHEDULER}, "'client'") for command in READING),
        (CONVERT, {"text": {"client": SCHEDULER}}, "'client'"),
        (CONVERT, {"text": {"tokenizer": "os.system"}}, "os.system"),
    ],
)
def test_a_corpus_rules_nothing(place: Path, command: str, change: Any, named: str) -> None:
    forge(save_corpus(place) / "corpus.json", change)
    with watching(place):
        assert_refused(do(place, command), named)


@pytest.mark.parametrize("array", ["00000.indptr", "00000.indices", "coverage"])
def test_arrays_of_a_corpus_are_not_unpickled(place: Path, array: str) -> None:
    folder = save_corpus(place)
    np.save(folder / f"{array}.npy", EVIL, allow_pickle=True)
    with watching(place):
        assert_refused(do(place, CONVERT), "damaged")


@pytest.mark.parametrize("suffix", [".npz", ".npy", ".pkl", ".txt"])
def test_documents_are_not_unpickled(place: Path, suffix: str) -> None:
    evil = place / f"evil{suffix}"
    if suffix == ".npz":
        np.savez(evil, data=EVIL, allow_pickle=True)
    else:
        evil.write_bytes(pickle.dumps(Evil()))
    with watching(place):
        done = run("fit", evil, "-o", place / "new")
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)


def test_a_log_of_edits_decides_nothing(place: Path) -> None:
    log = json.loads(run("edit", place / "model", "--json").stdout)
    for change in (
        {"client": SCHEDULER},
        {"edits": [{"edit": "hide", "topic": "Z2-1", "client": SCHEDULER}]},
    ):
        (place / "log.json").write_text(json.dumps(log | change))
        with watching(place):
            assert_refused(do(place, COMMANDS["edit by a log"]), "'client'")


def test_a_checkpoint_decides_nothing(place: Path) -> None:
    save_corpus(place)
    (folder := place / "new.checkpoint").mkdir()
    header = {"format": "hlta", "version": 3, "kind": "checkpoint", "client": SCHEDULER}
    header |= {"fit": {}, "steps": {}, "arrays": {}, "digest": ""}
    with zipfile.ZipFile(folder / "state.hlta", "w") as archive:
        archive.writestr("header.json", json.dumps(header))
    with watching(place):
        done = run("fit", place / "corpus", "-o", place / "new", "--resume", "-q")
        assert_refused(done, "'client'", "delete the folder")


@pytest.mark.usefixtures("each_step")
@pytest.mark.parametrize("number", [-1, 2**31, 10**6])
def test_a_checkpoint_with_votes_on_nothing_is_refused(place: Path, number: int) -> None:
    """They would be used as indices."""
    corpus, folder = Corpus.load(save_corpus(place)), place / "new.checkpoint"
    HLTA(samples=2, em_steps=1, checkpoint=folder).fit(corpus)
    header, arrays = read_archive(folder / "state.hlta", lambda header: header["arrays"])
    del header["digest"], header["steps"]["structure"]
    name = header["steps"]["vote 0"][0]["array"]
    arrays[name] = arrays[name].copy()
    arrays[name][1] = number
    header["digest"] = checkpoint_folder._digest(header, arrays)
    with (folder / "state.hlta").open("wb") as file:
        write_archive(file, header, arrays)
    with pytest.raises(FormatError, match="'vote 0' in the checkpoint is damaged; delete it"):
        HLTA(samples=2, em_steps=1, checkpoint=folder).fit(corpus)


@pytest.mark.parametrize(
    "change",
    [
        {"source": ["a.csv", "--client=tcp://127.0.0.1:9/x.csv", "a.csv\nrm -rf b.csv"]},
        {
            "source": "-o/outside/thesis.csv",
            "updates": [{"source": "--overwrite.csv"}],
            "read": {"keep": ["--client tcp://127.0.0.1:9", "-o"]},
        },
    ],
)
def test_the_record_of_a_run_adds_no_options(place: Path, change: dict[str, Any]) -> None:
    forge(place / "model" / "run.json", change)
    with watching(place):
        done = run("update", place / "model", place / "more.csv")
    assert done.exit_code == 0, done.output
    suggested = [line.split() for line in done.stderr.splitlines() if "hlta assign" in line]
    beside = [str(place / "model" / name) for name in ("documents.csv", "shares.csv")]
    assert [line[-2] for line in suggested] == beside
    main, least = ({word for word in line if word.startswith("-")} for line in suggested)
    usual = {"-o", "--overwrite", "--text", "--id"}
    assert {word.split("=")[0] for word in main} <= usual | {"--keep", "--main"}
    assert least <= usual | {"--least"}


DAMAGED: Final = "run.json is damaged: it does not hold the record of a run; remove it"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        *(({"updates": [1]}, DAMAGED), ({"updates": {}}, DAMAGED)),
        *(({"source": [1]}, DAMAGED), ({"source": 5}, DAMAGED)),
        ({"read": "x"}, DAMAGED),
        *(({"read": {"keep": "x"}}, DAMAGED), ({"read": {"keep": [5]}}, DAMAGED)),
        *(({"read": {"text": ["x"]}}, DAMAGED), ({"read": {"skip_rows": "2"}}, DAMAGED)),
        *(({"folder": 3}, DAMAGED), ({"page": {"heading": 3}}, DAMAGED)),
        *(({"documents": "x"}, DAMAGED), ({"options": [1]}, DAMAGED)),
        *(("[]", DAMAGED), ('{"hlta": ', "run.json is damaged: it is not JSON")),
        ({"client": SCHEDULER}, "run.json has the field 'client', which this hlta never writes"),
    ],
)
def test_an_odd_record_is_refused(place: Path, change: Any, message: str) -> None:
    if isinstance(change, str):
        (place / "model" / "run.json").write_text(change)
    else:
        forge(place / "model" / "run.json", change)
    before = files_in(place)
    with watching(place):
        assert_refused(run("update", place / "model", place / "more.csv"), message)
    assert files_in(place) == before


READ_ONLY: Final = ("topics", "assign", "score", "report", "edit", "evaluate", "compare", "convert")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_forged_draft_replaces_nothing_of_the_user(place: Path, name: str) -> None:
    """As if a stranger's archive was unpacked into the user's own folder."""
    model = place / "model"
    mine = {"notes.txt": "mine", ".bashrc": "mine", "README": "mine"}
    for file, text in mine.items():
        (model / file).write_text(text)
    for target in ("model.hlta", "topics.json", "x"):
        for part in ("moving", "old"):
            forged = draft_of(model / target) / part
            forged.mkdir(parents=True)
            for file in mine:
                (forged / file).write_text("evil")
    draft = draft_of(model / "run.json")
    draft.mkdir()
    (draft / "moving").symlink_to(place.parent / "outside")
    (place / "log.json").write_text(run("edit", model, "--json").stdout)
    before = files_in(model)
    with watching(place):
        done = do(place, COMMANDS[name])
    if name not in ("fit", "serve"):
        assert done.exit_code == 0, done.output  # the watch lets commands do their work
    assert {file: (model / file).read_text() for file in mine} == mine
    assert os.listdir(place.parent / "outside") == ["thesis.txt"]
    if name in READ_ONLY:
        assert files_in(model) == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_in_a_folder_of_results_are_replaced_and_not_followed(place: Path) -> None:
    mine = place.parent / "outside" / "thesis.txt"
    for name, leads_to, command in (
        ("index.html", mine, "report model texts.csv"),
        ("documents.csv", mine.with_name("new"), "assign model texts.csv -o model/documents.csv"),
    ):
        (place / "model" / name).unlink()
        (place / "model" / name).symlink_to(leads_to)
        with watching(place):
            assert_refused(do(place, command), name, "exists")
            done = do(place, f"{command} --overwrite")
        assert done.exit_code == 0, done.output
        assert not (place / "model" / name).is_symlink()
    assert mine.read_text() == "years of work"
    assert os.listdir(mine.parent) == ["thesis.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_what_is_kept_for_serving_is_no_link(place: Path) -> None:
    (place / "model.served").symlink_to(place.parent / "outside")
    with watching(place), pytest.raises(OptionError, match="is not what hlta serve keeps there"):
        serve(place)


def test_what_stands_in_the_page_as_it_is_must_be_base64(place: Path) -> None:
    """Or else a folder that came with a model could write into the page."""
    serve(place)
    file = place / "model.served"

    def block() -> str:
        with closing(sqlite3.connect(file)) as db:
            found: str = db.execute("SELECT data FROM kept WHERE name = 'documents'").fetchone()[0]
        return found

    genuine = block()
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE kept SET data = '</script>' || data WHERE name = 'documents'")
        db.commit()
    assert serve(place) == genuine
    assert block() == genuine  # made again


def test_a_killed_update_is_not_made_twice(place: Path) -> None:
    """The next one completes it, and says so."""
    model = place / "model"
    before = HLTA.load(model)._fitted.statistics
    shutil.copytree(model, place / "copy")
    with using(Disk()) as disk:
        run("update", place / "copy", place / "more.csv", "-q")
    last = len(disk.done) - disk.done[::-1].index("replace")  # that of the model
    with using(Kill(last)), suppress(Killed):
        run("update", model, place / "more.csv", "-q")
    done = run("update", model, place / "more.csv", "-q")
    assert_refused(done, "a run was killed while it replaced", "run this command again")
    after = HLTA.load(model)._fitted.statistics
    assert before is not None
    assert after is not None
    assert after.weight == 2 * before.weight
    again = run("update", model, place / "more.csv", "-q")
    assert_refused(again, "the model has already learned from these documents")


def test_titles_are_read_before_what_a_killed_run_left_is_completed(place: Path) -> None:
    model = place / "model"
    table = model / "topics.csv"
    first = HLTA.load(model).topics_.roots[0].id
    ready = draft_of(model / "model.hlta") / "moving"
    ready.mkdir(parents=True)
    for name in ("model.hlta", "topics.csv"):
        shutil.copy(model / name, ready / name)
    table.write_text(f"id,level,parent,title\n{first},3,,My own title\n")
    assert_refused(run("titles", model, "--from", table), "replaced now")
    assert "My own title" not in table.read_text()  # it was the killed run's to replace


def test_a_matrix_with_a_forged_draft_is_read_as_it_is(place: Path) -> None:
    counts = csr_array(np.eye(4, dtype=int)[[0, 1, 2, 3, 0, 1]])
    write_matrix(place / "x.mtx", Matrix(counts, ("apples", "bread", "cheese", "dates")))
    ready = draft_of(place / "x.mtx") / "moving"
    ready.mkdir(parents=True)
    (ready / "thesis.txt").write_text("evil")
    (place / "thesis.txt").write_text("mine")
    before = files_in(place)
    with watching(place):
        done = run("convert", place / "x.mtx", place / "y.mtx", "--min-df", 1)
    assert done.exit_code == 0, done.output
    assert {k: v for k, v in files_in(place).items() if not k.startswith("y.")} == before


HARM: Final[tuple[Callable[[Path], object], ...]] = (
    lambda _: socket.create_connection(("127.0.0.1", 9)),
    lambda _: pickle.loads(b"cos\nsystem\n(S'true'\ntR."),
    lambda _: subprocess.run([sys.executable, "-c", ""], check=True),
    lambda folder: (folder / "x").write_text(""),
    lambda folder: os.replace(folder / "in" / "x", folder / "x"),
    lambda folder: (folder / "kept").unlink(),
)


@pytest.mark.parametrize("act", HARM)
def test_harm_is_noticed_even_if_caught(act: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x").touch()
    (tmp_path / "kept").touch()

    def act_and_catch() -> None:
        with watching(tmp_path / "in"), suppress(BaseException):
            act(tmp_path)

    with pytest.raises(HarmError):
        act_and_catch()
    assert (tmp_path / "kept").exists()
