"""What is text in HTML pages."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from hlta._support.checks import needing
from hlta.errors import DocumentsError

# Elements of a page that are not part of its text.
_NO_TEXT: Final = [
    *("script", "style", "noscript", "template", "svg"),
    *("nav", "footer", "form", "iframe"),
]
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*)[^<>]*>?")
# Elements that have no content, that end where the next begins, or in which tags are text.
_NOT_NESTED: Final = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"),
        *("source", "track", "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody"),
        *("tfoot", "option", "html", "head", "body", "title", "textarea", "script"),
        *("style", "xmp", "noembed", "noframes", "plaintext", "iframe"),
    }
)
_DEEPEST: Final = 500  # elements within elements; browsers read about as many


def html_text(page: str) -> tuple[str, str]:
    """The title of an HTML page, perhaps empty, and what a reader sees, without navigation and forms."""
    with needing("HTML files need selectolax", extra="html", error=DocumentsError):
        from selectolax.lexbor import LexborHTMLParser
    tree = LexborHTMLParser(_flattened(page))
    heading = tree.css_first("title")
    title = " ".join(heading.text().split()) if heading is not None else ""
    tree.strip_tags(_NO_TEXT)
    body = tree.body
    return title, body.text(separator="\n", strip=True) if body is not None else ""


def _flattened(page: str) -> str:
    """The page without the tags of elements below the deepest level that pages have.

    The parser visits all open elements at each tag, so nesting would take quadratic time.
    """
    if page.count("<") <= _DEEPEST:
        return page
    open_elements: Counter[str] = Counter()
    depth = 0

    def kept(tag: re.Match[str]) -> str:
        nonlocal depth
        name = tag[2].lower()
        if name in _NOT_NESTED:
            return tag[0]
        if not tag[1]:
            open_elements[name] += 1
            depth += 1
            return tag[0] if depth <= _DEEPEST else " "
        if not open_elements[name]:
            return tag[0]
        open_elements[name] -= 1
        depth -= 1
        return tag[0] if depth < _DEEPEST else " "

    return _TAG.sub(kept, page)
