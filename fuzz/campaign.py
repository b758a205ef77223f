"""A campaign: as many cases as time allows, judged wherever there is room; what disagrees is pursued on the way.

What is found depends on the seed and on how many cases there were, not on how many workers judged them: results are
taken in the order of their items, and what was learnt from them takes effect a whole epoch later.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from fuzz.cases import generated_names
from fuzz.dispatch import Dispatcher
from fuzz.events import Died, Failed, Found, Progress, Reproduced, Started, Stopped
from fuzz.executors import Executor, executor_for
from fuzz.findings import SIGNATURE, Finding, Ledger, Sighting, cheapest, parameter_of
from fuzz.missing_parameters import as_finding
from fuzz.pursuits import Pursuits
from fuzz.schedule import Feed, Item, Schedule
from fuzz.summary import Counts, Summary, versions
from fuzz.trials import Survey, Tally, draw, label, place_of
from oracle import NAMES, Case, Death, Failure, Limits, Mode, Outcome, Reply, SandboxError, dtype_class

LEASE_SECONDS = 0.4
MOST_ITEMS = 64
CALLS_UNANSWERED = 8  # valid calls of a name in a mode after which it should have answered one
BEFORE_ALL = -1  # an item earlier than the first
PURSUITS_BETWEEN = 4  # leases that pursue, at most, between two that explore


class Unusable(ValueError):
    """Options that make no campaign; the message says which, and what there is instead."""


@dataclass(frozen=True)
class Options:
    """What a campaign is asked to do. `names` may be globs; without any, every name that has cases."""

    names: tuple[str, ...] = ()
    seconds: float | None = None
    cases: int | None = None
    jobs: int = 1
    seed: int | None = None
    modes: tuple[str, ...] = ("eager", "graph", "xla")
    devices: tuple[str, ...] = ("CPU:0",)
    subject: str = "tfnp"
    shard: tuple[int, int] = (1, 1)
    executor: str = "local"
    programs: bool = False
    signatures: bool = True
    known: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)


class Campaign:
    """One run. `observe` is told what happens, as it happens: see `fuzz.events`.

    `executor` is somebody else's, lent for the run, in place of the one that the options name.
    """

    def __init__(
        self,
        options: Options,
        observe: Callable[[Any], None] = lambda event: None,
        executor: Executor | None = None,
    ) -> None:
        self.options = options
        self.seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
        self._observe = observe
        self._names = selected(options.names)
        self._modes = _modes(options)
        setup = {
            "prepare": "fuzz.trials:prepare",
            "arguments": {"subject": options.subject, "devices": options.devices, "names": self._names},
            "start": "fuzz.trials:start",
            "modules": (),  # a subject that gives tensors imports what it needs
        }
        self._executor: Executor = executor or executor_for(options.executor, options.jobs, setup, options.limits)
        self._dispatcher = Dispatcher(self._executor)
        self._ledger = Ledger(options.known)
        self._pursuits = Pursuits(
            self._dispatcher,
            self._ledger,
            options.subject,
            self._modes,
            options.limits,
            self._follow,
            self._take_failure,
        )
        self._counts = Counts()
        self._arrived: dict[int, tuple[Sequence[Item], list[Any]]] = {}
        self._sent: list[int] = []  # the first item of each lease that is not consumed yet, by its number
        self._consumed = 0  # leases
        self._features: set[int] = set()
        self._turn = 0
        self._shown = 0.0
        self._survey = Survey((), ())

    def run(self) -> Summary:
        """Run to the end: of time, of cases, or of patience, for an interrupt only ends it early."""
        self._begun = time.monotonic()
        interrupted = False
        try:
            self._executor.open()
            self._examine()
            self._explore()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._executor.close()
        self._consume()
        self._pursuits.give_up()
        self._pursuits.settle_counts()
        self._settle_missing()
        self._enter_unanswered()
        summary = self._summary(interrupted)
        self._observe(Stopped(summary))
        return summary

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._begun

    def _examine(self) -> None:
        """Find out what there is, in a worker."""
        replies: list[Reply] = []
        names = tuple(dict.fromkeys((*self._names, *NAMES)))
        self._dispatcher.ask("survey", [names], replies.append, now=True, limits=Limits(60.0, 120.0))
        while not replies:
            self._dispatcher.listen(1.0)
        result = replies[0].results[0]
        if not isinstance(result, Survey):
            raise SandboxError(f"the subject cannot be looked at: {getattr(result, 'trace', result)}")
        absent = [device for device in self.options.devices if device not in result.devices]
        if absent:
            raise Unusable(f"no device {', '.join(absent)}; there are {', '.join(result.devices)}")
        present = set(result.present)
        self._survey = result
        names = tuple(name for name in self._names if name in present)
        if not names:
            raise Unusable(f"{self.options.subject} has none of the {len(self._names)} names asked for")
        self._names = names
        self._schedule = Schedule(names, self._modes, self.seed, programs=self.options.programs)
        self._learn_missing()
        self._feed = Feed(self._schedule, self.options.cases, self.options.shard)
        self._observe(Started(self.options, self.seed, names, versions(self.options.subject)))

    def _learn_missing(self) -> None:
        """Leave out of all calls what signatures lack, and have a call drawn for a finding of each."""
        chosen = {name: missing for name, missing in self._survey.missing.items() if name in self._names}
        for name, missing in chosen.items():
            for parameter in missing:
                self._schedule.learn_lack(BEFORE_ALL, name, parameter)
        if not self.options.signatures:
            return
        tasks = [(name, parameter, missing) for name, missing in chosen.items() for parameter in missing]

        def then(batch: Sequence[tuple[str, str, Sequence[str]]], reply: Reply) -> None:
            for (name, parameter, _), text in zip(batch, reply.results, strict=True):
                if isinstance(text, str):
                    finding = as_finding(name, parameter, self._modes, Case.from_json(text))
                    entry, is_new = self._ledger.enter(finding)
                    if is_new:
                        self._observe(Found(entry))

        for start in range(0, len(tasks), MOST_ITEMS):
            batch = tasks[start : start + MOST_ITEMS]
            self._dispatcher.ask("draw_missing", batch, partial(then, batch), confirm=False, risky=True)

    def _is_told(self, sighting: Sighting) -> bool:
        """Whether a sighting is about a parameter that the signature is known to lack, or that nobody wants to know."""
        lacking = parameter_of(sighting.detail)
        missing = self._survey.missing.get(sighting.name, ())
        is_told = lacking in missing or (bool(missing) and lacking.startswith("after "))
        return bool(lacking) and (is_told or not self.options.signatures)

    def _explore(self) -> None:
        while True:
            exploring = not self._feed.done and not self._is_late()
            self._fill(exploring)
            self._dispatcher.listen(0.1)
            self._consume()
            self._pursuits.collect()
            self._show()
            if not exploring and not self._dispatcher.busy and not self._pursuits.open:
                return
            if self.options.seconds is not None and self.elapsed > self.options.seconds + self._grace:
                return

    @property
    def _grace(self) -> float:
        """Seconds past the end in which what was begun may come to an end."""
        return min(10.0, max(2.0, 0.05 * (self.options.seconds or 0)))

    def _is_late(self) -> bool:
        """Whether what waits to be pursued will take all the time that is left."""
        if self.options.seconds is None:
            return False
        return self.elapsed + self._pursuits.backlog / max(1, self.options.jobs) >= self.options.seconds

    def _fill(self, exploring: bool) -> None:
        while self._dispatcher.free > 0:
            self._turn += 1
            pursuing = not exploring or self._turn % (PURSUITS_BETWEEN + 1)
            if pursuing and self._dispatcher.send_next():
                continue
            if exploring and self._send_items():
                continue
            if not self._dispatcher.send_next():
                return

    def _send_items(self) -> bool:
        first_open = self._sent[self._consumed] if self._consumed < len(self._sent) else None
        items = self._feed.take(self._lease_size(), first_open)
        if not items:
            return False
        number = len(self._sent)
        self._sent.append(items[0].index)

        def then(reply: Reply) -> None:
            self._arrived[number] = (items, reply.results)
            for death in reply.unconfirmed:
                self._observe(Died(death, confirmed=False))

        self._dispatcher.ask("judge_item", items, then, now=True)
        return True

    def _lease_size(self) -> int:
        if not self._counts.items:
            return 1
        mean = sum(self._counts.seconds.values()) / self._counts.items
        return max(1, min(MOST_ITEMS, int(LEASE_SECONDS / max(mean, 1e-4))))

    def _consume(self) -> None:
        """Take what has arrived, in the order of the items."""
        while self._consumed in self._arrived:
            for item, result in zip(*self._arrived.pop(self._consumed), strict=True):
                self._take(item, result)
            self._consumed += 1

    def _take(self, item: Item, result: Any) -> None:
        if isinstance(result, Tally):
            self._counts.add(result)
            self._schedule.learn_novelty(item, len(result.features - self._features))
            self._features |= result.features
            for sighting in result.sightings:
                if not self._is_told(sighting):
                    self._pursuits.see(sighting)
                if sighting.kind == "memory":
                    self._schedule.learn_death(item.index, sighting.name, cheapest(sighting.modes))
                if lacking := parameter_of(sighting.detail):
                    self._schedule.learn_lack(item.index, sighting.name, lacking)
        elif isinstance(result, Death):
            self._take_death(item, result)
        elif isinstance(result, Failure):
            self._counts.add(Tally(item.index, item.name, item.siblings))
            self._take_failure(result.trace)

    def _take_death(self, item: Item, death: Death) -> None:
        self._counts.add(Tally(item.index, item.name, item.siblings))
        self._observe(Died(death, confirmed=True))
        place = place_of(death.step)
        if place is None:
            self._counts.lost[death.kind] += 1
            return
        mode, sibling = place
        self._schedule.learn_death(item.index, item.name, mode)
        case = draw(item, sibling, self._names)
        dtype = dtype_class(case, Outcome())
        sighting = Sighting(
            item.index, sibling, case.name, death.kind, (mode,), dtype, death.detail, case.json(), fatal=True
        )
        self._pursuits.see(sighting)

    def _settle_missing(self) -> None:
        """Count findings that come from signatures once: no case showed them."""
        for finding in self._ledger:
            if finding.kind == SIGNATURE:
                finding.count = 1

    def _enter_unanswered(self) -> None:
        """Enter a finding for each name and mode that never answered a valid call by a value, unless allowances that
        may take every answer account for that, or another finding does.
        """
        explained = {(finding.name, mode) for finding in self._ledger for mode in finding.modes}
        for (name, mode), (index, text, error) in sorted(self._counts.unanswered.items()):
            asked = self._counts.asked[name][mode]
            if self._counts.answered[name][mode] or asked < CALLS_UNANSWERED or (name, mode) in explained:
                continue
            if self._counts.allows_all(name, mode):
                continue
            case = Case.from_json(text)
            detail = f"{asked} valid calls, none answered by a value: {error}"
            finding = Finding(name, "never answered", (mode,), dtype_class(case, Outcome()), detail, case, index)
            entry, is_new = self._ledger.enter(finding)
            if is_new:
                self._observe(Found(entry))

    def _take_failure(self, trace: str) -> None:
        self._counts.failures[trace] += 1
        if self._counts.failures[trace] == 1:
            self._observe(Failed(trace))

    def _follow(self, finding: Finding, source: str) -> None:
        self._observe(Reproduced(finding, source) if source else Found(finding))

    def _show(self) -> None:
        if self.elapsed - self._shown < 0.25:
            return
        self._shown = self.elapsed
        self._observe(self.progress())

    def progress(self) -> Progress:
        """Where the campaign stands."""
        return Progress(
            self.elapsed,
            self.options.seconds,
            self._counts.total,
            self.options.cases,
            len(self._counts.cases),
            len(self._schedule.names),
            self._ledger.by_kind(),
            self._pursuits.open,
        )

    def _summary(self, interrupted: bool) -> Summary:
        return Summary(
            options=self.options,
            seed=self.seed,
            seconds=self.elapsed,
            counts=self._counts,
            present=self._survey.present,
            findings=list(self._ledger),
            interrupted=interrupted,
            stale=self._survey.stale,
            missing={name: self._survey.missing[name] for name in self._names if name in self._survey.missing}
            if self.options.signatures
            else {},
        )


def _modes(options: Options) -> tuple[str, ...]:
    """Each mode on each device. Raises Unusable for what there is not."""
    part, parts = options.shard
    if not 1 <= part <= parts:
        raise Unusable(f"no shard {part}/{parts}: shards are counted from 1")
    try:
        modes = tuple(label(str(Mode(mode, device))) for device in options.devices for mode in options.modes)
    except ValueError as error:
        raise Unusable(str(error)) from None
    if not modes:
        raise Unusable("no modes to run in")
    return modes


def selected(patterns: Sequence[str]) -> tuple[str, ...]:
    """The names that have cases and fit one of the patterns. Raises Unusable for a pattern that fits none."""
    names = generated_names()
    found: list[str] = []
    for pattern in patterns or ("*",):
        fitting = [name for name in names if fnmatchcase(name, pattern)]
        if not fitting:
            close = get_close_matches(pattern, names, n=3)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            raise Unusable(f"no name {pattern!r} that cases are made for{hint}")
        found += fitting
    return tuple(dict.fromkeys(found))
