"""A library of six functions of NumPy's arrays: only what is its own is judged, and nothing needs TensorFlow."""

from __future__ import annotations

import inspect
import json
import re
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from fuzz.__main__ import main
from fuzz.differences import Difference
from fuzz.engine.case_judge import look_at
from fuzz.engine.drawing import ProgramSource, draw
from fuzz.engine.run_options import KINDS_OF_VALUES
from fuzz.engine.scheduler import Item
from fuzz.engine.tasks import WorkerContext, prepare
from fuzz.testing.subject_tests import BoundedJudge
from oracle import Case, Subject, load_subject
from oracle.harness import NAMES
from tests.fuzz.inline import run_inline

OWN = ("clip", "diff", "median", "roll", "tile", "trace")


@pytest.fixture(autouse=True)
def without_tensorflow(monkeypatch, tmp_path):
    """Everything runs in this process, which cannot import TensorFlow."""
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.chdir(tmp_path)
    run_inline(monkeypatch)


@pytest.fixture(scope="module")
def bench():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent)
        return prepare("small_library", ("CPU:0",))


def run(capsys, *options):
    """Run a campaign, and return its exit status, what it printed, and its summary."""
    status = main(["run", "--subject", "small_library", "--seed", "5", "--jobs", "1", "--out", "run", *options])
    return status, capsys.readouterr().out, json.loads(Path("run/summary.json").read_text())


def test_what_is_numpys_own_object_is_reexported():
    subject = load_subject("small_library")
    assert [name for name in NAMES if subject.has(name) and not subject.reexports(name)] == sorted(OWN, key=NAMES.index)
    for name in ("add", "add.reduce", "ndarray.sort", "linalg.norm", "pi", "random.normal"):
        assert subject.reexports(name), name
    assert not subject.reexports("no.such")
    assert not any(load_subject("numpy").reexports(name) for name in NAMES)


def test_a_finding_of_edge_calls_fails_only_a_run_that_asks_for_it(capsys):
    command = ["run", "median", "--subject", "small_library", "--seed", "5", "--cases", "40", "--jobs", "1"]
    options = ["--values-only", "--out"]
    assert main([*command, *options, "any"]) == 1
    assert main([*command, "--fail-on", "edge", *options, "edge"]) == 1
    capsys.readouterr()
    assert main([*command, "--fail-on", "ordinary", *options, "ordinary"]) == 0
    printed = capsys.readouterr().out
    assert "value (edge call)" in printed
    assert "of edge calls; 1 do not fail the run (--fail-on ordinary)" in printed
    assert "--fail-on ordinary" in printed.partition("Repeat: ")[2]
    summary = json.loads(Path("ordinary/summary.json").read_text())
    assert [row["call_class"] for row in summary["findings"]] == ["edge"]
    assert main(["merge", "ordinary"]) == 0
    assert main(["merge", "edge"]) == 1


def test_only_the_librarys_own_names_are_judged_and_only_eagerly(capsys):
    status, printed, summary = run(capsys, "--cases", "48")
    assert status == 1
    assert set(summary["by_name"]) == set(OWN)
    assert summary["modes"] == ["eager"]
    assert summary["unsupported"] == {}
    assert summary["names"]["present"] == len(OWN)
    count = summary["names"]["reexported"]
    assert f"small_library re-exports {count} of NumPy's names, which are not judged" in printed
    spent = re.search(
        r"^Time: (\S+) s: (\S+) s until the first case, (\S+) s of cases, (\S+) s until", printed, re.MULTILINE
    )
    assert sum(map(float, spent.groups()[1:])) == pytest.approx(float(spent[1]), abs=0.3)
    assert "Left out in a short run: programs, calls by keyword" in printed
    assert f"re-exports {count} of" in Path("run/report.html").read_text()
    assert main(["merge", "run"]) == 1
    rebuilt = json.loads(Path("run/summary.json").read_text())
    assert (rebuilt["names"], rebuilt["left_out"]) == (summary["names"], summary["left_out"])


def test_programs_call_only_what_a_library_has():
    own = load_subject("small_library")
    library = SimpleNamespace(diff=own.find("diff"), median=own.find("median"))
    bench = WorkerContext(Subject("library_of_two", library), ("CPU:0",), ("diff", "median"))
    items = [Item(seed, "diff", seed, 1, (("eager", 1),), program=True) for seed in range(40)]
    for item in items:
        assert {call.name for call in draw(item, 0, bench.find_program_source()).calls()} <= {"diff", "median"}
    assert any(len(draw(item, 0, ProgramSource(OWN)).calls()) > 1 for item in items)


