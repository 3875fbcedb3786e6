"""Options that several commands take, in groups, and how a command declares its own.

Typer derives options from the parameters of one function, each annotated with its help, and knows no
groups. `grouped` adds them: the help of a parameter is its entry in the docstring of the command or the
group, and a parameter whose type is a dataclass becomes one option for each field.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, cleandoc, signature
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, ClassVar, Final, get_args, get_origin, get_type_hints

import typer

from hlta._support.threads import on_threads
from hlta.options import EMOptions, StructureOptions

_SECTION: Final = re.compile(r"\n+Parameters\n-+\n")
_ONE_BREAK: Final = re.compile(r"(?<!\n)\n(?!\n)")  # help is wrapped by the width of the terminal
_VALUES: Final = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH"}
_ENTRY: Final = re.compile(r"^(\w.*)\n((?:    .*\n?)*)", re.MULTILINE)
# name (-n) : METAVAR, from 0 to 9, default what happens without it
_HEAD: Final = re.compile(
    r"(?P<name>\w+)(?: \((?P<short>-\w)\))?(?: :)?(?: (?P<metavar>[^a-z][^,]*?),?)?"
    r"(?: from (?P<min>[\d.]+)(?: to (?P<max>[\d.]+))?,?)?(?: default (?P<show_default>.+))?"
)


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Give Typer a command, with the fields of each group in place of the group.

    Parameters that may be given by position become arguments, all others options. The docstring has an
    entry for each parameter that is neither a group nor annotated for Typer: the head, `name (-n) :
    METAVAR, from 0 to 9, default what happens without it`, of which only the name is required, and the
    help.
    """
    hints = get_type_hints(command, include_extras=True)
    text, described = _documented(command)
    groups: dict[str, Any] = {}
    shown: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        hint = hints[parameter.name]
        if is_dataclass(hint):
            groups[parameter.name] = hint
            shown += options_of(hint)
        else:
            shown.append(_declared(parameter, hint, described.get(parameter.name, {})))

    @wraps(command)
    def expanded(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in options_of(group)})
        jobs = next(
            (run.jobs for run in given.values() if isinstance(run, Run | LearningRun)), None
        )
        with on_threads(jobs):
            command(**given)

    expanded.__doc__ = _ONE_BREAK.sub(" ", text)
    expanded.__signature__ = Signature(shown)  # type: ignore[attr-defined]
    expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return expanded


def options_of(group: Any) -> list[Parameter]:
    """The options of a group: its fields, without those that a subclass removes by the type `None`."""
    described: dict[str, dict[str, Any]] = {}
    for one in reversed(group.__mro__):
        described |= _documented(one)[1]
    hints = get_type_hints(group, include_extras=True)
    panel = getattr(group, "panel", None)
    return [
        _declared(parameter, hints[name], described.get(name, {}), panel)
        for name, parameter in signature(group).parameters.items()
        if hints[name] is not NoneType
    ]


def flag_of(name: str) -> str:
    """The flag of a parameter, such as --topics for n_topics."""
    return f"--{name.removeprefix('n_').removeprefix('as_').replace('_', '-')}"


def _documented(what: Any) -> tuple[str, dict[str, dict[str, Any]]]:
    """The text of a docstring above its parameters, and keyword arguments for Typer for each of these."""
    text, *entries = _SECTION.split(cleandoc(what.__doc__ or ""))
    described = {}
    for head, about in _ENTRY.findall("".join(entries)):
        parts = _HEAD.fullmatch(head)
        if parts is None:
            raise ValueError(f"{head!r} does not say how an option is given")
        said: dict[str, Any] = {"help": " ".join(about.split()), **parts.groupdict()}
        for end in ("min", "max"):
            if said[end] is not None:
                said[end] = float(said[end]) if "." in said[end] else int(said[end])
        said["show_default"] = said["show_default"] or True
        described[said.pop("name")] = said
    return text, described


