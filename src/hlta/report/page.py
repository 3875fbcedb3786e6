"""The topics as one HTML page, which needs neither a network nor scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlta.topics.tree import Topic, TopicTree

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --paper: #fff; --bar: #2f6fb2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa5b1; --line: #30363d;
  --paper: #0d1117; --bar: #6cb0f5; } }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0; }
p { color: var(--soft); margin: .2rem 0 1.2rem; }
ul { list-style: none; margin: 0; padding: 0; }
ul ul { margin-left: .6rem; padding-left: .9rem; border-left: 1px solid var(--line); }
summary, .leaf { padding: .2rem .3rem; border-radius: .3rem; }
summary { cursor: pointer; }
summary:hover { background: color-mix(in srgb, var(--bar) 12%, transparent); }
.leaf { padding-left: 1.35rem; }
.size { display: inline-block; width: 3.2rem; text-align: right; margin-right: .6rem;
  color: var(--soft); font-variant-numeric: tabular-nums; }
.bar { display: inline-block; width: 5rem; height: .5rem; margin-right: .7rem; border-radius: .25rem;
  background: var(--line); overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--bar); }
.more { color: var(--soft); }
@media (max-width: 30rem) { .bar { display: none; } ul ul { padding-left: .4rem; } }
@media print { details > ul { display: block; } }
"""
_LABEL = 5


def topics_page(topics: TopicTree, *, title: str = "Topics") -> str:
    """The tree of topics, to unfold: sizes, and words with their probabilities on hovering."""
    return "\n".join(_page(topics, title)) + "\n"


def _page(topics: TopicTree, title: str) -> Iterator[str]:
    levels = sorted({topic.level for topic in topics}, reverse=True)
    widths = ", ".join(
        f"{sum(topic.level == level for topic in topics):,} on level {level}" for level in levels
    )
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{escape(title)}</h1>"
    yield (
        f"<p>{len(topics):,} topics: {widths}. A topic is on the share of the documents that "
        "stands before it; a document can be on several, at every level.</p>"
    )
    yield "<ul>"
    for root in topics.roots:
        yield from _topic(root)
    yield "</ul></body></html>"


def _topic(topic: Topic) -> Iterator[str]:
    line = _line(topic)
    if not topic.children:
        yield f'<li id="{escape(topic.id)}"><div class="leaf">{line}</div></li>'
        return
    yield f'<li id="{escape(topic.id)}"><details><summary>{line}</summary><ul>'
    for child in topic.children:
        yield from _topic(child)
    yield "</ul></details></li>"


def _line(topic: Topic) -> str:
    shown = {
        keyword.word: f'<span title="{keyword.p_topic:.1%} of the documents on the topic, '
        f'{keyword.p_background:.1%} of the others">{escape(keyword.word)}</span>'
        for keyword in topic.keywords
    }
    first = topic.label_words(_LABEL)
    rest = [html for word, html in shown.items() if word not in first]
    more = f' <span class="more">{" ".join(rest)}</span>' if rest else ""
    return (
        f'<span class="size">{topic.size:.1%}</span>'
        f'<span class="bar"><i style="width:{100 * topic.size:.1f}%"></i></span>'
        f"<b>{' '.join(shown[word] for word in first)}</b>{more}"
    )
