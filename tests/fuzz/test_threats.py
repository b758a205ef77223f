"""What a case file can do to whoever replays it: nothing, in the command; and in a worker no more than its limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from oracle import Case, Outcome
from oracle.harness import Death, Lease, Limits, Sandbox
from tests.oracle import malicious

WATCHED = Path(__file__).with_name("watched.py")
ROOT = WATCHED.parents[2]
SECONDS, BYTES = 1.0, 300 << 20


def watched(argument, folder):
    """What a process has seen of itself, run in that folder."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(WATCHED), argument]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True, timeout=300)
    assert run.stderr == ""
    return json.loads(run.stdout)


LINE = '{{"id": "add-value-0123456789", "kind": "value", "modes": ["eager"], "since": "2026-11-20", "case": {}}}\n'


@pytest.mark.full
@pytest.mark.parametrize(("ending", "form"), [("json", "{}"), ("jsonl", LINE)], ids=["case files", "recorded cases"])
def test_reading_harmful_files_does_nothing_else(tmp_path, ending, form):
    files, elsewhere = tmp_path / "files", tmp_path / "elsewhere"
    files.mkdir()
    elsewhere.mkdir()
    texts = malicious.texts()
    for number, text in enumerate(texts.values()):
        (files / f"{number}.{ending}").write_bytes(form.format(text).encode("utf-8", "surrogatepass"))
    (files / f"warm.{ending}").write_text(form.format(Case("add", (np.arange(3.0), 1)).json()))
    (files / "warmer.json").write_text(Case("addd").json())
    found = watched(str(files), elsewhere)
    assert found["seen"] == []
    assert found["accepted"] == [f"warm.{ending}"]
    assert len(found["seconds"]) == len(texts) + 2
    assert max(found["seconds"].values()) < SECONDS, max(found["seconds"], key=found["seconds"].get)
    assert found["grown"] < BYTES
    assert list(elsewhere.iterdir()) == []


@pytest.mark.full
def test_no_name_of_the_inventory_opens_a_file_or_runs_a_program(tmp_path):
    found = watched("NAMES", tmp_path)
    assert found["seen"] == []
    assert found["names"] > 1200
    assert list(tmp_path.iterdir()) == []


GREEDY = {
    "an array of 8 TB": Case("zeros", (10**12,)),
    "8 TB of ones": Case("ones", ([10**6, 10**6],)),
    "a text of 1 GB": Case("strings.mod", (np.array("%999999999d"), 1)),
    "a text of 10 GB": Case("strings.multiply", (np.array("ab"), 10**10)),
    "a long text": Case("strings.ljust", (np.array("ab"), 4 * 10**9)),
    "a binary of 10**10 digits": Case("binary_repr", (1, 10**10)),
    "a range": Case("arange", (10**13,)),
    "a mesh": Case("indices", ((10**4, 10**4, 10**4),)),
    "a repetition": Case("repeat", (np.array([1.0]), 10**12)),
    "a padding": Case("pad", (np.array([1.0]), 10**12)),
    "a histogram": Case("histogram", (np.array([1.0]), 10**12)),
    "a buffer as objects": Case("ndarray", ((1,), np.dtype(object), b"AAAAAAAA")),
}


@pytest.fixture(scope="module")
def worker():
    with Sandbox(1, limits=Limits(seconds=3.0, memory_bytes=1 << 30), modules=["fuzz.engine.tasks"]) as sandbox:
        yield sandbox


@pytest.mark.sample(1)
@pytest.mark.parametrize("what", GREEDY)
def test_what_is_greedy_meets_the_limits_of_a_worker(worker, what):
    text = Case.from_json(GREEDY[what].json()).json()
    (reply,) = worker.run([Lease(0, "fuzz.engine.tasks:answer_case", [text], confirm=False)])
    (result,) = reply.results
    assert isinstance(result, Death | Outcome)
    assert not (isinstance(result, Outcome) and result.ok)
