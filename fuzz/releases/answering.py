"""The tasks of a sandbox in another environment, in which calls are answered.

It needs NumPy, ml_dtypes, the library and this project's packages on the path, and runs under every NumPy that the
harness supports.
"""

from __future__ import annotations

import warnings
from importlib import metadata
from types import ModuleType
from typing import Any

import fuzz.adapters  # noqa: F401 - registers the adapters under the names of their libraries
from oracle import Case, Mode, Outcome, Subject, load_subject
from oracle.harness import NAMES, encode_outcome, run_case

EAGER = Mode("eager")
HOMES = ("linalg", "fft", "random", "strings", "polynomial", "exceptions")
UNSUPPORTED = Outcome(kind="unsupported")


def prepare(subject: str) -> Subject:
    """Return the library as a subject."""
    return load_subject(subject)


def describe(subject: Subject, _: str) -> dict[str, Any]:
    """Return the names of NumPy's that the subject defines, its public names, and the versions of what is installed."""
    versions = {one.metadata["Name"]: one.version for one in metadata.distributions()}
    names = tuple(name for name in NAMES if subject.has(name) and not subject.reexports(name))
    return {"names": names, "public": list_public(subject.module), "versions": versions}


def list_public(module: Any) -> tuple[str, ...]:
    """Return the public names of a module, and of its parts that are named as NumPy's; modules are left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that are deprecated
        homes = [("", module), *((f"{home}.", getattr(module, home, None)) for home in HOMES)]
        found = [
            f"{prefix}{name}"
            for prefix, home in homes
            for name in (getattr(home, "__all__", None) or dir(home))
            if not name.startswith("_") and not isinstance(getattr(home, name, None), ModuleType)
        ]
    return tuple(sorted(found))


def answer(subject: Subject, text: str) -> tuple[Any, tuple[tuple[str, str], ...]]:
    """Return the outcome of a case in this environment, encoded, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = run_case(EAGER, Case.from_json(text), subject)
        except ValueError:  # a name, or a dtype, that this NumPy does not have
            outcome = UNSUPPORTED
    told = tuple(sorted({(one.category.__name__, str(one.message)[:300]) for one in caught}))
    try:
        return encode_outcome(outcome), told
    except TypeError:
        return encode_outcome(UNSUPPORTED), told
