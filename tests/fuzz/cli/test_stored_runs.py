"""Baselines that expire, and runs that are compared, merged and reported from what they left."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.engine.recovery import read_run
from fuzz.triage.baseline import Baseline
from tests.fuzz.inline import run_inline

SUBJECT = ["--subject", "planted_many", "--modes", "eager", "--jobs", "1", "--seed", "5"]
NAMES = ("negative", "positive", "ceil", "floor")


@pytest.fixture(autouse=True)
def planted_modules(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    run_inline(monkeypatch)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run, and the same in two shards."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1])
        run_inline(patch)
        for name, more in (("whole", []), ("first", ["--shard", "1/2"]), ("second", ["--shard", "2/2"])):
            assert main(["run", *NAMES, *SUBJECT, "--cases", "160", *more, "--out", str(folder / name)]) == 1
    return folder


def test_a_report_is_written_anew(runs, capsys):
    before = {path.name: path.read_bytes() for path in (runs / "whole").iterdir() if path.is_file()}
    for name in ("summary.json", "cases.jsonl", "report.html", "report.md", "junit.xml"):
        (runs / "whole" / name).unlink()
    assert main(["merge", str(runs / "whole")]) == 1
    assert {path.name: path.read_bytes() for path in (runs / "whole").iterdir() if path.is_file()} == before


def test_a_directory_without_a_run_is_a_mistake(tmp_path, capsys):
    for command in (["merge"], ["diff", str(tmp_path)], ["baseline", "--write", str(tmp_path / "b.json")]):
        assert main([*command, str(tmp_path)]) == 2 or command[0] == "baseline"
    (tmp_path / "findings.jsonl").write_text('{"id": 5}\n')
    assert main(["baseline", str(tmp_path), "--write", str(tmp_path / "b.json")]) == 2
    assert "not a finding" in capsys.readouterr().err


def test_shards_are_merged_to_what_one_run_would_have_found(runs, tmp_path, capsys):
    assert main(["merge", str(runs / "first"), str(runs / "second"), "--out", str(tmp_path / "both")]) == 1
    whole, both = (json.loads((path / "summary.json").read_text()) for path in (runs / "whole", tmp_path / "both"))
    for key in ("subject", "modes", "devices", "cases", "answers", "names", "topics", "shard", "seed", "schedule"):
        assert both[key] == whole[key], key
    assert both["by_name"].keys() == whole["by_name"].keys()
    assert {row["id"] for row in both["findings"]} >= {row["id"] for row in whole["findings"] if row["reproduced"]}
    for row in both["findings"]:
        assert (tmp_path / "both" / row["case"]).is_file()
        assert not row["repro"] or (tmp_path / "both" / row["repro"]).is_file()
    assert (tmp_path / "both/report.html").is_file()


def test_runs_of_two_subjects_are_not_merged(runs, tmp_path, capsys):
    run = json.loads((runs / "whole/run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps(run | {"subject": "numpy"}))
    assert main(["merge", str(runs / "whole"), str(tmp_path)]) == 2
    assert "is of subject numpy" in capsys.readouterr().err


def test_what_only_one_run_has_is_shown(runs, tmp_path, capsys):
    lines = (runs / "whole/findings.jsonl").read_text().splitlines(keepends=True)
    for name in ("run.json", "findings.jsonl"):
        (tmp_path / name).write_text((runs / "whole" / name).read_text() if name == "run.json" else "".join(lines[1:]))
    (tmp_path / "cases").mkdir()
    for path in (runs / "whole/cases").iterdir():
        (tmp_path / "cases" / path.name).write_text(path.read_text())
    row = json.loads(lines[0])
    assert main(["diff", str(runs / "whole"), str(runs / "whole")]) == 0
    assert f"0 new, 0 not found again, {len(lines)} in both" in capsys.readouterr().out
    assert main(["diff", str(tmp_path), str(runs / "whole")]) == 1
    assert re.search(rf"^\+ {row['kind']}  .*{row['id']}  1 finding$", capsys.readouterr().out, re.MULTILINE)
    assert main(["diff", str(runs / "whole"), str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert re.search(rf"^- {row['kind']}  .*{row['id']}  1 finding$", printed, re.MULTILINE)
    assert "1 not found again (--replay tells whether they are fixed)" in printed
    assert main(["diff", str(runs / "whole"), str(tmp_path), "--replay", *SUBJECT[:2]]) == 0
    assert "1 not found again (1 still), " in capsys.readouterr().out
    assert main(["diff", str(tmp_path), str(runs / "whole"), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [found["id"] for found in data["new"]] == [row["id"]]
    run = json.loads((runs / "whole/run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps(run | {"subject": "numpy"}))
    assert main(["diff", str(tmp_path), str(runs / "whole")]) == 2
    assert "judged 'numpy', " in capsys.readouterr().err


def test_only_what_is_new_fails_until_the_baseline_expires(runs, tmp_path, capsys):
    path, whole = tmp_path / "baseline.json", str(runs / "whole")
    again = ["run", *NAMES, *SUBJECT, "--cases", "160", "--baseline", str(path)]
    assert main(["baseline", whole, "--write", str(path), "--until", "2999-12-31", "--why", "a list of its own"]) == 0
    assert main([*again, "--out", str(tmp_path / "known")]) == 0
    assert all(finding.known for finding in read_run(tmp_path / "known").findings)
    data = json.loads(path.read_text())
    data["entries"][0]["until"] = "2026-01-01"
    path.write_text(json.dumps(data))
    capsys.readouterr()
    assert main([*again, "--out", str(tmp_path / "expired")]) == 1
    entry = data["entries"][0]
    assert (
        f"expired  {entry['id']} {entry['name']} {entry['kind']}: accepted until 2026-01-01" in capsys.readouterr().out
    )
    new = [finding.id for finding in read_run(tmp_path / "expired").findings if not finding.known]
    assert new == [entry["id"]]


def test_a_baseline_is_added_to():
    rows = [{"id": f"f-{n}", "name": "add", "kind": "value", "modes": ["eager"], "more": 1} for n in range(3)]
    today = date(2026, 6, 1)
    first = Baseline({}, today).with_findings(rows[:2], date(2026, 6, 30), "old")
    later = Baseline(first.entries, date(2026, 7, 1))
    assert (first.known, later.known) == (frozenset({"f-0", "f-1"}), frozenset())
    both = first.with_findings(rows, date(2027, 1, 1), "new")
    assert {key: entry["until"] for key, entry in both.entries.items()} == {
        "f-0": "2026-06-30",
        "f-1": "2026-06-30",
        "f-2": "2027-01-01",
    }
    assert later.with_findings(rows[:1], date(2027, 1, 1), "new").known == {"f-0"}


ENTRY = '{"id": "f", "name": "", "kind": "", "modes": [], "until": "soon", "why": ""}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 1}',
        *(f'{{"format": {n}, "entries": [{e}]}}' for n, e in ((3, ""), (2, ENTRY), (1, "{}"), (1, ENTRY))),
    ],
)
def test_what_is_no_baseline_is_a_mistake(tmp_path, capsys, text):
    path = tmp_path / "baseline.json"
    path.write_text(text)
    assert main(["run", "add", "--baseline", str(path), "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err.startswith(f"fuzz: {path} ")
