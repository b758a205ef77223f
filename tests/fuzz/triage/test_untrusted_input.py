"""What comes from outside: of the form that a run writes, with printable texts, and nothing else."""

from __future__ import annotations

import json
import re

import pytest

from fuzz.__main__ import main
from fuzz.engine.recovery import read_findings, read_run
from fuzz.report import RunRecord
from fuzz.triage.untrusted_input import (
    CASE,
    DEVICE,
    ENCODED,
    MODE,
    Default,
    Misfit,
    Row,
    Text,
    Unreadable,
    read_data,
    take,
)
from oracle import Case

FORM = {"a": int, "b": Default(str, "none"), "c": Default([MODE])}


def test_fields_that_are_not_listed_are_dropped():
    assert take({"a": 1, "x": "y"}, FORM) == {"a": 1, "b": "none"}
    assert take({"a": 1, "b": "x", "c": ["eager@GPU:1"]}, FORM) == {"a": 1, "b": "x", "c": ["eager@GPU:1"]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "it has no a"),
        ({"a": True}, "it['a'] is a bool, not int"),
        ({"a": 2**600}, "it['a'] is too large a number"),
        ({"a": 1, "b": 5}, "it['b'] is a int, not str"),
        ({"a": 1, "c": ["eager", "eager()"]}, "it['c'][1] cannot be 'eager()'"),
        ({"a": 1, "c": ['eager@CPU:0"): raise SystemExit  #']}, "it['c'][0] cannot be"),
        ([], "it is a list, not dict"),
    ],
)
def test_what_is_of_another_form_is_refused(data, message):
    with pytest.raises(Misfit, match=re.escape(message)):
        take(data, FORM)


@pytest.mark.parametrize(
    "device", ["CPU:0\n", "CPU:0; touch x", "cpu:0", "CPU:", "job:a b/replica:0/task:0/device:CPU:0"]
)
def test_a_device_is_named_as_one(device):
    assert not DEVICE.fullmatch(device)


@pytest.mark.parametrize(
    ("data", "form", "message"),
    [
        (["a", "b"], Row(str, int), "it[1] is a str, not int"),
        (["a"], Row(str, int), "it has 1 items, not 2"),
        (["a", 1, 2], Row(str, int), "it has 3 items, not 2"),
        ({}, Row(str), "it is a dict, not list"),
        ([], [str, ...], "it is empty"),
        ([1], [str, ...], "it[0] is a int, not str"),
    ],
)
def test_a_list_has_the_items_of_its_form(data, form, message):
    assert take(["a", 1], Row(str, int)) == take(["a", 1], (int, Row(str, int))) == ["a", 1]
    assert take(["a", "b"], [str, ...]) == ["a", "b"]
    with pytest.raises(Misfit, match=re.escape(message)):
        take(data, form)


def test_texts_are_printable_and_bounded():
    assert take("one\ntwo\x1b[2J\u202e\ud800\ufffe\x00", str) == r"one two\x1b[2J\u202e\ud800\ufffe\x00"
    assert take("one\ntwo\x85", Text(lines=True)) == "one\ntwo\\x85"
    assert len(take("C" * (1 << 20), str)) == 2000
    assert take({"\x1b": [{"deep": "\x9b"}]}, object) == {"\\x1b": [{"deep": "\\x9b"}]}
    with pytest.raises(Misfit, match="not a text that a run writes"):
        take('{"case": "\u202e"}', ENCODED)


def change(path, **fields):
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def change_finding(run, **fields):
    rows = [json.loads(line) for line in (run / "findings.jsonl").read_text().splitlines()]
    (run / "findings.jsonl").write_text("".join(json.dumps(row | fields) + "\n" for row in rows))
    return rows


CODE = 'eager@CPU:0"): open("x", "w")\nwith tf.device("CPU:0'


@pytest.mark.parametrize(
    "fields",
    [
        {"modes": [CODE]},
        {"devices": ["CPU:0; touch x; :"]},
        {"own_modes": [CODE]},
        {"subject": "os; import x"},
        {"setup": "os:system('x')"},
        {"engine": "../x"},
        {"turns": "x"},
        {"calls": "x"},
        {"fail_on": "x"},
        {"started": "yesterday"},
        {"started": "2026-11-28T09:30:00"},
        {"started": "0001-01-01T00:00:00+00:00"},
        {"started": "9999-12-31T23:59:59+00:00"},
        {"revision": "--output=x"},
    ],
    ids=str,
)
def test_a_run_names_only_what_a_run_can_name(run, fields):
    change(run / "run.json", **fields)
    with pytest.raises(Unreadable, match=f"run.json: it.*{next(iter(fields))}"):
        read_run(run)


