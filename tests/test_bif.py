"""Models of the authors' program, in and out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse

from hlta.errors import ClippedProbabilityWarning, FormatError
from hlta.tree.latent_tree import LatentTree
from tests.strategies import random_tree, trees

SHARED = Path(__file__).parents[2] / "shared"

SMALL = """// a comment
network "small" { property "made by hand"; }
variable "Z" { type discrete[2] { "no" "yes" }; property "position = (1, 2)"; }
variable "a" { type discrete [ 2 ] { "s0", "s1" }; }
variable b { type discrete[2] { s0 s1 }; }
/* two
   lines */
variable "c" { type discrete[2] { "s0" "s1" }; }
probability ( "Z" ) { table 0.75 0.25; }
probability ( "a" | "Z" ) { table 9.0E-1 0.3 1.0E-1 0.7; }
probability ( b | "Z" ) { ("yes") 0.2, 0.8; ("no") 0.95, 0.05; }
probability ( "c" | "Z" ) { property "x"; table 0.5 0.5 0.5 0.5; }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "model.bif"
    path.write_text(text, encoding="utf-8")
    return path


@settings(max_examples=25, deadline=None)
@given(trees())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, tree: LatentTree) -> None:
    path = tmp_path_factory.mktemp("bif") / "model.bif"
    tree.to_bif(path)
    assert LatentTree.from_bif(path, allow_irregular=True) == tree


def test_any_text_can_be_a_name(tmp_path: Path) -> None:
    words = ('quo"te', "back\\slash", "new\nline", "機械", "a b", "{", "//", "\\n")
    tree = random_tree(0, 8, 3)
    tree = LatentTree(words, tree.parent, tree.level, tree.probability, allow_irregular=True)
    tree.to_bif(tmp_path / "m.bif")
    assert LatentTree.from_bif(tmp_path / "m.bif", allow_irregular=True) == tree


def test_reads_comments_properties_rows_and_bare_names(tmp_path: Path) -> None:
    tree = LatentTree.from_bif(written(tmp_path, SMALL))
    assert tree.words == ("a", "b", "c")
    assert tree.latent_names == ("Z",)
    np.testing.assert_allclose(
        tree.probability, [[0.1, 0.7], [0.05, 0.8], [0.5, 0.5], [0.25, 0.25]], rtol=1e-12
    )
    assert tree.level.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variable b {", "thing b {", "line 5: expected network, variable or probability"),
        ('("yes") 0.2, 0.8; ("no") 0.95, 0.05;', "", r"line 11: .*'b' has 0 rows of 2"),
        ('("no")', '("maybe")', "line 11: 'maybe' is no state of the parent of 'b'"),
        ('"c" | "Z" )', '"c" | "Y" )', "line 12: variable 'Y' is not declared"),
        ('"c" | "Z" )', '"c" | "Z", "a" )', "line 12: variable 'c' has two parents"),
        ("{ s0 s1 }", "{ s0 s1 s2 }", "line 5: variable 'b' has 3 states, not 2"),
        ("discrete[2] { s0", "continuous[2] { s0", "line 5: variable 'b' is continuous"),
        ("0.5 0.5 0.5 0.5", "0.5 0.5 0.5", "line 12: 'c' has 3 probabilities, not 4"),
        ("0.5 0.5 0.5 0.5", "0.5 0.5 0.5 0.6", "line 12: .*of 'c' does not sum to 1"),
        ("0.5 0.5 0.5 0.5", "1.5 0.5 -0.5 0.5", "line 12: .*of 'c' does not sum to 1"),
        ("0.5 0.5 0.5 0.5", "0.5 0.5 nan 0.5", "line 12: .*of 'c' does not sum to 1"),
        ("0.5 0.5 0.5 0.5", "0.5 half 0.5 0.5", "line 12: expected a number for 'c', found 'half'"),
        ("variable b", 'variable "a"', "line 5: variable 'a' is declared twice"),
        ("probability ( b |", 'probability ( "a" |', "line 11: variable 'a' has two probability"),
        ('probability ( "Z" ) { table 0.75 0.25; }', "", "variable 'Z' has no probability block"),
        ('( "Z" ) { table 0.75 0.25; }', '( "Z" | "Z" ) { table 0.9 0.1 0.1 0.9; }', "has no root"),
        ("0.5 0.5 0.5 0.5; }", "0.5 0.5 0.5", "expected a number for 'c', found the end"),
        ("/* two", "/ * two", "line 6: expected network"),
    ],
)
def test_refuses_with_the_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in SMALL
    old_line = written(tmp_path, SMALL.replace(old, new, 1))
    with pytest.raises(FormatError, match=message):
        LatentTree.from_bif(old_line)


@pytest.mark.parametrize("kept", [0, 20, 60, 150, 300, 500])
def test_refuses_a_truncated_file(tmp_path: Path, kept: int) -> None:
    with pytest.raises(FormatError, match=r"model\.bif"):
        LatentTree.from_bif(written(tmp_path, SMALL[:kept]))


def test_refuses_a_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "model.bif"
    path.write_bytes(b"\x80\x04\x95" * 10)
    with pytest.raises(FormatError, match="not a BIF file in UTF-8"):
        LatentTree.from_bif(path)


def test_zeros_and_ones_are_moved_inside_with_a_warning(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL.replace("0.5 0.5 0.5 0.5", "1.0 0.0 0.0 1.0"))
    with pytest.warns(ClippedProbabilityWarning, match="2 probabilities of 0 or 1"):
        tree = LatentTree.from_bif(path)
    np.testing.assert_allclose(tree.probability[2], [1e-15, 1.0], rtol=1e-12)
    assert np.isfinite(tree.log_likelihood(np.eye(3))).all()


def test_an_irregular_model_needs_leave(tmp_path: Path) -> None:
    tree = random_tree(3, 6, 6)
    tree.to_bif(tmp_path / "m.bif")
    with pytest.raises(
        FormatError, match=r"m\.bif: the tree is not regular: .*allow_irregular=True"
    ):
        LatentTree.from_bif(tmp_path / "m.bif")


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
