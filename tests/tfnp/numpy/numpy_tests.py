"""Run NumPy's own tests, as its wheel installs them, with `numpy` replaced by `tfnp.numpy`.

    python -m tests.tfnp.numpy.numpy_tests [FILE ...] [--out DIR] [--seconds N] [--cases N] [--failures]

A file is a name such as `_core/test_numeric`; the default is all of FILES. Each runs in a process of its own, twice:
with NumPy, whose passes are the total, and with `tfnp.numpy`. Copies of the files are made in DIR, since modules of an
installed library keep their numpy. Left out are tests that mention dtypes no tensor has (objects, records, dates, long
doubles), tests that NumPy marks as slow, and all but CASES of a parametrized test, spread evenly over its parameters.
"""

from __future__ import annotations

import argparse
import functools
import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy
import pytest

ROOT = Path(__file__).parents[3]
FILES: Final = (
    *(f"_core/test_{name}" for name in ("einsum", "function_base", "indexing", "item_selection", "mem_overlap")),
    *(f"_core/test_{name}" for name in ("multiarray", "numeric", "shape_base", "ufunc", "umath")),
    *(f"fft/test_{name}" for name in ("helper", "pocketfft")),
    *(f"lib/test_{name}" for name in ("arraypad", "arraysetops", "function_base", "histograms", "index_tricks")),
    *(f"lib/test_{name}" for name in ("nanfunctions", "packbits", "polynomial", "shape_base", "stride_tricks")),
    *(f"lib/test_{name}" for name in ("twodim_base", "type_check", "ufunclike")),
    "linalg/test_linalg",
)
UNSUPPORTED: Final = re.compile(
    r"\bobject\b|['\"\[-](O|c?[gG]|M|m)['\"\]-]|longdouble|longfloat|float128|complex256|datetime|timedelta|\b[Mm]8"
    r"|recarray|\brec\.|\bvoid\b|['\"]V\d*['\"]|dtype\(\[\(|dtype=\[|Decimal|Fraction"
)
"""What a test says that needs a dtype which no tensor has."""
SECONDS_OF_A_TEST: Final = 10
"""The processor's time that a test may take; ten times as much may pass on a loaded machine."""
RESULTS: Final = Path(os.environ.get("NUMPY_TESTS_RESULTS", ""))
"""What a process writes its outcomes to."""


