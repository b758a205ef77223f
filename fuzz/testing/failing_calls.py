"""The failing calls of a subject's name in a Hypothesis database, apart from Hypothesis's own key of a test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis.database import ExampleDatabase

VERSION = 1  # version of the keys
SECONDARY, PARETO = b".secondary", b".pareto"  # the suffix of Hypothesis's keys for unshrunk examples


class FailingCalls(ExampleDatabase):
    """The part of a database that belongs to one name and some modes; it ignores the keys that Hypothesis uses.

    Hypothesis's key of a test is a digest of its source, and it deletes examples that no longer fail. Examples of modes
    in which the test does not run are not deleted. A database is a cache: a sequence of choices means another call once
    the generators have changed.
    """

    def __init__(self, database: ExampleDatabase, subject: str, name: str, modes: Sequence[str]) -> None:
        super().__init__()
        self._database = database
        self._keys = [f"fuzz/{VERSION}/{subject}/{name}/{mode}".encode() for mode in modes]

    def __repr__(self) -> str:
        return f"{self._database!r} for {self._keys[0].decode()}"

    def count(self) -> int:
        """Return the number of calls to replay."""
        return len(list(self.fetch(b""))) + len(list(self.fetch(SECONDARY)))

    def save(self, key: bytes, value: bytes) -> None:
        for own in self._own(key):
            self._database.save(own, value)

    def fetch(self, key: bytes) -> Iterable[bytes]:
        return list(dict.fromkeys(value for own in self._own(key) for value in self._database.fetch(own)))

    def delete(self, key: bytes, value: bytes) -> None:
        for own in self._own(key):
            self._database.delete(own, value)

    def _own(self, key: bytes) -> list[bytes]:
        suffix = next((suffix for suffix in (SECONDARY, PARETO) if key.endswith(suffix)), b"")
        return [own + suffix for own in self._keys]
