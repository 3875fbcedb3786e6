"""A program that reads a Parquet or Arrow file for `hlta.reading.tables.columnar`.

It is a process of its own, because files that are made for it crash Polars. Its arguments are the
folder that Polars is in, and the file. It writes messages, each of them a letter, a length in eight
bytes, and as many bytes: `c`, the names of the columns as JSON; after it has read, as a line of JSON,
the names of those to send, `r`, some rows as an Arrow stream, as often as needed; and `.`, the end.
Instead, `e` is what Polars has against the file.
"""

import io
import json
import sys
from typing import Any


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
            for part in batch.iter_slices(rows_at_once(batch)):
                stream = io.BytesIO()
                part.write_ipc_stream(stream)
                send(b"r", stream.getvalue())
        send(b".", b"")
    except pl.exceptions.PolarsError as error:
        send(b"e", str(error).encode("utf-8", "replace"))


def rows_at_once(batch: Any) -> int:
    """How many rows hold some megabytes of text: many may refer to one text, which is sent as often."""
    import polars as pl

    lengths = batch.select(pl.col(pl.String).str.len_bytes().sum())
    total = sum(lengths.row(0)) if lengths.width else 0
    return max(1, len(batch) * (1 << 24) // max(total, 1 << 24))


def send(letter: bytes, data: bytes) -> None:
    """Write a message."""
    sys.stdout.buffer.write(letter + len(data).to_bytes(8, "little") + data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
