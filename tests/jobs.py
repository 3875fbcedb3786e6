"""Work on a number of threads, of which no result may depend."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from hlta._support.threads import on_threads

P = ParamSpec("P")
T = TypeVar("T")


def on_jobs(n_jobs: int | None, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What the function returns when it runs on so many threads."""
    with on_threads(n_jobs):
        return function(*args, **kwargs)
