"""The commit of a subject's sources."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path


def find_revision(subject: str) -> str:
    """Return the commit of the repository that a subject's sources are in, marked with + if files are changed.

    For a subject that is installed from the current directory it is the commit that is checked out there; for any other
    installed one it is empty, because its version says more.
    """
    head = subject.partition(".")[0]
    folder = _find_sources(head)
    here = Path.cwd()
    if folder is not None and _ask_git(folder, "ls-files", "--error-unmatch", "."):
        return _describe(folder)
    own = (here / head, here / "src" / head, here / f"{head}.py")
    return _describe(here) if any(path.exists() for path in own) else ""


def _find_sources(head: str) -> Path | None:
    """Return the folder of a package's or module's file, without importing it."""
    try:
        found = find_spec(head)
    except (ImportError, ValueError):
        return None
    if found is None:
        return None
    if found.submodule_search_locations:
        return Path(next(iter(found.submodule_search_locations)))
    return Path(found.origin).parent if found.origin and Path(found.origin).exists() else None


def _describe(folder: Path) -> str:
    return _ask_git(folder, "describe", "--always", "--abbrev=40", "--dirty=+", "--exclude=*")


def _ask_git(folder: Path, *words: str) -> str:
    """Return what git prints; an empty text if it fails, or is not installed."""
    try:
        found = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return found.stdout.strip() if not found.returncode else ""
