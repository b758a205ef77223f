"""Faults planted by hand in `tfnp`: read, and plant in a copy of the sources."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("faults.toml")


@dataclass(frozen=True)
class Fault:
    """A replacement of text in a file; what a user would see; and the test files that should notice."""

    id: str
    area: str
    file: str
    old: str
    new: str
    user: str
    tests: tuple[str, ...]


def read_faults() -> list[Fault]:
    """Return the faults of faults.toml."""
    entries = tomllib.loads(LIST.read_text())["fault"]
    return [Fault(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]


@contextmanager
def plant(fault: Fault, copy: Path) -> Iterator[None]:
    """Plant a fault in a copy of the sources, for a while. Raise ValueError if the text is not there once."""
    source, target = ROOT / fault.file, copy / fault.file
    text = source.read_text()
    if text.count(fault.old) != 1:
        raise ValueError(f"{fault.id}: what it replaces occurs {text.count(fault.old)} times in {fault.file}")
    target.write_text(text.replace(fault.old, fault.new))
    try:
        yield
    finally:
        shutil.copy2(source, target)  # with its time: by that, Python knows which bytecode is stale
