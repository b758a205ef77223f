"""`python -m tfnp PROGRAM.py [ARGS]`: run a NumPy program with its numpy replaced by `tfnp.numpy`."""

from __future__ import annotations

import argparse
import atexit
import runpy
import sys
from pathlib import Path
from types import ModuleType

from tfnp import imports
from tfnp.numpy import numpy_calls

_USAGE = "python -m tfnp [--report] PROGRAM.py [ARGS ...]\n       python -m tfnp [--report] -m MODULE [ARGS ...]"


def main(arguments: list[str]) -> None:
    """Run a program, or a module as `python -m` does: imports of numpy are replaced in the files of its folder."""
    parser = argparse.ArgumentParser("python -m tfnp", usage=_USAGE, description=__doc__)
    parser.add_argument(
        "--report", action="store_true", help="say which functions and modules of NumPy itself were used"
    )
    parser.add_argument("-m", action="store_true", dest="is_module", help="run a module, such as pytest")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if options.report:
        atexit.register(report)
    (run_module if options.is_module else run_file)(options.program, options.arguments)


def run_file(program: str, arguments: list[str]) -> None:
    """Run a source file."""
    path = Path(program).resolve()
    imports.install_folder(path.parent)
    sys.argv, sys.path[0] = [program, *arguments], str(path.parent)
    module = ModuleType("__main__")
    module.__file__ = program
    code = imports.compile_source(path.read_bytes(), str(path))
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
    """Print which names of NumPy itself were used, where `tfnp` has none."""
    lines = sorted(f"  numpy.{name.removeprefix('numpy.')}" for name in numpy_calls.COUNTS)
    print(
        "NumPy itself was used for:" if lines else "NumPy itself was used for nothing.",
        *lines,
        sep="\n",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
