"""What is written about a model: methods, an appendix, a codebook, and agreement with a coder."""

import csv
import json
import re
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

import hlta
from hlta import HLTA, Corpus, TextOptions, writeup
from hlta.errors import DocumentsError, FormatError, OptionError
from hlta.evaluate import coder_agreement, read_codes
from hlta.options import IN_PART
from tests.command import mistake, ran, rows_in, run
from tests.scanning import TEXTS


@pytest.fixture
def model(fitted: Path) -> HLTA:
    return HLTA.load(fitted)


# ---- methods -------------------------------------------------------------------------------------


def test_methods_say_what_was_learned(fitted: Path, texts_file: Path, model: HLTA) -> None:
    said = run("report", fitted, "--topics-alone", "--methods").stdout
    assert f"learned from {len(TEXTS)} documents" in said
    assert f"version {hlta.__version__}, random seed 0, and the options em_steps=5." in said
    assert f"The vocabulary has {model.tree_.n_words:,} words and phrases of up to 2 words" in said
    roots = len(model.topics_.roots)
    assert f"The tree has {len(model.topics_)} topics, {roots} of them root topics: " in said
    assert said.endswith("\n\n".join(["", *writeup.REFERENCES]) + "\n")
    assert "nats" not in said
    assert "filler word" not in said  # there are none
    scored = run("report", fitted, texts_file, "--methods").stdout
    none = (model.predict(TEXTS) < 0).sum()
    score = model.score(TEXTS)
    assert f"of the documents learned from is {score:.2f} nats per document; {none} of" in scored


def test_methods_say_no_more_than_is_known(model: HLTA) -> None:
    corpus = Corpus.from_texts(TEXTS[:20])
    said = writeup.methods(model, corpus)
    assert "The mean log-likelihood of the 20 documents given is -" in said
    assert "with the Python package hlta. " in said
    assert "edit" not in said
    model.edit.hide(next(iter(model.topics_)))
    assert "A person changed it by 1 edit: hide (1)." in writeup.methods(model)
    model.set_titles({topic.id: f"Title of {topic.id}" for topic in model.topics_})
    renamed = len(model.topics_)
    assert f"by {1 + renamed} edits: hide (1) and rename ({renamed})." in writeup.methods(model)
    filler = writeup.methods(model, run={"words_of_style": 7})
    assert "English stop words; 7 filler words, which rarely recur" in filler
    mails = writeup.methods(model, run={"mails": 3})
    assert "In 3 texts, mail headers, quoted text and signatures were left out." in mails
    repeated = writeup.methods(model, run={"repeats": 1, "mails": 3})
    assert "1 document repeats the text of another; each text counted once." in repeated
    updated = {"documents": 30, "updates": [{}, {}]}
    assert "with further documents, 2 times." in writeup.methods(model, run=updated)
    model.text_options_ = TextOptions(stop_words=None)
    assert "stop words" not in writeup.methods(model)


def test_a_record_is_that_of_the_model_beside_it(fitted: Path, tmp_path: Path) -> None:
    assert "random seed 0" in run("report", fitted / "model.hlta", "--methods").stdout
    shutil.copy(fitted / "model.hlta", tmp_path / "copy.hlta")
    (tmp_path / "run.json").write_text("of another program")
    done = ran("report", tmp_path / "copy.hlta", "--methods")
    assert "random seed" not in done.stdout


# ---- appendix and codebook -----------------------------------------------------------------------


def test_an_appendix_of_topics(fitted: Path, texts_file: Path, model: HLTA, tmp_path: Path) -> None:
    table = tmp_path / "appendix.csv"
    ran("report", fitted, texts_file, "--appendix", table)
    rows = rows_in(table)
    assert [row["id"] for row in rows] == [topic.id for topic in model.topics_]
    for row, topic in zip(rows, model.topics_, strict=True):
        assert (row["title"], row["level"]) == (topic.title, str(topic.level))
        assert row["keywords"] == ", ".join(topic.words[:10])
        for k in (1, 2):
            if source := row[f"source {k}"]:
                assert row[f"quote {k}"] in TEXTS[int(source.removeprefix("doc"))]
    assert any(row["quote 1"] for row in rows)
    run("report", fitted, "--topics-alone", "--appendix", table, "--overwrite")
    assert "quote 1" not in table.read_text()


