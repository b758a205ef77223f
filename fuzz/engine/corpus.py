"""The corpus that campaigns and pytest share: choice sequences in a Hypothesis example database, by subject and name.

A choice sequence is one of `fuzz.strategies.calls(name)`. Sequences that disagreed are stored by mode; pytest replays
and shrinks them. Sequences that showed something new are stored as inputs; campaigns mutate them. A database is a
cache: a sequence means another call once the generators have changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from hypothesis.database import (
    DirectoryBasedExampleDatabase,
    ExampleDatabase,
    GitHubArtifactDatabase,
    InMemoryExampleDatabase,
    MultiplexedDatabase,
    ReadOnlyDatabase,
    choices_from_bytes,
    choices_to_bytes,
)

from fuzz.engine.inputs import Stored, UnknownDatabase
from fuzz.triage.atomic_files import write_inside
from fuzz.triage.untrusted_input import Unreadable, read_bytes

VERSION = 1  # version of the keys
MOST_STORED = 8  # sequences of a name that a campaign replays, at most
SECONDARY, PARETO = b".secondary", b".pareto"  # the suffix of Hypothesis's keys for unshrunk examples
LOCAL = Path(".hypothesis") / "shared"
MOST_FILES, MOST_BYTES = (
    4096,
    16 << 20,
)  # of a key in a directory that are read; a sequence of a call has some kilobytes


def open_database(text: str) -> ExampleDatabase:
    """Open the database that a text names. A server is first contacted when it is needed.

    The text is a directory; `redis://HOST:PORT/N`; `github:OWNER/REPOSITORY` or `github:OWNER/REPOSITORY/ARTIFACT`,
    which are read-only, so that new examples go to a directory; or `memory`. Raises UnknownDatabase.
    """
    kind, separator, address = text.partition(":")
    if text == "memory":
        return InMemoryExampleDatabase()
    if kind in {"redis", "rediss", "unix"} and separator:
        return _open_redis(text)
    if kind == "github" and separator:
        parts = address.split("/")
        if not 2 <= len(parts) <= 3 or not all(parts):
            raise UnknownDatabase(
                f"no database {text!r}: write github:OWNER/REPOSITORY or github:OWNER/REPOSITORY/NAME"
            )
        owner, repository, *artifact = parts
        named = {"artifact_name": artifact[0]} if artifact else {}
        shared = ReadOnlyDatabase(GitHubArtifactDatabase(owner, repository, **named))  # type: ignore[arg-type] # `named` holds no timedelta
        return MultiplexedDatabase(Directory(LOCAL), shared)
    if separator and "/" in address:
        raise UnknownDatabase(f"no database {text!r}; there are a directory, redis://, github:OWNER/REPOSITORY")
    return Directory(text)


def _open_redis(address: str) -> ExampleDatabase:
    try:
        from hypothesis.extra.redis import RedisExampleDatabase
        from redis import Redis
    except ImportError:
        raise UnknownDatabase(f"{address} needs redis: pip install redis") from None
    return RedisExampleDatabase(Redis.from_url(address))


class Directory(DirectoryBasedExampleDatabase):
    """Hypothesis's database in a directory whose files anybody may have made: regular ones are read, within limits, and
    no link is followed, for reading or for writing.
    """

    def fetch(self, key: bytes) -> Iterator[bytes]:
        """Yield the examples of a key."""
        left = MOST_BYTES
        for path in self._list_files(key):
            with suppress(Unreadable):
                data = read_bytes(path, left)
                left -= len(data)
                yield data

    def save(self, key: bytes, value: bytes) -> None:
        """Store an example of a key; nothing if that fails, as on a full disk."""
        path = self._value_path(key, value)
        if self._key_path(key).name != self._metakeys_hash:
            self.save(self._metakeys_name, key)
        if not os.path.lexists(path):
            with suppress(OSError):
                write_inside(self.path, str(path.relative_to(self.path)), value)

    def delete(self, key: bytes, value: bytes) -> None:
        """Remove an example of a key."""
        if not self._key_path(key).is_symlink():
            super().delete(key, value)

    def move(self, src: bytes, dest: bytes, value: bytes) -> None:
        """Store an example under another key."""
        if src != dest:
            self.delete(src, value)
        self.save(dest, value)

    def _list_files(self, key: bytes) -> Sequence[Path]:
        folder = self._key_path(key)
        if folder.is_symlink():
            return ()
        with suppress(OSError), os.scandir(folder) as found:
            return [Path(entry.path) for entry in islice(found, MOST_FILES)]
        return ()


class Corpus:
    """The part of a database that belongs to one subject."""

    def __init__(self, database: ExampleDatabase, subject: str) -> None:
        self._database = database
        self._subject = subject

    def save_finding(self, name: str, modes: Iterable[str], sequence: Sequence[Any]) -> None:
        """Store a sequence whose call disagrees in these modes. Shrinking is left to Hypothesis."""
        for mode in modes:
            self._database.save(self.key(name, mode) + SECONDARY, choices_to_bytes(sequence))

    def save_input(self, name: str, sequence: Sequence[Any]) -> None:
        """Store a sequence whose call showed something new."""
        self._database.save(self.key(name, "inputs"), choices_to_bytes(sequence))

    def stored(self, name: str, modes: Iterable[str]) -> list[Stored]:
        """Return the sequences of a name: first those that disagreed in these modes, then inputs, each group in
        shortlex order.
        """
        found: dict[bytes, tuple[str, ...]] = {}
        for mode in modes:
            key = self.key(name, mode)
            for sequence in {*self._database.fetch(key), *self._database.fetch(key + SECONDARY)}:
                found[sequence] = (*found.get(sequence, ()), mode)
        failing = sorted(found, key=_shortlex)
        others = sorted(set(self._database.fetch(self.key(name, "inputs"))) - found.keys(), key=_shortlex)
        usable = [sequence for sequence in (*failing, *others) if choices_from_bytes(sequence) is not None]
        return [Stored(sequence, found.get(sequence, ())) for sequence in usable[:MOST_STORED]]

    def key(self, name: str, mode: str) -> bytes:
        """Return the database key of the sequences that disagreed in a mode."""
        return f"fuzz/{VERSION}/{self._subject}/{name}/{mode}".encode()

    def view(self, name: str, modes: Sequence[str]) -> CorpusView:
        """Return a database for a test of one name in some modes, independent of Hypothesis's own key for the test."""
        return CorpusView(self._database, [self.key(name, mode) for mode in modes])


class CorpusView(ExampleDatabase):
    """The part of a database that belongs to one name and some modes; it ignores the keys that Hypothesis uses.

    Hypothesis's key of a test is a digest of its source, and it deletes examples that no longer fail. Examples of modes
    in which the test does not run are not deleted.
    """

    def __init__(self, database: ExampleDatabase, keys: Sequence[bytes]) -> None:
        super().__init__()
        self._database, self._keys = database, list(keys)

    def __repr__(self) -> str:
        return f"{self._database!r} for {self._keys[0].decode()}"

    def count(self) -> int:
        """Return the number of sequences to replay."""
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


def _shortlex(sequence: bytes) -> tuple[int, bytes]:
    return len(sequence), sequence