@pytest.mark.parametrize("lacking", ["", "copy"])
def test_programs_that_write_through_views_call_only_what_a_library_has(lacking):
    source = ProgramSource(("add",), has=lambda name: name != lacking, has_views=True)
    items = [Item(seed, "add", seed, 1, (("eager", 1),), program=True) for seed in range(1, 100, 2)]
    called = {call.name for item in items for call in draw(item, 0, source).calls()}
    assert ("copy" in called) == (lacking == "")


def test_no_call_gives_what_a_signature_lacks_or_does_not_document(capsys):
    """`median` takes `keepdims` where NumPy takes `out`; `clip` documents one of its options only."""
    _, _, summary = run(capsys, "median", "clip", "--cases", "400", "--schedule", "short")
    given = {name: set(row["parameters"]) for name, row in summary["by_name"].items()}
    assert given["median"] == {"a", "axis", "keepdims"}
    assert given["clip"] >= {"a", "a_min", "a_max", "out", "kwargs"}
    kinds = {row["kind"] for row in summary["findings"]}
    assert "value" in kinds
    assert not kinds & {"spurious error", "missing error", "shape"}


def test_no_call_within_a_program_does_either(bench, capsys, monkeypatch):
    calls = []

    def median(*args, **kwargs):
        calls.append((args, kwargs))
        return original(*args, **kwargs)

    original = bench.subject.module.median
    median.__signature__ = inspect.signature(original)
    monkeypatch.setattr(bench.subject.module, "median", median)
    run(capsys, "median", "--cases", "100", "--programs")
    assert {len(args) for args, _ in calls} == {0, 1, 2}  # none when the signature is looked at
    assert {key for args, kwargs in calls if args for key in kwargs} == {"axis", "keepdims"}


def test_with_values_only_a_wrong_shape_is_a_finding_and_a_signature_is_none(capsys):
    status, printed, summary = run(capsys, "diff", "clip", "trace", "--cases", "1200", "--values-only")
    kinds = {row["kind"] for row in summary["findings"]}
    assert (status, "shape" in kinds) == (1, True)
    assert kinds <= KINDS_OF_VALUES
    assert not (KINDS_OF_VALUES & {"signature", "structure", "spurious error", "missing error", "different error"})
    assert "missing parameter" not in printed
    assert summary["missing_parameters"] == {}
    assert "--values-only" in printed.partition("Repeat: ")[2]
    main(["merge", "run"])
    assert json.loads(Path("run/summary.json").read_text())["missing_parameters"] == {}


def test_a_signature_fails_a_run_that_is_asked_to_report_it(capsys):
    command = ["run", "trace", "--subject", "small_library", "--cases", "16", "--jobs", "1"]
    assert main([*command, "--values-only", "--out", "values"]) == 0
    assert main([*command, "--out", "default"]) == 0
    assert "Not offered, and not asked for: " in capsys.readouterr().out
    assert main([*command, "--signatures", "on", "--out", "all"]) == 1
    assert main([*command, "--values-only", "--signatures", "on"]) == 2
    assert "leave out --signatures on" in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "counts"), [("shape", True), ("value", True), ("structure", False)])
def test_pytest_takes_values_only_as_well(kind, counts):
    shown = [Difference(0, 0, "diff", kind, ("eager",), "float", "expected 1, got 2", "{}")]
    judge = SimpleNamespace(judge=lambda case: shown)
    assert BoundedJudge(judge, (), KINDS_OF_VALUES)(Case("diff", (1,))) == (shown if counts else [])
    assert BoundedJudge(judge, ())(Case("diff", (1,))) == shown


def test_commands_are_printed_as_they_work(capsys):
    _, printed, _ = run(capsys, "roll", "--cases", "120", "--values-only")
    command = re.search(r"^Replay: python -m fuzz (.*)$", printed, re.MULTILINE)[1]
    assert re.fullmatch(r"replay run/cases/f-\w+\.json --subject small_library --modes eager", command)
    assert Path(shlex.split(command)[1]).is_file()
    assert re.search(r"^Script: python run/repros/f-\w+\.py$", printed, re.MULTILINE)
    assert f'"replay":"python -m fuzz {command}"' in Path("run/report.html").read_text()


def test_names_that_are_only_reexported_make_no_run(capsys):
    assert main(["run", "add", "--subject", "small_library", "--cases", "8", "--jobs", "1"]) == 2
    assert "none of the 1 names asked for but those of NumPy's that it re-exports" in capsys.readouterr().err


def test_pytest_tests_the_librarys_own_names(bench):
    assert set(look_at(bench, (NAMES, True))) == set(OWN)
