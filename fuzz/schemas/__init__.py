"""JSON schemas of every file that a run leaves behind, for whoever reads them with other tools."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

SCHEMAS = ("run", "state", "summary", "finding", "case", "recorded_case", "coverage", "badge")


def read_schema(name: str) -> dict[str, Any]:
    """Read the schema of run.json, state.json, summary.json, a line of findings.jsonl or of cases.jsonl, a file in
    cases/, or what coverage writes.
    """
    if name not in SCHEMAS:
        raise KeyError(name)
    data: dict[str, Any] = json.loads(files(__name__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8"))
    return data
