"""The table [tool.fuzz] of pyproject.toml in the current directory: what a project always passes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

FILE = Path("pyproject.toml")
MOST_BYTES = 1 << 20
MOST_ENTRIES = 2000  # of a list: each is compared with every name, or every difference
_LONG_KEY = re.compile(r"""(?:\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*){64}""", re.ASCII)
"""A key of so many parts that reading it takes long: the time grows with the square of their number."""


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
        tool = _parse(text.decode()).get("tool", {})
    except (OSError, ValueError, RecursionError) as error:  # an integer of too many digits is a ValueError
        raise error if isinstance(error, UnfitConfiguration) else UnfitConfiguration(f"{path}: {error}") from None
    table = tool.get("fuzz", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise UnfitConfiguration(f"{path}: [tool.fuzz] is no table")
    for key, value in table.items():
        if isinstance(value, list) and len(value) > MOST_ENTRIES:
            raise UnfitConfiguration(f"{path}: {key} has more than {MOST_ENTRIES:,} entries")
    return table


def _parse(text: str) -> dict[str, Any]:
    if _LONG_KEY.search(text):
        raise ValueError("a key has more than 64 parts")
    return tomllib.loads(text)
