"""Agents ask for topics and documents, by the protocol's own client."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import HLTA, Corpus, OptionError
from hlta.explorer.serve.agents import agent_server
from hlta.explorer.serve.guide import Guide
from tests.command import mistake
from tests.served import archive_of

mcp = pytest.importorskip("mcp")
DOCUMENTS = 300
LARGEST = 16_000  # characters of an answer, about 4,000 tokens


def run_to_its_end(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """In a thread of its own: the browser's tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@pytest.fixture(scope="module")
def known(
    papers: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[HLTA, Corpus, Guide]]:
    some, names = papers[::6][:DOCUMENTS], ("abstract", "title", "date", "category")
    texts, titles, dates, groups = ([paper[name] for paper in some] for name in names)
    fields = {"Field": [group.split(".")[0] for group in groups]}
    about: dict[str, Any] = {"titles": titles, "dates": dates, "groups": groups, "fields": fields}
    corpus = Corpus.from_texts(texts, **about, stop_words="english")
    model = HLTA(samples=5).fit(corpus)
    folder = tmp_path_factory.mktemp("served")
    with archive_of(folder, model.tree_, model.topics_, corpus) as archive:
        yield model, corpus, Guide(model.tree_, model.topics_, corpus, archive)


def call(server: Any, tool: str, **arguments: Any) -> Any:
    """Ask by the protocol, as an agent would."""

    async def asked() -> Any:
        async with mcp.Client(server) as client:
            return await client.call_tool(tool, arguments)

    return run_to_its_end(asked())


@pytest.fixture(scope="module")
def ask(known: Any) -> Callable[..., Any]:
    server = agent_server(known[2], "papers")

    def asked(tool: str, **arguments: Any) -> Any:
        answer = call(server, tool, **arguments)
        text = answer.content[0].text
        if answer.is_error:
            raise OptionError(text)
        assert len(text) < LARGEST
        assert json.loads(text) == answer.structured_content
        return json.loads(text)

    return asked


def on(known: Any, *topics: str) -> Any:
    """Which documents are on all of some topics."""
    model, corpus, _ = known
    names = [topic.id for topic in model.topics_]
    shares = model.transform(corpus)
    return np.all([shares[:, names.index(topic)] >= 0.2 for topic in topics], axis=0)


def test_the_tools_are_told_to_only_read(known: Any) -> None:
    async def listed() -> Any:
        async with mcp.Client(agent_server(known[2], "papers")) as client:
            return (await client.list_tools()).tools, client.instructions

    tools, instructions = run_to_its_end(listed())
    names = "outline topic search documents document why trends compare"
    assert [tool.name for tool in tools] == names.split()
    assert all(tool.description and tool.annotations.read_only_hint for tool in tools)
    assert "outline" in instructions


@pytest.mark.parametrize("depth", [1, 20])
def test_an_outline_is_the_tree(known: Any, ask: Any, depth: int) -> None:
    model, corpus, _ = known
    answer = ask("outline", depth=depth)
    assert (answer["documents"], answer["topics_in_all"]) == (len(corpus), len(model.topics_))

    def compared(lines: list[Any], topics: list[Any]) -> int:
        """How many topics there are, if an agent goes on below those where a listing ends."""
        assert [line["id"] for line in lines] == [topic.id for topic in topics]
        count = len(lines)
        for line, topic in zip(lines, topics, strict=True):
            below = line.get("below", [])
            if "topics_below" in line:
                below = ask("outline", below=topic.id)["topics"]
                assert len(below) == line["topics_below"]
            count += compared(below, topic.children)
        return count

    assert compared(answer["topics"], model.topics_.roots) == len(model.topics_)
    for line in answer["topics"]:
        assert line["documents"] == on(known, line["id"]).sum()
        assert "below" not in line or depth > 1


def test_a_topic_has_its_keywords_and_neighbours(known: Any, ask: Any) -> None:
    model, corpus, _ = known
    for topic in list(model.topics_)[:10]:
        answer = ask("topic", topic=topic.id)
        assert [word["word"] for word in answer["keywords"]] == topic.words[:30]
        assert [line["id"] for line in answer["below"]] == [child.id for child in topic.children]
        above = None if topic.parent is None else topic.parent.id
        assert above == (answer["above"][-1]["id"] if answer["above"] else None)
        for document in answer["typical_documents"]:
            assert on(known, topic.id)[document["number"] - 1]
            assert document["title"] == corpus.titles[document["number"] - 1]


