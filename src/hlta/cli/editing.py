"""`hlta edit`: a model is changed by one edit, or by a log of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hlta._support.formats import DOCUMENTS, MODEL, PAGE, SHARES
from hlta._support.messages import join_names, plural
from hlta.cli import common_options as options
from hlta.cli import results
from hlta.cli.inputs import check_vectors, load_model, read_with_words, refuse_options
from hlta.cli.output import report_warnings
from hlta.cli.printing import show, tell
from hlta.cli.run_record import documents_of, has_documents, page_of
from hlta.errors import OptionError

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA

_NEEDS_DOCUMENTS: Final = (
    "applies to documents, and none are given; add --documents, or leave it out"
)
_TOP: Final = "top"  # where a topic is moved to become a root topic
VERBS: Final = {
    "rename": "TOPIC TITLE",
    "note": "TOPIC TEXT",
    "hide": "TOPIC",
    "show": "TOPIC",
    "pin": "TOPIC",
    "unpin": "TOPIC",
    "merge": "TOPIC INTO",
    "move": f"TOPIC|WORD BELOW|{_TOP}",
    "remove": "WORD",
    "undo": "[NUMBER]",
}
"""The edits that can be typed, with their arguments."""


@options.grouped
def edit(
    model_path: options.ModelPath,
    edits: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="EDIT",
            help="An edit: "
            + "; ".join(f"{verb} {arguments}" for verb, arguments in VERBS.items())
            + ". A TOPIC is an id or a title. Or a log of edits, as `hlta edit MODEL --json` prints it "
            "and `model.edit.save` writes it, whose edits replace those of the model.",
            show_default="print the log of the model",
        ),
    ] = None,
    *,
    documents: str | None = None,
    match: bool = False,
    reading: options.Reading,
    page: options.Page,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Change a model: rename, hide, merge or move topics, remove words, and so on.

    If the model is in the folder of a run, the other files are written again, too.

    Parameters
    ----------
    documents : PATH, default those of the fit, if files of the folder show documents
        The documents, in any form that `hlta fit` reads: those on each topic are counted, and
        documents.csv, shares.csv and the page are written again.
    match
        Accept a log of another model, too: find its topics by their words, and leave out what does not
        apply.
    """
    verb, *arguments = edits or [""]
    log = None if verb in VERBS or not edits else Path(verb)
    if log is not None and arguments:
        raise OptionError(
            f"{verb!r:.60} is no edit; use one of {', '.join(VERBS)}, or give one LOG alone"
        )
    if match and log is None:
        raise OptionError("--match applies to LOG, which is not given")
    if not edits and documents is None:
        refuse_options(_NEEDS_DOCUMENTS, reading, page)
        model = load_model(model_path)
        shown = str(model.edit) or "The model has no edits."
        show(model.edit.to_json().rstrip() if as_json else shown)
        return
    if as_json:
        raise OptionError("--json prints the log of the model; give no edits and no other options")
    from hlta.edits.log import EditLog

    done: list[str] = []
    with results.changing(model_path) as made:
        model = load_model(model_path)
        before = model.topics_
        if log is not None:
            EditLog.load(log)  # a file that is no log is refused before documents are asked for
        elif edits:
            done = edit_by(model, verb, arguments)
        corpus, paths, page = _documents(model_path, model, documents, reading, page, run)
        with report_warnings():
            refused = [] if log is None else model.edit.replay(log, corpus, match=match)
            if corpus is not None:
                model.edit.recount(corpus)
        if corpus is not None and model_path.is_dir():
            results.write_results(made, model, corpus, paths, page, model_path)
        else:
            results.rewrite_model(made, model_path, model)
    for reason in refused:
        tell(f"hlta: left out: {reason}")
    unlisted = [topic for topic in model.topics_.unlisted if topic.id in before]
    for topic in unlisted:
        tell(
            f"{topic.title!r} ({topic.id}) is no longer listed: it has nearly all documents of the topic "
            f"above, or hardly any; `hlta edit {model_path} pin {topic.id}` lists it"
        )
    written = f"Wrote {model_path}; the model has {plural(len(model.edit), 'edit')}"
    tell("\n".join([*done, written]), quiet=run.quiet)


def _documents(
    model_path: Path,
    model: HLTA,
    given: str | None,
    reading: options.Reading,
    page: options.Page,
    run: options.Run,
) -> tuple[Corpus | None, list[str], options.Page]:
    """The documents to count, if any, with their paths and the options of the page that shows them."""
    paths = [] if given is None else [given]
    rewriting = "" if paths else _that_show_documents(model_path)
    if not paths and not rewriting:
        refuse_options(_NEEDS_DOCUMENTS, reading, page)
        return None, [], page
    page = page if paths else page_of(model_path, page)
    remedy = "add --documents PATH"
    paths, reading = documents_of(model_path, paths, reading, run, remedy, rewriting=rewriting)
    words, text = model.edit.learned_words, model.text_options_
    corpus = read_with_words(paths, words, text, reading, run, with_texts=True)
    check_vectors(model, corpus, reading, run)
    return corpus, paths, page


def _that_show_documents(model_path: Path) -> str:
    """The names of files of the model's folder that show documents, which must be known to go on."""
    stale = [name for name in (DOCUMENTS, SHARES, PAGE) if (model_path / name).exists()]
    if stale and not has_documents(model_path, None):
        raise OptionError(
            f"{join_names(stale)} in {str(model_path)!r} would no longer agree with the model; add "
            f"--documents PATH, or edit {str(model_path / MODEL)!r} alone"
        )
    return join_names(stale)


# ---- one edit as it is typed -------------------------------------------------------------------


def edit_by(model: HLTA, verb: str, arguments: list[str]) -> list[str]:
    """Make one edit of a model, or take back the last ones, and return lines that say so.

    Topics are given by id or by title.
    """
    expected = VERBS[verb].split()
    if len(arguments) != len(expected) and not (verb == "undo" and not arguments):
        raise OptionError(f"{verb}: use it as `{verb} {VERBS[verb]}`")
    if verb == "undo":
        number = _number(*arguments)
        before = model.edit.describe(number)
        model.edit.undo(number)
        return [f"Undone: {line}" for line in reversed(before)]
    if verb == "move":
        name, below = arguments
        model.edit.move(name, None if below == _TOP else below)
    else:
        getattr(model.edit, verb)(*arguments)
    return [f"Done: {line}" for line in model.edit.describe()]


def _number(text: str = "1") -> int:
    try:
        return int(text)
    except ValueError:
        raise OptionError(f"undo {text!r:.60}: use the number of edits to take back") from None
