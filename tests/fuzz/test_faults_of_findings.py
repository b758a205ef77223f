"""Findings of subjects with NumPy's names say which raw op is at fault, or that the library's Python is."""

from __future__ import annotations

import json

import pytest

from fuzz.__main__ import main


@pytest.mark.full
def test_a_run_attributes_its_findings_to_nodes_or_to_the_library(tmp_path, capsys):
    out = tmp_path / "run"
    words = ["run", "mod", "argmin", "--subject", "tensorflow.experimental.numpy", "--modes", "eager,graph"]
    assert main([*words, "--cases", "80", "--seed", "11", "--jobs", "1", "--out", str(out)]) == 1
    rows = [json.loads(line) for line in (out / "findings.jsonl").read_text().splitlines()]
    told = {row["attribution"].partition("; ")[2] for row in rows if row["reduced"]}
    assert "FloorMod in eager, float" in told
    assert all(told)