def test_a_search_finds_topics_and_documents(known: Any, ask: Any) -> None:
    model, corpus, _ = known
    answer = ask("search", query="neural")
    expected = [topic.id for topic in model.topics_.search("neural")[:10]]
    assert [topic["id"] for topic in answer["topics"]] == expected
    for query in ("neural OR NOT deep", "-(neural deep) group:nowhere", "date:2019..2020 (neural)"):
        assert ask("search", query=query)["documents_found"] == len(corpus.search(query)), query
    assert ask("search", query="neural " * 5000)["topics"] == answer["topics"]
    for query in ("neural NOT galaxies", "neural date:1990..", "neural group:galaxies"):
        assert ask("search", query=query)["topics"] == answer["topics"], query
    assert not ask("search", query="NOT neural")["topics"]
    with pytest.raises(OptionError, match="a search has 100 words at most; use fewer"):
        model.topics_.search(" ".join(map(str, range(101))))
    both = zip(corpus.titles, corpus.texts, strict=True)
    texts = [f"{title} {text}".lower() for title, text in both]
    assert answer["documents_found"] >= sum(" neural " in text for text in texts) > 0
    assert all("neural" in texts[d["number"] - 1] for d in answer["documents"])


def test_documents_meet_all_conditions(known: Any, ask: Any) -> None:
    _, corpus, _ = known
    topic = min(known[0].topics_.roots, key=lambda root: root.size).id
    first = int(np.flatnonzero(on(known, topic))[0])
    group, since = corpus.groups[first], corpus.dates[first][:4]
    in_group = np.array(list(corpus.groups)) == group
    wanted = on(known, topic) & in_group & (np.array(list(corpus.dates)) >= since)
    found: list[int] = []
    offset: int | None = 0
    while offset is not None:
        answer = ask("documents", topic=topic, group=group, since=since, offset=offset, limit=7)
        found += [document["number"] for document in answer["documents"]]
        offset = answer.get("next_offset")
    assert answer["documents_found"] == wanted.sum() == len(found)
    assert sorted(found) == [row + 1 for row in np.flatnonzero(wanted)]
    assert topic in [line["id"] for line in answer["more_frequent_topics"]]
    decade = ask("documents", since="2010s", until="2010s")["documents_found"]
    assert decade == sum("2010" <= date[:4] <= "2019" for date in corpus.dates) > 0


def test_a_document_is_read_in_parts(known: Any, ask: Any) -> None:
    model, corpus, _ = known
    answer = ask("document", number=5)
    assert answer["text"] == corpus.texts[4][:4000]
    assert ask("document", number=5, offset=10)["text"] == corpus.texts[4][10:4010]
    shares = zip(model.topics_, model.transform(corpus)[4].tolist(), strict=True)
    expected = {topic.id: pytest.approx(share, rel=0.01) for topic, share in shares if share >= 0.2}
    assert {topic["id"]: topic["share"] for topic in answer["topics"]} == expected


def test_why_is_what_the_model_says(known: Any, ask: Any) -> None:
    model, corpus, _ = known
    number = ask("topic", topic=model.topics_.roots[0].id)["typical_documents"][0]["number"]
    answer = ask("why", topic=model.topics_.roots[0].id, document=number)
    found = model.why(model.topics_.roots[0], corpus.take([number - 1]))
    assert answer["on_topic"]
    assert answer["share"] == pytest.approx(found.share, rel=0.01)
    assert answer["words_known"] == len(found.words)
    told = [(word["word"], word["part_about_topic"]) for word in answer["words"]]
    parts = [(word, part) for word, part in found.words[:15] if part >= 0.05]
    assert told == [(word, pytest.approx(part, rel=0.01)) for word, part in parts]
    assert "note" not in answer


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ({}, "period"),
        ({"unit": "decade"}, "period"),
        ({"by": "group"}, "group"),
        ({"by": "Field"}, "group"),
    ],
)
def test_trends_are_those_of_the_tables(
    known: Any, ask: Any, asked: dict[str, str], name: str
) -> None:
    model, corpus, _ = known
    topic, tree = model.topics_.roots[0], model.topics_
    chosen = {"corpus": corpus, "topics": [topic]}
    by = asked.get("by")
    frame = tree.by_group(**chosen, field=by) if by else tree.over_time(**chosen, **asked)
    answer = ask("trends", topic=topic.id, **asked)
    assert [line[name] for line in answer["shares"]] == frame[name].to_list()[:80]
    for key in ("share", "on_topic", "documents"):
        figures = [line[key] for line in answer["shares"]]
        assert figures == pytest.approx(frame[key].to_list()[:80], rel=0.01)


