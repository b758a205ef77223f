"""The triage queue: from a difference to a finding, which is reduced, deduplicated, and reproduced by a script."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from fuzz.differences import UNSTABLE, Difference, Reduced, choose_cheapest, rank_cost
from fuzz.repro.runner import describe_ending
from fuzz.repro.script import shows
from fuzz.triage.leased_reduction import DECIDING, LeasedReductions, find_same
from fuzz.triage.ledger import DIFFERENCE, Finding, Ledger
from fuzz.triage.reduction_queue import ReductionQueue
from fuzz.triage.root_cause import find_key
from fuzz.triage.severity import classify_finding, rank_severity
from fuzz.triage.structure import list_features
from fuzz.triage.untrusted_input import FINDING_ID, KIND, MODE, Default, Row
from oracle import Case
from oracle.harness import Death, Failure, Limits, Reply, attribute_modes

# Which differences of one group key are reduced: most lead to the same finding, but a few may hide another.
REDUCED_AT = frozenset({1, 8, 64, 512})
ANSWERS = frozenset({"value", "dtype", "shape", "structure", "gradient"})
FATAL = frozenset({"crash", "hang"})
UNLIKE = 6  # further ones of these kinds, at most, that lack a feature of each before: the bug there may need it

FIRST = 5  # candidates of the first reduction, which is done for every difference before any is reduced thoroughly
AT_ONCE, THOROUGHLY, LAST, IDLE = 1, 2, 3, 4
"""Ranks of requests: first reductions, and the scripts of what they give; thorough ones and scripts, the most severe
first; in which modes it shows; in which modes what ends a worker does so, too.
"""

# Of a cause that many names share, so many differences are reduced thoroughly, and published as scripts; further ones
# are tried on a few candidates, which mostly make the same call of them.
THOROUGH, FEW = 10, 40
SHARED = frozenset({"dtype", "structure", "missing error", "spurious error", "different error"})


class Workers(Protocol):
    """Protocol: has functions called in workers, and knows how long that takes."""

    def mean_seconds(self, function: str, default: float) -> float:
        """Return the mean wall time of a call; `default` before the first."""
        ...

    def drop(self, function: str = "", least: tuple[int, ...] = ()) -> None:
        """Drop requests that wait: all, or those for a function from a rank on."""
        ...

    def ask(
        self, function: str, items: Sequence[Any], then: Callable[[Reply], None], *, now: bool = False, **options: Any
    ) -> None:
        """Call `function` with each of `items`, and `then` with the reply. With `now`, only if a worker is free."""
        ...


class TriageQueue:
    """Receives every difference, in order. The first few of each group key are reduced, the others only counted.

    The first of each group key is reduced by a few candidates, and `glimpse` is called with what that gives; then each
    is reduced thoroughly, and its script is tried, the most severe first; then it is judged in all modes. `observe` is
    called with each finding. If it is `ordered`, findings do not depend on how long anything takes; else there may be
    no time for a thorough reduction, and the script of the first one is tried before. A reduction of what ends its
    worker takes about `seconds_of_death` of workers.
    """

    def __init__(
        self,
        dispatcher: Workers,
        ledger: Ledger,
        subject: str,
        modes: tuple[str, ...],
        limits: Limits,
        observe: Callable[[Finding, str | None], None],
        fail: Callable[[str], None],
        glimpse: Callable[[Finding], None] = lambda finding: None,
        *,
        ordered: bool = True,
        seconds_of_death: float = math.inf,
    ) -> None:
        self._dispatcher = dispatcher
        self._ledger = ledger
        self._subject = subject
        self._modes = modes
        self._limits = limits
        self._observe = observe
        self._fail = fail
        self._seen: Counter[tuple[str, ...]] = Counter()
        self._times: Counter[tuple[str, ...]] = Counter()
        self._led: dict[tuple[str, ...], Finding] = {}
        self._first: dict[tuple[str, ...], Difference] = {}
        self._features: dict[tuple[str, ...], list[frozenset[str]]] = {}  # of the cases that are reduced, by group key
        self._is_ordered = ordered
        ask = partial(dispatcher.ask, rank=(THOROUGHLY, 0))
        self._leased = LeasedReductions(ask, modes, limits, fail, seconds_of_death)
        self._glimpse = glimpse
        self._glimpsed: dict[
            tuple[str, ...], Difference
        ] = {}  # first ones of a group key, as the first reduction left them
        self._queues = {queue: ReductionQueue(ordered) for queue in ("quick", "fatal", "cold")}
        self._causes: Counter[tuple[str, ...]] = Counter()  # how many differences of a cause are reduced
        self._met: set[tuple[str, str]] = set()  # names and kinds that were judged in a fresh worker
        self._checking: dict[str, int] = {}  # by the id of a finding, how many of its scripts are being tried
        self._early: dict[str, Finding] = {}  # by id, what first reductions gave and scripts are tried of
        self._sources: dict[str, str] = {}  # their scripts
        self._open_firsts = 0  # first reductions in progress
        self._spreading: set[str] = set()  # ids of findings that are to be judged in all modes
        self._unreduced: list[str] = []

    @property
    def open(self) -> int:
        """The number of differences and scripts in progress."""
        return sum(self._checking.values()) + sum(queue.open for queue in self._queues.values()) + len(self._spreading)

    @property
    def backlog(self) -> float:
        """Return about how many seconds one worker needs for the first reductions and the scripts in progress."""
        firsts, scripts = self._open_firsts, self._open_firsts + sum(self._checking.values())
        return self._estimate(firsts, scripts)

    @property
    def whole_backlog(self) -> float:
        """Return about how many seconds one worker needs for all that is in progress."""
        return self._estimate(self._queues["quick"].open, self.open)

    def _estimate(self, reductions: int, scripts: int) -> float:
        reducing = reductions * self._dispatcher.mean_seconds("reduce_difference", 0.2)
        return reducing + scripts * self._dispatcher.mean_seconds("run_script", 0.3)

    @property
    def untried(self) -> list[str]:
        """The ids of the findings for which there was no time: to be reduced, or to have their scripts tried."""
        return sorted({finding.id for finding in self._ledger} & {*self._unreduced, *self._checking})

    def see(self, difference: Difference) -> None:
        """Count a difference, and start its reduction if it is one of the first of its group key."""
        key = difference.group_key
        self._seen[key] += 1
        self._times[key] += difference.times
        self._first.setdefault(key, difference)
        is_first = self._seen[key] == 1
        if is_first or (not difference.fatal and (self._seen[key] in REDUCED_AT or self._is_unlike(difference))):
            if difference.queue == "quick":
                self._features.setdefault(key, []).append(list_features(Case.from_json(difference.case)))
            self._begin_reduction(difference, is_first=is_first)

    def _is_unlike(self, difference: Difference) -> bool:
        """Return whether the case lacks a feature of each case of its group key that was reduced, so that they may show
        other bugs.
        """
        earlier = self._features.get(difference.group_key, [])
        if difference.kind not in ANSWERS or difference.queue != "quick" or len(earlier) >= UNLIKE or not all(earlier):
            return False
        features = list_features(Case.from_json(difference.case))
        return not any(one <= features for one in earlier)

    def _is_of_many(self, difference: Difference) -> bool:
        """Count a difference for its cause, and return whether enough of that are reduced thoroughly."""
        cause = _find_cause(difference)
        self._causes[cause] += 1
        return difference.kind in SHARED and self._causes[cause] > THOROUGH

    def _begin_reduction(self, difference: Difference, *, is_first: bool = True) -> None:
        is_brief = self._is_of_many(difference)
        number = self._queues[difference.queue].begin(difference)
        if difference.queue != "quick":
            self._leased.begin(number, difference)
            return
        fresh = (difference.name, difference.kind) not in self._met
        self._met.add((difference.name, difference.kind))
        most = FEW if is_brief else 0
        if (
            difference.kind == "memory" or not is_first
        ):  # each candidate takes ten seconds, or nothing is shown of it yet
            self._ask_for_reduction(number, difference, difference, fresh, most)
        else:
            self._ask_for_first(number, difference, fresh, most)

    def _ask_for_first(self, number: int, difference: Difference, fresh: bool, most: int) -> None:
        """Have a difference reduced by a few candidates, and then thoroughly. One that is gone is looked at in a fresh
        worker.
        """
        self._open_firsts += 1

        def then(reply: Reply) -> None:
            self._open_firsts -= 1
            result, current, again = reply.results[0], difference, fresh
            if isinstance(result, Death):
                self._leased.begin(number, difference)
                return
            if isinstance(result, tuple):
                again = fresh or result[0] is None
                current = result[0] or difference
            if difference.group_key not in self._glimpsed:
                self._glimpsed[difference.group_key] = current
                finding = self._make_finding(difference, current, reduced=False)
                self._glimpse(finding)
                self._check_early(finding, current)
            self._ask_for_reduction(number, difference, current, again, most)

        self._ask_to_reduce(difference, (), False, FIRST, then, (AT_ONCE,))

    def _ask_for_reduction(
        self, number: int, difference: Difference, current: Difference, fresh: bool, most: int
    ) -> None:
        """Have a difference reduced thoroughly from where the first reduction left it."""

        def then(reply: Reply) -> None:
            result = reply.results[0]
            if isinstance(result, Death):
                self._leased.begin(number, difference)
                return
            if isinstance(result, Failure):  # of the harness, which does not say that the difference is gone
                self._fail(result.trace)
                self._queues["quick"].end(number, partial(self._enter, difference, None))
                return
            if result[0] is None and not fresh:
                self._ask_for_reduction(number, difference, difference, True, most)
                return
            self._queues["quick"].end(number, partial(self._settle, difference, result))

        rank = (THOROUGHLY, *_rank_severity(current))
        self._ask_to_reduce(current, self._list_deciding(current), fresh, most, then, rank)

    def _ask_to_reduce(
        self,
        difference: Difference,
        modes: Sequence[str],
        fresh: bool,
        most: int,
        then: Callable[[Reply], None],
        rank: tuple[int, ...],
    ) -> None:
        about = (difference.name, choose_cheapest(difference.modes))
        options: dict[str, Any] = {"confirm": False, "fresh": fresh, "risky": not fresh, "about": about, "rank": rank}
        self._dispatcher.ask("reduce_difference", [(difference, tuple(modes), fresh, most)], then, **options)

    def _list_deciding(self, difference: Difference) -> list[str]:
        """Return the modes in which the minimal case must be judged to know what it is: those it was seen in, and a few
        cheap ones.
        """
        decide = {mode for mode in self._modes if mode.partition("@")[0] in DECIDING}
        return [mode for mode in self._modes if mode in decide or mode in difference.modes]

    def _spread(self, finding: Finding, seen: Difference) -> None:
        """Have a finding judged once in all modes, and attributed."""
        self._spreading.add(finding.id)
        if seen.queue != "quick":
            self._spread_alone(finding, seen)
            return

        def then(reply: Reply) -> None:
            self._spreading.discard(finding.id)
            (found,) = reply.results
            if isinstance(found, Difference):
                finding.modes = tuple(sorted({*finding.modes, *found.modes}, key=rank_cost))
                finding.attribution, finding.outputs = found.attribution, found.outputs or finding.outputs
                self._observe(finding, None)

        rank = (LAST, *_rank_severity(seen))
        options: dict[str, Any] = {"confirm": False, "risky": True, "about": _find_about(finding), "rank": rank}
        self._dispatcher.ask("attribute_difference", [(seen, self._modes)], then, **options)

    def _spread_alone(self, finding: Finding, seen: Difference) -> None:
        """Have a case that ends its worker judged in each further mode by itself, when nothing else waits."""
        left = [mode for mode in self._modes if mode not in finding.modes]
        options: dict[str, Any] = {"confirm": False, "fresh": seen.cold, "risky": not seen.cold}

        def ask() -> None:
            if left:
                about = (finding.name, left[0])
                task = (seen.case, (left[0],))
                self._dispatcher.ask("judge_case", [task], then, rank=(IDLE,), about=about, **options)
                return
            self._spreading.discard(finding.id)
            finding.attribution = attribute_modes(finding.modes, self._modes)
            self._observe(finding, None)

        def then(reply: Reply) -> None:
            mode = left.pop(0)
            if find_same(reply.results[0], seen):
                finding.modes = tuple(sorted({*finding.modes, mode}, key=rank_cost))
            ask()

        ask()

    def _settle(self, difference: Difference, reduced: Reduced) -> None:
        """Enter the result of a reduction. A difference that depends on the state of its process is entered as
        nondeterminism.
        """
        last, unstable = reduced
        if unstable is not None:
            if unstable.group_key not in self._first:
                self._first[unstable.group_key] = unstable
                self._begin_reduction(unstable)
            if last is None:
                return
        if last is None and difference.kind not in (UNSTABLE, "memory"):
            detail = f"{difference.kind} once, and not again: {difference.detail}"
            self._enter(replace(difference, kind=UNSTABLE, detail=detail), None)
            return
        self._enter(difference, last)

    def collect(self) -> None:
        """Enter the results of the reductions that run in threads of this process."""
        for number, difference, found in self._leased.collect():
            self._queues[difference.queue].end(number, partial(self._enter, difference, found))

    def hurry(self) -> None:
        """Reduce nothing thoroughly any more, for lack of time, and try the scripts of all that was seen as it is."""
        for task in ("reduce_difference", "judge_case", "answer_case", "attribute_difference"):
            self._dispatcher.drop(task, (THOROUGHLY,))
        for _, finding, last in self._list_unreduced():
            self._check_early(finding, last)

    def _list_unreduced(self) -> list[tuple[tuple[str, ...], Finding, Difference]]:
        """Return the group keys without a finding, each with what its first difference is reduced to so far."""
        known = {(finding.name, finding.kind, finding.symptom) for finding in self._ledger}
        left = {
            key: self._glimpsed.get(key, difference)
            for key, difference in self._first.items()
            if key not in self._led and (difference.name, difference.kind, difference.symptom) not in known
        }
        return [(key, self._make_finding(self._first[key], last, reduced=False), last) for key, last in left.items()]

    def give_up(self) -> None:
        """Enter the differences that were not reduced in time, as far as they are reduced."""
        self._leased.abandon()
        self.collect()
        for queue in self._queues.values():
            queue.flush()
        for key, finding, _ in self._list_unreduced():
            self._led[key], is_new = self._ledger.enter(self._early.get(finding.id, finding))
            if is_new:
                self._observe(self._led[key], "")
                self._observe_tried(self._led[key])
                self._unreduced.append(finding.id)

    def settle_counts(self) -> None:
        """Count every difference for the finding that the first one of its group key led to."""
        counts: Counter[str] = Counter()
        for key, finding in self._led.items():
            counts[finding.id] += self._times[key]
        for finding in self._ledger:
            finding.count = counts[finding.id] or 1  # a later difference of a group key has led to it

    def data(self) -> dict[str, Any]:
        """Return what is in progress, as JSON-serializable data."""
        first = [difference.data() for key, difference in self._first.items() if key not in self._led]
        return {
            "seen": [[*key, count, self._times[key]] for key, count in self._seen.items()],
            "first": first,
            "led": [[*key, finding.id] for key, finding in self._led.items()],
            "features": [[list(key), [sorted(one) for one in found]] for key, found in self._features.items()],
            "causes": [[list(key), count] for key, count in self._causes.items()],
            "met": sorted(map(list, self._met)),
            "spread": sorted(self._spreading),
            "open": [difference.data() for queue in self._queues.values() for difference in queue.reducing.values()],
        }

    def restore(self, data: Mapping[str, Any], findings: Sequence[Finding]) -> None:
        """Resume from `data`, of the form REDUCED_SO_FAR, and the findings entered until then or later.

        Findings that were entered unreduced for lack of time are reduced now; those without a script get one.
        """
        for *key, count, times in data["seen"]:
            self._seen[tuple(key)], self._times[tuple(key)] = count, times
        self._first = {difference.group_key: difference for difference in map(Difference.from_data, data["first"])}
        restored = [
            finding for finding in findings if finding.reduced or _make_difference(finding).group_key not in self._first
        ]
        self._ledger.restore(restored)
        by_id = {finding.id: finding for finding in self._ledger}
        for *key, identity in data["led"]:
            if identity in by_id:
                self._led[tuple(key)] = by_id[identity]
        self._features = {tuple(key): [frozenset(one) for one in found] for key, found in data["features"]}
        self._causes = Counter({tuple(key): count for key, count in data["causes"]})
        self._met = {(name, kind) for name, kind in data["met"]}
        for difference in map(Difference.from_data, data["open"]):
            self._met.discard((difference.name, difference.kind))
            self._causes[_find_cause(difference)] -= 1  # each is counted when it is reduced again
        for difference in map(Difference.from_data, data["open"]):
            self._begin_reduction(difference)
        for identity in data["spread"]:
            if identity in by_id:
                self._spread(by_id[identity], _make_difference(by_id[identity]))
        for finding in restored:
            if finding.reproduced is None:
                self._check(finding, _make_difference(finding))

    def _make_finding(self, difference: Difference, last: Difference, *, reduced: bool) -> Finding:
        """Return the finding that a difference has led to, which shows what its `last` reduction left."""
        return Finding(
            last.name,
            last.kind,
            last.modes,
            last.dtype,
            last.detail,
            Case.from_json(last.case),
            difference.index,
            difference.sibling,
            reduced=reduced,
            attribution=last.attribution if reduced else "",
            outputs=last.outputs,
            message=last.message,
            symptom=last.symptom,
        )

    def _enter(self, difference: Difference, found: Difference | None) -> None:
        last = found or difference
        finding, is_new = self._ledger.enter(self._make_finding(difference, last, reduced=found is not None))
        self._led.setdefault(difference.group_key, finding)
        if is_new:
            self._observe(finding, "")
            if not self._take_early(finding):
                self._check(finding, last)
            if found is not None:
                self._spread(finding, last)
        elif difference.queue != "quick" and not set(last.modes) <= set(finding.modes):
            finding.modes = tuple(sorted({*finding.modes, *last.modes}, key=rank_cost))
            self._observe(finding, None)
        elif Case.from_json(last.case).id in {other.id for other in finding.others}:
            self._observe(finding, None)

    def _check(self, finding: Finding, seen: Difference) -> None:
        self._checking[finding.id] = self._checking.get(finding.id, 0) + 1

        def then(reply: Reply) -> None:
            source = reply.results[0]
            if isinstance(source, str | tuple):
                self._run(finding, *([source] if isinstance(source, str) else source))
                return
            self._end_check(finding)
            why = source.trace if isinstance(source, Failure) else f"{source.kind}: {source.detail}"
            self._fail(f"no script for {finding.minimal}: {why}")

        rank = (AT_ONCE, *_rank_severity(seen))
        self._dispatcher.ask("write_script", [seen], then, confirm=False, about=_find_about(finding), rank=rank)

    def _check_early(self, finding: Finding, seen: Difference) -> None:
        """Try the script of what a first reduction gave, where there may be no time for more."""
        if not self._is_ordered and finding.id not in self._early:
            self._early[finding.id] = finding
            self._check(finding, seen)

    def _take_early(self, finding: Finding) -> bool:
        """Take over what the script of a first reduction has shown, if it is that of the same call."""
        early = self._early.get(finding.id)
        if early is None or early.reproduced is None or early.minimal.id != finding.minimal.id:
            return False
        finding.reproduced, finding.repro = early.reproduced, early.repro
        self._observe_tried(finding)
        return True

    def _observe_tried(self, finding: Finding) -> None:
        """Show what the early script of a finding has shown that is entered now."""
        if finding.reproduced is not None:
            self._observe(finding, self._sources[finding.id])

    def _end_check(self, finding: Finding) -> None:
        self._checking[finding.id] -= 1
        if not self._checking[finding.id]:
            del self._checking[finding.id]

    def _run(self, finding: Finding, source: str, *others: str) -> None:
        """Run a script, and others until one shows the difference."""

        def then(reply: Reply) -> None:
            finding.reproduced = _is_shown(reply.results[0], finding.kind)
            if others and not finding.reproduced:
                self._run(finding, *others)
                return
            self._end_check(finding)
            if finding.reproduced:
                finding.repro = f"repros/{finding.id}.py"
            if self._early.get(finding.id) is finding:  # it is shown when it is entered
                self._sources[finding.id] = source
            else:
                self._observe(finding, source)

        options: dict[str, Any] = {
            "fresh": True,
            "limits": self._limits,
            "about": _find_about(finding),
            "rank": (AT_ONCE,),
        }
        self._dispatcher.ask("run_script", [source], then, confirm=False, **options)


NOTHING_REDUCED: dict[str, Any] = dict.fromkeys(
    ("seen", "first", "led", "features", "causes", "met", "open", "spread"), ()
)
PREKEY = Row(str, KIND, MODE, str, str, str)
REDUCED_SO_FAR: dict[str, Any] = {"first": [DIFFERENCE], "open": [DIFFERENCE], "met": [Row(str, KIND)]}
REDUCED_SO_FAR |= {"seen": [Row(*PREKEY.forms, int, int)], "led": [Row(*PREKEY.forms, FINDING_ID)]}
REDUCED_SO_FAR |= {"features": [Row(PREKEY, [[str]])], "causes": [Row([str], int)]}
REDUCED_SO_FAR |= {"spread": Default([FINDING_ID], ())}


def _find_about(finding: Finding) -> tuple[str, str]:
    """Return what the time for a finding counts for: its name, and its cheapest mode."""
    return finding.name, choose_cheapest(finding.modes)


def _rank_severity(difference: Difference) -> tuple[int, int]:
    """Return how severe a difference is, as `fuzz.triage.severity.rank_severity` does for a finding."""
    call_class = classify_finding(difference.kind, Case.from_json(difference.case), difference.symptom)
    return rank_severity({"kind": difference.kind, "call_class": call_class})


def _make_difference(finding: Finding) -> Difference:
    """Return a finding as the difference of its minimal case."""
    identity = (finding.index, finding.sibling, finding.name, finding.kind, finding.modes)
    fatal = finding.kind in FATAL
    found = Difference(*identity, finding.dtype, finding.detail, finding.minimal.json(), fatal=fatal)
    return replace(found, message=finding.message, symptom=finding.symptom)


def _find_cause(difference: Difference) -> tuple[str, ...]:
    """Return the key of the cause that a difference is grouped under."""
    return find_key({"name": difference.name, "kind": difference.kind, "detail": difference.detail, "minimal": ""})


def _is_shown(result: Any, kind: str) -> bool:
    """Return whether a script showed a difference of this kind. A worker that died has crashed, whatever its exit
    status.
    """
    if kind == "crash" and isinstance(result, Death):
        return result.kind != "hang"
    return shows(describe_ending(result, result.tail if isinstance(result, Death) else ""), kind)
