"""What the command prints: errors, progress, topics."""

from __future__ import annotations

import errno
import os
import shlex
import sys
import warnings
from collections import Counter
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import typer

from hlta._support.messages import plural
from hlta.cli.option_names import as_typed
from hlta.cli.printing import show, tell, visible
from hlta.errors import HltaError
from hlta.monitor import BarMonitor, Monitor, TextMonitor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike
    from pathlib import Path

    from hlta.reading.skipped import Skipped
    from hlta.seeds.reports import SeedReport
    from hlta.topics.topic import Topic
    from hlta.topics.topic_tree import TopicTree

_REMEDIES: Final = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "; make room and try again"),
    **dict.fromkeys(
        (errno.EACCES, errno.EPERM, errno.EROFS),
        "; choose another place, or change its permissions",
    ),
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), "; check the name and the folder"),
    errno.EISDIR: "; give a file",
    errno.ENAMETOOLONG: "; choose a shorter name",
}


@contextmanager
def report_errors() -> Iterator[None]:
    """Turn a user's mistake into a line on stderr and an exit code, not a traceback."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, has seen enough
        raise typer.Exit(0) from None
    except HltaError as error:
        _fail(as_typed(str(error)))
    except OSError as error:
        name = f"{os.fspath(error.filename)!r}: " if error.filename else ""
        _fail(f"{name}{error.strerror or error}{_REMEDIES.get(error.errno or 0, '')}")
    except EOFError as error:
        _fail(f"a file ends too early: {error}")
    except UnicodeDecodeError as error:
        _fail(f"a file is not valid UTF-8: {error}")
    except MemoryError:
        _fail("out of memory; try fewer --words, or a sample of the documents")
    except KeyboardInterrupt:
        tell("hlta: interrupted")
        raise typer.Exit(130) from None


def _fail(message: str) -> None:
    tell(f"hlta: {message}")
    raise typer.Exit(1) from None


@contextmanager
def report_warnings() -> Iterator[None]:
    """Print warnings as lines on stderr."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            yield
    finally:
        for warning in caught:
            tell(f"hlta: {as_typed(str(warning.message))}")


def report_skipped(skipped: Skipped, *, quiet: bool, record: Path | None = None) -> None:
    """Say what was skipped, if anything, and why; what has defects; and which texts are mail.

    `record` is the file that lists all reasons.
    """
    if quiet:
        return
    if skipped.mails:
        are, their = ("is", "its") if skipped.mails == 1 else ("are", "their")
        tell(
            f"{plural(skipped.mails, 'text')} {are} mail, such as {skipped.first_mail!r}: {their} "
            "headers, quoted text and signatures are left out; --keep-mail keeps them"
        )
    for sentence in skipped.despite_defects():
        tell(sentence)
    for reason in skipped.by_reason("" if record is None else f"; see skipped_reasons in {record}"):
        tell(f"Skipped {reason}")


def show_topics(
    topics: TopicTree,
    *,
    n_words: int = 5,
    depth: int | None = None,
    ids: bool = False,
    whole: bool = False,
    most_lines: int | None = None,
    model: PathLike[str] | None = None,
) -> None:
    """Print the topics: as plain lines, or on a terminal as a tree with branches.

    Notes count what is left out: vague topics, unless the `whole` tree is wanted, and layers below.
    `most_lines` limits the tree where it was not asked for, see `_fitting`. The notes name the command
    that shows the rest, with the path of the `model` if it is given.
    """
    from hlta.topics.exports import as_lines, count_vague, in_brackets, in_documents, with_layers
    from hlta.topics.topic import as_percent

    every = list(with_layers(topics.roots, whole=whole))
    shown = [(layer, topic) for layer, topic in every if depth is None or layer < depth]
    if most_lines is not None:
        shown = _fitting(shown, most_lines)
    left, vague = len(every) - len(shown), "" if whole else count_vague(topics.roots, depth)
    command = "hlta topics" if model is None else f"hlta topics {shlex.quote(os.fspath(model))}"
    more = "1 more topic below" if left == 1 else f"{left:,} more topics below"
    notes = [f"{more}; `{command}` shows {'it' if left == 1 else 'them'}"] if left else []
    notes += [f"{vague}; `{command} --all` shows all"] if vague else []
    if not sys.stdout.isatty():
        show(as_lines(shown, n_words=n_words, ids=ids, documents=True))
        for note in notes:
            tell(note)
        return
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    branches = [Tree("", guide_style="dim", hide_root=True)]  # the current one of each layer
    for layer, topic in shown:
        name = f"{topic.id} " if ids else ""
        title, rest = topic.named(n_words)
        parts = (
            (f"{as_percent(topic.size):>5}{topic.mark} {name}", "dim"),
            (title, "bold"),
            (f" {rest}", ""),
            (in_brackets(topic) + in_documents(topic), "dim"),
        )
        line = Text.assemble(*((visible(part), style) for part, style in parts))
        branches[layer + 1 :] = [branches[layer].add(line)]
    console = Console(highlight=False)
    console.print(branches[0])
    if any(topic.is_vague for _, topic in shown):
        console.print(
            "?: a vague topic: few samples of the documents confirm it, and its words are about "
            "nothing in particular",
            style="dim",
        )
    for note in notes:
        console.print(Text(visible(note), style="dim"))


def _fitting(shown: list[tuple[int, Topic]], most: int) -> list[tuple[int, Topic]]:
    """The root topics, and as many whole layers below them as fit into a number of lines.

    Of the next layer, they include the first few topics below each topic, as many as still fit.
    """
    layers = Counter(layer for layer, _ in shown)
    whole = max(1, sum(lines <= most for lines in accumulate(layers.values())))
    place, places = -1, []  # the position of a topic among those below the same topic
    for layer, _ in shown:
        place = -1 if layer < whole else place + (layer == whole)
        places.append(place if layer == whole else -1)
    room = most - sum(layers[layer] for layer in range(whole))
    lines = accumulate(Counter(k for k in sorted(places) if k >= 0).values())
    beside = sum(count <= room for count in lines)
    return [
        entry for entry, k in zip(shown, places, strict=True) if entry[0] < whole or 0 <= k < beside
    ]


def show_seeds(seeds: Sequence[SeedReport]) -> None:
    """Print a line per seed: its topic, how often its words are together, and what is against it."""
    if seeds:
        show(
            "\nSeeds\n"
            "(How much trees of samples, learned without seeds, put the words of each together:\n"
            "from 0, never in one topic, to 1, always in the same topics.)"
        )
    for seed in seeds:
        show(f"  {seed}")


@contextmanager
def monitoring(*, quiet: bool) -> Iterator[Monitor]:
    """A silent monitor, live bars on a terminal, or elsewhere one line per stage."""
    yield Monitor() if quiet else _Bars() if sys.stderr.isatty() else _Lines()


class _Typed(Monitor):
    """A monitor whose notes name options as they are typed."""

    def note(self, message: str) -> None:
        super().note(visible(as_typed(message)))


class _Lines(_Typed, TextMonitor):
    pass


class _Bars(_Typed, BarMonitor):
    pass
