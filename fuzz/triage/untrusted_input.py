"""Reading files that may come from anybody: completely or not at all, within limits, and only as data."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from oracle.harness import (
    LIMITS,
    LONGEST_LINE,
    MODE_NAME,
    DecodingLimits,
    make_line,
    make_printable,
    parse_json,
    quote,
)

RUN_LIMITS = replace(LIMITS, text=2 * LIMITS.text, arguments=8 * LIMITS.arguments)  # limits for the files of a run
STATE_LIMITS = replace(
    LIMITS, text=32 * LIMITS.text, arguments=1024 * LIMITS.arguments
)  # larger than any count of a long run
LARGEST_NUMBER = 2**511
"""The absolute value below which a number is read. A run writes seeds and counts below 2**64; the sum of many of them,
and the product of two, is then still a finite float.
"""


class Unreadable(ValueError):
    """The file is not read; the message names it, and says why."""


def read_text(path: Path, most: int = LIMITS.text, *, is_inside: bool = False) -> str:
    """Return the text of a regular UTF-8 file of at most `most` bytes, which is no link, and if it `is_inside` a run's
    directory is in no folder that is one. Raises Unreadable for anything else.
    """
    try:
        with open(_open_inside(path) if is_inside else os.open(path, READING), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable(f"{path}: not a regular file")
            data = file.read(most + 1)
        if len(data) > most:
            raise Unreadable(f"{path}: more than {most >> 20} MiB; no more is read")
        return data.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None
    except OSError as error:
        why = "it is a link" if error.errno in (errno.ELOOP, errno.ENOTDIR) else error.strerror or error
        raise Unreadable(f"{path}: {why}") from None
    except ValueError as error:
        raise error if isinstance(error, Unreadable) else Unreadable(f"{str(path)!r}: {error}") from None


READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def _open_inside(path: Path) -> int:
    """Open a file by its folder, which is looked at once: it may be replaced by a link meanwhile."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        return os.open(path.name, READING, dir_fd=folder)
    finally:
        os.close(folder)


def check_regular(path: Path) -> None:
    """Raise Unreadable if there is something at this path that is no regular file, such as a link or a pipe."""
    if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
        raise Unreadable(f"{path}: not a regular file")


def read_data(path: Path, form: Any, limits: DecodingLimits = RUN_LIMITS) -> Any:
    """Return the content of a run's JSON file in this form, see `take`. Raises Unreadable."""
    data = _parse(read_text(path, limits.text), str(path), limits)
    try:
        return take(data, form)
    except Misfit as error:
        raise Unreadable(f"{path}: {error}") from None


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


@dataclass(frozen=True)
class Text:
    """The form of a text of at most `most` characters: one line, or `lines`. Other characters are escaped, others cut
    off; one that is `exact`, because something else reads it, must be printable as it is.
    """

    most: int = LONGEST_LINE
    lines: bool = False
    exact: bool = False


ABSENT = object()


@dataclass(frozen=True)
class Default:
    """The form of a field that may be missing, and what stands for it then; by default, nothing."""

    form: Any
    value: Any = ABSENT


@dataclass(frozen=True, init=False)
class Row:
    """The form of a list of as many items as it has forms: one for each position."""

    forms: tuple[Any, ...]

    def __init__(self, *forms: Any) -> None:
        object.__setattr__(self, "forms", forms)


LINES = Text(LIMITS.text, lines=True)
ENCODED = Text(LIMITS.text, exact=True)
"""A case or other data, encoded as a text."""

CASE = Mapping
"""The form of a case as JSON: it is taken as it is."""

DEVICE = re.compile(r"(?:job:\w{1,40}/replica:\d{1,4}/task:\d{1,4}/device:)?(?:CPU|GPU|TPU):\d{1,4}", re.ASCII)
MODE = re.compile(rf"{MODE_NAME.pattern}(?:@{DEVICE.pattern})?", re.ASCII)
DOTTED = re.compile(r"[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){0,9}", re.ASCII)
SETUP = re.compile(rf"(?:{DOTTED.pattern}:{DOTTED.pattern})?", re.ASCII)
FINDING_ID = re.compile(r"f-[0-9a-f]{10}")
CASE_FILE = re.compile(rf"cases/{FINDING_ID.pattern}(?:-\d)?\.json")
SCRIPT_FILE = re.compile(rf"(?:repros/{FINDING_ID.pattern}\.py)?")
KIND = re.compile(r"[a-z][a-z ]{0,40}")
LOCATION = re.compile(r"(?:\.\./)*(?:[\w-]+/)*[\w-]+\.py:[1-9]\d{0,6}", re.ASCII)
TIME = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?\+00:00", re.ASCII)
"""What texts may be that name a device, a mode, a module, a function, a file, a kind of finding, or a time in UTC."""


class Misfit(ValueError):
    """The data are not of the form; the message names the part, and says why."""


