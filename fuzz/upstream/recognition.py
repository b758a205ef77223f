"""Recognising known bugs of other libraries in the findings of a campaign.

The match is by operation, kind, mode and the minimal call, not by proven cause: a finding "resembles" a known bug, and
stays a finding.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from fuzz.upstream.bugs import Bug, find_scripts_folder, read_bugs
from oracle.harness import COMPILERS, MODES

KINDS = {
    "wrong value": {"value", "shape", "nondeterminism", "differs from eager"},
    "wrong gradient": {"gradient"},
    "crash": {"crash"},
    "hang": {"hang"},
    "error": {"spurious error", "never answered"},
}
"""As what kinds of findings the effects of bugs show."""

KERNELS = {name: row.kernels for name, row in MODES.items() if name not in COMPILERS}
"""The modes of campaigns whose kernels each runs."""

BATCHED = {"tensorflow": "graph"}
"""The mode whose kernels `vmap` runs, by library; eager in others."""

RUNS_ON = {"tfnp": "tensorflow"}
"""The library on which another package runs, whose bugs show in it."""


def find_library(subject: str) -> str:
    """Return the library whose bugs show in a subject, or "": a library of other people's has none that are known."""
    package = subject.partition(".")[0]
    folder = find_scripts_folder()
    library = RUNS_ON.get(package, package)
    return library if folder is not None and package.isidentifier() and (folder / library).is_dir() else ""


@lru_cache(maxsize=8)
def load_bugs(library: str) -> tuple[Bug, ...]:
    """Return the bugs of a library that campaigns may meet; empty if there are no scripts."""
    folder = find_scripts_folder()
    return tuple(read_bugs(folder, [f"{library}-*"])) if folder is not None and library else ()


def recognise(row: Mapping[str, Any], bugs: Sequence[Bug]) -> list[str]:
    """Return the ids of the bugs that a line of findings.jsonl resembles."""
    modes = {mode.partition("@")[0] for mode in row["modes"]}
    told = f"{row.get('minimal', '')} {row.get('detail', '')}"
    return [
        bug.id
        for bug in bugs
        if row["kind"] in KINDS[bug.effect]
        and (bug.effect == "wrong gradient" or _shows_in(modes, bug))
        and _is_about(row, bug)
        and re.search(bug.shows, told)
    ]


def _shows_in(modes: Collection[str], bug: Bug) -> bool:
    """Return whether a finding's modes are such as the bug is faulty in, or run their kernels.

    If a bug is only known to be faulty in eager mode, others were not tried: they may differ, too, if eager does.
    """
    ways = {**KERNELS, "vmap": BATCHED.get(bug.library, "eager")}
    if bug.modes == ("eager",):
        return any(ways.get(mode, mode) == "eager" for mode in modes)
    return all(mode in bug.modes or ways.get(mode) in bug.modes for mode in modes)


def _is_about(row: Mapping[str, Any], bug: Bug) -> bool:
    """Return whether a finding is about an operation of the bug, by its name or its attribution."""
    name = row["name"]
    if any(fnmatchcase(name, pattern) for pattern in bug.names):
        return True
    words = {name.rpartition(".")[2].lower(), *_words(row.get("attribution", ""))}
    return any(op.rpartition(".")[2].lower() in words for op in bug.op)


def _words(text: str) -> Iterable[str]:
    return re.findall(r"[a-z0-9]+", text.lower())
