"""Parameter types and options that commands share. Usage errors take one line, and say what exists instead."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

import fuzz.adapters  # noqa: F401 - registers the adapters under the names of their libraries
from fuzz.engine.domain import Unusable
from fuzz.engine.domains import DOMAINS
from fuzz.engine.run_options import LARGEST_SEED, parse_shard, parse_time_scale
from fuzz.engine.tasks import OWN
from fuzz.releases.environments import FOLDER
from fuzz.triage.untrusted_input import DEVICE, DOTTED, SETUP
from oracle.harness import ALLOW_ROOT, MODE_NAME, MODES, WELL_KNOWN, find_adapter, quote, registered

SUBJECTS = ("tfnp", "tensorflow.experimental.numpy", "tensorflow")
WORKER = "job:worker/replica:0/task:0/device:CPU:0"
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
LONGEST_SECONDS = 1e9


class Unclear(click.UsageError):
    """A usage error: a value on the command line that makes no sense."""


class Duration(click.ParamType):
    """A duration: 90, 120s, 2m, 1.5h, 1h30m."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the duration in seconds."""
        text = str(value).strip().lower()
        if re.fullmatch(r"\d+(\.\d+)?", text):
            text += "s"
        parts = re.findall(r"(\d+(?:\.\d+)?)(ms|min|s|m|h|d)", text)
        if not parts or "".join(f"{number}{unit}" for number, unit in parts) != text:
            raise Unclear(f"{value!r} is not a duration; write 120s, 2m or 1h")
        seconds = sum(float(number) * UNITS[unit] for number, unit in parts)
        if not 0 < seconds <= LONGEST_SECONDS:
            raise Unclear(f"{value!r} is not a positive duration of at most {LONGEST_SECONDS:.0f} s")
        return seconds


class Shard(click.ParamType):
    """One shard of several: 2/5."""

    name = "shard"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return the number of the shard, counted from 1, and how many shards there are."""
        if isinstance(value, tuple):
            return value
        try:
            return parse_shard(str(value))
        except Unusable as error:
            raise Unclear(str(error)) from None


class TimeScale(click.ParamType):
    """A factor of times: 0.5, 10."""

    name = "factor"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the factor."""
        try:
            return parse_time_scale(value)
        except Unusable as error:
            raise Unclear(str(error)) from None


class Seed(click.ParamType):
    """An integer below 2**64, or a commit's hexadecimal name, whose first 16 digits are the seed."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the seed as an integer."""
        text = str(value).strip().lower()
        if re.fullmatch(r"\d{1,39}", text):  # the hexadecimal name of a commit has 40 digits or more, or a letter
            number = int(text)
            if number > LARGEST_SEED:
                raise Unclear(f"{value!r} is not a seed between 0 and {LARGEST_SEED}")
            return number
        if re.fullmatch(r"[0-9a-f]{7,64}", text):
            return int(text[:16], 16)
        raise Unclear(f"{value!r} is not a seed; write an integer, or the hexadecimal name of a commit")


class Words(click.ParamType):
    """A comma-separated list; `check` validates each word, and returns it as it is used."""

    name = "list"

    def __init__(self, check: Callable[[str], str]) -> None:
        self.check = check

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the words without repetitions."""
        if isinstance(value, tuple):
            return value
        words = [word.strip() for word in str(value).split(",") if word.strip()]
        if not words:
            raise Unclear(f"empty list for --{param.name if param else 'option'}")
        return tuple(dict.fromkeys(self.check(word) for word in words))


class SetupName(click.ParamType):
    """A function, named as MODULE:FUNCTION."""

    name = "function"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, if it has the form MODULE:FUNCTION. Whether the function exists, only a worker can tell."""
        if not (value and SETUP.fullmatch(str(value))):
            raise Unclear(f"{value!r} is not a function; write MODULE:FUNCTION")
        return str(value)


