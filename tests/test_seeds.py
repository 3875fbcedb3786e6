"""Seeds: what a user may give, what holds in the partitions and the tree, and what became of them."""

import json
import warnings
from collections.abc import Sequence
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from hlta import HLTA, Corpus, LatentTree, OptionError
from hlta.documents.given_matrices import as_documents
from hlta.learning.consensus import find_partitions
from hlta.learning.seeds import Seeds, Wishes
from hlta.learning.votes import Vote, togetherness
from hlta.seeds.given import Given, Seed
from hlta.seeds.reports import SeedReport, meetings, report_seeds, seed_topics, warn_of_doubts
from tests.examples import HIERARCHY
from tests.scanning import THEMES
from tests.synthetic import planted
from tests.there import there

N = 60
WORDS = [f"w{k}" for k in range(N)]
TRUTH = planted(N, 3)
X = TRUTH.sample(800, seed=1)


def learned(X: Any = X, words: Sequence[str] = WORDS, **options: Any) -> HLTA:
    """A model with seeds, of which some may be doubted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return HLTA(**({"em_steps": 1} | options)).fit(X, words=words)


# ---- what partitions keep to ---------------------------------------------------------------------


@st.composite
def outlines(draw: st.DrawFn) -> tuple[list[Vote], Seeds]:
    """Random votes, nested seeds of random words, and words apart that do not contradict them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(20, 70))
    free = rng.permutation(n).tolist()
    sets: list[frozenset[int]] = []

    def add(depth: int) -> list[int]:
        place = len(sets)
        sets.append(frozenset())
        if depth and draw(st.booleans()):
            words = [word for _ in range(draw(st.integers(2, 3))) for word in add(depth - 1)]
        else:
            words = [free.pop() for _ in range(draw(st.integers(2, 7)))]
        sets[place] = frozenset(words)
        return words

    while len(free) > 7 * 9 and draw(st.booleans()):
        add(2)
    while len(free) > 12 and draw(st.booleans()):
        add(0)
    groups = st.frozensets(st.integers(0, n - 1), min_size=2, max_size=4)
    apart = [g for g in draw(st.lists(groups, max_size=3)) if all(len(g & s) < 2 for s in sets)]
    topics = (rng.integers(0, max(1, n // size), n) for size in (4, 10, 30) for _ in range(3))
    columns = list(topics)
    votes = [Vote(tuple(columns[k::3][: draw(st.integers(1, 3))])) for k in range(3)]
    return votes, Seeds(tuple(sets), tuple(apart))


@settings(max_examples=40)
@given(outlines(), st.integers(2, 8))
def test_partitions_keep_to_any_seeds(wanted: tuple[list[Vote], Seeds], n_top: int) -> None:
    votes, seeds = wanted
    partitions = find_partitions(votes, n_top=n_top, seeds=seeds)
    seeded = frozenset[int]().union(*seeds.together)
    for fine, coarse in pairwise(partitions):
        assert len(np.unique(np.column_stack((fine, coarse)), axis=0)) == fine.max() + 1
        assert coarse.max() <= fine.max()
    for words in seeds.together:
        whole = next(p for p in partitions if len(set(p[list(words)])) == 1)
        beside = set(np.flatnonzero(whole == whole[min(words)]).tolist())
        assert not beside & (seeded - words)
    for words in seeds.apart:
        assert all(len(set(p[list(words)])) == len(words) for p in partitions)


@settings(max_examples=20)
@given(outlines(), st.randoms(use_true_random=False))
def test_the_order_of_seeds_changes_nothing(wanted: tuple[list[Vote], Seeds], random: Any) -> None:
    votes, seeds = wanted
    shuffled = list(seeds.together)
    random.shuffle(shuffled)
    shuffled.sort(key=len, reverse=True)  # those within others come after these
    other = Seeds(tuple(shuffled), seeds.apart[::-1])
    both = (find_partitions(votes, n_top=4, seeds=s) for s in (seeds, other))
    for one, two in zip(*both, strict=True):
        np.testing.assert_array_equal(one, two)


def test_a_seed_takes_in_the_words_most_like_its_own() -> None:
    """Two words of an island of three: the third joins them, and words of other islands do not."""
    vote = Vote((np.arange(60) // 3, np.arange(60) // 6))
    islands = find_partitions([vote], n_top=2, seeds=Seeds((frozenset({0, 1}),)))[0]
    assert set(np.flatnonzero(islands == islands[0])) == {0, 1, 2}


# ---- what a user may give ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seeds", "apart", "message"),
    [
        ("w1", None, "seeds='w1': use titles"),
        (["w1", "w2"], None, "use titles with words"),
        ([["w1"]], None, "list 1 of seeds has fewer than two words; give it more"),
        ([["w1", None]], None, "holds None; every word must be a non-empty string"),
        ([{"w1", "w2"}], None, "use a list of words"),
        ({"A": "w1"}, None, "the seed 'A' is 'w1'"),
        ({"A": []}, None, "the seed 'A' has fewer than two words"),
        ({"A": {"B": ["w1", "w2"]}}, None, "'A' is made of 1 seeds"),
        ({" ": ["w1", "w2"]}, None, "0 characters"),
        ({"A": ["w1", "w2"], "a": ["w3", "w4"]}, None, "the title 'a' is given twice"),
        ({"A": ["w1", "W1"]}, None, "'A' holds 'w1' twice"),
        ({"A": ["w1", "w2"], "B": ["w2", "w3"]}, None, "'w2' is in two seeds, 'A' and 'B'"),
        ([["w1", "w2"], ["w2", "w3"]], None, "'w2' is in two seeds, 'w1', 'w2' and 'w2', 'w3'"),
        ([["w1", "w2"]], [["w2", "w1", "w4"]], "keeps 'w1' and 'w2' apart, but the seed 'w1'"),
        ({"A": {"B": ["w1", "w2"], "C": ["w3", "w4"]}}, [["w1", "w4"]], "the seed 'A' puts"),
        (None, ["w1", "w2"], "apart=.*use lists of words"),
        ([["w1", "zebra"]], [["emu", "w3"]], "no columns are called 'zebra', 'emu'"),
    ],
)
def test_what_makes_no_sense_is_refused(seeds: Any, apart: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        HLTA(seeds=seeds, apart=apart).fit(X, words=WORDS)


def test_seeds_are_never_ignored() -> None:
    wishes: list[dict[str, Any]] = [{"seeds": [["w1", "w2"]]}, {"apart": [["w1", "w2"]]}]
    for wanted in wishes:
        with pytest.raises(OptionError, match=r"with refine=False there is no vote"):
            HLTA(refine=False, **wanted).fit(X, words=WORDS)
    assert HLTA(samples=1, em_steps=1).fit(X, words=WORDS).seeds_ == []


def test_words_that_texts_have_but_the_vocabulary_has_not() -> None:
    texts = ["the cat and the dog", "a dog and a cat play", "birds sing at dawn"] * 10
    corpus = Corpus.from_texts([*texts, "a zebra"])
    with pytest.raises(OptionError, match=r"does not have 'zebra': too rare, .*include="):
        Given.read([["zebra", "cat"]], None).within(corpus)
    corpus = Corpus.from_texts([*texts, "a zebra"], include=["zebra", "emu"])
    assert "zebra" in corpus.words
    with pytest.raises(OptionError, match="no text has the words 'emu'"):
        Given.read([["emu", "cat"]], None).within(corpus)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("emu", "how the texts spell them$"),
        ("vitamin c", r"one letter are read with min_length=1 \(--min-length\)$"),
        ("covid-19", r"digits are read with numbers=True \(--numbers\)$"),
        ("sing", "where a phrase of the seeds stands, its words do not count$"),
    ],
)
def test_why_no_text_has_a_word(word: str, hint: str) -> None:
    texts = ["the cat and the dog", "vitamin c against covid-19", "birds sing at dawn"] * 10
    corpus = Corpus.from_texts(texts, include=["birds sing", word])
    with pytest.raises(OptionError, match=f"no text has the words '{word}'.*{hint}"):
        Given.read([[word, "birds sing"]], None).within(corpus)


def test_words_are_found_as_texts_are_read_and_outer_seeds_listed_first() -> None:
    corpus = Corpus(np.eye(4, dtype=int), ["central-bank", "inflation", "Rate", "money"])
    found = Given.read({"A": ["Central bank", "Inflation", "Rate"]}, None).within(corpus)
    assert found.seeds[0].words == ("central-bank", "inflation", "Rate")
    given = Given.read(
        {"A": {"B": ["w1", "w2"], "C": ["w3", "w4"]}, "D": ["w5", "w6"]}, [["w1", "w5"]]
    )
    together = ("w1", "w2", "w3", "w4"), ("w1", "w2"), ("w3", "w4"), ("w5", "w6")
    assert given.wishes == Wishes(together, (("w1", "w5"),))


# ---- fitted trees --------------------------------------------------------------------------------

SEEDS = {
    "Home": {"Kitchen": ["w0", "w1"], "Garden": ["w30", "w50", "w59"]},
    "Work": ["w10", "w11", "w40", "w41", "w20", "w21", "w22"],
}
APART = [["w0", "w2"], ["w12", "w13", "w14"]]


@pytest.fixture(scope="module")
def model() -> HLTA:
    return learned(samples=8, em_steps=5, max_top_topics=4, seeds=SEEDS, apart=APART)


def words_below(tree: LatentTree, topic: str) -> set[str]:
    """Slowly: the words from which one climbs to the topic, never to a level that is not higher."""
    found = set()
    for k, word in enumerate(tree.words):
        node = k
        while tree.parent[node] >= 0 and tree.level[tree.parent[node]] > tree.level[node]:
            node = int(tree.parent[node])
            if tree.names[node] == topic:
                found.add(word)
    return found


def assert_apart(tree: LatentTree, *words: str) -> None:
    """No topic has two of these words."""
    for topic in tree.latent_names:
        assert len(words_below(tree, topic).intersection(words)) < 2


def test_the_words_of_a_seed_are_below_its_topic_and_those_of_others_are_not(model: HLTA) -> None:
    together = [seed for seed in model.seeds_ if not seed.apart]
    assert [seed.title for seed in together] == ["Home", "Kitchen", "Garden", "Work"]
    seeded = {word for seed in together for word in seed.words}
    for seed in together:
        assert seed.topic is not None
        below = words_below(model.tree_, seed.topic)
        assert set(seed.words) <= below
        assert not below & (seeded - set(seed.words))
        assert model.topics_[seed.topic].title == seed.title
    assert len({seed.topic for seed in together}) == 4
    for words in APART:
        assert_apart(model.tree_, *words)


def test_a_single_vote_keeps_to_seeds() -> None:
    model = learned(samples=1, seeds={"Home": ["w1", "w30", "w50"]}, apart=[["w2", "w3"]])
    topic = there(model.seeds_[0].topic)
    assert {"w1", "w30", "w50"} <= words_below(model.tree_, topic)
    assert_apart(model.tree_, "w2", "w3")


def test_seeds_and_titles_survive_files_and_edits(model: HLTA, tmp_path: Path) -> None:
    model.save(tmp_path / "model.hlta")
    loaded = HLTA.load(tmp_path / "model.hlta")
    assert loaded.seeds_ == model.seeds_
    assert (loaded.seeds, loaded.apart) == (SEEDS, APART)
    assert str(loaded.topics_) == str(model.topics_)
    loaded.edit.remove("w10")
    titles = {topic.id: topic.title for topic in loaded.topics_}
    assert all(titles[seed.topic] == seed.title for seed in model.seeds_ if seed.topic)


@pytest.mark.parametrize(
    "seeds",
    [
        {f"T{k}": WORDS[2 * k : 2 * k + 2] for k in range(30)},
        {"Home": {"Kitchen": ["w0", "w1"], "Garden": ["w30", "w50"]}},
    ],
)
def test_topics_of_seeds_are_shown_where_a_level_joins_nothing(seeds: dict[str, Any]) -> None:
    model = learned(samples=2, seeds=seeds)
    titles = {topic.id: topic.title for topic in model.topics_}
    assert all(titles[seed.topic] == seed.title for seed in model.seeds_ if seed.topic)


def test_neither_threads_nor_the_order_of_columns_change_anything(model: HLTA) -> None:
    order = np.random.default_rng(0).permutation(N)
    copy = clone(model).set_params(n_jobs=1)
    assert copy.get_params()["seeds"] == SEEDS
    with pytest.warns(UserWarning, match="the documents speak against"):
        other = copy.fit(X[:, order], words=[WORDS[k] for k in order])
    assert other.tree_.with_words(WORDS) == model.tree_
    assert other.seeds_ == model.seeds_


def test_texts_keep_the_words_and_phrases_of_seeds() -> None:
    texts = [*THEMES, "very dark", "the neural network of a brain", "a brain has neural networks"]
    seeds = {"Sky": ["dark", "very"], "Fruit": ["Apples", "and"]}  # stop words
    seeds |= {"Nets": ["Neural network", "brain"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = HLTA(samples=3, seeds=seeds).fit(texts)
    assert [seed.words for seed in model.seeds_] == [
        ("dark", "very"),
        ("apples", "and"),
        ("neural-network", "brain"),
    ]
    titled = {topic.title: topic.words for topic in model.topics_}
    assert seeds.keys() <= titled.keys()
    assert {"dark", "very"} <= set(titled["Sky"])
    assert "apples" not in titled["Sky"]


def test_words_apart_from_all_others_and_seeds_of_all_words_are_refused() -> None:
    with pytest.raises(OptionError, match=r"apart leaves 'w.' no other word"):
        HLTA(samples=2, apart=[["w0", "w1", "w2", "w3"]]).fit(X[:, :4], words=WORDS[:4])
    halves = {"A": WORDS[:30], "B": WORDS[30:]}
    model = learned(samples=3, seeds=halves, max_top_topics=4)
    assert {"A", "B"} <= {topic.title for topic in model.topics_}
    learned(samples=3, seeds=[WORDS[k : k + 2] for k in range(0, 60, 2)], max_top_topics=4)
    with pytest.raises(OptionError, match="the seed 'All' holds all words"):
        HLTA(seeds={"All": halves}).fit(X, words=WORDS)


@pytest.mark.parametrize("n", [12, 24, 60])
def test_what_joins_a_seed_is_not_apart_from_a_seed_that_joins_it_later(n: int) -> None:
    seeds = {"P": {"Q": ["w0", "w1"], "R": ["w6", "w7"]}}
    model = learned(X[:, :n], WORDS[:n], samples=3, seeds=seeds, apart=[["w8", "w0"]])
    assert_apart(model.tree_, "w8", "w0")


# ---- what became of seeds ------------------------------------------------------------------------


SELDOM = "samples seldom put its words together"
MOSTLY = "samples mostly put its words together"
REPORT = SeedReport("A", ("x", "y"), False, "Z2-1", 0.25, 1200, 300.4, "")


def test_words_are_together_as_often_and_as_closely_as_votes_say() -> None:
    rng = np.random.default_rng(0)
    votes = [Vote((rng.integers(0, 3, 20), rng.integers(0, 2, 20))) for _ in range(7)]
    sets = [{1, 5}, {0, 3, 7, 12}]
    for words, found in zip(sets, togetherness(votes, sets), strict=True):
        shared = [
            share * (topics[one] == topics[other])
            for one, other in combinations(words, 2)
            for vote in votes
            for topics, share in zip(vote.topics, vote.shares, strict=True)
        ]
        assert found == pytest.approx(sum(shared) / len(list(combinations(words, 2))) / len(votes))


def test_meetings_are_counted_and_expected_as_if_columns_were_independent() -> None:
    has = np.random.default_rng(0).random((50, 4)) < [0.1, 0.5, 0.7, 0.3]
    met, by_chance = meetings(has)
    assert met == sum(row.sum() >= 2 for row in has)
    expected = 0.0
    for states in product((0, 1), repeat=4):
        if sum(states) >= 2:
            expected += np.prod(np.where(states, has.mean(axis=0), 1 - has.mean(axis=0)))
    assert by_chance == pytest.approx(50 * expected)


def test_the_topic_of_a_seed_is_above_all_its_words() -> None:
    given = Given.read({"All": {"One": ["a", "b"], "Two": ["c", "d"]}, "Three": ["g", "h"]}, None)
    # The island of a and b is not raised: words of another seed are below the topic above it.
    assert seed_topics(HIERARCHY, given.seeds) == ["Z2-1", "Z1-1", "Z1-2", "Z2-2"]
    across = Given.read([["e", "g"]], [["a", "h"]])
    assert seed_topics(HIERARCHY, across.seeds) == ["Z2-2", None]


@pytest.mark.parametrize(
    ("together", "apart", "against"),
    [(0.9, False, ""), (0.1, False, SELDOM), (0.9, True, MOSTLY), (0.1, True, "")],
)
def test_what_samples_do_not_confirm_is_said(together: float, apart: bool, against: str) -> None:
    X = HIERARCHY.sample(500, seed=0)
    seed = Seed("T", (("e",), ("g",)), apart)
    (report,) = report_seeds(HIERARCHY, as_documents(X), [seed], [together])
    assert report.against == against
    assert (report.together, report.words, report.title) == (together, ("e", "g"), "T")
    assert report.documents == (X.toarray()[:, [4, 6]].sum(axis=1) == 2).sum()


def test_words_that_meet_less_often_than_by_chance_are_said_not_to_hold() -> None:
    X = np.zeros((40, 8), dtype=int)
    X[:20, 0] = X[15:, 1] = 1  # 5 documents have both, by chance 12.5
    (report,) = report_seeds(HIERARCHY, as_documents(X), [Seed(None, (("a",), ("b",)))], [0.5])
    assert report.against == "its words meet significantly less often than by chance"
    assert (report.documents, report.by_chance) == pytest.approx((5, 12.5))
    X = np.zeros((10, 8), dtype=int)
    X[:4, :2] = 1  # only words of the first of two seeds
    X[5, [1, 2]] = 1
    seed = Seed("T", (("a", "b"), ("c", "d")))
    (report,) = report_seeds(HIERARCHY, as_documents(X), [seed], [0.5])
    assert (report.documents, report.by_chance) == pytest.approx((1, 10 * 0.5 * 0.1))


def test_a_report_reads_like_a_sentence_and_survives_json() -> None:
    assert str(REPORT) == (
        "Z2-1 A: together 0.25 in samples; its words meet in 1,200 documents, by chance in 300"
    )
    other = REPORT._replace(title=None, apart=True, topic=None, together=None, against=MOSTLY)
    assert str(other).startswith("apart x, y: its words meet in 1,200 documents")
    assert str(other).endswith(f"- {MOSTLY}")
    plain = json.loads(json.dumps(REPORT.plain()))
    assert SeedReport.read(plain) == REPORT
    del plain["together"]
    assert SeedReport.read(plain | {"lost": 0.1}) == REPORT._replace(together=None)


def test_a_warning_names_the_first_seeds_that_do_not_hold() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_doubts([REPORT])
    doubtful = [REPORT._replace(title=t, against=SELDOM) for t in "BCDE"]
    with pytest.warns(UserWarning, match=rf"against 4 of 5 seeds.*B: {SELDOM}; C: .*; \.\.\.$"):
        warn_of_doubts([REPORT, *doubtful])


def test_seeds_that_hold_are_told_from_those_that_do_not() -> None:
    tree = planted(90, 0)
    X = tree.sample(1500, seed=0)
    islands = [np.flatnonzero(tree.parent[:90] == t) for t in np.unique(tree.parent[:90])]
    own, across = islands[1], [island[0] for island in islands[::3]]
    holds, fails = (
        learned(X, tree.words, samples=10, seeds=[[tree.words[k] for k in words]]).seeds_[0]
        for words in (own, across)
    )
    assert there(holds.together) > 0.5
    assert there(fails.together) < 0.2
    assert holds.documents > holds.by_chance
    assert (holds.against != "", fails.against != "") == (False, True)
