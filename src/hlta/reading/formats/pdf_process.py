"""A program that reads PDF files for `hlta.reading.formats.pdf`.

It is a process of its own, because files that are made for it crash PDFium. Its argument is the folder
that pypdfium2 is in. It reads files from standard input, each a length in eight bytes and as many
bytes, and answers each with a letter, a length and as many bytes: `r`, the title and the texts of the
pages as JSON; or `e`, what is wrong with the file.
"""

import json
import sys


def main(folder: str) -> None:
    """Answer until there are no more files."""
    sys.path.append(folder)
    from pypdfium2 import PdfiumError

    while head := sys.stdin.buffer.read(8):
        data = sys.stdin.buffer.read(int.from_bytes(head, "little"))
        try:
            letter, answer = b"r", json.dumps(texts(data))
        except PdfiumError as error:
            letter, answer = b"e", str(error)
        shown = answer.encode("utf-8", "replace")
        sys.stdout.buffer.write(letter + len(shown).to_bytes(8, "little") + shown)
        sys.stdout.buffer.flush()


def texts(data: bytes) -> tuple[str, list[str]]:
    """The title, perhaps empty, and the texts of the pages."""
    from pypdfium2 import PdfDocument

    document = PdfDocument(data)
    try:
        title = document.get_metadata_dict(skip_empty=True).get("Title", "")
        pages = []
        for page in document:
            text = page.get_textpage()
            pages.append(text.get_text_bounded())
            text.close()
            page.close()
        return title, pages
    finally:
        document.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
