"""The calls that campaigns draw, as `coverage --drawn` shows them: the classes of their arguments, pairs of options,
and how many NumPy rejects.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from fuzz.generate.call_classes import INVALID
from fuzz.generate.coverage_gaps import Sounding
from fuzz.generate.pair_gaps import PairSounding
from fuzz.generate.rejections import Rejections
from fuzz.triage.atomic_files import write_file
from oracle.harness import Death, Failure, Lease, Sandbox

MOST_DEATHS = 9  # rounds: NumPy may hang or crash in this many steps of a name
FEWEST_SHOWN = 0.0005  # share of the calls below which it is printed as 0.0 %


def show_argument_classes(
    names: Sequence[str], jobs: int, as_json: Path | None, console: Console, *, whole: bool
) -> int:
    """Sample the calls of each name, print which classes of arguments are missing, and return the exit status.

    With `whole`, the shares of all classes are printed too.
    """
    with open_sandbox(jobs) as sandbox:
        found: dict[str, Sounding] = sample_all(sandbox, names)
    for name in names:
        if name in found:
            for line in _format_lines(found[name], whole):
                console.print(line, markup=False, highlight=False, soft_wrap=True)
    _write(as_json, {name: to_data(found[name]) for name in names if name in found})
    gaps = sum(len(sounding.gaps) for sounding in found.values())
    failed = gaps or len(found) < len(names)
    console.print(f"{len(found)} of {len(names)} names sampled; {gaps} classes of arguments never occur")
    return int(failed)


def show_pairs(names: Sequence[str], jobs: int, as_json: Path | None, console: Console, *, whole: bool) -> int:
    """Draw 2,000 calls of each name, print which pairs of options are missing, and return the exit status. With
    `whole`, names without gaps are printed too.
    """
    with open_sandbox(jobs) as sandbox:
        found: dict[str, PairSounding] = sample_all(sandbox, names, "fuzz.generate.pair_gaps:sound_pairs")
    rows = [found[name] for name in names if name in found]
    for row in rows:
        if whole and row.pairs:
            console.print(f"{row.name}: {row.came} of {row.pairs} pairs of options came", highlight=False)
        for text in row.missing:
            console.print(f"{row.name}: never {text}", markup=False, highlight=False, soft_wrap=True)
    _write(as_json, {row.name: {"pairs": row.pairs, "came": row.came, "missing": row.missing} for row in rows})
    missing = sum(len(row.missing) for row in rows)
    came, total = sum(row.came for row in rows), sum(row.pairs for row in rows)
    console.print(f"{came} of {total} pairs of options came; of the others NumPy accepts {missing}")
    return int(missing > 0 or len(rows) < len(names))


def show_rejections(names: Sequence[str], jobs: int, as_json: Path | None, console: Console, *, whole: bool) -> int:
    """Draw calls of each name, print how many NumPy rejects, and return the exit status: 1 if these are too many. With
    `whole`, names with few of them are printed too.
    """
    with open_sandbox(jobs) as sandbox:
        found: dict[str, Rejections] = sample_all(sandbox, names, "fuzz.generate.rejections:count_rejections")
    rows = sorted((found[name] for name in names if name in found), key=lambda row: row.unintended, reverse=True)
    for row in rows:
        if whole or row.unintended > MOST_UNINTENDED:
            reasons = "; ".join(f"{count} {reason}" for reason, count in row.reasons.most_common(3))
            text = f"{row.name}: {row.unintended:.1%} of the valid calls, {row.share:.1%} of all: {reasons}"
            console.print(text, markup=False, highlight=False, soft_wrap=True)
    _write(as_json, {row.name: row.data() for row in rows})
    drawn, rejected = sum((row.drawn for row in rows), Counter()), sum((row.rejected for row in rows), Counter())
    total = max(drawn.total(), 1)
    shares = ", ".join(f"{name} {count / total:.1%}" for name, count in drawn.most_common())
    planted = f"{rejected[INVALID]} of {drawn[INVALID]} planted faults"
    console.print(f"{drawn.total()} calls: {shares}")
    console.print(f"NumPy rejects {rejected.total() / total:.2%}, of these {planted}", highlight=False)
    return int(rejected.total() > MOST_REJECTED * total or len(rows) < len(names))


MOST_REJECTED, MOST_UNINTENDED = 0.08, 0.25  # shares of all calls, and of those of one name that should be valid


def open_sandbox(jobs: int) -> Sandbox:
    """Return a sandbox in which NumPy alone runs."""
    arguments = {"subject": "numpy", "devices": ("CPU:0",), "names": ()}
    return Sandbox(jobs, "fuzz.engine.tasks:prepare", arguments, start="fuzz.engine.tasks:start")


def _write(path: Path | None, data: object) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(data, indent=1) + "\n")


def sample_all(
    sandbox: Sandbox, names: Sequence[str], function: str = "fuzz.generate.coverage_gaps:sound"
) -> dict[str, Any]:
    """Return what `function` says of each name. Where NumPy hangs or crashes in a step, ask again without that step."""
    found: dict[str, Any] = {}
    excluded: dict[str, frozenset[str]] = dict.fromkeys(names, frozenset())
    pending = list(names)
    for _ in range(MOST_DEATHS):
        leases = [Lease(index, function, [(name, excluded[name])], confirm=False) for index, name in enumerate(pending)]
        dead: list[str] = []
        for reply in sandbox.run(leases):
            result, name = reply.results[0], pending[reply.index]
            if isinstance(result, Death):
                excluded[name] |= {result.step}
                dead.append(name)
            elif isinstance(result, Failure):
                raise RuntimeError(f"{name} cannot be sampled: {result.trace}")
            else:
                found[name] = result
        pending = dead
    return found


def _format_lines(sounding: Sounding, whole: bool) -> Iterator[str]:
    depth = sounding.depth
    if whole:
        yield f"{sounding.name}: NumPy accepts {depth.calls} of {sounding.drawn} calls"
        for parameter, shares in depth.data()["parameters"].items():
            shown = ", ".join(f"{name} {share:.1%}" for name, share in shares.items() if share > FEWEST_SHOWN)
            yield f"  {parameter} ({depth.given[parameter]}): {shown}"
    yield from map(str, sounding.gaps)


def to_data(sounding: Sounding) -> dict[str, object]:
    """Return the samples of one name as the JSON file has them."""
    return {
        "drawn": sounding.drawn,
        **sounding.depth.data(),
        "missing": [{"parameter": gap.parameter, "class": gap.missing, "as in": gap.witness} for gap in sounding.gaps],
    }
