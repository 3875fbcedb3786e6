"""Files as bytes: compressed or not, whole or cut off, bombs; and as text, in any encoding."""

import gzip
import io
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hlta import DocumentsError, OptionError, read_corpus
from hlta.reading import compression
from hlta.reading.compression import kind_of, open_bytes, without_compression
from hlta.reading.encodings import Decoder, holds_text
from hlta.reading.records import ReadOptions
from hlta.reading.skipped import DAMAGED_TEXT
from tests.reads import read, read_and_skipped, texts_in
from tests.zipped import PACKERS

LINES = [f"document {k} of {k * k}" for k in range(2000)]


@pytest.mark.parametrize("suffix", ["", *PACKERS])
@pytest.mark.parametrize(
    ("name", "text"),
    [("x.txt", "größe"), ("x.csv", "text\ngröße"), ("x.jsonl", '{"text": "größe"}')],
)
def test_files_may_be_compressed(tmp_path: Path, name: str, text: str, suffix: str) -> None:
    path = tmp_path / (name + suffix)
    path.write_bytes(PACKERS.get(suffix, bytes)(text.encode()))
    assert texts_in(path) == ["größe"]


@pytest.mark.parametrize("suffix", PACKERS)
def test_streams_follow_each_other_and_zeros_may_follow_them(tmp_path: Path, suffix: str) -> None:
    parts = ["\n".join(LINES[:900]) + "\n", "\n".join(LINES[900:])]
    path = tmp_path / f"x.txt{suffix}"
    packed = [PACKERS[suffix](part.encode()) for part in parts]
    for between in (b"", bytes(8)):
        path.write_bytes(packed[0] + between + packed[1] + bytes(4))
        assert texts_in(path) == LINES


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("place", [0, 3, 20, 300, -60])
def test_a_damaged_second_stream_is_no_end(tmp_path: Path, suffix: str, place: int) -> None:
    """Python's own readers take it for what may follow a file, and the rest is lost."""
    first, second = (
        PACKERS[suffix]("\n".join(half).encode()) for half in (LINES[:1000], LINES[1000:])
    )
    broken = bytearray(second)
    broken[place] ^= 255
    path = tmp_path / f"x.txt{suffix}"
    for rest in (bytes(broken), b"some other bytes" + second):
        path.write_bytes(first + rest)
        with pytest.raises(DocumentsError, match=r"x\.txt.* is damaged: "):
            read(path)


@pytest.mark.parametrize(
    ("name", "stem", "kind"),
    [
        ("x.csv", "x.csv", ".csv"),
        ("x.CSV.GZ", "x.CSV", ".csv"),
        ("x.tar.xz", "x.tar", ".tar"),
        ("x.zst", "x", ""),
        (".gz", ".gz", ""),
    ],
)
def test_the_kind_of_a_file_is_that_of_its_contents(name: str, stem: str, kind: str) -> None:
    assert without_compression(name) == stem
    assert kind_of(name) == kind


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_file_that_is_cut_off_is_damaged(tmp_path: Path, suffix: str) -> None:
    whole = PACKERS[suffix]("\n".join(LINES).encode())
    path = tmp_path / f"x.txt{suffix}"
    for cut in (1, 5, 20, len(whole) // 2, len(whole) - 5, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(DocumentsError, match="is damaged"):
            read(path)
        with pytest.raises(DocumentsError, match="has no documents"):
            read(tmp_path)
    path.write_bytes(whole)
    assert texts_in(path) == LINES


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parts=st.lists(st.tuples(st.binary(max_size=300), st.integers(0, 500), st.booleans())),
    lengths=st.lists(st.integers(1, 2000)),
)
def test_frames_of_zst_are_joined(tmp_path: Path, parts: Any, lengths: list[int]) -> None:
    expected, packed = b"", b""
    for part, times, skippable in parts:
        data = part * times
        expected += data
        packed += zstandard.compress(data)
        if skippable:  # a frame with data for other programs
            packed += b"\x50\x2a\x4d\x18" + len(part).to_bytes(4, "little") + part
    (tmp_path / "x.zst").write_bytes(packed)
    with open_bytes(tmp_path / "x.zst") as file:
        assert b"".join([*(file.read(length) for length in lengths), file.read()]) == expected


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_bomb_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.setattr(compression, "_ALWAYS_UNPACKED", 1 << 16)
    monkeypatch.setattr(compression, "_ALWAYS_UNPACKED_WHOLE", 1 << 16)
    bomb = tmp_path / f"bomb.txt{suffix}"
    bomb.write_bytes(PACKERS[suffix](b"a" * (1 << 20)))
    packed_well = "\n".join(LINES * 4)
    (tmp_path / f"a.txt{suffix}").write_bytes(PACKERS[suffix](packed_well.encode()))
    with pytest.raises(DocumentsError, match="it unpacks to more than 200 times its size"):
        read(bomb)
    records, skipped = read_and_skipped(tmp_path)
    assert [record.text for record in records] == [packed_well]
    message = "it unpacks to more than 30 times its size"  # a single document is held as a whole
    assert [message in reason for reason in skipped.values()] == [True]


