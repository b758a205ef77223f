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
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

EFFECTS = ("wrong value", "wrong gradient", "crash", "hang", "error")
"""What a bug does, the worst first: wrong numbers that nobody notices, the end of the process, no end, an exception."""

VERDICTS = ("defect", "arguable", "by design")
"""A defect, the surest first; what maintainers may defend; what they do defend, or have decided."""

FOLDERS = (
    Path(__file__).parents[2] / "docs" / "upstream" / "scripts",
    Path(__file__).parent / "scripts",
)
"""Where the scripts are: in a checkout, and where the package was installed."""

_SCRIPT = re.compile(
    r'(?P<docstring>""".*?"""\n)\n*# /// upstream\n(?P<block>(?:#(?: .*)?\n)+?)# ///\n+(?P<code>.*)', re.DOTALL
)


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


def find_scripts_folder() -> Path | None:
    """Return the folder that contains a folder of scripts for each library, or None if it does not exist."""
    return next((folder for folder in FOLDERS if folder.is_dir()), None)


def read_bugs(folder: Path, patterns: Iterable[str] = ("*",)) -> list[Bug]:
    """Return the bugs of all libraries, or those whose id matches a pattern. Raises UnfitScript."""
    patterns = list(patterns)
    found = [read_bug(path) for path in sorted(folder.glob("*/*.py"))]
    return [bug for bug in found if any(fnmatchcase(bug.id, pattern) for pattern in patterns)]


def read_bug(path: Path) -> Bug:
    """Return the bug that a script shows. Raises UnfitScript."""
    script = _SCRIPT.fullmatch(path.read_text(encoding="utf-8"))
    if script is None:
        raise UnfitScript(f"{path}: a script is a docstring, a block `# /// upstream`, and code")
    title, _, text = (ast.get_docstring(ast.parse(script["docstring"])) or "").partition("\n")
    told = path.parent.name, path.stem, path, title.rstrip("."), text.strip(), script["code"].strip() + "\n"
    try:
        data = tomllib.loads("\n".join(line[2:] for line in script["block"].splitlines()))
        return Bug(*told, **{key: _plain(value) for key, value in data.items()})
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise UnfitScript(f"{path}: {error}") from None


def _plain(value: Any) -> Any:
    """Return a list as a tuple, and a text of several lines as one line."""
    return tuple(value) if isinstance(value, list) else " ".join(value.split()) if isinstance(value, str) else value
