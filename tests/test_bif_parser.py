"""The grammar of BIF: what is read, and the line of what is refused."""

from __future__ import annotations

import pytest

from hlta.errors import FormatError
from hlta.tree.bif_parser import Distribution, parse_bif
from tests.trees import SMALL_BIF


def test_comments_properties_rows_and_bare_names_are_read() -> None:
    parsed = parse_bif(SMALL_BIF, "m.bif")
    assert list(parsed) == ["Z", "a", "b", "c"]  # as declared
    assert parsed["Z"] == Distribution(None, [[0.75, 0.25]], 1)
    assert parsed["a"] == Distribution("Z", [[0.9, 0.1], [0.3, 0.7]], 1)
    assert parsed["b"] == Distribution("Z", [[0.95, 0.05], [0.2, 0.8]], 1)
    assert parsed["c"] == Distribution("Z", [[0.5, 0.5], [0.5, 0.5]], 1)


THREE = "variable Z {{ type discrete[3] {{ x, y, z }}; property hlta_background {} ; }}"


def test_the_property_of_background_states_is_read() -> None:
    table = "probability ( Z ) { table 0.25 0.25 0.5; }"
    parsed = parse_bif(THREE.format(2) + table, "m.bif")
    assert parsed["Z"] == Distribution(None, [[0.25, 0.25, 0.5]], 2)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (0, "0 of the 3 states of 'Z' are its background; it must be 1 to 2"),
        (3, "3 of the 3 states of 'Z' are its background; it must be 1 to 2"),
        ("two", "the number of background states of 'Z'"),
        ("", "the number of background states of 'Z'"),
    ],
)
def test_odd_numbers_of_background_states_are_refused(given: object, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_bif(THREE.format(given), "m.bif")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variable b {", "thing b {", "line 5: expected network, variable or probability"),
        (
            '("yes") 0.2, 0.8; ("no") 0.95, 0.05;',
            "",
            r"line 11: .*'b' lacks rows: 0 of 2 are given",
        ),
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
        (
            "{ s0 s1 }",
            f"{{ {' '.join(f's{k}' for k in range(65))} }}",
            "line 5: .* has 65 states; ther",
        ),
        (
            'probability ( "Z" )',
            '/* probability ( "Z" )',
            r"a comment begins with /\* and does not end",
        ),
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


def test_comments_that_do_not_end_are_one_look() -> None:
    """Each of them, looked up to the end of the file, would take hours."""
    with pytest.raises(FormatError, match="line 1: a comment begins"):
        parse_bif("/* " * 1_000_000, "m.bif")
