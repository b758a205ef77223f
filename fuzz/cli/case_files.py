"""Stored cases: in files of their own, or in a run's directory under the id of a finding.

Such files may come from anybody and are not trusted: see `docs/threat_model.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fuzz.cli.options import Unclear, hint, resolve_setup, resolve_subject
from fuzz.differences import label_mode
from fuzz.engine.tasks import OWN
from fuzz.triage.baseline import Baseline, UnfitBaseline, holds_baseline, read_baseline
from fuzz.triage.output import DEFAULT, FINDINGS, RUN, SUMMARY
from fuzz.triage.recorded_cases import holds_recorded, read_recorded
from fuzz.triage.records import Record
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
from oracle import Case
from oracle.harness import TENSORFLOW, is_of_ops, quote

ROW = {
    "id": FINDING_ID,
    "case": str,
    "modes": [MODE, ...],
    "kind": Default(KIND, ""),
    "symptom": Default(str, ""),
    "detail": Default(str, ""),
    "others": Default([str], ()),
    "repro": Default(SCRIPT_FILE, ""),
}
JUDGED = {"subject": str, "setup": Default(str, "")}


@dataclass(frozen=True)
class Judged:
    """The subject that cases are judged against, and the function that sets it up; None where it is not known."""

    subject: str | None = None
    setup: str | None = None


@dataclass(frozen=True)
class RecordFile:
    """Records of a file, and what they are judged against. A `recorded` file holds cases that are kept, a baseline
    findings that are accepted.
    """

    path: Path
    records: Sequence[Record]
    judged: Judged
    is_recorded: bool = False
    baseline: Baseline | None = None


def find_records(word: str, out: Path | None = None, given: Judged | None = None) -> list[RecordFile]:
    """Return the records that a word on the command line names: a case file, a run's directory, a findings.jsonl, the
    id of a finding, a baseline, or recorded cases: a file of them, one line of it (FILE::ID), or a directory of files.

    `given` is what the command line names. Without it, what a file names is judged, if that is well known.
    """
    path, given = Path(word), given or Judged()
    name, mark, identity = word.partition("::")
    try:
        recorded = [_load_recorded(one, given, identity if mark else "") for one in _list_recorded(name)]
        if recorded:
            return recorded
        if path.is_dir():
            return [_load_findings(path / FINDINGS, given)]
        if path.suffix == ".jsonl" and path.exists():
            return [_load_findings(path, given)]
        if path.exists():
            return [_load_baseline(path, given) if holds_baseline(path) else _load_case(path, given)]
        if FINDING_ID.fullmatch(word):
            directory, row = _find_row(word, out, given)
            return [_load_rows([row], directory / FINDINGS, given)]
        beside = _list_neighbours(path)
    except (Unreadable, UnfitBaseline, OSError) as error:
        raise Unclear(str(error)) from None
    raise Unclear(f"no file {word!r}{beside}, nor is that the id of a finding, such as f-0123456789")


def _load_recorded(path: Path, given: Judged, identity: str) -> RecordFile:
    """Return the records of a file of recorded cases, or the one with this id."""
    records = read_recorded(path)
    chosen = [one for one in records if identity in ("", one.id)]
    if not chosen and identity:
        raise Unclear(f"no case {quote(identity)} in {path}{hint(identity, [one.id for one in records])}")
    judged = find_judged(path.parent, given)
    subjects = [check_sort(one.id, one.case, judged) for one in chosen]
    return RecordFile(path, chosen, replace(judged, subject=next(iter(subjects), judged.subject)), is_recorded=True)


def _load_baseline(path: Path, given: Judged) -> RecordFile:
    baseline = read_baseline(path)
    named = baseline.subject
    subject = given.subject or (resolve_subject(named, None, path) if named else None)
    own = baseline.setup if subject == named else ""
    judged = Judged(subject, given.setup or resolve_setup(own, None, path))
    return RecordFile(path, baseline.list_known(), judged, baseline=baseline)


def _list_recorded(name: str) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        return [] if (path / FINDINGS).exists() else sorted(path.glob("*.jsonl"))
    is_candidate = path.suffix == ".jsonl" and path.name != FINDINGS and path.is_file()
    return [path] if is_candidate and holds_recorded(path) else []


def _list_neighbours(path: Path) -> str:
    beside = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    return hint(path.name, beside) if len(beside) > 12 or hint(path.name, beside).startswith("; did") else ""


def read_case(path: Path) -> Case:
    """Read the case in a file. Raises Unreadable, naming the file and the part at fault."""
    text = read_text(path)
    try:
        return Case.from_json(text)
    except ValueError as error:
        raise Unreadable(f"{path}: {error}") from None


def _load_case(path: Path, given: Judged) -> RecordFile:
    """Return the case in a file; in a run's directory, as that of its finding."""
    case = read_case(path)
    run = _find_run(path.resolve())
    judged = given if run is None else find_judged(run, given)
    record = Record(path.name, case.name, "", (), (case,))
    if run is not None:
        row = _read_rows(run / FINDINGS)[path.stem[: len("f-0123456789")]]
        record = replace(_make_record(row, run / FINDINGS), id=path.name, cases=(case,))
    return RecordFile(path, [record], replace(judged, subject=check_sort(path.name, case, judged)))


def check_sort(label: str, case: Case, judged: Judged) -> str | None:
    """Return the subject that a case is judged against; by default, a program against TensorFlow. Raises Unreadable for
    a call of NumPy's API where a program is needed, or the other way round.
    """
    subject = TENSORFLOW if judged.subject is None and is_of_ops(case) else judged.subject
    if (subject == TENSORFLOW) != is_of_ops(case):
        sort = "a program of TensorFlow's ops" if is_of_ops(case) else "a call of NumPy's API"
        raise Unreadable(f"{label} is {sort}, which --subject {subject or OWN} does not have")
    return subject


def _find_run(path: Path) -> Path | None:
    """Return the directory of the run that the case in this file belongs to, or None."""
    findings = path.parent.parent / FINDINGS
    is_of_run = path.parent.name == "cases" and findings.is_file()
    return findings.parent if is_of_run and path.stem[: len("f-0123456789")] in _read_rows(findings) else None


def _load_findings(path: Path, given: Judged) -> RecordFile:
    return _load_rows(list(_read_rows(path).values()), path, given)


def _load_rows(rows: Sequence[Mapping[str, Any]], path: Path, given: Judged) -> RecordFile:
    """Return the findings of rows of a findings.jsonl, with their cases."""
    records = [_make_record(row, path) for row in rows]
    judged = find_judged(path.parent, given)
    for record in records:
        judged = replace(judged, subject=check_sort(record.id, record.case, judged))
    return RecordFile(path, records, judged)


def _make_record(row: Mapping[str, Any], path: Path) -> Record:
    """Return the finding of a row."""
    cases = tuple(read_case(check_path(path.parent, name, str(path))) for name in (row["case"], *row["others"]))
    own = {key: row[key] for key in ("id", "kind", "symptom", "detail")}
    return Record(name=cases[0].name, modes=tuple(map(label_mode, row["modes"])), cases=cases, **own)


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