def test_quotes_are_of_documents_on_the_topic(model: HLTA) -> None:
    corpus = Corpus.from_texts(TEXTS)
    shares = model.transform(corpus)
    for k, row in enumerate(writeup.appendix(model, corpus)):
        on = {TEXTS[j] for j in np.flatnonzero(shares[:, k] >= IN_PART)}
        assert all(any(row[f"quote {n}"] in text for text in on) for n in "12" if row[f"quote {n}"])


def test_quotes_need_texts_and_those_of_a_topic_differ(model: HLTA) -> None:
    words = model.topics_.roots[0].words
    others = [word for word in model.tree_.words if word not in words]
    texts = [f"A {words[0]} and {words[1]} met. Then {a}. Then {b}." for a, b in pairwise(others)]
    row = writeup.appendix(model, Corpus.from_texts(texts, min_df=1, max_df=1.0), depth=1)[0]
    assert row["quote 1"]
    assert row["quote 1"] != row["quote 2"]
    corpus = Corpus.from_texts(TEXTS, keep_texts=False)
    with pytest.raises(DocumentsError, match="quotes need the texts"):
        writeup.appendix(model, corpus)


@pytest.mark.parametrize("ending", ["md", "tex"])
def test_other_forms_hold_the_same_cells(fitted: Path, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"topics.{ending}"
    assert run("report", fitted, "--topics-alone", "--appendix", file).exit_code == 0
    text, rows = file.read_text(), writeup.appendix(HLTA.load(fitted))
    between = " | " if ending == "md" else " & "
    lines = [line for line in text.splitlines() if between in line]
    assert len(lines) == len(rows) + 1 + (ending == "md")
    assert all(row["id"] in line for row, line in zip(rows, lines[-len(rows) :], strict=True))


@given(st.text(alphabet=r"ab&%$#_{}~^\ ", max_size=12))
def test_latex_is_escaped(text: str) -> None:
    row = dict.fromkeys(("id", "title", "share", "mainly", "in part", "stability", "vague"), "")
    line = writeup.as_latex([row | {"keywords": text}]).splitlines()[5]
    shown = line.partition(" & ")[2].removesuffix(r" \tabularnewline")
    for name, sign in (("textasciitilde", "~"), ("textasciicircum", "^"), ("textbackslash", "\\")):
        shown = shown.replace(f"\\{name}{{}}", f"\\{sign}")
    assert re.sub(r"\\(.)", r"\1", shown) == text


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (
            "A cat sat. The machine-learning model\nlearns. Cats learn.\n\nEnd 3.5 here",
            ["model", "machine-learning"],
            "The machine-learning model learns.",
        ),
        ("A cat sat. Cats learn.", ["dog"], ""),
        ("Art by me@mail.org.", ["art"], "Art by [address]."),
        ("A partition. An art show.", ["art"], "An art show."),
        ("By A. Smith, e.g. of art. More", ["art"], "By A. Smith, e.g. of art."),
        ("Kunst. So die Nr. 5 der Kunst.", ["kunst"], "Kunst."),
        ("Bild. So Nr. 5 der Kunst.", ["kunst"], "So Nr. 5 der Kunst."),
        ("\u3042\u3002\u732b\u3067\u3059\u3002", ["\u732b"], "\u732b\u3067\u3059\u3002"),
        ("हिन्दी भाषा.", ["हिन्दी"], "हिन्दी भाषा."),
        ("ภาษาไทย", ["ไทย"], "ภาษาไทย"),
        ("word " * 200, ["word"], "word " * 60 + "…"),
    ],
)
def test_quotes_are_whole_sentences_with_most_words(
    text: str, words: list[str], expected: str
) -> None:
    assert writeup.quote(text, words) == expected


