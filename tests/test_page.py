"""The page as a whole."""

from __future__ import annotations

import base64
import hashlib
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from hlta import HLTA, Corpus


class Parts(HTMLParser):
    """The policy, and what is inside of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.policy = ""
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._open: tuple[str, dict[str, str | None]] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        self._open = (tag, given) if tag in self.inside else None

    def handle_data(self, data: str) -> None:
        if self._open and self._open[1].get("type") != "application/octet-stream":
            self.inside[self._open[0]].append(data)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._open = None


def test_the_policy_lets_in_the_page_s_own_script_and_style(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    page = Parts(model.topics_.to_html(corpus=corpus, title="</title><script>"))
    assert page.policy.startswith("default-src 'none'; ")
    for kind in ("script", "style"):
        (text,) = page.inside[kind]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in page.policy
    assert not any("src" in given or "href" in given for _, given in page.tags)


def test_the_same_model_gives_the_same_page(small: tuple[HLTA, Corpus], tmp_path: Path) -> None:
    model, corpus = small
    one = model.topics_.to_html(tmp_path / "a.html", corpus=corpus, n_jobs=1)
    two = model.topics_.to_html(tmp_path / "b.html", corpus=corpus, n_jobs=3)
    assert one == two == (tmp_path / "a.html").read_text(encoding="utf-8")
