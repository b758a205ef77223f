"""A campaign over programs: workers draw and judge them until time is up; departures are reduced on the way."""

from __future__ import annotations

import itertools
import math
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from fuzz.engine.time_limit import find_deadlines
from fuzz.tensorflow_subject.lanes import find_lane
from fuzz.tensorflow_subject.ledger import ProgramFinding, ProgramLedger
from fuzz.tensorflow_subject.trials import Explored, Found, Item, Seen
from fuzz.tensorflow_subject.vocabulary import read_table
from oracle import WAYS, Death, Failure, Lease, Limits, Reply, Sandbox, decode_program

MODULE = "fuzz.tensorflow_subject.trials"
BATCH = 10  # items of a lease
PURSUITS = 3  # reductions of similar sightings in different chains of ops
DEATHS = 2  # deaths of an op in a mode after which it is not run there
SIZES_TRIED = 6  # smaller programs to try when one ends its process
LIMITS = Limits(seconds=3.0, patience=30.0)
SCRIPT_LIMITS = Limits(seconds=40.0, patience=120.0)


class NoSuchOp(ValueError):
    """The table has no op of that name."""


@dataclass(frozen=True)
class ProgramOptions:
    """The options of a campaign over programs. `names` may be glob patterns of op names, with or without `tf.`."""

    names: tuple[str, ...] = ()
    seconds: float | None = None
    cases: int | None = None
    jobs: int = 1
    seed: int | None = None
    ways: tuple[str, ...] = WAYS
    shard: tuple[int, int] = (1, 1)
    known: frozenset[str] = frozenset()


@dataclass
class Totals:
    """The sums over all items."""

    items: int = 0
    tried: int = 0
    judged: int = 0
    valid: int = 0
    declared: Counter[str] = field(default_factory=Counter)
    declared_of: dict[str, Counter[str]] = field(default_factory=dict)
    seconds: Counter[str] = field(default_factory=Counter)
    ran: Counter[str] = field(default_factory=Counter)
    cases: Counter[str] = field(default_factory=Counter)
    runs_of: dict[str, Counter[str]] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)

    def add(self, explored: Explored) -> None:
        """Add the result of one item."""
        self.items += 1
        self.valid += explored.valid
        self.judged += explored.cases
        self.seconds.update(explored.seconds)
        self.ran.update(explored.ran)
        for reason, count in explored.declared.items():
            self.declared[reason] += count
            self.declared_of.setdefault(reason, Counter()).update(dict.fromkeys(explored.ops[-1:], 1))
        for op in set(explored.ops):
            self.cases[op] += max(explored.ran.values(), default=0)
            self.runs_of.setdefault(op, Counter()).update(explored.ran)


@dataclass(frozen=True)
class Ask:
    """A request to a worker. A `deadly` one runs in a process of its own, whose death is the answer."""

    function: str
    item: Any
    deadly: bool = False
    limits: Limits = LIMITS


Task = Generator[Ask, Any, None]


