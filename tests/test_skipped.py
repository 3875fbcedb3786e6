"""What was skipped, counted by reason."""

from __future__ import annotations

from hlta.reading.skipped import Skipped


def test_reasons_are_counted_each_with_an_example() -> None:
    skipped = Skipped()
    for k in range(1500):
        skipped(f"{k}.png", "no text")
    for k, reason in enumerate(["odd", "odd", "bent", "cut", "torn"]):
        skipped(f"{k}.txt", reason)
    assert skipped.count == 1505
    assert skipped.reasons == {"no text": 1500, "odd": 2, "bent": 1, "cut": 1, "torn": 1}
    assert skipped.by_reason() == [
        "'0.png' and 1,499 more: no text",
        "'0.txt' and 1 more: odd",
        "'2.txt': bent",
        "2 for other reasons",
    ]


def test_memory_is_bounded_and_the_count_is_not() -> None:
    skipped = Skipped()
    for k in range(3000):
        skipped(str(k), f"reason {k}")
    assert (skipped.count, len(skipped.first), len(skipped.reasons)) == (3000, 1000, 1000)
    assert skipped.first[-1] == {"what": "999", "reason": "reason 999"}
    assert skipped.by_reason()[-1] == "2,997 for other reasons"


def test_nothing_skipped_is_nothing_told() -> None:
    assert Skipped().by_reason() == []


def test_what_controls_a_terminal_is_not_shown() -> None:
    skipped = Skipped()
    skipped("\x1b[31m.txt", "files that end in \x1b]0;title\x07")
    assert all(line.isprintable() for line in skipped.by_reason())
