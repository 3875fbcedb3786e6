"""The text of HTML pages."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from hlta._support.checks import needing
from hlta.errors import DocumentsError
from hlta.reading.records import Record

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Elements of a page that are not part of its text.
_NO_TEXT: Final = [
    *("script", "style", "noscript", "template", "svg"),
    *("nav", "footer", "form", "iframe"),
]
# A tag, and its attributes as the parser sees them: their values may hold < and >.
_TAG = re.compile(
    r"<(/?)([a-zA-Z][^\s/<>]*)((?:=\s*(?:\"[^\"]*\"|'[^']*'|[^\s<>\"'][^\s<>]*)|[^<>])*+)>?"
)
_BETWEEN_ATTRIBUTES = re.compile(r"[\s/\"']+")
# Elements that have no content, that end where the next begins, or in which tags are text.
_NOT_NESTED: Final = {
    *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"),
    *("source", "track", "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody"),
    *("tfoot", "option", "html", "head", "body", "title", "textarea", "script"),
    *("style", "xmp", "noembed", "noframes", "plaintext", "iframe"),
}
# Elements that a browser shows as a paragraph, or a cell, of their own.
_BLOCKS: Final = (
    "address,article,aside,blockquote,caption,center,dd,details,dialog,dir,div,dl,dt,fieldset,"
    "figcaption,figure,footer,form,h1,h2,h3,h4,h5,h6,header,hgroup,hr,iframe,legend,li,listing,main,"
    "menu,nav,ol,optgroup,option,p,pre,search,section,summary,table,tbody,td,textarea,tfoot,th,thead,"
    "tr,ul,xmp"
)
# Elements that CSS often separates where they follow each other without a space.
_APART: Final = ":is(a,button,label,span) + :is(a,button,label,span)"
_TEXT: Final = "-text"  # the name of a node that is no element
_EDGE: Final = "\x1e"  # the control character that separates records
_DEEPEST: Final = 500  # elements within elements; browsers read about as many
_MOST_TAGS: Final = 1 << 19
_MOST_ATTRIBUTES: Final = 500  # of a tag; if it has more, all are dropped
_FORMATTING: Final = {
    *("b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"),
}
_MOST_OPTIONS: Final = 1000  # of all lists to choose from


def html_text(page: str) -> Record:
    """What a reader sees of an HTML page, without navigation and forms; the record has no id.

    Paragraphs, headings, items and cells are divided by empty lines.
    """
    with needing("HTML files need selectolax", extra="html", error=DocumentsError):
        from selectolax.lexbor import LexborHTMLParser
    tree = LexborHTMLParser(_flatten(page))
    heading = tree.css_first("title")
    title = " ".join(heading.text().split()) if heading is not None else ""
    body = tree.body
    if body is None:
        return Record("", "", title)
    for element in body.css(_APART):
        before = element.prev
        if before is not None and before.tag != _TEXT:
            element.insert_before(" ")
    for picture in body.css("img,svg"):
        picture.insert_before(" ")
    for line_break in body.css("br"):
        line_break.insert_before(_EDGE if _follows_break(line_break) else "\n")
    for block in body.css(_BLOCKS):
        block.insert_before(_EDGE)
        block.insert_after(_EDGE)
    tree.strip_tags(_NO_TEXT)
    paragraphs = map(_lines, body.text().split(_EDGE))
    return Record("\n\n".join(filter(None, paragraphs)), "", title)


def _follows_break(line_break: LexborNode) -> bool:
    """Whether there is nothing but space between it and another line break."""
    before = line_break.prev
    while before is not None and before.tag == _TEXT and not before.text().strip():
        before = before.prev
    return before is not None and before.tag == "br"


def _lines(text: str) -> str:
    """The lines of a text, with single spaces, and without empty lines."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))


def _flatten(page: str, *, formatted: bool = True) -> str:
    """The page without what takes the parser quadratic time and real pages do not have.

    These are elements below the deepest level, hundreds of attributes in a tag, thousands of options to
    choose from, and formatting that is never closed: the parser opens it again in each paragraph.
    """
    if page.count("<") > _MOST_TAGS:
        raise DocumentsError(
            f"it has more than {_MOST_TAGS:,} tags, too many for a single document"
        )
    open_elements: Counter[str] = Counter()
    depth = options = opened = burden = 0

    def kept(tag: re.Match[str]) -> str:
        nonlocal depth, options, opened, burden
        name, whole = tag[2].lower(), tag[0]
        if len(_BETWEEN_ATTRIBUTES.findall(tag[3])) > _MOST_ATTRIBUTES:
            whole = f"<{tag[1]}{name}>"
        if name == "option":
            options += not tag[1]
            return whole if options <= _MOST_OPTIONS else " "
        if name in _FORMATTING and not formatted:
            return ""
        burden += opened
        if name in _NOT_NESTED:
            return whole
        if not tag[1]:
            open_elements[name] += 1
            depth += 1
            opened += name in _FORMATTING
            return whole if depth <= _DEEPEST else " "
        if not open_elements[name]:
            return whole
        open_elements[name] -= 1
        depth -= 1
        opened -= name in _FORMATTING
        return whole if depth < _DEEPEST else " "

    flat = _TAG.sub(kept, page)
    return flat if burden <= _MOST_TAGS else _flatten(page, formatted=False)
