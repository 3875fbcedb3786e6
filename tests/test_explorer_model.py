"""Inference in the page against enumeration, and the bundle against its source."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from hlta.explorer.page_data import model_arrays
from tests.strategies import trees, trees_of_many_states_with_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from hlta import LatentTree

    # What `Model` says of the log odds of each latent variable; see SCRIPT.
    Answer = dict[str, list[Any]]
    Infer = Callable[[LatentTree, list[int], list[int]], Answer]

EXPLORER = Path(__file__).parents[1] / "explorer"
ESBUILD = EXPLORER / "node_modules" / ".bin" / "esbuild"

pytestmark = pytest.mark.skipif(
    not (shutil.which("node") and ESBUILD.exists()) and "HLTA_ALL_TESTS" not in os.environ,
    reason="needs Node.js: scripts/browser",
)

SCRIPT = """
import { Model, evidence, together } from "./model.mjs";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { parent, states, background, word, latent, present, lacking } = JSON.parse(line);
  const model = new Model({
    parent: Int32Array.from(parent),
    states: Uint8Array.from(states),
    background: Uint8Array.from(background),
    word: Float64Array.from(word),
    latent: Float64Array.from(latent),
  });
  const there = Uint32Array.from(present);
  const latents = [...states.keys()];
  console.log(JSON.stringify({
    odds: [...model.logOdds(there)],
    rest: latents.map((k) => evidence(model, k, there, lacking).map((e) => e.rest)),
    alone: latents.map((k) => evidence(model, k, there, lacking).map((e) => e.alone)),
    together: latents.map((k) => together(model, k, there)),
  }));
}
"""


@pytest.fixture(scope="module")
def infer_in_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Infer]:
    """Inference by the page's own code, in Node.js."""
    folder = tmp_path_factory.mktemp("model")
    subprocess.run(
        [
            ESBUILD,
            EXPLORER / "src" / "inference" / "model.ts",
            "--format=esm",
            f"--outfile={folder}/model.mjs",
        ],
        check=True,
        capture_output=True,
    )
    (folder / "run.mjs").write_text(SCRIPT, encoding="utf-8")
    with subprocess.Popen(
        ["node", folder / "run.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        questions, answers = process.stdin, process.stdout

        def infer(tree: LatentTree, present: list[int], lacking: list[int]) -> Answer:
            question = {
                "parent": tree.parent.tolist(),
                **{name: array.tolist() for name, array in model_arrays(tree).items()},
                "present": present,
                "lacking": lacking,
            }
            print(json.dumps(question), file=questions, flush=True)
            answer: Answer = json.loads(answers.readline())
            return answer

        yield infer
        questions.close()


def log_odds(tree: LatentTree, seen: dict[int, int]) -> NDArray[np.float64]:
    """By the sum over all states of the latent variables; words that are not seen are left open."""
    n, m = tree.n_words, tree.n_latents
    counts, word, latent, first = tree.parameters
    states = np.array(list(product(*map(range, counts.tolist()))))
    above = np.zeros_like(states, shape=(tree.n_nodes, len(states)))
    for node in np.flatnonzero(tree.parent >= 0):
        above[node] = states[:, tree.parent[node] - n]
    total = np.zeros(len(states))
    for w, state in seen.items():
        p = word[w, above[w]]
        total += np.log(p) if state else np.log1p(-p)
    for v in range(m):
        total += np.log(latent[v, above[n + v], states[:, v]])
    on = [np.logaddexp.reduce(total[states[:, v] >= first[v]]) for v in range(m)]
    off = [np.logaddexp.reduce(total[states[:, v] < first[v]]) for v in range(m)]
    return np.subtract(on, off, dtype=np.float64)


of_many_states = trees_of_many_states_with_documents(most=5).map(lambda drawn: drawn[0])


@pytest.mark.slow
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees(max_words=8) | of_many_states)
def test_inference_in_the_page_is_that_of_enumeration(
    infer_in_page: Infer, tree: LatentTree
) -> None:
    present = [v for v in range(tree.n_words) if (v * 7 + tree.n_nodes) % 3 == 0]
    lacking = [v for v in range(tree.n_words) if v not in present]
    answer = infer_in_page(tree, present, lacking)
    seen = {v: int(v in present) for v in range(tree.n_words)}

    def gained_over(rest: dict[int, int]) -> NDArray[np.float64]:
        """What the words that are not among the rest add to the log odds."""
        return log_odds(tree, seen) - log_odds(tree, rest)

    np.testing.assert_allclose(answer["odds"], log_odds(tree, seen), atol=1e-8)
    given_the_rest, alone = np.array(answer["rest"]), np.array(answer["alone"])
    for place, word in enumerate([*present, *lacking]):
        rest = {v: state for v, state in seen.items() if v != word}
        np.testing.assert_allclose(given_the_rest[:, place], gained_over(rest), atol=1e-8)
        by_itself = log_odds(tree, {word: seen[word]}) - log_odds(tree, {})
        np.testing.assert_allclose(alone[:, place], by_itself, atol=1e-8)
    together = np.array(answer["together"])
    for place, state in enumerate((1, 0)):
        rest = {v: other for v, other in seen.items() if other != state}
        np.testing.assert_allclose(together[:, place], gained_over(rest), atol=1e-8)


def test_the_bundle_is_what_its_source_gives() -> None:
    done = subprocess.run(
        ["node", "build.mjs", "--check"], cwd=EXPLORER, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
