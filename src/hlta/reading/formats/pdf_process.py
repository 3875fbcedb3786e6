"""A program that reads PDF files for `hlta.reading.formats.pdf`.

It is a process of its own, because malicious files can crash PDFium. Its arguments are the folder that
pypdfium2 is in, and how many pages and objects on them a file may have: in any case, and for each of its
bytes. It reads files from standard input, each a length in eight bytes and as many bytes, and answers
each with a letter, a length and as many bytes: `r`, the title and the texts of the pages as JSON; or
`e`, what is wrong with the file.
"""

import json
import sys

# CPU time for a file: far more than it takes unless it is made to take long, such as by forms that draw
# each other, during which PDFium reports no progress.
_SECONDS = 5
_BYTES_PER_SECOND = 20_000


def main(folder: str, always: str, per_byte: str) -> None:
    """Answer until there are no more files."""
    sys.path.append(folder)
    from pypdfium2 import PdfiumError

    while head := sys.stdin.buffer.read(8):
        data = sys.stdin.buffer.read(int.from_bytes(head, "little"))
        try:
            limit_time(_SECONDS + len(data) // _BYTES_PER_SECOND)
            most = max(int(always), int(per_byte) * len(data))
            letter, answer = b"r", json.dumps(texts(data, most))
        except (PdfiumError, OverflowError) as error:
            letter, answer = b"e", str(error)
        shown = answer.encode("utf-8", "replace")
        sys.stdout.buffer.write(letter + len(shown).to_bytes(8, "little") + shown)
        sys.stdout.buffer.flush()


def limit_time(seconds: int) -> None:
    """End the process after so many more seconds of CPU time, where the system can do that."""
    try:
        import resource
    except ImportError:
        return
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    for kind, most in ((resource.RLIMIT_CPU, int(used) + 1 + seconds), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def texts(data: bytes, most: int) -> tuple[str, list[str]]:
    """The title, perhaps empty, and the texts of at most so many pages and objects on them.

    Objects are counted because many pages can have the same content, which PDFium reads for each.
    """
    from pypdfium2 import PdfDocument, raw

    document = PdfDocument(data)
    try:
        title = document.get_metadata_dict(skip_empty=True).get("Title", "")
        pages = []
        for page in document:
            most -= 1 + raw.FPDFPage_CountObjects(page)
            if most < 0:
                raise OverflowError(
                    "it has too many pages, and objects on them, for its size; print it to another PDF"
                )
            text = page.get_textpage()
            pages.append(text.get_text_bounded())
            text.close()
            page.close()
        return title, pages
    finally:
        document.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
