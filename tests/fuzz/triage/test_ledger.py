from __future__ import annotations

import numpy as np
import pytest

from fuzz.differences import Difference, choose_cheapest, find_parameter
from fuzz.engine.recovery import read_findings
from fuzz.triage.ledger import Finding, Ledger
from fuzz.triage.output import Archive, OccupiedDirectory
from fuzz.triage.recorded_cases import read_recorded
from oracle import Case


def finding(name="add", kind="value", modes=("eager",), dtype="float", detail="1 is not 2", minimal=None, **more):
    return Finding(name, kind, modes, dtype, detail, minimal or Case(name, (1, 2)), **more)


def difference(**changes):
    fields = {"kind": "value", "modes": ("graph", "eager"), "dtype": "float", "detail": "1 is not 2"}
    return Difference(**{"index": 5, "sibling": 1, "name": "add", "case": "{}", **fields, **changes})


def test_a_ledger_keeps_one_entry_for_what_is_the_same():
    ledger = Ledger()
    first, is_new = ledger.enter(finding(index=3))
    again, is_newer = ledger.enter(finding(index=9, detail="3 is not 4", count=4))
    assert (is_new, is_newer) == (True, False)
    assert again is first
    assert (first.index, first.count, first.detail) == (3, 5, "1 is not 2")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "sin"},
        {"kind": "dtype"},
        {"modes": ("graph",)},
        {"modes": ("xla",)},
        {"dtype": "int"},
        {"symptom": "nan lost"},
        {"minimal": Case("add", (1, np.nan))},
        {"detail": "add() got an unexpected keyword argument 'where'"},
    ],
    ids=str,
)
def test_what_differs_in_its_key_is_another_finding(change):
    ledger = Ledger()
    ledger.enter(finding())
    other, is_new = ledger.enter(finding(**change))
    assert is_new
    assert len({entry.id for entry in ledger}) == 2
    assert other in list(ledger)


@pytest.mark.parametrize("change", [{"modes": ("eager", "graph", "xla")}, {"minimal": Case("add", (3, 4))}], ids=str)
def test_further_modes_and_other_numbers_make_no_other_finding(change):
    assert finding(**change).id == finding().id


def test_a_finding_keeps_five_minimal_cases(tmp_path):
    ledger = Ledger()
    for number in range(7):
        entry, _ = ledger.enter(finding(minimal=Case("add", (number % 6, 2))))
    assert entry.count == 7
    assert [str(case) for case in (entry.minimal, *entry.others)] == [f"np.add({number}, 2)" for number in range(5)]
    archive = Archive.make(tmp_path / "run")
    archive.keep(entry)
    assert sorted(f"cases/{path.name}" for path in (archive.root / "cases").iterdir()) == sorted(entry.list_cases())
    (again,) = read_findings(archive.root)
    assert (again.id, [case.id for case in again.others]) == (entry.id, [case.id for case in entry.others])


def test_a_case_that_was_not_reduced_is_not_kept_beside_the_minimal_one():
    ledger = Ledger()
    ledger.enter(finding())
    entry, _ = ledger.enter(finding(minimal=Case("add", (3, 4)), reduced=False))
    assert entry.others == []


def test_an_id_is_the_same_in_every_run():
    assert finding().id == "f-1be6407945"


@pytest.mark.parametrize(
    ("message", "accepted"),
    [
        ("sort() takes 1 positional argument but 2 were given", "after 1"),
        ("sort() takes from 1 to 2 positional arguments but 3 were given", "after 2"),
        (
            "sort() takes 1 positional argument but 2 positional arguments (and 1 keyword-only argument) were given",
            "after 1",
        ),
        ("sort() takes at most 2 arguments (3 given)", "after 2"),
        ("sort() takes exactly one argument (2 given)", "after 1"),
        ("sort() takes exactly one argument (0 given)", ""),
        ("sort expected at most 2 arguments, got 3", "after 2"),
        ("sort expected at least 2 arguments, got 1", ""),
    ],
)
def test_too_many_arguments_are_recognized_in_pythons_words_and_in_those_of_c(message, accepted):
    assert find_parameter(f"TypeError: {message}; NumPy gives 3") == accepted


def test_a_ledger_is_in_the_order_of_its_keys_however_it_was_filled():
    one, other = Ledger(), Ledger()
    entries = [finding(name=name, kind=kind) for name in ("sin", "add") for kind in ("value", "crash")]
    for entry in entries:
        one.enter(entry)
    for entry in reversed(entries):
        other.enter(entry)
    assert list(one) == list(other)
    assert one.by_kind() == {"crash": 2, "value": 2}


def test_known_findings_are_marked():
    ledger = Ledger(known=finding().marks[:1])
    ledger.enter(finding())
    ledger.enter(finding(name="sin"))
    assert [entry.known for entry in ledger] == [True, False]


def test_the_cheapest_mode_stands_for_all():
    assert choose_cheapest(("xla", "graph@GPU:0", "graph")) == "graph"
    assert difference().group_key == difference(modes=("eager", "xla"), index=7, detail="other").group_key
    assert difference(modes=("xla",)).group_key != difference().group_key


def test_differences_resemble_each_other_by_kind_symptom_and_parameter():
    missing = "got an unexpected keyword argument {!r}"
    assert difference().resembles(difference(dtype="int", modes=("xla",)))
    assert not difference().resembles(difference(kind="dtype"))
    assert not difference().resembles(difference(symptom="nan lost"))
    assert not difference(detail=missing.format("out")).resembles(difference(detail=missing.format("where")))


def test_an_archive_keeps_cases_and_what_reproduces(tmp_path):
    archive = Archive.make(tmp_path / "new" / "out")
    entry = finding()
    archive.keep(entry)
    archive.keep(entry, "never shown to reproduce")
    assert sorted(path.name for path in archive.root.iterdir()) == ["cases", "findings.jsonl"]
    entry.reproduced, entry.repro = True, f"repros/{entry.id}.py"
    archive.keep(entry, "print()")
    started = "2026-11-20T09:30:00+00:00"
    archive.conclude({"findings": [entry.data()], "provenance": [{"started": started}]}, [entry])
    assert (archive.root / entry.repro).read_text() == "print()"
    assert Case.from_json((archive.root / entry.data()["case"]).read_text()).id == entry.minimal.id
    assert (archive.root / "findings.jsonl").read_text().count("\n") == 1
    (recorded,) = read_recorded(archive.root / "cases.jsonl")
    assert (recorded.case.id, recorded.kind, recorded.modes) == (entry.minimal.id, entry.kind, entry.modes)
    assert recorded.since == started[:10]


def test_two_runs_are_never_mixed(tmp_path):
    (tmp_path / "summary.json").write_text("{}")
    with pytest.raises(OccupiedDirectory, match="not empty"):
        Archive.make(tmp_path)
    with pytest.raises(OccupiedDirectory):
        Archive.make(tmp_path / "summary.json")


def test_without_a_directory_runs_are_numbered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [Archive.make().root.name for _ in range(3)] == ["001", "002", "003"]


def test_a_difference_is_found_again_by_its_parameter_or_else_by_its_kind():
    lacks = "got an unexpected keyword argument {!r}"
    out, where, other = (
        difference(detail=lacks.format("out")),
        difference(detail=lacks.format("where")),
        difference(kind="dtype"),
    )
    assert out.among([other, where, out]) is out
    assert out.among([other, where]) is where
    assert out.among([other]) is None
