"""The campaign loop: judge as many cases as time allows, and reduce and reproduce differences on the way.

What is found depends on the seed and the number of cases, not on the number of workers: results are taken in the order
of their items, and what was learnt from them takes effect one epoch later.
"""

from __future__ import annotations

import base64
import math
import secrets
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fuzz.differences import SIGNATURE, Difference, find_parameter, parse_comparison, parse_step
from fuzz.engine.case_judge import check_modes_found, read_known
from fuzz.engine.core_seconds import WORK
from fuzz.engine.dispatcher import TASKS, Dispatcher
from fuzz.engine.domain import Unusable
from fuzz.engine.domains import find_domain
from fuzz.engine.executors import Executor, count_slots, count_waiting, list_workers, make_executor
from fuzz.engine.exploration import Exploration
from fuzz.engine.item_results import ItemResult, Survey, WorkerDeath
from fuzz.engine.name_findings import ask_for_findings, list_unanswered
from fuzz.engine.run_options import FORMAT, Options, adapt_options, check_survey, list_modes, start_options
from fuzz.engine.scheduler import MIXED, ItemStream
from fuzz.engine.summary import Counts, Summary
from fuzz.engine.time_limit import Clock, find_deadlines
from fuzz.triage.events import (
    Died,
    Failed,
    Found,
    Joined,
    Preparing,
    Progress,
    Reproduced,
    Saved,
    Seen,
    Started,
    Stopped,
    Triaged,
    Troubled,
)
from fuzz.triage.ledger import Finding, Ledger
from fuzz.triage.queue import NOTHING_REDUCED, TriageQueue
from fuzz.triage.records import Record, decide_status
from oracle import Case
from oracle.harness import UNDECIDED, Death, Failure, Limits, Reply, SandboxError, dtype_class

LIMITS_OF_A_LOOK = Limits(60.0, 120.0)  # at the subject: of all its names, and of a quarter of that for each call
LEAST_OF_A_LOOK = 20.0  # seconds that it may wait, however short the run
SHARE_OF_KNOWN = 0.5  # of the time
FIRST_CASES, FEW_NAMES_LEFT = 200, 0.05  # until all but a few names have had so many cases, ...
SHARE_AT_FIRST, SHARE_OF_CASES = 0.75, 0.5  # ... workers judge for so much of their time, and then for less
SHARE_OF_TRIAGE = 0.35  # of the time, at most, in which nothing new is judged at the end
SHARE_OF_A_DEATH = 0.02  # of the time of all workers, after which the reduction of a death takes no candidate
SHARE_OF_DEATHS = 0.1  # of the time that a name may cost by ending workers
SAVING_SECONDS = 10.0  # seconds between two checkpoints


@dataclass(frozen=True)
class Earlier:
    """The state and the findings that an earlier process left of this run. See `Campaign.checkpoint`."""

    state: Mapping[str, Any] | None = None
    findings: Sequence[Finding] = ()


