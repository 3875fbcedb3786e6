"""A plugin of pytest for `scripts/bounds`: it fails if there is a kernel that no test reached.

A kernel is reached if Python called it, or if one that was reached uses it.
"""

import importlib
import pkgutil
from typing import Any

import pytest
from numba.core import config as _config
from numba.core import dispatcher as _dispatcher

import hlta._kernels

config: Any = _config  # untyped, as are Numba's compiled functions
Dispatcher: Any = _dispatcher.Dispatcher
called: set[Any] = set()
_call = Dispatcher.__call__


def _noted(kernel: Any, *arguments: Any, **named: Any) -> Any:
    called.add(kernel)
    return _call(kernel, *arguments, **named)


def pytest_configure() -> None:
    Dispatcher.__call__ = _noted


def every_kernel() -> dict[Any, str]:
    """The compiled functions of all modules of kernels, and their names."""
    kernels: dict[Any, str] = {}
    for module in pkgutil.iter_modules(hlta._kernels.__path__):
        members = vars(importlib.import_module(f"hlta._kernels.{module.name}"))
        kernels |= {
            value: f"{module.name}.{name}"
            for name, value in members.items()
            if isinstance(value, Dispatcher) and value.py_func.__module__.endswith(module.name)
        }
    return kernels


def reached() -> set[Any]:
    """The kernels that were called, and those that they use."""
    found: set[Any] = set()
    waiting = list(called)
    while waiting:
        kernel = waiting.pop()
        if kernel not in found:
            found.add(kernel)
            function = kernel.py_func
            used = (function.__globals__.get(name) for name in function.__code__.co_names)
            waiting += [value for value in used if isinstance(value, Dispatcher)]
    return found


def pytest_terminal_summary(terminalreporter: Any) -> None:
    kernels, found = every_kernel(), reached()
    missed = sorted(name for kernel, name in kernels.items() if kernel not in found)
    terminalreporter.write_line(
        f"kernels reached: {len(kernels) - len(missed)} of {len(kernels)}, of which Python called "
        f"{len(called & kernels.keys())}; bounds are {'' if config.BOUNDSCHECK else 'not '}checked"
    )
    for name in missed:
        terminalreporter.write_line(f"not reached: {name}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.exitstatus == 0 and not every_kernel().keys() <= reached():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