def test_memory_does_not_follow_a_bomb(tmp_path: Path) -> None:
    with zstandard.open(tmp_path / "x.zst", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 23))
    with open_bytes(tmp_path / "x.zst") as file:
        tracemalloc.start()
        assert not any(file.read(1 << 20))
        assert tracemalloc.get_traced_memory()[1] < 1 << 28
        tracemalloc.stop()


def test_too_many_bytes_are_no_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "_LONGEST_DOCUMENT", 10)
    assert compression.read_document(io.BytesIO(b"0123456789")) == b"0123456789"
    (tmp_path / "short.txt").write_text("short")
    (tmp_path / "long.txt").write_text("0123456789a")
    records, skipped = read_and_skipped(tmp_path)
    assert [record.id for record in records] == ["short.txt"]
    assert "too much for a single document" in skipped["long.txt"]


MATRIX_MARKET = b"%%MatrixMarket matrix coordinate integer general\n1 1 65536\n"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.json.gz", b"[" + b"{}," * (1 << 16) + b"{}]"),
        ("x.xml.gz", b"<a>" + b"\n" * (1 << 17) + b"</a>"),
        ("docword.x.txt.gz", b"1\n1\n65536\n" + b"1 1 1\n" * (1 << 16)),
        ("x.mtx.gz", MATRIX_MARKET + b"1 1 1\n" * (1 << 16)),
        ("x.ldac.gz", b"1 0:1\n" * (1 << 16)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_that_are_held_as_a_whole_may_unpack_to_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes
) -> None:
    monkeypatch.setattr(compression, "_ALWAYS_UNPACKED_WHOLE", 1 << 16)
    (tmp_path / name).write_bytes(gzip.compress(data))
    with pytest.raises(DocumentsError, match="it unpacks to more than 30 times its size"):
        read_corpus(tmp_path / name)


IN_CHINESE = "机器学习是人工智能的一个分支，它研究计算机怎样模拟人类的学习行为。"
IN_JAPANESE = "機械学習とは、人間が自然に行っている学習能力をコンピュータで実現する技術です。"
IN_RUSSIAN = "Машинное обучение изучает, как программы учатся на данных, и это важно."


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        *((encoding, IN_RUSSIAN) for encoding in ("utf-8-sig", "utf-16", "utf-32", "cp1251")),
        *(("gb18030", IN_CHINESE), ("shift_jis", IN_JAPANESE), ("latin-1", "größe")),
    ],
)
def test_other_alphabets_are_recognised(tmp_path: Path, encoding: str, text: str) -> None:
    lines = [text, text[::-1]] * 3
    (tmp_path / "x.txt").write_bytes("\n".join(lines).encode(encoding))
    for known in (encoding, None):
        assert texts_in(tmp_path / "x.txt", encoding=known) == lines


@pytest.mark.parametrize(
    "encoding", ["klingon", "undefined", "punycode", "idna", "zlib", "a\0b", "", 7]
)
def test_what_is_no_encoding_of_files_is_refused(encoding: str) -> None:
    with pytest.raises(OptionError, match=r"encoding=.* is not known; try utf-8"):
        ReadOptions(encoding=encoding)


WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
FOREIGN = ["Ein Text, größer als zuvor", "数据 分析 2", "Третий документ"]


