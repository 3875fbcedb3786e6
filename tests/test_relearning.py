"""`partial_fit(relearn=True)`: the structure from kept documents; ids, titles, edits; the sample."""

import shlex
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from hlta import HLTA, Corpus, FormatError, OptionError
from hlta.documents.kept_sample import KeptSample
from tests.command import mistake, ran, run
from tests.model_files import array_of, change_file
from tests.synthetic import planted
from tests.there import there

SOURCE = planted(60)
FIRST, SECOND, THIRD = (SOURCE.sample(600, seed=seed).toarray() for seed in range(3))
ALL = np.concatenate((FIRST, SECOND))
OPTIONS: dict[str, Any] = {"samples": 1, "lowest_level": 1, "max_top_topics": 4}
TEXTS = ["deep neural networks", "dark matter in galaxies", "apples and pears"]


@pytest.fixture(scope="module")
def learned() -> HLTA:
    return HLTA(**OPTIONS, keep_documents=10_000).fit(FIRST)


@pytest.fixture
def model(learned: HLTA) -> HLTA:
    return copy(learned)


@pytest.mark.parametrize("samples", [1, 4])
def test_with_room_for_all_it_is_the_fit_to_all(samples: int) -> None:
    options = OPTIONS | {"samples": samples}
    at_once = HLTA(**options).fit(ALL)
    model = HLTA(**options, keep_documents=2000).fit(FIRST).partial_fit(SECOND, relearn=True)
    assert np.array_equal(model.tree_.parent, at_once.tree_.parent)
    assert np.array_equal(model.tree_.parameters.word, at_once.tree_.parameters.word)
    assert np.array_equal(model.tree_.parameters.latent, at_once.tree_.parameters.latent)
    assert [t.documents for t in model.topics_] == [t.documents for t in at_once.topics_]
    assert model.log_likelihoods_.tolist() == at_once.log_likelihoods_.tolist()
    np.testing.assert_array_equal(model.stability_, at_once.stability_)


def test_a_small_sample_serves_as_well_and_does_not_grow() -> None:
    model = HLTA(**OPTIONS, keep_documents=400).fit(FIRST)
    model.partial_fit(SECOND, relearn=True)
    assert len(there(model._fitted.kept).corpus) == 400
    shares = model.transform(ALL)
    on = (shares >= 0.2).sum(axis=0).tolist()
    for topic, number, size in zip(model.topics_, on, shares.mean(axis=0), strict=True):
        assert topic.documents == pytest.approx(number, abs=4 * np.sqrt(number * 3) + 3)
        assert topic.size == pytest.approx(size, abs=0.02)
    assert model._fitted.statistics is not None
    assert model._fitted.statistics.weight == 1200
    assert model._fitted.statistics.effective == pytest.approx(400)


def test_topics_that_come_back_keep_their_ids(model: HLTA) -> None:
    before = {topic.id: set(topic.words) for topic in model.topics_}
    model.partial_fit(SECOND, relearn=True)
    after = {topic.id: set(topic.words) for topic in model.topics_}
    same = [name for name in before if name in after]
    assert len(same) >= 0.8 * len(before)
    alike = [len(before[k] & after[k]) >= 0.5 * len(before[k] | after[k]) for k in same]
    assert np.mean(alike) >= 0.9
    assert len(set(model.tree_.names)) == len(model.tree_.names)


def test_a_topic_that_is_new_gets_an_id_that_none_had(model: HLTA) -> None:
    used = set(model.tree_.latent_names)
    theme = np.zeros((900, 4), dtype=np.int8)
    theme[:300] = np.random.default_rng(3).random((300, 4)) < 0.7
    rows = np.hstack((np.concatenate((SECOND, SECOND[:300])), theme))
    words = [*model.tree_.words, "covid", "vaccine", "virus", "pandemic"]
    model.partial_fit(Corpus(rows, words), grow=words[-4:], relearn=True)
    assert set(model.tree_.words) == set(words)
    of_theme = [t for t in model.topics_ if set(t.words) >= set(words[-4:])]
    assert of_theme
    lowest = of_theme[-1]
    assert set(lowest.words) == set(words[-4:])
    assert lowest.id not in used


