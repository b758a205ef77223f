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
    """A script that does not say what it must; the text names it."""


@dataclass(frozen=True)
class Bug:
    """What a script says of its bug.

    `op` are the operations that are wrong, as the library calls them; `part` is where in the library it is; `modes` are
    the ways of running that are wrong, `dtypes` the dtypes that were tried and are. `issues` are reports of it, as
    owner/repository#number, `state` what has become of them, and `search` what a search for them gave. `workarounds`
    are files of this project that do without what is wrong, or accept it. `names` are patterns of the names under which
    campaigns meet it, beside `op`; `shows`, a regular expression, is in their findings. `signals` may end the process,
    after at most `seconds` of the clock; a hang is what has not ended by then.
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
    workarounds: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    shows: str = ""
    signals: tuple[str, ...] = ()
    seconds: float = 60.0

    @property
    def id(self) -> str:
        """What pages, comments and reports call it."""
        return f"{self.library}-{self.name.replace('_', '-')}"

    @property
    def page(self) -> str:
        """The path of its page, from the pages' folder, without its ending."""
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
_OPTIONAL |= {"reason": str, "state": str, "shows": str, "seconds": (int, float)}


def scripts_folder() -> Path | None:
    """The folder that holds a folder of scripts for each library; None where there is none."""
    return next((folder for folder in FOLDERS if folder.is_dir()), None)


def read_bugs(folder: Path, patterns: Iterable[str] = ()) -> list[Bug]:
    """The bugs of all libraries, or those whose ids fit a pattern. Raises UnfitScript."""
    patterns = list(patterns)
    found = [read_bug(path) for path in sorted(folder.glob("*/*.py"))]
    return [bug for bug in found if not patterns or any(fnmatchcase(bug.id, pattern) for pattern in patterns)]


def read_bug(path: Path) -> Bug:
    """The bug that a script is about. Raises UnfitScript."""
    source = path.read_text()
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
    """What is wrong with a script's docstring and metadata."""
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
    """Which values are unknown, or do not go together."""
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
    """A list as a tuple, a text of several lines in one."""
    return tuple(value) if isinstance(value, list) else " ".join(value.split()) if isinstance(value, str) else value


def _is_text(value: object) -> bool:
    return isinstance(value, str)
