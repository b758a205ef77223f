"""The command line: a contract for scripts, and one clear line for whoever mistypes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import metadata
from pathlib import Path

import click
import numpy as np
import pytest

from fuzz.__main__ import LABORATORY, SECTIONS, main, program
from fuzz.cli import run
from fuzz.cli.case_files import Judged, find_records
from fuzz.cli.lab import MOVED
from fuzz.cli.options import Duration, Seed, Shard, Unclear, Words, check_device, check_mode
from fuzz.cli.run import choose_exit_status
from fuzz.engine.run_options import LARGEST_SEED, MOST_CASES, MOST_SHARDS
from fuzz.report import RunRecord
from oracle import Case
from tests.fuzz.inline import run_inline

ROOT = Path(__file__).parents[3]


def fuzz(*arguments, folder):
    """Its exit status, and what a command writes that is run in a folder."""
    output, errors = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        patch.chdir(folder)
        patch.setenv("COLUMNS", "160")
        status = main([str(argument) for argument in arguments])
    return status, output.getvalue(), errors.getvalue()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("120s", 120), ("2m", 120), ("1h", 3600), ("1h30m", 5400), ("1.5m", 90), ("500ms", 0.5)],
)
def test_lengths_of_time(text, seconds):
    assert Duration().convert(text, None, None) == seconds


def test_lists_and_shards():
    assert Words(check_mode).convert("eager, xla,eager", None, None) == ("eager", "xla")
    assert Words(check_device).convert("CPU:0,GPU:1", None, None) == ("CPU:0", "GPU:1")
    assert Shard().convert("2/5", None, None) == (2, 5)
    for text in ("0/5", "6/5", "5", "a/b"):
        with pytest.raises(Unclear, match="not a shard"):
            Shard().convert(text, None, None)


def test_a_seed_may_be_the_name_of_a_commit():
    convert = Seed().convert
    assert convert("7", None, None) == 7
    assert convert("ad7f50b", None, None) == 0xAD7F50B
    assert convert("AD7F50B" + "0" * 33, None, None) == 0xAD7F50B000000000
    assert convert("f" * 40, None, None) == convert(str(LARGEST_SEED), None, None) == LARGEST_SEED
    assert convert("9" * 40, None, None) == 0x9999999999999999  # a commit whose name happens to have no letter
    for text in ("-1", "1.5", "abc", "g" * 8, str(LARGEST_SEED + 1), "9" * 39):
        with pytest.raises(Unclear):
            convert(text, None, None)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("run", "--modes", "eagre"), "no mode 'eagre'; did you mean eager?"),
        (("run", "--modes", "Eager!"), "no mode 'Eager!'"),
        (("run", "--subject", "dask.array", "--modes", "jit"), "no mode 'jit'; there are eager"),
        (("run", "--modes", ","), "empty list for --modes"),
        (("run", "linalg.nrom"), "no name 'linalg.nrom' that cases are made for; did you mean linalg.norm"),
        (("run", "zz*"), "no name 'zz*'"),
        (("run", "--time", "5x"), "'5x' is not a duration"),
        (("run", "--subject", "tfnpp"), "no module 'tfnpp'; did you mean tfnp or tfnp.numpy?"),
        (("run", "--subject", "no-module"), "no module 'no-module'"),
        (("run", "--devices", "gpu"), "no device 'gpu'; did you mean GPU:0"),
        (("run", "--shard", "3/2"), "'3/2' is not a shard"),
        (("run", "--shard", f"1/{MOST_SHARDS + 1}"), "is not a shard"),
        (("run", "--shard", f"1/{'9' * 5000}"), "is not a shard"),
        (("run", "--cases", MOST_CASES + 1), "is not in the range"),
        (("run", "--time", f"{'9' * 400}d"), "is not a positive duration of at most"),
        (("run", "--executor", "dusk"), "no executor 'dusk'; there are local and dask:ADDRESS"),
        (("run", "--seed", LARGEST_SEED + 1), "is not a seed between"),
        (("run", "--jobs", "0"), "0 is not in the range"),
        (("run", "--sed", "1"), "--seed"),
        (("run", "--out", "full"), "full is not empty"),
        (("frobnicate",), "frobnicate"),
        (("replay",), "Missing argument"),
        (("replay", "case.jsn"), "no file 'case.jsn'; did you mean case.json"),
        (("replay", "f-0123456789"), "there is no run under fuzz-out/"),
        (("replay", "f-0123456789", "--out", "full"), "no finding f-0123456789 in full"),
        (("replay", "full/text"), "full/text: not JSON"),
        (("replay", "full/list"), "full/list: not a case"),
        (("replay", "full/binary"), "full/binary: "),
        (("replay", "unknown.json"), "unknown.json: NumPy has no 'addd'; did you mean add"),
        (("replay", "bad.jsonl"), "bad.jsonl, line 1: not a finding"),
        (("replay", "case.json", "--reduce", "--write", "case.json"), "case.json exists and is not overwritten"),
        (("coverage", "--from", "full"), "full contains no run"),
        (("coverage", "--subject", "tfnpp"), "no module 'tfnpp'"),
    ],
)
def test_a_mistake_gets_one_clear_line(tmp_path, monkeypatch, capsys, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    case = Case("add", (np.array([1.0]), 2)).json()
    files = {
        "case.json": case,
        "unknown.json": case.replace("add", "addd"),
        "bad.jsonl": '{"id": 5}\n',
        "full/text": "no json",
        "full/list": "[1, 2]",
        "full/findings.jsonl": "",
    }
    (tmp_path / "full").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "full/binary").write_bytes(b"\xff\xfe\x00")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert main([str(argument) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("fuzz: ")
    assert complaint in captured.err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("command", ["run", "replay", "baseline", "diff", "merge", "coverage", "lab faults"])
def test_help_tells_the_exit_statuses(command, capsys):
    assert main([*command.split(), "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Exit status: 0" in text
    assert "2 for a usage error" in text


def test_help_lists_each_command_in_one_section(capsys):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    titles = [*SECTIONS, LABORATORY]
    assert sorted(text.index(f"\n{title}:") for title in titles) == [text.index(f"\n{title}:") for title in titles]
    listed = [name for names in SECTIONS.values() for name in names]
    assert len(set(listed)) == len(listed)
    assert set(listed) < program.commands.keys()
    assert all(text.count(f"\n  {name} ") == 1 for name, command in program.commands.items() if not command.hidden)


@pytest.mark.parametrize("old", MOVED)
def test_a_command_that_has_another_name_says_so_and_runs(old, capsys):
    now = " ".join(MOVED[old])
    assert main([old, "--help"]) == 0
    captured = capsys.readouterr()
    assert captured.err == f"fuzz: `fuzz {old}` is `fuzz {now}` now\n"
    assert f"{now.removesuffix(' --reduce')} [OPTIONS]" in captured.out


def test_help_lists_each_option_of_run_in_one_section(capsys):
    listed = [name for names in run.SECTIONS.values() for name in names]
    records = [
        parameter.opts[-1] for parameter in program.commands["run"].params if parameter.param_type_name == "option"
    ]
    assert sorted(listed) == sorted([*records, "--help"])
    assert len(run.SECTIONS["Every day"]) == 10
    assert main(["run", "--help"]) == 0
    text = capsys.readouterr().out
    assert [title for title in run.SECTIONS if f"\n{title}:\n" in text] == list(run.SECTIONS)
    assert "Others:" not in text


def test_the_version_is_that_of_the_distribution(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"array-oracle {metadata.version('array-oracle')}, NumPy ")


def test_the_console_script_prefers_what_is_installed_to_files_of_the_working_directory(tmp_path):
    """But these can be subjects."""
    (tmp_path / "random.py").write_text("raise SystemExit('a stranger')")
    (tmp_path / "my_rolls.py").write_text("import numpy as np\n\ndef roll(a, shift, axis=None):\n    return a\n")
    script = (
        "import sys; sys.path = [one for one in sys.path if one]; from fuzz.__main__ import run_script; run_script()"
    )
    words = ["run", "--subject", "my_rolls", "--cases", "30", "--jobs", "1", "--out", "run"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", script, *words]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    assert b"a stranger" not in done.stdout + done.stderr


def test_options_are_those_of_the_contract():
    options = {
        name: {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
        for name, command in (program.commands | program.commands["lab"].commands).items()
    }
    assert options["run"] >= {
        *("--time", "--cases", "--jobs", "--seed", "--modes", "--devices"),
        *(
            "--subject",
            "--out",
            "--resume",
            "--shard",
            "--executor",
            "--programs",
            "--setup",
            "--baseline",
            "--signatures",
        ),
    }
    assert options["coverage"] >= {"--subject", "--json", "--html"}
    assert {"replay", "merge", "diff", "baseline"} <= set(options)


def test_a_failure_of_the_harness_is_told_in_one_line(tmp_path, monkeypatch, capsys):
    def fail():
        raise ZeroDivisionError("of all things\nand more")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(program.commands, "fail", click.Command("fail", callback=fail))
    assert main(["fail"]) == 3
    error = capsys.readouterr().err
    assert error.startswith("fuzz: the harness failed: ZeroDivisionError: of all things (traceback: ")
    log = Path(error.strip().rpartition("traceback: ")[2].rstrip(")"))
    assert "ZeroDivisionError: of all things\nand more" in log.read_text()
    assert [path.name for path in tmp_path.rglob("*")] == ["fuzz-out", "failure.log"]


@pytest.mark.parametrize(
    ("summary", "status"),
    [
        ({}, 0),
        ({"findings": [{"known": False, "name": "add", "kind": "value"}]}, 1),
        ({"findings": [{"known": True, "name": "add"}]}, 0),
        ({"stale": ["gone"]}, 1),
        ({"cases": 0}, 2),
        ({"failures": {"Traceback": 2}}, 3),
        ({"harness_faults": [{"location": "x"}]}, 0),
        ({"names": {"judged": 1}, "modes": ["eager"]}, 0),
        ({"names": {"judged": 0}, "modes": ["eager"]}, 2),
        ({"not_judged": {"names": ["add"], "modes": [], "faulted": []}}, 0),
        ({"not_judged": {"names": ["add"], "modes": [], "faulted": ["add"]}}, 3),
        ({"interrupted": True, "findings": [{"known": False, "name": "add", "kind": "value"}]}, 130),
    ],
)
def test_the_exit_status_tells_what_came_out(tmp_path, capsys, summary, status):
    from rich.console import Console

    record = RunRecord({"subject": "tfnp", "cases": 9, "findings": [], "stale": []} | summary)
    assert choose_exit_status(record, tmp_path, Console()) == status
    assert (tmp_path / "log").exists() == ("failures" in summary)


SUBJECT, CASES = "planted_many", 48


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a run over a function that is wrong and one that lacks parameters, and what the run printed."""
    folder = tmp_path_factory.mktemp("finished")
    options = ("--subject", SUBJECT, "--cases", CASES, "--jobs", 1, "--seed", 1, "--modes", "eager")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1])
        run_inline(patch)
        yield folder, fuzz("run", "negative", "positive", *options, "--signatures", "on", folder=folder)


