"""What became of seeds: their topics, what they cost, and what the documents say."""

from __future__ import annotations

import json
import warnings
from itertools import product

import numpy as np
import pytest

from hlta import HLTA
from hlta.documents.matrix import as_documents
from hlta.seeds.given import Given, Seed
from hlta.seeds.reports import SeedReport, meetings, report_seeds, seed_topics, warn_of_doubts
from tests.examples import HIERARCHY
from tests.synthetic import planted

ENTROPY = -0.1 * np.log(0.1) - 0.9 * np.log(0.9)  # of a word in a tenth of the documents
MUCH = "the tree is much better without it"
REPORT = SeedReport("A", ("x", "y"), False, "Z2-1", 0.25, 1200, 300.4, "")


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
    ("lost", "apart", "against"),
    [(0.0, False, ""), (0.2, False, MUCH), (5.0, False, MUCH), (5.0, True, MUCH), (-5.0, True, "")],
)
def test_what_costs_much_is_said_not_to_hold(lost: float, apart: bool, against: str) -> None:
    X = HIERARCHY.sample(500, seed=0)
    seed = Seed("T", (("e",), ("g",)), apart)
    (report,) = report_seeds(HIERARCHY, as_documents(X), [seed], [lost])
    assert report.against == against
    assert (report.lost, report.words, report.title) == (lost, ("e", "g"), "T")
    assert report.documents == (X.toarray()[:, [4, 6]].sum(axis=1) == 2).sum()


def test_words_that_meet_often_may_cost_more() -> None:
    X = np.zeros((2000, 8), dtype=int)
    X[:200, :2] = 1
    seed = Seed(None, (("a",), ("b",)))
    for share, against in ((0.2, ""), (0.3, MUCH)):
        (report,) = report_seeds(HIERARCHY, as_documents(X), [seed], [share * 2 * ENTROPY])
        assert report.against == against


def test_of_few_documents_chance_may_cost_more() -> None:
    X = np.ones((20, 8), dtype=int)
    X[2:, :2] = 0
    loss = 1e-3 * -HIERARCHY.log_likelihood(X).mean() * 1000 / 20
    assert loss > 0.25 * 2 * ENTROPY  # or chance would not decide
    seed = Seed(None, (("a",), ("b",)))
    for factor, against in ((0.99, ""), (1.01, MUCH)):
        (report,) = report_seeds(HIERARCHY, as_documents(X), [seed], [factor * loss])
        assert report.against == against


def test_words_that_avoid_each_other_are_said_not_to_hold() -> None:
    X = np.zeros((40, 8), dtype=int)
    X[:20, 0] = X[15:, 1] = 1  # 5 documents have both, by chance 12.5
    seed = Seed(None, (("a",), ("b",)))
    (report,) = report_seeds(HIERARCHY, as_documents(X), [seed], [0.0])
    assert report.against == "its words meet less often than by chance"
    assert report.documents == 5
    assert report.by_chance == pytest.approx(12.5)


def test_a_seed_of_seeds_meets_where_words_of_two_of_them_do() -> None:
    X = np.zeros((10, 8), dtype=int)
    X[:4, :2] = 1  # only words of the first
    X[5, [1, 2]] = 1
    seed = Seed("T", (("a", "b"), ("c", "d")))
    (report,) = report_seeds(HIERARCHY, as_documents(X), [seed], [0.0])
    assert report.documents == 1
    assert report.by_chance == pytest.approx(10 * 0.5 * 0.1)


def test_a_report_reads_like_a_sentence() -> None:
    assert str(REPORT) == (
        "Z2-1 A: costs 0.250 of log-likelihood per document; its words meet in 1,200 documents, "
        "by chance in 300"
    )
    other = REPORT._replace(title=None, apart=True, topic=None, lost=-0.5, against=MUCH)
    assert str(other).startswith("apart x, y: gains 0.500 of log-likelihood per document")
    assert str(other).endswith(f"- {MUCH}")


def test_reports_survive_json() -> None:
    assert SeedReport.read(json.loads(json.dumps(REPORT.plain()))) == REPORT


def test_a_warning_names_the_first_seeds_that_do_not_hold() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_doubts([REPORT])
    doubtful = [REPORT._replace(title=t, against=MUCH) for t in "BCDE"]
    with pytest.warns(UserWarning, match=rf"against 4 of 5 seeds.*B: {MUCH}; C: .*; \.\.\.$"):
        warn_of_doubts([REPORT, *doubtful])


@pytest.mark.parametrize("seed", range(3))
def test_seeds_that_hold_cost_less_than_those_that_do_not(seed: int) -> None:
    tree = planted(90, seed)
    X = tree.sample(1500, seed=seed)
    islands = [np.flatnonzero(tree.parent[:90] == t) for t in np.unique(tree.parent[:90])]
    own = [tree.words[w] for w in islands[seed + 1]]
    other = [tree.words[island[0]] for island in islands[::3]]

    def report(words: list[str]) -> SeedReport:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            model = HLTA(samples=10, em_steps=1, seeds=[words]).fit(X, words=tree.words)
        return model.seeds_[0]

    holds, fails = report(own), report(other)
    assert holds.lost + 0.1 < fails.lost
    assert holds.documents > holds.by_chance
    assert not holds.against
    assert fails.against
