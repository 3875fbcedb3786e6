"""Arguments and options that several commands take, each declared once, and groups of them.

Typer derives the options of a command from the parameters of one function and knows no groups.
`grouped` bridges the two: a parameter that is a dataclass stands for all options among its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_origin, get_type_hints

import typer

from hlta._support.threads import on_threads
from hlta.options import EMOptions, StructureOptions


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Show Typer the fields of each group in place of the group, and reassemble it on call."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    shown: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        hint = hints[parameter.name]
        if is_dataclass(hint):
            groups[parameter.name] = hint
            shown += options_of(hint)
        else:
            # As keywords, options with a default may stand before those without one.
            shown.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hint))

    @wraps(command)
    def expanded(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in options_of(group)})
        jobs = next(
            (run.jobs for run in given.values() if isinstance(run, Run | LearningRun)), None
        )
        with on_threads(jobs):
            command(**given)

    expanded.__signature__ = Signature(shown)  # type: ignore[attr-defined]
    expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return expanded


def options_of(group: Any) -> list[Parameter]:
    """The options among the fields of a group: those annotated with one.

    A subclass withholds an option by giving its field a plain type.
    """
    hints = get_type_hints(group, include_extras=True)
    return [
        parameter.replace(annotation=hints[name])
        for name, parameter in signature(group).parameters.items()
        if get_origin(hints[name]) is Annotated
    ]


Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="A table (CSV, TSV, Excel, JSON, JSON Lines, Parquet, Arrow); a mailbox; a text file with "
        "one document per line; a file with one document, such as PDF, HTML, Word or mail; a folder "
        "of any of these; several paths, read as if they were in one folder; - for standard input; a "
        "matrix (docword*.txt, .ldac, .sparse.txt, .npz, .mtx); or a saved corpus.",
    ),
]
ModelPath = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file, or the folder that `hlta fit` wrote.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the output if it exists.")]


def table_output(otherwise: str, what: str = "") -> Any:
    """The option `-o` of a command that writes a table, and what it does `otherwise`."""
    text = f"Table to write, .csv or .xlsx{what}."
    return typer.Option("--output", "-o", help=text, show_default=otherwise)


def _number_or_word(value: int | str) -> int | str:
    """An argument as a number if it is one; a default as it is."""
    return int(value) if str(value).isdecimal() else value


def _in_panel(panel: str) -> Any:
    """A function that declares options under one heading of the help."""

    def option(text: str, *flags: str, default: str | bool = True, **more: Any) -> Any:
        return typer.Option(*flags, help=text, show_default=default, rich_help_panel=panel, **more)

    return option


_reading, _words, _model, _page, _writing, _run = map(
    _in_panel, ("Reading", "Words", "Model", "Page", "For an article, in place of the page", "Run")
)


def _column(part: str) -> Any:
    text = f"Column or key that holds the {part}, or its number if there are no names."
    return _reading(text, f"--{part}", default="one with a usual name", metavar="NAME")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How files become documents."""

    text: Annotated[str | None, _column("text")] = None
    title: Annotated[str | None, _column("title")] = None
    id: Annotated[str | None, _column("id")] = None
    date: Annotated[str | None, _column("date")] = None
    group: Annotated[str | None, _column("group")] = None
    date_format: Annotated[
        str | None,
        _reading(
            "How dates are written, such as %d/%m/%y; others are read as usual.",
            default="guessed",
            metavar="FORMAT",
        ),
    ] = None
    skip_rows: Annotated[
        int | None,
        _reading("Rows above the one that names the columns of a table.", default="guessed", min=0),
    ] = None
    sheet: Annotated[
        str | None, _reading("The sheet of a workbook to read.", default="all", metavar="NAME")
    ] = None
    delimiter: Annotated[
        str | None,
        _reading(
            "What separates the fields of a table: tab, ;, | or any other.", default="guessed"
        ),
    ] = None
    encoding: Annotated[
        str | None, _reading("Encoding of the files.", default="guessed", metavar="NAME")
    ] = None
    keep_mail: Annotated[
        bool, _reading("Keep the headers, quotes and signatures of mail.", "--keep-mail")
    ] = False
    skip_broken: Annotated[
        bool, _reading("Skip lines that cannot be read instead of stopping.", "--skip-broken")
    ] = False
    vocabulary: Annotated[
        Path | None,
        _reading(
            "The words of a matrix, one per line.", default="a file beside it", metavar="FILE"
        ),
    ] = None
    metadata: Annotated[
        Path | None,
        _reading(
            "A table of ids, titles, dates and groups, with a row per document of a matrix.",
            default="none",
            metavar="FILE",
        ),
    ] = None
    vectors: Annotated[
        Path | None,
        _reading(
            "Vectors of the documents, from an encoder of texts: .npy with a row per document, or .npz "
            "or .parquet with ids.",
            default="none",
            metavar="FILE",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class ReadingTextAndId(Reading):
    """For commands that name documents but have no use for their dates and groups."""

    date: None = None
    date_format: None = None
    group: None = None


@dataclass(frozen=True, kw_only=True)
class ReadingIds(ReadingTextAndId):
    """For commands that count words and look documents up."""

    vectors: None = None


@dataclass(frozen=True, kw_only=True)
class ReadingText(ReadingIds):
    """For commands that only count words."""

    id: None = None


def _word_file(effect: str) -> Any:
    text = f"{effect} regardless of other options, one per line."
    return _words(text, default="none", metavar="FILE")


_by_size = partial(_words, default="depends on the number of documents")


@dataclass(frozen=True, kw_only=True)
class Words:
    """What counts as a word, and which words are kept."""

    n_words: Annotated[
        int | None,
        _words(
            "Words to keep: those with the highest average TF-IDF.",
            "--words",
            default="depends on the number and the length of the documents",
        ),
    ] = None
    ngrams: Annotated[int, _words("Length of the longest phrases, in words.")] = 1
    stop_words: Annotated[
        str,
        _words(
            "Stop words: languages, such as english,russian; auto for those of the languages found; "
            "none; or a file with one per line."
        ),
    ] = "auto"
    min_df: Annotated[
        float | None,
        _by_size("Fewest documents a word must occur in: a number, or a share below 1."),
    ] = None
    max_df: Annotated[
        float | None, _by_size("Most documents a word may occur in: a number above 1, or a share.")
    ] = None
    min_length: Annotated[
        int | None,
        _words("Fewest characters a word must have.", default="3; 2 in Chinese, Japanese, Korean"),
    ] = None
    numbers: Annotated[bool, _words("Keep words with digits.", "--numbers")] = False
    keep_case: Annotated[bool, _words("Distinguish upper and lower case.", "--keep-case")] = False
    lemmas: Annotated[
        str | None,
        _words(
            "Reduce words to their base forms in this language. Needs hlta\\[lemmas].",
            default="words stay as they are",
            metavar="LANGUAGE",
        ),
    ] = None
    segment: Annotated[
        str,
        _words(
            "Find the words in chinese, japanese, korean or thai text; auto finds the language, too; "
            "none leaves runs of letters as they are; whitespace takes what stands between spaces.",
            metavar="LANGUAGE",
        ),
    ] = "auto"
    include: Annotated[Path | None, _word_file("Words or phrases to keep")] = None
    exclude: Annotated[Path | None, _word_file("Words to leave out")] = None
    count_repeats: Annotated[
        bool, _words("Let texts that repeat others word for word count, too.", "--count-repeats")
    ] = False
    drop_passages: Annotated[
        bool,
        _words(
            "Leave out passages that occur in many documents, such as signatures.",
            "--drop-passages",
        ),
    ] = False
    keep_style: Annotated[
        bool,
        _words(
            'Keep filler words, which rarely recur within a document, such as "recently".',
            "--keep-style",
        ),
    ] = False


def _wishes(what: str) -> Any:
    return _model(f"{what}, as JSON.", default="none", metavar="FILE")


@dataclass(frozen=True, kw_only=True)
class Model:
    """How the tree is learned; fields are named like the parameters of `HLTA`."""

    max_top_topics: Annotated[
        int, _model("Add levels until at most this many topics are at the top (the paper's tau).")
    ] = StructureOptions.max_top_topics
    max_island_size: Annotated[
        int, _model("Most words, or topics, directly below a topic (mu).")
    ] = StructureOptions.max_island_size
    ud_threshold: Annotated[
        float,
        _model("How much better, in BIC, two topics must be than one to split a group (delta)."),
    ] = StructureOptions.ud_threshold
    association: Annotated[
        str, _model("Which pairs of words count as related: positive, any, or auto.")
    ] = StructureOptions.association
    structure_sample: Annotated[
        int,
        _model(
            "Documents to learn the structure from (N'); each sample that votes has up to twice as many. "
            "0 for all."
        ),
    ] = StructureOptions.structure_sample or 0
    refine: Annotated[
        bool, _model("Let samples vote on the structure, which goes beyond the paper.")
    ] = StructureOptions.refine
    samples: Annotated[
        Any,
        _model(
            "Samples of the documents that vote on the structure; 1 is quick.",
            parser=_number_or_word,
            metavar="NUMBER|auto",
        ),
    ] = StructureOptions.samples
    states: Annotated[
        Any,
        _model(
            "States per latent variable: 2 as in the paper, a number up to 64, or auto.",
            default="4 per island of words, 2 per topic",
            parser=_number_or_word,
            metavar="NUMBER|auto",
        ),
    ] = StructureOptions.states
    seeds: Annotated[
        Path | None, _wishes("Topics known beforehand: titles with lists of words")
    ] = None
    apart: Annotated[Path | None, _wishes("Words that must not share a topic: lists of words")] = (
        None
    )
    keep_documents: Annotated[
        int, _model("Most documents whose words the model keeps, for `hlta update --relearn`.")
    ] = 0
    em: Annotated[str, _model("How parameters are learned: batch, stepwise, or auto.")] = (
        EMOptions.em
    )
    em_steps: Annotated[int, _model("Batch EM: number of steps (kappa).")] = EMOptions.em_steps
    batch_size: Annotated[int, _model("Stepwise EM: documents per minibatch.")] = (
        EMOptions.batch_size
    )
    step_exponent: Annotated[float, _model("Stepwise EM: exponent of the step size (alpha).")] = (
        EMOptions.step_exponent
    )
    em_updates: Annotated[int, _model("Stepwise EM: number of updates.")] = EMOptions.em_updates
    lowest_level: Annotated[int, _model("Level of the most specific topics shown.")] = 2
    n_keywords: Annotated[int, _model("Keywords per topic.", "--keywords")] = 10
    n_topics: Annotated[
        int | None, _model("Show this many topics as a flat list.", "--topics", default="the tree")
    ] = None


@dataclass(frozen=True, kw_only=True)
class Page:
    """What the page shows."""

    heading: Annotated[
        str | None, _page("Title of the page.", default="the name of the source", metavar="TEXT")
    ] = None
    page_documents: Annotated[
        int | None,
        _page(
            "Most documents on the page. If there are more, it shows those with the largest shares of "
            "each topic and a random sample.",
            default="50,000, fewer if they are long",
            min=1,
            metavar="N",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class WriteUp:
    """What an article about the topics needs, in place of the page."""

    methods: Annotated[
        bool,
        _writing(
            "Print a paragraph on how the topics were found, with the reference.", "--methods"
        ),
    ] = False
    appendix: Annotated[
        Path | None,
        _writing(
            "Write a table of the topics, with typical quotes if there are documents: .csv, .md or .tex.",
            metavar="FILE",
        ),
    ] = None
    codebook: Annotated[
        Path | None,
        _writing("Write instructions for a second coder, in Markdown.", metavar="FILE"),
    ] = None

    @property
    def is_wanted(self) -> bool:
        """Whether any of it was asked for."""
        return self.methods or self.appendix is not None or self.codebook is not None


Jobs = Annotated[
    int | None, _run("Threads; results are the same for any number.", default="all processors")
]
Cluster = Annotated[
    str | None,
    _run(
        "Where files are read and passes over documents run: tcp://HOST:PORT for the scheduler of a "
        "Dask cluster, or local for processes on this machine. Needs hlta\\[dask].",
        default="threads",
        metavar="ADDRESS|local",
    ),
]
Quiet = Annotated[bool, _run("Print only errors and requested results.", "--quiet", "-q")]
AsJson = Annotated[bool, _run("Print the result as JSON.", "--json")]
AsJsonLines = Annotated[bool, _run("Print JSON Lines, one object per document.", "--json")]


@dataclass(frozen=True, kw_only=True)
class Run:
    """How a command runs."""

    jobs: Jobs = None
    quiet: Quiet = False


@dataclass(frozen=True, kw_only=True)
class LearningRun:
    """Where the results of learning go, and how it runs."""

    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the results.")]
    overwrite: Overwrite = False
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Resume a fit that was stopped, with the same result. Progress is kept in "
            "OUTPUT.checkpoint.",
        ),
    ] = False
    seed: Annotated[int, _run("Seed of all random choices.")] = 0
    jobs: Jobs = None
    cluster: Cluster = None
    quiet: Quiet = False
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class DemoRun(LearningRun):
    """For the demo, which may only write its files."""

    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for the results.", show_default=False),
    ] = None  # type: ignore[assignment]
