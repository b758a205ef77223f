"""Programs of TensorFlow's own ops as the domain of a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from fuzz.engine.domain import Unusable
from fuzz.tensorflow_subject.program_kinds import TOPICS
from fuzz.tensorflow_subject.schedule import Round, Rounds
from fuzz.tensorflow_subject.vocabulary import read_table
from oracle.harness import WAYS, Accepted, Death, list_not_compared

SUBJECT = "tensorflow"
OPS = tuple(sorted({row.op for row in read_table()}))


class TensorflowOps:
    """The domain of programs of TensorFlow's ops."""

    tasks = "fuzz.tensorflow_subject.tasks"
    owner = "TensorFlow"
    names = OPS
    topics: Mapping[str, Sequence[str]] = {
        topic: [op for op in OPS if belongs(op)] for topic, belongs in TOPICS.items()
    }
    modes = WAYS
    unfit = ("setup", "schedule", "values_only", "errors", "hostile", "programs", "engine", "database", "signatures")
    left_out = ()
    confirms = False  # the parts of a round tell
    note_on_counts = ", without programs whose first op is rejected"

    def select(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Return the ops that match a name or glob, with or without `tf.`; all of them if there is none."""
        chosen: list[str] = []
        for pattern in patterns or ("*",):
            fitting = [op for op in OPS if fnmatchcase(op, pattern.removeprefix("tf."))]
            if not fitting:
                raise Unusable(f"no op of TensorFlow's table is called {pattern!r}")
            chosen += fitting
        return tuple(sorted(set(chosen)))

    def choose_modes(self, asked: Sequence[str] | None) -> tuple[str, ...]:
        """Return the modes that were asked for, all by default, and eager mode, with which others are compared."""
        return tuple(dict.fromkeys((WAYS[0], *(asked or WAYS))))

    def schedule(
        self,
        options: Any,
        names: Sequence[str],
        modes: Sequence[str],
        seed: int,
        never: Mapping[str, Sequence[str]] | None = None,
    ) -> Rounds:
        """Return the rounds of a campaign with these options."""
        return Rounds(names, modes, seed, names if options.names else ())

    def split(self, item: Round, death: Death) -> Sequence[Round]:
        """Return the parts of a round to judge instead of it; none if what it died of says nothing about a program."""
        return tuple(item.list_parts(death.kind, death.detail, death.step))

    def list_accepted(self) -> tuple[Accepted, ...]:
        """Return why results are not compared."""
        return list_not_compared()

    def has_shares(self, subject: str, names: Sequence[str]) -> bool:
        """Return whether a run is over all ops, for which the shares are set."""
        return not names
