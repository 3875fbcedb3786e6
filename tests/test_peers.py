"""The benchmarks: the table of methods side by side, and the comparison with its cells."""

import json
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import __main__ as program
from benchmarks import peers
from benchmarks.cells import Outcome, file_of, is_installed, outcomes
from benchmarks.compare import corpora, one_cell
from benchmarks.rivals import RIVALS, Topics
from hlta import Corpus
from tests.scanning import TEXTS


def printed(capsys: Any, monkeypatch: Any, *arguments: object) -> tuple[str, str]:
    """What the program prints."""
    monkeypatch.setattr(sys, "argv", ["peers", *map(str, arguments)])
    peers.main()
    said = capsys.readouterr()
    return said.out, said.err


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Texts with one of two classes, and two without."""
    kinds = ["even" if k % 2 == 0 else "odd" for k in range(len(TEXTS) - 2)] + ["", ""]
    path = tmp_path / "own.csv"
    rows = "".join(f'"{text}",{kind}\n' for text, kind in zip(TEXTS, kinds, strict=True))
    path.write_text(f"text,kind\n{rows}")
    return path


def test_a_table_is_computed_once(own: Path, tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    kept, method = tmp_path / "kept", "NMF of TF-IDF"
    options = (own, "--classes", "kind", "--numbers", 2, "--folder", kept, "--methods", method)
    first = peers.Cell(str(own), method, 0, "kind", 8000, (2,), None)
    kept.mkdir()
    learned = Outcome(peers.learn(first))  # another process learns the second
    file_of(first, kept).write_text(json.dumps(learned))
    out, err = printed(capsys, monkeypatch, *options)
    assert "2 documents without a class are left out of AMI, NMI and F1" in err
    head, _, line = [line for line in out.splitlines() if line.startswith("| ")]
    assert head.startswith("| topics | method | kind: AMI / NMI / F1 | none | stability |")
    assert line.startswith("| 2 | NMF of TF-IDF | ")
    monkeypatch.setattr(peers, "learn", None)
    assert printed(capsys, monkeypatch, *options)[0] == out


def test_what_is_missing_is_named(own: Path, tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(RIVALS, "CorEx", RIVALS["CorEx"]._replace(package="no-such-package"))
    methods = ("--methods", "CorEx", "BERTopic", "--folder", tmp_path / "kept")
    _, err = printed(capsys, monkeypatch, own, *methods)
    assert "CorEx: left out; pip install no-such-package" in err
    monkeypatch.setitem(RIVALS, "BERTopic", RIVALS["BERTopic"]._replace(package="hlta"))
    _, err = printed(capsys, monkeypatch, own, *methods)
    assert "BERTopic: left out; give --embeddings" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{none}"], "no such file or corpus"),
        (["demo", "{own}", "--embeddings", "x.npy"], "of one corpus"),
        (["{own}", "--methods", "magic"], "invalid choice: 'magic'"),
        (["{own}", "--numbers", "1"], "use 2 or more topics"),
    ],
)
def test_mistakes_are_named(
    arguments: list[str], message: str, own: Path, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    places = {"own": own, "none": tmp_path / "none.csv"}
    with pytest.raises(SystemExit):
        printed(capsys, monkeypatch, *(one.format(**places) for one in arguments))
    assert message in capsys.readouterr().err


def test_other_embeddings_and_several_classes_are_refused(own: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "few.npy", np.ones((3, 2)))
    cell = peers.Cell(str(own), "hlta", 0, "kind", 100, (2,), str(tmp_path / "few.npy"))
    with pytest.raises(SystemExit, match=rf"3 rows for {len(TEXTS)} documents"):
        peers.documents_of(cell)
    several = tmp_path / "several.jsonl"
    several.write_text(
        '{"text": "car engine", "kind": ["a", "b"]}\n{"text": "moon", "kind": "a"}\n'
    )
    with pytest.raises(SystemExit, match="1 document with several classes"):
        peers.documents_of(cell._replace(corpus=str(several), embeddings=None))


def test_agreement_counts_documents_on_no_topic_as_one_more() -> None:
    classes = np.array(["a", "a", "b", "b"])
    assert peers.agreement(np.array([0, 0, 1, 1]), classes) == pytest.approx((1.0, 1.0, 1.0))
    nmi, ami, f1 = peers.agreement(np.array([0, 0, -1, -1]), classes)
    assert (nmi, ami) == pytest.approx((1.0, 1.0))
    assert f1 == pytest.approx(0.5)  # no topic is of b


def test_agreement_in_depth_is_a_correlation_over_pairs() -> None:
    rng = np.random.default_rng(0)
    fine = rng.integers(6, size=40)
    topics, classes = [fine, fine // 2], [rng.integers(4, size=40), rng.integers(3, size=40)]
    pairs = list(combinations(range(40), 2))

    def shared(levels: list[Any]) -> list[int]:
        return [sum(int(one[i] == one[j]) for one in levels) for i, j in pairs]

    expected = np.corrcoef(shared(topics), shared(classes))[0, 1]
    assert peers.agreement_in_depth(topics, classes) == pytest.approx(expected)
    assert peers.agreement_in_depth(topics, topics) == pytest.approx(1.0)
    assert peers.agreement_in_depth([np.zeros(40)], classes) == 0.0


def test_tags_overlap_and_samples_are_compared_where_both_are() -> None:
    tags = [["x", "y"] if k < 60 else ["x"] if k < 100 else [] for k in range(120)]
    weights = np.zeros((120, 2))
    weights[:60, 0] = weights[:100, 1] = 1.0
    assert peers.precision_of_tags(weights, tags) == pytest.approx(1.0)
    assert peers.precision_of_tags(weights, [["z"]] + [[]] * 119) is None
    assert peers.stability([-2, 0, 0, 1, 1], [0, 5, 5, 3, 3]) == 1.0
    assert peers.stability([0, 0, 1, 1, -2], [0, 1, 0, 1, 0]) < 0.0


@pytest.mark.parametrize("method", [name for name in RIVALS if not RIVALS[name].needs_vectors])
def test_every_method_gives_a_topic_per_document(method: str) -> None:
    if not is_installed(RIVALS[method].package):
        pytest.skip(f"needs {RIVALS[method].package}")
    corpus = Corpus.from_texts(TEXTS)
    from benchmarks.rivals import Task

    for number, topics in RIVALS[method].find(Task(corpus, TEXTS, None, 0), [2]):
        assert isinstance(topics, Topics)
        assert topics.main.shape == (len(corpus),)
        assert -1 <= topics.main.min() <= topics.main.max() < number == len(topics.words)


def test_own_files_are_split(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    counts = rng.poisson(0.4, (50, 12))
    file = tmp_path / "own.sparse.txt"
    pairs = [f"d{d:02},w{w:02}" for d, w in zip(*np.nonzero(counts), strict=True)]
    file.write_text("\n".join(pairs))
    assert corpora.why_not(str(file)) is None
    assert "neither such a corpus nor such a file" in str(corpora.why_not("nowhere"))
    one, again, other = (corpora.split(str(file), seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.test.toarray(), again.test.toarray())
    assert (one.test.toarray() != other.test.toarray()).any()
    assert one.train.shape == (40, 12)
    assert one.test.shape == (10, 12)
    together = np.vstack((one.train.toarray(), one.test.toarray()))
    known = (counts > 0).astype(int)[:, [int(word[1:]) for word in one.words]]
    assert sorted(map(tuple, together)) == sorted(map(tuple, known[known.any(axis=1)]))


@pytest.mark.slow
def test_what_is_measured_are_numbers(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("model 1 2\ndata 2 1\nnetwork 1 1\nlearning 3 1\n")
    found = one_cell.compute(one_cell.Cell("demo", "hlta", 0, str(vectors), "quick"))
    json.dumps(found, allow_nan=False)
    assert found["seconds"] > 0.0
    assert -8.0 < found["completion"] < -5.0
    assert found["scored"] <= found["topics"]
    assert "compactness" not in found  # no topic has four words with vectors


@pytest.mark.slow
def test_the_command(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    def command(*more: str) -> Any:
        options = ["--methods", "independent", "hlta-step", "--folder", str(tmp_path), "--quick"]
        monkeypatch.setattr(sys, "argv", ["benchmarks", *options, *more])
        program.main()
        return capsys.readouterr()

    out, err = command()
    assert "| independent words | -1" in out
    assert "| HLTA-step | - |" in out
    assert "- HLTA-step on demo: ValueError: as in the paper, only for 10,001 documents" in out
    assert "demo, independent, 0: done\n" in err
    monkeypatch.setattr(program, "compute", None)
    assert "| independent words | -1" in command("--methods", "independent")[0]
    monkeypatch.setattr(sys, "argv", ["benchmarks", "nowhere.txt"])
    with pytest.raises(SystemExit):
        program.main()
    assert "neither such a corpus nor such a file" in capsys.readouterr().err


def sleep(cell: tuple[str, str, int, float]) -> float:
    time.sleep(cell[3])
    return cell[3]


def test_what_took_too_long_is_tried_again_with_more_time(tmp_path: Path) -> None:
    cells = [("corpus", "method", seed, 5.0) for seed in range(2)]
    (first,) = outcomes(cells, sleep, tmp_path, 0.1)
    assert (first.found, first.reason) == (None, "no result after 0 s")
    assert outcomes(cells, fail, tmp_path, 0.1) == [first]
    (again,) = outcomes(cells, fail, tmp_path, 30.0)
    assert again.reason.startswith("ZeroDivisionError")


def fail(cell: tuple[str, str, int, float]) -> float:
    return cell[3] / 0


def test_documents_that_have_changed_are_others(own: Path, tmp_path: Path) -> None:
    before = file_of((str(own), "method", 0), tmp_path)
    assert before == file_of((str(own), "method", 0), tmp_path)
    own.write_text("text,kind\n")
    assert before != file_of((str(own), "method", 0), tmp_path)
