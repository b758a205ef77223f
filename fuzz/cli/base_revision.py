"""The subject at another revision: whether a finding is of this change, or older."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fuzz.cli.options import Unclear
from fuzz.triage.records import STILL


@dataclass(frozen=True)
class Base:
    """An interpreter, and the folder that it imports the subject's older sources from, if that is not installed."""

    interpreter: str
    folder: Path | None = None

    def rejudge(self, directory: Path, subject: str, setup: str) -> list[dict[str, Any]]:
        """Return the status of each finding of a run in the base. Raises Unclear if the base cannot be judged."""
        words = [self.interpreter, "-m", "fuzz", "replay", str(directory.resolve()), "--subject", subject, "--json"]
        words += ["--setup", setup] if setup else []
        inherited = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
        entries = [
            *([self.folder] if self.folder is not None else []),
            *map(Path.absolute, map(Path, inherited)),
            Path.cwd(),
        ]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, entries))}
        with tempfile.TemporaryDirectory() as elsewhere:  # a module in the current directory would be found first
            found = subprocess.run(words, capture_output=True, text=True, check=False, cwd=elsewhere, env=environment)
        try:
            rows: list[dict[str, Any]] = json.loads(found.stdout)
        except ValueError:
            last = found.stderr.strip().rpartition("\n")[2] or found.stdout.strip().rpartition("\n")[2]
            raise Unclear(f"the base cannot be judged: {last}") from None
        return rows

    def find_older(self, directory: Path, subject: str, setup: str) -> frozenset[str]:
        """Return the ids of the findings of a run that the base has, too."""
        return frozenset(row["id"] for row in self.rejudge(directory, subject, setup) if row["status"] == STILL)


@contextmanager
def open_base(revision: str | None, interpreter: str | None, subject: str) -> Iterator[Base | None]:
    """Yield the base: the subject's package at a revision of the repository that it is in, in a temporary folder, or an
    interpreter that has it installed; None if neither is named. Raises Unclear.
    """
    if interpreter is not None:
        yield Base(interpreter)
    elif revision is None:
        yield None
    else:
        with tempfile.TemporaryDirectory() as folder:
            extract_package(revision, subject.partition(".")[0], Path(folder))
            yield Base(sys.executable, Path(folder))


def extract_package(revision: str, package: str, folder: Path) -> None:
    """Write the sources of a top-level package or module at a revision into a folder. Raises Unclear."""
    found = find_spec(package)
    source = Path(found.origin or "").resolve() if found is not None and found.origin else None
    if source is None or not source.is_file():
        raise Unclear(f"--base: {package} has no source file")
    if revision.startswith("-"):
        raise Unclear(f"--base: no {source.name} at {revision}: that is no revision")
    path = source.parent if source.name == "__init__.py" else source
    words = ["git", "-C", str(path.parent), "archive", "--format=tar", revision, "--", path.name]
    try:
        made = subprocess.run(words, capture_output=True, check=False)
    except OSError as error:
        raise Unclear(f"--base: git cannot be run: {error.strerror}") from None
    if made.returncode:
        why = made.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise Unclear(f"--base: no {path.name} at {revision}: {why}")
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        archive.extractall(folder, filter="data")
