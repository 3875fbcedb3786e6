"""The division of words in the page against that of Python."""

import json
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from numpy.typing import NDArray

from hlta import HLTA, Corpus, LatentTree, TopicTree
from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents
from hlta.explorer.page_data import ZERO
from hlta.explorer.page_documents import WHOLE, decode_shares, encode_shares, listed
from hlta.options import IN_PART, LISTED
from hlta.topics.divisions import ShareSums
from hlta.topics.shares import ListShares
from tests.page_code import bundled, needs_node
from tests.strategies import trees, trees_of_many_states
from tests.synthetic import planted
from tests.test_vectors import corpus as with_vectors
from tests.there import there

# What `Sharing` says of each document; see SCRIPT.
Divide = Callable[[ListShares, Documents], list[dict[str, Any]]]

pytestmark = [needs_node, pytest.mark.slow]

SCRIPT = """
import { Sharing } from "SOURCE/shares/division";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { dividing, codes, documents, least } = JSON.parse(line);
  const sharing = new Sharing(dividing, Uint8Array.from(codes));
  const topics = [...dividing.columns.keys()];
  console.log(JSON.stringify(documents.map(([sections, words, vector]) => {
    const each = sections.map((section) => Uint32Array.from(section));
    const about = vector && Float64Array.from(vector);
    const divided = sharing.of(each, Uint32Array.from(words), least, about);
    return {
      vector: topics.map((topic) => divided.vector(topic)),
      shares: topics.map((topic) => divided.share(topic)),
      main: topics.map((topic) => divided.isMain(topic)),
      parts: topics.map((topic) => [...divided.parts(topic)]),
    };
  })));
}
"""


@pytest.fixture(scope="module")
def divide_in_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Divide]:
    """The division of documents by the page's own code, in Node.js."""
    script = bundled(SCRIPT, tmp_path_factory.mktemp("division"))
    with subprocess.Popen(
        ["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        questions, answers = there(process.stdin), process.stdout

        def divide(sharing: ListShares, documents: Documents) -> list[dict[str, Any]]:
            each = (documents[k : k + 1] for k in range(len(documents)))
            question = {
                "dividing": sharing.plain(),
                "codes": (sharing.sharing.codes.T.astype(int) + ZERO).ravel().tolist(),
                "documents": [
                    [
                        rows_of(one.units),
                        one.indices.tolist(),
                        None
                        if (likely := sharing.sharing.of_vectors(one)) is None
                        else likely[0].tolist(),
                    ]
                    for one in each
                ],
                "least": IN_PART,
            }
            print(json.dumps(question), file=questions, flush=True)
            answer: list[dict[str, Any]] = json.loads(answers.readline())
            return answer

        yield divide
        questions.close()


def rows_of(documents: Documents) -> list[list[int]]:
    return [row.tolist() for row in np.split(documents.indices, documents.indptr[1:-1])]


def check_divided(divide: Divide, sharing: ListShares, documents: Documents) -> NDArray[np.float64]:
    """Shares, main topics and parts are those of Python; the shares are returned."""
    expected, main = sharing.with_flags(documents)
    found = divide(sharing, documents)
    shares = np.array([one["shares"] for one in found])
    np.testing.assert_allclose(shares, expected, atol=1e-4)
    flags = np.array([one["main"] for one in found])
    assert not (flags != main)[are_clear(expected)].any()
    for one, row in zip(found, shares, strict=True):
        parts = np.array(one["parts"])
        if parts.size and documents.sections is None and documents.vectors is None:
            np.testing.assert_allclose(parts.mean(axis=1), row, atol=1e-12)
            assert parts.min() >= 0.0
            assert parts.max() <= 1.0 + 1e-12
    return shares


def are_clear(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Documents in which rounding decides nothing: no two shares are nearly the same, or the least."""
    of_any = np.column_stack((shares, np.full(len(shares), IN_PART)))
    ordered = np.where(of_any < IN_PART - 1e-3, -np.arange(of_any.shape[1]), of_any)
    return np.asarray((np.diff(np.sort(ordered, axis=1), axis=1) > 1e-4).all(axis=1))


of_many_states = trees_of_many_states(most=5)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees(max_words=8) | of_many_states)
def test_words_are_divided_as_in_python(divide_in_page: Divide, tree: LatentTree) -> None:
    X = tree.sample(6, 1).tolil()
    X[0, :] = 0  # without a word
    X[1, :] = 1
    sharing = TopicTree.from_tree(tree, lowest_level=1).shares()
    shares = check_divided(divide_in_page, sharing, as_documents(X.tocsr(), tree.n_words))
    assert not shares[0].any()
    assert shares[1].any()


def test_words_and_vectors_are_divided_as_in_python(divide_in_page: Divide) -> None:
    whole = with_vectors()
    model = HLTA(samples=20, random_state=0).fit(whole)
    documents = whole.aligned(model.tree_.words)
    sharing = model.topics_.shares()
    shares = check_divided(divide_in_page, sharing, documents[:60])
    assert shares[::10].any(axis=1).all()  # without a word
    likely = there(sharing.sharing.of_vectors(documents[:60]))
    found = [one["vector"] for one in divide_in_page(sharing, documents[:60])]
    np.testing.assert_array_equal(found, likely[:, sharing._columns])


def test_documents_have_the_shares_that_the_page_lists(divide_in_page: Divide, demo: Any) -> None:
    model, corpus = demo
    documents = corpus.aligned(model.tree_.words).take(np.arange(0, len(corpus), 4))
    sharing = model.topics_.shares()
    shares = check_divided(divide_in_page, sharing, documents)
    sums = ShareSums([], sharing.n_topics)
    codes = listed(encode_shares(sharing, documents, np.ones(len(documents), dtype=bool), sums))
    there = codes.toarray() > 0
    assert there.sum() > 2 * len(documents)
    assert are_clear(shares).mean() > 0.5
    np.testing.assert_allclose(shares[there], decode_shares(codes.toarray())[there], atol=2 / WHOLE)
    assert shares[~there].max() < LISTED + 1 / WHOLE
    some = [0, 175, 500]
    for row, one in zip(some, divide_in_page(sharing, documents.take(np.array(some))), strict=True):
        check_part(sharing, documents[row : row + 1], int(np.argmax(shares[row])), one)


def check_part(sharing: ListShares, document: Documents, topic: int, found: dict[str, Any]) -> None:
    words = [sharing.sharing.words[k] for k in document.indices]
    expected = {part.word: part.part for part in sharing.why(document, topic).words}
    parts = [expected[word] for word in words]
    np.testing.assert_allclose(found["parts"][topic], parts, atol=0.005)


def test_documents_in_sections_are_divided_as_in_python(divide_in_page: Divide) -> None:
    tree = planted(80, 1)
    counts = tree.sample(40, seed=2).toarray() * np.random.default_rng(0).integers(1, 90, (40, 80))
    documents = Corpus(counts, tree.words).documents
    sharing = TopicTree.from_tree(tree).shares()
    shares = check_divided(divide_in_page, sharing, documents)
    some = np.flatnonzero(np.diff(there(documents.sections).starts) > 1)[:5]
    assert len(some) == 5
    for row, one in zip(some, divide_in_page(sharing, documents.take(some)), strict=True):
        check_part(sharing, documents[row : row + 1], int(np.argmax(shares[row])), one)
