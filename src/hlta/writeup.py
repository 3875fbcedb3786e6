"""Texts about a model, for an article: a paragraph on methods, an appendix of topics, a codebook."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.cells import cell, line
from hlta._support.checks import check_whole
from hlta._support.messages import join_names, plural
from hlta.documents.corpus import check_corpus
from hlta.errors import DocumentsError
from hlta.estimator import HLTA
from hlta.options import IN_PART
from hlta.topics.exports import with_layers
from hlta.topics.representatives import typical
from hlta.topics.topic import as_percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hlta.documents.corpus import Corpus
    from hlta.topics.topic import Topic

REFERENCES: Final = (
    "Chen, P., Zhang, N. L., Liu, T., Poon, L. K. M., Chen, Z., & Khawar, F. (2017). Latent tree models "
    "for hierarchical topic detection. Artificial Intelligence, 250, 105-124.",
    "The hlta authors (2026). hlta: Hierarchical topic detection with latent tree models, in Python "
    "[Computer software].",
)
_QUOTES: Final = 2  # per topic
_LONGEST: Final = 300  # characters of a quote
_CANDIDATES: Final = 10  # typical documents among which quotes are looked for
_ADDRESS: Final = re.compile(r"[^\s<>@]+@[^\s<>@]+\.[^\s<>@.,]+")
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\U0003ffff]")
_WORDS: Final = 10  # per topic
# A sentence does not end after an initial or "e.g.", nor before a lower-case letter or a digit ("Nr. 5").
_SENTENCE: Final = re.compile(
    r"(?<=[.!?])(?<!\b\w\.)(?<!e\.g\.)(?<!i\.e\.)\s+(?![a-z\d])|(?<=[\u3002\uff01\uff1f])|\n{2,}"
)
_SAME: Final = 1e-9  # nats between log-likelihoods of the same documents
_TEX: Final = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


def methods(
    model: HLTA, corpus: Corpus | None = None, *, run: Mapping[str, Any] | None = None
) -> str:
    """How the topics were found, as a paragraph for an article, with the reference.

    Parameters
    ----------
    model
        A fitted model.
    corpus
        Documents in the model's words, of which the paragraph gives the mean log-likelihood; None to
        leave it out.
    run
        The contents of `run.json` beside the model; None to use only what the model itself holds.

    Returns
    -------
    str
    """
    topics, known = list(model.topics_), dict(run or {})
    of = f" from {plural(known['documents'], 'document')}" if "documents" in known else ""
    version = f", version {known['hlta']}" if "hlta" in known else ""
    levels = sorted({topic.level for topic in topics}, reverse=True)
    by_level = [f"{sum(t.level == k for t in topics):,} at level {k}" for k in levels]
    sentences = [
        f"A tree of topics was learned{of} by hierarchical latent tree analysis (Chen et al., 2017), "
        f"with the Python package hlta{version}{_options(known.get('options') or {})}.",
        "In this model, binary variables say which words a document has, and form a tree with latent "
        "variables above them; each latent variable divides the documents and is read as a topic.",
        _vocabulary(model, known),
        f"The tree has {plural(len(topics), 'topic')}, {len(model.topics_.roots):,} of them root "
        f"topics: {join_names(by_level)}.",
    ]
    if mails := known.get("mails"):
        sentences.insert(
            1,
            f"In {plural(mails, 'text')}, mail headers, quoted text and signatures were left out.",
        )
    if repeats := known.get("repeats"):
        sentences.insert(
            1,
            f"{plural(repeats, 'document')} {'repeats' if repeats == 1 else 'repeat'} the text of "
            "another; each text counted once.",
        )
    if seeded := len(model.seeds_):
        sentences.append(
            f"Of these, {plural(seeded, 'topic')} had words that were given beforehand."
        )
    stable = [topic.stability for topic in topics if topic.stability is not None]
    if stable:
        over = "topics" if len(stable) == len(topics) else f"the {len(stable):,} that have one"
        sentences.append(
            "Random samples of the documents voted on its structure. The stability of a topic is the "
            "mean, over the samples, of the overlap of its words with those of the topic most like it "
            f"(Jaccard index); its mean over {over} is {np.mean(stable):.2f}."
        )
    if vague := sum(topic.is_vague for topic in topics):
        sentences.append(
            f"{plural(vague, 'topic')} {'is' if vague == 1 else 'are'} marked as vague: the words are "
            "about no subject in particular, and rarely come together again in the samples."
        )
    if updates := known.get("updates"):
        times = "once" if len(updates) == 1 else f"{len(updates):,} times"
        sentences.append(f"The model was later updated with further documents, {times}.")
    edits = Counter[str]()
    for entry in model.edit:  # one may rename several topics
        edits[entry["edit"]] += len(entry.get("titles", ())) or 1
    if edits:
        kinds = join_names([f"{kind} ({count:,})" for kind, count in edits.items()])
        sentences.append(f"A person changed it by {plural(edits.total(), 'edit')}: {kinds}.")
    sentences.append(
        f"A document is on a topic if at least {IN_PART:.0%} of its words are about it. Its main topic "
        "is, at each level from the root topics down, the one with the largest such share."
    )
    if corpus is not None:
        score = model.score(corpus)
        these = f"the {plural(len(corpus), 'document')} given"
        if learned_from(known, score):
            these = "the documents learned from"
        none = int((model.predict(corpus) < 0).sum())
        sentences.append(
            f"The mean log-likelihood of {these} is {score:.2f} nats per document; {none:,} of them are "
            "on no topic."
        )
    return "\n\n".join([" ".join(sentences), *REFERENCES]) + "\n"


def learned_from(run: Mapping[str, Any], log_likelihood: float) -> bool:
    """Whether a mean log-likelihood is that of a run's fit, so that the documents are the same."""
    known = run.get("log_likelihood")
    return isinstance(known, float) and abs(log_likelihood - known) < _SAME


