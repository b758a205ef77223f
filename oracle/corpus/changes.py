"""Changes of verdicts: what a record's verdict was and is, grouped by the kind of change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from oracle.corpus.records import Judgement
from oracle.corpus.replay import Replay

LONGEST_CASE = 300


@dataclass(frozen=True)
class VerdictChange:
    """A record whose verdict is not the recorded one."""

    source: str
    before: Judgement
    replay: Replay

    @property
    def kind(self) -> str:
        """The kind of the change, as in `agrees -> differs (value); allowance order.unspecified: value lost`."""
        before, now = describe_status(self.before), describe_status(self.replay.verdict)
        parts = [f"{before} -> {now}"] if before != now else []
        for part, label in (("allowed", "allowance"), ("faults", "fault")):
            earlier, later = set(self.before.get(part, ())), set(self.replay.verdict.get(part, ()))
            parts += [f"{label} {one} lost" for one in sorted(earlier - later)]
            parts += [f"{label} {one} added" for one in sorted(later - earlier)]
        return "; ".join(parts)

    def show(self) -> str:
        """Return the case, what differs now, and where it is recorded."""
        record = self.replay.record
        try:
            case = str(record.case())
        except ValueError as error:
            case = f"{record.name}, which is no case: {error}"
        shown = case if len(case) <= LONGEST_CASE else f"{case[: LONGEST_CASE - 3]}..."
        return "\n".join([f"{self.source} {record.id} in {record.mode}: {shown}", *self.replay.details])


def describe_status(verdict: Judgement) -> str:
    """Return the verdict without ids: agrees, allowed, differs (value, dtype), undecided (reason)."""
    parts = [f"differs ({', '.join(verdict['differences'])})"] if verdict.get("differences") else []
    parts += [f"undecided ({verdict['undecided']})"] if verdict.get("undecided") else []
    return " and ".join(parts) or ("allowed" if verdict.get("allowed") else "agrees")


def group_changes(changes: Iterable[VerdictChange]) -> dict[str, list[VerdictChange]]:
    """Return the changes by kind, the most frequent kind first. The simplest case of a kind comes first."""
    groups: dict[str, list[VerdictChange]] = {}
    for change in sorted(changes, key=lambda one: (len(one.replay.record.line), one.replay.record.id)):
        groups.setdefault(change.kind, []).append(change)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def report(changes: Iterable[VerdictChange]) -> Iterator[str]:
    """Yield a paragraph for each kind of change: how many records, of which names, and one of them."""
    for kind, alike in group_changes(changes).items():
        names = sorted({change.replay.record.name for change in alike})
        more = f" and {len(names) - 5} more names" if len(names) > 5 else ""
        example = alike[0].show().replace("\n", "\n    ")
        yield f"{len(alike)} x {kind}\n    of {', '.join(names[:5])}{more}\n    {example}"
