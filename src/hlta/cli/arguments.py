"""Arguments that commands share, and what becomes of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from hlta.reading.records import ReadOptions

_ENDINGS = {
    *(".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz"),
    *(".txt", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather"),
    *(".npz", ".mtx", ".ldac", ".md", ".html", ".htm", ".pdf"),
}
READING, TEXT, MODEL, PAGE, RUN = "Reading", "Words", "Model", "Page", "Run"

Source = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="A folder of text, HTML and PDF files; a CSV, TSV, JSON, JSON lines, Parquet or Arrow "
        "file; a file with a document a line; - for standard input; a matrix (docword*.txt, .ldac, "
        ".sparse.txt, .npz, .mtx) or a corpus that was saved.",
    ),
]
ModelPath = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model, or the folder that `hlta fit` left.")
]
Folder = Annotated[Path, typer.Option("--output", "-o", help="Folder for the results.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the output if it exists.")]

Heading = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="What stands above the page.",
        show_default="the name of the source",
        rich_help_panel=PAGE,
    ),
]
PageDocuments = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Documents that the page holds; of more, the likeliest of each topic and a sample.",
        show_default="20,000, fewer if they are long",
        rich_help_panel=PAGE,
    ),
]


def _column(part: str, flag: str) -> Any:
    return typer.Option(
        flag,
        metavar="NAME",
        help=f"Column or key of the {part}.",
        show_default="by its name",
        rich_help_panel=READING,
    )


TextColumn = Annotated[str | None, _column("text", "--text")]
TitleColumn = Annotated[str | None, _column("title", "--title")]
IdColumn = Annotated[str | None, _column("id", "--id")]
DateColumn = Annotated[str | None, _column("date", "--date")]
GroupColumn = Annotated[str | None, _column("group", "--group")]
Encoding = Annotated[
    str | None,
    typer.Option(
        help="Encoding of the files.",
        metavar="NAME",
        show_default="guessed",
        rich_help_panel=READING,
    ),
]
KeepMail = Annotated[
    bool,
    typer.Option(
        "--keep-mail",
        help="Keep headers, quotes and signatures of mail.",
        rich_help_panel=READING,
    ),
]
SkipBroken = Annotated[
    bool,
    typer.Option(
        "--skip-broken",
        help="Leave out lines that cannot be read, instead of stopping at the first.",
        rich_help_panel=READING,
    ),
]
Vocabulary = Annotated[
    Path | None,
    typer.Option(
        help="The words of a matrix, one a line.",
        metavar="FILE",
        show_default="beside it",
        rich_help_panel=READING,
    ),
]
NWords = Annotated[
    int | None,
    typer.Option(
        "--words",
        help="Words to keep, those with the highest average TF-IDF.",
        show_default="by the number of documents",
        rich_help_panel=TEXT,
    ),
]
NGrams = Annotated[
    int, typer.Option(help="Longest phrases that may become a word.", rich_help_panel=TEXT)
]
StopWords = Annotated[
    str,
    typer.Option(
        help="Language of the stop words, auto, none, or a file with one a line.",
        rich_help_panel=TEXT,
    ),
]
MinDf = Annotated[
    float | None,
    typer.Option(
        help="Documents a word must be in: a number, or a share below 1.",
        show_default="by the number of documents",
        rich_help_panel=TEXT,
    ),
]
MaxDf = Annotated[
    float | None,
    typer.Option(
        help="Documents a word may be in: a number above 1, or a share.",
        show_default="by the number of documents",
        rich_help_panel=TEXT,
    ),
]
MinLength = Annotated[
    int | None,
    typer.Option(
        help="Characters a word must have.",
        show_default="3; 2 in Chinese and Japanese",
        rich_help_panel=TEXT,
    ),
]
Numbers = Annotated[
    bool, typer.Option("--numbers", help="Keep words with digits.", rich_help_panel=TEXT)
]
KeepCase = Annotated[
    bool, typer.Option("--keep-case", help="Tell capital letters apart.", rich_help_panel=TEXT)
]
Lemmas = Annotated[
    str | None,
    typer.Option(
        help="Language; words become their base forms. Needs hlta\\[lemmas].",
        metavar="LANGUAGE",
        show_default="words stay as they are",
        rich_help_panel=TEXT,
    ),
]
Segment = Annotated[
    str | None,
    typer.Option(
        help="chinese or japanese, which put no spaces between words.",
        metavar="LANGUAGE",
        show_default="words are runs of letters",
        rich_help_panel=TEXT,
    ),
]
Include = Annotated[
    Path | None,
    typer.Option(
        help="Words to keep whatever else is said, one a line.",
        metavar="FILE",
        show_default="none",
        rich_help_panel=TEXT,
    ),
]
Exclude = Annotated[
    Path | None,
    typer.Option(
        help="Words to leave out whatever else is said, one a line.",
        metavar="FILE",
        show_default="none",
        rich_help_panel=TEXT,
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of everything that is random.", rich_help_panel=RUN)]
NoSeed = Annotated[
    int,
    typer.Option(help="Taken as by every verb; nothing is random here.", rich_help_panel=RUN),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        help="Threads; the result does not depend on them.",
        show_default="all processors",
        rich_help_panel=RUN,
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Say nothing but errors.", rich_help_panel=RUN)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=RUN)]


def read_options(
    text: str | None,
    title: str | None,
    id_: str | None,
    date: str | None,
    group: str | None,
    encoding: str | None,
    keep_mail: bool,
    skip_broken: bool,
) -> ReadOptions:
    """How to read files."""
    from hlta.reading.records import ReadOptions

    return ReadOptions(
        text=text,
        title=title,
        id=id_,
        date=date,
        group=group,
        encoding=encoding,
        mail="keep" if keep_mail else "auto",
        broken="skip" if skip_broken else "stop",
    )


def text_options(
    words: int | None,
    ngrams: int,
    stop_words: str,
    min_df: float | None,
    max_df: float | None,
    min_length: int | None,
    numbers: bool,
    keep_case: bool,
    lemmas: str | None,
    segment: str | None,
    include: Path | None,
    exclude: Path | None,
) -> dict[str, Any]:
    """Options of words that differ from the defaults: a matrix takes none."""
    stop: Any = None if stop_words == "none" else stop_words
    if stop is not None and Path(stop).is_file():
        stop = listed(Path(stop))
    options = {
        "n_words": words,
        "ngrams": None if ngrams == 1 else ngrams,
        "stop_words": stop,
        "min_df": int(min_df) if min_df is not None and min_df >= 1 else min_df,
        "max_df": int(max_df) if max_df is not None and max_df > 1 else max_df,
        "min_length": min_length,
        "numbers": numbers or None,
        "lowercase": False if keep_case else None,
        "lemmas": lemmas,
        "tokenizer": segment,
        "include": None if include is None else listed(include),
        "exclude": None if exclude is None else listed(exclude),
    }
    given = {name: value for name, value in options.items() if value is not None}
    if stop_words == "none":
        given["stop_words"] = None
    elif stop_words == "auto":
        del given["stop_words"]
    return given


def listed(path: Path) -> list[str]:
    """The words of a file with one a line."""
    text = path.read_text(encoding="utf-8-sig")
    return [line.strip() for line in text.splitlines() if line.strip()]


def heading(source: str) -> str:
    """What stands above the page of documents from there."""
    name = Path(source).resolve().name if source != "-" else ""
    while (stem := Path(name).stem) and Path(name).suffix.lower() in _ENDINGS:
        name = stem
    return name or "Topics"