def _options(used: Mapping[str, Any]) -> str:
    """The seed, and options other than the defaults."""
    if not used:
        return ""
    other = {
        name: used[name]
        for name, parameter in inspect.signature(HLTA).parameters.items()
        if name in used and name != "random_state" and used[name] != parameter.default
    }
    named = [f"{name}={value!r:.60}" for name, value in other.items()]
    rest = f", and the options {join_names(named)}" if named else ""
    return f", random seed {used.get('random_state')}{rest}"


def _vocabulary(model: HLTA, run: Mapping[str, Any]) -> str:
    """A sentence on the vocabulary of the model."""
    n_words, text = plural(model.tree_.n_words, "word"), model.text_options_
    if text is None:
        return f"The vocabulary has {n_words}."
    phrases = f" and phrases of up to {text.ngrams} words" if text.ngrams > 1 else ""
    named = text.languages or () if text.stop_words == "auto" else (text.stop_words,)
    languages = join_names([name.title() for name in named if isinstance(name, str)])
    stop = f", without {languages} stop words" if languages else ""
    count = run.get("words_of_style", None if text.style is None else len(text.style))
    left_out = plural(count, "filler word") if count else "filler words"
    style = (
        ""
        if text.keep_style or count == 0
        else f"; {left_out}, which rarely recur within a document, were left out"
    )
    return f"The vocabulary has {n_words}{phrases}{stop}{style}."


def appendix(
    model: HLTA, corpus: Corpus | None = None, *, depth: int | None = None
) -> list[dict[str, str]]:
    """A row per topic, parents first: id, title, level, documents, keywords and typical quotes.

    Parameters
    ----------
    model
        A fitted model.
    corpus
        Documents with texts, for two quotes of typical documents per topic; None to leave them out.
        Addresses of mail are masked.
    depth
        How many layers of the tree; None for all.

    Returns
    -------
    list of dict

    Raises
    ------
    DocumentsError
        If the documents have no texts.
    """
    topics = _layers(model, depth, whole=True)
    columns = 0 if corpus is None else _QUOTES
    names = [f"{what} {k + 1}" for k in range(columns) for what in ("quote", "source")]
    return [
        {
            "id": topic.id,
            "level": str(topic.level),
            "title": topic.title,
            "vague": "yes" if topic.is_vague else "",
            "share": as_percent(topic.size),
            "mainly": "" if topic.main_documents is None else f"{topic.main_documents:,}",
            "in part": "" if topic.documents is None else f"{topic.documents:,}",
            "stability": "" if topic.stability is None else f"{topic.stability:.2f}",
            "keywords": ", ".join(topic.words[:_WORDS]),
            **dict.fromkeys(names, ""),
            **dict(zip(names, chain.from_iterable(own), strict=False)),
        }
        for topic, own in zip(topics, _quotes(model, topics, corpus), strict=True)
    ]


def _layers(model: HLTA, depth: int | None, *, whole: bool) -> list[Topic]:
    """The topics of the first layers, parents first; vague ones only if `whole`."""
    check_whole("depth", depth, least=1, none="the whole tree")
    layers = with_layers(model.topics_.roots, whole=whole)
    return [topic for layer, topic in layers if depth is None or layer < depth]


def _quotes(
    model: HLTA, topics: Sequence[Topic], corpus: Corpus | None
) -> list[list[tuple[str, str]]]:
    """Sentences of typical documents of each topic, if there are any, each with its source."""
    if corpus is None:
        return [[] for _ in topics]
    check_corpus(corpus)
    if corpus.texts is None:
        raise DocumentsError("quotes need the texts of documents; give texts, or no documents")
    shares, found = model.transform(corpus, topics=topics), []
    documents = corpus.aligned(model.tree_.words)
    for k, topic in enumerate(topics):
        rows = typical(documents, shares[:, k], _CANDIDATES, least=IN_PART).rows.tolist()
        quotes: dict[str, str] = {}
        for row in rows:
            if text := quote(corpus.texts[row], topic.words):
                quotes.setdefault(text, _source(corpus, row))
        found.append([*quotes.items()][:_QUOTES])
    return found


