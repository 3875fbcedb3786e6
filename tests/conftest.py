"""A browser for the tests of the page, and the demo to look at; no test depends on time."""

import csv
import lzma
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import hlta
from hlta import HLTA, Corpus, read_corpus
from hlta.learning import checkpoint_folder, structure
from tests.command import ran
from tests.pages import Pages, page_in
from tests.scanning import TEXTS, THEMES
from tests.synthetic import planted

settings.register_profile("hlta", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("hlta")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of some shells
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what tests start can be interrupted

# On toy data, 200 votes show no more than 12, and would take most of the time of all tests.
structure._MOST_VOTES = structure._FEWEST_VOTES

DEMO = Path(hlta.__file__).parent / "data" / "arxiv.tsv.xz"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that open a browser are slow ones; one that fails is tried again, and that is told."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def papers() -> list[dict[str, str]]:
    """The rows of the demo."""
    with lzma.open(DEMO, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(scope="session")
def demo_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `hlta demo` writes and prints, and its corpus.

    One of the processes that run tests runs it; the others wait for its files.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "demo"
    try:
        folder.mkdir()
    except FileExistsError:
        for _ in range(6000):
            if (folder / "corpus").exists():
                break
            time.sleep(0.1)
        return folder
    done = ran("demo", "-o", folder / "results")
    (folder / "stdout.txt").write_text(done.stdout, encoding="utf-8")
    (folder / "stderr.txt").write_text(done.stderr, encoding="utf-8")
    text: dict[str, Any] = {"ngrams": 2, "stop_words": "english"}
    corpus = read_corpus(DEMO, text="abstract", group="category", mail="keep", **text)
    corpus.save(folder / "corpus")
    return folder


@pytest.fixture(scope="session")
def demo(demo_files: Path) -> tuple[HLTA, Corpus]:
    return HLTA.load(demo_files / "results"), Corpus.load(demo_files / "corpus")


@pytest.fixture(scope="session")
def small() -> tuple[HLTA, Corpus]:
    """A model of planted documents with titles, dates, groups and texts."""
    X = planted(60, 3).sample(900, seed=1)
    corpus = Corpus(
        X,
        [f"word{k}" for k in range(60)],
        titles=[f"Title {k}" for k in range(900)],
        dates=[f"{2001 + k % 5}-0{1 + k % 7}-03" for k in range(900)],
        groups=["" if k % 11 == 0 else "ab"[k % 2] for k in range(900)],
        texts=[f"text {k}" for k in range(900)],
    )
    return HLTA(max_top_topics=3).fit(corpus), corpus


@pytest.fixture(scope="session")
def small_file(small: tuple[HLTA, Corpus], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its page."""
    return page_in(tmp_path_factory.mktemp("small"), small, "Planted")


@pytest.fixture(scope="session")
def of_themes() -> HLTA:
    """A model of three topics without a common word, which tests leave as it is."""
    return HLTA(samples=1).fit(THEMES)


@pytest.fixture(scope="session")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model to edit."""
    from tests.editable import learn

    return learn(tmp_path_factory.mktemp("learned") / "model.hlta")


@pytest.fixture
def model(learned: Path) -> HLTA:
    return HLTA.load(learned)


@pytest.fixture
def each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints are written after every step."""
    monkeypatch.setattr(checkpoint_folder, "PACE", 0.0)
    monkeypatch.setattr(checkpoint_folder, "RARITY", 0.0)


@pytest.fixture(scope="session")
def page_file(demo: tuple[HLTA, Corpus], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_in(tmp_path_factory.mktemp("page"), demo)


@pytest.fixture(scope="session")
def texts_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty short texts with ids, as CSV."""
    path = tmp_path_factory.mktemp("source") / "texts.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "text"])
        table.writerows([f"doc{i}", text] for i, text in enumerate(TEXTS))
    return path


@pytest.fixture(scope="session")
def fitted(texts_file: Path) -> Path:
    """The folder that `hlta fit` wrote for these texts; tests leave it as it is."""
    folder = texts_file.parent / "fitted"
    ran("fit", texts_file, "-o", folder, "--em-steps", 5, "--ngrams", 2)
    return folder


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    """Two processes of Dask."""
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster:
        yield cluster


@pytest.fixture
def client(workers: Any) -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.Client(workers, set_as_default=False) as client:
        client.wait_for_workers(2)  # one that was killed is on its way
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; without it the tests are skipped, unless nothing may be."""
    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None and "HLTA_ALL_TESTS" not in os.environ:
        pytest.skip("needs Chromium: scripts/browser")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pages(browser: Any) -> Pages:
    return Pages(browser)


@pytest.fixture
def visit(pages: Pages) -> Iterator[Callable[..., Any]]:
    """Opens a page, and in the end sees that nothing went wrong and a file asked for nothing."""
    noted: list[str] = []
    with ExitStack() as listening, ExitStack() as taken:  # listens until the pages are emptied

        def open_(place: Path | str, address: str = "", **options: Any) -> Any:
            page = taken.enter_context(pages.take(**options))

            def note(event: str, text_of: Callable[[Any], str], *expected: str) -> None:
                def noting(one: Any) -> None:
                    if not text_of(one).startswith(expected):
                        noted.append(f"{event}: {text_of(one)}")

                page.on(event, noting)
                listening.callback(page.remove_listener, event, noting)

            note("pageerror", lambda error: f"{error} {error.stack}")
            if isinstance(place, Path):  # what a server does not answer is told, too
                place = place.as_uri()
                note("console", lambda message: str(message.text))
                note("request", lambda request: str(request.url), place, "blob:")
            page.goto(place + address)
            page.wait_for_selector("html[data-ready]")
            return page

        yield open_
    assert noted == []


@pytest.fixture
def page(visit: Callable[..., Any], page_file: Path) -> Any:
    """The page of the demo, as it opens."""
    return visit(page_file)