class Campaign:
    """One run. `observe` is called with each event of `fuzz.triage.events`.

    `executor` replaces the one that the options name; the caller opens and closes it. The cases of `known` findings are
    judged first. `begun` is the time, by `time.monotonic`, at which the run began.
    """

    def __init__(
        self,
        options: Options,
        observe: Callable[[Any], None] = lambda event: None,
        executor: Executor | None = None,
        earlier: Earlier | None = None,
        known: Sequence[Record] = (),
        begun: float | None = None,
    ) -> None:
        self.options = options = start_options(options)
        self._known = known
        self._rejudged: list[Record] = []
        self._earlier = earlier or Earlier()
        self.seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
        self._observe = observe
        self._domain = find_domain(options.subject)
        self._names = self._domain.select(options.names)
        list_modes(options)
        setup = {
            "prepare": f"{TASKS}:prepare",
            "arguments": {
                "subject": options.subject,
                "devices": options.devices,
                "names": self._names,
                "setup": options.setup,
                "modes": options.modes,
                "exact_errors": options.exact_errors,
            },
            "start": f"{TASKS}:start",
            "modules": (),  # a subject of tensors imports what it needs
            "interpreter": options.interpreter,
        }
        self._executor: Executor = executor or make_executor(
            options.executor, options.jobs, setup, options.call_limits, self._take_trouble, self._tell, options.patience
        )
        self._dispatcher = Dispatcher(self._executor, self._note_time)
        self._ledger = Ledger(options.known)
        self._counts = Counts()
        self._features: set[int] = set()
        self._shallow: set[str] = set()  # names that have not had their first cases
        self._shown = 0.0
        self._saved = 0.0
        self._before = 0.0  # seconds of earlier processes
        self._clock = Clock(begun, lambda: count_waiting(self._executor))
        self._deadlines = (math.inf, math.inf)  # seconds from the first case on; see `find_deadlines`
        self._survey = Survey((), ())
        self._modes: tuple[str, ...] = ()
        self._missing: Mapping[str, tuple[str, ...]] = {}
        self._never: Mapping[str, tuple[str, ...]] = {}
        self._is_exploring = self._is_interrupted = self._is_hurried = False
        self._broken = ""  # why the executor is gone
        self._workers: list[Mapping[str, Any]] = []  # of a cluster, in earlier processes

    def run(self) -> Summary:
        """Run until time or cases are used up, or an interrupt comes, and return the summary."""
        interrupted = False
        try:
            self._observe(Preparing(f"importing {self.options.subject}"))
            self._executor.open()
            self._examine()
            self._begin()
            self._is_exploring = True
            self._judge_known()
            self._clock.begin_cases()
            if self.options.seconds is not None:
                self._deadlines = find_deadlines(self.options.seconds, self._clock.preparing)
            self._explore()
            interrupted = self._is_interrupted
        except KeyboardInterrupt:
            interrupted = True
        except SandboxError as error:
            if not self._is_exploring:  # there is nothing to conclude yet
                raise
            interrupted, self._broken = True, str(error)
        finally:
            self._is_exploring = False
            self._clock.end_cases()
            self._dispatcher.cut()
            self._executor.close()
        if not self._modes:  # interrupted before there was anything
            raise KeyboardInterrupt
        return self._conclude(interrupted)

    def describe_time(self, seconds: float) -> str:
        """Return in a line where the time of a run went that took so many seconds: before the first case, on cases, and
        after the last; and what workers did.
        """
        work = {"judged": "judge_item", "reduced": "reduce_difference", "ran scripts": "run_script"}
        return self._clock.describe(
            seconds, {what: self._dispatcher.count_seconds(task) for what, task in work.items()}
        )

    def interrupt(self) -> bool:
        """End the run early; may be called from a signal handler. Return False if it is ending already.

        Raises KeyboardInterrupt if there is nothing to conclude yet.
        """
        if self._is_exploring:
            self._is_interrupted = True
        elif not self._modes:
            raise KeyboardInterrupt
        return self._is_exploring

    def _conclude(self, interrupted: bool) -> Summary:
        self._exploration.give_up()
        self._consume()
        slots = count_slots(self._executor, self.options.jobs)
        self._counts.work["idle"] += max(0.0, slots * self.elapsed - self._dispatcher.busy_seconds)  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
        state = self.checkpoint(finished=not interrupted)
        self._triage.give_up()
        self._triage.settle_counts()
        for finding in self._ledger:
            finding.count = 1 if finding.kind == SIGNATURE else finding.count  # no case showed it
        self._enter_unanswered()
        summary = self._summary(interrupted, state["seconds"])  # as in a rebuilt report
        self._observe(Stopped(summary, state))
        return summary

    @property
    def elapsed(self) -> float:
        """Seconds since the first case of this process, but for those in which a cluster had no workers."""
        return self._clock.elapsed

    def _examine(self) -> None:
        """Look at the subject, the devices and the allowances, in a worker."""
        if "modes" not in self.options.unasked:
            check_modes_found(self._ask_now("find_modes", self.options.modes))
        names = tuple(dict.fromkeys((*self._names, *self._domain.names)))
        self._observe(Preparing(f"finding out which names {self.options.subject} has"))
        result: Any = None
        for tries in (True, False):  # a call that tries a parameter may have ended the worker
            result = self._ask_now("survey", (names, tries), confirm=not tries)
            if not isinstance(result, Death):
                break
        self._survey = check_survey(result, self.options.subject)
        if self._survey.converted:
            self._observe(Preparing(f"{self.options.subject} {self._survey.converted}"))
        self.options = adapt_options(self.options, self._survey)

    def _ask_now(self, function: str, task: Any, *, confirm: bool = True) -> Any:
        replies: list[Reply] = []
        seconds = self.options.seconds or math.inf  # a look that waits, as for a signature, takes no longer than a run
        limits = replace(LIMITS_OF_A_LOOK, patience=min(LIMITS_OF_A_LOOK.patience, max(LEAST_OF_A_LOOK, seconds)))
        self._dispatcher.ask(function, [task], replies.append, now=True, limits=limits, confirm=confirm)
        while not replies:
            self._dispatcher.listen(1.0)
        return replies[0].results[0]

    def _begin(self) -> None:
        """Create what depends on the names and devices, and restore the state of an earlier process."""
        present = set(self._survey.present)
        names = tuple(name for name in self._names if name in present)
        if not names:
            only = " but those of NumPy's that it re-exports" if set(self._names) & set(self._survey.reexported) else ""
            raise Unusable(f"{self.options.subject} has none of the {len(self._names)} names asked for{only}")
        known = present.union(self._survey.reexported)
        lacking = [name for name in self._names if name not in known]
        options, state = self.options, self._earlier.state
        self._names, self._modes = names, list_modes(options)
        self._never = {name: found for name, found in self._survey.never.items() if name in self._names}
        self._schedule = self._domain.schedule(options, names, self._modes, self.seed, self._never)
        self._triage = TriageQueue(
            self._dispatcher,
            self._ledger,
            options.subject,
            self._modes,
            options.call_limits,
            self._follow,
            self._take_failure,
            lambda finding: self._observe(Seen(finding)),
            ordered=options.seconds is None,
            seconds_of_death=self._find_seconds_of_death(),
        )
        if state is not None:
            self._before = state["seconds"]
            self._counts = Counts.from_data(state["counts"])
            self._features = set(array("I", base64.b64decode(state["features"])))
            self._schedule.restore(state["schedule"])
            self._workers = list(state.get("workers", ()))
        self._learn_missing()
        first = 0 if state is None else state["following"]
        self._shallow = set(self._schedule.names)
        self._exploration = Exploration(
            self._dispatcher,
            ItemStream(self._schedule, options.cases, options.shard, first),
            ordered=options.seconds is None,
            time_scale=options.time_scale,
            first=first,
            observe=lambda death: self._observe(Died(death, confirmed=False)),
        )
        total = None if options.seconds is None else options.seconds + self._before
        self._observe(Started(replace(options, seconds=total).data(self.seed), names, lacking, options.left_out, first))
        self._clock.restart()
        findings = [finding for finding in self._earlier.findings if finding.kind not in ("never answered", SIGNATURE)]
        self._triage.restore(state["reductions"] if state is not None else NOTHING_REDUCED, findings)
        self._observe(Saved(self.checkpoint()))

    def _find_seconds_of_death(self) -> float:
        slots = count_slots(self._executor, self.options.jobs)
        return math.inf if self.options.seconds is None else SHARE_OF_A_DEATH * self.options.seconds * slots

    def _judge_known(self) -> None:
        """Judge the cases of known findings, each in those of its modes that the run has, and say what has become of
        them. They may take half of the run's time.
        """
        known = [one for one in self._known if one.name in self._names or one.name not in self._domain.names]
        pending: list[list[tuple[Case, str, list[Reply]]]] = []
        for one in known:
            modes = [mode for mode in one.modes if mode in self._modes]
            asked: list[tuple[Case, str, list[Reply]]] = [(case, mode, []) for case in one.cases for mode in modes]
            for case, mode, replies in asked:
                task = (case.json(), (mode,))
                self._dispatcher.ask("judge_case", [task], replies.append, confirm=False, risky=True)
            pending.append(asked)
        begun, seconds = self._clock.age, math.inf if self.options.seconds is None else self.options.seconds
        late = begun + SHARE_OF_KNOWN * max(seconds - begun, 0.0)
        while not all(replies for asked in pending for *_, replies in asked) and not self._is_interrupted:
            if self._clock.age > late:
                self._dispatcher.drop()  # those that were not judged are undecided
                break
            while self._dispatcher.free > 0 and self._dispatcher.send_next():
                pass
            self._dispatcher.listen(0.1)
        rejudged = [decide_status(*pair) for pair in zip(known, map(read_known, pending), strict=True)]
        self._rejudged = sorted(rejudged, key=lambda one: one.order)
        if known:
            self._observe(Triaged(self._rejudged))

    def checkpoint(self, *, finished: bool = False) -> dict[str, Any]:
        """Return the state as state.json has it: everything that the rest of the run depends on."""
        return {
            "format": FORMAT,
            "finished": finished,
            "following": self._exploration.following,
            "seconds": round(self._before + self.elapsed, 3),
            "present": list(self._survey.present),
            "reexported": list(self._survey.reexported),
            "stale": list(self._survey.stale),
            "missing": {name: list(parameters) for name, parameters in self._missing.items()},
            "adapted": self._survey.is_adapted,
            "announced": dict(self._survey.by_design),
            "counts": self._counts.data(),
            "features": base64.b64encode(array("I", sorted(self._features)).tobytes()).decode(),
            "schedule": self._schedule.data(self._exploration.following),
            "reductions": self._triage.data(),
            "rejudged": [one.data() for one in self._rejudged],
            "workers": self._list_workers(),
        }

    def _list_workers(self) -> list[Mapping[str, Any]]:
        """Return the workers of a cluster that judged cases of this run, in this process and in earlier ones."""
        return [*self._workers, *(worker.data() for worker in list_workers(self._executor))]

    def _learn_missing(self) -> None:
        """Enter a finding for each parameter that signatures lack."""
        self._missing = {name: missing for name, missing in self._survey.missing.items() if name in self._names}
        if not self.options.reports_signatures:
            return
        ask_for_findings(self._dispatcher, self._missing, self._never, self._modes, self._enter)

    def _enter(self, finding: Finding) -> None:
        """Enter a finding that no reduction led to, and say so if it is new."""
        entry, is_new = self._ledger.enter(finding)
        if is_new:
            self._observe(Found(entry))

    def _is_reported(self, difference: Difference) -> bool:
        """Return whether a difference is about a parameter that the signature lacks, or that is not to be reported."""
        lacking = find_parameter(difference.detail)
        missing = self._never.get(difference.name, ())
        is_told = lacking in missing or (bool(missing) and lacking.startswith("after "))
        return bool(lacking) and (is_told or not self.options.reports_signatures)

    def _explore(self) -> None:
        while True:
            is_late = self._exploration.begun and self._is_late()
            exploring = not (self._exploration.done or is_late)
            if is_late and not self._is_hurried and self._needs_hurry():
                self._is_hurried = True
                self._triage.hurry()
            self._fill(exploring)
            self._dispatcher.listen(0.1)
            self._consume()
            self._triage.collect()
            self._show()
            if self._is_interrupted:
                return
            if not (exploring or self._dispatcher.busy) and (self._is_hurried or not self._triage.open):
                return
            if self.elapsed > self._deadlines[1]:
                return

    def _is_late(self) -> bool:
        """Return whether the time that is left is for the first reductions and the scripts that wait."""
        slots = count_slots(self._executor, self.options.jobs)
        left = min(self._triage.backlog / slots, SHARE_OF_TRIAGE * self._deadlines[0])
        return self._is_hurried or self.elapsed + left >= self._deadlines[0]

    def _needs_hurry(self) -> bool:
        """Return whether there is no time to reduce all that is pending thoroughly."""
        slots = count_slots(self._executor, self.options.jobs)
        is_over = self.elapsed >= self._deadlines[0]
        return is_over and self.elapsed + self._triage.whole_backlog / slots > self._deadlines[1]

    def _fill(self, exploring: bool) -> None:
        """Give free workers something to do: new cases while these have less than their share of the time."""
        least = SHARE_OF_CASES if self._is_broad else SHARE_AT_FIRST
        while self._dispatcher.free > 0:
            is_due = not self._dispatcher.urgent and self._dispatcher.find_share("judge_item") < least
            if exploring and is_due and self._exploration.send(self._rests):
                continue
            if not self._dispatcher.send_next() and not (exploring and self._exploration.send(self._rests)):
                return

    @property
    def _is_broad(self) -> bool:
        """Whether nearly every name has had its first cases."""
        self._shallow -= {name for name in self._shallow if self._counts.cases[name] >= FIRST_CASES}
        return len(self._shallow) <= FEW_NAMES_LEFT * len(self._names)

    def _rests(self, name: str) -> bool:
        """Return whether a name is left out for a while, because it has ended workers at the cost of others."""
        if self.options.seconds is None:  # what is found must not depend on time
            return False
        return self._exploration.count_lost(name) > SHARE_OF_DEATHS * self.elapsed

    def _consume(self) -> None:
        """Take the results that have arrived."""
        for item, result in self._exploration.collect():
            self._take(item, result)

    def _take(self, item: Any, result: Any) -> None:
        if isinstance(result, ItemResult):
            self._take_result(item, result)
        elif isinstance(result, WorkerDeath):
            self._take_death(item, result.death, result.case)
        elif isinstance(result, Failure):
            self._counts.add(ItemResult(item.index, item.name, item.siblings, drawn=item.siblings))
            self._take_failure(result.trace)

    def _take_result(self, item: Any, result: ItemResult) -> None:
        self._counts.add(result)
        novel = len(result.features - self._features)
        self._schedule.learn_novelty(item, novel)
        if result.valid and result.forms:  # programs of ops have none
            self._schedule.learn_answers(item, result.forms, answered=bool(result.answered))
        self._features |= result.features
        for difference in result.differences:
            if not self.options.reports(difference.kind):
                continue
            if not self._is_reported(difference):
                self._triage.see(difference)
            if difference.kind == "memory" or difference.fatal:
                self._schedule.learn_fatal(difference)
            if lacking := find_parameter(difference.detail):
                self._schedule.learn_lack(item.index, difference.name, lacking)

    def _take_death(self, item: Any, death: Death, case: Case | None) -> None:
        location, compared = parse_step(death.step), parse_comparison(death.step)
        result = ItemResult(item.index, item.name, item.siblings, drawn=item.siblings)
        if compared:  # the judge died of the subject's answer, which is not judged
            result.valid, result.undecided, result.runs = 1, Counter({(UNDECIDED, compared): 1}), {compared: 1}
        self._counts.add(result)
        self._observe(Died(death, confirmed=True))
        if location is None or case is None:
            self._counts.lost[death.kind] += 1
            self._counts.harness_faults.add_death(death, case)
            return
        mode, sibling = location
        self._schedule.learn_death(item.index, item.name, mode)
        dtype = dtype_class(case)
        difference = Difference(
            item.index, sibling, case.name, death.kind, (mode,), dtype, death.detail, case.json(), fatal=True
        )
        self._triage.see(difference)

    def _enter_unanswered(self) -> None:
        """Enter a finding for each name and mode in which no valid call was answered by a value.

        There is none if allowances that may take every answer account for all of them, or if another finding does.
        """
        if (
            self.options.values_only or self.options.calls != MIXED or self._survey.is_adapted
        ):  # the summary knows which names were not judged
            return
        for finding in list_unanswered(self._counts, self._ledger):
            self._enter(finding)

    def _note_time(self, function: str, seconds: float, about: tuple[str, str] | None) -> None:
        """Count how long a worker had a task, and which name and mode that was about."""
        work = WORK.get(function, "other")
        self._counts.work[work] += seconds  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
        if about is not None:
            self._counts.find_spent(*about)[work] += seconds  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints

    def _take_failure(self, trace: str) -> None:
        self._counts.failures[trace] += 1
        if self._counts.failures[trace] == 1:
            self._observe(Failed(trace))

    def _take_trouble(self, what: str) -> None:
        self._observe(Troubled(what))

    def _tell(self, what: str) -> None:
        self._observe(Preparing(what))

    def _follow(self, finding: Finding, source: str | None) -> None:
        """Pass on what became of a finding; `source` is None if another minimal case joined it."""
        event = Joined(finding) if source is None else Reproduced(finding, source) if source else Found(finding)
        self._observe(event)

    def _show(self) -> None:
        if self.elapsed - self._shown < 0.25:
            return
        self._shown = self.elapsed
        self._observe(self.progress())
        if self.elapsed - self._saved >= SAVING_SECONDS * self.options.time_scale:
            self._saved = self.elapsed
            self._observe(Saved(self.checkpoint()))

    def progress(self) -> Progress:
        """Return how far the campaign is, for the display."""
        return Progress(
            self.elapsed,
            None if self.options.seconds is None else self._deadlines[0],
            self._counts.total,
            self.options.cases,
            len(self._counts.cases),
            len(self._schedule.names),
            self._ledger.by_kind(),
            self._triage.open,
            list_workers(self._executor),
        )

    def _summary(self, interrupted: bool, seconds: float) -> Summary:
        return Summary(
            options=self.options,
            seed=self.seed,
            turns=self._schedule.turns(),
            seconds=seconds,
            counts=self._counts,
            present=self._survey.present,
            reexported=self._survey.reexported,
            findings=list(self._ledger),
            interrupted=interrupted,
            stale=self._survey.stale,
            missing=self._missing if self.options.reports_signatures else {},
            not_offered={} if self.options.reports_signatures else self._missing,
            by_design=self._survey.by_design,
            rejudged=[one.data() for one in self._rejudged],
            workers=self._list_workers(),
            broken=self._broken,
            untried=self._triage.untried,
        )
