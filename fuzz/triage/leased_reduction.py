"""Reductions of what ends its worker, or depends on its state: each candidate has a lease of its own."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Protocol

from fuzz.differences import Difference, choose_cheapest, parse_step, rank_cost
from fuzz.shrink.shrinker import reduce_case
from oracle import Case, Outcome
from oracle.harness import Death, Limits, Reply, dtype_class

# Budget of a reduction with a lease for each candidate, because candidates may die. A candidate costs one;
# one that hangs as much as ten, one that exhausts memory as much as thirty, for TensorFlow waits ten seconds for it.
BUDGET = 70
COSTS_OF_DEATH = {"crash": 1, "hang": 10, "memory": 30}

# What share of the usual CPU time and patience such a candidate has.
SHARES = {"hang": (0.4, 0.1), "memory": (1.0, 0.4)}
USUAL_SHARE = (1.0, 0.2)

DECIDING = frozenset({"eager", "graph", "gradient", "gradient_graph"})
"""Modes that every minimal case is judged in at once, because a finding is another one if it shows in them."""


class Asks(Protocol):
    """Protocol: has a function of workers called, and `then` with the reply."""

    def __call__(self, function: str, items: list[Any], then: Callable[[Reply], None], **options: Any) -> None: ...


class _Abandoned(Exception):
    """Raised in reduction threads when the campaign is over."""


class LeasedReductions:
    """Reduces differences in threads. Those of one name and kind are reduced one after another: a case that ended its
    worker in one mode mostly does so in others, so that each is first tried on the minimal cases of those before.

    `fail` is called with the faults of the harness. A reduction takes no candidate once workers have spent `seconds`
    on it.
    """

    def __init__(
        self,
        ask: Asks,
        modes: tuple[str, ...],
        limits: Limits,
        fail: Callable[[str], None],
        seconds: float = math.inf,
    ) -> None:
        self._ask, self._modes, self._limits, self._fail, self._seconds = ask, modes, limits, fail, seconds
        self._results: queue.SimpleQueue[tuple[int, Difference, Difference | None]] = queue.SimpleQueue()
        self._queued: dict[tuple[str, str], list[tuple[int, Difference]]] = {}  # the first of each is being reduced
        self._minimal: dict[tuple[str, str], list[Difference]] = {}
        self._abandoned = threading.Event()
        self._probes: set[queue.SimpleQueue[Reply | None]] = set()

    def begin(self, number: int, difference: Difference) -> None:
        """Reduce a difference, after those of its name and kind that are being reduced."""
        queued = self._queued.setdefault((difference.name, difference.kind), [])
        queued.append((number, difference))
        if len(queued) == 1:
            self._start(number, difference)

    def collect(self) -> Iterator[tuple[int, Difference, Difference | None]]:
        """Yield the differences that are reduced, with their numbers and minimal ones; None for one that is gone."""
        while not self._results.empty():
            number, difference, found = self._results.get()
            key = (difference.name, difference.kind)
            if found is not None:
                self._minimal.setdefault(key, []).append(found)
            del self._queued[key][0]
            if self._queued[key]:
                self._start(*self._queued[key][0])
            yield number, difference, found

    def abandon(self) -> None:
        """End the threads, at their next candidates."""
        self._abandoned.set()
        for answer in list(self._probes):
            answer.put(None)

    def _start(self, number: int, difference: Difference) -> None:
        earlier = tuple(self._minimal.get((difference.name, difference.kind), ()))

        def run() -> None:
            try:
                found = self._find_known(difference, earlier) or self._reduce(difference)
            except _Abandoned:
                return
            except Exception as error:  # noqa: BLE001 - it would be lost with the thread
                self._fail(f"no reduction of {difference.name}: {type(error).__name__}: {error}")
                found = None
            self._results.put((number, difference, found))

        threading.Thread(target=run, daemon=True).start()

    def _find_known(self, difference: Difference, earlier: tuple[Difference, ...]) -> Difference | None:
        """Return the earlier minimal difference that shows in this one's mode, too, with that mode."""
        mode, limits = choose_cheapest(difference.modes), self._find_limits(difference)
        for known in filter(difference.resembles, earlier):
            reply = self._probe(Case.from_json(known.case), mode, limits, fresh=difference.cold)
            if find_same(reply.results[0], known):
                return replace(known, modes=tuple(sorted({*known.modes, mode}, key=rank_cost)))
        return None

    def _find_limits(self, difference: Difference) -> Limits:
        seconds, patience = SHARES.get(difference.kind, USUAL_SHARE)
        limits = self._limits
        return replace(limits, seconds=limits.seconds * seconds, patience=limits.patience * patience)

    def _reduce(self, difference: Difference) -> Difference | None:
        case, mode, limits = (
            Case.from_json(difference.case),
            choose_cheapest(difference.modes),
            self._find_limits(difference),
        )
        left: float = BUDGET
        spent = 0.0

        def still_fails(candidate: Case) -> bool:
            nonlocal left, spent
            if left <= 0 or spent > self._seconds:
                return False
            reply = self._probe(candidate, mode, limits, fresh=difference.cold)
            result, spent = reply.results[0], spent + reply.seconds
            left -= COSTS_OF_DEATH[result.kind] if isinstance(result, Death) else 1
            return find_same(result, difference) is not None

        if not difference.fatal:
            result = self._probe(case, mode, limits, fresh=difference.cold).results[0]
            seen = difference.among(result) if isinstance(result, list) else None
            difference = replace(seen, cold=difference.cold) if seen else difference
        minimal = reduce_case(case, still_fails, int(left), self._answer)
        found = find_same(self._probe(minimal, mode, None, fresh=difference.cold).results[0], difference)
        if found is None:
            return None
        deciding = [
            one for one in self._modes if one.partition("@")[0] in DECIDING and rank_cost(one) < rank_cost(mode)
        ]
        probes = {one: self._probe(minimal, one, limits, fresh=difference.cold).results[0] for one in deciding}
        modes = (*(one for one, result in probes.items() if find_same(result, difference)), mode)
        if difference.fatal:
            found = replace(found, name=minimal.name, dtype=dtype_class(minimal))
        return replace(found, modes=tuple(sorted(modes, key=rank_cost)), case=minimal.json())

    def _probe(self, case: Case, mode: str, limits: Limits | None, *, fresh: bool) -> Reply:
        """Judge one case in one mode: the result is the differences, or a death."""
        return self._await("judge_case", (case.json(), (mode,)), limits, fresh=fresh, about=(case.name, mode))

    def _answer(self, case: Case) -> Any:
        """Return NumPy's outcome, or the death of the worker that ran it. Of a program, return the results of its
        first steps.
        """
        result = self._await("answer_case", case.json(), None).results[0]
        return result if isinstance(result, Outcome | list) else Outcome(kind=getattr(result, "kind", "crash"))

    def _await(
        self, function: str, task: Any, limits: Limits | None, *, fresh: bool = False, about: Any = None
    ) -> Reply:
        answer: queue.SimpleQueue[Reply | None] = queue.SimpleQueue()
        self._probes.add(answer)
        if self._abandoned.is_set():
            raise _Abandoned
        options = {"risky": not fresh, "fresh": fresh, "limits": limits, "about": about}
        self._ask(function, [task], answer.put, confirm=False, **options)
        reply = answer.get()
        self._probes.discard(answer)
        if reply is None:
            raise _Abandoned
        return reply


def find_same(result: Any, difference: Difference) -> Difference | None:
    """Return the difference as it recurs in a probe's result: a death of the same kind in the subject, not in NumPy, or
    a difference of the same kind about the same parameter. None if it does not recur.
    """
    if isinstance(result, Death):
        is_alike = difference.fatal and result.kind == difference.kind and parse_step(result.step) is not None
        return replace(difference, detail=result.detail) if is_alike else None
    if difference.fatal or not isinstance(result, list):
        return None
    return next((found for found in result if found.resembles(difference)), None)
