"""Interleaved measuring: rounds in which each contender runs once, so that a busy machine slows all of them alike.

The order is another in each round: who runs after a library that has just freed a large array may pay for fresh
memory. What counts is the median of the ratios of each round. Times are for orientation: the least of all rounds.
"""

from __future__ import annotations

import gc
import math
import random
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tensorflow as tf

Call = Callable[[], object]

BATCH = 2e-3
"""Seconds that a contender runs in one round: calls that take less are repeated."""
WARM_UP = 100
"""Calls before the first round: more than those after which tfnp traces what recurs."""
SHORT = 5e-3
"""Seconds above which a call is too long to be warmed up so often."""
FEWEST_ROUNDS, ENOUGH_ROUNDS, MOST_ROUNDS = 3, 9, 101
STABLE = 0.01
"""The standard error of the logarithm of a median ratio at which no more rounds are needed."""
RTOL = 1e-4


@dataclass(frozen=True)
class Row:
    """One call, as each contender writes it. Ratios are of the first contender's time to that of each other."""

    name: str
    contenders: Mapping[str, Call]
    heading: str = ""
    note: str = ""
    same: bool = True
    """Whether all give the same values; else only the same shapes."""


@dataclass(frozen=True)
class Group:
    """Rows under one title; `rows` makes them for so many elements at most, one after another to spare memory."""

    title: str
    text: str
    rows: Callable[[int], Iterator[Row]]
    numpy_behavior: bool = False
    in_thread: bool = False
    """Whether calls are too small to leave their thread: only its CPU time counts, not that of idle ones that spin."""
    in_processes: bool = False
    """Whether calls start processes, whose CPU time counts when they have ended."""


@dataclass
class Result:
    """The figures of a row. Seconds of one call, by contender; `first` is the first call, which may compile."""

    name: str
    heading: str
    note: str
    first: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)
    wall: dict[str, float] = field(default_factory=dict)
    ratios: dict[str, float] = field(default_factory=dict)
    """By the clock that decides."""
    spreads: dict[str, tuple[float, float]] = field(default_factory=dict)
    """The lower and the upper quartile of the ratios of all rounds, by the clock that decides."""
    wall_ratios: dict[str, float] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    """Contenders that were not timed, and why."""
    rounds: int = 0


@dataclass(frozen=True)
class Settings:
    """How to measure: seconds for a row, and whether the wall clock decides, as it must where threads run beside."""

    seconds: float = 2.0
    by_wall: bool = False
    in_thread: bool = False
    in_processes: bool = False

    @property
    def clock(self) -> Callable[[], float]:
        """The clock of CPU time."""
        if self.in_processes:
            return _read_processes_time
        return time.thread_time if self.in_thread else time.process_time


def measure(row: Row, settings: Settings) -> Result:
    """Return the figures of a row, of the contenders that give the first one's answer."""
    result = Result(row.name, row.heading, row.note)
    gc.collect()
    calls = _check(row, result)
    counts = {name: _warm_up(call, settings.clock) for name, call in calls.items()}
    cpu: dict[str, list[float]] = {name: [] for name in calls}
    wall: dict[str, list[float]] = {name: [] for name in calls}
    end = time.perf_counter() + settings.seconds
    while result.rounds < MOST_ROUNDS and (result.rounds < FEWEST_ROUNDS or time.perf_counter() < end):
        result.rounds += 1
        for name in choose_order(list(calls), result.rounds):
            cpu_seconds, wall_seconds = _time(calls[name], counts[name], settings.clock)
            cpu[name].append(cpu_seconds)
            wall[name].append(wall_seconds)
        samples = _ratios(wall if settings.by_wall else cpu)
        if result.rounds >= ENOUGH_ROUNDS and all(map(_is_stable, samples.values())):
            break
    result.cpu, result.wall = ({name: min(times) for name, times in clock.items()} for clock in (cpu, wall))
    result.ratios, result.wall_ratios = (
        {name: statistics.median(ratios) for name, ratios in found.items()} for found in (samples, _ratios(wall))
    )
    result.spreads = {name: _find_quartiles(ratios) for name, ratios in samples.items()}
    return result


