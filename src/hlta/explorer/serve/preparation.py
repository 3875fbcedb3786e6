"""The page that the server shows while it prepares its answers: the progress, and the root topics."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from hlta.explorer.page import digest
from hlta.monitor import Monitor
from hlta.topics.topic import as_percent

if TYPE_CHECKING:
    from hlta.topics.topic_tree import TopicTree

_STYLE: Final = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere }
h2 { font-size: 1rem; margin-top: 2.5rem }
progress { width: 100%; accent-color: #3b6fb5 }
ul { padding: 0; list-style: none }
li { display: flex; justify-content: space-between; gap: 1rem; overflow-wrap: anywhere }
"""
PREPARATION_POLICY: Final = f"default-src 'none'; style-src {digest(_STYLE)}"


class Preparation(Monitor):
    """Forwards progress to another monitor, and makes a page of it.

    Parameters
    ----------
    monitor
        The other monitor.
    title
        The title of the page.
    topics
        The topics of the model, of which the page lists the roots.
    """

    def __init__(self, monitor: Monitor, title: str, topics: TopicTree) -> None:
        self._monitor, self._title = monitor, title
        self._begin("reading what is kept", None)
        self._topics = "\n".join(
            f"<li><bdi>{escape(root.title)}</bdi> <span>{as_percent(root.size)}</span></li>"
            for root in topics.roots
        )

    def begin(self, name: str, total: int | None) -> None:
        """Show the new stage."""
        self._begin(name, total)
        self._monitor.begin(name, total)

    def advance(self, units: int = 1) -> None:
        """Count the units that are done."""
        self._done += units
        self._monitor.advance(units)

    def end(self, *, completed: bool) -> None:
        """Tell the other monitor; the page shows the stage until the next one begins."""
        self._monitor.end(completed=completed)

    def note(self, message: str) -> None:
        """Tell the other monitor; the page shows no notes."""
        self._monitor.note(message)

    def _begin(self, name: str, total: int | None) -> None:
        self._name, self._total, self._done = name, total, 0

    def page(self) -> str:
        """The page with the progress so far."""
        name, total, done = self._name, self._total, self._done  # which another thread changes
        far, bar = "", "<progress></progress>"
        if total:
            far = f": {done:,} of {total:,}"
            bar = f'<progress value="{done}" max="{total}"></progress>'
        title = escape(self._title)
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1><bdi>{title}</bdi></h1>
<p>The page is being prepared, once for this model and these documents; it opens by itself.</p>
<label>{name.capitalize()}{far}{bar}</label>
<h2>Root topics, with their shares of the documents that they were learned from</h2>
<ul>
{self._topics}
</ul>
</main>
</body>
</html>
"""
