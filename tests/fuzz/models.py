"""Targets that take models: trees, files of them, edits, seeds, titles, lists of topics, checkpoints."""

import copy
import itertools
import json
import warnings
import zipfile
from dataclasses import fields
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hlta import HLTA, Corpus, LatentTree, Parameters, TextOptions, load
from hlta.cli.inputs import read_json
from hlta.cli.results import read_titles
from hlta.evaluate import read_word_lists
from hlta.options import EMOptions, StructureOptions
from hlta.reading.records import ReadOptions
from hlta.seeds.given import Given
from tests.fuzz.mutations import mutated, mutated_archive, mutated_array, npy, one_of
from tests.fuzz.targets import expect, target
from tests.trees import SMALL_BIF, small_tree, three_states
from tests.watching import watching
from tests.zipped import zipped

_MOST: Final = 8  # words of trees of which all documents are enumerated


def check(tree: LatentTree) -> None:
    """Say so if the probabilities of all documents do not sum to one."""
    if tree.n_words > _MOST:
        expect(np.isfinite(tree.marginals).all(), "a marginal is not finite")
        return
    every = np.array(list(itertools.product((0, 1), repeat=tree.n_words)), dtype=np.int8)
    total = float(np.exp(tree.log_likelihood(every)).sum())
    expect(abs(total - 1.0) < 1e-6, f"the probabilities of all documents sum to {total}")
    repr(tree)


@target(cost=2)
def latent_tree(rng: Random, folder: Path) -> None:
    """The constructor: what it accepts is a distribution."""
    tree = small_tree(probability=three_states()) if rng.random() < 0.5 else small_tree()
    given: dict[str, Any] = {
        "words": list(tree.words),
        "parent": tree.parent,
        "level": tree.level,
        "probability": tree.parameters,
        "latent_names": list(tree.latent_names),
        "allow_irregular": rng.random() < 0.5,
    }
    if rng.random() < 0.3:
        given["probability"] = np.array([[0.1, 0.6]] * 9 + [[0.3, 0.3]])
    for name in rng.sample(["words", "parent", "level", "probability", "latent_names"], 1):
        given[name] = _changed(rng, given[name])
    (folder / "arguments").write_text(ascii(given))
    check(LatentTree(**given))


def _changed(rng: Random, value: Any) -> Any:
    if isinstance(value, Parameters):
        name = rng.choice(Parameters._fields)
        return value._replace(**{name: mutated_array(rng, getattr(value, name))})
    if isinstance(value, list):
        odd = [None, 3, "", "a", "Z2-1", "\ud800", b"x", "a\0b", ["a"]]
        place = rng.randrange(len(value))
        return [*value[:place], rng.choice(odd), *value[place + rng.randrange(2) :]]
    return mutated_array(rng, value)


_BIF_TOKENS: Final = [
    *b'variable probability table ( ) { } | ; " /* */ // discrete[2] type property "Z" "a"'.split(),
    *(b"default", b"network", b"\\"),
    *(b'probability ( "Z" | "a" ) { table 0.5 0.5 0.5 0.5; }', b"level = 1", b"{ { {" * 400),
]


@target(cost=2)
def bif(rng: Random, folder: Path) -> None:
    """Models of the authors' program."""
    three = small_tree(probability=three_states())
    if not _files:
        three.to_bif(folder / "seed.bif")
        _files["bif"] = (folder / "seed.bif").read_bytes()
    seeds = [SMALL_BIF.encode(), _files["bif"]]
    (path := folder / "a.bif").write_bytes(one_of(rng, seeds, _BIF_TOKENS))
    check(LatentTree.from_bif(path))


_files: Final = dict[str, bytes]()


@cache
def _corpus() -> Corpus:
    """Documents about one theme of four each."""
    themes = [[f"{letter}{name}" for name in ("apple", "pear", "plum", "fig")] for letter in "abcd"]
    rng = Random(0)
    texts = [" ".join(rng.sample(themes[n % 4], 3) + rng.sample(themes[0], 1)) for n in range(80)]
    return Corpus.from_texts(texts, min_df=1, max_df=1.0, stop_words=None)


@cache
def _model() -> HLTA:
    return HLTA(samples=1, random_state=0, em_steps=5).fit(_corpus())


@cache
def _members() -> tuple[dict[str, bytes], ...]:
    """The members of a file with a tree, of one with a model, and of one with an edited model."""
    edited = copy.deepcopy(_model())
    edited.edit.rename(edited.topics_.roots[0].id, "A title")
    found = []
    with TemporaryDirectory() as folder:
        for saved in (small_tree(), small_tree(probability=three_states()), _model(), edited):
            saved.save(file := Path(folder, "saved.hlta"))
            with zipfile.ZipFile(file) as members:
                found.append({name: members.read(name) for name in members.namelist()})
    return tuple(found)


