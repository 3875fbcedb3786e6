"""Progress of long work. A monitor only reports: no result depends on it."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console
    from rich.progress import Progress


class Monitor:
    """The silent monitor, and the base class of others.

    A subclass overrides the methods that it needs; the others do nothing. Stages can nest. Calls may
    come from several threads.

    Examples
    --------
    >>> from hlta import Monitor
    >>> class Names(Monitor):
    ...     def begin(self, name, total):
    ...         print(name, total)
    >>> with Names().stage("reading", 100):
    ...     pass
    reading 100
    """

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[None]:
        """Begin a stage, and end it with the block.

        Parameters
        ----------
        name
            A description of the work for people, such as "reading".
        total
            How many units of work the stage has, if that is known.

        Yields
        ------
        None
        """
        self.begin(name, total)
        try:
            yield
        except BaseException:
            self.end(completed=False)
            raise
        self.end(completed=True)

    def begin(self, name: str, total: int | None) -> None:
        """Called when a stage begins.

        Parameters
        ----------
        name
            A description of the work for people.
        total
            How many units of work the stage has, or None if that is not known.
        """

    def advance(self, units: int = 1) -> None:
        """Called when the innermost stage has done more units of work.

        Parameters
        ----------
        units
            How many units were done since the last call.
        """

    def end(self, *, completed: bool) -> None:
        """Called when the innermost stage ends.

        Parameters
        ----------
        completed
            False if an error or an interrupt ended it.
        """

    def note(self, message: str) -> None:
        """Called with something worth knowing, such as a choice that was made.

        Parameters
        ----------
        message
            A sentence for people.
        """


class TextMonitor(Monitor):
    """Writes a line for each stage that is finished, and notes.

    Parameters
    ----------
    stream
        Where to write; by default stderr.

    Examples
    --------
    >>> import sys
    >>> from hlta import TextMonitor
    >>> TextMonitor(sys.stdout).note("batch EM: the corpus is small")
    batch EM: the corpus is small
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._stages: list[tuple[str, int | None, float]] = []

    def begin(self, name: str, total: int | None) -> None:
        """Remember when the stage began.

        Parameters
        ----------
        name, total
            As in `Monitor.begin`.
        """
        self._stages.append((name, total, time.monotonic()))

    def end(self, *, completed: bool) -> None:
        """Write a line with the seconds that the stage took.

        Parameters
        ----------
        completed
            As in `Monitor.end`.
        """
        path = ": ".join(name for name, *_ in self._stages)
        _, total, began = self._stages.pop()
        units = "" if total is None else f" ({total:,})"
        outcome = "" if completed else ", not completed"
        self.note(f"{path}{units} {time.monotonic() - began:.2f} s{outcome}")

    def note(self, message: str) -> None:
        """Write the message as a line.

        Parameters
        ----------
        message
            As in `Monitor.note`.
        """
        with suppress(BrokenPipeError):  # the reader has gone; the work goes on
            self._stream.write(f"{message}\n")
            self._stream.flush()


class BarMonitor(Monitor):
    """Shows a bar for each stage under way, and a line for each outer stage that is done."""

    def __init__(self) -> None:
        from rich.console import Console

        self._bars = progress_bars(Console(stderr=True))
        self._stages: list[tuple[Any, str, float]] = []

    def begin(self, name: str, total: int | None) -> None:
        """Show a bar, indented below that of the enclosing stage."""
        if not self._stages:
            self._bars.start()
        task = self._bars.add_task("  " * len(self._stages) + name, total=total)
        self._stages.append((task, name, time.monotonic()))

    def advance(self, units: int = 1) -> None:
        """Move the innermost bar."""
        self._bars.advance(self._stages[-1][0], units)

    def end(self, *, completed: bool) -> None:
        """Remove the bar, and print how long an outer stage took."""
        task, name, began = self._stages.pop()
        self._bars.remove_task(task)
        if not self._stages:
            self._bars.stop()
            how = "" if completed else ", not completed"
            self._bars.console.print(
                f"[green]{'✓' if completed else '✗'}[/] {name} "
                f"[dim]{time.monotonic() - began:.2f} s{how}[/]"
            )

    def note(self, message: str) -> None:
        """Print the message above the bars."""
        self._bars.console.print(f"  {message}", style="dim", markup=False, highlight=False)


def progress_bars(console: Console) -> Progress:
    """Bars with the units and the time so far, and the total and the time left if these are known."""
    from rich import progress
    from rich.text import Text

    class Done(progress.MofNCompleteColumn):
        def render(self, task: progress.Task) -> Text:
            if task.total is None:
                return Text(str(int(task.completed)), style="progress.download")
            return super().render(task)

    class Left(progress.TimeRemainingColumn):
        def render(self, task: progress.Task) -> Text:
            if task.time_remaining is None:
                return Text()
            return super().render(task).append(" left", "dim")

    return progress.Progress(
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(bar_width=24),
        Done(),
        progress.TimeElapsedColumn(),
        Left(),
        console=console,
        transient=True,
    )


def as_monitor(progress: Any) -> Monitor:
    """The monitor that `progress` asks for: False or None is silent, True shows it on stderr."""
    if isinstance(progress, Monitor):
        return progress
    if progress is None or progress is False:
        return Monitor()
    if progress is True:
        return BarMonitor() if sys.stderr.isatty() else TextMonitor()
    raise OptionError(f"progress={progress!r}: use True, False or an hlta.Monitor")
