"""Tests of a subject, one for each of NumPy's names: Hypothesis draws and shrinks calls, a sandbox judges them."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.errors import Flaky

from fuzz.differences import DEATHS, Difference, find_parameter
from fuzz.engine.case_judge import CaseJudge, JudgeDied
from fuzz.engine.domain import Unusable
from fuzz.engine.run_options import KINDS_OF_VALUES
from fuzz.generate.calls import generated_names
from fuzz.strategies import calls
from fuzz.testing.expected_failures import (
    Expectation,
    UnfitExpectations,
    find_expectation,
    find_stale,
    read_expectations,
)
from fuzz.testing.failing_calls import FailingCalls
from fuzz.testing.failure_message import FailedCall, render_failure
from fuzz.triage.atomic_files import write_inside
from fuzz.triage.configuration import ByDesignEntry, covers_any, read_by_design, read_configuration
from oracle import Case
from oracle.harness import MODE_NAME, MODES, SandboxError, UnfitConfiguration, UnknownSubject

SHRINKING_SECONDS = 20.0  # seconds after which shrinking candidates are no longer judged
MOST_DEATHS = 3  # candidates that may kill a worker or time out
REDUCTION, REDUCTIONS = 150, {"crash": 20, "hang": 3, "memory": 2}  # candidates of the last reduction, by kind

MISTAKES = (
    *(UnfitExpectations, UnfitConfiguration, Unusable),
    *(UnknownSubject, SandboxError, RuntimeError),
)
"""What makes a subject's tests a collection error."""

CASE_JUDGE: pytest.StashKey[CaseJudge] = pytest.StashKey()
BY_DESIGN: pytest.StashKey[Sequence[ByDesignEntry]] = pytest.StashKey()


