"""The page as a whole: markup, assets, policy and the two blocks of data."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from hlta._support.threads import map_in_order
from hlta.errors import OptionError
from hlta.explorer.container import pack
from hlta.explorer.page_data import about_documents, about_topics
from hlta.explorer.page_documents import select_page_documents

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from hlta.documents.corpus import Corpus
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree


def explorer_page(
    tree: LatentTree,
    topics: TopicTree,
    corpus: Corpus | None,
    *,
    title: str,
    most_documents: int | None,
    source: str | PathLike[str] | None = None,
    page: Path | None = None,
) -> str:
    """The whole page; its links to files in the folder `source` are relative to the file `page`."""
    if not isinstance(title, str):
        raise OptionError(f"title={title!r:.80}: use a string")
    title = title.encode("utf-8", "replace").decode()  # UTF-8 cannot encode surrogates
    selected = None
    if corpus is not None:
        selected = select_page_documents(tree, topics, corpus, most_documents)

    def of_topics() -> str:
        header, arrays = about_topics(tree, topics, selected)
        header |= {"title": title, "documents": None if corpus is None else len(corpus)}
        return pack(header, arrays)

    def of_documents() -> str:
        return "" if selected is None else pack(*about_documents(selected, source, page))

    # Compressing the documents takes as long as all the rest.
    documents, data_of_topics = map_in_order(lambda part: part(), [of_documents, of_topics])
    data = {"topics": data_of_topics}
    if corpus is not None:
        data["documents"] = documents
    return page_markup(title, data)


def page_markup(title: str, data: dict[str, str], *, served: bool = False) -> str:
    """A page with these blocks of data; one that is `served` may ask its server for more."""
    style, script = map(_asset, ("explorer.css", "explorer.js"))
    blocks = {
        name: f'<script type="application/octet-stream" id="{name}">{text}</script>\n'
        for name, text in data.items()
    }
    documents = blocks.pop("documents", "")  # after the script, which begins while they are read
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy(served=served)}">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="hlta">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<p>Loading the topics. This page needs a browser with JavaScript enabled.</p>
{"".join(blocks.values())}<script>{script}</script>
{documents}</body>
</html>
"""


def policy(*, served: bool = False) -> str:
    """The Content Security Policy of a page: its own script and style, and if `served`, its server."""
    script, style = map(digest, map(_asset, ("explorer.js", "explorer.css")))
    server = "connect-src 'self'; " if served else ""
    return (
        f"default-src 'none'; script-src {script}; style-src {style}; {server}"
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _asset(name: str) -> str:
    return (files("hlta.explorer") / "assets" / name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """The hash by which a policy allows a script or a style."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
