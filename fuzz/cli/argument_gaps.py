"""The option `coverage --depth`: which classes of arguments calls are drawn with, and which classes never occur."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from fuzz.generate.coverage_gaps import Sounding
from oracle import Death, Lease, Sandbox

MOST_DEATHS = 9  # rounds: NumPy may hang or crash in this many steps of a name
FEWEST_SHOWN = 0.0005  # share of the calls below which it is printed as 0.0 %


def show_depth(names: Sequence[str], jobs: int, as_json: Path | None, console: Console, *, whole: bool) -> int:
    """Sample the calls of each name, print which classes of arguments are missing, and return the exit status.

    With `whole`, the shares of all classes are printed too.
    """
    arguments = {"subject": "numpy", "devices": ("CPU:0",), "names": ()}
    with Sandbox(jobs, "fuzz.engine.tasks:prepare", arguments, start="fuzz.engine.tasks:start") as sandbox:
        found = sample_all(sandbox, names)
    for name in names:
        if name in found:
            for line in _format_lines(found[name], whole):
                console.print(line, markup=False, highlight=False, soft_wrap=True)
    if as_json is not None:
        as_json.parent.mkdir(parents=True, exist_ok=True)
        as_json.write_text(json.dumps({name: to_data(found[name]) for name in names if name in found}, indent=1) + "\n")
    gaps = sum(len(sounding.gaps) for sounding in found.values())
    failed = gaps or len(found) < len(names)
    console.print(f"{len(found)} of {len(names)} names sampled; {gaps} classes of arguments never occur")
    return int(failed)


def sample_all(sandbox: Sandbox, names: Sequence[str]) -> dict[str, Sounding]:
    """Sample the calls of each name. Where NumPy hangs or crashes in a step, sample the name again without that
    step.
    """
    found: dict[str, Sounding] = {}
    excluded: dict[str, frozenset[str]] = dict.fromkeys(names, frozenset())
    pending = list(names)
    for _ in range(MOST_DEATHS):
        leases = [
            Lease(index, "fuzz.generate.coverage_gaps:sound", [(name, excluded[name])], confirm=False)
            for index, name in enumerate(pending)
        ]
        dead: list[str] = []
        for reply in sandbox.run(leases):
            result, name = reply.results[0], pending[reply.index]
            if isinstance(result, Sounding):
                found[name] = result
            elif isinstance(result, Death):
                excluded[name] |= {result.step}
                dead.append(name)
            else:
                raise RuntimeError(f"{name} cannot be sampled: {result.trace}")
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
