"""The locations of a subject's functions in its sources, found without importing it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fuzz.triage.commands import find_folder, show_path
from fuzz.triage.untrusted_input import LOCATION

DEFINITION = re.compile(r"^(?:([ \t]*)(?:async )?def (\w+)\(|(\w+)(?:: [^=\n]+)? = )", re.MULTILINE)
METHODS = "ndarray"  # the namespace whose functions are methods
SPACES = frozenset({"char", "fft", "lib", "linalg", "ma", "numpy", "polynomial", "random", "strings", "testing"})


@dataclass(frozen=True)
class Definition:
    """A function, a method or an assignment of a name in a package."""

    path: Path
    line: int
    is_method: bool
    is_assigned: bool
    folders: frozenset[str]

    def rank(self, spaces: frozenset[str]) -> tuple[int, bool, bool]:
        """Return how unlikely it is that the function of these namespaces is meant, as a sort key: it is in another one
        of NumPy's, in a file or folder with a leading underscore, or assigned.
        """
        is_private = any(name.startswith("_") and not name.startswith("__") for name in self.folders)
        return len((self.folders & SPACES) ^ (spaces & SPACES)), is_private, self.is_assigned


def locate_function(subject: str, name: str) -> tuple[Path, int] | None:
    """Return the file, below the current directory, and the line of the subject's function of a name; None if no
    source file of the subject defines one. Nothing is imported.

    It is a function of a module, or a name that a module assigns; of a method of arrays it is a method.
    """
    *spaces, last = name.split(".")
    module, *inner = subject.split(".")
    definitions = _list_definitions(module).get(last, ())
    fitting = [one for one in definitions if one.is_method == (METHODS in spaces)]
    best = min(fitting, key=lambda one: one.rank(frozenset({*spaces, *inner})), default=None)
    return (best.path, best.line) if best is not None else None


def describe_location(subject: str, name: str, directory: Path) -> str:
    """Return the file of the subject's function, relative to a directory, and the line: `../../mylib/arrays.py:7`.
    Empty if it is not below the current directory.
    """
    found = locate_function(subject, name)
    if found is None:
        return ""
    path = Path(os.path.relpath(found[0].resolve(), directory.resolve()))
    location = f"{path.as_posix()}:{found[1]}"
    return location if LOCATION.fullmatch(location) else ""  # what a file of a run may have


@lru_cache(maxsize=16)
def _list_definitions(module: str) -> dict[str, list[Definition]]:
    """Return the definitions in a package below the current directory by name: its files are read once."""
    package = find_folder(module)
    source = package / module if package is not None else None
    if source is None or not source.is_relative_to(Path.cwd()):
        return {}
    files = sorted(source.rglob("*.py")) if source.is_dir() else [source.with_suffix(".py")]
    found: dict[str, list[Definition]] = {}
    for path in filter(Path.is_file, files):
        text, shown = path.read_text(encoding="utf-8", errors="replace"), show_path(path)
        folders = frozenset(path.relative_to(source.parent).with_suffix("").parts)
        line, begin = 1, 0
        for match in DEFINITION.finditer(text):
            indent, function, assigned = match.groups()
            line += text.count("\n", begin, match.start())
            begin = match.start()
            definition = Definition(shown, line, bool(indent), bool(assigned), folders)
            found.setdefault(function or assigned, []).append(definition)
    return found
