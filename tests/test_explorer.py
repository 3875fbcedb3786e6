"""The explorer in a real browser: what it shows and what it does."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import HLTA, TopicTree, read_corpus
from tests.pages import saved

if TYPE_CHECKING:
    from collections.abc import Callable


def rows(page: Any) -> list[str]:
    return [row.get_attribute("aria-label") for row in page.query_selector_all("[role=treeitem]")]


def test_it_opens_with_the_topics(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    page = visit(page_file)
    assert page.title() == "Demo"
    assert f"{len(corpus):,} documents" in page.inner_text("header")
    assert len(page.query_selector_all(".cards li")) == len(model.topics_.roots)
    first = rows(page)[0]
    root = model.topics_.roots[0]
    assert first.startswith(root.label)
    assert first.endswith(f"level {root.level}")
    assert page.query_selector_all("#picture svg g[data-topic]")


def test_levels_expand_and_collapse(visit: Any, page_file: Path, demo: Any) -> None:
    topics = list(demo[0].topics_)
    page = visit(page_file)
    page.click("text=Collapse all")
    assert len(rows(page)) == len(demo[0].topics_.roots)
    page.click("text=Expand all")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # all rows, not those in sight
    assert len(rows(page)) == len(topics)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(rows(page)) < len(topics)
    top = max(topic.level for topic in topics)
    page.locator("#tree input[type=range]").fill("1")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(rows(page)) == sum(topic.level >= top - 1 for topic in topics)


def test_a_topic_tells_what_python_tells(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    topic = max(model.topics_.roots[0].children, key=lambda child: child.size)
    page = visit(page_file, f"#topic={topic.id}")
    details = page.inner_text("#details")
    assert topic.id in details
    shown = page.eval_on_selector_all(
        "table.words tbody tr",
        "rows => rows.map(row => [...row.children].map(cell => cell.textContent))",
    )
    assert [row[0] for row in shown] == topic.words
    for row, keyword in zip(shown, topic.keywords, strict=True):
        for cell, p in ((row[1], keyword.p_topic), (row[2], keyword.p_background)):
            if cell != "<0.1%":
                assert float(cell.rstrip("%")) / 100 == pytest.approx(p, abs=0.006)
    column = [t.id for t in model.topics_].index(topic.id)
    p = model.transform(corpus)[:, column]
    order = np.argsort(-p, kind="stable")
    told = page.inner_text(".documents p.soft")
    assert f"of {(p >= 0.4999).sum():,} documents" in told
    titles = page.eval_on_selector_all(".documents .title", "all => all.map(e => e.textContent)")
    assert titles[0] in {corpus.titles[int(k)] for k in order[p[order] > p[order[0]] - 1e-6]}
    assert len(titles) == 20
    page.click(".pages >> text=Next")
    assert page.inner_text(".documents p.soft").startswith("21–40")
    page.locator(".documents input[type=range]").fill("90")
    told = page.inner_text(".documents p.soft")
    assert f"of {(p >= 0.8999).sum():,} documents" in told


def test_bars_are_as_long_as_figures(visit: Any, page_file: Path, demo: Any) -> None:
    topic = demo[0].topics_.roots[0]
    page = visit(page_file, f"#topic={topic.id}")
    widths = page.eval_on_selector_all(
        "table.words .inside", "all => all.map(e => e.getBoundingClientRect().width)"
    )
    shares = [keyword.p_topic for keyword in topic.keywords]
    np.testing.assert_allclose(
        np.array(widths) / max(widths), np.array(shares) / max(shares), atol=0.02
    )


def test_a_list_keeps_its_place(visit: Any, page_file: Path) -> None:
    page = visit(page_file)
    page.click(".cards button >> nth=0")
    page.locator(".documents input[type=range]").fill("80")
    page.click(".pages >> text=Next")
    there = page.inner_text(".documents p.soft")
    page.click(".documents .title >> nth=3")
    page.go_back()
    assert page.inner_text(".documents p.soft") == there
    assert there.startswith("21")


def test_the_diagram_shows_what_is_selected(visit: Any, page_file: Path, demo: Any) -> None:
    topic = demo[0].topics_.roots[-1].children[-1]
    page = visit(page_file, f"#topic={topic.id}")
    page.click("text=Expand all")
    inside = """id => {
        const node = document.querySelector(`#picture g[data-topic='${id}'] circle`);
        const [a, b] = [node, node.closest('.picture')].map(e => e.getBoundingClientRect());
        return a.top >= b.top && a.bottom <= b.bottom && a.left >= b.left && a.right <= b.right;
    }"""
    for _ in range(2):
        page.click("text=Tree diagram")
        assert page.evaluate(inside, topic.id)
        page.click("role=tab[name='Map']")
    page.click("text=Tree diagram")
    page.click("text=Collapse all")
    root = topic.parent.id
    bold = page.get_attribute(f"#picture g[data-topic='{root}'] text", "font-weight")
    assert bold == "700"


def test_narrow_documents_are_those_of_python(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    narrow = model.narrow_topics(corpus)
    column = 3
    page = visit(page_file, f"#topic={narrow.ids[column]}")
    page.click("text=/^Narrow/")
    members = narrow.memberships[:, [column]].toarray().ravel()
    shown = page.inner_text(".documents p.soft")
    assert f"of {(members >= 0.4999).sum():,} document" in shown


def test_down_to_a_document_and_back(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    page = visit(page_file)
    page.click(".cards button >> nth=1")
    topic = page.inner_text("#details .facts code")
    page.click(".documents .title >> nth=0")
    title = page.inner_text("#details h2")
    row = list(corpus.titles).index(title)
    assert f"document {row + 1:,}" in page.inner_text("#details .facts")
    p = dict(
        zip(
            (t.id for t in model.topics_),
            model.transform(corpus.take([row]))[0].tolist(),
            strict=True,
        )
    )
    listed = page.eval_on_selector_all(
        "details.belongs > summary", "all => all.map(e => e.innerText.trim().split('\\n'))"
    )
    labels = {
        " ".join(t.label_words(4)): p[t.id]
        for t in model.topics_
        if p[t.id] >= 0.1 or t.id == topic
    }
    assert len(listed) == sum(value >= 0.1 for value in p.values())
    for parts in listed:
        assert parts[0] in labels
    page.go_back()
    assert page.inner_text("#details .facts code") == topic
    page.go_back()
    assert "Overview" in page.inner_text("#details")
    page.go_forward()
    page.go_forward()
    assert page.inner_text("#details h2") == title
    page.click("#details .back")
    assert page.inner_text("#details .facts code") == topic


def test_why_is_the_exact_likelihood_ratio(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    topic = model.topics_.roots[1]
    column = [t.id for t in model.topics_].index(topic.id)
    row = int(np.argsort(model.transform(corpus)[:, column])[-200])
    page = visit(page_file, f"#topic={topic.id}&document={row + 1}")
    words = set(corpus.documents.indices[slice(*corpus.documents.indptr[row : row + 2])].tolist())
    shown = page.eval_on_selector_all(
        "details.belongs[open] .evidence li",
        "all => all.map(e => [...e.children].map(c => c.textContent))",
    )
    assert len(shown) > 5
    known = {word: k for k, word in enumerate(model.tree_.words)}

    def odds(present: set[int], weight: float) -> tuple[float, float]:
        """P(document) shared out to the topic and the rest."""
        X = np.zeros((1, model.tree_.n_words))
        X[0, sorted(present)] = 1
        p = model.transform(X)[0, column]
        mass = weight * np.exp(model.score_samples(X)[0] - base)
        return mass * p, mass * (1 - p)

    whole = TopicTree.from_tree(model.tree_, n_keywords=None)
    X = np.zeros((1, model.tree_.n_words))
    X[0, sorted(words)] = 1
    base = model.score_samples(X)[0]
    given = {k.word: (k.p_topic, k.p_background) for k in whole[topic.id].keywords}
    for name, _, alone, ratio in shown:
        lacks = name.startswith("no ")
        word = known[name.removeprefix("no ")]
        assert (word in words) != lacks
        # Left open: both with and without the word.
        there, away = odds(words | {word}, 1.0), odds(words - {word}, 1.0)
        own = away if lacks else there
        expected = own[0] / own[1] / ((there[0] + away[0]) / (there[1] + away[1]))
        assert factor(ratio) == pytest.approx(expected, rel=0.06)
        if name.removeprefix("no ") in given:
            inside, outside = given[name.removeprefix("no ")]
            expected = (1 - inside) / (1 - outside) if lacks else inside / outside
            assert factor(alone) == pytest.approx(expected, rel=0.06)


def factor(shown: str) -> float:
    sign, times = shown.split()
    number = float(times.replace(",", ""))
    return number if sign == "×" else 1 / number


def test_search(visit: Any, page_file: Path, demo: Any) -> None:
    page = visit(page_file)
    page.keyboard.press("/")
    page.keyboard.type("galax")
    page.wait_for_selector(".hits [role=option]")
    found = page.inner_text(".hits")
    assert "galax" in found
    for kind in ("Topics", "Words", "Documents"):
        assert kind in found
    page.keyboard.press("ArrowDown")
    active = page.get_attribute(".search input", "aria-activedescendant")
    assert page.get_attribute(f"#{active}", "aria-selected") == "true"
    page.keyboard.press("Enter")
    assert "galax" in page.inner_text("#details")
    title = demo[1].titles[50]
    page.fill(".search input", title[:40])
    page.wait_for_selector(".hits [role=group][aria-label=Documents]")
    page.keyboard.press("Enter")
    assert page.inner_text("#details h2") == title
    page.fill(".search input", "magnetic field")
    page.wait_for_selector(".hits [role=group][aria-label=Topics]")
    page.fill(".search input", "")
    page.keyboard.press("Enter")  # nothing is looked for, nothing is found
    assert page.inner_text("#details h2") == title
    page.keyboard.type("theorem")
    page.keyboard.press("Enter")  # before the list is there
    assert "theorem" in page.inner_text("#details table.words")
    page.keyboard.press("/")
    page.fill(".search input", "zzzzqqq")
    page.wait_for_selector("text=Nothing found")
    page.keyboard.press("Escape")
    assert page.get_attribute(".search input", "aria-expanded") == "false"


def test_keyboard_alone(visit: Any, page_file: Path, demo: Any) -> None:
    model = demo[0]
    page = visit(page_file)
    page.click("text=Collapse all")
    page.keyboard.press("Tab")  # from the button into the tree
    focused = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused).startswith(model.topics_.roots[0].label)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    page.keyboard.press("ArrowRight")
    child = model.topics_.roots[0].children[0]
    assert page.evaluate(focused).startswith(child.label)
    assert page.evaluate("document.activeElement.getAttribute('aria-level')") == "2"
    page.keyboard.press("Enter")
    assert page.inner_text("#details .facts code") == child.id
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focused).startswith(model.topics_.roots[0].label)
    page.keyboard.press("End")
    assert page.evaluate(focused).startswith(model.topics_.roots[-1].label)
    page.keyboard.press("Home")
    assert page.evaluate(focused).startswith(model.topics_.roots[0].label)
    letter = model.topics_.roots[-1].label[:3]
    page.keyboard.type(letter)
    assert page.evaluate(focused).lower().startswith(letter)
    page.focus("[role=tab][aria-selected=true]")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("[role=tab][aria-selected=true]") == "Tree diagram"


def test_pictures_share_the_selection(visit: Any, page_file: Path, demo: Any) -> None:
    model = demo[0]
    root = model.topics_.roots[0]
    page = visit(page_file)
    page.click(f"#picture g[data-topic='{root.id}']")
    assert page.inner_text("#details .facts code") == root.id
    selected = page.get_attribute("[role=treeitem][aria-selected=true]", "aria-label")
    assert selected.startswith(root.label)
    page.wait_for_timeout(500)  # the zoom
    child = root.children[0]
    page.click(f"#picture g[data-topic='{child.id}'] rect")
    assert page.inner_text("#picture .path [aria-current]").split() == child.label.split()[:3]
    page.click("text=Tree diagram")
    page.click(f"#picture g[data-topic='{root.children[1].id}'] text")
    assert page.inner_text("#details .facts code") == root.children[1].id
    widths = page.eval_on_selector_all(
        "#picture path", "all => all.map(e => Number(e.getAttribute('stroke-width')))"
    )
    assert len(set(widths)) > 3


def test_over_time_and_by_group(visit: Any, page_file: Path, demo: Any) -> None:
    model, corpus = demo
    topic = model.topics_.roots[1]
    page = visit(page_file, f"#topic={topic.id}&view=groups")
    page.click("#picture details summary")
    table = page.eval_on_selector_all(
        "#picture tbody tr", "all => all.map(r => [...r.children].map(c => c.textContent))"
    )
    column = [t.id for t in model.topics_].index(topic.id)
    p = model.transform(corpus)[:, column]
    groups = np.array(list(corpus.groups))
    for name, documents, share, *_ in table:
        assert int(documents.replace(",", "")) == (groups == name).sum()
        expected = p[groups == name].mean()
        assert float(share.strip("<%")) / 100 == pytest.approx(expected, abs=0.006)
    page.click("text=Over time")
    page.click("#picture details summary")
    table = page.eval_on_selector_all(
        "#picture tbody tr", "all => all.map(r => [...r.children].map(c => c.textContent))"
    )
    years = np.array([date[:4] for date in corpus.dates])
    assert [row[0] for row in table] == [
        str(y) for y in range(min(years.astype(int)), max(years.astype(int)) + 1)
    ]
    for year, documents, share, *_ in table:
        assert int(documents.replace(",", "")) == (years == year).sum()
        if documents != "0":
            expected = p[years == year].mean()
            assert float(share.strip("<%")) / 100 == pytest.approx(expected, abs=0.006)


def test_what_is_saved(visit: Any, page_file: Path, demo: Any) -> None:
    model, _ = demo
    page = visit(page_file, accept_downloads=True)

    def chosen(item: str) -> Callable[[], None]:
        def press() -> None:
            page.click(".menu summary")
            page.click(f"text={item}")

        return press

    name, data = saved(page, chosen("Topics as JSON"))
    assert name == "topics.json"
    ours, theirs = model.topics_.to_dict(), json.loads(data)
    assert [t["id"] for t in theirs["topics"]] == [t["id"] for t in ours["topics"]]
    assert theirs["topics"][0]["keywords"][0]["p_topic"] == pytest.approx(
        ours["topics"][0]["keywords"][0]["p_topic"], rel=1e-5
    )
    name, data = saved(page, chosen("Topics as CSV"))
    table = list(csv.DictReader(io.StringIO(data.decode())))
    assert [row["id"] for row in table] == [t.id for t in model.topics_]
    name, data = saved(page, chosen("Picture as SVG"))
    assert name == "map.svg"
    assert data.startswith(b"<svg ")
    assert b'xmlns="http://www.w3.org/2000/svg"' in data
    name, data = saved(page, chosen("Picture as PNG"))
    assert data.startswith(b"\x89PNG")
    assert len(data) > 10_000
    page.click(".cards button >> nth=0")
    topic = page.inner_text("#details .facts code")
    name, data = saved(page, lambda: page.click("[aria-label='Save these documents as CSV']"))
    assert name == f"documents-{topic}.csv"
    table = list(csv.DictReader(io.StringIO(data.decode())))
    assert {row["topic"] for row in table} == {topic}
    assert float(table[-1]["probability"]) >= 0.4999
    name, data = saved(page, lambda: page.click("[aria-label='Save these documents as JSON']"))
    assert len(json.loads(data)["documents"]) == len(table)


def test_topics_alone(visit: Any, tmp_path: Path, demo: Any) -> None:
    file = tmp_path / "topics.html"
    demo[0].topics_.to_html(file)
    page = visit(file)
    assert "documents" not in page.inner_text("header")
    page.click(".cards button >> nth=0")
    assert page.query_selector(".documents") is None
    assert page.query_selector(".versions") is None
    tabs = page.eval_on_selector_all("[role=tab]", "all => all.map(e => e.textContent)")
    assert tabs == ["Map", "Tree diagram"]


def test_a_sample_says_so(visit: Any, tmp_path: Path, demo: Any) -> None:
    model, corpus = demo
    file = tmp_path / "sample.html"
    model.topics_.to_html(file, corpus=corpus, most_documents=500)
    page = visit(file)
    notice = page.inner_text(".notice")
    assert f"500 of the {len(corpus):,}" in notice
    page.click(".cards button >> nth=0")
    assert "among the 500" in page.inner_text(".documents p.soft")
    page.click(".documents .title >> nth=0")
    title = page.inner_text("#details h2")
    row = int(
        re.search(r"document ([\d,]+)", page.inner_text("#details .facts"))[1].replace(",", "")
    )
    assert corpus.titles[row - 1] == title
    missing = (
        visit(file, "#document=3") if 3 not in sampled_rows(file) else visit(file, "#document=4")
    )
    assert "does not include" in missing.inner_text("#details")


def sampled_rows(file: Path) -> set[int]:
    from hlta.explorer.container import unpacked

    packed = re.search(r'id="documents">([^<]*)<', file.read_text(encoding="utf-8"))[1]
    return set(unpacked(packed)[0]["rows"])


def test_files_are_linked(visit: Any, tmp_path: Path) -> None:
    folder = tmp_path / "some # documents"
    folder.mkdir()
    for k in range(40):
        words = "cat dog horse" if k % 2 else "stock bond market"
        (folder / f"100% {k}?.txt").write_text(f"{words} {words} number {k % 5}", encoding="utf-8")
    corpus = read_corpus(folder, min_df=2)
    model = HLTA().fit(corpus)
    (tmp_path / "out").mkdir()
    file = tmp_path / "out" / "index.html"
    model.topics_.to_html(file, corpus=corpus, source=folder)
    page = visit(file, "#document=1")
    link = page.query_selector("#details a")
    target = page.evaluate("e => decodeURIComponent(new URL(e.href).pathname)", link)
    assert Path(target).is_file()
    assert corpus.ids[0] == Path(target).name