def main(arguments: list[str] | None = None) -> None:
    """Print how many of the tests that pass with NumPy pass with the subject, by file."""
    options = parse(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    passed = total = 0
    for file in options.files or FILES:
        expected = run_file(file, "numpy", options)
        actual = expected if options.subject == "numpy" else run_file(file, options.subject, options)
        names = [name for name, entry in expected.items() if entry["outcome"] == "passed"]
        count = sum(actual.get(name, {}).get("outcome") == "passed" for name in names)
        passed, total = passed + count, total + len(names)
        print(f"{file:28} {count:5} of {len(names):5}", flush=True)
        if options.failures:
            print_failures(names, actual)
    print(f"{'':28} {passed:5} of {total:5}")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.tfnp.numpy.numpy_tests", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="such as _core/test_numeric; default: all")
    parser.add_argument("--out", type=Path, default=Path("build/numpy_tests"), metavar="DIR")
    parser.add_argument("--seconds", type=int, default=600, metavar="N", help="for each file; default: 600")
    parser.add_argument("--cases", type=int, default=24, metavar="N", help="of a parametrized test; default: 24")
    parser.add_argument("--failures", action="store_true", help="print the failures of each file, by message")
    parser.add_argument("--subject", default="tfnp.numpy", choices=("tfnp.numpy", "numpy"))
    return parser.parse_args(arguments)


def run_file(file: str, subject: str, options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return outcome and message of each test of a file. NumPy's are kept from one run to the next."""
    source = copy_tests(file, options.out)
    results = options.out / f"{subject}-{options.cases}-{file.replace('/', '-')}.jsonl"
    if subject != "numpy" or not results.exists():
        results.unlink(missing_ok=True)
        python = [sys.executable, "-m", *(["tfnp", "-m"] if subject != "numpy" else []), "pytest"]
        plugins = ["-p", "tests.tfnp.numpy.numpy_tests", "-p", "no:cacheprovider", "-p", "no:xdist"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "NUMPY_TESTS_RESULTS": str(results.resolve()),
            "NUMPY_TESTS_CASES": str(options.cases),
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        command = [*python, "-q", "--tb=short", "-m", "not slow", "--rootdir=.", *plugins, source.name]
        deadline = time.monotonic() + options.seconds
        with results.with_suffix(".log").open("w") as log:
            while run_until(deadline, command, cwd=source.parent, env=environment, stdout=log, stderr=log) < 0:
                pass  # a test crashed or took too long: go on with those after it
    return read_results(results)


def read_results(path: Path) -> dict[str, dict[str, Any]]:
    """Return the last entry of each test."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {entry["name"]: entry for entry in map(json.loads, lines)}


def run_until(deadline: float, command: list[str], **options: Any) -> int:
    """Return the exit status of a command: negative if it crashed, 1 if it took too long."""
    process = subprocess.Popen(command, **options)
    try:
        return process.wait(max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return 1


def copy_tests(file: str, folder: Path) -> Path:
    """Copy the tests of one of NumPy's packages with their data, and the fixtures. Return the path of a file."""
    installed = Path(numpy.__file__).parent
    package, _, name = file.partition("/")
    target = folder / "sources" / package
    shutil.copytree(installed / package / "tests", target, dirs_exist_ok=True)
    (target / "__init__.py").unlink(missing_ok=True)
    shutil.copy(installed / "conftest.py", target)
    (target / "pytest.ini").write_text("[pytest]\n")
    return target / f"{name}.py"


def print_failures(names: list[str], actual: dict[str, dict[str, Any]]) -> None:
    """Print the first line of each message, how many tests failed with it, and one of them."""
    examples: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for name in names:
        entry = actual.get(name, {"outcome": "not run", "message": "not run"})
        if entry["outcome"] != "passed":
            message = re.sub(r"0x[0-9a-f]+|\d+", "#", entry["message"].strip().partition("\n")[0])[:150]
            counts[message] += 1
            examples.setdefault(message, name)
    for message, count in counts.most_common():
        print(f"    {count:5} {message}   e.g. {examples[message]}")


# What follows runs in the processes, as a plugin of pytest.


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that need dtypes which no tensor has, and most cases of long tables."""
    tables: dict[str, list[pytest.Item]] = {}
    for item in items:
        function = item.function  # type: ignore[attr-defined] # tests are functions
        if not UNSUPPORTED.search(item.nodeid) and not needs_other_dtypes(inspect.unwrap(function)):
            tables.setdefault(item.nodeid.partition("[")[0], []).append(item)
    most, done = int(os.environ["NUMPY_TESTS_CASES"]), read_results(RESULTS)
    chosen = [
        cases[index * len(cases) // min(most, len(cases))]
        for cases in tables.values()
        for index in range(min(most, len(cases)))
    ]
    items[:] = [item for item in chosen if item.nodeid not in done]


@functools.cache
def needs_other_dtypes(function: Callable[..., Any]) -> bool:
    """Return whether the source of a test mentions a dtype that no tensor has."""
    return UNSUPPORTED.search(inspect.getsource(function)) is not None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """End the process if a test takes too long: the next one goes on with the tests after it.

    An exception would not interrupt TensorFlow's runtime, and would leave the graph that it traces as the default one.
    """
    signal.setitimer(signal.ITIMER_PROF, SECONDS_OF_A_TEST)
    signal.alarm(10 * SECONDS_OF_A_TEST)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.alarm(0)


def pytest_runtest_logstart(nodeid: str) -> None:
    """Write that a test began: if no outcome follows, the process ended in it."""
    message = f"crashed, or took more than {SECONDS_OF_A_TEST} s"
    write_entry({"name": nodeid, "outcome": "crashed", "message": message, "seconds": 0.0})


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write an outcome as soon as it is known, so that a crash loses no others."""
    if report.when == "call" or report.outcome != "passed":
        crash = getattr(report.longrepr, "reprcrash", None)
        entry = {
            "name": report.nodeid,
            "outcome": report.outcome,
            "message": (crash.message if crash else str(report.longrepr or ""))[:600],
            "seconds": round(report.duration, 3),
        }
        write_entry(entry)


def write_entry(entry: dict[str, Any]) -> None:
    with RESULTS.open("a") as file:
        file.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main()
