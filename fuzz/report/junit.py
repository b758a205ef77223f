"""A run as JUnit XML: one test case for each name that was judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from junitparser import Failure, JUnitXml, Skipped, TestCase, TestSuite

from fuzz.report.record import RunRecord
from fuzz.triage.severity import KNOWN, NEW, NOT_REPRODUCED, OLDER, fails_run, find_class, find_status
from oracle.harness import topic_of

NOT_JUDGED = "not judged: no valid call was answered by a value that could be judged"
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def make_document(record: RunRecord) -> bytes:
    """Return the XML document."""
    suite = TestSuite(f"fuzz {record.summary['subject']}")
    suite.add_property("seed", str(record.summary["seed"]))
    judged = record.summary.get("by_name") or {}
    for name in sorted({*judged, *record.by_name}):
        suite.add_testcase(_case(record, name, record.by_name.get(name, ())))
    for problem in record.complaints:
        case = TestCase("accepted divergence", "oracle.accepted_differences")
        case.result = [Failure(_clean(problem), "stale")]
        suite.add_testcase(case)
    suite.time = float(record.summary["seconds"])
    document = JUnitXml("fuzz")
    document.add_testsuite(suite)
    document.update_statistics()
    return bytes(document.tostring())


def _case(record: RunRecord, name: str, rows: Sequence[Mapping[str, Any]]) -> TestCase:
    case = TestCase(name, find_topic(name), time=record.summary.get("core_seconds_by_name", {}).get(name, 0.0))
    failing = [row for row in rows if fails_run(row, record.fail_on)]
    statuses = Counter(map(find_status, rows))
    old, unshown = statuses[KNOWN] + statuses[OLDER], statuses[NOT_REPRODUCED]
    passed = statuses[NEW] - len(failing)
    if failing:
        case.result = [_failure(row, record.scripts.get(row["id"], "")) for row in failing]
    elif rows:
        parts = [f"{old} known or older"] if old else []
        parts += [f"{unshown} {NOT_REPRODUCED}"] if unshown else []
        parts += [f"{passed} that --fail-on {record.fail_on} lets pass"] if passed else []
        case.result = [Skipped(", ".join(parts))]
    elif name in record.not_judged["names"]:
        case.result = [Skipped(NOT_JUDGED)]
    return case


def _failure(row: Mapping[str, Any], script: str) -> Failure:
    failure = Failure(
        _clean(f"{row['kind']} of an {find_class(row)} call in {', '.join(row['modes'])}: {row['minimal']}"),
        row["kind"],
    )
    failure.text = _clean(f"{row.get('detail', '')}\n\n{row['id']}\n\n{script}")
    return failure


def find_topic(name: str) -> str:
    """Return the topic of a name in NumPy's manual."""
    try:
        return topic_of(name)
    except KeyError:
        return "Other"


def _clean(text: str) -> str:
    """Return the text without characters that XML does not allow."""
    return _FORBIDDEN.sub("\ufffd", text)
