"""The verdict corpus: no verdict on a recorded outcome changes unless the change is recorded, too.

When verdicts change because the judge does, `python -m oracle.corpus` lists them; CONTRIBUTING says what to do then.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fuzz.generate.calls import generated_names
from oracle import Case, Mode, Outcome, run_numpy
from oracle.compare import pipeline
from oracle.corpus import files
from oracle.corpus.__main__ import main
from oracle.corpus.changes import report
from oracle.corpus.comparison import Part, check
from oracle.corpus.records import RecordedOutcome, summarize
from oracle.corpus.replay import _interpret, judge_records
from oracle.harness import ACCEPTING, Death, Reason, find_examples
from tests.oracle.corpus_recording import find_unfitness

FOLDER = Path(__file__).parent / "corpus"
SOURCES = files.list_sources(FOLDER)
PARTS = 20
FIRST_TIER = 2  # parts, a tenth of the corpus
ELSEWHERE = 0.01  # the share of verdicts that may differ with another version of NumPy, or on another processor
LARGEST = 8 << 20  # bytes
AGREEING = RecordedOutcome.of(Case("add", (np.ones(2), 1.0)), Mode("eager"), True, Outcome(np.full(2, 2.0)))
WRONG = RecordedOutcome.of(Case("add", (np.ones(2), 1.0)), Mode("graph"), True, Outcome(np.full(2, 3.0)))
REFUSED = RecordedOutcome.of(
    Case("add", (np.ones(2), np.ones(3))), Mode("xla"), False, Outcome.raised(ValueError("no"))
)


@pytest.mark.parametrize(
    "number", [pytest.param(part, marks=pytest.mark.full if part > FIRST_TIER else ()) for part in range(1, PARTS + 1)]
)
def test_no_verdict_has_changed(number):
    result = check(FOLDER, part=Part(number, PARTS))
    judged = sum(map(len, result.verdicts.values()))
    is_here = files.read_circumstances(FOLDER) == files.find_circumstances()
    assert judged > 100
    assert len(result.changes) <= (0 if is_here else judged * ELSEWHERE), "\n".join(report(result.changes))


def test_every_name_is_recorded():
    called = {record.name for record in files.read_records(FOLDER, "tfnp_eager")}
    assert set(generated_names()) - called == set()


def test_every_allowance_is_used():
    verdicts = [verdict for source in SOURCES for verdict in files.read_verdicts(FOLDER, source).values()]
    used = {allowed.partition(": ")[0] for verdict in verdicts for allowed in verdict.get("allowed", ())}
    assert [entry.id for entry in ACCEPTING if entry.id not in used and has_record(entry)] == []


def has_record(entry):
    """Whether its witness can be recorded, and needs it on any processor, whatever is in uninitialised memory."""
    try:
        record_of(entry)
    except TypeError:
        return False
    case = find_examples(entry.id).witness.case
    return entry.is_live and not find_unfitness(case, run_numpy(case))


def record_of(entry):
    return find_examples(entry.id).witness.record


def test_the_files_are_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < LARGEST


@pytest.mark.full
@pytest.mark.parametrize("source", SOURCES)
def test_a_file_is_in_order(source):
    records = files.read_records(FOLDER, source)
    keys = [record.key for record in records]
    assert keys == sorted(set(keys))
    verdicts = files.read_verdicts(FOLDER, source)
    assert list(verdicts) == [record.id for record in records if record.id in verdicts]


def test_a_change_of_the_judge_is_noticed(monkeypatch):
    entry = next(entry for entry in ACCEPTING if entry.kinds == ("value",) and entry.reason is Reason.NUMPY_OPEN)
    record = record_of(entry)
    assert summarize(record.judge()) == {"allowed": [f"{entry.id}: value"]}
    monkeypatch.setattr(pipeline.accept_deviations, "__defaults__", ((),))
    assert summarize(record.judge()) == {"differences": ["value"]}


def test_a_fault_of_the_judge_is_part_of_a_verdict(monkeypatch):
    def fail(*args, **options):
        raise KeyError("no")

    monkeypatch.setattr(pipeline, "compare_status", fail)
    faults = ["comparison: KeyError in collect_deviations"]
    assert summarize(WRONG.judge()) == {"undecided": "the comparison raised an exception", "faults": faults}


@pytest.fixture
def corpus(tmp_path):
    """A corpus of three records, with their verdicts."""
    files.write_records(tmp_path, "one", [WRONG, AGREEING, WRONG])
    files.write_records(tmp_path, "two", [REFUSED])
    assert main(["--accept", "--corpus", str(tmp_path)]) == 0
    return tmp_path


def read(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_equal_contents_are_equal_files(corpus):
    before = read(corpus)
    files.write_records(corpus, "one", reversed(files.read_records(corpus, "one")))
    assert main(["--accept", "--corpus", str(corpus)]) == 0
    assert read(corpus) == before
    assert before["one.verdicts.jsonl"].count(b"\n") == 1, "agreement is not written"
    assert json.loads(before["one.verdicts.jsonl"])["verdict"] == {"differences": ["value"]}
    assert not before["two.verdicts.jsonl"]


def test_changes_are_told_and_accepted(corpus, capsys):
    verdicts = {WRONG.id: {}, AGREEING.id: {"allowed": ["order.equal: value"]}}
    files.write_verdicts(corpus, "one", [WRONG, AGREEING], verdicts)
    assert main(["--corpus", str(corpus)]) == 1
    shown = capsys.readouterr().out
    assert "1 x agrees -> differs (value)\n    of add\n    one" in shown
    assert f"{WRONG.id} in graph@CPU:0: np.add(" in shown
    assert "expected 2.0, got 3.0" in shown
    assert "1 x allowed -> agrees; allowance order.equal: value lost" in shown
    assert "2 of 3 verdicts changed (2 agrees, 1 differs)" in shown
    assert main(["two", "--corpus", str(corpus)]) == 0
    assert main(["--accept", "--corpus", str(corpus)]) == 0
    assert main(["--corpus", str(corpus)]) == 0


def test_a_part_is_judged_and_accepted_by_itself(corpus):
    parts = [check(corpus, part=Part(number, 3)) for number in (1, 2, 3)]
    assert sum(len(verdicts) for one in parts for verdicts in one.verdicts.values()) == 3
    number = next(number for number in (1, 2, 3) if Part(number, 3).has(WRONG))
    before = read(corpus)
    files.write_verdicts(corpus, "one", [WRONG], {WRONG.id: {}})
    for other in {1, 2, 3} - {number}:
        assert main(["--accept", "--part", f"{other}/3", "--corpus", str(corpus)]) == 0
    assert main(["--part", f"{number}/3", "--corpus", str(corpus)]) == 1
    assert main(["--accept", "--part", f"{number}/3", "--corpus", str(corpus)]) == 0
    assert read(corpus) == before


def test_a_record_of_two_sources_has_a_verdict_in_both(corpus):
    files.write_records(corpus, "three", [WRONG])
    assert len(check(corpus).changes) == 1
    assert main(["--accept", "--corpus", str(corpus)]) == 0
    assert files.read_verdicts(corpus, "one") == files.read_verdicts(corpus, "three") != {}
    assert main(["--corpus", str(corpus)]) == 0


@pytest.mark.parametrize("part", ["0/3", "4/3", "a", "1/", "1/0"])
def test_a_part_that_is_none_is_a_usage_error(corpus, part):
    with pytest.raises(SystemExit) as ended:
        main(["--part", part, "--corpus", str(corpus)])
    assert ended.value.code == 2


def test_an_unknown_source_is_a_usage_error(corpus, capsys):
    assert main(["three", "--corpus", str(corpus)]) == 2
    assert "no records of three" in capsys.readouterr().err
    assert main(["--corpus", str(corpus / "none")]) == 2


def test_another_processor_is_told(corpus, capsys):
    (corpus / files.CIRCUMSTANCES).write_text('{"numpy": "1.0"}')
    assert main(["--corpus", str(corpus)]) == 0
    shown = capsys.readouterr().out
    assert f"numpy is {np.__version__}, was 1.0 when verdicts were recorded: they may differ" in shown
    assert "machine is" in shown


def test_the_death_of_a_process_is_a_fault_of_the_judge():
    result = _interpret(WRONG, Death("crash", WRONG.line, "SIGSEGV"))
    assert result.verdict == {"faults": ["the judge's process ended: crash"]}
    assert result.details == ["SIGSEGV"]


def test_a_line_that_is_no_record_is_a_fault():
    (result,) = judge_records([RecordedOutcome('{"case": 1, "mode": 2, "outcome": {}}')])
    assert result.verdict == {"faults": ["the judge raised oracle.case.decoding.Undecodable"]}


def test_tensorflow_is_not_imported(corpus, tmp_path):
    shutil.copytree(Path(__file__).parents[2] / "oracle", tmp_path / "path" / "oracle")
    (tmp_path / "path" / "tensorflow.py").write_text("raise RuntimeError('TensorFlow is imported')")
    gradient = RecordedOutcome.of(
        Case("sin", (np.ones(2),)), Mode("gradient"), True, Outcome.raised(TypeError("no gradient"))
    )
    files.write_records(corpus, "three", [gradient])
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "path")}
    command = [sys.executable, "-m", "oracle.corpus", "--accept", "--corpus", str(corpus), "--jobs", "1"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "4 verdicts changed" in done.stdout
    assert files.read_verdicts(corpus, "three") == {gradient.id: {"differences": ["gradient"]}}
