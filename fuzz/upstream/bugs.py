"""A bug as its script tells it: a docstring for people, a block of TOML for programs, and code that shows it.

    \"\"\"tf.argmax overlooks the lowest finite number behind -inf.

    Why, as far as it is known, and what follows.
    \"\"\"

    # /// upstream
    # op = ["ArgMax"]
    # modes = ["eager", "graph"]
    # ...
    # ///

The block has the form of Python's inline script metadata. A script stands in a folder with the name of its library, and
is all that is known of the bug: pages, checks and campaigns read it.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

EFFECTS = ("wrong value", "wrong gradient", "crash", "hang", "error")
"""What a bug does, the worst first: wrong numbers that nobody notices, the end of the process, no end, an exception."""

VERDICTS = ("defect", "arguable", "by design")
"""A defect, the surest first; what maintainers may defend; what they do defend, or have decided."""

MODES = ("eager", "graph", "xla", "jit", "vmap", "grad", "compile")
SEARCHES = ("reported", "not found", "not searched")

FOLDERS = (
    Path(__file__).parents[2] / "docs" / "upstream" / "scripts",
    Path(__file__).parent / "scripts",
)
"""Where the scripts are: in a checkout, and where the package was installed."""

_BLOCK = re.compile(r"^# /// upstream\n((?:#(?: .*)?\n)+?)# ///$\n*", re.MULTILINE)
_ISSUE = re.compile(r"[\w.-]+/[\w.-]+#\d+")
_NAME = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_SIGNAL = re.compile(r"SIG[A-Z]+")


class UnfitScript(ValueError):
    """The metadata of a script are missing or invalid; the message names the script."""


@dataclass(frozen=True)
class Bug:
    """The metadata of a bug, from its script.

    `op` lists the faulty operations by the library's names; `part` is the component of the library; `modes` are the
    faulty execution modes, `eager` alone where no other was tried, and `dtypes` those of the tried dtypes that are
    faulty. `issues` are reports, as owner/repository#number; `state` is their state, and `search` the result of a
    search for reports. `since` is what `fuzz bisect` says. `workarounds` are files of this project that work around the
    bug, or accept it. A campaign recognises the bug in findings about `op` or names matching the patterns `names`, if
    the regular expression `shows` matches. The script may be ended by `signals`; after `seconds` of wall time it counts
    as a hang.
    """

    library: str
    name: str
    path: Path
    title: str
    text: str
    code: str
    op: tuple[str, ...]
    part: str
    modes: tuple[str, ...]
    dtypes: tuple[str, ...]
    effect: str
    verdict: str
    search: str
    reason: str = ""
    issues: tuple[str, ...] = ()
    state: str = ""
    since: str = ""
    workarounds: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    shows: str = ""
    signals: tuple[str, ...] = ()
    seconds: float = 60.0

    @property
    def id(self) -> str:
        """The identifier in pages, comments and reports."""
        return f"{self.library}-{self.name.replace('_', '-')}"

    @property
    def page(self) -> str:
        """The path of its page in the pages' folder, without suffix."""
        return f"{self.library}/{self.name}"


_REQUIRED: dict[str, Any] = {
    "op": list,
    "part": str,
    "modes": list,
    "dtypes": list,
    "effect": str,
    "verdict": str,
    "search": str,
}
_OPTIONAL: dict[str, Any] = dict.fromkeys(("issues", "workarounds", "names", "signals"), list)
_OPTIONAL |= {"reason": str, "state": str, "since": str, "shows": str, "seconds": (int, float)}


def find_scripts_folder() -> Path | None:
    """Return the folder that contains a folder of scripts for each library, or None if it does not exist."""
    return next((folder for folder in FOLDERS if folder.is_dir()), None)