def test_a_run_leaves_what_the_contract_says(finished):
    folder, (status, output, error) = finished
    assert (status, error) == (1, "")
    out = folder / "fuzz-out/001"
    summary = json.loads((out / "summary.json").read_text())
    assert {"subject", "versions", "devices", "seconds", "cases", "cases_per_core_second", "names", "seed"} <= set(
        summary
    )
    assert set(summary["names"]) == {"total", "present", "exercised", "judged", "agreeing", "reexported"}
    assert (summary["subject"], summary["cases"], summary["seed"]) == (SUBJECT, CASES, 1)
    lines = [json.loads(line) for line in (out / "findings.jsonl").read_text().splitlines()]
    assert lines == summary["findings"]
    for row in lines:
        assert {"id", "name", "kind", "modes", "dtype", "minimal", "repro", "reproduced", "known"} <= set(row)
        assert Case.from_json((out / "cases" / f"{row['id']}.json").read_text()).typed() == row["minimal"]
        assert not row["repro"] or (out / row["repro"]).is_file()
        assert row["id"] in output or row["kind"] == "signature"
    assert any(row["reproduced"] for row in lines)
    assert {"negative", "positive"} <= {row["name"] for row in lines}
    assert all((out / name).stat().st_size for name in ("report.html", "report.md", "junit.xml"))
    assert "fuzz-out/001/report.html" in output


