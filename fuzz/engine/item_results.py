"""The facts that workers report about a subject, and about each item that they have judged, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from fuzz.differences import Difference
from fuzz.engine.harness_faults import HarnessFaults
from fuzz.engine.missing_parameters import join_parameters
from oracle import Case
from oracle.harness import Death


@dataclass(frozen=True)
class Survey:
    """Facts about the subject before a campaign. `missing` holds, by name, the parameters that signatures lack.

    `modes` are the subject's own default, empty for libraries of tensors; `reexported` are the names that are NumPy's
    own objects, which are not among those `present`; `withheld` holds, by name, other parameters that are never given:
    see `list_withheld`; `has_views` says that programs may write through views, `is_tried` that functions were called
    to find out which parameters they lack; `converted` says how arrays are converted, if that was inferred. For a
    subject with an adapter, there are `by_design`, the reason of each
    difference that it declares, by id, and the number of `siblings` in an item.
    """

    present: tuple[str, ...]
    devices: tuple[str, ...]
    stale: tuple[str, ...] = ()
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    modes: tuple[str, ...] = ()
    by_design: Mapping[str, str] = field(default_factory=dict)
    is_adapted: bool = False
    siblings: int = 0
    reexported: tuple[str, ...] = ()
    withheld: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_views: bool = False
    is_tried: bool = True
    converted: str = ""

    @property
    def never(self) -> dict[str, tuple[str, ...]]:
        """By name, all parameters that are never given, for either reason."""
        return join_parameters(self.missing, self.withheld)


@dataclass
class ItemResult:
    """The result of one item, or of a part of one: counts, CPU seconds by mode, and differences.

    `drawn` cases are those that the item was to have. `asked` counts valid calls by mode; `answered` are the modes with
    a value that was judged; `unanswered` holds, for those that gave no value, a valid call as JSON and its outcome.
    `spent` has the seconds of wall time by mode and phase: see `fuzz.engine.core_seconds`. `allowed` counts answers
    by allowance and mode, `undecided` by reason and mode. `given` are the parameters that calls give, `forms` those
    of their arguments; `depth` holds the classes of these, for a sample of the calls. `harness_faults` are
    exceptions of the judge's own code.
    """

    index: int
    name: str
    cases: int
    valid: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    runs: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    spent: dict[str, Counter[str]] = field(default_factory=dict)
    allowed: Counter[tuple[str, str]] = field(default_factory=Counter)
    undecided: Counter[tuple[str, str]] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    features: frozenset[int] = frozenset()
    given: frozenset[str] = frozenset()
    forms: frozenset[str] = frozenset()
    answered: tuple[str, ...] = ()
    unanswered: dict[str, tuple[str, str]] = field(default_factory=dict)
    depth: Mapping[str, Set[str]] | None = None
    harness_faults: HarnessFaults = field(default_factory=HarnessFaults)
    drawn: int = 0


@dataclass(frozen=True)
class WorkerDeath:
    """An item ended its worker, in a case if that can be drawn without running the subject."""

    death: Death
    case: Case | None = None

    @classmethod
    def make(cls, death: Death, drawn: Any) -> WorkerDeath:
        """Return the death of the case that a worker has drawn, as JSON, if it could."""
        return cls(death, Case.from_json(drawn) if isinstance(drawn, str) else None)
