"""The lives of causes, read from a history: when each was seen, fixed and seen again; and rates and totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby

from fuzz.history.database import Run, SeenFinding, StatusEntry
from fuzz.triage.records import CHANGED, FIXED, REGRESSED, STILL
from fuzz.triage.root_cause import rank_kind

OPEN = "open"
DAYS = 30
"""After so many days without a case a name counts as not judged lately."""


@dataclass
class Life:
    """The life of a subject's cause. It is open while one of its findings is; `fixed` and `regressed` are the times at
    which it was closed, and opened again.
    """

    cause: str
    title: str
    kind: str
    first: SeenFinding
    last: SeenFinding
    names: set[str] = field(default_factory=set)
    modes: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    fixed: list[datetime] = field(default_factory=list)
    regressed: list[datetime] = field(default_factory=list)

    @property
    def subject(self) -> str:
        """The subject whose bug it is: another library's of the same id has a life of its own."""
        return self.first.run.subject

    @property
    def status(self) -> str:
        """Open, fixed, or regressed: open again."""
        return FIXED if not self.open else REGRESSED if self.regressed else OPEN

    @property
    def days_to_fix(self) -> float | None:
        """The days from when it was seen first until it was fixed first; None if it never was."""
        return (self.fixed[0] - self.first.run.at) / timedelta(days=1) if self.fixed else None

    def see(self, seen: SeenFinding) -> None:
        """Take a run that has seen one of its findings."""
        if not self.open and self.fixed:
            self.regressed.append(seen.run.at)
        self.open.add(seen.finding)
        self.last = seen
        self.names.add(seen.name)
        self.modes.update(seen.modes)

    def judge(self, verdict: StatusEntry) -> None:
        """Take the status of one of its findings: one that shows another bug now is itself gone."""
        if verdict.status in (FIXED, CHANGED) and verdict.finding in self.open:
            self.open.discard(verdict.finding)
            if not self.open:
                self.fixed.append(verdict.at)
        elif verdict.status in (STILL, REGRESSED):
            if not self.open and self.fixed:
                self.regressed.append(verdict.at)
            self.open.add(verdict.finding)


def trace_lives(seen: Sequence[SeenFinding], verdicts: Sequence[StatusEntry]) -> list[Life]:
    """Return the life of each cause of each subject, those that are open first, then the worst kinds first."""
    lives: dict[tuple[str, str], Life] = {}
    cause_of = {(one.run.subject, one.finding): one.cause for one in seen}
    events: list[tuple[datetime, int, SeenFinding | StatusEntry]] = [(one.run.at, 1, one) for one in seen]
    events += [(one.at, 0, one) for one in verdicts if (one.subject, one.finding) in cause_of]
    for _, _, event in sorted(events, key=lambda event: event[:2]):  # a run judges what is known first
        subject = event.subject if isinstance(event, StatusEntry) else event.run.subject
        cause = cause_of[subject, event.finding]
        if isinstance(event, StatusEntry):
            if (subject, cause) in lives:
                lives[subject, cause].judge(event)
            continue
        lives.setdefault((subject, cause), Life(cause, event.title, event.kind, event, event)).see(event)
    return sorted(
        lives.values(),
        key=lambda one: (one.status == FIXED, rank_kind(one.kind), one.first.run.at, one.subject, one.cause),
    )


@dataclass(frozen=True)
class Week:
    """The causes that were new, fixed and regressed in the week from a Monday on, and those open at its end."""

    monday: date
    new: int
    fixed: int
    regressed: int
    open: int


def count_weeks(lives: Sequence[Life], runs: Sequence[Run]) -> list[Week]:
    """Return the weeks from the first run to the last."""
    if not runs:
        return []
    new, fixed, regressed = Counter[date](), Counter[date](), Counter[date]()
    for life in lives:
        new[_find_monday(life.first.run.at)] += 1
        fixed.update(map(_find_monday, life.fixed))
        regressed.update(map(_find_monday, life.regressed))
    weeks, count = [], 0
    monday, last = _find_monday(runs[0].at), max(_find_monday(runs[-1].at), *fixed, *regressed, date.min)
    while monday <= last:
        count += new[monday] + regressed[monday] - fixed[monday]
        weeks.append(Week(monday, new[monday], fixed[monday], regressed[monday], count))
        monday += timedelta(days=7)
    return weeks


def describe_weeks(weeks: Iterable[Week]) -> Iterator[str]:
    """Yield a line for each week in which something changed, and one for those between two of them."""
    for is_quiet, some in groupby(weeks, lambda week: not (week.new or week.fixed or week.regressed)):
        listed = list(some)
        if is_quiet and len(listed) > 1:
            yield f"weeks of {listed[0].monday} to {listed[-1].monday}: no change, {listed[0].open} open"
        else:
            for week in listed:
                counts = f"{week.new} new, {week.fixed} fixed, {week.regressed} regressed, {week.open} open"
                yield f"week of {week.monday}: {counts}"


def _find_monday(at: datetime) -> date:
    return at.date() - timedelta(days=at.weekday())


def estimate_unseen(seen: Iterable[SeenFinding]) -> float | None:
    """Return the chance that the next difference is of a finding that was never seen, by Good and Turing: the number
    of findings that were seen once, among all differences. None without any.
    """
    counts = Counter[tuple[str, str]]()
    for one in seen:
        counts[one.run.subject, one.finding] += one.count
    total = counts.total()
    return sum(count == 1 for count in counts.values()) / total if total else None


def count_core_hours(runs: Iterable[Run]) -> float:
    """Return the core-hours that runs spent on cases."""
    return sum(run.core_seconds for run in runs) / 3600


def count_firsts(lives: Iterable[Life]) -> dict[str, Counter[str]]:
    """Return how many causes each mode shows, and how many each engine and machine found first."""
    lives = list(lives)
    return {
        "mode": Counter(mode for life in lives for mode in sorted(life.modes)),
        "engine": Counter(life.first.run.engine for life in lives),
        "machine": Counter(life.first.run.machine for life in lives),
    }


def list_neglected(runs: Sequence[Run], now: datetime) -> list[str]:
    """Return the names that were judged before, but not in the last 30 days, in one of the subjects."""
    last: Mapping[tuple[str, str], datetime] = {(run.subject, name): run.at for run in runs for name in run.names}
    return sorted({name for (_, name), at in last.items() if now - at > timedelta(days=DAYS)})


def describe_lives(lives: Sequence[Life]) -> Iterator[str]:
    """Yield a line for each cause: its status, its kind and title, when it was seen first and last, and, if there are
    several subjects, in which.
    """
    several = len({life.subject for life in lives}) > 1
    for life in lives:
        subject = f"  {life.subject}" if several else ""
        days = f"  fixed in {life.days_to_fix:.0f} days" if life.days_to_fix is not None else ""
        dates = f"{life.first.run.at:%Y-%m-%d} to {life.last.run.at:%Y-%m-%d}"
        yield f"{life.status}  {life.kind}  {life.title.replace('`', '')}  {life.cause}  {dates}{days}{subject}"