def test_depth_leaves_the_first_layers(model: HLTA) -> None:
    with pytest.raises(OptionError, match="depth=0: use a whole number, 1 or more"):
        writeup.codebook(model, depth=0)
    roots = [root.id for root in model.topics_.roots]
    assert [row["id"] for row in writeup.appendix(model, depth=1)] == roots
    assert re.findall("^## ([^:]*):", writeup.codebook(model, depth=1), re.M) == roots


def test_vague_topics_are_marked_and_not_coded(model: HLTA, monkeypatch: Any) -> None:
    vague = next(iter(model.topics_))
    monkeypatch.setattr(type(vague), "is_vague", property(lambda topic: topic.id == vague.id))
    assert [r["id"] for r in writeup.appendix(model) if r["vague"]] == [vague.id]
    left = [topic.id for topic in model.topics_ if vague not in (topic, topic.parent)]
    assert re.findall("^## ([^:]*):", writeup.codebook(model), re.M) == left
    assert "1 topic is marked as vague" in writeup.methods(model)


def test_a_codebook_names_every_topic(texts_file: Path, model: HLTA, tmp_path: Path) -> None:
    model.edit.note(next(iter(model.topics_)), "not about cars")
    model.save(tmp_path / "m.hlta")
    file = tmp_path / "codebook.md"
    ran("report", tmp_path / "m.hlta", texts_file, "--codebook", file)
    text = file.read_text()
    for topic in model.topics_:
        assert f"## {topic.id}: {topic.title}\n" in text
    assert "Note: not about cars" in text
    assert "\n> " in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--appendix", "topics.doc"], "ends in .csv, .md or .tex"),
        (["--appendix", "topics.csv"], "is the name of a result of `hlta fit`"),
        (["--appendix", "x.md", "--codebook", "x.md"], "name the same file"),
        (["--methods", "--overwrite"], "--overwrite applies to files"),
        (["--methods", "--depth", "1"], "--depth applies to files"),
        (["--methods", "--heading", "x"], "--heading applies to the page"),
        (["--methods", "-o", "page.html"], "--output applies to the page"),
    ],
)
def test_mistakes_are_a_line(fitted: Path, arguments: list[str], message: str) -> None:
    assert message in mistake("report", fitted, *arguments)


# ---- coders --------------------------------------------------------------------------------------


class Given(NamedTuple):
    """A topic that a coder can give."""

    id: str
    title: str = "title"
    parent: Any = None


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=30))
def test_kappa_is_cohens(pairs: list[tuple[bool, bool]]) -> None:
    coder, model = np.array(pairs).T
    codes = {str(k): {"t"} if yes else set() for k, yes in enumerate(coder)}
    whole, (found,) = coder_agreement(codes, list(codes), [Given("t")], model[:, None])
    assert whole.kappa == pytest.approx(found.kappa, nan_ok=True)
    assert found.only_coder == tuple(str(k) for k in np.flatnonzero(coder & ~model))
    assert found.only_model == tuple(str(k) for k in np.flatnonzero(model & ~coder))
    if len({*coder, *model}) == 1:
        assert np.isnan(found.kappa)
    else:
        assert found.kappa == pytest.approx(cohen_kappa_score(coder, model))
    assert found[:3] == (coder.sum(), model.sum(), (coder & model).sum())


