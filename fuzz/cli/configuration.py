"""The table [tool.fuzz] of pyproject.toml: what a project always passes; and the command `init`, which writes it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click

from fuzz.cli.options import SubjectName, Unclear, hint
from fuzz.triage.ledger import Finding
from fuzz.triage.untrusted_input import Unreadable, find_misfit, read_text

FILE = Path("pyproject.toml")
FORMS: Mapping[str, Any] = {
    "subject": str,
    "setup": str,
    "modes": [str],
    "devices": [str],
    "names": [str],
    "baseline": str,
    "history": str,
    "values-only": bool,
    "signatures": str,
    "fail-on": str,
    "by-design": [{"name": str, "why": str}],
}
ENTRY = {"name": str, "kind": str, "symptom": str, "why": str, "until": date}
"""The keys of an entry of by-design; those for kind, symptom and expiry may be missing."""

EVERYWHERE = ("subject", "setup")
"""Keys that every command with such an option takes. Others are for `run`, and as far as it has them for `coverage`."""


@dataclass(frozen=True)
class ByDesignEntry:
    """A difference that a project means: of functions by name or glob, of a kind and a symptom, until a date."""

    name: str
    why: str
    kind: str = ""
    symptom: str = ""
    until: date | None = None

    def covers(self, finding: Finding, today: date) -> bool:
        """Return whether a finding is meant."""
        is_alike = self.kind in ("", finding.kind) and self.symptom in ("", finding.symptom)
        return fnmatchcase(finding.name, self.name) and is_alike and (self.until is None or today <= self.until)


def read_configuration(path: Path = FILE) -> dict[str, Any]:
    """Return the table, empty if there is none. Raises Unclear for a key or a value that it cannot have."""
    if not path.is_file():
        return {}
    try:
        tool = tomllib.loads(read_text(path)).get("tool", {})
    except (Unreadable, tomllib.TOMLDecodeError) as error:
        raise Unclear(f"{path}: {error}") from None
    table = tool.get("fuzz", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise Unclear(f"{path}: [tool.fuzz] is no table")
    for key, value in table.items():
        if key not in FORMS:
            raise Unclear(f"{path}: [tool.fuzz] has no key {key!r}{hint(key, FORMS)}")
        if wrong := find_misfit(value, FORMS[key], key):
            raise Unclear(f"{path}: [tool.fuzz] {wrong}")
    return table


def read_by_design(table: Mapping[str, Any]) -> list[ByDesignEntry]:
    """Return the entries of by-design. Raises Unclear for a key or a value that one cannot have."""
    for entry in table.get("by-design", ()):
        unknown = entry.keys() - ENTRY.keys()
        wrong = f"it has no key {min(unknown)!r}{hint(min(unknown), ENTRY)}" if unknown else ""
        wrong = wrong or find_misfit(entry, {key: ENTRY[key] for key in entry}, "an entry")
        if wrong:
            raise Unclear(f"{FILE}: [[tool.fuzz.by-design]] {wrong}")
    return [ByDesignEntry(**entry) for entry in table.get("by-design", ())]


def accept_by_design(findings: Iterable[Finding], entries: Sequence[ByDesignEntry]) -> int:
    """Mark the findings that are meant as known, and return how many were not."""
    today = datetime.now(UTC).date()
    meant = [one for one in findings if not one.known and any(entry.covers(one, today) for entry in entries)]
    for finding in meant:
        finding.known = True
    return len(meant)


def make_defaults(commands: Mapping[str, click.Command], words: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the defaults of each command's options that the table gives. A resumed run has options of its own."""
    table = read_configuration()
    values: dict[str, Any] = {
        key.replace("-", "_"): ",".join(value) if key in ("modes", "devices") else value
        for key, value in table.items()
        if key != "by-design" and not (key == "baseline" and not Path(value).exists())
    }
    if "--resume" in words:
        values = {key: value for key, value in values.items() if key in (*EVERYWHERE, "baseline", "history")}
    return {name: _choose(command, values) for name, command in commands.items()}


def _choose(command: click.Command, values: Mapping[str, Any]) -> dict[str, Any]:
    own = {parameter.name for parameter in command.params}
    takes_all = command.name in ("run", "coverage")
    return {key: value for key, value in values.items() if key in own and (takes_all or key in EVERYWHERE)}


@click.command(
    "init",
    short_help="Write [tool.fuzz] for a module.",
    epilog="Exit status: 0; 2 for a usage error, or a table there.",
)
@click.argument("module", type=SubjectName(), metavar="MODULE")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def init_command(module: str, *, verbose: bool) -> int:
    """Write the table [tool.fuzz] for a module to pyproject.toml here: then `run` and others need no --subject."""
    if read_configuration():
        raise Unclear(f"{FILE} has a table [tool.fuzz] already")
    text = FILE.read_text() if FILE.exists() else ""
    table = f"""\
[tool.fuzz]
subject = "{module}"
baseline = ".fuzz/baseline.json"  # written by: python -m fuzz baseline DIR --write .fuzz/baseline.json
history = ".fuzz/history.sqlite"

# A difference that is meant: a function or a glob; if you like, its kind and its symptom, and the last day.
# [[tool.fuzz.by-design]]
# name = "median"
# kind = "dtype"
# symptom = "narrower float"
# why = "computed in single precision"
# until = 2030-12-31
"""
    FILE.write_text(f"{text.rstrip()}\n\n{table}" if text.strip() else table)
    click.echo(f"{FILE}: [tool.fuzz] written; python -m fuzz run judges {module}")
    return 0
