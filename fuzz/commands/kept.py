"""Cases that were kept: in files, or under the id of a finding in a run's directory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.archive import DEFAULT
from fuzz.commands.options import Unclear, hint
from oracle import NAMES, Case

IDENTITY = re.compile(r"f-[0-9a-f]{10}")


@dataclass(frozen=True)
class Kept:
    """A case, what to call it, and the circumstances it was found in, as far as they are known."""

    label: str
    case: Case
    subject: str | None = None
    modes: tuple[str, ...] = ()


def find_kept(word: str, out: Path | None) -> list[Kept]:
    """What a word on the command line means: a case's file, a findings.jsonl, or a finding's id."""
    path = Path(word)
    if path.is_dir():
        return _lines(path / "findings.jsonl")
    if path.is_file():
        return _lines(path) if path.suffix == ".jsonl" else [_from_file(path)]
    if IDENTITY.fullmatch(word):
        return [_by_id(word, out)]
    raise Unclear(f"no file {word!r}{_neighbours(path)}, and no finding's id, which looks like f-0123456789")


def _neighbours(path: Path) -> str:
    beside = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    return hint(path.name, beside) if len(beside) > 12 or hint(path.name, beside).startswith("; did") else ""


def _from_file(path: Path) -> Kept:
    try:
        case = Case.from_json(path.read_text())
    except (ValueError, OSError) as error:
        raise Unclear(f"{path}: {error}") from None
    for call in case.calls():
        _check_name(path, call.name)
    for finding, directory in _findings_around(path):
        if finding["id"] == path.stem:
            return Kept(path.name, case, _summary(directory).get("subject"), tuple(finding["modes"]))
    return Kept(path.name, case)


def _check_name(path: Path, name: str) -> None:
    try:
        attrgetter(name)(np)
    except AttributeError:
        close = get_close_matches(name, NAMES, n=3)
        meant = f"; did you mean {' or '.join(close)}?" if close else ""
        raise Unclear(f"{path}: NumPy has no {name!r}{meant}") from None


def _findings_around(path: Path) -> Iterator[tuple[dict[str, Any], Path]]:
    directory = path.resolve().parent.parent
    if path.resolve().parent.name == "cases" and (directory / "findings.jsonl").is_file():
        for finding in _rows(directory / "findings.jsonl"):
            yield finding, directory


def _lines(path: Path) -> list[Kept]:
    return [_from_row(row, path.parent) for row in _rows(path)]


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = []
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Unclear(f"{path}: {error}") from None
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            if not {"id", "case", "modes"} <= set(row):
                raise ValueError("not a finding: it needs id, case and modes")
        except (ValueError, TypeError) as error:
            raise Unclear(f"{path}, line {number}: {error}") from None
        rows.append(row)
    return rows


def _from_row(row: dict[str, Any], directory: Path) -> Kept:
    kept = _from_file(directory / row["case"])
    return Kept(row["id"], kept.case, _summary(directory).get("subject"), tuple(row["modes"]))


def _summary(directory: Path) -> dict[str, Any]:
    try:
        summary = json.loads((directory / "summary.json").read_text())
    except (OSError, ValueError):
        return {}
    return summary if isinstance(summary, dict) else {}


def _by_id(identity: str, out: Path | None) -> Kept:
    directory = out or _latest()
    if directory is None:
        raise Unclear(f"no finding {identity}: there is no run under {DEFAULT}/, give --out DIR")
    rows = {row["id"]: row for row in _rows(directory / "findings.jsonl")}
    if identity not in rows:
        raise Unclear(f"no finding {identity} in {directory}{hint(identity, rows)}")
    return _from_row(rows[identity], directory)


def _latest() -> Path | None:
    if not DEFAULT.is_dir():
        return None
    runs = [path for path in DEFAULT.iterdir() if path.name.isdecimal() and (path / "findings.jsonl").is_file()]
    return max(runs, key=lambda path: int(path.name), default=None)
