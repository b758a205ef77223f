"""The pytest plugin: `pytest --subject MODULE` makes a test of each of NumPy's names that a module has.

Every pytest in an environment with this package loads it: so it imports nothing and does nothing without the option.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SHORT = ("--modes", "--database", "--values-only")
"""Options that may be written without their prefix beside --subject: alone they belong to others."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("subject", "judging a module that promises NumPy's API")
    group.addoption(
        "--subject", metavar="MODULE", help="Judge this module: a test for each of NumPy's names that it has."
    )
    group.addoption(
        "--subject-names",
        metavar="GLOB,..",
        default="*",
        help="Only names that match, such as 'linalg.*,roll'. Default: all.",
    )
    group.addoption(
        "--subject-modes",
        metavar="M,..",
        default="eager",
        help="Execution modes, as for `python -m fuzz run`; --modes for short. Default: eager.",
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
    if any(word.partition("=")[0] == "--subject" for word in args):
        args[:] = [_full(word) for word in args]


def _full(word: str) -> str:
    name, equals, value = word.partition("=")
    return f"--subject-{name[2:]}{equals}{value}" if name in SHORT else word


def pytest_configure(config: pytest.Config) -> None:
    """Leave out the tests of the directory, unless they are named, too."""
    if config.option.subject and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = []


@pytest.hookimpl(tryfirst=True)  # so that -k and the like choose among these
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    if session.config.option.subject:
        try:
            from fuzz.testing.subject_tests import collect
        except ImportError as error:
            raise pytest.UsageError(
                f"--subject needs the extra fuzz of tfnp, pip install '.[fuzz]' in a clone of it: {error}"
            ) from None
        items.extend(collect(session))
