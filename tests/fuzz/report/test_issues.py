from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.report import issues
from fuzz.report.issues import make_sarif, write_comment, write_issues
from tests.fuzz.report.test_report import finding, record

DETAIL = "expected nan, got 1.0"
NEW = finding("f-0000000001", name="median", detail=DETAIL, symptom="nan lost", structure="nan")
KNOWN = finding("f-0000000002", name="sort", detail="expected 1.0, got 2.0", known=True)
OLDER = finding("f-0000000003", name="roll", detail="expected 1.0, got 2.0", older=True)


@pytest.fixture(autouse=True)
def location(monkeypatch):
    monkeypatch.setattr(issues, "locate_function", lambda subject, name: (Path("lib/median.py"), 7))


def test_an_issue_says_what_is_wrong_and_how_to_see_it():
    told = record([NEW])
    texts = write_issues(told)
    assert set(texts) == {f"issues/{identity}.md" for identity in told.scripts}
    text = texts["issues/f-0000000001.md"]
    assert text.startswith("# tfnp.median: nan lost\n")
    for part in ("- NumPy: `nan`", "- tfnp: `1.0`", "- Only with: nan", "numpy 2", "```python\nimport numpy as np"):
        assert part in text


def test_a_comment_has_the_new_causes_only():
    text = write_comment(record([NEW, KNOWN, OLDER]))
    assert [line.split(" | ")[3] for line in text.splitlines() if line.startswith("| value")] == ["median"]
    assert "(1 known one, 1 older)" in text
    clean = write_comment(record([KNOWN]))
    assert clean.startswith("### ✅")
    assert "|" not in clean


def test_sarif_has_a_result_for_each_new_cause():
    data = json.loads(make_sarif(record([NEW, KNOWN, OLDER])))
    (run,) = data["runs"]
    (result,) = run["results"]
    assert data["version"] == "2.1.0"
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {result["ruleId"]} == {"value"}
    assert "f-0000000001" in result["message"]["text"]
    location = result["locations"][0]["physicalLocation"]
    assert (location["artifactLocation"]["uri"], location["region"]["startLine"]) == ("lib/median.py", 7)
    assert result["partialFingerprints"]
