"""Models of the authors' program, in BIF: read and written without loss, refused with the line."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse

from hlta.errors import ClippedProbabilityWarning, FormatError
from hlta.tree.bif_parser import Distribution, parse_bif
from hlta.tree.latent_tree import LatentTree
from tests.strategies import any_trees, random_tree
from tests.trees import PROBABILITY, SMALL_BIF, small_tree, with_swapped_states

SHARED = Path(__file__).parents[2] / "shared"


def read(folder: Path, text: str | bytes) -> LatentTree:
    """The tree in a file with this text."""
    path = folder / "model.bif"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return LatentTree.from_bif(path, allow_irregular=True)


@settings(max_examples=50)
@given(any_trees)
def test_a_tree_comes_back(tmp_path_factory: pytest.TempPathFactory, tree: LatentTree) -> None:
    path = tmp_path_factory.mktemp("bif") / "model.bif"
    tree.to_bif(path)
    assert LatentTree.from_bif(path, allow_irregular=True) == tree


def test_a_root_that_was_swapped_to_a_certain_state_reads_as_the_same_tree(tmp_path: Path) -> None:
    """1 - 1e-100 is 1.0 in floating point: a latent variable may have it in any state."""
    probability = PROBABILITY.copy()
    probability[8], probability[9] = [1e-100, 0.5], 1e-100
    for tree in (
        small_tree(probability=probability),
        with_swapped_states(small_tree(probability=probability), [8, 9]),
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
    tree = read(tmp_path, THREE_STATES)
    assert tree.words == ("a", "b", "c")
    states, word, latent, _ = tree.parameters
    assert states.tolist() == [3, 2]
    np.testing.assert_allclose(word, [[0.1, 0.2, 0.3], [0.4, 0.5, 0.0], [0.9] * 3], rtol=1e-12)
    np.testing.assert_allclose(latent[0], [[0.5, 0.3, 0.2]] * 3, rtol=1e-12)
    np.testing.assert_allclose(latent[1], [[0.9, 0.1, 0], [0.7, 0.3, 0], [0.4, 0.6, 0]], rtol=1e-12)


def test_rows_are_scaled_to_sum_to_1_and_zeros_moved_inside_with_a_warning(tmp_path: Path) -> None:
    rounded = THREE_STATES.replace("table 0.5 0.3 0.2", "table 0.3333333 0.3333333 0.3333333")
    np.testing.assert_allclose(read(tmp_path, rounded).parameters.latent[0], 1 / 3, rtol=1e-15)
    path = tmp_path / "model.bif"
    path.write_text(THREE_STATES.replace("table 0.5 0.3 0.2", "table 0.0 0.0 1.0"))
    with pytest.warns(ClippedProbabilityWarning, match="1 probabilities of 0 or 1") as caught:
        tree = LatentTree.from_bif(path, allow_irregular=True)
    np.testing.assert_allclose(tree.parameters.latent[0, 0], [1e-15, 1e-15, 1.0], rtol=1e-12)
    assert np.isfinite(tree.log_likelihood(np.eye(3))).all()
    assert [warning.filename for warning in caught] == [__file__]  # where from_bif is called


def test_any_text_can_be_a_name(tmp_path: Path) -> None:
    plain = ["{", "//", "機械", "🙂", "\u202e"]
    words = ('quo"te', "back\\slash", "new\nline", "a b", "\\n", "a" * 5000, *plain)
    tree = random_tree(0, len(words), 3)
    tree = LatentTree(words, tree.parent, tree.level, tree.probability, allow_irregular=True)
    tree.to_bif(tmp_path / "m.bif")
    tree.save(tmp_path / "m.hlta")
    assert LatentTree.from_bif(tmp_path / "m.bif", allow_irregular=True) == tree
    assert LatentTree.load(tmp_path / "m.hlta") == tree


def uneven() -> LatentTree:
    """A topic of the top level directly above words, linked to one with topics below it."""
    parent = [*[4 * 3] * 3, *[13] * 3, *[14] * 3, *[15] * 3, 16, 16, 16, 16, -1]
    level = [0] * 12 + [1, 1, 1, 2, 2]
    return LatentTree(tuple("abcdefghijkl"), parent, level, np.full((17, 2), 0.3))


def test_levels_that_do_not_follow_from_the_shape_are_written(tmp_path: Path) -> None:
    tree, file = uneven(), tmp_path / "model.bif"
    tree.to_bif(file)
    text = file.read_text()
    assert "property hlta_level 2 ;" in text
    assert LatentTree.from_bif(file) == tree
    with pytest.raises(FormatError, match="level"):
        read(tmp_path, text.replace("hlta_level 2", "hlta_level 0"))


def test_an_irregular_model_is_read_only_on_request(tmp_path: Path) -> None:
    random_tree(3, 6, 6).to_bif(tmp_path / "m.bif")
    with pytest.raises(FormatError, match=r"m\.bif: the tree is not regular"):
        LatentTree.from_bif(tmp_path / "m.bif")


WIDE = THREE_STATES.replace("c { type discrete[2] { s0 s1 }", "c { type discrete[3] { x y z }")


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (SMALL_BIF, '( "Z" ) { table 0.75 0.25', '( "Z" | "Z" ) { table .9 .1 .1 .9', "no root"),
        (
            SMALL_BIF,
            '( "c" | "Z" ) { property "x"; table 0.5 0.5',
            '( "c" ) { table',
            "has 2 roots",
        ),
        (
            WIDE,
            "0.1 0.1 0.1 0.9 0.9 0.9",
            "0.1 0.1 0.1 0.8 0.8 0.8 0.1 0.1 0.1",
            "'c' has 3 states",
        ),
    ],
)
def test_what_is_no_tree_of_words_is_told(
    tmp_path: Path, text: str, old: str, new: str, message: str
) -> None:
    assert old in text
    with pytest.raises(FormatError, match=rf"model\.bif.*{message}"):
        read(tmp_path, text.replace(old, new))
    with pytest.raises(FormatError, match=r"model\.bif.*not a BIF file in UTF-8"):
        read(tmp_path, b"\x80\x04\x95" * 10)


def test_comments_properties_rows_and_bare_names_are_read() -> None:
    parsed = parse_bif(SMALL_BIF, "m.bif")
    assert list(parsed) == ["Z", "a", "b", "c"]  # as declared
    assert parsed["Z"] == Distribution(None, [[0.75, 0.25]], 1)
    assert parsed["a"] == Distribution("Z", [[0.9, 0.1], [0.3, 0.7]], 1)
    assert parsed["b"] == Distribution("Z", [[0.95, 0.05], [0.2, 0.8]], 1)
    assert parsed["c"] == Distribution("Z", [[0.5, 0.5], [0.5, 0.5]], 1)


THREE = (
    "variable Z {{ type discrete[3] {{ x, y, z }}; property hlta_background {} ; }}"
    "probability ( Z ) {{ table 0.25 0.25 0.5; }}"
)


def test_the_number_of_background_states_is_read_and_checked() -> None:
    expected = Distribution(None, [[0.25, 0.25, 0.5]], 2)
    assert parse_bif(THREE.format(2), "m.bif")["Z"] == expected
    for odd in (0, 3, "two", ""):
        with pytest.raises(FormatError, match="background"):
            parse_bif(THREE.format(odd), "m.bif")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variable b {", "thing b {", "line 5: expected network, variable or probability"),
        ('("yes") 0.2, 0.8; ("no") 0.95, 0.05;', "", r"line 11: .*'b' lacks rows"),
        ('("no")', '("maybe")', "line 11: 'maybe' is not a state of the parent of 'b'"),
        ('"c" | "Z" )', '"c" | "Y" )', "line 12: variable 'Y' is not declared"),
        ('"c" | "Z" )', '"c" | "Z", "a" )', "line 12: variable 'c' has two parents"),
        ("{ s0 s1 }", "{ s0 s1 s2 }", "line 11: 'b' has 2 probabilities, not 3"),
        ("{ s0 s1 }", "{ s0 }", "line 5: variable 'b' has 1 state; it needs at least 2"),
        ("discrete[2] { s0", "continuous[2] { s0", "line 5: variable 'b' is continuous"),
        ("0.5 0.5 0.5 0.5", "0.5 0.5 0.5", "line 12: 'c' has 3 probabilities, not 4"),
        ("0.5 0.5 0.5 0.5", "0.5 0.5 0.5 0.6", "line 12: .*of 'c' does not sum to 1"),
        ("0.5 0.5 0.5 0.5", "1.5 0.5 -0.5 0.5", "line 12: .*of 'c' does not sum to 1"),
        ("0.5 0.5 0.5 0.5", "0.5 0.5 nan 0.5", "line 12: .*of 'c' does not sum to 1"),
        ("0.5 0.5 0.5 0.5", "0.5 half 0.5 0.5", "line 12: expected a number for 'c', found 'half'"),
        ("variable b", 'variable "a"', "line 5: variable 'a' is declared twice"),
        ("probability ( b |", 'probability ( "a" |', "line 11: variable 'a' has two probability"),
        ('probability ( "Z" ) { table 0.75 0.25; }', "", "variable 'Z' has no probability block"),
        ("0.5 0.5 0.5 0.5; }", "0.5 0.5 0.5", "expected a number for 'c', found the end"),
        ("/* two", "/ * two", "line 6: expected network"),
        ("{ s0 s1 }", f"{{ {'s ' * 65} }}", "line 5: .* has 65 states"),
    ],
)
def test_a_mistake_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert old in SMALL_BIF
    with pytest.raises(FormatError, match=f"m.bif.*{message}"):
        parse_bif(SMALL_BIF.replace(old, new, 1), "m.bif")


@pytest.mark.parametrize("kept", [0, 20, 60, 150, 300, 500])
def test_a_truncated_file_is_refused(kept: int) -> None:
    with pytest.raises(FormatError, match=r"^m\.bif"):
        parse_bif(SMALL_BIF[:kept], "m.bif")
    with pytest.raises(FormatError, match="line 1: a comment begins"):
        parse_bif("/* " * 1_000_000, "m.bif")  # looked up again and again, it would take hours


@pytest.mark.slow
@pytest.mark.parametrize(
    ("corpus", "model", "expected"),
    [
        ("nips-1k", "batch.bif", -430.64182775349263),
        ("news-1k", "stepnb.bif", -118.31737280313969),
    ],
)
def test_models_of_the_authors_score_as_an_independent_program_says(
    tmp_path: Path, corpus: str, model: str, expected: float
) -> None:
    data = SHARED / "data" / corpus
    path = SHARED / "baseline" / corpus / model
    if not (data.is_dir() and path.is_file()):
        pytest.skip("the benchmark corpora are not here")
    vocabulary = (data / "vocab.txt").read_text(encoding="utf-8").split()
    tree = LatentTree.from_bif(path).with_words(vocabulary)
    documents = sparse.load_npz(data / "test.npz")
    assert tree.log_likelihood(documents).mean() == pytest.approx(expected, rel=1e-12)
    tree.to_bif(tmp_path / "m.bif")
    assert LatentTree.from_bif(tmp_path / "m.bif") == tree