def take(data: Any, form: Any, part: str = "it") -> Any:
    """Return data from outside in a form, with its texts made printable. Raises Misfit.

    A form is a class or a tuple of classes; a `Text`; a pattern, or a frozenset of texts; a `Row`; a list with the form
    of each item, and an ellipsis if it may not be empty; or a dict of keys and their forms, or of `str` or a Text and
    the form of each value. Keys that a form does not list are dropped. `str` is a Text of one line; `object`, `dict`
    and `list` are any data of JSON.
    """
    if isinstance(form, tuple):
        return _take_one_of(data, form, part)
    if form is CASE:
        return data if isinstance(data, dict) else take(data, dict, part)  # its texts are values: decoding checks them
    if form is object:
        return _take_anything(data, part)
    kind = _find_class(form)
    if not isinstance(data, kind) or (isinstance(data, bool) and kind is not bool):
        raise Misfit(f"{part} is a {type(data).__name__}, not {kind.__name__}")
    if isinstance(data, int | float) and not abs(data) < LARGEST_NUMBER:
        raise Misfit(f"{part} is too large a number")
    if isinstance(data, int | float) and data < 0:
        raise Misfit(f"{part} is negative, as no count or time of a run is")
    if isinstance(data, str):
        return _take_text(data, LINE if form is str else form, part)
    if isinstance(data, list):
        return [take(item, one, f"{part}[{index}]") for index, (item, one) in enumerate(_pair_items(data, form, part))]
    if isinstance(data, dict):
        return _take_fields(data, {str: object} if form is dict else form, part)
    return data


LINE = Text()


def _pair_items(data: list[Any], form: Any, part: str) -> Iterable[tuple[Any, Any]]:
    """Return the items of a list with their forms. Raises Misfit for a list of another length."""
    if isinstance(form, Row):
        if len(data) != len(form.forms):
            raise Misfit(f"{part} has {len(data)} items, not {len(form.forms)}")
        return zip(data, form.forms, strict=True)
    if not data and form is not list and len(form) > 1:
        raise Misfit(f"{part} is empty")
    return ((item, object if form is list else form[0]) for item in data)


def _take_text(data: str, form: Any, part: str) -> str:
    if isinstance(form, Text):
        if form.exact and not (len(data) <= form.most and data.isprintable()):
            raise Misfit(f"{part} is not a text that a run writes: {quote(data)}")
        printable = data if form.exact else make_printable(data[: form.most])
        return printable if form.exact or form.lines else make_line(data, form.most)
    if not (data in form if isinstance(form, frozenset) else form.fullmatch(data)):
        raise Misfit(f"{part} cannot be {quote(data)}")
    return data


def _find_class(form: Any) -> type:
    """Return the class of the data that a form has: of a text's form, str."""
    if isinstance(form, Text | re.Pattern | frozenset):
        return str
    if isinstance(form, Row):
        return list
    return form if isinstance(form, type) else type(form)


def _take_one_of(data: Any, forms: tuple[Any, ...], part: str) -> Any:
    """Return data in the first of some forms whose class they are of."""
    for form in forms:
        kind = _find_class(form)
        if isinstance(data, kind) and (kind is bool or not isinstance(data, bool)):
            return take(data, form, part)
    expected = " or ".join(getattr(form, "__name__", type(form).__name__) for form in forms)
    raise Misfit(f"{part} is a {type(data).__name__}, not {expected}")


def _take_anything(data: Any, part: str) -> Any:
    if part.count("[") > LIMITS.depth:
        raise Misfit(f"{part[:60]}... has more than {LIMITS.depth} levels")
    if isinstance(data, int | float) and data < 0:
        return -take(-data, type(data), part)
    form: Any = {dict: dict, list: list, str: Text(LIMITS.text)}.get(type(data), type(data))
    return data if data is None else take(data, form, part)


def _take_fields(data: dict[str, Any], form: dict[Any, Any], part: str) -> dict[str, Any]:
    first = next(iter(form), None)
    if first is str or isinstance(first, Text):
        keys, one = LINE if first is str else first, form[first]
        return {_take_text(key, keys, part): take(value, one, f"{part}[{quote(key)}]") for key, value in data.items()}
    lacking = [key for key, one in form.items() if key not in data and not isinstance(one, Default)]
    if lacking:
        raise Misfit(f"{part} has no {', '.join(lacking)}")
    found = {}
    for key, one in form.items():
        inner = one.form if isinstance(one, Default) else one
        found[key] = take(data[key], inner, f"{part}[{quote(key)}]") if key in data else one.value
    return {key: value for key, value in found.items() if value is not ABSENT}


def find_misfit(data: Any, form: Any, part: str = "it") -> str:
    """Return how data differs from a form, see `take`, or an empty string."""
    try:
        take(data, form, part)
    except Misfit as error:
        return str(error)
    return ""


def check_path(directory: Path, name: Any, where: str) -> Path:
    """Return the path of a case or script that a run's file names. Raises Unreadable for a name that no run writes."""
    if not (isinstance(name, str) and (CASE_FILE.fullmatch(name) or (name and SCRIPT_FILE.fullmatch(name)))):
        raise Unreadable(f"{where}: {str(name)[:60]!r} is not a file of a run, such as cases/f-0123456789.json")
    path = directory / name
    if path.parent.is_symlink():
        raise Unreadable(f"{path.parent}: it is a link")
    return path
