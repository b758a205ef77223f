"""Failing calls in a database: by subject, name and mode, and only forgotten in a mode in which they pass."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.database import InMemoryExampleDatabase

from fuzz.strategies import calls
from fuzz.testing.failing_calls import SECONDARY, FailingCalls


def replay(database, modes=("eager",), phases=(Phase.reuse,)):
    """The calls that Hypothesis replays from a database."""
    drawn = []

    @settings(
        database=FailingCalls(database, "subject", "add", modes),
        phases=phases,
        max_examples=10,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(calls("add"))
    def collect(case):
        drawn.append(case.json())

    collect()
    return drawn


def test_what_is_stored_is_replayed_whatever_the_test_is_called():
    database = InMemoryExampleDatabase()
    stored = FailingCalls(database, "subject", "add", ["eager", "xla"])
    stored.save(b"any key" + SECONDARY, b"\x00")
    assert stored.count() == 1
    assert len(replay(database)) == 1


def test_what_passes_now_is_forgotten_in_its_mode_only():
    database = InMemoryExampleDatabase()
    FailingCalls(database, "subject", "add", ["eager", "xla"]).save(SECONDARY, b"\x00")
    assert replay(database, ["eager"])
    assert FailingCalls(database, "subject", "add", ["eager"]).count() == 0
    assert FailingCalls(database, "subject", "add", ["xla"]).count() == 1


def test_subjects_and_names_are_apart():
    database = InMemoryExampleDatabase()
    FailingCalls(database, "one", "add", ["eager"]).save(b"", b"\x00")
    assert FailingCalls(database, "one", "add", ["eager"]).count() == 1
    assert FailingCalls(database, "other", "add", ["eager"]).count() == 0
    assert FailingCalls(database, "one", "subtract", ["eager"]).count() == 0


def test_a_stored_call_that_is_damaged_is_no_failure():
    database = InMemoryExampleDatabase()
    FailingCalls(database, "subject", "add", ["eager"]).save(b"", b"\xff\xff\xff")
    assert replay(database, phases=(Phase.reuse, Phase.generate))
    assert FailingCalls(database, "subject", "add", ["eager"]).count() == 0
