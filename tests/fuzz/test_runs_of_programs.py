"""Runs of `--subject tensorflow` taken up again: every command takes their directories, files and ids."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from fuzz.__main__ import main
from fuzz.engine.run_options import Options, start_options
from fuzz.schemas import SCHEMAS, read_schema
from fuzz.shrink.shrinker import reduce_case
from fuzz.triage.ledger import Finding
from fuzz.triage.output import RUN, Archive
from oracle import Case
from oracle.harness import run_reference

SUBJECT = ["--subject", "tensorflow"]


def divide(*numbers):
    """A program that a graph computes otherwise: a quotient by a large constant."""
    constant = np.array(2e38, np.float32)
    constant.flags.writeable = False
    return Case("tf.math.divide", (np.array(numbers, np.float32), constant))


RIGHT = Case("tf.math.sqrt", (np.array([1.0, 4.0], np.float32),))
SYMPTOMS = ("other value", "nan made", "infinity made")


@pytest.fixture
def run(tmp_path):
    """A function that makes the directory of a run with a finding for each of these symptoms, and returns their ids."""

    def make(name, *symptoms):
        options = Options(names=("math.divide",), cases=128, modes=("eager", "graph"), subject="tensorflow")
        with Archive.make(tmp_path / name) as archive:
            archive.write(RUN, json.dumps(start_options(options).data(7)))
            for symptom in symptoms:
                detail = "expected 0.5, got 0.0"
                archive.keep(
                    Finding("tf.math.divide", "value", ("graph",), "float", detail, divide(1e38, 1.0), symptom=symptom)
                )
        return tmp_path / name

    return make


def read_rows(directory):
    return [json.loads(line) for line in (directory / "findings.jsonl").read_text().splitlines()]


def test_a_report_is_written_of_what_a_run_has_found(run, capsys):
    root = run("one", SYMPTOMS[0])
    assert main(["merge", str(root)]) == 1
    summary = json.loads((root / "summary.json").read_text())
    assert [cause["title"] for cause in summary["causes"]] == ["math.divide (graph)"]
    assert "tf.math.divide" in (root / "report.md").read_text()
    assert json.loads((root / "cases.jsonl").read_text())["id"].startswith("tf.math.divide-value-")


def test_the_files_of_a_run_follow_their_schemas(run, capsys):
    root = run("one", SYMPTOMS[0])
    assert main(["merge", str(root)]) == 1
    schemas = [read_schema(name) for name in SCHEMAS]
    registry = Registry().with_resources([(schema["$id"], Resource.from_contents(schema)) for schema in schemas])
    files = {"run": "run.json", "summary": "summary.json", "finding": "findings.jsonl", "recorded_case": "cases.jsonl"}
    files["case"] = read_rows(root)[0]["case"]
    for name, file in files.items():
        Draft202012Validator(read_schema(name), registry=registry).validate(json.loads((root / file).read_text()))


def test_a_finding_has_the_class_and_the_structure_of_its_program():
    ordinary = Finding("tf.math.sqrt", "value", ("graph", "xla"), "float", "", RIGHT)
    edge = Finding("tf.math.divide", "value", ("xla@CPU:1",), "float", "", divide(1e38))
    assert [one.data()["call_class"] for one in (ordinary, edge)] == ["ordinary", "edge"]
    assert [one.root for one in (ordinary, edge)] == ["math.sqrt (graph)", "math.divide (xla)"]
    slope = Finding("tf.math.sqrt", "gradient", ("eager",), "float", "", Case("tf.gradient", (RIGHT,)))
    assert slope.structure == "gradient of math.sqrt"
    assert slope.id != replace(slope, minimal=RIGHT).id


@pytest.mark.full
def test_a_finding_is_judged_again_by_its_id(run, tmp_path, capsys):
    root = run("one", SYMPTOMS[0])
    (tmp_path / "right.json").write_text(RIGHT.json())
    (row,) = read_rows(root)
    words = [row["id"], str(tmp_path / "right.json"), str(root)]
    assert main(["replay", *words, "--out", str(root), "--modes", "graph"]) == 1
    told = capsys.readouterr().out
    assert f"still  {row['id']}  tensorflow, graph" in told
    assert "value in graph: expected 0.5" in told
    assert "agrees  right" in told
    assert "3 cases: 2 still, 1 agrees" in told


@pytest.mark.full
def test_a_stored_program_is_reduced(run, tmp_path, capsys):
    root = run("one", SYMPTOMS[0])
    smaller = tmp_path / "smaller.json"
    case = str(root / read_rows(root)[0]["case"])
    assert main(["replay", "--reduce", case, "--modes", "graph", "--write", str(smaller)]) == 1
    assert "value in graph" in capsys.readouterr().out
    assert json.loads(smaller.read_text())["args"][0]["shape"] == []


@pytest.mark.full
def test_the_same_seed_gives_the_same_files_whatever_the_jobs_and_if_it_is_resumed(tmp_path, capsys):
    options = ["math.*", *SUBJECT, "--seed", "7", "--modes", "eager,graph"]
    runs = {"one": "1", "two": "2"}
    for name, jobs in runs.items():
        arguments = ["--cases", "256", "--jobs", jobs, "--out", str(tmp_path / name)]
        assert main(["run", *options, *arguments]) == 1
    part = str(tmp_path / "part")
    assert main(["run", *options, "--cases", "128", "--jobs", "1", "--out", part]) == 1
    assert main(["run", "--resume", part, "--cases", "256", "--jobs", "1"]) == 1
    texts = [(tmp_path / name / "findings.jsonl").read_text() for name in (*runs, "part")]
    assert texts[0] == texts[1] == texts[2]
    states = [json.loads((tmp_path / name / "state.json").read_text()) for name in (*runs, "part")]
    for state in states:
        state["counts"] |= {"seconds": None, "seconds_of": None, "work": None, "spent": None}
        state["seconds"] = None
    assert states[0] == states[1] == states[2]


@pytest.mark.full
def test_a_campaign_runs_on_several_devices(tmp_path, capsys):
    options = ["math.argmax", "nn.relu6", *SUBJECT, "--seed", "5", "--cases", "128"]
    devices = ["--devices", "CPU:0,CPU:1", "--jobs", "1"]
    assert main(["run", *options, *devices, "--out", str(tmp_path / "devices")]) == 1
    modes = {mode for row in read_rows(tmp_path / "devices") for mode in row["modes"]}
    assert {"eager", "eager@CPU:1"} <= modes


@pytest.mark.parametrize(
    "words",
    [
        ["coverage", *SUBJECT],
        ["replay", "RUN", "--modes", "vmap"],
        ["replay", "RUN", "--setup", "json:dumps"],
        ["replay", "RUN", "--subject", "tfnp"],
        ["replay", "CALL", *SUBJECT],
        ["run", "--resume", "RUN", "--subject", "tfnp"],
        ["replay", "BROKEN"],
    ],
)
def test_what_is_not_offered_is_told_in_one_line(run, tmp_path, capsys, words):
    root = run("one", SYMPTOMS[0])
    (tmp_path / "call.json").write_text('{"case": "sin", "args": [1]}')
    (tmp_path / "broken.json").write_text('{"case": "tf.math.abs", "args": 1}')
    paths = {"RUN": str(root), "CALL": str(tmp_path / "call.json"), "BROKEN": str(tmp_path / "broken.json")}
    assert main([paths.get(word, word) for word in words]) == 2
    told = capsys.readouterr().err.strip().split("\n")
    assert len(told) == 1
    assert told[0].startswith("fuzz: ")


def test_a_program_is_reduced_to_the_call_that_needs_the_others_no_more():
    """What earlier calls give in eager mode takes their place, arrays get shorter, and numbers simpler."""
    negative = Case("tf.math.negative", (np.array([1.0, 2.0], np.float32),))
    program = Case("tf.math.divide", (negative, np.array([3.0, 0.0], np.float32)))

    def divides_by_zero(candidate):
        quotients = [call for call in candidate.calls() if call.name == "tf.math.divide" and len(call.args) == 2]
        return any(not np.all(run_reference(Case("tf.identity", call.args[1:])).value) for call in quotients)

    minimal = reduce_case(program, divides_by_zero, 100)
    assert str(minimal) == "tf.math.divide(0.0, 0.0)"
