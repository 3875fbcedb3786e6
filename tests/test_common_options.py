"""Options that commands share: what they default to, and which commands take them."""

from __future__ import annotations

import pytest
from typer.main import get_command

from hlta import HLTA
from hlta.cli import app
from hlta.cli.common_options import Model
from hlta.estimator.files import OF_THE_RUN

FILES = {"--text", "--title", "--encoding", "--keep-mail", "--skip-broken", "--vocabulary"}
ROWS = {"--date", "--group"}
WORDS = {"--words", "--ngrams", "--stop-words", "--min-df", "--lemmas", "--include", "--exclude"}
RUN = {"--seed", "--resume", "--jobs", "--quiet"}
EVERY = {*FILES, "--id", *ROWS, *WORDS, "--em-steps", "--heading", *RUN}
TAKEN = {
    "demo": RUN,
    "fit": EVERY,
    "topics": {"--words"},
    "titles": set(),
    "update": {*FILES, "--id", "--jobs", "--quiet"},
    "edit": {*FILES, "--id", *ROWS, "--heading", "--jobs", "--quiet"},
    "assign": {*FILES, "--id", "--jobs", "--quiet"},
    "score": {*FILES, "--jobs", "--quiet"},
    "evaluate": {*FILES, "--words", "--jobs", "--quiet"},
    "compare": {*FILES, "--jobs", "--quiet"},
    "trends": {*FILES, "--id", *ROWS, "--jobs", "--quiet"},
    "report": {*FILES, "--id", *ROWS, "--heading", "--jobs", "--quiet"},
    "mcp": {*FILES, "--id", *ROWS, "--jobs", "--quiet"},
    "serve": {*FILES, "--id", *ROWS, "--heading", "--jobs", "--quiet"},
    "convert": {*FILES, "--id", *ROWS, *WORDS, "--jobs", "--quiet"},
}


@pytest.mark.parametrize("verb", TAKEN)
def test_a_verb_takes_the_options_that_have_an_effect_on_it(verb: str) -> None:
    command = get_command(app).commands[verb]  # type: ignore[attr-defined]
    flags = {flag for parameter in command.params for flag in parameter.opts}
    assert flags & EVERY == TAKEN[verb]


def test_every_verb_is_listed() -> None:
    assert set(get_command(app).commands) == set(TAKEN)  # type: ignore[attr-defined]


def test_models_default_to_the_parameters_of_the_estimator() -> None:
    parameters = HLTA().get_params()
    options = vars(Model())
    assert options == {name: parameters[name] for name in options}
    assert set(parameters) - set(options) == {"random_state", "n_jobs", "text", *OF_THE_RUN}
