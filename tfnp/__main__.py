"""`python -m tfnp PROGRAM.py [ARGS]`: run a NumPy program with its numpy replaced by `tfnp.numpy`."""

from __future__ import annotations

import argparse
import atexit
import runpy
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from tfnp import imports
from tfnp.numpy import numpy_calls
from tfnp.numpy.policy import Policy

_USAGE = """python -m tfnp [--report] PROGRAM.py [ARGS ...]
       python -m tfnp [--report] -m MODULE [ARGS ...]
       python -m tfnp [--report] -c CODE [ARGS ...]"""


def main(arguments: list[str]) -> None:
    """Run a program, or a module as `python -m` does: imports of numpy are replaced in the files of its folder."""
    parser = argparse.ArgumentParser("python -m tfnp", usage=_USAGE, description=__doc__)
    parser.add_argument(
        "--report",
        action="store_true",
        help="say which functions and modules of NumPy itself were used, how often and why",
    )
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "-m", action="store_const", const=run_module, default=run_file, dest="run", help="run a module, such as pytest"
    )
    kinds.add_argument("-c", action="store_const", const=run_code, dest="run", help="run source code")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if options.report:
        Policy.counts = Counter()
        atexit.register(report)
    options.run(options.program, options.arguments)


def show_exception(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Print an exception as Python does, without the calls that led to the program."""
    outside = (__file__, runpy.__file__, f"<frozen {runpy.__name__}>")
    while traceback is not None and traceback.tb_frame.f_code.co_filename in outside:
        traceback = traceback.tb_next
    sys.__excepthook__(kind, error.with_traceback(traceback), traceback)


def run_file(program: str, arguments: list[str]) -> None:
    """Run a source file. Exit with status 2 if it cannot be read, as Python does."""
    path = Path(program).resolve()
    try:
        source = path.read_bytes()
    except OSError as error:
        print(f"python -m tfnp: can't open file {program!r}: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None
    sys.argv = [program, *arguments]
    _run_source(source, str(path), path.parent, __file__=program)


def run_code(code: str, arguments: list[str]) -> None:
    """Run source code that was given as text."""
    sys.argv = ["-c", *arguments]
    _run_source(code, "<string>", Path.cwd())


def _run_source(source: str | bytes, path: str, folder: Path, **attributes: Any) -> None:
    imports.install_folder(folder)
    sys.path[0] = str(folder)
    module = ModuleType("__main__")
    module.__dict__.update(attributes)
    code = imports.compile_source(source, path)
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def run_module(name: str, arguments: list[str]) -> None:
    """Run a module. pytest loads tests as they are imported elsewhere, since it would read the files itself."""
    imports.install_folder(Path.cwd())
    if name == "pytest" and not any(argument.startswith("--assert") for argument in arguments):
        arguments = ["--assert=plain", *arguments]
    sys.argv, sys.path[0] = [name, *arguments], str(Path.cwd())
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def report() -> None:
    """Print which names of NumPy itself were used, how often and why."""
    lacking = "TensorFlow or tfnp lacks it"
    counts = Counter({(name.removeprefix("numpy."), lacking): number for name, number in numpy_calls.COUNTS.items()})
    counts += Policy.counts or Counter()
    lines = [f"  numpy.{name}: {number} ({reason})" for (name, reason), number in sorted(counts.items())]
    print(
        f"NumPy itself was used, by the policy {Policy.mode}, for:" if lines else "NumPy itself was used for nothing.",
        *lines,
        sep="\n",
        file=sys.stderr,
    )


if __name__ == "__main__":
    sys.excepthook = show_exception
    main(sys.argv[1:])
