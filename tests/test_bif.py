"""Models of the authors' program are read and written without loss."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hlta.errors import ClippedProbabilityWarning, FormatError
from hlta.tree.latent_tree import LatentTree
from tests.strategies import random_tree, trees, trees_of_many_states
from tests.trees import PROBABILITY, SMALL_BIF, small_tree

SHARED = Path(__file__).parents[2] / "shared"


def written(folder: Path, text: str = SMALL_BIF) -> Path:
    """A file with this text."""
    path = folder / "model.bif"
    path.write_text(text, encoding="utf-8")
    return path


@settings(max_examples=50)
@given(st.one_of(trees(), trees_of_many_states(most=6)))
def test_a_tree_written_to_bif_reads_as_the_same_tree(
    tmp_path_factory: pytest.TempPathFactory, tree: LatentTree
) -> None:
    path = tmp_path_factory.mktemp("bif") / "model.bif"
    tree.to_bif(path)
    assert LatentTree.from_bif(path, allow_irregular=True) == tree


def test_a_root_that_was_swapped_to_a_certain_state_reads_as_the_same_tree(tmp_path: Path) -> None:
    """1 - 1e-100 is 1.0 in floating point: a latent variable may have it in any state."""
    probability = PROBABILITY.copy()
    probability[8], probability[9] = [1e-100, 0.5], 1e-100
    for tree in (
        small_tree(probability=probability),
        small_tree(probability=probability).swap_states([8, 9]),
    ):
        tree.to_bif(tmp_path / "m.bif")
        again = LatentTree.from_bif(tmp_path / "m.bif")
        np.testing.assert_array_equal(again.parameters.latent, tree.parameters.latent)


THREE_STATES = """
variable Z { type discrete[3] { low mid high }; }
variable Y { type discrete[2] { no yes }; }
variable a { type discrete[2] { s0 s1 }; }
variable b { type discrete[2] { s0 s1 }; }
variable c { type discrete[2] { s0 s1 }; }
probability ( Z ) { table 0.5 0.3 0.2; }
probability ( Y | Z ) { ("high") 0.4, 0.6; ("low") 0.9, 0.1; ("mid") 0.7, 0.3; }
probability ( a | Z ) { table 0.9 0.8 0.7 0.1 0.2 0.3; }
probability ( b | Y ) { table 0.6 0.5 0.4 0.5; }
probability ( c | Z ) { table 0.1 0.1 0.1 0.9 0.9 0.9; }
"""


def test_latent_variables_have_any_number_of_states(tmp_path: Path) -> None:
    tree = LatentTree.from_bif(written(tmp_path, THREE_STATES), allow_irregular=True)
    assert tree.words == ("a", "b", "c")
    states, word, latent, _ = tree.parameters
    assert states.tolist() == [3, 2]
    np.testing.assert_allclose(
        word, [[0.1, 0.2, 0.3], [0.4, 0.5, 0.0], [0.9, 0.9, 0.9]], rtol=1e-12
    )
    np.testing.assert_allclose(latent[0], [[0.5, 0.3, 0.2]] * 3, rtol=1e-12)
    np.testing.assert_allclose(latent[1], [[0.9, 0.1, 0], [0.7, 0.3, 0], [0.4, 0.6, 0]], rtol=1e-12)


def test_rows_of_rounded_numbers_are_scaled_to_sum_to_1(tmp_path: Path) -> None:
    text = THREE_STATES.replace("table 0.5 0.3 0.2", "table 0.3333333 0.3333333 0.3333333")
    tree = LatentTree.from_bif(written(tmp_path, text), allow_irregular=True)
    np.testing.assert_allclose(tree.parameters.latent[0], 1 / 3, rtol=1e-15)


def test_zeros_of_many_states_are_moved_inside_with_a_warning(tmp_path: Path) -> None:
    text = THREE_STATES.replace("table 0.5 0.3 0.2", "table 0.0 0.0 1.0")
    with pytest.warns(ClippedProbabilityWarning, match="1 probabilities of 0 or 1"):
        tree = LatentTree.from_bif(written(tmp_path, text), allow_irregular=True)
    np.testing.assert_allclose(tree.parameters.latent[0, 0], [1e-15, 1e-15, 1.0], rtol=1e-12)


def test_a_word_with_three_states_is_refused_by_name(tmp_path: Path) -> None:
    text = THREE_STATES.replace(
        "variable c { type discrete[2] { s0 s1 }", "variable c { type discrete[3] { x y z }"
    )
    text = text.replace("0.1 0.1 0.1 0.9 0.9 0.9", "0.1 0.1 0.1 0.8 0.8 0.8 0.1 0.1 0.1")
    path = written(tmp_path, text)
    with pytest.raises(
        FormatError, match=r"model\.bif: the leaf 'c' has 3 states; leaves are words"
    ):
        LatentTree.from_bif(path, allow_irregular=True)


def test_a_latent_variable_with_too_many_states_is_refused_by_name(tmp_path: Path) -> None:
    states = " ".join(f"s{k}" for k in range(65))
    blocks = [f"variable Z {{ type discrete[65] {{ {states} }}; }}"]
    blocks += [f"variable {w} {{ type discrete[2] {{ s0 s1 }}; }}" for w in "abc"]
    blocks += [f"probability ( Z ) {{ table {' '.join(['1'] + ['0'] * 64)}; }}"]
    blocks += [f"probability ( {w} | Z ) {{ table {' '.join(['0.5'] * 130)}; }}" for w in "abc"]
    path = written(tmp_path, "\n".join(blocks))
    with pytest.raises(FormatError, match=r"model\.bif, line 1: variable 'Z' has 65 states; .* 64"):
        LatentTree.from_bif(path)


def test_any_text_can_be_a_name(tmp_path: Path) -> None:
    words = ('quo"te', "back\\slash", "new\nline", "機械", "a b", "{", "//", "\\n")
    tree = random_tree(0, 8, 3)
    tree = LatentTree(words, tree.parent, tree.level, tree.probability, allow_irregular=True)
    tree.to_bif(tmp_path / "m.bif")
    assert LatentTree.from_bif(tmp_path / "m.bif", allow_irregular=True) == tree


def uneven() -> LatentTree:
    """A topic of the top level directly above words, linked to one with topics below it."""
    parent = [*[4 * 3] * 3, *[13] * 3, *[14] * 3, *[15] * 3, 16, 16, 16, 16, -1]
    level = [0] * 12 + [1, 1, 1, 2, 2]
    return LatentTree(tuple("abcdefghijkl"), parent, level, np.full((17, 2), 0.3))


def test_levels_that_do_not_follow_from_the_shape_are_written(tmp_path: Path) -> None:
    tree = uneven()
    tree.to_bif(tmp_path / "model.bif")
    assert "property hlta_level 2 ;" in (tmp_path / "model.bif").read_text()
    assert LatentTree.from_bif(tmp_path / "model.bif") == tree


def test_levels_that_no_tree_has_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.bif"
    uneven().to_bif(file)
    file.write_text(file.read_text().replace("hlta_level 2", "hlta_level 0"))
    with pytest.raises(FormatError, match="level"):
        LatentTree.from_bif(file)


def test_leaves_are_the_words_and_levels_follow_from_the_shape(tmp_path: Path) -> None:
    tree = LatentTree.from_bif(written(tmp_path))
    assert tree.words == ("a", "b", "c")
    assert tree.latent_names == ("Z",)
    assert tree.level.tolist() == [0, 0, 0, 1]
    np.testing.assert_allclose(
        tree.probability, [[0.1, 0.7], [0.05, 0.8], [0.5, 0.5], [0.25, 0.25]], rtol=1e-12
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('( "Z" ) { table 0.75 0.25; }', '( "Z" | "Z" ) { table 0.9 0.1 0.1 0.9; }', "has no root"),
        ('( "c" | "Z" ) { property "x"; table 0.5 0.5', '( "c" ) { table', "parent has 2 roots"),
    ],
)
def test_variables_that_form_no_tree_are_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in SMALL_BIF
    path = written(tmp_path, SMALL_BIF.replace(old, new))
    with pytest.raises(FormatError, match=rf"model\.bif: .*{message}"):
        LatentTree.from_bif(path)


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.bif"
    path.write_bytes(b"\x80\x04\x95" * 10)
    with pytest.raises(FormatError, match="not a BIF file in UTF-8"):
        LatentTree.from_bif(path)


def test_zeros_and_ones_are_moved_inside_with_a_warning(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL_BIF.replace("0.5 0.5 0.5 0.5", "1.0 0.0 0.0 1.0"))
    with pytest.warns(ClippedProbabilityWarning, match="2 probabilities of 0 or 1") as caught:
        tree = LatentTree.from_bif(path)
    np.testing.assert_allclose(tree.probability[2], [1e-15, 1.0], rtol=1e-12)
    assert np.isfinite(tree.log_likelihood(np.eye(3))).all()
    assert [warning.filename for warning in caught] == [__file__]  # where from_bif is called


def test_an_irregular_model_is_read_only_on_request(tmp_path: Path) -> None:
    tree = random_tree(3, 6, 6)
    tree.to_bif(tmp_path / "m.bif")
    with pytest.raises(
        FormatError, match=r"m\.bif: the tree is not regular: .*allow_irregular=True"
    ):
        LatentTree.from_bif(tmp_path / "m.bif")
    assert LatentTree.from_bif(tmp_path / "m.bif", allow_irregular=True) == tree


@pytest.mark.slow
@pytest.mark.parametrize(
    ("corpus", "model", "part", "expected"),
    [
        ("nips-1k", "batch.bif", "test", -430.64182775349263),
        ("nips-1k", "batch.bif", "train", -426.27717251802466),
        ("nips-1k", "stepnb.bif", "test", -439.4004397166094),
        ("news-1k", "stepnb.bif", "test", -118.31737280313969),
    ],
)
def test_models_of_the_authors_score_as_an_independent_program_says(
    tmp_path: Path, corpus: str, model: str, part: str, expected: float
) -> None:
    data = SHARED / "data" / corpus
    path = SHARED / "baseline" / corpus / model
    if not (data.is_dir() and path.is_file()):
        pytest.skip("the benchmark corpora are not here")
    vocabulary = (data / "vocab.txt").read_text(encoding="utf-8").split()
    tree = LatentTree.from_bif(path).with_words(vocabulary)
    documents = sparse.load_npz(data / f"{part}.npz")
    assert tree.log_likelihood(documents).mean() == pytest.approx(expected, rel=1e-12)
    tree.to_bif(tmp_path / "m.bif")
    assert LatentTree.from_bif(tmp_path / "m.bif") == tree
