"""A file of each format with one document, with whatever is special about the format."""

from typing import Any, Final

HTML: Final = """<!doctype html><html><head><meta charset=utf-8><title>On
  networks</title><style>p {color: red}</style><script>if (a < b) {}</script></head><body>
<nav>Home About</nav><p>Deep <b>n</b>eural networks</p><p>learn &amp; grow &#x1F600; <b>bold<i>x</b>
<table><tr><td>cell<td>other</table><svg><text>t</text></svg><template><p>z</template>
<textarea><p></textarea><!-- remark --></body></html>"""

XML: Final = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE tei SYSTEM "tei.dtd"><!-- remark -->
<tei xmlns="http://x" xmlns:a="b" n="attribute"><head>On nets</head><a:p>one</a:p>
<b>two &amp; Gr&ouml;&#223;e</b><![CDATA[<three>]]><?program text?></tei>"""

RTF: Final = r"""{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\froman Times;}{\f1\fcharset204 Arial Cyr;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\s1 heading;}}{\info{\title On nets}{\author Someone}
{\creatim\yr2020\mo1\dy31}}{\header page head}\pard\f0\b Deep\b0  neu
ral\tab nets\par
{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}\par{\*\generator program;}{\pict\pngblip 89504e47}
{\f1 \'cd\'e0\'f3\'ea\'e0} Gr\'f6\'dfe\~\emdash\rquote\{\\\}\line{\footnote note}
\u8364?\bin3 abc\cell\row}"""

NOTEBOOK: Final[dict[str, Any]] = {
    "cells": [
        {
            "cell_type": "code",
            "source": "# no title\nimport numpy",
            "outputs": [{"text": "printed"}],
        },
        {"cell_type": "markdown", "source": ["# On nets\n", "Deep nets"]},
        "no cell",
        {"cell_type": "raw"},
    ],
    "metadata": {"name": "kernel"},
    "worksheets": [{"cells": [{"cell_type": "code", "input": ["a\n", "b"]}]}],  # of format 3
}

SRT: Final = """1
00:00:01,000 --> 00:00:02,500
<i>Deep</i> nets
learn &amp; grow.

2
00:00:03,000 --> 00:00:04,000 X1:0
{\\an8}1984 was a year < now > then.
"""
VTT: Final = """WEBVTT - title
Kind: captions

STYLE
::cue {color: red}

NOTE a remark
of two lines

intro
00:01.000 --> 00:02.000 align:start
<v Someone>Deep <00:01.500><c>nets</c></v>

00:02.000 --> 00:03.000
Deep nets
learn
"""

# ---- the members of archives ---------------------------------------------------------------------

_W: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_CORE: Final = """<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>On
 nets</dc:title><dcterms:created>2021-03-04T10:00:00Z</dcterms:created></cp:coreProperties>"""
DOCX: Final = {
    "word/document.xml": f"<w:document {_W}><w:body>"
    "<w:p><w:pPr><w:pStyle w:val='x'/></w:pPr><w:r><w:t>Deep neu</w:t></w:r>"
    "<w:r><w:t>ral</w:t><w:tab/><w:t>nets</w:t></w:r></w:p>"
    "<w:p><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
    "<w:r><w:instrText>PAGEREF</w:instrText><w:t>Größe</w:t><w:br/><w:t>&amp; more</w:t></w:r></w:p>"
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc>"
    "<w:tc><w:p><w:r><w:t>other</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    "<mc:AlternateContent xmlns:mc='m'><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice>"
    "<mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>"
    "</w:body></w:document>",
    "word/footnotes.xml": f"<w:footnotes {_W}><w:footnote><w:p><w:r><w:t>note</w:t></w:r></w:p>"
    "</w:footnote></w:footnotes>",
    "docProps/core.xml": _CORE,
}
_SLIDE: Final = "<p:sld xmlns:p='p' xmlns:a='a'><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:sld>"
PPTX: Final = {
    **{f"ppt/slides/slide{n}.xml": _SLIDE.format(f"slide {n}") for n in (10, 2, 1)},
    "ppt/notesSlides/notesSlide1.xml": _SLIDE.format("said aloud"),
    "docProps/core.xml": _CORE,
}
ODT: Final = {
    "content.xml": """<office:document-content xmlns:office="o" xmlns:text="t"><office:body>
    <text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h>Heading</text:h>
    <text:p>one<text:s/>two<text:line-break/>th<office:annotation><text:p>remark</text:p>
    </office:annotation><text:span>ree</text:span></text:p></office:body>
    </office:document-content>""",
    "meta.xml": """<office:document-meta xmlns:office="o" xmlns:dc="d"><dc:title>T</dc:title>
    <dc:date>2022-01-01T00:00:00</dc:date></office:document-meta>""",
}
EPUB: Final = {
    "META-INF/container.xml": "<container><rootfile full-path='O/a.opf'/></container>",
    "O/a.opf": "<package xmlns:dc='d'><metadata><dc:title>Book</dc:title><dc:date>1999</dc:date>"
    "</metadata><manifest><item id='c1' href='c%201.xhtml'/><item id='c2' href='../c2.xhtml'/>"
    "</manifest><spine><itemref idref='c2'/><itemref idref='c1'/></spine></package>",
    "O/c 1.xhtml": "<html><body><p>second &eacute;</p></body></html>",
    "c2.xhtml": "<html><body><p>first</p></body></html>",
}