def _declared(
    parameter: Parameter, hint: Any, described: dict[str, Any], panel: str | None = None
) -> Parameter:
    """A parameter annotated for Typer; an annotation that is already for Typer is kept."""
    if get_origin(hint) is not Annotated:
        said = described.copy()
        short = said.pop("short", None)
        if said.get("metavar") is None:
            kinds = (hint, *get_args(hint))
            said["metavar"] = next((_VALUES[kind] for kind in kinds if kind in _VALUES), None)
        if {int, str} <= {*get_args(hint)}:
            hint, said["parser"] = Any, _number_or_word
        if parameter.kind is Parameter.KEYWORD_ONLY:
            # A flag that is on by default can be turned off, too.
            flags = [] if parameter.default is True else [flag_of(parameter.name)]
            flags += [short] if short else []
            hint = Annotated[hint, typer.Option(*flags, rich_help_panel=panel, **said)]
        else:
            hint = Annotated[hint, typer.Argument(**said)]
    # Keyword-only, since options with a default may precede those without one.
    return parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hint)


def _number_or_word(value: int | str) -> int | str:
    """A value that consists of digits as an int; any other unchanged."""
    return int(value) if str(value).isdecimal() else value


_SOURCES: Final = (
    "A table (CSV, TSV, Excel, JSON, JSON Lines, Parquet, Arrow); a mailbox; a text file with "
    "one document per line; a file with one document, such as PDF, HTML, Word or mail; a folder "
    "of any of these; several paths, read as if they were in one folder; - for standard input; a "
    "matrix (docword*.txt, .ldac, .sparse.txt, .npz, .mtx); or a saved corpus."
)
Sources = Annotated[list[str], typer.Argument(metavar="PATH", help=_SOURCES)]
Documents = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH",
        help=_SOURCES,
        show_default="those that the model was learned from, read in the same way",
    ),
]
ModelPath = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file, or the folder that `hlta fit` wrote.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the output if it exists.")]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How files become documents.

    Parameters
    ----------
    text : NAME, default one with a usual name
        Column or key that holds the text, or its number if there are no names.
    title : NAME, default one with a usual name
        Column or key that holds the title, or its number if there are no names.
    id : NAME, default one with a usual name
        Column or key that holds the id, or its number if there are no names.
    date : NAME, default one with a usual name
        Column or key that holds the date, or its number if there are no names.
    group : NAME, default one with a usual name
        Column or key that holds the group, or its number if there are no names.
    keep : NAME, default none
        Column or key to compare documents by, too, such as a country or a kind; may be repeated, and all
        stands for every column with few values.
    date_format : FORMAT, default guessed
        How dates are written, such as %d/%m/%y; others are read as usual.
    skip_rows : from 0, default guessed
        Rows above the one that names the columns of a table.
    sheet : NAME, default all
        The sheet of a workbook to read.
    delimiter : default guessed
        What separates the fields of a table: tab, ;, | or any other.
    encoding : NAME, default guessed
        Encoding of the files.
    keep_mail
        Keep the headers, quotes and signatures of mail.
    skip_broken
        Skip lines that cannot be read instead of stopping.
    vocabulary : FILE, default a file beside it
        The words of a matrix, one per line.
    metadata : FILE, default none
        A table of ids, titles, dates and groups, with a row per document of a matrix.
    vectors : FILE, default none
        Vectors of the documents, from an encoder of texts: .npy with a row per document, or .npz or
        .parquet with ids.
    """

    panel: ClassVar = "Reading"
    text: str | None = None
    title: str | None = None
    id: str | None = None
    date: str | None = None
    group: str | None = None
    keep: list[str] | None = None
    date_format: str | None = None
    skip_rows: int | None = None
    sheet: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    keep_mail: bool = False
    skip_broken: bool = False
    vocabulary: Path | None = None
    metadata: Path | None = None
    vectors: Path | None = None


@dataclass(frozen=True, kw_only=True)
class ReadingTextAndId(Reading):
    """For commands that name documents but have no use for their dates and groups."""

    date: None = None
    date_format: None = None
    group: None = None


@dataclass(frozen=True, kw_only=True)
class ReadingIds(ReadingTextAndId):
    """For commands that count words and look documents up."""

    keep: None = None
    vectors: None = None


@dataclass(frozen=True, kw_only=True)
class ReadingText(ReadingIds):
    """For commands that only count words."""

    id: None = None


@dataclass(frozen=True, kw_only=True)
class Words:
    r"""What counts as a word, and which words are kept.

    Parameters
    ----------
    n_words : default depends on the number of documents
        Words to keep: those with the highest average TF-IDF.
    ngrams
        Length of the longest phrases, in words.
    stop_words
        Stop words: languages, such as english,russian; auto for those of the languages found; none; or
        a file with one per line.
    min_df : default depends on the number of documents
        Fewest documents a word must occur in: a number, or a share below 1.
    max_df : default depends on the number of documents
        Most documents a word may occur in: a number above 1, or a share.
    min_length : default 3; 2 in Chinese, Japanese, Korean
        Fewest characters a word must have.
    numbers
        Keep words with digits and letters, such as covid19.
    keep_case
        Distinguish upper and lower case.
    lemmas : LANGUAGE, default words stay as they are
        Reduce words to their base forms in this language. Needs hlta\[lemmas].
    segment : LANGUAGE
        Find the words in chinese, japanese, korean or thai text; auto finds the language, too; none
        leaves runs of letters as they are; whitespace takes what stands between spaces.
    include : FILE, default none
        Words or phrases to keep regardless of other options, one per line.
    exclude : FILE, default none
        Words to leave out regardless of other options, one per line.
    count_repeats
        Let texts that repeat others word for word count, too.
    drop_passages
        Leave out passages that occur in many documents, such as signatures.
    keep_style
        Keep filler words, which rarely recur within a document, such as "recently".
    """

    panel: ClassVar = "Words"
    n_words: int | None = None
    ngrams: int = 1
    stop_words: str = "auto"
    min_df: float | None = None
    max_df: float | None = None
    min_length: int | None = None
    numbers: bool = False
    keep_case: bool = False
    lemmas: str | None = None
    segment: str = "auto"
    include: Path | None = None
    exclude: Path | None = None
    count_repeats: bool = False
    drop_passages: bool = False
    keep_style: bool = False


@dataclass(frozen=True, kw_only=True)
class Model:
    """How the tree is learned; fields are named like the parameters of `HLTA`.

    Parameters
    ----------
    max_top_topics
        Add levels until at most this many topics are at the top (the paper's tau).
    max_island_size
        Most words, or topics, directly below a topic (mu).
    ud_threshold
        Split a group of words in two only if that raises its BIC by more than this (delta).
    association
        Which pairs of words count as related: positive, any, or auto.
    structure_sample
        Documents to learn the structure from (N'); each sample that votes has up to twice as many. 0
        for all.
    refine
        Let samples vote on the structure, which goes beyond the paper.
    samples : NUMBER|auto
        Samples of the documents that vote on the structure; 1 is quick.
    states : NUMBER|auto, default 4 per island of words, 2 per topic
        States per latent variable: 2 as in the paper, a number up to 64, or auto.
    seeds : FILE, default none
        Topics known beforehand: titles with lists of words, as JSON.
    apart : FILE, default none
        Words that must not share a topic: lists of words, as JSON.
    em
        How parameters are learned: batch, stepwise, or auto.
    em_steps
        Batch EM: number of steps (kappa).
    batch_size
        Stepwise EM: documents per minibatch.
    step_exponent
        Stepwise EM: exponent of the step size (alpha).
    em_updates
        Stepwise EM: number of updates.
    lowest_level
        Level of the most specific topics shown.
    n_keywords
        Keywords per topic.
    n_topics : default the tree
        Show this many topics as a flat list.
    """

    panel: ClassVar = "Model"
    max_top_topics: int = StructureOptions.max_top_topics
    max_island_size: int = StructureOptions.max_island_size
    ud_threshold: float = StructureOptions.ud_threshold
    association: str = StructureOptions.association
    structure_sample: int = StructureOptions.structure_sample or 0
    refine: bool = StructureOptions.refine
    samples: int | str = StructureOptions.samples
    states: int | str | None = StructureOptions.states
    seeds: Path | None = None
    apart: Path | None = None
    em: str = EMOptions.em
    em_steps: int = EMOptions.em_steps
    batch_size: int = EMOptions.batch_size
    step_exponent: float = EMOptions.step_exponent
    em_updates: int = EMOptions.em_updates
    lowest_level: int = 2
    n_keywords: int = 10
    n_topics: int | None = None


@dataclass(frozen=True, kw_only=True)
class Page:
    """What the page shows.

    Parameters
    ----------
    heading : TEXT, default the name of the source
        Title of the page.
    page_documents : N, from 1, default 50,000, fewer if they are long
        Most documents on the page. If there are more, it shows those with the largest shares of each
        topic and a random sample.
    """

    panel: ClassVar = "Page"
    heading: str | None = None
    page_documents: int | None = None


@dataclass(frozen=True, kw_only=True)
class WriteUp:
    """What an article about the topics needs, in place of the page.

    Parameters
    ----------
    methods
        Print a paragraph on how the topics were found, with the reference.
    appendix : FILE
        Write a table of the topics, with typical quotes if there are documents: .csv, .md or .tex.
    codebook : FILE
        Write instructions for a second coder, in Markdown.
    depth : N, from 1, default all
        Layers of topics in the table and the instructions.
    """

    panel: ClassVar = "For an article, in place of the page"
    methods: bool = False
    appendix: Path | None = None
    codebook: Path | None = None
    depth: int | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether any of it was asked for."""
        return self.methods or self.appendix is not None or self.codebook is not None


def _run(text: str, *flags: str, **more: Any) -> Any:
    return typer.Option(*flags, help=text, rich_help_panel=Run.panel, **more)


@dataclass(frozen=True, kw_only=True)
class Run:
    """How a command runs.

    Parameters
    ----------
    jobs : default all processors
        Threads; results are the same for any number.
    quiet (-q)
        Print only errors and requested results.
    """

    panel: ClassVar = "Run"
    jobs: int | None = None
    quiet: bool = False


Cluster = Annotated[
    str | None,
    _run(
        "Where files are read and passes over documents run: tcp://HOST:PORT for the scheduler of a "
        "Dask cluster, or local for processes on this machine. Needs hlta\\[dask].",
        show_default="threads",
        metavar="ADDRESS|local",
    ),
]
_OUTPUT: Final = typer.Option("--output", "-o", metavar="PATH", help="Folder for the results.")
AsJson = Annotated[bool, _run("Print the result as JSON.", "--json")]
AsJsonLines = Annotated[bool, _run("Print JSON Lines, one object per document.", "--json")]


@dataclass(frozen=True, kw_only=True)
class LearningRun:
    """Where the results of learning go, and how it runs.

    Parameters
    ----------
    seed
        Seed of all random choices.
    jobs : default all processors
        Threads; results are the same for any number.
    quiet (-q)
        Print only errors and requested results.
    """

    panel: ClassVar = Run.panel
    output: Annotated[Path, _OUTPUT]
    overwrite: Overwrite = False
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Resume a fit that was stopped, with the same result. Progress is kept in "
            "OUTPUT.checkpoint.",
        ),
    ] = False
    seed: int = 0
    jobs: int | None = None
    cluster: Cluster = None
    quiet: bool = False
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class DemoRun(LearningRun):
    """For the demo, which needs no output if it only writes its files."""

    output: Annotated[Path | None, _OUTPUT] = None  # type: ignore[assignment]
