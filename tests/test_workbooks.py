"""Excel workbooks: a row is a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from hlta import DocumentsError
from tests.reads import read, read_and_skipped
from tests.zipped import bomb, zipped

if TYPE_CHECKING:
    from pathlib import Path

WORKBOOK = """<workbook xmlns:r="r"><workbookPr {settings}/><sheets>
<sheet name="Papers" r:id="rId1"/><sheet name="Notes" r:id="rId2"/>
<sheet name="Old" state="hidden" r:id="rId3"/></sheets></workbook>"""
RELATIONSHIPS = "".join(
    f'<Relationship Id="rId{n}" Target="{target}"/>'
    for n, target in enumerate(("worksheets/a.xml", "/xl/worksheets/b.xml", "worksheets/c.xml"), 1)
)
STYLES = """<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]yyyy\\-mm;&quot;d&quot;"/>
<numFmt numFmtId="165" formatCode="&quot;dm&quot;0.0"/></numFmts><cellStyleXfs><xf numFmtId="14"/>
</cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/>
</cellXfs></styleSheet>"""
TEXTS = """<sst><si><t>Title</t></si><si><t>Abstract</t></si><si><t>Date</t></si>
<si><r><t>Deep </t></r><r><t>nets</t></r><rPh><t>spoken</t></rPh></si></sst>"""


def sheet(*rows: str) -> str:
    return f"<worksheet><sheetData>{''.join(f'<row>{row}</row>' for row in rows)}</sheetData></worksheet>"


NAMES = '<c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c><c r="AA1" t="s"><v>2</v></c>'


def workbook(path: Path, *rows: str, settings: str = "", **more: Any) -> Path:
    path.write_bytes(
        zipped(
            {
                "xl/workbook.xml": WORKBOOK.format(settings=settings),
                "xl/_rels/workbook.xml.rels": f"<Relationships>{RELATIONSHIPS}</Relationships>",
                "xl/styles.xml": STYLES,
                "xl/sharedStrings.xml": TEXTS,
                "xl/worksheets/a.xml": sheet(*rows),
                "xl/worksheets/b.xml": sheet('<c t="str"><v>remark</v></c>'),
                "xl/worksheets/c.xml": sheet(NAMES, '<c r="C2" t="str"><v>hidden</v></c>'),
                **more,
            }
        )
    )
    return path


def test_rows_are_documents_and_columns_are_chosen_as_in_tables(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "a.xlsx",
        NAMES,
        '<c r="A2" t="inlineStr"><is><t>First</t></is></c><c r="C2" t="s"><v>3</v></c>'
        '<c r="AA2" s="1"><v>43831</v></c>',
        '<c r="A3" t="str"><v>No text</v></c><c r="C3" t="e"><v>#N/A</v></c>',
        '<c r="C4" t="str"><v>no title</v></c><c r="AA4" s="2"><v>43831.5</v></c>',
        '<c r="C5" t="str"><v>a year</v></c><c r="AA5" s="3"><v>2019</v></c>',
    )
    records, skipped = read_and_skipped(path)
    assert [tuple(record) for record in records] == [
        ("First\n\nDeep nets", "1", "First", "2020-01-01", ""),
        ("no title", "3", "", "2020-01-01", ""),
        ("a year", "4", "", "2019", ""),
    ]
    assert [where.removeprefix(str(path)) for where in skipped] == [", row 2", ", sheet 'Notes'"]


def test_columns_can_be_named_and_days_counted_from_1904(tmp_path: Path) -> None:
    row = '<c t="str"><v>text</v></c><c/><c/><c r="AA2" s="1"><v>1</v></c>'
    path = workbook(tmp_path / "a.xlsx", NAMES, row, settings='date1904="1"')
    (record,) = read(path, text="Title", title="Abstract")
    assert record[:4] == ("text", "1", "", "1904-01-02")


REMARK = '<c t="str"><v>Papers of 2020</v></c>'
ROW = '<c r="C9" t="str"><v>one</v></c>'


def test_rows_above_the_names_of_columns_are_left_out(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", REMARK, "", NAMES, ROW)
    records, skipped = read_and_skipped(path)
    assert [record.text for record in records] == ["one"]
    assert skipped[f"{path}, 1 row"] == "above the row that names the columns"
    assert [record.text for record in read(path, skip_rows=2)] == ["one"]
    with pytest.raises(DocumentsError, match="no column is named text"):
        read(path, skip_rows=0)


def test_rows_have_the_numbers_that_a_workbook_gives_them(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", REMARK, NAMES, ROW)
    sheets = sheet(REMARK, NAMES, ROW).split("<row>")
    numbered = sheets[0] + "".join(f'<row r="{9 * k}">{one}' for k, one in enumerate(sheets[1:], 1))
    workbook(path, REMARK, **{"xl/worksheets/a.xml": numbered})
    assert [record.text for record in read(path, skip_rows=17)] == ["one"]
    with pytest.raises(DocumentsError, match="no column is named text"):
        read(path, skip_rows=18)
    with pytest.raises(DocumentsError, match="skip_rows=99: it has no more rows; give a smaller"):
        read(path, skip_rows=99)


def test_characters_that_xml_cannot_hold_are_read(tmp_path: Path) -> None:
    row = '<c r="C2" t="str"><v>one_x000D_\ntwo_x005F_x000D_</v></c>'
    (record,) = read(workbook(tmp_path / "a.xlsx", NAMES, row))
    assert record.text == "one\r\ntwo_x000D_"


def test_a_sheet_can_be_chosen(tmp_path: Path) -> None:
    other = {"xl/worksheets/b.xml": sheet(NAMES, ROW.replace("one", "two"))}
    path = workbook(tmp_path / "a.xlsx", NAMES, ROW, **other)
    assert [record.text for record in read(path)] == ["one", "two"]
    assert [record.text for record in read(path, sheet="Notes")] == ["two"]
    with pytest.raises(
        DocumentsError, match="no sheet 'Old notes'; the sheets are 'Papers', 'Notes'"
    ):
        read(path, sheet="Old notes")


def test_a_workbook_without_texts_is_told(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", '<c t="str"><v>number</v></c>')
    with pytest.raises(DocumentsError, match=r"no column is named text, .* one of 'number'"):
        read(path)
    path.write_bytes(zipped({"a": "x"}))
    with pytest.raises(DocumentsError, match="has no sheet with rows"):
        read(path)


@pytest.mark.parametrize("data", [b"PK", bomb("xl/sharedStrings.xml")])
def test_damage_and_bombs_are_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.xlsx").write_bytes(data)
    (tmp_path / "b.txt").write_text("text")
    records, skipped = read_and_skipped(tmp_path)
    assert ([record.id for record in records], list(skipped)) == (["b.txt"], ["a.xlsx"])
    with pytest.raises(DocumentsError, match=r"a\.xlsx"):
        read(tmp_path / "a.xlsx")


def test_values_that_are_out_of_range_are_shown_as_they_are(tmp_path: Path) -> None:
    row = (
        '<c r="C2" t="s"><v>99</v></c><c r="AA2" s="1"><v>1e300</v></c><c r="A2" s="x"><v>7</v></c>'
    )
    assert read(workbook(tmp_path / "a.xlsx", NAMES, row))[0] == ("7\n\n99", "1", "7", "1e300", "")
