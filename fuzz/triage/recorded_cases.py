"""Recorded cases: calls that once showed a fault, a line of JSON each, in one file for each topic of NumPy's manual.

A line has the `case`, the `kind` of the difference, the `modes` that showed it, and `since` when it is recorded. `open`
says, by mode, why the case still differs there; `flaky`, why it differs on some machines only; `slow`, why it is not
judged there. `docs/harness/recorded_cases.md` describes the format.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.differences import label_mode, rank_cost
from fuzz.generate.argument_classes import array_classes, scalar_classes
from fuzz.triage.atomic_files import write_file
from fuzz.triage.ledger import Finding
from fuzz.triage.records import Record
from fuzz.triage.untrusted_input import CASE, KIND, LINES, MODE, Misfit, Unreadable, read_lines, take
from oracle import Case, Mode
from oracle.harness import quote

FORM = {"id": str, "kind": KIND, "modes": [MODE], "since": str, "case": CASE}
REASONS = {"open": {str: LINES}, "flaky": {str: LINES}, "slow": {str: LINES}}
OPTIONAL = {"why": LINES, **REASONS}
SYMPTOMS = frozenset(("empty", "nan", "infinity", "-infinity", "negative zero", "subnormal", "large", "singular"))
SYMPTOMS |= {"not contiguous", "negative strides", "read-only", "byte-swapped"}
"""The classes of an array by which cases of one structure still show different faults."""


def render_line(record: Record) -> str:
    """Return the line of a record. Fields that say nothing are left out; the case, which is long, comes last."""
    known = {key: getattr(record, key) for key in OPTIONAL}
    head = {"id": record.id, "kind": record.kind, "modes": list(record.modes), "since": record.since}
    head |= {key: value for key, value in known.items() if value}
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "case": {record.case.json()}}}\n'


def make_recorded(case: Case, kind: str, modes: Iterable[str], since: str, **known: Any) -> Record:
    """Return a case that once showed a difference of a kind in some modes, as a record."""
    ordered = tuple(sorted(set(modes), key=rank_cost))
    return Record(make_id(case, kind), case.name, kind, ordered, (case,), is_fixed=True, since=since, **known)


def record_findings(findings: Iterable[Finding], since: date) -> list[Record]:
    """Return the minimal cases of findings as records. Findings that share kind and case are one."""
    found: dict[str, Record] = {}
    for finding in findings:
        identity = make_id(finding.minimal, finding.kind)
        earlier = found[identity].modes if identity in found else ()
        modes = {*earlier, *finding.modes}
        found[identity] = make_recorded(finding.minimal, finding.kind, modes, since.isoformat())
    return list(found.values())


def make_id(case: Case, kind: str) -> str:
    """Return the id of a recorded case: the function at fault, the kind, and a digest of the case."""
    return f"{case.name}-{kind.replace(' ', '-')}-{case.id[2:12]}"


def read_recorded(path: Path) -> list[Record]:
    """Return the recorded cases of a file. Raises Unreadable, with the number of the line."""
    found: dict[str, Record] = {}
    for number, row in enumerate(read_lines(path, is_complete=True), 1):
        where = f"{path}, line {number}"
        recorded = _decode(row, where)
        if recorded.id in found:
            raise Unreadable(f"{where}: {quote(recorded.id)} is recorded twice")
        found[recorded.id] = recorded
    return list(found.values())


def holds_recorded(path: Path) -> bool:
    """Return whether a file of lines holds recorded cases: a finding has the path of its case, not the case itself."""
    row = next(iter(read_lines(path, is_complete=True)), None)
    return isinstance(row, dict) and isinstance(row.get("case"), dict)


def _decode(row: Any, where: str) -> Record:
    unknown = row.keys() - FORM.keys() - OPTIONAL.keys() if isinstance(row, dict) else ()
    if unknown:
        raise Unreadable(f"{where}: not a recorded case: it has a field {quote(min(unknown))}")
    try:
        row = take(row, FORM | {key: form for key, form in OPTIONAL.items() if key in row})
    except Misfit as error:
        raise Unreadable(f"{where}: not a recorded case: {error}") from None
    try:
        case = Case.from_json(json.dumps(row["case"]))
        for mode in (mode for key in REASONS for mode in row.get(key, ())):
            Mode.parse(mode)
        date.fromisoformat(row["since"])
    except ValueError as error:
        raise Unreadable(f"{where}: {error}") from None
    if not row["modes"] or not row["id"].startswith(f"{case.name}-{row['kind'].replace(' ', '-')}-"):
        what = "it has no modes" if not row["modes"] else "its id is not NAME-KIND-DIGEST"
        raise Unreadable(f"{where}: not a recorded case: {what}")
    known = {key: row[key] for key in OPTIONAL if key in row}
    return replace(make_recorded(case, row["kind"], map(label_mode, row["modes"]), row["since"], **known), id=row["id"])


def write_recorded(path: Path, recorded: Iterable[Record]) -> None:
    """Write a file of recorded cases, sorted by id: all of it, or nothing."""
    write_file(path, render_recorded(recorded))


def render_recorded(recorded: Iterable[Record]) -> str:
    """Return the text of a file of recorded cases, sorted by id."""
    return "".join(render_line(one) for one in sorted(recorded, key=lambda one: one.id))


def drop_equal(recorded: Iterable[Record]) -> tuple[list[Record], list[tuple[str, str]]]:
    """Keep the smallest of the cases that show the same: return those, and pairs of a dropped id and the one kept.

    Cases show the same if they have one function, one kind, and arguments of the same structure, and are open, flaky
    and slow in the same modes. The one that is kept is judged in the modes of all.
    """
    found: dict[Hashable, Record] = {}
    dropped = []
    for one in sorted(recorded, key=lambda one: (len(one.case.json()), one.id)):
        reasons = tuple(tuple(sorted(getattr(one, key))) for key in REASONS)
        shown = (one.kind, find_structure(one.case), reasons)
        smallest = found.setdefault(shown, one)
        if smallest is not one:
            dropped.append((one.id, smallest.id))
            modes = tuple(sorted({*smallest.modes, *one.modes}, key=rank_cost))
            found[shown] = replace(smallest, modes=modes)
    return list(found.values()), dropped


def find_structure(case: Case) -> Hashable:
    """Return the structure of a call: the parameters that it gives, and the class of each argument.

    The class of an array is its rank, its dtype class, its layout and the special values in it; that of a number is
    its type, its sign, and whether it is special. Flags, names and dtypes stand for themselves.
    """
    seen: dict[int, int] = {}

    def classify(value: Any) -> Hashable:
        if isinstance(value, Case):
            given = [*enumerate(value.args), *sorted(value.kwargs.items())]
            return (value.name, *((parameter, classify(argument)) for parameter, argument in given))
        if isinstance(value, list | tuple):
            return (type(value).__name__, *map(classify, value))
        if isinstance(value, dict):
            return ("dict", *((classify(key), classify(item)) for key, item in value.items()))
        if isinstance(value, np.ndarray):
            classes = sorted(SYMPTOMS.intersection(array_classes(value, is_matrix=True)))
            is_half = value.dtype.kind in "fV" and value.dtype.itemsize == 2
            return ("array", seen.setdefault(id(value), len(seen)), value.ndim, value.dtype.kind, is_half, *classes)
        classes = sorted(scalar_classes(value))
        return (type(value).__name__, *classes, value == 0) if classes else (type(value).__name__, repr(value))

    return classify(case)
