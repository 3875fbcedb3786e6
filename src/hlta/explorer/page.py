"""The page as a whole: markup, assets, policy and the two blocks of data."""

from __future__ import annotations

from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from hlta.explorer.container import packed
from hlta.explorer.page_data import about_documents, about_topics, select_page_documents

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
    n_jobs: int | None = None,
) -> str:
    """The whole page; `page` is the file that its links to files of `source` start from."""
    title = title.encode("utf-8", "replace").decode()  # UTF-8 cannot encode surrogates
    selected = None
    with ThreadPoolExecutor(1) as pool:  # compressing documents takes as long as all the rest
        if corpus is not None:
            selected = select_page_documents(tree, topics, corpus, most_documents, n_jobs)
            documents = pool.submit(packed, *about_documents(selected, source, page))
        header, arrays = about_topics(tree, topics, selected, n_jobs)
        header |= {"title": title, "documents": None if corpus is None else len(corpus)}
        data = {"topics": packed(header, arrays)}
        if corpus is not None:
            data["documents"] = documents.result()
    return _page(title, data)


def _page(title: str, data: dict[str, str]) -> str:
    style, script, licences = (
        (files("hlta.explorer") / "assets" / name).read_text(encoding="utf-8")
        for name in ("explorer.css", "explorer.js", "LICENSES.txt")
    )
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    blocks = "\n".join(
        f'<script type="application/octet-stream" id="{name}">{text}</script>'
        for name, text in data.items()
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="hlta">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<p>Loading the topics. This page needs a browser with JavaScript enabled.</p>
{blocks}
<!--
{licences.replace("--", "- -")}
-->
<script>{script}</script>
</body>
</html>
"""


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