def test_edits_are_made_again_and_can_be_undone(model: HLTA) -> None:
    first, second, *_ = model.topics_.roots
    word, learned_words = first.words[0], model.tree_.words
    model.edit.rename(first, "My own title")
    model.edit.pin(second)
    model.edit.remove(word)
    others = [other != word for other in learned_words]
    model.partial_fit(THIRD[:, others])
    assert word not in model.tree_.words
    model.partial_fit(SECOND[:, others], relearn=True)
    assert [t.title for t in model.topics_].count("My own title") == 1
    assert sum(t.pinned for t in model.topics_) == 1
    assert word not in model.tree_.words
    model.edit.undo(3)
    assert word in model.tree_.words
    assert "My own title" not in {t.title for t in model.topics_}


def test_edits_that_do_not_apply_are_told(model: HLTA) -> None:
    model.edit.rename(model.topics_.roots[0], "Mine")
    log = model._fitted.log
    record = log.records[0]
    strange = record._replace(words={name: ["no", "such", "words"] for name in record.words})
    model._fitted = replace(model._fitted, log=log.with_records([strange]))
    with pytest.warns(UserWarning, match="1 edit could not be repeated .*: edit 1, rename"):
        model.partial_fit(SECOND, relearn=True)
    assert len(model.edit) == 0


def test_a_file_keeps_what_relearning_needs(model: HLTA, tmp_path: Path) -> None:
    model.partial_fit(SECOND)
    model.save(tmp_path / "one.hlta")
    again = HLTA.load(tmp_path / "one.hlta")
    for each in (model, again):
        each.partial_fit(THIRD, relearn=True)
        each.save(tmp_path / f"{id(each)}.hlta")
    one, other = (tmp_path / f"{id(each)}.hlta" for each in (model, again))
    assert one.read_bytes() == other.read_bytes()


def test_titles_and_the_way_texts_are_read_stay() -> None:
    model = HLTA(samples=1, keep_documents=100).fit(TEXTS * 20)
    titles, options = {t.id: t.title for t in model.topics_}, model.text_options_
    model.partial_fit([*TEXTS[:1] * 60, "neural networks", "apples"], relearn=True)
    assert model.text_options_ == options
    assert {t.id: t.title for t in model.topics_}.items() >= {
        (name, title) for name, title in titles.items() if name in model.tree_.latent_names
    }
    dark = ["dark" in topic.words for topic in model.topics_]
    assert model.transform(["dark galaxies"]).argmax() == dark.index(True)


def test_seeds_guide_it_again() -> None:
    words = HLTA(**OPTIONS).fit(FIRST).tree_.words
    options = OPTIONS | {"samples": 3, "seeds": {"Mine": list(words[:3])}}
    model = HLTA(**options, keep_documents=500).fit(FIRST).partial_fit(SECOND, relearn=True)
    (report,) = model.seeds_
    assert report.topic is not None
    assert model.topics_[report.topic].title == "Mine"
    assert set(model.topics_[report.topic].words) >= set(words[:3])


def test_words_that_are_named_later_are_named_in_the_sample(model: HLTA) -> None:
    names = [f"name{k}" for k in range(60)]
    model.set_words(names).partial_fit(Corpus(SECOND, names), relearn=True)
    assert set(model.tree_.words) == set(names)


def test_a_half_life_leaves_few_of_the_earlier_documents() -> None:
    model = HLTA(**OPTIONS, keep_documents=500).fit(FIRST)
    model.partial_fit(SECOND, relearn=True, half_life=100)
    kept = {row.tobytes() for row in there(model._fitted.kept).corpus.documents.to_csr().toarray()}
    early = {row.tobytes() for row in FIRST.astype(np.int8)}
    assert len(kept & early) < 50


# ---- what is refused -----------------------------------------------------------------------------


