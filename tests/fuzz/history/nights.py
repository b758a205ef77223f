"""Summaries of runs, and twenty nights of a library in which bugs are planted and mended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

BEGIN = datetime(2026, 3, 2, 3, tzinfo=UTC)  # a Monday
HOUR = 3600.0


def make_finding(name, count=3):
    number = sum(map(ord, name)) % 10
    return {
        "id": f"f-000000000{number}",
        "name": name,
        "kind": "value",
        "modes": ["eager"],
        "dtype": "float",
        "detail": "expected 1.0, got 2.0",
        "minimal": f"np.{name}(1.0)",
        "count": count,
        "known": False,
        "reproduced": True,
    }


def make_summary(found, rejudged=None, seed=1, names=("add", "median"), agreeing=1, exercised=22):
    """Return what summary.json has of these names with a bug each, and of the status of bugs that were known."""
    return {
        "subject": "library",
        "versions": {"library": "1.0"},
        "seed": seed,
        "cases": 100,
        "core_seconds": {"eager": HOUR},
        "names": {"present": 24, "exercised": exercised, "agreeing": agreeing},
        "by_name": {name: {"cases": 50} for name in names},
        "findings": [make_finding(name) for name in found],
        "rejudged": [
            {"id": make_finding(name)["id"], "name": name, "kind": "value", "status": status, "shown": ""}
            for name, status in (rejudged or {}).items()
        ],
    }


NIGHTS = [
    *[(["add"], {})] * 3,
    *[(["add", "sin"], {"add": "still"})] * 4,
    *[(["sin"], {"add": "fixed", "sin": "still"})] * 3,
    *[(["cos"], {"add": "fixed", "sin": "fixed"})] * 4,
    *[(["cos", "add"], {"cos": "still"})] * 6,
]
"""What each night finds, and what has become of what was known: `add` is mended in the second week and is back in the
third; `sin` comes in the first and is mended in the second; `cos` comes in the second.
"""


def simulate(database, nights=NIGHTS):
    """Append a run a night."""
    for night, (found, rejudged) in enumerate(nights):
        summary = make_summary(found, rejudged, seed=night, agreeing=night)
        database.add_run(summary, BEGIN + timedelta(days=night), f"{night:07}")
