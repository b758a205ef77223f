"""Runs that are killed, interrupted, or have no room on the disk: nothing that was announced is lost."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stdout, suppress
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.engine.recovery import read_findings, read_run
from fuzz.triage.events import Saved
from fuzz.triage.ledger import Finding
from fuzz.triage.output import Archive, OccupiedDirectory
from oracle import Case

HERE = Path(__file__).parents[1]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE.parent.parent), str(HERE)]), "COLUMNS": "160"}
SUBJECT = ["--subject", "planted_many", "--modes", "eager", "--jobs", "1"]
ANNOUNCED = re.compile(r"^found (f-[0-9a-f]{10}) ", re.MULTILINE)
CASES = "600"
UNTIMED = {"provenance", "seconds", "cases_per_core_second", "core_seconds", "core_seconds_by_name", "spent", "work"}

LISTENING = """
import signal, sys
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.default_int_handler)  # those who run tests in the background ignore it
from fuzz.__main__ import main
sys.exit(main())
"""

pytestmark = pytest.mark.full


def begin(folder, *options):
    """A run in a process of its own."""
    command = [sys.executable, "-c", LISTENING, "run", *SUBJECT, *map(str, options)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, text=True, start_new_session=True, **pipes)


def until(process, pattern, count=1):
    """What a process says until a line fits so many times."""
    text = ""
    while count:
        line = process.stdout.readline()
        assert line, text
        text += line
        count -= bool(re.search(pattern, line))
    return text


def contents(directory):
    """A run's directory without what the clock says, and what says how far it is."""
    files = {path.relative_to(directory): path.read_text() for path in directory.rglob("*") if path.is_file()}
    summary = json.loads(files.pop(Path("summary.json")))
    kept = {str(name): text for name, text in files.items() if name.parts[0] in ("cases", "repros", "findings.jsonl")}
    return kept | {"summary": {key: value for key, value in summary.items() if key not in UNTIMED}}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nobody disturbs."""
    folder, output = tmp_path_factory.mktemp("whole"), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output):
        patch.syspath_prepend(HERE)
        patch.chdir(folder)
        assert main(["run", *SUBJECT, "--cases", CASES, "--seed", "5", "--out", "run"]) == 1
    assert set(ANNOUNCED.findall(output.getvalue())) <= {finding.id for finding in read_run(folder / "run").findings}
    return folder / "run"


def test_a_killed_run_reports_what_it_announced_and_goes_on_to_the_same_end(whole, tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(HERE)
    with begin(tmp_path, "--cases", CASES, "--seed", 5, "--out", "run") as process:
        announced = set(ANNOUNCED.findall(until(process, ANNOUNCED.pattern, 4)))
        process.kill()
        announced |= set(ANNOUNCED.findall(process.stdout.read()))
    run = tmp_path / "run"
    assert not (run / "summary.json").exists()
    assert main(["merge", str(run)]) == 1
    reported = {row["id"] for row in json.loads((run / "summary.json").read_text())["findings"]}
    assert announced <= reported
    assert json.loads((run / "summary.json").read_text())["interrupted"]
    assert (run / "report.html").exists()
    (case, *_) = sorted((run / "cases").iterdir())
    assert main(["replay", str(case)]) == 2
    assert "imported only if you pass --subject planted_many" in capsys.readouterr().err
    assert main(["replay", str(case), "--subject", "planted_many", "--modes", "eager"]) == 1
    assert f"still  {case.name}" in capsys.readouterr().out
    assert main(["run", "--resume", str(run), "--subject", "planted_many", "--jobs", "1"]) == 1
    assert contents(run) == contents(whole)


def test_a_torn_line_is_left_out(whole, tmp_path):
    text = (whole / "findings.jsonl").read_text()
    run = tmp_path / "run"
    (run / "cases").mkdir(parents=True)
    for path in [*whole.glob("cases/*"), whole / "run.json"]:
        (run / path.relative_to(whole)).write_text(path.read_text())
    (run / "findings.jsonl").write_text(text + text.splitlines()[0].replace("true", "false")[:-9])
    assert [f.data() for f in read_run(run).findings] == [f.data() for f in read_run(whole).findings]


@pytest.mark.parametrize("pause", [0.0, 0.15])
def test_two_interrupts_are_one(tmp_path, pause):
    with begin(tmp_path, "--time", "1h", "--seed", 5, "--out", "run") as process:
        text = until(process, ANNOUNCED.pattern, 3)
        process.send_signal(signal.SIGINT)
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        text += process.stdout.read()
        assert process.wait(timeout=60) == 130, text
    assert re.search(r"^Resume: (PYTHONPATH=\S+ )?python -m fuzz run --resume run ", text, re.MULTILINE)
    summary = json.loads((tmp_path / "run/summary.json").read_text())
    assert set(ANNOUNCED.findall(text)) <= {row["id"] for row in summary["findings"]}
    assert (tmp_path / "run/report.html").is_file()


def descendants(pid):
    """The processes below one, its children first."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        found += [(parent, int(path.parent.name))]
    children = [child for parent, child in found if parent == pid]
    return children + [one for child in children for one in descendants(child)]