@pytest.mark.parametrize(
    "fields",
    [
        {"modes": [CODE]},
        {"modes": []},
        {"repro": "../x.py"},
        {"case": "/etc/passwd"},
        {"kind": "::error::"},
        {"id": "x"},
    ],
    ids=str,
)
def test_a_finding_names_only_what_a_run_can_name(run, fields):
    change_finding(run, **fields)
    with pytest.raises(Unreadable, match=r"line 1: not a finding: it\['"):
        read_findings(run)


DIFFERENCE = {"index": 0, "sibling": 0, "name": "add", "kind": "value", "modes": ["eager"], "dtype": "", "detail": ""}
DIFFERENCE |= {"case": Case("add", (1, 2)).json(), "times": 1, "fatal": False, "attribution": "", "cold": False}
DIFFERENCE |= {"message": "", "outputs": "", "symptom": ""}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("counts.depth", {"add": [1, {"x1": 1}, {"x1": {"array": "many"}}]}),
        ("counts.depth", {"add": [1, {"x1": {}}, {}]}),
        ("counts.depth", {"add": [1]}),
        ("counts.unanswered", [["add", "eager", "first", "", ""]]),
        ("counts.unanswered", [["add", "eager"]]),
        ("schedule.deaths", [["add", "eager", "x"]]),
        ("schedule.novelty", {"add": [[1]]}),
        ("reductions.seen", [["add", 1, 1]]),
        ("reductions.features", [[["add"], [[1]]]]),
        ("reductions.causes", [[[["value"]], 1]]),
        ("reductions.met", [["add"]]),
        ("reductions.open", [DIFFERENCE | {"case": "no case"}]),
        ("reductions.first", [DIFFERENCE | {"outputs": "{"}]),
        ("reductions.open", [DIFFERENCE | {"modes": []}]),
        ("features", "AAA"),
    ],
    ids=str,
)
def test_a_state_that_cannot_be_resumed_is_refused(run, capsys, path, value):
    *outer, last = path.split(".")
    state = json.loads((run / "state.json").read_text())
    inner = state
    for key in outer:
        inner = inner[key]
    inner[last] = value
    (run / "state.json").write_text(json.dumps(state))
    for words in (["merge"], ["run", "--cases", "64", "--resume"]):
        assert main([*words, str(run)]) == 2
        assert capsys.readouterr().err.startswith("fuzz: ")


def test_a_finding_without_outputs_is_read(run):
    rows = change_finding(run, outputs=None)
    expected = [one.data() for one in read_findings(run)]
    for row in rows:
        del row["outputs"]
    (run / "findings.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [one.data() for one in read_findings(run)] == expected
    assert main(["diff", str(run), str(run)]) == 0


def test_a_finding_has_printable_texts_and_no_other_fields(run, capsys):
    texts = dict.fromkeys(("detail", "attribution", "symptom"), "one\n::error::\x1b[2J") | {"message": "one\n\x1b two"}
    change_finding(run, **texts, unlisted="x")
    for finding in read_findings(run):
        assert {finding.detail, finding.attribution, finding.symptom} == {r"one ::error::\x1b[2J"}
        assert finding.message == "one\n\\x1b two"
    assert main(["merge", str(run)]) == 1
    record = RunRecord.load(run)
    assert all("unlisted" not in row for row in record.findings)
    for path in run.iterdir():
        assert not path.is_file() or b"\x1b" not in path.read_bytes()


def test_a_file_that_is_too_large_or_deep_is_refused(tmp_path):
    (tmp_path / "deep.json").write_text("[" * 900 + "]" * 900)
    (tmp_path / "long.json").write_text(" " * (17 << 20))
    for name, message in (("deep", "levels"), ("long", "more than 16 MiB")):
        with pytest.raises(Unreadable, match=message):
            read_data(tmp_path / f"{name}.json", object)


def test_a_case_is_taken_as_it_is():
    """Its texts are values: control characters that no message may have."""
    case = json.loads(Case("strings.strip", ("\x01\x1b[2J\u202e\ud800",)).json())
    assert take({"case": case}, {"case": CASE}) == {"case": case}
    with pytest.raises(Misfit, match=r"case.* is a str, not dict"):
        take({"case": "np.add"}, {"case": CASE})
