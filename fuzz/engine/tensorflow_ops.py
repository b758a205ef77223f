"""Programs of TensorFlow's ops as the domain of a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from fuzz.engine.domain import Unusable
from fuzz.engine.scheduler import COST, FEW_COMPILED, ROOT, Schedule
from fuzz.generate.ops.topics import TOPICS
from fuzz.generate.ops.vocabulary import read_table
from oracle.harness import OF_OPS, PREFIX, Accepted, list_not_compared

VALUES = FEW_COMPILED  # cases of a program
NAMES = tuple(sorted({PREFIX + row.op for row in read_table()}))


class TensorflowOps:
    """The domain of programs of TensorFlow's ops."""

    owner = "TensorFlow"
    names = NAMES
    topics: Mapping[str, Sequence[str]] = {
        topic: [name for name in NAMES if belongs(name.removeprefix(PREFIX))] for topic, belongs in TOPICS.items()
    }
    modes = OF_OPS
    unfit = ("setup", "schedule", "values_only", "errors", "hostile", "programs", "engine", "signatures")
    left_out = ()
    note_on_counts = ", without programs whose first op is rejected"

    def select(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Return the ops that match a name or glob, with or without `tf.`; all of them if there is none."""
        chosen: list[str] = []
        for pattern in patterns or ("*",):
            fitting = [name for name in NAMES if fnmatchcase(name, PREFIX + pattern.removeprefix(PREFIX))]
            if not fitting:
                raise Unusable(f"no op of TensorFlow's table is called {pattern!r}")
            chosen += fitting
        return tuple(sorted(set(chosen)))

    def choose_modes(self, asked: Sequence[str] | None) -> tuple[str, ...]:
        """Return the modes that were asked for, all by default, and eager mode, with which others are compared."""
        return tuple(dict.fromkeys((OF_OPS[0], *(asked or OF_OPS))))

    def schedule(
        self,
        options: Any,
        names: Sequence[str],
        modes: Sequence[str],
        seed: int,
        never: Mapping[str, Sequence[str]] | None = None,
    ) -> Schedule:
        """Return the items of a campaign with these options. What is rewritten shows in graphs and under XLA: they have
        more turns than their cost gives them. Drawing a program and tracing it takes as long as running ten others.
        """
        turns = ROOT if options.turns == COST else options.turns
        return Schedule(names, modes, seed, siblings=max(options.siblings, VALUES), turns=turns)

    def list_accepted(self) -> tuple[Accepted, ...]:
        """Return why results are not compared."""
        return list_not_compared()

    def has_shares(self, subject: str, names: Sequence[str]) -> bool:
        """Return whether a run is over all ops, for which the shares are set."""
        return not names
