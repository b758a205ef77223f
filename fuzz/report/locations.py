"""The locations of a subject's functions in its sources, found without importing it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from fuzz.triage.commands import find_folder, show_path


@lru_cache(maxsize=1024)
def locate_function(subject: str, name: str) -> tuple[Path, int] | None:
    """Return the file, below the current directory, and the line of the subject's function of a name; None if no
    source file of the subject defines one. Nothing is imported.
    """
    package = find_folder(subject.partition(".")[0])
    source = package / subject.partition(".")[0] if package is not None else None
    if source is None:
        return None
    files = sorted(source.rglob("*.py")) if source.is_dir() else [source.with_suffix(".py")]
    definition = re.compile(rf"^[ \t]*(?:async )?def {re.escape(name.rpartition('.')[2])}\(", re.MULTILINE)
    for path in filter(Path.is_file, files):
        text = path.read_text(encoding="utf-8", errors="replace")
        if found := definition.search(text):
            return show_path(path), text.count("\n", 0, found.start()) + 1
    return None
