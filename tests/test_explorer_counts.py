"""The numbers of documents that the page tells: of all, of those that it holds, of texts that are cut."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
import pytest
from numpy.typing import NDArray

from hlta import HLTA, Corpus
from hlta.options import IN_PART
from tests.pages import TOLD, expand, go_to, tree_rows
from tests.there import there

Mask = NDArray[np.bool_]

FIGURES, HELD = 60, 200  # browsers slow down a page that changes its address more than 200 times


class Truth(NamedTuple):
    """What Python says of documents: which are on topics, in groups and from years."""

    on: dict[str, Mask]
    main: dict[str, Mask]
    groups: dict[str, Mask]
    years: dict[str, Mask]


@pytest.fixture(scope="module")
def files(small: tuple[HLTA, Corpus], small_file: Path) -> dict[int, Path]:
    """Pages of the same documents by how many of them they hold."""
    part = small_file.with_name("part.html")
    small[0].topics_.to_html(part, corpus=small[1], most_documents=HELD)
    return {900: small_file, HELD: part}


@pytest.fixture(scope="module")
def truth(small: tuple[HLTA, Corpus]) -> Truth:
    model, corpus = small
    on = model.transform(corpus) >= IN_PART
    table = model.main_table(corpus)
    assert corpus.dates is not None
    groups, years = np.array(there(corpus.groups)), np.array([date[:4] for date in corpus.dates])
    return Truth(
        {topic.id: on[:, k] for k, topic in enumerate(model.topics_)},
        {
            topic.id: (table[f"topic_{topic.level}"] == topic.id).fill_null(False).to_numpy()
            for topic in model.topics_
        },
        {name: groups == name for name in sorted(set(groups))},
        {name: years == name for name in sorted(set(years))},
    )


def asked(truth: Truth, rng: np.random.Generator) -> tuple[str, Mask, bool]:
    """A random address, its documents, and whether Python counts them for the page."""

    def one(of: dict[str, Mask], kind: str) -> tuple[str, Mask]:
        name = list(of)[int(rng.integers(len(of)))]
        return f"{kind}:{name}", of[name]

    topic, on = one(truth.on, "topic")
    other, also_on = one(truth.on, "topic")
    main, mainly = one(truth.main, "main")
    group, inside = one(truth.groups, "group")
    year, dated = one(truth.years, "date")
    none = ~np.any(list(truth.on.values()), axis=0)
    every: list[tuple[str, Mask, bool]] = [
        (f"with={topic}", on, True),
        (f"without={topic}", ~on, True),
        (f"with={main}", mainly, True),
        (f"with={group}", inside, True),
        (f"with={year}", dated, True),
        ("with=none", none, True),
        (f"with={topic}&with={group}", on & inside, True),
        (f"with={year}&with={topic}", on & dated, True),
        (f"with={topic}&with={other}", on & also_on, topic == other),
        (f"with={topic}&or={other}", on | also_on, False),
        (f"with={main}&with={group}", mainly & inside, False),
        (f"with={year}&with={group}&with={topic}", dated & inside & on, False),
    ]
    return every[int(rng.integers(len(every)))]


@pytest.mark.parametrize("held", [900, HELD])
def test_numbers_of_documents_are_those_of_python(
    truth: Truth, visit: Callable[..., Any], files: dict[int, Path], held: int
) -> None:
    rng = np.random.default_rng(held)
    questions = list({one[0]: one for one in (asked(truth, rng) for _ in range(FIGURES))}.values())
    page = visit(files[held])
    shown = page.evaluate(TOLD, [address for address, _, _ in questions])
    unknown = 0
    for (address, documents, known), (chip, head) in zip(questions, shown, strict=True):
        number = int(np.count_nonzero(documents))
        if held == 900 or known:
            assert chip == f"{number} of 900 documents", address
            assert re.match(rf"{number} documents?\b(?! among)", head), address
        else:
            unknown += 1
            some = re.fullmatch(
                rf"(\d+) of the {held} documents in this page, a sample of 900", chip
            )
            assert some is not None, (address, chip)
            assert int(some[1]) <= number
            assert re.match(rf"{some[1]} documents? among the {held} that this page holds", head)
    assert (unknown > 9) == (held < 900)


def test_topics_have_the_numbers_of_all_documents_and_beside_them_those_held(
    small: tuple[HLTA, Corpus], truth: Truth, visit: Callable[..., Any], files: dict[int, Path]
) -> None:
    model, _ = small
    page = visit(files[HELD])
    kinds = truth.main, truth.on
    numbers = {t.title: [int(np.count_nonzero(of[t.id])) for of in kinds] for t in model.topics_}
    expand(page)
    for row in tree_rows(page):
        both = re.fullmatch(r"(.+?): .+?, (\d+) documents? mainly, (\d+) in part,.*", row)
        if both is not None:  # vague and small ones share a row
            assert [int(both[2]), int(both[3])] == numbers[both[1]]
    for topic in model.topics_:
        page.evaluate(TOLD, [f"topic={topic.id}"])
        mainly, on = numbers[topic.title]
        figure = page.inner_text("#details .facts")
        assert figure.startswith(f"{mainly} documents mainly, {on} in part")
        some = there(re.search(r" \((\d+) in this page\)", figure))
        assert int(some[1]) < on
    page.click(".working .clear")
    none = int(np.count_nonzero(~np.any(list(truth.on.values()), axis=0)))
    assert none
    assert f"Documents on no topic ({none})" in page.inner_text(".ways")
    assert f"This page holds {HELD} of the 900 documents" in page.inner_text("#details .notice")
    # Among documents of a group, Python counts those on each topic; of a search, the page does.
    page.evaluate(TOLD, ["with=group:a"])
    assert not page.is_visible(".tree-counted")
    for topic in model.topics_.roots:
        on = int(np.count_nonzero(truth.on[topic.id] & truth.groups["a"]))
        assert page.inner_text(f"[role=treeitem][aria-label^='{topic.title}:'] .count").strip(
            "?"
        ) == str(on)
    page.evaluate(TOLD, ["with=text:text"])
    assert "Only documents in this page are saved" in str(page.text_content(".result-tools"))
    assert page.inner_text(".tree-counted") == f"Among the {HELD} documents in this page"


def test_of_a_sample_nothing_is_sure(
    small: tuple[HLTA, Corpus], visit: Callable[..., Any], files: dict[int, Path]
) -> None:
    other, one = small[0].topics_.roots[:2]
    pairs = ("with=group:a", "with=group:b"), ("with=group:a", one.id), (one.id, other.id)
    views = ["&".join(f"compare={quote(side)}" for side in pair) for pair in pairs]
    for held, file in files.items():
        said, labels = [], ""
        for view in views:
            page = visit(file, f"#view=differences&{view}")
            page.wait_for_selector(".both-words")
            said.append(page.inner_text("#picture"))
            assert ("colour surely are not" in said[-1]) == (held == 900)
            labels += page.eval_on_selector_all(
                "#picture svg [aria-label]",
                "all => all.map(e => e.getAttribute('aria-label')).join()",
            )
        assert ("95% interval" in labels) == (held == 900)
        page = visit(file, "#view=changes&with=text:text")
        said.append(page.inner_text("#picture h2"))
        assert ("Shaded: 95%" in page.inner_text("#picture .note")) == (held == 900)
        assert held == 900 or "surely" not in page.inner_text("#details")
        words = re.compile("more frequent in|than by chance|chance alone|rose|fell|95% intervals")
        assert bool(words.search("".join(said))) == (held == 900)
        assert ("they are no random sample" in said[0]) == (held == HELD)


def test_where_texts_are_cut_numbers_are_bounds(
    small: tuple[HLTA, Corpus],
    visit: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, corpus = small
    rng = np.random.default_rng(3)
    words = [f"w{k}" for k in range(400)]
    long = [" ".join(rng.choice(words, size=rng.integers(2, 60))) for _ in range(len(corpus))]
    known = Corpus(corpus.documents, corpus.words, groups=corpus.groups, texts=long)
    monkeypatch.setattr("hlta.explorer.page_data.MOST_TEXT", 100 * len(corpus))
    file = tmp_path / "index.html"
    model.topics_.to_html(file, corpus=known)
    page = visit(file)
    addresses = ["with=text:w1", "without=text:w1", "with=group:a"]
    (with_, head), (without, _), (group, _) = page.evaluate(TOLD, addresses)
    number = sum("w1" in text.split() for text in long)
    some = there(re.fullmatch(r"at least (\d+) of 900 documents", with_))
    assert int(some[1]) < number
    assert re.match(rf"at least {some[1]} documents?\b", head)
    assert without == f"at most {900 - int(some[1])} of 900 documents"
    assert group == f"{list(known.groups or ()).count('a')} of 900 documents"
    page.evaluate(TOLD, ["with=text:w1"])
    assert page.inner_text("[role=treeitem] .count >> nth=0").startswith("≥ ")
    assert "Texts are cut" in str(page.text_content(".result-tools"))
    cut = int(np.argmax([len(text) for text in long]))
    go_to(page, f"document={cut + 1}")
    page.wait_for_selector("text=The text goes on, but this page holds only this much of it.")
    short = int(np.argmin([len(text) for text in long]))
    go_to(page, f"document={short + 1}")
    page.wait_for_selector(f"#details .text >> text={long[short]}")
    assert "The text goes on" not in page.inner_text("#details")