class Disagrees(Exception):
    """Exception that carries a difference through Hypothesis, which shrinks each exception class by itself."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(f"{difference.kind}: {difference.detail}")
        self.difference = difference


@cache
def make_exception_class(kind: str) -> type[Disagrees]:
    """Return the exception class of a kind."""
    return type(kind.title().replace(" ", ""), (Disagrees,), {"__module__": __name__})


class SubjectFailed(Exception):
    """A test of the subject failed; the text is the report."""


def collect(session: pytest.Session) -> Iterator[pytest.Item]:
    """Yield a test for each name that the subject has. Invalid options are collection errors."""
    option = session.config.option
    directory = str(session.config.invocation_params.dir)
    if directory not in sys.path:
        sys.path.insert(0, directory)  # as `python -m pytest` does: the subject may be in the current directory
    collector = SubjectCollector.from_parent(session, name=option.numpy_subject, nodeid=option.numpy_subject)
    yield from session.genitems(collector)


class SubjectCollector(pytest.Collector):
    """Collects the names of a subject."""

    def collect(self) -> Iterator[pytest.Item]:
        option = self.config.option
        modes = read_modes(option.numpy_subject_modes)
        try:
            skips, xfails = (
                read_expectations(option.numpy_subject_skips),
                read_expectations(option.numpy_subject_xfails),
            )
            names = _selected(option.numpy_subject_names)
            table = read_configuration()
            own = table if table.get("subject") == self.name else {}
            self.config.stash[BY_DESIGN] = read_by_design(own)
            case_judge = CaseJudge(self.name, modes, setup=own.get("setup"), interpreter=option.numpy_subject_python)
            self.config.stash[CASE_JUDGE] = case_judge
            ending = SessionEnding(case_judge)
            self.config.pluginmanager.register(ending)
            case_judge.open()
            found = case_judge.look(generated_names())
        except MISTAKES as error:
            raise self.CollectError(str(error)) from None
        present = tuple(name for name in found if name in names)
        if not present:
            raise self.CollectError(f"{self.name} has no name of its own that fits {option.numpy_subject_names!r}")
        ending.lines += _describe_lacking(self.name, {name: found[name].missing for name in present})
        for one in (*find_stale(skips, tuple(found)), *find_stale(xfails, tuple(found))):
            yield StaleTest.from_parent(self, name=f"stale:{one.pattern}", expectation=one)
        for name in present:
            item = NameTest.from_parent(self, name=name, modes=modes, without=found[name].never)
            yield _marked(item, skips, xfails)


class SessionEnding:
    """Plugin for the end of the session: prints what was left out, and closes the sandbox."""

    def __init__(self, case_judge: CaseJudge) -> None:
        self.lines: list[str] = []
        self._case_judge = case_judge

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.lines:
            terminalreporter.write_line(line)

    def pytest_unconfigure(self) -> None:
        self._case_judge.close()


def _marked(item: NameTest, skips: Iterable[Expectation], xfails: Iterable[Expectation]) -> NameTest:
    skip, xfail = find_expectation(skips, item.name), find_expectation(xfails, item.name)
    if skip is not None:
        item.add_marker(pytest.mark.skip(reason=f"{skip.where}: {skip.reason}"))
    elif xfail is not None:
        reason = f"{xfail.where}: {xfail.reason}"
        item.add_marker(pytest.mark.xfail(reason=reason, raises=SubjectFailed, strict=True))
    return item


class StaleTest(pytest.Item):
    """A test that fails because a line of a file of skips or xfails matches no name."""

    def __init__(self, *, expectation: Expectation, **options: Any) -> None:
        super().__init__(**options)
        self.expectation = expectation

    def runtest(self) -> None:
        one = self.expectation
        raise SubjectFailed(f"{one.where}: {one.pattern} matches no name of the subject; remove the line")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.nodeid


class NameTest(pytest.Item):
    """Judges calls of one name, and fails with the smallest call of each kind of difference."""

    def __init__(self, *, modes: Sequence[str], without: Sequence[str], **options: Any) -> None:
        super().__init__(**options)
        self.modes, self.without = tuple(modes), tuple(without)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.nodeid

    @property
    def subject(self) -> str:
        return self.config.option.numpy_subject

    def runtest(self) -> None:
        case_judge = self.config.stash[CASE_JUDGE]
        kinds = KINDS_OF_VALUES if self.config.option.numpy_subject_values_only else None
        judge = BoundedJudge(case_judge, self.without, kinds, self.config.stash[BY_DESIGN])
        texts = [
            self._describe(case_judge, difference, is_steady)
            for difference, is_steady in search(self.name, self.without, judge, self._settings())
        ]
        if texts:
            raise SubjectFailed("\n\n".join(texts))
        if unjudged := case_judge.find_not_judged(judge.passed):
            pytest.skip(f"not judged in {', '.join(unjudged)}: no valid call was answered by a value that could be")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, SubjectFailed) else super().repr_failure(excinfo, style)

    def _settings(self) -> settings:
        """Return the profile's settings, without deadline and health checks: the sandbox has its own limits.

        Replayed examples are added to `max_examples`: Hypothesis counts both alike, and would stop before a stored call
        that fails if enough others agree by now.
        """
        profile = settings()
        database = profile.database
        stored = FailingCalls(database, self.subject, self.name, self.modes) if database is not None else None
        return settings(
            profile,
            max_examples=(self.config.option.numpy_subject_examples or profile.max_examples)
            + (stored.count() if stored else 0),
            database=stored,
            deadline=None,
            phases=set(profile.phases) - {Phase.explain},
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=True,
            verbosity=Verbosity.quiet,
            print_blob=False,
        )

    def _describe(self, case_judge: CaseJudge, difference: Difference, is_steady: bool) -> str:
        case = Case.from_json(difference.case)
        if is_steady:
            case, difference = case_judge.reduce(case, difference, REDUCTIONS.get(difference.kind, REDUCTION))
        path, script = self._keep(case_judge, case, difference)
        interpreter = self.config.option.numpy_subject_python
        failure = FailedCall(self.subject, case, difference, self._command(), path, script, is_steady, interpreter)
        return render_failure(failure)

    def _keep(self, case_judge: CaseJudge, case: Case, difference: Difference) -> tuple[Path | None, Path | None]:
        """Write the case to pytest's cache, and a script if it reproduces."""
        if not hasattr(self.config, "cache") or self.config.cache is None:
            return None, None
        folder = self.config.cache.mkdir("subject")
        stem = f"{self.subject}-{self.name}-{difference.kind.replace(' ', '-')}"
        write_inside(folder, f"{stem}.json", case.json() + "\n")
        path = _relative(folder / f"{stem}.json", self.config)
        source = case_judge.write_script(difference, case)
        if difference.kind in DEATHS or not case_judge.reproduces(source):
            return path, None
        write_inside(folder, f"{stem}.py", source)
        return path, _relative(folder / f"{stem}.py", self.config)

    def _command(self) -> str:
        option = self.config.option
        words = ["pytest", "--numpy-subject", self.subject, "--numpy-subject-names", self.name]
        words += ["--numpy-subject-modes", ",".join(self.modes)] if self.modes != ("eager",) else []
        words += ["--numpy-subject-python", option.numpy_subject_python] if option.numpy_subject_python else []
        words += ["--numpy-subject-values-only"] if option.numpy_subject_values_only else []
        return shlex.join(words)


