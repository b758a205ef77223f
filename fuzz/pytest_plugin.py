"""The pytest plugin: `pytest --numpy-subject MODULE` makes a test of each of NumPy's names that a module has.

Every pytest in an environment with this package loads it: so it imports nothing and does nothing without the option,
and its options begin with a word of its own: a project may have a `--subject`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("subject", "judging a module that promises NumPy's API")
    group.addoption(
        "--numpy-subject", metavar="MODULE", help="Judge this module: a test for each of NumPy's names that it has."
    )
    group.addoption(
        "--numpy-subject-configured",
        action="store_true",
        help="Judge the subject of the table [tool.fuzz] in the pyproject.toml of the current directory.",
    )
    group.addoption(
        "--numpy-subject-names",
        metavar="GLOB,..",
        help="Only names that match, such as 'linalg.*,roll'. Default: those of [tool.fuzz], or all.",
    )
    group.addoption(
        "--numpy-subject-modes",
        metavar="M,..",
        help="Execution modes, as for `python -m fuzz run`. Default: of [tool.fuzz], or eager.",
    )
    group.addoption(
        "--numpy-subject-python",
        default="",
        metavar="INTERPRETER",
        help="Judge in the environment of another Python, as `python -m fuzz run --python`.",
    )
    group.addoption(
        "--numpy-subject-examples",
        type=int,
        metavar="N",
        help="Calls for each name. Default: Hypothesis's max_examples.",
    )
    group.addoption(
        "--numpy-subject-values-only",
        action="store_true",
        help="Fail only for wrong values, shapes, dtypes and gradients, crashes, hangs and changed inputs, as "
        "`python -m fuzz run --values-only`.",
    )
    group.addoption(
        "--numpy-subject-skips",
        type=Path,
        metavar="FILE",
        help="Names or globs not to test: a line for each, with a reason.",
    )
    group.addoption(
        "--numpy-subject-xfails",
        type=Path,
        metavar="FILE",
        help="Names or globs that are known to fail: a line for each, with a reason; one that passes is a failure.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Take options from the project's configuration, and leave out the tests of the directory, unless they are named,
    too.
    """
    if config.option.numpy_subject or config.option.numpy_subject_configured:
        _take_configured(config.option)
    if config.option.numpy_subject and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = []


def _take_configured(option: Any) -> None:
    """Fill in from [tool.fuzz] what the command line leaves out, if the table is about the same subject."""
    try:
        from fuzz.triage.configuration import read_configuration
        from oracle.harness import UnfitConfiguration
    except ImportError as error:
        raise _need_extra(error) from None
    try:
        table = read_configuration()
    except UnfitConfiguration as error:
        raise pytest.UsageError(str(error)) from None
    if option.numpy_subject_configured:
        option.numpy_subject = option.numpy_subject or table.get("subject")
    if not option.numpy_subject:
        raise pytest.UsageError("--numpy-subject-configured needs a subject in [tool.fuzz] of pyproject.toml here")
    own = table if table.get("subject") == option.numpy_subject else {}
    option.numpy_subject_names = option.numpy_subject_names or ",".join(own.get("names", ())) or "*"
    option.numpy_subject_modes = option.numpy_subject_modes or ",".join(own.get("modes", ())) or "eager"
    option.numpy_subject_values_only |= own.get("values-only", False)


def _need_extra(error: ImportError) -> pytest.UsageError:
    return pytest.UsageError(
        f"--numpy-subject needs array-oracle, pip install ./fuzz in a clone of its repository: {error}"
    )


@pytest.hookimpl(tryfirst=True)  # so that -k and the like choose among these
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    if session.config.option.numpy_subject:
        try:
            from fuzz.testing.subject_tests import collect
        except ImportError as error:
            raise _need_extra(error) from None
        items.extend(collect(session))