def test_a_killed_template_and_killed_workers_cost_nothing(whole, tmp_path):
    with begin(tmp_path, "--cases", CASES, "--seed", 5, "--out", "run") as process:
        text = until(process, ANNOUNCED.pattern, 2)
        template, *workers = descendants(process.pid)
        os.kill(template, signal.SIGKILL)
        text += until(process, "trouble: the fork server has died: it is started again")
        text += until(process, ANNOUNCED.pattern, 1)
        for worker in descendants(process.pid)[1:]:
            with suppress(ProcessLookupError):  # it may have ended by itself
                os.kill(worker, signal.SIGKILL)
        text += process.stdout.read()
        assert process.wait() == 1, text
    assert len(workers) >= 1
    assert contents(tmp_path / "run") == contents(whole)


def test_a_run_is_gone_on_with_as_it_was_begun(whole, tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(HERE)

    def refusal(*arguments):
        assert main(["run", "--resume", *map(str, arguments)]) == 2
        return capsys.readouterr().err

    named = ("--subject", "planted_many")
    assert "which is imported only if you pass --subject planted_many" in refusal(whole)
    assert "the run in" in refusal(whole, *named)
    assert "keeps the options of the run and does not take --seed" in refusal(whole, *named, "--seed", "6")
    assert "keeps the options of the run and does not take sqrt" in refusal(whole, "sqrt", *named)
    assert "a run of planted_many, not of numpy" in refusal(whole, "--subject", "numpy")
    assert "contains no run to resume" in refusal(tmp_path)
    (tmp_path / "run.json").write_text((whole / "run.json").read_text())
    (tmp_path / "state.json").write_text('{"format": 1}')
    assert "it has no finished, following" in refusal(tmp_path, *named)


def test_a_directory_is_written_by_one_process(tmp_path):
    with Archive.make(tmp_path / "run") as archive, pytest.raises(OccupiedDirectory, match="by another process"):
        Archive(archive.root).lock()
    with Archive(tmp_path / "run"):
        pass


def finding(name="add"):
    return Finding(name, "value", ("eager",), "float", "1 is not 2", Case(name, (1, 2)))


def test_where_the_disk_is_full_the_run_goes_on_in_memory(tmp_path, monkeypatch):
    told = []
    archive = Archive.make(tmp_path / "run", told.append)
    archive.keep(finding())
    before = {path: path.read_bytes() for path in archive.root.rglob("*") if path.is_file()}

    def full(*arguments, **more):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        patch.setattr(Path, "open", full)
        later = finding("sin")
        later.reproduced, later.repro = True, f"repros/{later.id}.py"
        archive.keep(later, "print()")
        archive.write("state.json", "{}")
    assert len(told) == 1
    assert "No space left on device): the run continues in memory" in told[0]
    assert not archive.is_complete
    assert archive.scripts == {later.id: "print()"}
    assert {path: path.read_bytes() for path in archive.root.rglob("*") if path.is_file()} == before
    archive.conclude({"findings": [finding().data(), later.data()]})  # now that there is room again
    assert archive.is_complete
    assert (archive.root / later.repro).read_text() == "print()"
    assert (archive.root / "findings.jsonl").read_text().count("\n") == 2


def test_the_state_is_not_ahead_of_findings_that_cannot_be_written(tmp_path, monkeypatch):
    """A resumed run finds only what its state does not have; and whatever a line names is there."""
    archive = Archive.make(tmp_path / "run")
    archive.keep(finding())
    opened = Path.open

    def refuse(path, mode="r", *arguments, **more):
        if mode == "xb" and path.parent.name == "cases":
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, mode, *arguments, **more)

    later = finding("sin")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        archive.keep(later)
        archive.watch(Saved({"full": True}))
        assert not (archive.root / "state.json").exists()
        assert [found.name for found in read_findings(archive.root)] == ["add"]
    archive.watch(Saved({"full": False}))  # now that there is room again
    assert archive.is_complete
    assert [found.name for found in read_findings(archive.root)] == ["add", "sin"]
    assert json.loads((archive.root / "state.json").read_text()) == {"full": False}


def test_a_full_disk_is_told_of_once_until_there_was_room(tmp_path, monkeypatch):
    told = []
    archive = Archive.make(tmp_path / "run", told.append)

    def full(*arguments, **more):
        raise OSError(errno.ENOSPC, "No space left on device")

    for times in (1, 2):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_text", full)
            patch.setattr(Path, "open", full)
            archive.watch(Saved({"number": 1}))
            archive.keep(finding("sin"))
            archive.watch(Saved({"number": 2}))
            archive.watch(Saved({"number": 3}))
        assert len(told) == times
        archive.watch(Saved({"number": 4}))
        assert json.loads((archive.root / "state.json").read_text()) == {"number": 4}


def test_a_run_without_room_shows_what_it_found(tmp_path, monkeypatch, capsys):
    """The directory can be made, and then there is no room for anything."""
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.chdir(tmp_path)

    opened = Path.open

    def refuse(path, mode="r", *arguments, **more):
        if mode == "xb":  # whatever is written, is written beside and renamed
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, mode, *arguments, **more)

    monkeypatch.setattr(Path, "open", refuse)
    assert main(["run", "negative", "positive", *SUBJECT, "--cases", "64", "--seed", "1", "--out", "run"]) == 1
    output = capsys.readouterr().out
    assert "trouble: run/run.json cannot be written (No space left on device): the run continues in memory" in output
    assert "No report: run: No space left on device" in output
    assert "planted_many: " in output
    assert ANNOUNCED.search(output)
    assert "negative" in output.rpartition("No report")[2]
