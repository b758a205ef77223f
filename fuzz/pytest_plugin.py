"""The pytest plugin: `pytest --subject MODULE` makes a test of each of NumPy's names that a module has.

Every pytest in an environment with this package loads it: so it imports nothing and does nothing without the option.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SHORT = ("--modes", "--python", "--database", "--values-only")
"""Options that may be written without their prefix beside --subject: alone they belong to others."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("subject", "judging a module that promises NumPy's API")
    group.addoption(
        "--subject", metavar="MODULE", help="Judge this module: a test for each of NumPy's names that it has."
    )
    group.addoption(
        "--subject-configured",
        action="store_true",
        help="Judge the subject of the table [tool.fuzz] in the pyproject.toml of the current directory.",
    )
    group.addoption(
        "--subject-names",
        metavar="GLOB,..",
        help="Only names that match, such as 'linalg.*,roll'. Default: those of [tool.fuzz], or all.",
    )
    group.addoption(
        "--subject-modes",
        metavar="M,..",
        help="Execution modes, as for `python -m fuzz run`; --modes for short. Default: of [tool.fuzz], or eager.",
    )
    group.addoption(
        "--subject-python",
        default="",
        metavar="INTERPRETER",
        help="Judge in the environment of another Python, as `python -m fuzz run --python`; --python for short.",
    )
    group.addoption(
        "--subject-examples", type=int, metavar="N", help="Calls for each name. Default: Hypothesis's max_examples."
    )
    group.addoption(
        "--subject-database",
        metavar="DATABASE",
        help="The Hypothesis database to replay and to add to, as of `python -m fuzz run`; --database for short. "
        "Default: Hypothesis's own.",
    )
    group.addoption(
        "--subject-values-only",
        action="store_true",
        help="Fail only for wrong values, shapes, dtypes and gradients, crashes, hangs and changed inputs, as "
        "`python -m fuzz run --values-only`; --values-only for short.",
    )
    group.addoption(
        "--subject-skips", type=Path, metavar="FILE", help="Names or globs not to test: a line for each, with a reason."
    )
    group.addoption(
        "--subject-xfails",
        type=Path,
        metavar="FILE",
        help="Names or globs that are known to fail: a line for each, with a reason; one that passes is a failure.",
    )


def pytest_load_initial_conftests(args: list[str]) -> None:
    """Expand abbreviated options, if there is a subject."""
    if any(word.partition("=")[0] in ("--subject", "--subject-configured") for word in args):
        args[:] = [_full(word) for word in args]


def _full(word: str) -> str:
    name, equals, value = word.partition("=")
    return f"--subject-{name[2:]}{equals}{value}" if name in SHORT else word


def pytest_configure(config: pytest.Config) -> None:
    """Take options from the project's configuration, and leave out the tests of the directory, unless they are named,
    too.
    """
    if config.option.subject or config.option.subject_configured:
        _take_configured(config.option)
    if config.option.subject and config.args_source is not pytest.Config.ArgsSource.ARGS:
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
    if option.subject_configured:
        option.subject = option.subject or table.get("subject")
    if not option.subject:
        raise pytest.UsageError("--subject-configured needs a subject in [tool.fuzz] of pyproject.toml here")
    own = table if table.get("subject") == option.subject else {}
    option.subject_names = option.subject_names or ",".join(own.get("names", ())) or "*"
    option.subject_modes = option.subject_modes or ",".join(own.get("modes", ())) or "eager"
    option.subject_values_only |= own.get("values-only", False)


def _need_extra(error: ImportError) -> pytest.UsageError:
    return pytest.UsageError(f"--subject needs array-oracle, pip install ./fuzz in a clone of its repository: {error}")


@pytest.hookimpl(tryfirst=True)  # so that -k and the like choose among these
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    if session.config.option.subject:
        try:
            from fuzz.testing.subject_tests import collect
        except ImportError as error:
            raise _need_extra(error) from None
        items.extend(collect(session))
