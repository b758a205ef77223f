"""Reading files that may come from anybody: completely or not at all, within limits, and only as data."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from oracle.harness import LIMITS, DecodingLimits, parse_json, quote

RUN_LIMITS = replace(LIMITS, text=2 * LIMITS.text, arguments=8 * LIMITS.arguments)  # limits for the files of a run
STATE_LIMITS = replace(
    LIMITS, text=32 * LIMITS.text, arguments=1024 * LIMITS.arguments
)  # larger than any count of a long run
LARGEST_NUMBER = 2**511
"""The absolute value below which a number is read. A run writes seeds and counts below 2**64; the sum of many of them,
and the product of two, is then still a finite float.
"""
INSIDE = re.compile(r"(?:cases|repros)/f-[0-9a-f]{10}(?:-\d)?\.(?:json|py)")


class Unreadable(ValueError):
    """The file is not read; the message names it, and says why."""


def read_text(path: Path, most: int = LIMITS.text) -> str:
    """Return the text of a regular UTF-8 file of at most `most` bytes. Raises Unreadable for anything else."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Unreadable(f"{path}: not a regular file")
        with path.open("rb") as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise Unreadable(f"{path}: more than {most >> 20} MiB; no more is read")
        return data.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise error if isinstance(error, Unreadable) else Unreadable(f"{str(path)!r}: {error}") from None


def read_data(path: Path, form: Any, limits: DecodingLimits = RUN_LIMITS) -> Any:
    """Return the content of a run's JSON file, if it has this form. Raises Unreadable."""
    data = _parse(read_text(path, limits.text), str(path), limits)
    wrong = find_misfit(data, form)
    if wrong:
        raise Unreadable(f"{path}: {wrong}")
    return data


def read_lines(path: Path, *, is_complete: bool = False) -> Iterator[Any]:
    """Yield the content of each line of a run's file. Raises Unreadable, with the number of the line.

    An unterminated last line is left out, because its writer was killed, unless the file `is_complete`.
    """
    lines = read_text(path, RUN_LIMITS.text).split("\n")
    for number, line in enumerate(lines if is_complete else lines[:-1], 1):
        if line.strip():
            yield _parse(line, f"{path}, line {number}")


def _parse(text: str, where: str, limits: DecodingLimits = RUN_LIMITS) -> Any:
    try:
        return parse_json(text, limits=limits)
    except ValueError as error:
        raise Unreadable(f"{where}: {error}") from None


def find_misfit(data: Any, form: Any, part: str = "it") -> str:
    """Return how data differs from a form, or an empty string.

    A form is a class or a tuple of classes; a list with the form of each item; or a dict of required keys and their
    forms, or of `str` and the form of each value.
    """
    kinds: Any = form if isinstance(form, type | tuple) else type(form)
    takes_bools = kinds is bool or (isinstance(kinds, tuple) and bool in kinds)
    if not isinstance(data, kinds) or (isinstance(data, bool) and not takes_bools):
        expected = " or ".join(one.__name__ for one in (kinds if isinstance(kinds, tuple) else (kinds,)))
        return f"{part} is a {type(data).__name__}, not {expected}"
    if isinstance(data, int | float) and not abs(data) < LARGEST_NUMBER:
        return f"{part} is too large a number"
    inner: Iterable[tuple[Any, Any, Any]] = ()
    if isinstance(form, list):
        inner = ((index, item, form[0]) for index, item in enumerate(data))
    elif isinstance(form, dict) and str in form:
        inner = ((key, value, form[str]) for key, value in data.items())
    elif isinstance(form, dict):
        lacking = [key for key in form if key not in data]
        if lacking:
            return f"{part} has no {', '.join(lacking)}"
        inner = ((key, data[key], one) for key, one in form.items())
    for key, value, one in inner:
        if wrong := find_misfit(value, one, f"{part}[{key if isinstance(key, int) else quote(key)}]"):
            return wrong
    return ""


def check_path(directory: Path, name: Any, where: str) -> Path:
    """Return the path of a case or script that a run's file names. Raises Unreadable for a name that no run writes."""
    if not (isinstance(name, str) and INSIDE.fullmatch(name)):
        raise Unreadable(f"{where}: {str(name)[:60]!r} is not a file of a run, such as cases/f-0123456789.json")
    return directory / name
