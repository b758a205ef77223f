"""Mutation score: each fault is hunted by a small campaign, all in one sandbox.

Budgets are CPU time of workers, so that a busy machine makes no fault harder to find. A fault counts as found only if
the ground, judged on the minimal case, does not show the same difference.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, TypeVar

import numpy as np

from fuzz.engine.campaign import Campaign
from fuzz.engine.run_options import EVERY_SECOND, Options
from fuzz.engine.scheduler import INVALID, MIXED
from fuzz.generate.edge_properties import classify_call
from fuzz.mutants import FAULTS, Fault
from fuzz.mutants.generated import list_generated
from fuzz.mutants.rates import Rate, Sampling
from fuzz.mutants.subjects import DIFFERENT_ERROR, MutantTask, TimedResult, name_of
from fuzz.mutants.witnesses import Search
from fuzz.triage.events import Died, Found, Progress
from fuzz.triage.ledger import Finding
from oracle import Case, run_numpy
from oracle.harness import Death, Lease, Limits, Reply, Sandbox

ARRAYS = "numpy"  # where a fault is planted that another ground has no place for
MUTABLE = "tfnp.numpy"
LIMITS = Limits(seconds=2.0)
AFTERMATH = 1.0  # CPU seconds, and as many as it took to find the fault, in which it may show in other ways
MODES = ("eager", "graph", "xla")
DRAWS, MOST_SECONDS = 1000, 5.0  # calls that are drawn for a rate or a witness, and CPU seconds after which no more are
STATUSES = FOUND, MISSED, NO_WITNESS = "found", "missed", "no witness"
WRITTEN = "written"

Sample = TypeVar("Sample", Rate, Search)


@dataclass
class Hunted:
    """The result of one hunt: `findings` of the fault in the order of their discovery. For a generated fault a witness
    is searched first; without one it is not hunted.
    """

    fault: Fault
    ground: str
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0
    cases: int = 0
    failures: list[str] = field(default_factory=list)
    rate: Rate | None = None
    search: Search | None = None

    @property
    def status(self) -> str:
        """Whether the fault was found, or missed, or has no witness, so that it cannot be missed."""
        if self.found:
            return FOUND
        return NO_WITNESS if self.search is not None and self.search.witness is None else MISSED

    @property
    def found(self) -> bool:
        return bool(self.findings)

    @property
    def minimal(self) -> Case | None:
        """The minimal case of the first finding."""
        return self.findings[0].call if self.findings else None

    @property
    def elements(self) -> int:
        """The number of array elements and NumPy scalars in the arguments of the minimal case."""
        leaves = self.minimal.leaves() if self.minimal else ()
        return sum(leaf.size for leaf in leaves if isinstance(leaf, np.ndarray | np.generic))

    def data(self) -> dict[str, Any]:
        """Return the hunt as JSON-serializable data; with report, class and rate for a fault that users reported."""
        return {
            "fault": self.fault.name,
            "kind": find_kind(self.fault),
            "status": self.status,
            "name": self.fault.target,
            "expected": self.fault.kind,
            "summary": self.fault.summary,
            "ground": self.ground,
            "found": self.found,
            "core_seconds": round(self.seconds, 3),
            "cases": self.cases,
            "minimal": str(self.minimal) if self.minimal else None,
            "elements": self.elements if self.minimal else None,
            "findings": [
                {"id": one.id, "name": one.name, "kind": one.kind, "modes": list(one.modes), "dtype": one.dtype,
                 "minimal": str(one.minimal), "reproduced": one.reproduced}
                for one in self.findings
            ],
            "failures": self.failures,
            **(self._report_data() if self.fault.source else {}),
            **({"witness_search": self.search.data()} if self.search else {}),
        }  # fmt: skip

    def _report_data(self) -> dict[str, Any]:
        rate = self.rate.data() if self.rate else None
        return {"source": self.fault.source, "class": find_class(self.fault), "rate": rate}


class BorrowedSandbox:
    """A sandbox shared by campaigns one after another; each request is redirected to the campaign's own subject."""

    def __init__(self, sandbox: Sandbox, subject: str, names: tuple[str, ...]) -> None:
        self._sandbox, self._subject, self._names = sandbox, subject, names
        self._begun: dict[int, float] = {}
        self.seconds = 0.0

    @property
    def free(self) -> int:
        return self._sandbox.free

    @property
    def busy(self) -> bool:
        return self._sandbox.busy

    def open(self) -> None:
        """Do nothing: the sandbox is open already."""

    def close(self) -> None:
        """Wait for outstanding replies, which the next campaign must not receive."""
        while self._sandbox.busy:
            self._sandbox.wait(1.0)

    def submit(self, lease: Lease) -> None:
        """Accept a lease."""
        self._begun[lease.index] = time.monotonic()
        function = lease.function.partition(":")[2]
        tasks = [MutantTask(self._subject, self._names, function, item) for item in lease.items]
        self._sandbox.submit(replace(lease, function="fuzz.mutants.subjects:answer", items=tasks))

    def wait(self, seconds: float) -> list[Reply]:
        """Return the replies, in the form that the campaign expects."""
        return [self._unwrapped(reply) for reply in self._sandbox.wait(seconds)]

    def cut(self) -> list[Reply]:
        """Return nothing: the sandbox belongs to others, and `close` waits for what runs."""
        return []

    def _unwrapped(self, reply: Reply) -> Reply:
        begun = self._begun.pop(reply.index)
        if any(isinstance(result, Death) for result in reply.results):
            self.seconds += time.monotonic() - begun  # what the dead have spent, nobody has counted
        else:
            self.seconds += sum(result.seconds for result in reply.results if isinstance(result, TimedResult))
        return replace(reply, results=[_unwrapped(result) for result in reply.results])


