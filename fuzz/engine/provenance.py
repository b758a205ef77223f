"""The provenance of a run: found out once, when the run starts, and only read after that."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from typing import Any

from fuzz.history.revision import find_revision
from fuzz.releases.interpreters import list_versions
from oracle.harness import find_adapter

TENSORFLOW = "tensorflow"
PACKAGES = ("numpy", TENSORFLOW, "ml_dtypes")


@dataclass(frozen=True)
class Provenance:
    """The versions of the packages that a run used, the commit of the subject's sources, the machine, and the time at
    which the run started, in UTC, of ISO 8601. All are empty for a run that has not started.
    """

    versions: Mapping[str, str] = field(default_factory=dict)
    revision: str = ""
    machine: str = ""
    started: str = ""

    def data(self) -> dict[str, Any]:
        """Return the provenance as run.json has it."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Provenance:
        """Return the provenance from the content of run.json."""
        return cls(data["versions"], data["revision"], data["machine"], data["started"])


def find_provenance(subject: str, interpreter: str = "") -> Provenance:
    """Return the provenance of a run that starts now."""
    revision = "" if interpreter else find_revision(subject)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return Provenance(find_versions(subject, interpreter), revision, platform.node(), started)


def join_versions(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the versions of several runs by package; where they differ, all of them: "2.3.0, 2.4.0"."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        for package, known in row["versions"].items():
            found.setdefault(package, {})[known] = None
    return {package: ", ".join(versions) for package, versions in found.items()}


@lru_cache(maxsize=8)
def _list_versions(subject: str) -> tuple[tuple[str, str], ...]:
    head = subject.partition(".")[0]
    distributions = {package: package for package in PACKAGES} | {head: _find_distribution(head)}
    found = {"python": platform.python_version()}
    for package, distribution in distributions.items():
        if package == TENSORFLOW and not _may_use_tensorflow(subject, distributions[head]):
            continue
        try:
            found[package] = version(distribution)
        except PackageNotFoundError:
            pass
    if head not in found and (revision := find_revision(subject)):
        found[head] = f"commit {revision[:10]}{'+' if revision.endswith('+') else ''}"
    return tuple(found.items())


def _may_use_tensorflow(subject: str, distribution: str) -> bool:
    """Return whether a subject is TensorFlow, requires it, is not installed, or has tensors by its adapter."""
    adapter = find_adapter(subject)
    try:
        required = requires(distribution) or ()
    except PackageNotFoundError:
        return True
    is_named = any(text.partition(";")[0].startswith(TENSORFLOW) for text in (distribution, *required))
    return is_named or (adapter is not None and adapter.tensors)


def _find_distribution(module: str) -> str:
    """Return the distribution that has a module, or the module's own name."""
    return next(iter(packages_distributions().get(module, ())), module)


def find_versions(subject: str, interpreter: str = "") -> dict[str, str]:
    """Return the versions of the subject and of the packages involved, in the environment of an interpreter if one is
    named; of a subject that is not installed, the commit of its sources, if there is one.
    """
    versions = dict(_list_versions(subject))
    if not interpreter:
        return versions
    head = subject.partition(".")[0]
    others = {name.lower().replace("-", "_"): value for name, value in list_versions(interpreter).items()}
    return {name: others[name] for name in ("python", *PACKAGES, head) if name in others}