class BoundedJudge:
    """Judges calls, each failing one once. When shrinking has taken too long, every other call passes.

    Only differences of these `kinds` count, by default of all, and none that is meant.
    """

    def __init__(
        self,
        case_judge: CaseJudge,
        without: Sequence[str],
        kinds: Collection[str] | None = None,
        meant: Sequence[ByDesignEntry] = (),
    ) -> None:
        self._case_judge, self._without, self._kinds, self._meant = case_judge, set(without), kinds, meant
        self._failing: dict[str, list[Difference]] = {}
        self.passed: list[Case] = []
        self._deaths = 0
        self._end: float | None = None

    def __call__(self, case: Case) -> list[Difference]:
        text = case.json()
        if text in self._failing:
            return self._failing[text]
        if self._deaths >= MOST_DEATHS or (self._end is not None and time.monotonic() > self._end):
            return []
        try:
            differences = [one for one in self._case_judge.judge(case) if self._counts(one)]
        except JudgeDied:  # of NumPy or in a comparison: the case is undecided
            return []
        if not differences:
            self.passed.append(case)
        else:
            self._failing[text] = differences
            self._end = self._end or time.monotonic() + SHRINKING_SECONDS
            self._deaths += any(one.kind in DEATHS for one in differences)
        return differences

    def _counts(self, difference: Difference) -> bool:
        """Return whether a difference counts: not if it is about one of the parameters that are not given."""
        parameter = find_parameter(difference.detail)
        is_about_parameter = parameter in self._without or (parameter.startswith("after ") and bool(self._without))
        is_meant = covers_any(self._meant, difference)
        return not (is_about_parameter or is_meant) and (self._kinds is None or difference.kind in self._kinds)


def search(name: str, without: Sequence[str], judge: BoundedJudge, options: settings) -> list[tuple[Difference, bool]]:
    """Search for differences with Hypothesis; return the smallest of each kind, and whether it recurs."""

    @options
    @given(calls(name, without=without))
    def probe(case: Case) -> None:
        for difference in judge(case):
            raise make_exception_class(difference.kind)(difference)

    try:
        probe()
    except Disagrees as shown:
        return [(shown.difference, True)]
    except BaseExceptionGroup as group:
        found = {one.difference.kind: one.difference for one in _leaves(group) if isinstance(one, Disagrees)}
        if not found:
            raise
        return [(difference, not isinstance(group, Flaky)) for difference in found.values()]
    return []


def _leaves(group: BaseExceptionGroup) -> Iterator[BaseException]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


def read_modes(text: str) -> tuple[str, ...]:
    """Return the modes in a comma-separated list. Raises CollectError for an unknown one."""
    modes = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    unknown = [mode for mode in modes if not MODE_NAME.fullmatch(mode)]
    if unknown or not modes:
        raise SubjectCollector.CollectError(f"no mode {', '.join(unknown) or repr(text)}; there are {', '.join(MODES)}")
    return modes


def _selected(text: str) -> frozenset[str]:
    patterns = [Expectation(word.strip(), "", "") for word in text.split(",") if word.strip()]
    return frozenset(name for name in generated_names() if find_expectation(patterns, name))


def _relative(path: Path, config: pytest.Config) -> Path:
    """Return the path relative to the directory in which pytest was started."""
    directory = config.invocation_params.dir
    return path.relative_to(directory) if path.is_relative_to(directory) else path


def _describe_lacking(subject: str, missing: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a line about the parameters that signatures lack."""
    parts = []
    for name, parameters in missing.items():
        listed = [one for one in parameters if not one.startswith("after ")]
        parts += [f"{name}({', '.join(listed)})"] if listed else []
    if parts:
        yield f"{subject} lacks parameters, which are left out of calls: {'; '.join(parts)}"
