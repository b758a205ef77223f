"""The program that answers calls in another environment: `python -m fuzz.releases.answering MODULE`.

It reads a case in each line, and writes a line of JSON: the outcome, the warnings and the seconds. It needs NumPy,
ml_dtypes, the library and this project's packages on the path, and runs under every NumPy that the harness supports.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import warnings
from importlib import metadata
from types import ModuleType
from typing import IO, Any

import fuzz.adapters  # noqa: F401 - registers the adapters under the names of their libraries
from oracle import Case, Mode, Outcome, Subject, load_subject
from oracle.harness import NAMES, encode_outcome

EAGER = Mode("eager")
MOST_BYTES = 6 << 30
HOMES = ("linalg", "fft", "random", "strings", "polynomial", "exceptions")
UNSUPPORTED = Outcome(kind="unsupported")


def describe(subject: Subject) -> dict[str, Any]:
    """Return the names of NumPy's that the subject defines, its public names, and the versions of what is installed."""
    versions = {one.metadata["Name"]: one.version for one in metadata.distributions()}
    names = [name for name in NAMES if subject.has(name) and not subject.reexports(name)]
    return {"names": names, "public": list_public(subject.module), "versions": versions}


def list_public(module: Any) -> list[str]:
    """Return the public names of a module, and of its parts that are named as NumPy's; modules are left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that are deprecated
        own = [name for name in dir(module) if not name.startswith("_")]
        homes = [("", module), *((f"{home}.", getattr(module, home)) for home in HOMES if home in own)]
        return sorted(
            f"{prefix}{name}"
            for prefix, home in homes
            for name in (getattr(home, "__all__", None) or dir(home))
            if not name.startswith("_") and not isinstance(getattr(home, name, None), ModuleType)
        )


def answer(text: str, subject: Subject) -> dict[str, Any]:
    """Return the outcome of a case in this environment, the warnings and the seconds that it took: of the clock, or of
    processors if these are fewer, because others used them meanwhile.
    """
    begun, begun_cpu = time.perf_counter(), time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = EAGER.run(Case.from_json(text), subject)
        except ValueError:  # a name, or a dtype, that this NumPy does not have
            outcome = UNSUPPORTED
    seconds = min(time.perf_counter() - begun, time.process_time() - begun_cpu)
    told = sorted({(one.category.__name__, str(one.message)[:300]) for one in caught})
    try:
        return {"outcome": encode_outcome(outcome), "warnings": told, "seconds": seconds}
    except TypeError:
        return {"outcome": encode_outcome(UNSUPPORTED), "warnings": told, "seconds": seconds}


def serve(subject: Subject, source: IO[str], target: IO[str]) -> None:
    """Answer each line of a file."""
    for line in source:
        target.write(json.dumps(answer(line, subject)) + "\n")
        target.flush()


def main() -> None:
    """Answer on what was standard output; what the library prints goes to standard error."""
    with os.fdopen(os.dup(1), "w") as target:
        os.dup2(2, 1)
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
        subject = load_subject(sys.argv[1])
        target.write(json.dumps(describe(subject)) + "\n")
        target.flush()
        serve(subject, sys.stdin, target)


if __name__ == "__main__":
    main()
