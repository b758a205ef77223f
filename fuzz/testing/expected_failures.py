"""Files of names whose tests are skipped or expected to fail: a line for each name or glob, with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path


class UnfitExpectations(ValueError):
    """A file of skips or xfails that cannot be read; the message says which line is wrong."""


@dataclass(frozen=True)
class Expectation:
    """One line: a name or glob, the reason, and its position in the file."""

    pattern: str
    reason: str
    where: str

    def fits(self, name: str) -> bool:
        return fnmatchcase(name, self.pattern)


def read_expectations(path: Path | None) -> list[Expectation]:
    """Read the lines of a file: `linalg.* why`. A # at the beginning of a line starts a comment.

    Raises UnfitExpectations for a line without a reason, a repeated pattern, and a missing file.
    """
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnfitExpectations(f"{path} cannot be read: {error}") from None
    found: dict[str, Expectation] = {}
    for number, line in enumerate(lines, 1):
        pattern, _, reason = line.strip().partition(" ")
        where = f"{path}:{number}"
        if not pattern or pattern.startswith("#"):
            continue
        if not reason.strip():
            raise UnfitExpectations(f"{where}: {pattern} has no reason; write it after the name")
        if pattern in found:
            raise UnfitExpectations(f"{where}: {pattern} is listed in {found[pattern].where} already")
        found[pattern] = Expectation(pattern, reason.strip(), where)
    return list(found.values())


def find_expectation(expectations: Iterable[Expectation], name: str) -> Expectation | None:
    """Return the first line that matches a name, or None."""
    return next((one for one in expectations if one.fits(name)), None)


def find_stale(expectations: Iterable[Expectation], names: Sequence[str]) -> list[Expectation]:
    """Return the lines that match none of the names."""
    return [one for one in expectations if not any(one.fits(name) for name in names)]
