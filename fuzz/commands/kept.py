"""Cases that were kept: in files, or under the id of a finding in a run's directory.

All of them are data that may come from anybody; what is in them is not trusted, as `docs/threat_model.md` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz.archive import DEFAULT
from fuzz.commands.options import Unclear, hint, imported_subject
from fuzz.reading import Unreadable, misfit, path_inside, read_data, read_lines, read_text
from oracle import Case

IDENTITY = re.compile(r"f-[0-9a-f]{10}")
ROW = {"id": str, "case": str, "modes": [str]}
SUMMARY = {"subject": str}


@dataclass(frozen=True)
class Kept:
    """A case, what to call it, and the subject it was judged against, as far as that is known."""

    label: str
    case: Case
    subject: str | None = None


def find_kept(word: str, out: Path | None, subject: str | None = None) -> list[Kept]:
    """What a word on the command line means: a case's file, a findings.jsonl, or a finding's id.

    `subject` is the one that the command line names; without it, a case of a run has the run's, if that is well known.
    """
    path = Path(word)
    try:
        if path.is_dir():
            return _from_findings(path / "findings.jsonl", subject)
        if path.exists():
            return _from_findings(path, subject) if path.suffix == ".jsonl" else [_from_file(path, subject)]
        if IDENTITY.fullmatch(word):
            return [_by_id(word, out, subject)]
        beside = _neighbours(path)
    except (Unreadable, OSError) as error:
        raise Unclear(str(error)) from None
    raise Unclear(f"no file {word!r}{beside}, and no finding's id, which looks like f-0123456789")


def _neighbours(path: Path) -> str:
    beside = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    return hint(path.name, beside) if len(beside) > 12 or hint(path.name, beside).startswith("; did") else ""


def read_case(path: Path) -> Case:
    """The case in a file. Raises Unreadable, naming the file and the part."""
    text = read_text(path)
    try:
        return Case.from_json(text)
    except ValueError as error:
        raise Unreadable(f"{path}: {error}") from None


def _from_file(path: Path, subject: str | None) -> Kept:
    case = read_case(path)
    run = _run_around(path.resolve())
    return Kept(path.name, case, subject if run is None else _subject_of(run, subject))


def _run_around(path: Path) -> Path | None:
    """The directory of the run that the case in this file is a finding of."""
    findings = path.parent.parent / "findings.jsonl"
    is_kept = path.parent.name == "cases" and findings.is_file()
    return findings.parent if is_kept and any(row["id"] == path.stem for row in _rows(findings)) else None


def _from_findings(path: Path, subject: str | None) -> list[Kept]:
    return [_from_row(row, path, subject) for row in _rows(path)]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(read_lines(path), 1):
        wrong = misfit(row, ROW) or ("" if IDENTITY.fullmatch(row["id"]) else "its id is none")
        if wrong:
            raise Unreadable(f"{path}, line {number}: not a finding: {wrong}")
        yield row


def _from_row(row: dict[str, Any], path: Path, subject: str | None) -> Kept:
    case = read_case(path_inside(path.parent, row["case"], str(path)))
    return Kept(row["id"], case, _subject_of(path.parent, subject))


def _subject_of(directory: Path, subject: str | None) -> str | None:
    """The subject that the command line names, or else the run's, if it may be imported."""
    path = directory / "summary.json"
    if subject is not None or not path.exists():
        return subject
    return imported_subject(read_data(path, SUMMARY)["subject"], None, path)


def _by_id(identity: str, out: Path | None, subject: str | None) -> Kept:
    directory = out or _latest()
    if directory is None:
        raise Unclear(f"no finding {identity}: there is no run under {DEFAULT}/, give --out DIR")
    path = directory / "findings.jsonl"
    rows = {row["id"]: row for row in _rows(path)}
    if identity not in rows:
        raise Unclear(f"no finding {identity} in {directory}{hint(identity, rows)}")
    return _from_row(rows[identity], path, subject)


def _latest() -> Path | None:
    if not DEFAULT.is_dir():
        return None
    runs = [path for path in DEFAULT.iterdir() if path.name.isdecimal() and (path / "findings.jsonl").is_file()]
    return max(runs, key=lambda path: int(path.name), default=None)