def test_coders_are_compared(fitted: Path, texts_file: Path, model: HLTA, tmp_path: Path) -> None:
    topics, codes = list(model.topics_), tmp_path / "codes.csv"
    is_on = model.transform(TEXTS, topics=topics) >= IN_PART
    with codes.open("w", newline="") as file:
        rows: list[tuple[str, str]] = [("document", "topic")]
        for k in range(20):
            names = [topics[t].title for t in np.flatnonzero(is_on[k])]
            rows += [(f"doc{k}", name) for name in names or [""]]
        csv.writer(file).writerows(rows)
    done = ran("evaluate", fitted, texts_file, "--coder", codes)
    assert "20 documents were coded; kappa is 1.00 over all pairs" in done.stdout
    lines = done.stdout.partition("kappa   coder  model   both  topic\n")[2].splitlines()
    counts = is_on[:20].sum(axis=0)
    assert len(lines) == (counts > 0).sum()
    for line in lines:
        kappa, coder, found, both = line.split()[:4]
        assert coder == found == both
        assert kappa in ("1.00", "-")


def codes_in(tmp_path: Path, text: str) -> Any:
    (tmp_path / "codes.csv").write_text(text)
    return tmp_path / "codes.csv"


def test_a_topic_is_given_with_those_above_it_by_id_or_by_title() -> None:
    root = Given("r", "root")
    topics = [root, Given("a", "same", root), Given("b", "same", root), Given("same", "other")]
    is_on = np.ones((2, 4), dtype=bool)
    codes = {"0": {"a"}, "1": {"other"}}
    found = coder_agreement(codes, ["0", "1"], topics, is_on)[1]
    assert [one.coder for one in found] == [1, 1, 0, 1]
    by_id = coder_agreement({"0": {"same"}}, ["0", "1"], topics, is_on)[1]
    assert [one.coder for one in by_id] == [0, 0, 0, 1]
    with pytest.raises(DocumentsError, match="topics that several have: 'same'; use ids"):
        coder_agreement({"0": {"same"}}, ["0"], topics[:3], is_on[:1, :3])
    with pytest.raises(DocumentsError, match="documents that several have: '0'; use ids"):
        coder_agreement({"0": {"a"}}, ["0", "0"], topics, is_on)


def test_files_of_coders_that_do_not_fit_are_refused(fitted: Path, tmp_path: Path) -> None:
    for text, message in (
        (b"doc,topic\na,b\n", "has no column 'document'; its first line must name"),
        (b"document,topic\n", "has no rows"),
        (b"document,topic\n\xff,b\n", r"codes.csv' is not a CSV file in UTF-8"),
    ):
        (tmp_path / "codes.csv").write_bytes(text)
        with pytest.raises(FormatError, match=message):
            read_codes(tmp_path / "codes.csv")
    codes = codes_in(tmp_path, "document,topic\n'=1,a\n'=1,b\nx,\n")
    assert read_codes(codes) == {"=1": {"a", "b"}, "x": set()}
    is_on = np.ones((1, 1), dtype=bool)
    message = "documents that are unknown: 'b'; topics that are unknown: 'u'; use ids"
    with pytest.raises(DocumentsError, match=message):
        coder_agreement({"a": {"t", "u"}, "b": set()}, ["a"], [Given("t")], is_on)
    for sign in ";\t":
        rows = codes_in(tmp_path, f"document{sign}topic\na {sign} t \n{sign}\n")
        assert read_codes(rows) == {"a ": {"t"}}
    assert coder_agreement({"a ": {"t"}}, ["a"], [Given("t")], is_on)[0].both == 1
    shown = mistake("evaluate", fitted, "--topics-alone", "--coder", tmp_path / "codes.csv")
    assert "--coder compares a model with documents" in shown


def test_an_unknown_kappa_is_null(fitted: Path, texts_file: Path, tmp_path: Path) -> None:
    one = codes_in(tmp_path, "document,topic\ndoc0,\n")
    done = ran("evaluate", fitted, texts_file, "--id", "id", "--coder", one, "--json")
    assert {entry["kappa"] for entry in json.loads(done.stdout)["coder"]["topics"]} <= {None, 0.0}
    assert "NaN" not in done.stdout
