"""The locations of a subject's functions in its sources, found without importing it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from fuzz.triage.commands import find_folder, show_path

DEFINITION = re.compile(r"^[ \t]*(?:async )?def (\w+)\(", re.MULTILINE)


def locate_function(subject: str, name: str) -> tuple[Path, int] | None:
    """Return the file, below the current directory, and the line of the subject's function of a name; None if no
    source file of the subject defines one. Nothing is imported.
    """
    return _list_definitions(subject.partition(".")[0]).get(name.rpartition(".")[2])


@lru_cache(maxsize=16)
def _list_definitions(module: str) -> dict[str, tuple[Path, int]]:
    """Return the first definition of each function of a package: its files are read once for all findings."""
    package = find_folder(module)
    source = package / module if package is not None else None
    if source is None:
        return {}
    files = sorted(source.rglob("*.py")) if source.is_dir() else [source.with_suffix(".py")]
    found: dict[str, tuple[Path, int]] = {}
    for path in filter(Path.is_file, files):
        text, shown = path.read_text(encoding="utf-8", errors="replace"), show_path(path)
        for definition in DEFINITION.finditer(text):
            if definition[1] not in found:
                found[definition[1]] = shown, text.count("\n", 0, definition.start()) + 1
    return found
