"""The page that says what changes when a library is upgraded."""

from __future__ import annotations

from collections import Counter

from fuzz.releases.changes import Changes
from fuzz.report.templates import load_template

TITLES = {
    "value": "Other values",
    "dtype": "Other dtypes",
    "shape": "Other shapes",
    "structure": "Results of another form",
    "spurious error": "Calls that raise now",
    "missing error": "Calls that raise no longer",
    "different error": "Other errors",
    "crash": "Crashes",
    "hang": "Hangs",
    "warning": "New warnings",
    "slower": "Calls that take three times as long, or more",
}


def render_upgrade(changes: Changes, releases: tuple[str, str]) -> str:
    """Render the page: totals, the changes by kind with the smallest call of each, and names that come and go."""
    groups = changes.group()
    kinds = list(dict.fromkeys(example.kind for example, _ in groups))
    return load_template("upgrade.html").render(
        old=releases[0],
        new=releases[1],
        version=[release.partition("==")[2] for release in releases],
        changes=changes,
        counts=Counter(example.kind for example, _ in groups),
        sections=[
            (kind, TITLES.get(kind, kind), [group for group in groups if group[0].kind == kind]) for kind in kinds
        ],
    )