def test_a_model_that_keeps_no_documents_is_refused(model: HLTA) -> None:
    for other in (HLTA(**OPTIONS).fit(FIRST), model.set_params(keep_documents=0)):
        before = other.tree_
        with pytest.raises(OptionError, match="fit it with keep_documents"):
            other.partial_fit(SECOND, relearn=True)
        assert other.tree_ is before
    one = HLTA(**OPTIONS | {"keep_documents": 1}).fit(FIRST)
    with pytest.raises(OptionError, match="relearn needs stored documents"):
        one.partial_fit(SECOND, relearn=True)
    with pytest.raises(OptionError, match="relearn='no': use True or False"):
        one.partial_fit(SECOND, relearn="no")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="keep_documents=-1"):
        HLTA(keep_documents=-1).fit(FIRST)


def test_nothing_changes_if_it_fails(model: HLTA, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    before = dict(vars(model))
    monkeypatch.setattr("hlta.model.relearning.carry_over", fail)
    with pytest.raises(MemoryError):
        model.partial_fit(SECOND, relearn=True)
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value for name, value in before.items())


def test_a_damaged_sample_is_refused(model: HLTA, tmp_path: Path) -> None:
    path = tmp_path / "model.hlta"
    model.save(path)
    wrong = {"kept_lots": -array_of(path, "kept_lots"), "kept_indices": array_of(path, "level")}
    for name, array in wrong.items():
        model.save(path)
        change_file(path, arrays={name: array})
        with pytest.raises(FormatError, match=r"model\.hlta is damaged"):
            HLTA.load(path)
    model.save(path)
    change_file(path, {"kept": None})
    assert HLTA.load(path)._fitted.kept is None


# ---- the command ---------------------------------------------------------------------------------


def test_the_command_learns_again_and_tells_how_to_write_the_rest(tmp_path: Path) -> None:
    (tmp_path / "old texts.csv").write_text("\n".join(["body", *TEXTS * 20]))
    (tmp_path / "new.csv").write_text("\n".join(["body", "neural networks", *TEXTS]))
    fit = ("fit", tmp_path / "old texts.csv", "-o", tmp_path / "run", "--samples", 1, "-q")
    ran(*fit, "--keep-documents", 50, "--text", "body")
    done = ran("update", tmp_path / "run", tmp_path / "new.csv", "--relearn")
    assert "The structure was learned again: 3 of 3 topics came back." in done.stdout
    told = [line.strip() for line in done.stderr.splitlines() if line.startswith("    hlta ")]
    assert [line.split()[1] for line in told] == ["assign", "assign", "report"]
    for line in told:
        ran(*shlex.split(line)[1:])
    for name in ("documents.csv", "shares.csv"):
        rows = (tmp_path / "run" / name).read_text().splitlines()
        assert len({row.split(",")[0] for row in rows[1:]}) == 64
        assert (len(rows) == 1 + 64) == (name == "documents.csv")
    run(*fit, "--overwrite")
    assert "--keep-documents" in mistake(
        "update", tmp_path / "run", tmp_path / "new.csv", "--relearn"
    )


# ---- the sample that is kept ---------------------------------------------------------------------


WORDS: Final = [f"w{k}" for k in range(40)]
RNG = np.random.default_rng(0)
ROWS = RNG.permutation(np.unique(RNG.random((2000, 40)) < 0.2, axis=0)).astype(np.int8)


def corpus(rows: Any) -> Corpus:
    return Corpus(rows, WORDS)


def rows_of(sample: KeptSample) -> set[bytes]:
    return {row.tobytes() for row in sample.corpus.documents.to_csr().toarray()}


def in_portions(rows: Any, portions: int, most: int, fading: float = 1.0) -> KeptSample:
    first, *others = np.array_split(rows, portions)
    sample = KeptSample.of(corpus(first), most=most, offered=len(first))
    for part in others:
        sample = sample.with_more(corpus(part), WORDS, most=most, fading=fading, offered=len(part))
    return sample