@pytest.mark.filterwarnings("ignore:only the 2 largest of", "ignore:left out")
def test_trends_count_the_groups_that_are_not_compared(
    known: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, corpus, guide = known
    monkeypatch.setattr("hlta.topics.divisions._MOST_GROUPS", 2)
    answer = Guide(model.tree_, model.topics_, corpus, guide._archive).trends(
        model.topics_.roots[0].id, "group"
    )
    assert len(answer["shares"]) + answer["left_out"] == len(set(corpus.groups)) > 2


def test_documents_have_the_value_of_a_field(known: Any, ask: Any) -> None:
    _, corpus, _ = known
    assert ask("outline")["fields"] == ["Field"]
    answer = ask("documents", group="math", field="Field")
    assert answer["documents_found"] == list(corpus.fields["Field"]).count("math") > 0
    assert {entry["fields"]["Field"] for entry in answer["documents"]} == {"math"}


def test_two_topics_are_compared(known: Any, ask: Any) -> None:
    one, other = (topic.id for topic in known[0].topics_.roots[:2])
    counts = ask("compare", first=one, second=other)["documents"]
    both = on(known, one, other).sum()
    assert counts["on_both"] == both
    assert counts["on_first_only"] == on(known, one).sum() - both
    assert counts["on_second_only"] == on(known, other).sum() - both


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("topic", {"topic": "Z99-9"}, "no topic 'Z99-9'"),
        ("outline", {"depth": 0}, "depth=0"),
        ("search", {"query": " "}, "has no words"),
        ("search", {"query": "?!"}, "has no words"),
        ("search", {"query": "date:2015..2001"}, "ends before it begins"),
        ("documents", {"since": "2015-06", "until": "2015-02"}, "since='2015-06' is later than"),
        ("documents", {"order": "best"}, "use one of typical"),
        ("documents", {"limit": 51}, "limit from 1 to 50"),
        ("documents", {"topics": "Z3-1"}, "topics\n  Extra inputs are not permitted"),
        ("documents", {"since": "2010-13-45"}, "since='2010-13-45': use a date such as"),
        ("documents", {"until": "May"}, "until='May': use a date such as 2019"),
        ("documents", {"until": "2019-Q5"}, "until='2019-Q5': use a date such as 2019"),
        ("documents", {"word": "zebras"}, "'zebras' is not a word of the model"),
        ("documents", {"group": "zebras"}, "no document is in it"),
        ("documents", {"group": "cs", "field": "desk"}, "field='desk': use one of group, Field"),
        ("documents", {"field": "Field"}, "give a group, too"),
        ("trends", {"topic": "Z3-1", "by": "week"}, "by='week': use one of time, group, Field"),
        ("documents", {"text": " "}, "has no words"),
        ("documents", {"order": "share"}, "goes by a topic"),
        ("documents", {"order": "relevant"}, "goes by a text"),
        ("document", {"number": 0}, f"number from 1 to {DOCUMENTS}"),
        ("document", {"number": 1, "offset": 10**6}, "length of the text"),
        (
            "trends",
            {"topic": "Z3-1", "by": "group", "unit": "week"},
            "unit='week' applies to by='time'",
        ),
        ("trends", {"topic": "Z3-1", "unit": "weeks"}, "unit='weeks'"),
        ("trends", {"topic": "Z99-9"}, "no topic"),
    ],
)
def test_what_has_no_answer_is_explained(ask: Any, tool: str, arguments: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        ask(tool, **arguments)


def test_without_dates_none_are_asked_for(known: Any) -> None:
    model, corpus, guide = known
    plain = Guide(model.tree_, model.topics_, replace(corpus, dates=None), guide._archive)
    asked: list[dict[str, Any]] = [{"since": "2010"}, {"order": "newest"}]
    for question in asked:
        with pytest.raises(OptionError, match="the documents have no dates"):
            plain.documents(**question)


def test_half_a_character_is_answered(known: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def document(_: Guide, number: int) -> dict[str, Any]:
        return {"id": "\ud800x", "texts": ["é", number + 0.5]}

    monkeypatch.setattr(Guide, "document", document)
    answer = call(agent_server(known[2], "papers"), "document", number=1)
    assert answer.structured_content == {"id": "?x", "texts": ["é", 1.5]}


def test_the_command_speaks_the_protocol(
    fitted: Path, texts_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["-m", "hlta", "mcp", str(fitted), str(texts_file), "--quiet"]
    answer = call(mcp.StdioServerParameters(command=sys.executable, args=arguments), "outline")
    assert answer.structured_content["topics_in_all"] == len(HLTA.load(fitted).topics_)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    assert 'pip install "hlta[mcp]"' in mistake("mcp", fitted, texts_file)