@target(cost=2)
def hlta_files(rng: Random, folder: Path) -> None:
    """Saved trees and models: bytes, members, values in the header, or numbers in arrays."""
    members = dict(rng.choice(_members()))
    way = rng.randrange(3)
    if way == 0:
        data = mutated_archive(rng, members, [b"null", b"[]", b"{}", b'"version": 1', b"[" * 999])
    else:
        name = "header.json" if way == 1 else rng.choice([n for n in members if n.endswith(".npy")])
        if way == 1:
            header = json.loads(members[name])
            change = _with_known_name if rng.random() < 0.4 else _other_value
            members[name] = json.dumps(change(rng, header)).encode()
        else:
            array: NDArray[Any] = np.load(BytesIO(members[name]))
            members[name] = npy(mutated_array(rng, array))
        data = zipped(members)
    (path := folder / "a.hlta").write_bytes(data)
    with watching(folder):
        _use(load(path))


def _use(loaded: object) -> None:
    """Ask what was loaded for all that a file could turn against its user."""
    if isinstance(loaded, HLTA):
        expect(loaded.client is loaded.checkpoint is None, "a file says where a model runs")
        check(loaded.tree_)
        loaded.topics_.to_json()
        documents = np.zeros((2, loaded.tree_.n_words))
        documents[1] = 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the matrix does not name its columns
            shares = loaded.transform(documents)
            loaded.score(documents)
        expect(not shares[0].any(), "a document without words has shares")
        expect(((shares >= 0.0) & (shares <= 1.0 + 1e-9)).all(), "a share is not from 0 to 1")
    elif isinstance(loaded, LatentTree):
        check(loaded)


_VALUES: Final[tuple[Any, ...]] = (
    *(None, [], {}, "", "a", 0, -1, 2, 1e999, 2**70, True, [None], [[]], {"a": []}, ["a", "a"]),
    *(float("nan"), "Z2-1", "x" * 3000, "\ud800"),
)


def _other_value(rng: Random, whole: Any) -> Any:
    """The same JSON with another value somewhere, or without it."""
    if rng.random() < 0.3 or not isinstance(whole, dict | list) or not whole:
        return rng.choice(_VALUES)
    key = rng.choice(list(whole) if isinstance(whole, dict) else range(len(whole)))
    changed = copy.copy(whole)
    if rng.random() < 0.1:
        del changed[key]
    else:
        changed[key] = _other_value(rng, whole[key])
    return changed


_NAMES: Final = sorted(
    {*HLTA().get_params(deep=False)}
    | {field.name for made in (TextOptions, StructureOptions, EMOptions) for field in fields(made)}
)
"""The names of parameters and options, which a file must not set where they do not belong."""
_PLACES: Final = ("tcp://127.0.0.1:9", "local", "/nowhere/state", "../state", "os.system")


def _with_known_name(rng: Random, whole: Any) -> Any:
    """The same JSON in which one of its objects has one more name that means something."""
    objects = [whole, *(inner for inner in whole.values() if isinstance(inner, dict))]
    rng.choice(objects)[rng.choice(_NAMES)] = rng.choice((*_PLACES, *_VALUES))
    return whole


@cache
def _log() -> dict[str, Any]:
    """A log with edits of each kind that need no documents."""
    model = copy.deepcopy(_model())
    first, second, *_ = model.topics_
    model.edit.rename(first.id, "A title")
    model.edit.hide(second.id)
    model.edit.show(second.id)
    model.edit.pin(first.id)
    model.edit.remove(model.tree_.words[0])
    model.edit.move(model.tree_.words[1], below=second.id)
    model.edit.merge(second.id, into=first.id)
    log: dict[str, Any] = json.loads(model.edit.to_json())
    return log


@target(cost=8)
def edits(rng: Random, folder: Path) -> None:
    """Logs of edits: what can be made leaves a model, and what cannot leaves it as it was."""
    way = rng.random()
    log = _log()
    if way < 0.6:
        change = _with_known_name if way < 0.1 else _other_value
        data = json.dumps(change(rng, copy.deepcopy(log))).encode()
    elif way < 0.8:
        chosen = [rng.choice(log["edits"]) for _ in range(rng.choice((1, 2, 9)))]
        data = json.dumps({**log, "edits": chosen}).encode()
    else:
        data = mutated(rng, json.dumps(log).encode(), [b"null", b"[", b"{", b'"edit"', b'"Z2-1"'])
    (path := folder / "log.json").write_bytes(data)
    model = copy.deepcopy(_model())
    model.edit.replay(path, match=rng.random() < 0.5)
    check(model.tree_)
    if len(model.edit):
        model.edit.undo(len(model.edit))
    expect(model.tree_ == _model().tree_, "edits that are taken back leave another tree")


_SEEDS: Final = (
    {"A": ["aapple", "apear"], "B": {"C": ["bapple", "bpear"], "D": ["dplum", "dfig"]}},
    [["cplum", "cfig"], ["dapple", "aplum"]],
)