def _source(corpus: Corpus, row: int) -> str:
    """The title of a document, if it has one, and its id."""
    name = str(row) if corpus.ids is None else corpus.ids[row]
    title = "" if corpus.titles is None else " ".join(corpus.titles[row].split())
    return f"{title} ({name})" if title else name


def quote(text: str, words: Sequence[str]) -> str:
    """The sentence of a text that has most of the `words`, the first if several do, cut if it is long.

    It is "" if no sentence has two of the words, or the only one. Mail addresses are masked.
    """
    sentences = [" ".join(one.split()) for one in _SENTENCE.split(text)]
    # A match may end within a word, to find inflections; in a phrase, a space matches a hyphen.
    parts = [
        ("[- ]".join(map(re.escape, word.split("-"))), _SPACELESS.search(word) is None)
        for word in words
    ]
    wanted = [re.compile(rf"\b{part}" if spaced else part) for part, spaced in parts]

    def count(sentence: str) -> int:
        plain = sentence.casefold()
        return sum(word.search(plain) is not None for word in wanted)

    best = max(sentences, key=count)
    if count(best) < min(2, len(words)):
        return ""
    best = _ADDRESS.sub("[address]", best)
    return best if len(best) <= _LONGEST else best[:_LONGEST].rsplit(" ", 1)[0] + " …"


def as_csv(rows: Sequence[Mapping[str, str]]) -> str:
    """Rows as CSV, with cells that no spreadsheet evaluates as formulas."""
    return "".join(line(map(cell, row)) for row in ([*rows[0]], *(row.values() for row in rows)))


def as_markdown(rows: Sequence[Mapping[str, str]]) -> str:
    """Rows as a table in Markdown."""
    cells = [[*rows[0]], ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "".join(
        f"| {' | '.join(one.replace('|', '&#124;') for one in row)} |\n" for row in cells
    )


def as_latex(rows: Sequence[Mapping[str, str]]) -> str:
    """Rows of an appendix as a table in LaTeX that fits on a page (packages `longtable` and `array`).

    Its columns are the topics with their figures, their keywords and, if there are any, quotes.
    """

    def tex(text: str) -> str:
        return "".join(_TEX.get(sign, sign) for sign in text)

    def cells(row: Mapping[str, str]) -> list[str]:
        counts = (f"{row[name]} {name}" for name in ("mainly", "in part") if row[name])
        stability = row["stability"] and f"stability {row['stability']}"
        figures = [row["share"], ", ".join(counts), stability, "vague" if row["vague"] else ""]
        topic = (
            rf"{row['id']} \textbf{{{tex(row['title'])}}}: {tex('; '.join(filter(None, figures)))}"
        )
        quotes = [
            f"{tex(row[f'quote {k}'])} ({tex(row[f'source {k}'])})"
            for k in range(1, _QUOTES + 1)
            if row.get(f"quote {k}")
        ]
        return [topic, tex(row["keywords"]), r" \newline ".join(quotes)]

    body = [["topic", "keywords", "quotes"], *map(cells, rows)]
    widths = [0.22, 0.24, 0.44]
    if not any(quotes for *_, quotes in body[1:]):
        widths, body = [0.4, 0.5], [one[:2] for one in body]
    columns = "".join(rf">{{\raggedright}}p{{{width}\linewidth}}" for width in widths)
    lines = [" & ".join(one) + r" \tabularnewline" for one in body]
    begin = f"{{\\footnotesize\n\\begin{{longtable}}{{{columns}}}"
    head = [begin, r"\hline", lines[0], r"\hline\endhead"]
    return "\n".join([*head, *lines[1:], r"\hline", r"\end{longtable}}", ""])


def codebook(model: HLTA, corpus: Corpus | None = None, *, depth: int | None = None) -> str:
    """What a second coder needs to assign topics to documents by hand, in Markdown.

    Vague topics are left out.

    Parameters
    ----------
    model, corpus, depth
        See `appendix`.

    Returns
    -------
    str
    """
    topics = _layers(model, depth, whole=False)
    parts = [
        "# Codebook\n",
        "Read a document whole. Give it every topic that at least a fifth of it is about, and none if "
        "there is no such topic. The words of a topic are examples: a document may be about it without "
        "them, and have some of them without being about it. A document on a topic is also on the topics "
        "above it. Write a row of a CSV file for each document and topic, with the columns `document` "
        "(its id) and `topic` (the id or the title below); a document on no topic has one row with an "
        "empty topic.\n",
    ]
    for topic, own in zip(topics, _quotes(model, topics, corpus), strict=True):
        above = f" Part of {topic.parent.id}, {topic.parent.title}." if topic.parent else ""
        parts.append(f"## {topic.id}: {topic.title}\n")
        parts.append(f"Words: {', '.join(topic.words[:_WORDS])}.{above}\n")
        if topic.note:
            parts.append(f"Note: {topic.note}\n")
        parts += [f"> {said} ({source})\n" for said, source in own]
    return "\n".join(parts)
