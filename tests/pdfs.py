"""PDF files made by hand, whose numbers of bytes are right."""


def pdf(
    lines: list[str], title: str = "", pages: int = 1, drawn: str = "", forms: int = 0
) -> bytes:
    """A PDF with some lines of text and what is drawn below them; all pages are the same.

    Of the forms, which can be drawn, each draws the one before eight times.
    """
    shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
    stream = f"BT /F1 12 Tf 72 720 Td {shown}ET {drawn}".encode("latin-1")
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (b"3 0 R " * pages, pages),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>/XObject<</X %d 0 R>>>>>>" % (6 + forms),
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Title(%s)>>" % title.encode("latin-1"),
    ]
    for form in range(forms):
        inner = b"/X Do " * 8 if form else b"0 0 m 9 9 l S "
        objects.append(
            b"<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</X %d 0 R>>>>"
            b"/Length %d>>stream\n%s\nendstream" % (6 + form, len(inner), inner)
        )
    data = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj%sendobj\n" % (number, body)
    table = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + b"trailer<</Size %d/Root 1 0 R/Info 6 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        table,
    )
