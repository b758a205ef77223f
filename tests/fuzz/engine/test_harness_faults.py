"""Faults of the judge's own code in a run: named in its summary, and no findings; the run goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.differences import parse_step
from fuzz.engine.case_judge import JudgeDied, read_differences
from fuzz.engine.harness_faults import FaultRow, HarnessFaults, find_dying_case
from fuzz.engine.item_results import ItemResult
from fuzz.engine.summary import Counts
from oracle import Case
from oracle.harness import Death

ROW = FaultRow("oracle/equality/jumps.py:79 in _has_points_near", "comparison", "KeyError: '>f8'", "eager", '["add"]')
OPTIONS = ["--subject", "planted_many", "--modes", "eager", "--jobs", "1", "--seed", "3", "--out", "run"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    return tmp_path


def faults(*rows):
    found = HarnessFaults()
    for row in rows:
        found.add(row)
    return found


class TestCounting:
    def test_faults_are_counted_by_place(self):
        other = FaultRow("elsewhere", *(ROW.part, ROW.error, ROW.mode, ROW.case))
        found = faults(ROW, other, FaultRow(ROW.location, "another", "another", "xla", "another"))
        assert [(row["location"], row["part"], row["count"]) for row in found.data()] == [
            (ROW.location, "comparison", 2),
            ("elsewhere", "comparison", 1),
        ]

    def test_items_shards_and_state_keep_them(self):
        counts, other = Counts(), Counts()
        counts.add(ItemResult(0, "add", 1, harness_faults=faults(ROW)))
        other.add(ItemResult(1, "add", 1, harness_faults=faults(ROW, ROW)))
        counts.merge(other)
        data = json.loads(json.dumps(counts.data()))
        assert data["harness_faults"][0]["count"] == 3
        assert Counts.from_data(data).harness_faults.data() == counts.harness_faults.data()

    def test_steps_outside_the_subject_name_the_sibling(self):
        for step in ("reference of 3", "comparison in eager of 3"):
            assert find_dying_case(step) == 3
            assert parse_step(step) is None
        assert find_dying_case("drawing") is None
        assert parse_step("xla@GPU:0 3") == ("xla@GPU:0", 3)

    def test_a_death_is_told_by_its_step_and_its_frame(self):
        found = HarnessFaults()
        found.add_death(Death("crash", None, "SIGSEGV: call (outcome.py:234)", "reference of 1"), Case("add", (1, 2)))
        (row,) = found.data()
        assert (row["part"], row["error"]) == ("reference of 1", "crash: SIGSEGV: call (outcome.py:234)")
        assert Case.from_json(row["case"]).id == Case("add", (1, 2)).id


@pytest.mark.full
def test_a_run_goes_on_where_an_allowance_raises(folder, capsys):
    assert (
        main(["run", "negative", "add", "--cases", "60", "--setup", "broken_judge:raise_in_an_allowance", *OPTIONS])
        == 1
    )
    summary = json.loads((folder / "run" / "summary.json").read_text())
    assert summary["failures"] == {}
    assert "negative" in {finding["name"] for finding in summary["findings"]}
    (row,) = summary["harness_faults"]
    assert row["part"] == "element.uninitialised"
    assert row["error"] == "KeyError: 'of all things'"
    assert row["count"] > 1
    assert Case.from_json(row["case"]).name == "negative"
    assert "Harness faults in 1 location" in capsys.readouterr().out
    for page in ("report.md", "report.html"):
        assert "of all things" in (folder / "run" / page).read_text()


@pytest.mark.full
def test_a_death_in_a_comparison_is_no_crash_of_the_subject(folder, capsys):
    assert (
        main(["run", "negative", "add", "--cases", "24", "--setup", "broken_judge:die_in_comparisons", *OPTIONS]) == 3
    )  # the judge failed on every answer of negative
    summary = json.loads((folder / "run" / "summary.json").read_text())
    assert not any(finding["kind"] == "crash" for finding in summary["findings"])
    rows = summary["harness_faults"]
    assert rows
    assert all(row["part"].startswith("comparison in eager") for row in rows)
    assert all("SIGSEGV" in row["error"] and Case.from_json(row["case"]).name == "negative" for row in rows)


@pytest.mark.parametrize(("step", "is_subjects"), [("comparison in eager of 0", False), ("eager 0", True)])
def test_a_death_of_the_judge_is_no_difference(step, is_subjects):
    case = Case("add", (1, 2))
    death = Death("crash", case.json(), "SIGSEGV", step)
    if not is_subjects:
        with pytest.raises(JudgeDied, match="crash in comparison"):
            read_differences(death, case, "eager")
        return
    assert [found.kind for found in read_differences(death, case, "eager")] == ["crash"]