class ProgramCampaign:
    """One run."""

    def __init__(
        self,
        options: ProgramOptions,
        sandbox: Sandbox | None = None,
    ) -> None:
        self.options = options
        self.seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
        self.selected = select_ops(options.names)
        self.ledger = ProgramLedger(options.known)
        self.totals = Totals()
        self._keep: Callable[[ProgramFinding, str], None] = lambda finding, source: None
        self._progress: Callable[[str], None] = lambda text: None
        self._sandbox = sandbox or Sandbox(
            options.jobs, f"{MODULE}:prepare", start=f"{MODULE}:start", limits=LIMITS, modules=("tensorflow",)
        )
        self._numbers = itertools.count()
        self._then: dict[int, Callable[[Reply], None]] = {}
        self._asks: deque[tuple[Ask, Task]] = deque()
        self._retry: deque[Item] = deque()
        self._indices = self._all_indices()
        self._next = next(self._indices, None)
        self._pursued: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
        self._shown: Counter[tuple[str, ...]] = Counter()
        self._deadly: Counter[str] = Counter()
        self._interrupted = False
        self._begun, self._created = 0.0, time.monotonic()
        self._deadlines = (math.inf, math.inf)  # seconds from the first program on
        self._told = 0.0

    def watch(self, keep: Callable[[ProgramFinding, str], None], progress: Callable[[str], None]) -> None:
        """Set the callbacks: `keep` gets each finding when it is new and again when its script has run, `progress` a
        line.
        """
        self._keep, self._progress = keep, progress

    def run(self) -> None:
        """Run until time or cases are used up, then finish the reductions in progress."""
        self._progress("importing tensorflow")
        with self._sandbox:
            self._begun = time.monotonic()
            if self.options.seconds is not None:
                self._deadlines = find_deadlines(self.options.seconds, self._begun - self._created)
            while self._goes_on():
                self._fill()
                for reply in self._sandbox.wait(0.2):
                    self._then.pop(reply.index)(reply)
                self._tell()

    @property
    def elapsed(self) -> float:
        """Seconds since the first program."""
        return time.monotonic() - self._begun

    @property
    def is_interrupted(self) -> bool:
        return self._interrupted

    def interrupt(self) -> bool:
        """End the run early. Return False if it is ending already."""
        was, self._interrupted = self._interrupted, True
        return not was

    def _goes_on(self) -> bool:
        if self._interrupted:
            return False
        is_busy = self._next is not None or bool(self._then or self._asks or self._retry)
        return is_busy and self.elapsed < self._deadlines[1]

    def _all_indices(self) -> Generator[int, None, None]:
        part, parts = self.options.shard
        for index in itertools.count():
            if self.options.cases is not None and self.totals.tried * parts >= self.options.cases:
                return
            if index % parts == part - 1:
                self.totals.tried += find_lane(index)[0].siblings
                yield index

    def _fill(self) -> None:
        if self.elapsed >= self._deadlines[0]:
            self._next = None
        while self._sandbox.free > 0:
            if self._asks:
                self._send(*self._asks.popleft())
            elif self._retry:
                item = self._retry.popleft()
                self._ask_to_explore(item.indices, item.resting, item.deadly)
            elif self._next is not None:
                self._explore()
            else:
                return

    def _explore(self) -> None:
        indices: list[int] = []
        while self._next is not None and len(indices) < BATCH:
            indices.append(self._next)
            self._next = next(self._indices, None)
        resting, deadly = self._resting("eager"), self._resting("xla")
        self._ask_to_explore(tuple(indices), resting, deadly)

    def _ask_to_explore(self, indices: tuple[int, ...], resting: frozenset[str], deadly: frozenset[str]) -> None:
        names = self.selected if self.options.names else ()
        item = Item(self.seed, indices, self.options.ways, names, deadly, resting)
        self._submit(Lease(next(self._numbers), f"{MODULE}:explore", [item], confirm=False), self._take_explored)

    def _resting(self, way: str) -> frozenset[str]:
        """Return the ops that have ended so many processes in a mode that they are left out."""
        return frozenset(op.split()[1] for op, count in self._deadly.items() if count >= DEATHS and op.startswith(way))

    def _submit(self, lease: Lease, then: Callable[[Reply], None]) -> None:
        begun, function = time.monotonic(), lease.function.rpartition(":")[2]

        def answered(reply: Reply) -> None:
            self.totals.spent[function] += time.monotonic() - begun  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
            self.totals.asked[function] += 1
            then(reply)

        self._then[lease.index] = answered
        self._sandbox.submit(lease)

    def _send(self, ask: Ask, task: Task) -> None:
        lease = Lease(
            next(self._numbers),
            f"{MODULE}:{ask.function}",
            [ask.item],
            confirm=False,
            fresh=ask.deadly,
            risky=ask.deadly,
            limits=ask.limits,
        )
        self._submit(lease, lambda reply: self._resume(task, reply.results[0]))

    def _begin(self, task: Task) -> None:
        self._asks.append((next(task), task))

    def _resume(self, task: Task, result: Any) -> None:
        if isinstance(result, Failure):
            self.totals.failures[result.trace] += 1
            task.close()
            return
        try:
            self._asks.append((task.send(result), task))
        except StopIteration:
            pass

    def _take_explored(self, reply: Reply) -> None:
        result = reply.results[0]
        if isinstance(result, Death):
            self._mourn(result)
        elif isinstance(result, Failure):
            self.totals.failures[result.trace] += 1
        else:
            for explored in result:
                self.totals.add(explored)
                for seen in explored.seen:
                    self._consider(seen)

    def _consider(self, seen: Seen) -> None:
        """Start the reduction of a sighting that looks new."""
        self._shown[seen.prekey] += 1
        chains = self._pursued.setdefault(seen.prekey, set())
        if seen.ops not in chains and len(chains) < (PURSUITS if len(seen.ops) > 1 or seen.way == "graph" else 1):
            chains.add(seen.ops)
            self._begin(self._pursue(seen))

    def _pursue(self, seen: Seen) -> Task:
        found = yield Ask("pursue", (seen, True), limits=SCRIPT_LIMITS)
        if not isinstance(found, Found):
            self.totals.lost["not shown again"] += 1
            return
        if found.way != "eager" and found.kind == "value":
            attributed = yield Ask("attribute", found, deadly=found.way == "xla", limits=SCRIPT_LIMITS)
            found = attributed if isinstance(attributed, Found) else found
        self.totals.seconds["pursuit"] += found.seconds  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
        yield from self._enter(found, seen.index)

    def _enter(self, found: Found, index: int) -> Task:
        finding, is_new = self.ledger.enter(found, index)
        if not is_new:
            return
        self._keep(finding, "")
        outcome = yield Ask("run_script", found.script, deadly=True, limits=SCRIPT_LIMITS)
        finding.reproduced = not isinstance(outcome, Death) and outcome[0] == 1
        script = found.script
        if not finding.reproduced and found.remembering:
            script = found.remembering
            outcome = yield Ask("run_script", script, deadly=True, limits=SCRIPT_LIMITS)
            finding.reproduced = not isinstance(outcome, Death) and outcome[0] == 1
        self._keep(finding, script)

    def _mourn(self, death: Death) -> None:
        """Find out which item ended the process and reduce it; the other items are sent again."""
        item, where = death.item, death.step.split()
        culprit = int(where[3]) if where[:1] == ["draw"] else item.indices[0] if len(item.indices) == 1 else None
        for index in item.indices:
            if index != culprit:
                self._retry.append(replace(item, indices=(index,)))
        if culprit is None:
            return
        if not where or where[0] in ("reference", "beginning"):
            self.totals.lost[death.kind] += 1
            return
        halt = int(where[1]) if where[0] == "draw" else -1
        way = "eager" if where[0] == "draw" else where[0]
        self._begin(self._hunt(replace(item, indices=(culprit,)), death, way, halt))

    def _hunt(self, item: Item, death: Death, way: str, halt: int) -> Task:
        """Find the smallest program that ends its process in the same way."""
        texts = yield Ask("redraw", (item, halt))
        texts = texts if isinstance(texts, list) else []
        if halt >= 0 and texts and self._deadly[f"eager {decode_program(texts[0]).ops[-1]}"] >= DEATHS:
            return  # it is known
        deadly = yield from self._first_deadly(texts, way)
        if deadly is None:
            self.totals.lost[death.kind] += 1
            return
        if way == "eager":
            heads = yield Ask("prefixes", deadly[0])
            deadly = (yield from self._first_deadly(heads[:-1], way)) or deadly
        singles = yield Ask("parts", (deadly[0], way))
        if isinstance(singles, list):
            deadly = (yield from self._first_deadly(singles, way)) or deadly
        tried = 0
        while tried < (SIZES_TRIED if deadly[1].kind == "crash" else 0):
            smaller = yield Ask("reductions", deadly[0])
            simpler = yield from self._first_deadly(smaller[: SIZES_TRIED - tried], way)
            tried += len(smaller) if simpler is None else 1
            if simpler is None:
                break
            deadly = simpler
        text, seen = deadly
        found = yield Ask("describe_death", (text, way, seen.kind, seen.detail, True))
        if isinstance(found, Found):
            self._deadly[f"{way} {found.op}"] += 1 if found.kind == "crash" else DEATHS
            yield from self._enter(found, item.indices[0])

    def _first_deadly(self, texts: Sequence[str], way: str) -> Generator[Ask, Any, tuple[str, Death] | None]:
        """Return the first of some programs that ends its process, and how; None if none does."""
        for text in texts:
            result = yield Ask("attempt", (text, way), deadly=True)
            if isinstance(result, Death):
                return text, result
        return None

    def _tell(self) -> None:
        if self.elapsed - self._told > 1.0:
            self._told = self.elapsed
            counts = f"{self.totals.judged} cases, {len(self.ledger.findings)} findings"
            self._progress(f"{self.elapsed:.0f} s: {counts}, {len(self._then) + len(self._asks)} tasks")

    def sightings(self) -> Mapping[str, int]:
        """The number of sightings of each sort, for the report."""
        return {" ".join(key): count for key, count in sorted(self._shown.items())}


def select_ops(names: Sequence[str]) -> tuple[str, ...]:
    """Return the ops that match a name or glob; all of them if there is none. Raises NoSuchOp."""
    ops = sorted({row.op for row in read_table()})
    if not names:
        return tuple(ops)
    chosen = []
    for name in names:
        fitting = [op for op in ops if fnmatchcase(op, name.removeprefix("tf."))]
        if not fitting:
            raise NoSuchOp(f"no op of TensorFlow's table is called {name!r}")
        chosen += fitting
    return tuple(sorted(set(chosen)))
