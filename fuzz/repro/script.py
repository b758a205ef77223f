"""Standalone scripts for findings: a script reads like a bug report, imports NumPy, TensorFlow and the subject, and
decides.

It exits with 1 if the subject differs from NumPy in the way that was found, with 0 if it agrees. A crash ends it by a
signal, a hang by an alarm that it sets itself.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Protocol

import numpy as np

from fuzz.differences import name_in_subject
from fuzz.repro.adapted_body import AdaptedScript
from fuzz.repro.body import HANG_SECONDS, MEMORY_GIBIBYTES, Script, avoid_tensorflow
from fuzz.repro.gradient import is_function
from fuzz.repro.op_body import OpScript
from fuzz.repro.predicate import find_tolerance
from fuzz.repro.runner import Ending
from fuzz.repro.source import ENCODING, check_source, quote_text
from oracle import Adapter, Case
from oracle.harness import MODES, PREFIX, PROGRAM, UNPRINTABLE, find_op, is_of_ops, make_line

TITLES = {
    "value": "gives another value than",
    "dtype": "gives another dtype than",
    "shape": "gives another shape than",
    "structure": "gives another structure than",
    "missing error": "accepts what is rejected by",
    "spurious error": "rejects what is accepted by",
    "never answered": "never answers a valid call, unlike",
    "different error": "raises another error than",
    "crash": "kills the process, unlike",
    "hang": f"does not return within {HANG_SECONDS} seconds, unlike",
    "memory": f"does not fit into {MEMORY_GIBIBYTES} GiB of memory, unlike",
    "inputs changed": "changes its input, unlike",
    "gradient": "has another slope than",
    "static shape": "is traced with another shape than it gives, unlike",
    "not vectorized": "is mapped row by row, unlike",
    "retrace": "is traced again for other values, unlike",
    "nondeterminism": "gives two results for one call, unlike",
    "differs from eager": "gives another result than in eager mode, both right by",
}


PACKAGES = {"tensorflow": "TensorFlow", "jax": "JAX", "torch": "PyTorch"}
"""What packages call themselves."""

LONGEST_REST = 440  # characters of an error message after its first line, at most


class Reported(Protocol):
    """Protocol: the fields of a finding that a script needs."""

    @property
    def minimal(self) -> Case: ...
    @property
    def kind(self) -> str: ...
    @property
    def modes(self) -> Sequence[str]: ...
    @property
    def detail(self) -> str: ...
    @property
    def outputs(self) -> str: ...


def shows(ending: Ending, kind: str) -> bool:
    """Return whether a script that ended like this has shown a difference of this kind: not if an exception ended it
    that it does not handle, or if it is no Python.
    """
    if kind == "hang":
        return ending.late or (ending.signal or "").startswith("SIGALRM")
    if ending.uncaught:
        return False
    if kind == "crash":
        return ending.status not in (0, 1) and not ending.late
    if kind == "memory":
        return (ending.status == 1 or ending.signal is not None) and not ending.late
    return ending.status == 1


def write_repro(
    finding: Reported,
    subject: str,
    setup: str = "",
    takes_tensors: bool | None = None,
    adapter: Adapter | None = None,
) -> str:
    """Return the source of the script, for the first mode of the finding. It calls the function `setup`, if any.

    It passes tensors to the subject, unless the subject takes arrays, or has an adapter, whose API it then uses.
    """
    mode, _, device = finding.modes[0].partition("@")
    device = device or "CPU:0"
    statement, alias = (adapter.imports, adapter.module) if adapter is not None else import_subject(subject)
    if is_of_ops(finding.minimal):
        script: Script = OpScript(finding.minimal, mode, device)
        statement, alias = "import tensorflow as tf", "tf"
    elif adapter is None or adapter.tensors:
        script = Script(finding.minimal, subject, alias, mode, device, takes_tensors)
    else:
        script = AdaptedScript(finding.minimal, subject, adapter, mode, device)
    script.tolerance = find_tolerance(finding.outputs)
    script.is_unprintable = UNPRINTABLE in finding.outputs
    body = script.body(finding.kind, finding.detail)
    if takes_tensors is False and adapter is None:
        body = avoid_tensorflow(body)
    needed = {"hang": "signal", "memory": "resource"}
    used = [needed[finding.kind]] if finding.kind in needed else []
    standard = [f"import {module}" for module in (["os"] if device.startswith("job:") else []) + used]
    uses_tensorflow = any("tf." in line for line in body)
    environment = adapter.environment.items() if adapter is not None else ()
    standard += [f"os.environ.setdefault({quote_text(key)}, {quote_text(value)})" for key, value in environment]
    if environment and "import os" not in standard:
        standard.insert(0, "import os")
    imports = ["import numpy as np", *(["import tensorflow as tf"] if uses_tensorflow else []), statement]
    imports = list(dict.fromkeys(imports))
    if any("ml_dtypes." in line for line in body):
        imports.insert(0, "import ml_dtypes")
    imports += call_setup(setup, subject, alias)
    is_native = takes_tensors is False or (adapter is not None and not adapter.tensors)
    standard += [""] if standard else []
    lines = [ENCODING, *write_heading(finding, subject, is_native), *standard, *imports, "", *body]
    return check_source("\n".join(lines) + "\n")


def call_setup(setup: str, subject: str, alias: str) -> list[str]:
    """Return the lines that call the function "module:function" which sets up a subject."""
    module, _, function = setup.partition(":")
    if not setup:
        return []
    if module == subject:
        return ["", f"{alias}.{function}()"]
    head, _, rest = function.partition(".")
    return [f"from {module} import {head}", "", f"{head}{'.' if rest else ''}{rest}()"]


def write_heading(finding: Reported, subject: str, is_native: bool = False) -> list[str]:
    """Return the lines that say what differs, and with which versions: of the library itself if `is_native`, or of
    TensorFlow.
    """
    modes = ", ".join(_describe_mode(mode) for mode in finding.modes)
    title = TITLES.get(finding.kind, f"departs ({finding.kind}) from")
    package = subject.partition(".")[0] if is_native else "tensorflow"
    known = find_version(package)
    library = f"; {PACKAGES.get(package, package)} {known}" if known else ""
    is_of_modes = is_of_ops(finding.minimal) and finding.modes[0].partition("@")[0] != "eager"
    seen = f"{'eager mode' if is_of_modes else f'NumPy {np.__version__}'} ({modes}{library})"
    detail = textwrap.shorten(make_line(finding.detail), 220, placeholder=" ...")
    name = PROGRAM if is_function(finding.minimal) else finding.minimal.name
    name = PREFIX + find_op(finding.minimal) if is_of_ops(finding.minimal) else name
    lines = [f"{name_in_subject(subject, name)} {title} {seen}.", *([detail] if detail else [])]
    rest = make_line(getattr(finding, "message", "").partition("\n")[2])
    lines += [textwrap.shorten(rest, LONGEST_REST, placeholder=" ...")] if rest.strip() else []
    return [f"# {line}" for text in lines for line in textwrap.wrap(text, 117)]


def _describe_mode(mode: str) -> str:
    name = mode.partition("@")[0]
    return MODES[name].words if name in MODES and MODES[name].words != name else mode


def find_version(package: str) -> str:
    """Return the version of an installed package; empty if it is not installed as such."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def import_subject(subject: str) -> tuple[str, str]:
    """Return the statement that imports a subject, and the name it is bound to."""
    if subject == "tensorflow.experimental.numpy":
        return "import tensorflow.experimental.numpy as tnp", "tnp"
    parent, _, last = subject.rpartition(".")
    return (f"from {parent} import {last} as subject", "subject") if parent else (f"import {last}", last)