@pytest.mark.parametrize("name", ["x.txt", "folder", "x.csv", "x.jsonl", "x.json"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encoding", WIDE)
def test_wide_text_may_have_a_mark(tmp_path: Path, name: str, mark: str, encoding: str) -> None:
    text = {
        "x.csv": "n;text\n" + "".join(f"1;{line}\n" for line in FOREIGN),
        "x.jsonl": "".join(f'{{"text": "{line}"}}\n' for line in FOREIGN),
        "x.json": "[" + ", ".join(f'"{line}"' for line in FOREIGN) + "]",
    }.get(name, "\n".join(FOREIGN))
    path = tmp_path / (name if name != "folder" else "x.txt")
    path.write_bytes((mark + text).encode(encoding))
    expected = ["\n".join(FOREIGN)] if name == "folder" else FOREIGN
    for given_encoding in (None, encoding, encoding[:6]):
        read = texts_in(tmp_path if name == "folder" else path, encoding=given_encoding)
        assert read == expected


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"])), st.data())
def test_wide_encodings_are_guessed_from_any_text(text: str, data: st.DataObject) -> None:
    encoding = data.draw(st.sampled_from(WIDE))
    raw = (text + "\n and so on, in a line of ASCII").encode(encoding)
    assert holds_text(raw)
    assert Decoder(None).text(raw, "it") == text + "\n and so on, in a line of ASCII"


@pytest.mark.parametrize(
    "raw",
    [
        *(b"deep\0nets\ndark matter\n", "größe\0 und gewicht\n".encode(), b"\0", b"\0\1\2"),
        *(b"\x01\x00\x20\x00", b"\x7fELF\x02\x01\x01" + bytes(9), bytes(100)),
    ],
)
def test_bytes_with_zeros_are_mostly_no_text(raw: bytes) -> None:
    assert not holds_text(raw)


@given(st.text(st.characters(codec="utf-8")), st.lists(st.integers(1, 20), min_size=1))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030", "utf-7", "utf-32-be"])
def test_pieces_are_decoded_like_the_whole(encoding: str, text: str, lengths: list[int]) -> None:
    raw = ("a" + text).encode(encoding)
    decoder, decoded = Decoder(encoding), ""
    for length in [4, *lengths]:
        decoded += decoder.text(raw[:length], "it", final=False)
        raw = raw[length:]
    assert decoded + decoder.text(raw, "it") == "a" + text


def test_a_guess_holds_for_the_rest() -> None:
    decoder = Decoder(None)
    assert decoder.text("größe é".encode()[:-1], "it", final=False) == "größe "
    assert decoder.text(b"\xa9 gr\xf6\xdfe", "it", final=False) == "Ã© größe"
    assert decoder.text("é".encode(), "it") == "Ã©"
    decoder = Decoder(None)
    assert decoder.text("äöüß".encode(), "it", final=False) == "äöüß"
    assert decoder.text(b"a\xe4 b", "it", final=False) == "a\ufffd b"
    assert decoder.text(b"\xe4", "it") == "\ufffd"


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "folder"])
def test_a_few_bytes_that_are_not_utf_8_are_replaced_and_told(tmp_path: Path, name: str) -> None:
    lines = ["größe über é", "naïve Straße", "plain", "häufig öfter"]
    data = "\n".join(lines).encode().replace(b"plain", b"pl\xe4in")
    table, folder = name == "x.csv", name == "folder"
    (tmp_path / ("y.txt" if folder else name)).write_bytes(b"text\n" * table + data)
    path = tmp_path if folder else tmp_path / name
    records, skipped = read_and_skipped(path)
    assert "\n".join(r.text for r in records) == "\n".join(lines).replace("plain", "pl\ufffdin")
    (place,) = skipped
    assert skipped[place] == DAMAGED_TEXT
    assert place == f"{path}, document {'y.txt' if folder else '3'!r}"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "ascii"])
def test_bytes_that_the_encoding_does_not_have_are_named(encoding: str) -> None:
    with pytest.raises(DocumentsError, match=f"it is not {encoding}: byte 2 is 0x.*guessed"):
        Decoder(encoding).text(b"a\x00\xff\xdf" if "16" in encoding else b"ab\xff", "it")
