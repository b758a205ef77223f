"""The published schemas: what a run writes is what they say, and what they refuse it does not write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from fuzz.coverage import Coverage, NameCoverage
from fuzz.engine.campaign import Campaign
from fuzz.engine.run_options import Options
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from fuzz.report import make_badge
from fuzz.schemas import SCHEMAS, read_schema
from fuzz.triage.output import Archive
from fuzz.triage.root_cause import SEVERITY
from oracle.harness import NAMES


@pytest.fixture(scope="module")
def validators():
    """A validator for each schema; they refer to one another."""
    schemas = {name: read_schema(name) for name in SCHEMAS}
    registry = Registry().with_resources([(one["$id"], Resource.from_contents(one)) for one in schemas.values()])
    return {name: Draft202012Validator(schema, registry=registry) for name, schema in schemas.items()}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The directory of a real run over a small subject with planted faults."""
    directory = tmp_path_factory.mktemp("schemas") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent)
        options = Options(
            ("negative", "positive", "add", "sum"), cases=80, seed=3, subject="planted_many", modes=("eager",)
        )
        Campaign(options, Archive.make(directory).watch).run()
    return directory


def errors(validator, text):
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(json.loads(text))]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_a_schema(name):
    Draft202012Validator.check_schema(read_schema(name))
    assert read_schema(name)["title"]


def test_there_is_no_other_schema():
    with pytest.raises(KeyError):
        read_schema("../run")


@pytest.mark.full
def test_every_file_of_a_run_is_as_its_schema_says(run, validators):
    assert errors(validators["summary"], (run / "summary.json").read_text()) == []
    lines = (run / "findings.jsonl").read_text().splitlines()
    assert lines
    assert [found for line in lines for found in errors(validators["finding"], line)] == []
    cases = list((run / "cases").iterdir())
    assert {path.stem for path in cases} == {json.loads(line)["id"] for line in lines}
    assert [found for path in cases for found in errors(validators["case"], path.read_text())] == []
    recorded = (run / "cases.jsonl").read_text().splitlines()
    assert {json.loads(line)["case"]["case"] for line in recorded} == {json.loads(line)["name"] for line in lines}
    assert [found for line in recorded for found in errors(validators["recorded_case"], line)] == []
    for name in ("run", "state"):
        assert errors(validators[name], (run / f"{name}.json").read_text()) == []


def test_every_case_that_is_drawn_is_as_its_schema_says(validators):
    for name in generated_names()[::5]:
        assert errors(validators["case"], draw_case(SeedChoices(1), name).json()) == []


def test_coverage_and_badge_are_as_their_schemas_say(validators):
    sin = NameCoverage("sin", True, "same", runs={"eager": 3}, valid=3, asked={"eager": 3}, answers={"eager": 1})
    found = Coverage("some.module", ("eager",), [sin if name == "sin" else NameCoverage(name) for name in NAMES])
    assert errors(validators["coverage"], json.dumps(found.data())) == []
    assert errors(validators["badge"], json.dumps(make_badge(found))) == []
    assert make_badge(found)["message"] == f"1 of {len(NAMES)} agree"


@pytest.mark.parametrize(
    ("schema", "change"),
    [
        ("finding", {"kind": "a bad feeling"}),
        ("finding", {"id": "f-1"}),
        ("finding", {"modes": []}),
        ("finding", {"case": "../../etc/passwd"}),
        ("finding", {"outputs": {"mode": "eager"}}),
        ("case", {"args": [0.5]}),
        ("case", {"args": [{"float": "0.5"}]}),
        ("case", {"kwargs": {"x": {"pickle": "aa"}}}),
        ("state", {"finished": "nearly"}),
        ("state", {"mood": "good"}),
        ("recorded_case", {"modes": []}),
        ("recorded_case", {"open": {"eager": True}}),
        ("recorded_case", {"because": "of this"}),
        ("recorded_case", {"case": "cases/f-0123456789.json"}),
        ("summary", {"cases": -1}),
        ("summary", {"causes": [{"id": "c-1"}]}),
    ],
)
def test_what_no_run_writes_is_refused(run, validators, schema, change):
    path = {
        "finding": run / "findings.jsonl",
        "recorded_case": run / "cases.jsonl",
        "state": run / "state.json",
        "summary": run / "summary.json",
        "case": next((run / "cases").iterdir()),
    }[schema]
    text = path.read_text().splitlines()[0] if path.suffix == ".jsonl" else path.read_text()
    assert errors(validators[schema], json.dumps(json.loads(text) | change))


def test_the_schema_lists_the_kinds_that_there_are():
    assert set(read_schema("finding")["properties"]["kind"]["enum"]) == set(SEVERITY)
