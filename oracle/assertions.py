"""Public assertions: a NumPy call as a case, and `assert_agrees` for any test suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.vocabulary import check_name
from oracle.configuration import read_table
from oracle.inventory import NAMES
from oracle.modes import Mode
from oracle.subject import Subject
from oracle.verdict import check

_BY_FUNCTION: dict[int, str] = {}


def call(function: str | Callable[..., Any], *args: Any, **kwargs: Any) -> Case:
    """Return the case of a call: `call(np.roll, x, 1)`, or `call("roll", x, 1)`.

    `function` is one of NumPy's functions, a method of a ufunc (`np.add.reduce`), an unbound method of an array
    (`np.ndarray.sort`), or its dotted name. Raises ValueError for a name that NumPy lacks or the oracle does not judge,
    and TypeError for an object that is not a function.
    """
    __tracebackhide__ = True
    name = function if isinstance(function, str) else _name_of(function)
    check_name(name)
    return Case(name, args, kwargs)


def assert_agrees(
    function: str | Callable[..., Any],
    *args: Any,
    subject: Subject | ModuleType | str | None = None,
    modes: Iterable[Mode | str] | None = None,
    **kwargs: Any,
) -> None:
    """Assert that a subject answers a call as NumPy does, in every mode: `assert_agrees(np.roll, x, 1, subject=mine)`.

    `function` is NumPy's, as of `call`; `subject` is the module whose function of that name is tested, or its name.
    Without it, subject and modes are those of [tool.fuzz] in the pyproject.toml of the current directory. Raises
    TypeError if there is none. The default mode is eager. Raises the first `oracle.DifferenceError`, from the caller's
    line in pytest's traceback, and `oracle.NotJudged` where a mode cannot make the call, or its answer cannot be
    judged; both are AssertionErrors. A mode that the subject does not have is a ValueError. The call runs in this
    process, so that a crash ends it.
    """
    __tracebackhide__ = True
    table = read_table() if subject is None else {}
    chosen = table.get("subject") if subject is None else subject
    if chosen is None:
        raise TypeError("a subject is needed: pass subject=, or name it in [tool.fuzz] of pyproject.toml here")
    ways = modes or table.get("modes") or ("eager",)
    check(call(function, *args, **kwargs), ways, chosen)


def _name_of(function: Callable[..., Any]) -> str:
    """Return the dotted name under which NumPy has a function."""
    __tracebackhide__ = True
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"{owner.__name__}.{function.__name__}"
    if getattr(function, "__objclass__", None) is np.ndarray:
        return f"ndarray.{function.__name__}"
    if not callable(function):
        raise TypeError(f"a function of NumPy's or its name is needed, not {type(function).__name__}")
    if not _BY_FUNCTION:
        for known in sorted(NAMES, key=lambda name: name.count(".")):
            _BY_FUNCTION.setdefault(id(_look_up(known)), known)
    name = _BY_FUNCTION.get(id(function))
    if name is None or _look_up(name) is not function:
        shown = getattr(function, "__qualname__", repr(function))
        raise ValueError(f"{shown} is no function of NumPy's that the oracle judges{_suggest(function)}")
    return name


def _suggest(function: Callable[..., Any]) -> str:
    """Return what to pass in place of another module's function that has the name of one of NumPy's."""
    defined_as = getattr(function, "__name__", "")
    home = str(getattr(function, "__module__", "")).rpartition(".")[2]
    alike = [name for name in NAMES if name.rpartition(".")[2] == defined_as]
    likely = [name for name in (f"{home}.{defined_as}", defined_as) if name in alike] or alike[: len(alike) == 1]
    return f"; pass np.{likely[0]}, and the module that is tested as subject=" if likely else ""


def _look_up(name: str) -> Any:
    value: Any = np
    for part in name.split("."):
        value = getattr(value, part)
    return value
