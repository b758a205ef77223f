"""What a long run takes: growth is noticed, and a campaign has none."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.soak import WIDTH, Sample, draw, find_growth, kill_one, list_descendants, main, take_sample

STEADY = [Sample(10.0 * i, 4, 100.0, 900.0 + 100 * (i % 7), 30, 50.0 + 4 * i, 40 * i, i) for i in range(60)]


def test_a_steady_run_does_not_grow():
    assert find_growth(STEADY) == []


def test_growth_at_the_start_is_none():
    start = [replace(one, main_mb=50.0 + 5.0 * i) for i, one in enumerate(STEADY[:10])]
    assert find_growth([*start, *STEADY[10:]]) == []


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("main_mb", [100.0 + 3.0 * i for i in range(60)]),
        ("workers_mb", [300.0 + 100 * (i % 7) + 20 * i for i in range(60)]),
        ("handles", [30 + i for i in range(60)]),
        ("processes", [4 + i // 10 for i in range(60)]),
        ("temporary", [20 * (i % 7) + 8 * i for i in range(60)]),
        ("disk_kb", [50.0 + 4 * i + i * i for i in range(60)]),
    ],
)
def test_growth_is_noticed(name, values):
    (line,) = find_growth([replace(one, **{name: value}) for one, value in zip(STEADY, values, strict=True)])
    assert line.startswith("kb_per_finding" if name == "disk_kb" else name)


def test_temporary_files_that_come_and_go_are_no_growth():
    assert find_growth([replace(one, temporary=500 * (i % 7)) for i, one in enumerate(STEADY)]) == []


def test_temporary_files_that_are_left_are_told(tmp_path, monkeypatch, capsys):
    """Of a program that stands in for a campaign."""
    program = "import os, tempfile, time; os.makedirs('{0}'); tempfile.mkstemp(prefix='left-'); time.sleep(0.2)"
    (tmp_path / "campaign").write_text(f"#!{sys.executable}\n{program.format(tmp_path / 'run')}\n")
    (tmp_path / "campaign").chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "campaign"))
    assert main(["--out", str(tmp_path / "run")], 0.05) == 1
    assert re.search(r"/soak-\w+/left-\w+ is left", capsys.readouterr().out)
    assert json.loads((tmp_path / "run/soak.json").read_text())[-1]["temporary"] == 1


def test_too_few_samples_tell_nothing():
    assert find_growth(STEADY[:1]) == ["too few samples"]


def test_a_curve_goes_from_zero_to_the_largest_mean():
    assert draw([0.0] * 30 + [1.0] * 30) == "▁" * 30 + "█" * 30
    assert draw([]) == ""
    assert len(draw([5.0] * 1000)) == WIDTH


def test_processes_below_are_found(tmp_path):
    with subprocess.Popen(["sh", "-c", "sleep 60 & echo; wait"], stdout=subprocess.PIPE) as shell:
        shell.stdout.readline()
        found = list_descendants(shell.pid)
        sample = take_sample(shell.pid, tmp_path, 1.0)
        for pid in found[::-1]:
            subprocess.run(["kill", str(pid)], check=False)
    assert len(found) == 2
    assert (sample.processes, sample.cases, sample.findings) == (2, 0, 0)
    assert sample.main_mb > 0
    assert sample.handles > 0


def test_a_process_below_is_killed(tmp_path):
    with subprocess.Popen(["sh", "-c", "sleep 60 & echo; wait"], stdout=subprocess.PIPE) as shell:
        shell.stdout.readline()
        assert kill_one(shell.pid)
        assert shell.wait(timeout=10) == 0
        assert not kill_one(shell.pid)


@pytest.mark.full
@pytest.mark.parametrize("disturbances", [(), ("--kill", "20")], ids=["undisturbed", "killed"])
def test_a_campaign_does_not_grow(tmp_path, monkeypatch, capfd, disturbances):
    """Its own process must survive whatever ends its fork server and its workers."""
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parents[1]}:{Path(__file__).parent / 'fuzz'}")
    words = ["--subject", "planted_many", "--modes", "eager", "--jobs", "1", "--time", "60s", "--seed", "5"]
    assert main([*disturbances, *words, "--out", str(tmp_path / "run")], 1.0) == 0, capfd.readouterr().out
    samples = json.loads((tmp_path / "run/soak.json").read_text())
    assert samples[-1]["cases"] > samples[len(samples) // 2]["cases"] > 0
    assert not json.loads((tmp_path / "run/summary.json").read_text())["broken"]
    assert "workers_mb  " in capfd.readouterr().out
