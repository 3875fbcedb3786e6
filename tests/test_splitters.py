"""Content words of Korean and Thai; Chinese and Japanese are in test_languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hlta.text.splitters import splitter_of

if TYPE_CHECKING:
    from pathlib import Path


def test_korean_words_lose_their_particles_and_endings() -> None:
    pytest.importorskip("kiwipiepy")
    words = splitter_of("korean")("한국은행이 기준금리를 올렸다").split()
    assert {"한국은행", "금리", "올리다"} <= set(words)
    assert not {"이", "를", "었"} & set(words)


def test_thai_words_are_parted_without_stop_words() -> None:
    pytest.importorskip("pythainlp")
    words = splitter_of("thai")("ธนาคารและตลาดหุ้นของประเทศ").split()
    assert {"ธนาคาร", "ตลาดหุ้น", "ประเทศ"} <= set(words)
    assert not {"และ", "ของ"} & set(words)


def test_thai_needs_no_folder_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pythainlp")
    monkeypatch.setenv("HOME", str(tmp_path))
    splitter_of("thai")
    assert not list(tmp_path.iterdir())