@target()
def seeds(rng: Random, folder: Path) -> None:
    """Files of seeds, and of words that must be apart."""
    made = rng.choice(_SEEDS)
    if rng.random() < 0.6:
        data = json.dumps(_other_value(rng, made)).encode()
    else:
        data = mutated(rng, json.dumps(made).encode(), [b"[", b"{", b"null", b"[" * 3000, b'"a"'])
    (path := folder / "seeds.json").write_bytes(data)
    value = read_json(path)
    Given.read(*((value, None) if rng.random() < 0.5 else (None, value)))
    Given.read(value, None).within(_corpus())


@target(cost=2)
def titles(rng: Random, folder: Path) -> None:
    """Tables of titles, which are then given to a model."""
    topics = [topic.id for topic in _model().topics_]
    table = "id,title\n" + "".join(f'{name},"Title, {name}"\n' for name in topics)
    data = mutated(rng, table.encode(), [b'"', b",", b"id,title\n", b"title", b"'=1+1", b"\n"])
    (path := folder / "titles.csv").write_bytes(data)
    copy.deepcopy(_model()).set_titles(read_titles(path))


_LISTS: Final = (
    [["apple", "pear"], ["plum", "fig"]],
    {"topics": [{"words": ["a", "b"], "level": 2, "children": [{"keywords": [{"word": "a"}]}]}]},
)


@target()
def word_lists(rng: Random, folder: Path) -> None:
    """Lists of topics of any tool."""
    if rng.random() < 0.5:
        data = json.dumps(_other_value(rng, rng.choice(_LISTS))).encode()
    else:
        whole = json.dumps(rng.choice(_LISTS)).encode()
        data = mutated(rng, whole, [b"[", b"{", b"null", b"[" * 3000, b'"children": [', b'"a"'])
    (path := folder / "topics.json").write_bytes(data)
    for topic in read_word_lists(path):
        expect(topic.words and all(isinstance(w, str) for w in topic.words), "a word is no string")


@cache
def _checkpoint() -> dict[str, bytes]:
    """The members of the checkpoint of a small fit."""
    from hlta.learning import checkpoint_folder

    paces = checkpoint_folder.PACE, checkpoint_folder.RARITY
    with TemporaryDirectory() as folder:
        kept = Path(folder, "checkpoint")
        checkpoint_folder.PACE = checkpoint_folder.RARITY = 0.0  # type: ignore[misc]
        try:
            _fit(kept)
        finally:
            checkpoint_folder.PACE, checkpoint_folder.RARITY = paces  # type: ignore[misc]
        with zipfile.ZipFile(kept / "state.hlta") as members:
            return {name: members.read(name) for name in members.namelist()}


def _fit(checkpoint: Path) -> HLTA:
    return HLTA(samples=2, random_state=0, em_steps=2, checkpoint=checkpoint).fit(_corpus())


@target(cost=50)
def checkpoints(rng: Random, folder: Path) -> None:
    """A damaged checkpoint is refused, or the fit that goes on from it is a model."""
    members = dict(_checkpoint())
    if rng.random() < 0.5:
        header = json.loads(members["header.json"])
        part = rng.choice(("steps", "arrays", "fit", "version"))
        header[part] = _other_value(rng, header[part])
        members["header.json"] = json.dumps(header).encode()
        data = zipped(members)
    else:
        data = mutated_archive(rng, members)
    path = folder / "checkpoint"
    path.mkdir(exist_ok=True)
    (path / "state.hlta").write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check(_fit(path).tree_)


_OPTIONS: Final[tuple[Any, ...]] = (TextOptions, ReadOptions, StructureOptions, EMOptions)
_ODD: Final[tuple[Any, ...]] = (
    *_VALUES,
    *(0.5, 1, 3.0, -0.0, 10**400, "auto", "en", b"x", object(), np.int64(3), {1, 2}),
    *(np.nan, np.float32(0.5), ("a", "b"), "\t", "utf-8", "punycode", range(3)),
)


@target()
def options(rng: Random, folder: Path) -> None:
    """Options of every stage, with values of any type."""
    made = rng.choice(_OPTIONS)
    names = [field.name for field in fields(made)]
    given = {name: rng.choice(_ODD) for name in rng.sample(names, rng.choice((1, 1, 2)))}
    (folder / "given").write_text(f"{made.__name__} {sorted(given)}")
    made(**given)


@target(cost=8)
def corpora(rng: Random, folder: Path) -> None:
    """The constructor of `Corpus`, with words and metadata of any type."""
    given: dict[str, Any] = {
        "words": ["a", "b"],
        "ids": ["1", "2"],
        "titles": None,
        "dates": ["2020", "2021-01-31"],
        "groups": None,
        "texts": ["a", "b"],
    }
    name = rng.choice(list(given))
    value = given[name] or ["x", "y"]
    given[name] = rng.choice(_ODD) if rng.random() < 0.3 else _changed(rng, value)
    (folder / "given").write_text(name)
    corpus = Corpus([[1, 0], [0, 1]], **given)
    expect(all(len(values) == 2 for values in corpus.metadata.values()), "a document is lost")
    corpus.save(folder / "corpus", overwrite=True)
    expect(Corpus.load(folder / "corpus").words == corpus.words, "other words are loaded")