def _find_quartiles(values: list[float]) -> tuple[float, float]:
    """Return the lower and the upper quartile."""
    low, _, high = statistics.quantiles(values, n=4)
    return low, high


def choose_order(names: list[str], round_number: int) -> list[str]:
    """Return the contenders in the order of a round. It is drawn: when the order only rotates, each contender but the
    first runs after the same one in every round.
    """
    return random.Random(round_number).sample(names, len(names))


def _check(row: Row, result: Result) -> dict[str, Call]:
    """Call every contender once, and leave out those that fail or answer otherwise; ours must answer."""
    calls: dict[str, Call] = {}
    expected = None
    for name, call in row.contenders.items():
        begun = time.process_time()
        try:
            answer = _values(call())
        except Exception as error:
            if expected is None:
                raise
            result.left_out[name] = f"raises {type(error).__name__}"
            continue
        result.first[name] = time.process_time() - begun
        if expected is None:
            expected = answer
        if _agree(answer, expected, row.same):
            calls[name] = call
        else:
            result.left_out[name] = "gives another answer"
    return calls


def _values(answer: object) -> list[np.ndarray]:
    """Return the arrays of an answer, in order, of whichever library they are."""
    if isinstance(answer, tuple | list):
        return [array for item in answer for array in _values(item)]
    if isinstance(answer, tf.IndexedSlices):
        return [np.asarray(tf.convert_to_tensor(answer))]
    return [np.asarray(answer)]


def _agree(answer: list[np.ndarray], expected: list[np.ndarray], same: bool) -> bool:
    if [array.shape for array in answer] != [array.shape for array in expected]:
        return False
    return not same or all(np.allclose(a, b, RTOL, 1e-6, equal_nan=True) for a, b in zip(answer, expected, strict=True))


def _warm_up(call: Call, clock: Callable[[], float]) -> int:
    """Return how many calls fill a batch, after those that warm up; one is enough of what takes long."""
    least, calls = min(_time(call, 1, clock)), 1  # on a busy machine the wall clock runs while others do
    while calls < WARM_UP and least < SHORT:
        least = min(least, *_time(call, 1, clock))
        calls += 1
    return max(1, round(BATCH / least))


def _read_processes_time() -> float:
    """Return the CPU seconds of this process and of all that have ended below it."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _time(call: Call, count: int, clock: Callable[[], float]) -> tuple[float, float]:
    """Return CPU and wall-clock seconds of a call, the mean of so many."""
    wall, cpu = time.perf_counter(), clock()
    for _ in range(count):
        call()
    return (clock() - cpu) / count, (time.perf_counter() - wall) / count


def _ratios(times: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """Return the ratios of the first contender's times to those of each other."""
    ours, *others = times
    pairs = {name: zip(times[ours], times[name], strict=True) for name in others}
    return {name: [a / max(b, 1e-9) for a, b in pair] for name, pair in pairs.items()}


def _is_stable(ratios: list[float]) -> bool:
    logs = [math.log(max(ratio, 1e-9)) for ratio in ratios]
    low, high = _find_quartiles(logs)
    return 0.93 * (high - low) / math.sqrt(len(logs)) < STABLE  # the median's standard error, from the quartiles


def data_of(result: Result) -> dict[str, Any]:
    """Return the figures as plain data, without what is empty; ratios are there in any case."""
    return {
        key: {name: _round(x) for name, x in value.items()} if isinstance(value, dict) else value
        for key, value in vars(result).items()
        if value or key == "ratios"
    }


def _round(value: Any) -> Any:
    """Return numbers with four digits."""
    if isinstance(value, tuple):
        return [_round(one) for one in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value
