"""Stored cases: in files of their own, or in a run's directory under the id of a finding.

Such files may come from anybody and are not trusted: see `docs/threat_model.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fuzz.cli.options import Unclear, hint, resolve_setup, resolve_subject
from fuzz.engine.tasks import OWN
from fuzz.tensorflow_subject.domain import SUBJECT
from fuzz.triage.output import DEFAULT, FINDINGS, RUN, SUMMARY
from fuzz.triage.recorded_cases import RecordedCase, holds_recorded, read_recorded
from fuzz.triage.untrusted_input import (
    FINDING_ID,
    KIND,
    MODE,
    SCRIPT_FILE,
    Default,
    Misfit,
    Unreadable,
    check_path,
    read_data,
    read_lines,
    read_text,
    take,
)
from oracle.harness import AnyCase, Program, quote
from oracle.harness import read_case as decode_case

ROW = {
    "id": FINDING_ID,
    "case": str,
    "modes": [MODE, ...],
    "kind": Default(KIND, ""),
    "repro": Default(SCRIPT_FILE, ""),
}
JUDGED = {"subject": str, "setup": Default(str, "")}


@dataclass(frozen=True)
class Judged:
    """The subject that cases are judged against, and the function that sets it up; None where it is not known."""

    subject: str | None = None
    setup: str | None = None


@dataclass(frozen=True)
class StoredCase:
    """A case with a label, and what it was judged against, and the kind of difference, as far as they are known."""

    label: str
    case: AnyCase
    subject: str | None = None
    setup: str | None = None
    kind: str = ""


def find_cases(word: str, out: Path | None, subject: str | None = None, setup: str | None = None) -> list[StoredCase]:
    """Return the cases that a word on the command line names: a case file, a findings.jsonl, the id of a finding, or
    recorded cases.

    `subject` and `setup` are those of the command line. Without them, a case from a run's directory is judged against
    the run's own, if those are well known.
    """
    path, given = Path(word), Judged(subject, setup)
    files = find_recorded(word, given)
    try:
        if files:
            return [_make_stored_case(one.id, one.case, file.judged) for file in files for one in file.recorded]
        if path.is_dir():
            return _load_from_findings(path / FINDINGS, given)
        if path.suffix == ".jsonl" and path.exists():
            return _load_from_findings(path, given)
        if path.exists():
            return [_load_from_file(path, given)]
        if FINDING_ID.fullmatch(word):
            return [_find_by_id(word, out, given)]
        beside = _list_neighbours(path)
    except (Unreadable, OSError) as error:
        raise Unclear(str(error)) from None
    raise Unclear(f"no file {word!r}{beside}, nor is that the id of a finding, such as f-0123456789")


@dataclass(frozen=True)
class RecordedFile:
    """A file of recorded cases, or some of its lines, and what they are judged against."""

    path: Path
    recorded: Sequence[RecordedCase]
    judged: Judged


def find_recorded(word: str, given: Judged) -> list[RecordedFile]:
    """Return the files of recorded cases that a word on the command line names; an empty list if it names none.

    A word is such a file, one line of it (FILE::ID), or a directory of such files, which is not the directory of a run.
    """
    name, mark, identity = word.partition("::")
    try:
        files = [
            RecordedFile(path, read_recorded(path), find_judged(path.parent, given)) for path in _list_recorded(name)
        ]
    except (Unreadable, OSError) as error:
        raise Unclear(str(error)) from None
    return [_select(file, identity) for file in files] if mark else files


def _list_recorded(name: str) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        return [] if (path / FINDINGS).exists() else sorted(path.glob("*.jsonl"))
    is_candidate = path.suffix == ".jsonl" and path.name != FINDINGS and path.is_file()
    return [path] if is_candidate and holds_recorded(path) else []


def _select(file: RecordedFile, identity: str) -> RecordedFile:
    chosen = [one for one in file.recorded if one.id == identity]
    if not chosen:
        raise Unclear(f"no case {quote(identity)} in {file.path}{hint(identity, [one.id for one in file.recorded])}")
    return replace(file, recorded=chosen)


def _list_neighbours(path: Path) -> str:
    beside = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    return hint(path.name, beside) if len(beside) > 12 or hint(path.name, beside).startswith("; did") else ""


def read_case(path: Path) -> AnyCase:
    """Read the case in a file. Raises Unreadable, naming the file and the part at fault."""
    text = read_text(path)
    try:
        return decode_case(text)
    except ValueError as error:
        raise Unreadable(f"{path}: {error}") from None


def _load_from_file(path: Path, given: Judged) -> StoredCase:
    case = read_case(path)
    run = _find_run(path.resolve())
    return _make_stored_case(path.name, case, given if run is None else find_judged(run, given))


def _make_stored_case(label: str, case: AnyCase, judged: Judged) -> StoredCase:
    """Return a case that can be judged against this subject; by default, a program against TensorFlow. Raises
    Unreadable for a call of NumPy's API where a program is needed, or the other way round.
    """
    subject = SUBJECT if judged.subject is None and isinstance(case, Program) else judged.subject
    if (subject == SUBJECT) != isinstance(case, Program):
        sort = "a program of TensorFlow's ops" if isinstance(case, Program) else "a call of NumPy's API"
        raise Unreadable(f"{label} is {sort}, which --subject {subject or OWN} does not have")
    return StoredCase(label, case, subject, judged.setup)


def _find_run(path: Path) -> Path | None:
    """Return the directory of the run that the case in this file belongs to, or None."""
    findings = path.parent.parent / FINDINGS
    is_of_run = path.parent.name == "cases" and findings.is_file()
    return findings.parent if is_of_run and path.stem[: len("f-0123456789")] in _read_rows(findings) else None


def _load_from_findings(path: Path, given: Judged) -> list[StoredCase]:
    return [_load_from_row(row, path, given) for row in _read_rows(path).values()]


def _read_rows(path: Path) -> dict[str, dict[str, Any]]:
    """Return the findings of a findings.jsonl by id; the last line of each id counts."""
    found: dict[str, dict[str, Any]] = {}
    for number, row in enumerate(read_lines(path), 1):
        try:
            finding = take(row, ROW)
        except Misfit as error:
            raise Unreadable(f"{path}, line {number}: not a finding: {error}") from None
        found[finding["id"]] = finding
    return found


def _load_from_row(row: dict[str, Any], path: Path, given: Judged) -> StoredCase:
    case = read_case(check_path(path.parent, row["case"], str(path)))
    stored = _make_stored_case(row["id"], case, find_judged(path.parent, given))
    return replace(stored, kind=row["kind"])


def find_judged(directory: Path, given: Judged) -> Judged:
    """Return what the command line names, or else what the run was judged against, if that may be imported and
    called.
    """
    path = next((path for path in (directory / RUN, directory / SUMMARY) if path.exists()), None)
    if path is None:
        return given
    run = read_data(path, JUDGED)
    subject = given.subject or resolve_subject(run["subject"], None, path)
    setup = run["setup"] if subject == run["subject"] else ""
    return Judged(subject, given.setup or resolve_setup(setup, None, path))


def _find_by_id(identity: str, out: Path | None, given: Judged) -> StoredCase:
    """Return the case of a finding: from the run in `out`, or from the newest run under fuzz-out that has it.

    A run of the given subject is preferred.
    """
    directory, row = _find_row(identity, out, given)
    return _load_from_row(row, directory / FINDINGS, given)


def find_script(identity: str) -> tuple[Path, str]:
    """Return the script of a finding in the newest run under fuzz-out that has it, and the kind of the finding."""
    directory, row = _find_row(identity, None, Judged())
    if not row["repro"]:
        raise Unclear(f"the finding {identity} in {directory} has no script")
    return check_path(directory, row["repro"], str(directory / FINDINGS)), row["kind"] or "value"


def _find_row(identity: str, out: Path | None, given: Judged) -> tuple[Path, dict[str, Any]]:
    runs = [out] if out is not None else _list_runs()
    if not runs:
        raise Unclear(f"no finding {identity}: there is no run under {DEFAULT}/; name its directory by --out")
    known: dict[str, None] = {}
    holding = []
    for directory in runs:
        rows = _read_findings_of(directory, is_named=out is not None)
        known.update(dict.fromkeys(rows))
        holding += [(directory, rows[identity])] if identity in rows else []
    if not holding:
        where = str(runs[0]) if len(runs) == 1 else f"any of the {len(runs)} runs under {DEFAULT}/"
        raise Unclear(f"no finding {identity} in {where}{hint(identity, known)}")
    return next((one for one in holding if _read_subject(one[0]) == given.subject), holding[0])


def _list_runs() -> list[Path]:
    """Return the directories of runs under fuzz-out, the newest first."""
    if not DEFAULT.is_dir():
        return []
    runs = [path for path in DEFAULT.iterdir() if (path / FINDINGS).is_file()]
    return sorted(runs, key=lambda path: ((path / FINDINGS).stat().st_mtime_ns, path.name), reverse=True)


def _read_findings_of(directory: Path, *, is_named: bool) -> dict[str, dict[str, Any]]:
    """Return the findings of a run; none of an unreadable one that the command line does not name."""
    try:
        return _read_rows(directory / FINDINGS)
    except (Unreadable, OSError):
        if is_named:
            raise
        return {}


def _read_subject(directory: Path) -> str | None:
    """Return what a run says that it judged; None if that is not known."""
    try:
        return read_data(directory / RUN, JUDGED)["subject"]
    except (Unreadable, OSError):
        return None