class SubjectName(click.ParamType):
    """The name of an importable module."""

    name = "module"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, if its top-level package is installed. Whether the module exists, only a worker can tell."""
        interpreter = None if ctx is None else ctx.params.get("interpreter")
        if interpreter and DOTTED.fullmatch(str(value)):
            return str(value)  # another interpreter may have it
        head = str(value).partition(".")[0]
        try:
            known = bool(head.isidentifier() and find_spec(head))
        except (ImportError, ValueError):
            known = False
        if not known or str(value).endswith("."):
            raise Unclear(f"no module {value!r}{hint(str(value), (*SUBJECTS, *registered()))}")
        return str(value)


def check_subject(text: str) -> str:
    """Return the name, if it has the form of a module's. Whether the module exists, only a worker can tell."""
    if not DOTTED.fullmatch(text):
        raise Unclear(f"no module {text!r}{hint(text, registered())}")
    return text


def choose_subject(given: str | None) -> str:
    """Return the subject of the command line, or tfnp if that is installed. Raises Unclear if it is not."""
    if given is None and find_spec(OWN) is None:
        raise Unclear(
            "a subject is needed: --subject MODULE, or [tool.fuzz] in pyproject.toml here (python -m fuzz init)"
        )
    return given or OWN


def resolve_subject(named: str, given: str | None, path: Path) -> str:
    """Return the subject that the file of a run names, if it is well known or equals `given`, the one of the command
    line.

    Importing a module runs code, and a file is only data: so a file alone cannot make a module be imported.
    """
    if named in (*WELL_KNOWN, *DOMAINS) or named == given or find_adapter(named) is not None:
        return named
    if not DOTTED.fullmatch(named):
        raise Unclear(f"{path}: the run judged {quote(named)}, which is not a module")
    raise Unclear(f"{path}: the run judged {named}, which is imported only if you pass --subject {named}")


WELL_KNOWN_SETUPS = ("tensorflow.experimental.numpy:experimental_enable_numpy_behavior",)


def resolve_setup(named: str, given: str | None, path: Path) -> str:
    """Return the setup function that the file of a run names, if it is well known or equals `given`, the one of the
    command line: it will be called.
    """
    if named in ("", *WELL_KNOWN_SETUPS) or named == given:
        return named
    if not SETUP.fullmatch(named):
        raise Unclear(f"{path}: the run was set up by {quote(named)}, which is not a function")
    raise Unclear(f"{path}: the run was set up by {named}, which is called only if you pass --setup {named}")


def resolve_interpreter(named: str, given: str, path: Path) -> None:
    """Refuse the interpreter that the file of a run names, unless it equals `given`, that of the command line: it would
    be started.
    """
    if named != given:
        told = f"by {quote(named)}, which is started only if you pass --python {named}" if named else "without --python"
        raise Unclear(f"{path}: the run was judged {told}")


def check_mode(text: str) -> str:
    """Return the mode, if there can be one of this name. Whether the subject has it, only a worker can tell."""
    if not MODE_NAME.fullmatch(text):
        raise Unclear(f"no mode {text!r}{hint(text, MODES)}")
    return text


def check_offered_modes(subject: str, modes: Iterable[str]) -> None:
    """Refuse a mode that a well-known subject does not have."""
    adapter = find_adapter(subject)
    if adapter is None and subject not in WELL_KNOWN:
        return
    offered = MODES if adapter is None or adapter.tensors else adapter.modes
    for mode in modes:
        if mode not in offered:
            raise Unclear(f"no mode {mode!r}{hint(mode, offered)}")


def check_device(text: str) -> str:
    """Return the device, if the name has the form of one. Whether the device exists, only a worker can tell."""
    if not DEVICE.fullmatch(text):
        raise Unclear(f"no device {text!r}{hint(text.upper(), ('CPU:0', 'GPU:0', 'TPU:0', WORKER))}")
    return text