def _unwrapped(result: Any) -> Any:
    if isinstance(result, TimedResult):
        return result.result
    return replace(result, item=result.item.item) if isinstance(result, Death) else result


class Enough(KeyboardInterrupt):
    """Raised when the fault was found and further findings had time to come, or when time is up."""


class Watch:
    """Observer that ends a campaign when it has found enough."""

    def __init__(self, borrowed: BorrowedSandbox, seconds: float) -> None:
        self._borrowed, self._seconds = borrowed, seconds
        self.findings: list[Finding] = []
        self.first: float | None = None
        self.cases = 0
        self._over = False

    def __call__(self, event: Any) -> None:
        spent = self._borrowed.seconds
        if isinstance(event, Found) and not self._over:
            self.findings.append(event.finding)
        if self.first is None and (self.findings or (isinstance(event, Died) and event.confirmed)):
            self.first = spent
        if isinstance(event, Progress):
            self.cases = event.cases
            end = 2 * (self.first or 0.0) + AFTERMATH if self.findings else self._seconds
            self._over = spent >= end
            if self._over:
                raise Enough


def hunt_one(sandbox: Sandbox, entry: Fault, ground: str, seconds: float, seed: int) -> Hunted:
    """Hunt a fault, with what else is measured of it: the rate of a reported one, the witness of a generated one."""
    task = Sampling(entry.name, ground, DRAWS, MOST_SECONDS, seed)
    search = _sample(sandbox, "fuzz.mutants.witnesses:search", task, Search) if entry.operator else None
    if search is not None and search.witness is None:
        return Hunted(entry, ground, search=search)
    hunted = hunt(sandbox, entry, ground, seconds, seed)
    is_measured = entry.source and not entry.crashing
    rate = _sample(sandbox, "fuzz.mutants.rates:measure", task, Rate) if is_measured else None
    return replace(hunted, search=search, rate=rate)


def _sample(sandbox: Sandbox, function: str, task: Any, kind: type[Sample]) -> Sample | None:
    """Return what a function of a worker makes of drawn calls; None if it fails."""
    (reply,) = sandbox.run([Lease(0, function, [task], confirm=False)])
    return reply.results[0] if isinstance(reply.results[0], kind) else None


