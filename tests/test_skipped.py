"""What was skipped, counted by reason."""

from __future__ import annotations

from hlta.reading.skipped import Skipped, ending_not_read


def test_reasons_are_counted_each_with_an_example() -> None:
    skipped = Skipped()
    for k in range(1500):
        skipped(f"{k}.png", "no text")
    others = ["bent", "cut", "torn", "old", "new", "long", "short", "round"]
    for k, reason in enumerate(["odd", "odd", *others]):
        skipped(f"{k}.txt", reason)
    assert skipped.count == 1510
    assert skipped.reasons == {"no text": 1500, "odd": 2, **dict.fromkeys(others, 1)}
    assert skipped.by_reason() == [
        "'0.png' and 1,499 more: no text",
        "'0.txt' and 1 more: odd",
        *(f"'{k}.txt': {reason}" for k, reason in enumerate(others[:6], start=2)),
        "2 for other reasons",
    ]


def test_endings_of_files_are_one_reason() -> None:
    skipped = Skipped()
    for name, count in (("3perl", 3), ("1ssl", 2), ("so", 4), ("doc", 1)):
        for k in range(count):
            reason = ending_not_read(f".{name}", text=name != "so")
            reason = "files that end in .doc are not read; save it" if name == "doc" else reason
            skipped(f"{k}.{name}", reason)
    assert skipped.by_reason() == [
        "'0.3perl' and 4 more: files that end in .3perl or .1ssl are not read; to include them as text, "
        "rename them to .txt",
        "'0.so' and 3 more: files that end in .so are not read",
        "'0.doc': files that end in .doc are not read; save it",
    ]


def test_many_endings_are_counted() -> None:
    skipped = Skipped()
    for k in range(12):
        skipped(f"a.{k}x", ending_not_read(f".{k}x", text=False))
    assert skipped.by_reason() == [
        "'a.0x' and 11 more: files that end in .0x, .1x, .2x, .3x, .4x, .5x, .6x, .7x or 4 other endings "
        "are not read"
    ]


def test_memory_is_bounded_and_the_count_is_not() -> None:
    skipped = Skipped()
    for k in range(3000):
        skipped(str(k), f"reason {k}")
    assert (skipped.count, len(skipped.first), len(skipped.reasons)) == (3000, 1000, 1000)
    assert skipped.first[-1] == {"what": "999", "reason": "reason 999"}
    assert skipped.by_reason()[-1] == "2,992 for other reasons"


def test_nothing_skipped_is_nothing_told() -> None:
    assert Skipped().by_reason() == []


def test_what_controls_a_terminal_is_not_shown() -> None:
    skipped = Skipped()
    skipped("\x1b[31m.txt", "files that end in \x1b]0;title\x07")
    assert all(line.isprintable() for line in skipped.by_reason())
