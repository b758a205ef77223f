"""Commands that a reader can copy: with the path of the run, and with PYTHONPATH if they need it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fuzz.differences import label_mode


def find_python_path(subject: str, *, script: bool = False) -> str:
    """Return the PYTHONPATH with which a command finds the subject; empty if it needs none.

    It is the one of this process, if the subject comes from there. A `script` in another directory does not find what
    is in the current one, either.
    """
    folder = find_folder(subject.partition(".")[0])
    if folder is None:
        return ""
    entries = os.environ.get("PYTHONPATH", "")
    if folder in [Path(entry or ".").resolve() for entry in entries.split(os.pathsep) if entries]:
        return entries
    return "." if script and folder == Path.cwd() else ""


def find_folder(package: str) -> Path | None:
    """Return the folder from which a package or module is imported; None for one that is built in."""
    try:
        found = find_spec(package)
    except (ImportError, ValueError):
        return None
    paths = [*(found.submodule_search_locations or ()), found.origin or ""] if found is not None else []
    return Path(paths[0]).resolve().parent if paths and paths[0] not in ("", "built-in", "frozen") else None


def join_words(words: Iterable[str]) -> str:
    """Return the words of a command, quoted for a shell where they need it, on one line: bash reads `$'...'`."""
    return " ".join(shlex.quote(word) if word.isprintable() else _escape_word(word) for word in words)


def _escape_word(word: str) -> str:
    return "$'" + "".join(char if char.isprintable() and char not in "\\'" else _escape(char) for char in word) + "'"


def _escape(char: str) -> str:
    errors = "surrogateescape" if "\udc80" <= char <= "\udcff" else "surrogatepass"  # the former are bytes of a path
    return "".join(f"\\x{byte:02x}" for byte in char.encode(errors=errors))


def set_python_path(command: str, subject: str, *, script: bool = False) -> str:
    """Return the command with the PYTHONPATH that it needs."""
    path = find_python_path(subject, script=script)
    return f"PYTHONPATH={join_words([path])} {command}" if path else command


def format_replay(word: str, summary: Mapping[str, Any], modes: Sequence[str] = ()) -> str:
    """Return the command that judges a case file or a finding's id again as the run did, by default in its modes."""
    words = ["python", "-m", "fuzz", "replay", word, "--subject", summary["subject"]]
    words += ["--setup", summary["setup"]] if summary.get("setup") else []
    words += ["--python", summary["interpreter"]] if summary.get("interpreter") else []
    labels = [label_mode(mode).partition("@") for mode in modes]
    names, devices = (dict.fromkeys(label[part] for label in labels) for part in (0, 2))
    words += ["--modes", ",".join(names)] if names else []
    words += ["--devices", ",".join(device or "CPU:0" for device in devices)] if any(devices) else []
    words += ["--errors"] if summary.get("calls") == "invalid" else []
    return set_python_path(join_words(words), summary["subject"])


def format_script(path: Path, subject: str, interpreter: str = "") -> str:
    """Return the command that runs the script of a finding."""
    return set_python_path(join_words([interpreter or "python", str(path)]), subject, script=True)


def show_path(path: Path) -> Path:
    """Return the path relative to the current directory, if it is below that."""
    absolute = path.resolve()
    return absolute.relative_to(Path.cwd()) if absolute.is_relative_to(Path.cwd()) else absolute