def hunt(sandbox: Sandbox, entry: Fault, ground: str, seconds: float, seed: int) -> Hunted:
    """Hunt a fault for so many CPU seconds. What the ground shows as well does not count."""
    names = (entry.target, *entry.company)
    subject = name_of(entry.name, ground)
    borrowed = BorrowedSandbox(sandbox, subject, names)
    options = Options(
        names=names,
        seconds=10 * seconds,  # by the clock, should nothing ever be spent
        jobs=sandbox.jobs,
        seed=seed,
        modes=MODES[:1] if ground == ARRAYS else tuple(dict.fromkeys((*MODES, *entry.modes))),
        subject=subject,
        programs=EVERY_SECOND if entry.company else 0,
        limits=sandbox.limits,
        calls=INVALID if entry.kind == DIFFERENT_ERROR else MIXED,
    )
    watch = Watch(borrowed, seconds)
    summary = Campaign(options, watch, borrowed).run()
    candidates = watch.findings or list(summary.findings)  # those of which there was no time to reduce one
    own = [one for one in candidates if not is_of(sandbox, ground, names, one)]
    spent = borrowed.seconds if watch.first is None or not own else watch.first
    return Hunted(entry, ground, own, spent, watch.cases, list(summary.counts.failures))


def is_of(sandbox: Sandbox, ground: str, names: tuple[str, ...], finding: Finding) -> bool:
    """Return whether the ground itself shows the difference."""
    task = MutantTask(ground, names, "judge_case", (finding.minimal.json(), finding.modes))
    (reply,) = sandbox.run([Lease(0, "fuzz.mutants.subjects:answer", [task], confirm=False, risky=True)])
    result = reply.results[0]
    if isinstance(result, TimedResult):
        return any(difference.kind == finding.kind for difference in result.result)
    return isinstance(result, Death) and result.kind == finding.kind


def open_sandbox(ground: str) -> Sandbox:
    """Return a sandbox in which faults are planted in this ground, and in NumPy."""
    modes = sorted({mode for entry in FAULTS.values() for mode in entry.modes})
    arguments = {"subject": ground, "devices": ("CPU:0",), "modes": modes}
    modules = () if ground == ARRAYS else ("tensorflow",)
    return Sandbox(
        1, "fuzz.engine.tasks:prepare", arguments, start="fuzz.engine.tasks:start", limits=LIMITS, modules=modules
    )


def grounds_of(sandbox: Sandbox, ground: str, faults: Sequence[Fault]) -> dict[str, str]:
    """Return the ground of each fault by name: `ground` if it has what the fault needs, else NumPy, or "" if neither
    has.
    """
    (reply,) = sandbox.run([Lease(0, "fuzz.mutants.subjects:fitting", [[entry.name for entry in faults]])])
    fitting = reply.results[0]
    if not isinstance(fitting, list):
        raise RuntimeError(f"the ground cannot be inspected: {getattr(fitting, 'trace', fitting)}")
    kinds = {ARRAYS: ("", "arrays"), MUTABLE: ("", "mutable")}.get(ground, ("", "tensors"))
    found = {entry.name: ground for entry in faults if entry.name in fitting and entry.on in kinds}
    return {entry.name: ARRAYS for entry in faults if entry.on in ("", "arrays")} | found


def selected(patterns: Sequence[str] = (), *, historical: bool = False) -> list[Fault]:
    """Return the faults written by hand whose name, target's name or source matches a pattern; all without patterns.

    They are those that users reported if `historical`, else all others.
    """
    written = [entry for entry in FAULTS.values() if bool(entry.source) == historical]
    return [entry for entry in written if _matches(entry, patterns)]


def select_generated(patterns: Sequence[str] = (), kinds: Sequence[str] = ()) -> list[Fault]:
    """Return the generated faults whose id or target's name matches a pattern, and that are of one of the kinds."""
    return [
        entry
        for entry in list_generated()
        if entry.operator in (kinds or (entry.operator,)) and _matches(entry, patterns)
    ]


def _matches(entry: Fault, patterns: Sequence[str]) -> bool:
    texts = entry.name, entry.target, entry.source
    return any(fnmatchcase(text, pattern) for pattern in patterns or ("*",) for text in texts)


def find_kind(entry: Fault) -> str:
    """Return the kind of a fault: that of its operator, if it was generated."""
    return entry.operator or WRITTEN


def find_class(entry: Fault) -> str:
    """Return the class of a fault: that of its witness."""
    assert entry.witness is not None
    return classify_call(entry.witness, not run_numpy(entry.witness).ok)
