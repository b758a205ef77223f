"""Runs on clusters of real processes, which are killed, stopped, late or unfit: they find what any other run finds."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from fuzz.__main__ import main

HERE = Path(__file__).parents[1]
ROOT = HERE.parent.parent
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(HERE)]), "COLUMNS": "160"}
CASES = ["--subject", "planted_many", "--modes", "eager", "--seed", "5", "--cases", "600"]
FOUND = r"^found f-"

pytestmark = pytest.mark.full


class Site:
    """A scheduler, workers and runs in processes of their own."""

    def __init__(self, folder):
        self.folder, self.processes = folder, {}
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"

    def start(self, name, words, environment):
        with (self.folder / f"{name}.log").open("a") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                cwd=self.folder,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_scheduler(self):
        self.start(
            "scheduler", ["scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"], ENVIRONMENT
        )

    def start_worker(self, name, environment=ENVIRONMENT):
        words = ["worker", self.address, "--nthreads", "1", "--name", name, "--no-dashboard"]
        self.start(name, words, environment)

    def send(self, name, number=signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(self.processes[name].pid, number)

    def run(self, *words):
        self.text = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fuzz", "run", *words, "--executor", f"dask:{self.address}"],
            cwd=self.folder,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.processes["run"] = self.process

    def read_until(self, pattern):
        while True:
            line = self.process.stdout.readline()
            assert line, self.text
            self.text += line
            if re.search(pattern, line):
                return

    def end(self):
        self.text += self.process.stdout.read()
        return self.process.wait(timeout=60)

    @property
    def summary(self):
        return json.loads((self.folder / "run/summary.json").read_text())


@pytest.fixture
def site(tmp_path):
    one = Site(tmp_path)
    one.start_scheduler()
    yield one
    for name in one.processes:
        one.send(name) if name != "run" else one.process.kill()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What a run on this machine finds."""
    folder = tmp_path_factory.mktemp("local")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        patch.chdir(folder)  # as a site's: locations are told of functions below it
        assert main(["run", *CASES, "--jobs", "1", "--out", str(folder / "run")]) == 1
    return read_results(folder / "run")


def read_results(directory):
    kept = [path for name in ("cases", "repros") for path in (directory / name).iterdir()]
    return {path.name: path.read_text() for path in [*kept, directory / "findings.jsonl"]}


def states(site):
    return {worker["name"]: worker["state"] for worker in site.summary["workers"]}


def test_a_killed_worker_costs_nothing(site, expected):
    site.start_worker("one")
    site.start_worker("other")
    site.run(*CASES, "--out", "run")
    site.read_until(FOUND)
    site.send("one")
    site.read_until(r"^trouble: worker one \(tcp://\S+\) was lost after ")
    assert site.end() == 1, site.text
    assert read_results(site.folder / "run") == expected
    assert states(site) == {"one": "lost", "other": "ready"}
    assert re.search(r"^Worker one \(tcp://\S+\): lost, since ", site.text, re.MULTILINE)
    assert "one" in (site.folder / "run/report.html").read_text().partition('id="workers"')[2]


def test_a_killed_scheduler_ends_a_run_with_its_report_and_another_one_resumes_it(site, expected):
    site.start_worker("one")
    site.run(*CASES, "--out", "run")
    site.read_until(FOUND)
    site.send("scheduler")
    assert site.end() == 3, site.text
    assert "Traceback" not in site.text
    assert f"The run ended early: the scheduler at {site.address} does not answer any more" in site.text
    assert re.search(rf"^Resume: .*fuzz run --resume run .*--executor dask:{site.address}$", site.text, re.MULTILINE)
    assert (site.folder / "run/report.html").exists()
    site.send("one")
    site.start_scheduler()
    site.start_worker("two")
    site.run("--resume", "run", "--subject", "planted_many")
    assert site.end() == 1, site.text
    assert read_results(site.folder / "run") == expected


def test_workers_judge_in_the_environment_of_another_interpreter(site, expected):
    site.start_worker("one")
    site.run(*CASES, "--python", sys.executable, "--out", "run")
    assert site.end() == 1, site.text
    assert site.summary["interpreter"] == sys.executable
    assert {row["id"] for row in site.summary["findings"]} == {
        json.loads(line)["id"] for line in expected["findings.jsonl"].splitlines()
    }
