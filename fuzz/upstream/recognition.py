"""Recognising known bugs of other libraries in the findings of a campaign.

The match is by operation, kind, mode and the minimal call, not by proven cause: a finding "resembles" a known bug, and
stays a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from fuzz.upstream.bugs import Bug, find_scripts_folder, read_bugs
from oracle import CONTEXTS

KINDS = {
    "wrong value": {"value", "shape", "nondeterminism"},
    "wrong gradient": {"gradient"},
    "crash": {"crash"},
    "hang": {"hang"},
    "error": {"spurious error", "never answered"},
}
"""As what kinds of findings the effects of bugs show."""

WAYS = {
    **dict.fromkeys(("graph_dims", "graph_rank", "vmap", "saved", *CONTEXTS), "graph"),
    **dict.fromkeys(("lists", "arrays", "variables"), "eager"),
}
"""Modes of campaigns that run the kernels of another."""

WITHOUT_TENSORFLOW = frozenset({"array_api_strict", "cupy", "dask", "jax", "keras", "numpy", "torch"})
"""Subjects that do not run on TensorFlow, or not only."""


def find_library(subject: str) -> str:
    """Return the library whose bugs show in a subject, or ""."""
    package = subject.partition(".")[0]
    folder = find_scripts_folder()
    if folder is not None and (folder / package).is_dir():
        return package
    return "" if package in WITHOUT_TENSORFLOW else "tensorflow"


@lru_cache(maxsize=8)
def load_bugs(library: str) -> tuple[Bug, ...]:
    """Return the bugs of a library that campaigns may meet; empty if there are no scripts."""
    folder = find_scripts_folder()
    return tuple(read_bugs(folder, [f"{library}-*"])) if folder is not None and library else ()


def recognise(row: Mapping[str, Any], bugs: Sequence[Bug]) -> list[str]:
    """Return the ids of the bugs that a line of findings.jsonl resembles."""
    modes = {WAYS.get(name, name) for name in (mode.partition("@")[0] for mode in row["modes"])}
    told = f"{row.get('minimal', '')} {row.get('detail', '')}"
    return [
        bug.id
        for bug in bugs
        if row["kind"] in KINDS[bug.effect]
        and (modes <= set(bug.modes) or bug.effect == "wrong gradient")
        and _is_about(row, bug)
        and re.search(bug.shows, told)
    ]


def _is_about(row: Mapping[str, Any], bug: Bug) -> bool:
    """Return whether a finding is about an operation of the bug, by its name or its attribution."""
    name = row["name"]
    if any(fnmatchcase(name, pattern) for pattern in bug.names):
        return True
    words = {name.rpartition(".")[2].lower(), *_words(row.get("attribution", ""))}
    return any(op.rpartition(".")[2].lower() in words for op in bug.op)


def _words(text: str) -> Iterable[str]:
    return re.findall(r"[a-z0-9]+", text.lower())
