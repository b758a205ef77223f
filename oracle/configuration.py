"""The table [tool.fuzz] of pyproject.toml in the current directory: what a project always passes."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FILE = Path("pyproject.toml")
MOST_BYTES = 1 << 20


class UnfitConfiguration(ValueError):
    """The file has no such table, or one with a key or a value that it cannot have."""


def read_table(path: Path = FILE) -> dict[str, Any]:
    """Return the table, empty if there is none. Raises UnfitConfiguration."""
    if not path.is_file():
        return {}
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise UnfitConfiguration(f"{path}: more than {MOST_BYTES >> 20} MiB")
        tool = tomllib.loads(text.decode()).get("tool", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnfitConfiguration(f"{path}: {error}") from None
    table = tool.get("fuzz", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise UnfitConfiguration(f"{path}: [tool.fuzz] is no table")
    return table
