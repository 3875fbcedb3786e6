"""A program that reads a Parquet or Arrow file for `hlta.reading.tables.columnar`.

It is a process of its own, because malicious files can crash Polars. Its arguments are the folder that
Polars is in, and the file. It writes messages: a letter, a length in eight bytes, and as many bytes.
First, `c` has the names of the columns as JSON. The program then reads the names of those to send, as
a line of JSON, and writes `r` with some rows as an Arrow stream, as often as needed, and `.` at the end.
If Polars refuses the file, the program writes `e` with the reason.
"""

import io
import json
import sys
from typing import Any

_MESSAGE = 1 << 24  # bytes of rows sent at a time
_LONGEST_ROW = 1 << 27  # bytes
_ENTRY = 16  # bytes of an entry of a list


def main(folder: str, path: str) -> None:
    """Send the columns, and then the rows."""
    sys.path.append(folder)
    import polars as pl

    scan = pl.scan_parquet if path.lower().endswith(".parquet") else pl.scan_ipc
    try:
        rows = scan(path, glob=False)
        send(b"c", json.dumps(rows.collect_schema().names()).encode())
        columns = json.loads(sys.stdin.readline())
        for batch in rows.select(columns).collect_batches(chunk_size=20_000):
            for part in batch.iter_slices(
                max(1, len(batch) * _MESSAGE // max(size(batch), _MESSAGE))
            ):
                if size(part) > _LONGEST_ROW:
                    raise pl.exceptions.ComputeError(
                        "a row holds too much; write it in several rows"
                    )
                stream = io.BytesIO()
                part.write_ipc_stream(stream)
                send(b"r", stream.getvalue())
        send(b".", b"")
    except pl.exceptions.PolarsError as error:
        send(b"e", str(error).encode("utf-8", "replace"))


def size(rows: Any) -> int:
    """How many bytes rows take when they are sent, each text as often as rows refer to it."""
    import polars as pl

    lists = [column for column in rows.iter_columns() if isinstance(column.dtype, pl.List)]
    entries = sum(int(column.list.len().sum()) for column in lists)
    return int(rows.estimated_size()) + _ENTRY * entries


def send(letter: bytes, data: bytes) -> None:
    """Write a message."""
    sys.stdout.buffer.write(letter + len(data).to_bytes(8, "little") + data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
