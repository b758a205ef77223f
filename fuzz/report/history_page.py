"""The history of a subject's findings as a self-contained HTML page, and as an Atom feed of new causes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from xml.etree import ElementTree

from fuzz.history.database import Run, SeenFinding, StatusEntry
from fuzz.history.lives import (
    DAYS,
    Life,
    count_core_hours,
    count_firsts,
    count_weeks,
    estimate_unseen,
    list_neglected,
    trace_lives,
)
from fuzz.report.record import format_duration
from fuzz.report.templates import load_template

PAGE = "history.html"
"""The page in the directory of a run that was appended to a history."""

WIDTH, HEIGHT = 720, 160  # of a curve, in units of its SVG
ATOM = "http://www.w3.org/2005/Atom"


def render_history(runs: Sequence[Run], seen: Sequence[SeenFinding], verdicts: Sequence[StatusEntry]) -> str:
    """Render the page: totals, weeks, coverage, each cause with its life, and names that were not judged lately."""
    lives = trace_lives(seen, verdicts)
    weeks = count_weeks(lives, runs)
    hours = count_core_hours(runs)
    fixed = [life.days_to_fix for life in lives if life.days_to_fix is not None]
    subjects = dict.fromkeys(run.subject for run in runs)
    return load_template("history.html").render(
        subject=", ".join(subjects),
        several=len(subjects) > 1,
        runs=runs,
        lives=lives,
        weeks=weeks,
        most=max((max(week.new, week.fixed, week.regressed, week.open) for week in weeks), default=0) or 1,
        open=sum(bool(life.open) for life in lives),
        unseen=estimate_unseen(seen),
        rate=describe_rate(len(lives), hours),
        time_to_fix=describe_days(sum(fixed) / len(fixed)) if fixed else "",
        curves=draw_curves(select_coverages(runs)),
        covered=select_coverages(runs),
        most_names=count_most_names(select_coverages(runs)),
        firsts=count_firsts(lives),
        neglected=list_neglected(runs, runs[-1].at),
        days=DAYS,
        width=WIDTH,
        height=HEIGHT,
    )


def select_coverages(runs: Sequence[Run]) -> Sequence[Run]:
    """Return the coverages that are made of the same calls as the last; all runs if there is none."""
    found = [run for run in runs if run.is_coverage]
    return [run for run in found if run.engine == found[-1].engine] or runs


def count_most_names(runs: Sequence[Run]) -> int:
    """Return how many names the panel of the curves is high."""
    return max((run.present for run in runs), default=0) or 1


def describe_rate(causes: int, hours: float) -> tuple[str, str]:
    """Return a number, and what it counts: new causes by core-hour; all of them for a time too short to say."""
    if hours >= 1:
        return f"{causes / hours:.2g}", f"new causes per core-hour, in {hours:,.0f} core-hours"
    return f"{causes:,}", f"{'cause' if causes == 1 else 'causes'} in {format_duration(3600 * hours)} of one core"


def describe_days(days: float) -> tuple[str, str]:
    """Return how long it took to fix causes as a number and its unit: hours for less than two days."""
    return (f"{days:.1f}", "days") if days >= 2 else (f"{24 * days:.1f}", "hours")


def draw_curves(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """Return the points of the curves of exercised and of agreeing names over time, as SVG has them; none of runs of
    one day, which are one point.
    """
    if not runs or runs[0].at.date() == runs[-1].at.date():
        return []
    begin, most = runs[0].at, count_most_names(runs)
    span = (runs[-1].at - begin).total_seconds() or 1.0

    def locate(run: Run, value: int) -> str:
        across = WIDTH * (run.at - begin).total_seconds() / span
        return f"{across:.1f},{HEIGHT - (HEIGHT - 10) * value / most:.1f}"

    values = {"exercised": lambda run: run.exercised, "agreeing": lambda run: run.agreeing}
    return [(name, " ".join(locate(run, value(run)) for run in runs)) for name, value in values.items()]


def make_feed(lives: Sequence[Life], subject: str, now: datetime) -> bytes:
    """Return an Atom feed with an entry for each cause, the newest first."""
    ElementTree.register_namespace("", ATOM)
    feed = ElementTree.Element(f"{{{ATOM}}}feed")
    newest = sorted(lives, key=lambda life: life.first.run.at, reverse=True)
    updated = newest[0].first.run.at if newest else now
    _fill(feed, {"title": f"{subject}: new causes", "id": f"urn:fuzz:{subject}", "updated": updated.isoformat()})
    _fill(_add(feed, "author"), {"name": "fuzz"})
    for life in newest:
        title = f"{life.kind}: {life.title.replace('`', '')}"
        texts: dict[str, Any] = {"title": title, "id": f"urn:fuzz:{life.subject}:{life.cause}"}
        texts |= {"updated": life.first.run.at.isoformat(), "summary": f"{life.first.minimal} ({life.status})"}
        _fill(_add(feed, "entry"), texts)
    return bytes(ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True))


def _add(parent: ElementTree.Element, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, f"{{{ATOM}}}{name}")


def _fill(parent: ElementTree.Element, texts: dict[str, Any]) -> None:
    for name, text in texts.items():
        _add(parent, name).text = "".join(char for char in str(text) if char.isprintable())