def test_portions_and_order_change_nothing() -> None:
    whole = in_portions(ROWS, 1, most=300)
    assert len(whole.corpus) == 300
    for rows, portions in ((ROWS, 7), (ROWS[::-1], 3)):
        sample = in_portions(rows, portions, most=300)
        assert rows_of(sample) == rows_of(whole)
        assert sample.lots.tolist() == whole.lots.tolist()
        assert (sample.bound, sample.offered) == (whole.bound, len(ROWS))


def test_all_are_kept_as_long_as_there_is_room() -> None:
    sample = in_portions(ROWS, 4, most=len(ROWS))
    assert rows_of(sample) == rows_of(in_portions(ROWS, 1, most=10_000))
    assert len(sample.corpus) == len(ROWS)
    assert sample.bound == np.inf


def test_early_and_late_documents_are_as_likely() -> None:
    kept = rows_of(in_portions(ROWS, 4, most=400))
    shares = [np.mean([row.tobytes() in kept for row in part]) for part in np.array_split(ROWS, 4)]
    np.testing.assert_allclose(shares, 0.2, atol=4 * np.sqrt(0.2 * 0.8 / 500))


def test_documents_that_fade_are_kept_by_their_weight() -> None:
    # The slow way: whoever of all documents has the smallest exponential lot, divided by its weight.
    sample = in_portions(ROWS, 4, most=400, fading=0.5)
    every = in_portions(ROWS, 1, most=10_000)
    rows = every.corpus.documents.to_csr().toarray()
    lots = {row.tobytes(): lot for row, lot in zip(rows, every.lots, strict=True)}
    rows = ((k, row.tobytes()) for k, part in enumerate(np.array_split(ROWS, 4)) for row in part)
    weighted = [(lots[row] / 0.5 ** (3 - k), row) for k, row in rows]
    assert rows_of(sample) == {row for _, row in sorted(weighted)[:400]}
    newest = rows_of(in_portions(ROWS, 2, most=400, fading=0.0))
    assert newest <= {row.tobytes() for row in ROWS[1000:]}


def test_more_room_later_favours_nobody() -> None:
    early = in_portions(ROWS[:1000], 1, most=100)
    sample = early.with_more(corpus(ROWS[1000:]), WORDS, most=800, fading=1.0, offered=1000)
    whole = in_portions(ROWS, 1, most=10_000)
    assert sample.lots.tolist() == whole.lots[whole.lots < early.bound].tolist()


def test_further_words_are_absent_from_earlier_documents() -> None:
    sample = in_portions(ROWS[:500], 1, most=1000)
    words = [*WORDS, "new"]
    more = Corpus(np.pad(ROWS[500:], ((0, 0), (0, 1)), constant_values=1), words)
    after = sample.with_more(more, words, most=2000, fading=1.0, offered=1500)
    dense = after.corpus.documents.to_csr().toarray()
    assert dense[:, -1].sum() == 1500
    assert {row[:-1].tobytes() for row in dense if not row[-1]} == rows_of(sample)


def test_a_file_holds_all_of_it() -> None:
    for most in (300, 10_000):
        sample = in_portions(ROWS, 2, most=most).renamed({"w0": "zero"})
        again = KeptSample.read(sample.plain(), sample.arrays)
        assert again.corpus.words[:2] == ("zero", "w1")
        assert again[1].tolist() == sample[1].tolist()
        assert (*again[2:], rows_of(again)) == (*sample[2:], rows_of(sample))


@pytest.mark.parametrize(
    "change",
    [
        {"words": WORDS[:-5]},
        {"words": WORDS[:-1] + WORDS[:1]},
        {"offered": 20},
        {"bound": 1e-9},
        {"kept_lots": np.ones(3)},
        {"kept_indptr": np.arange(301, dtype=np.int64)[::-1]},
    ],
)
def test_damage_is_refused(change: dict[str, Any]) -> None:
    sample = in_portions(ROWS, 1, most=300)
    with pytest.raises(ValueError, match=r"\w"):
        KeptSample.read(sample.plain() | change, sample.arrays | change)