def test_a_finding_is_replayed_by_its_id_against_the_subject_it_was_found_in(finished, monkeypatch, capsys):
    folder, _ = finished
    monkeypatch.chdir(folder)
    rows = [json.loads(line) for line in (folder / "fuzz-out/001/findings.jsonl").read_text().splitlines()]
    row = next(row for row in rows if row["kind"] != "signature")
    for word in (row["id"], f"fuzz-out/001/cases/{row['id']}.json"):
        assert [file.judged.subject for file in find_records(word, None, Judged(SUBJECT))] == [SUBJECT]
    (file,) = find_records("fuzz-out/001", None, Judged(SUBJECT))
    assert {one.id for one in file.records} == {row["id"] for row in rows}
    assert main(["replay", row["id"], "--subject", SUBJECT, "--modes", "eager"]) == 1
    assert f"still  {row['id']}" in capsys.readouterr().out


def test_a_case_is_reduced(finished, capsys):
    folder, _ = finished
    path = folder / "large.json"
    values = np.array([[3.0, 1.5, 2.0], [9.0, np.nan, 7.0]])
    path.write_text(Case("negative", (values,)).json())
    small = folder / "kept/small.json"
    assert main(["replay", "--reduce", str(path), "--subject", SUBJECT, "--modes", "eager", "--write", str(small)]) == 1
    output = capsys.readouterr().out
    assert "value in eager" in output
    assert "np.negative(" in output
    assert sum(array.size for array in Case.from_json(small.read_text()).arrays()) <= 2


def test_coverage_of_an_earlier_run(finished, capsys):
    folder, _ = finished
    files = folder / "deep/coverage.json", folder / "deep/coverage.html"
    command = ["coverage", "--subject", SUBJECT, "--from", str(folder / "fuzz-out/001")]
    assert main([*command, "--json", str(files[0]), "--html", str(files[1])]) == 0
    data = json.loads(files[0].read_text())
    names = {row["name"]: row for row in data["names"]}
    assert data["subject"] == SUBJECT
    summary = json.loads((folder / "fuzz-out/001/summary.json").read_text())
    assert {key: data["totals"][key] for key in summary["names"]} == summary["names"]
    assert names["negative"]["differs"]
    assert not names["linalg.svd"]["present"]
    assert names["positive"]["change"].startswith("lacks ")
    assert files[1].read_text().startswith("<!doctype html>")
    assert f"{SUBJECT} has {data['totals']['present']}" in " ".join(capsys.readouterr().out.split())