def read_bugs(folder: Path, patterns: Iterable[str] = ()) -> list[Bug]:
    """Return the bugs of all libraries, or those whose id matches a pattern. Raises UnfitScript."""
    patterns = list(patterns)
    found = [read_bug(path) for path in sorted(folder.glob("*/*.py"))]
    return [bug for bug in found if not patterns or any(fnmatchcase(bug.id, pattern) for pattern in patterns)]


def read_bug(path: Path) -> Bug:
    """Return the bug that a script shows. Raises UnfitScript."""
    source = path.read_text(encoding="utf-8")
    blocks = list(_BLOCK.finditer(source))
    if len(blocks) != 1:
        raise UnfitScript(f"{path}: {len(blocks)} blocks of metadata, and it needs one")
    try:
        data = tomllib.loads("\n".join(line[2:] for line in blocks[0][1].splitlines()))
        docstring = ast.get_docstring(ast.parse(source)) or ""
    except (tomllib.TOMLDecodeError, SyntaxError) as error:
        raise UnfitScript(f"{path}: {error}") from None
    if problem := next(_problems(path, docstring, data), ""):
        raise UnfitScript(f"{path}: {problem}")
    title, _, text = docstring.partition("\n")
    code = source[: blocks[0].start()].rpartition('"""\n')[2] + source[blocks[0].end() :]
    values = {key: _plain(value) for key, value in data.items()}
    return Bug(path.parent.name, path.stem, path, title.rstrip("."), text.strip(), code.strip() + "\n", **values)


def _problems(path: Path, docstring: str, data: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a script's docstring and metadata."""
    title, _, text = docstring.partition("\n")
    if not _NAME.fullmatch(path.stem):
        yield "a name is of lower-case letters, digits and underscores"
    if not title.endswith(".") or len(title) > 110:
        yield "the first line is a sentence of at most 110 characters, with a full stop"
    if not text.strip():
        yield "the docstring does not explain"
    forms = _REQUIRED | _OPTIONAL
    for key, value in data.items():
        if key not in forms:
            yield f"there is no field {key!r}"
        elif not isinstance(value, forms[key]) or (isinstance(value, list) and not all(map(_is_text, value))):
            yield f"{key} = {value!r} is of the wrong type"
    for key in _REQUIRED:
        if not data.get(key):
            yield f"{key} is missing"
    yield from _contradictions(data)


def _contradictions(data: dict[str, Any]) -> Iterator[str]:
    """Yield which values are unknown or contradict one another."""
    choices: dict[str, tuple[str, ...]] = {"effect": EFFECTS, "verdict": VERDICTS, "search": SEARCHES}
    for key, allowed in choices.items():
        if data[key] not in allowed:
            yield f"{key} is one of {', '.join(allowed)}, not {data[key]!r}"
    if unknown := [mode for mode in data["modes"] if mode not in MODES]:
        yield f"there is no mode {unknown[0]!r}"
    if unfit := [issue for issue in data.get("issues", []) if not _ISSUE.fullmatch(issue)]:
        yield f"an issue is OWNER/REPOSITORY#NUMBER, not {unfit[0]!r}"
    if bool(data.get("issues")) != (data["search"] == "reported"):
        yield "what is reported has issues, and nothing else has"
    if (data["verdict"] != "defect") != bool(data.get("reason")):
        yield "what is no clear defect has a reason, and nothing else has"
    if (data["effect"] == "crash") != bool(data.get("signals")):
        yield "a crash has signals, and nothing else has"
    if unfit := [name for name in data.get("signals", []) if not _SIGNAL.fullmatch(name)]:
        yield f"no signal is called {unfit[0]!r}"
    try:
        re.compile(data.get("shows", ""))
    except re.error as error:
        yield f"shows is no regular expression: {error}"


def _plain(value: Any) -> Any:
    """Return a list as a tuple, and a text of several lines as one line."""
    return tuple(value) if isinstance(value, list) else " ".join(value.split()) if isinstance(value, str) else value


def _is_text(value: object) -> bool:
    return isinstance(value, str)