def hint(text: str, known: Iterable[str]) -> str:
    """Return what to add to a message about an unknown word: similar known words, or all of them if they are few."""
    known = list(dict.fromkeys(known))
    close = get_close_matches(text, known, n=3)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; there are {', '.join(known)}" if len(known) <= 12 else ""


def _allow_root(_: click.Context, __: click.Parameter, value: bool) -> None:
    if value:
        os.environ[ALLOW_ROOT] = "1"


def subject_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --subject and --allow-root to a command."""
    command = click.option(
        "--allow-root",
        is_flag=True,
        expose_value=False,
        callback=_allow_root,
        help="Run calls as root, although they can remove any file, because the kernel has no Landlock.",
    )(command)
    return click.option(
        "--subject",
        type=SubjectName(),
        default=None,
        help="The module to judge: tfnp, a library with an adapter "
        f"({', '.join(registered())}), any module with NumPy's names, or tensorflow for its own ops. "
        "Default: tfnp, where that is installed.",
    )(command)


def python_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option --python to a command."""
    return click.option(
        "--python",
        "interpreter",
        is_eager=True,  # it has to be known when --subject is read
        default="",
        metavar="INTERPRETER",
        help="Judge in the environment of another Python, by its NumPy: it needs NumPy, ml_dtypes and the subject. "
        "Default: this one.",
    )(command)


def environment_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options about environments that are made to a command."""
    with_others = click.option(
        "--with",
        "others",
        multiple=True,
        metavar="REQUIREMENT",
        help="Another package for each environment, such as tensorflow or ./mypackage; may be repeated.",
    )
    with_interpreter = click.option(
        "--python",
        "interpreter",
        default=sys.executable,
        metavar="INTERPRETER",
        help="The Python of the environments. Default: this one.",
    )
    in_folder = click.option(
        "--environments",
        type=click.Path(file_okay=False, path_type=Path),
        default=FOLDER,
        metavar="DIR",
        help=f"Where environments are kept for the next time. Default: {FOLDER}.",
    )
    return with_others(with_interpreter(in_folder(command)))


def setup_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option --setup to a command."""
    return click.option(
        "--setup",
        type=SetupName(),
        default=None,
        metavar="MODULE:FUNCTION",
        help="A function to call without arguments before anything is judged, also in scripts.",
    )(command)


def errors_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option --errors to a command that judges stored cases."""
    return click.option("--errors", is_flag=True, help="Judge errors by NumPy's own classes, as `run --errors` does.")(
        command
    )


def mode_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --modes and --devices to a command."""
    modes = click.option(
        "--modes",
        type=Words(check_mode),
        default=None,
        metavar="M,..",
        help="Execution modes: `fuzz modes` lists a subject's. A campaign runs each item in all that are given. "
        "Default, in turns by their cost: eager, graph, xla; in runs of more than two minutes, or of up to 20 names, "
        "all. A library with an adapter has modes of its own, one of NumPy's arrays has eager alone.",
    )
    devices = click.option(
        "--devices",
        type=Words(check_device),
        default=None,
        metavar="D,..",
        help=f"Devices, such as CPU:0 or {WORKER}, a worker over loopback. Default of run: all that TensorFlow finds; "
        "of other commands: CPU:0.",
    )
    return modes(devices(command))


class Sectioned(click.Command):
    """A command whose help lists options by section; those that no section has come last."""

    sections: Mapping[str, Sequence[str]] = {}

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections."""
        options = [one for one in self.get_params(context) if isinstance(one, click.Option)]
        records = {one.opts[-1]: record for one in options if (record := one.get_help_record(context))}
        listed = {name for names in self.sections.values() for name in names}
        for title, names in {**self.sections, "Others": [name for name in records if name not in listed]}.items():
            shown = [records[name] for name in names if name in records]
            if shown:
                with formatter.section(title):
                    formatter.write_dl(shown)


def count_cores() -> int:
    """Return the number of usable cores."""
    return len(os.sched_getaffinity(0))
