"""Twenty ratios that are kept over time: a line of JSON for each commit that was measured, in `history.jsonl`.

    tox -e bench -- --history

A ratio is a contender's time divided by another's in the same rounds, so that lines of one kind of machine can be
compared. The site draws each ratio over the commits.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import tfnp
from tests.benchmarks.machine import describe_machine
from tests.benchmarks.measurement import Result, Settings, measure
from tests.benchmarks.report import format_ratio

ELEMENTS = 10**6
FILE = Path(__file__).with_name("history.jsonl")


@dataclass(frozen=True)
class Headline:
    """A ratio of a group's first row of that name: the time of `ours` to that of `other`."""

    group: str
    row: str
    ours: str
    other: str
    what: str

    @property
    def label(self) -> str:
        return f"{self.what}: {self.ours} / {self.other}"


HEADLINES = (
    Headline("overhead", "add", "tfnp", "raw", "add, 8 elements, eager"),
    Headline("overhead", "x[1:3, None, ...]", "tfnp", "raw", "x[1:3, None, ...], 12 elements, eager"),
    Headline("overhead", "std", "tfnp", "jax", "std, 8 elements, eager"),
    Headline("scale", "add", "tfnp", "raw", "add, 10**6 elements, eager"),
    Headline("scale", "sum", "tfnp", "numpy", "sum, 10**6 elements, eager"),
    Headline("scale", "sort", "tfnp", "numpy", "sort, 10**6 elements, eager"),
    Headline("scale", "unique int64", "tfnp", "numpy", "unique, 10**6 integers, eager"),
    Headline("compiled", "sigmoid", "tfnp.jit", "jax.jit", "sigmoid, 10**6 elements, compiled"),
    Headline("compiled", "chain of 16", "tfnp.jit", "jax.jit", "16 operations in a chain, 10**6 elements, compiled"),
    Headline("compiled", "sum", "tfnp.jit", "jax.jit", "sum, 10**6 elements, compiled"),
    Headline("compiled", "sort", "tfnp.jit", "numpy", "sort, 10**6 elements, compiled"),
    Headline("headlines", "width 128, batch 512", "tfnp, eager", "raw, eager", "a step of training"),
    Headline("random", "standard_normal", "tfnp", "numpy", "10**6 normal numbers, eager"),
    Headline("random", "integers", "tfnp", "numpy", "10**6 random integers, eager"),
    Headline("writes", "x[1:3] = 1.0, 8 elements", "tfnp.numpy", "numpy", "x[1:3] = 1.0, 8 elements"),
    Headline("writes", "x[mask] = 0.0", "tfnp.numpy", "numpy", "x[mask] = 0.0, 10**6 elements"),
    Headline("writes", "x += y", "tfnp.numpy", "numpy", "x += y, 10**6 elements"),
    Headline("processes", "import tfnp", "tfnp", "import tensorflow", "import"),
    Headline("processes", "fuzz replay, one case", "fuzz replay", "import tensorflow", "one case"),
    Headline("processes", "fuzz run, 5000 cases", "fuzz run", "import tensorflow", "a campaign of 5,000 cases"),
)


def measure_headlines(seconds: float) -> Iterator[tuple[Headline, Result]]:
    """Yield each headline with the figures of its row, of which only the two contenders are measured."""
    from tests.benchmarks.groups import GROUPS

    for name, members in groupby(HEADLINES, lambda one: one.group):
        group, left = GROUPS[name], list(members)
        settings = Settings(seconds, in_thread=group.in_thread, in_processes=group.in_processes)
        for row in group.rows(ELEMENTS):
            headline = next((one for one in left if one.row == row.name), None)
            if headline is not None:
                left.remove(headline)
                both = {contender: row.contenders[contender] for contender in (headline.ours, headline.other)}
                with tfnp.numpy_behavior() if group.numpy_behavior else contextlib.nullcontext():
                    yield headline, measure(replace(row, contenders=both), settings)
            if not left:
                break


def run(seconds: float) -> None:
    """Measure all headlines of the commit of tfnp's sources, print them, and append their line."""
    commit = describe_commit(Path(tfnp.__file__).parents[1])
    ratios = {}
    for headline, result in measure_headlines(seconds):
        ratio, (low, high) = result.ratios[headline.other], result.spreads[headline.other]
        ratios[headline.label] = [float(f"{number:.4g}") for number in (ratio, low, high)]
        print(f"{headline.label:<78}{format_ratio(ratio):>6}  ({low:.3g} to {high:.3g})", flush=True)
    append_line({**commit, "machine": describe_machine("1"), "ratios": ratios})
    print(f"appended to {FILE}")


def describe_commit(folder: Path) -> dict[str, str]:
    """Return the commit of the sources in a folder and its date. Raises SystemExit if they are not as committed."""

    def ask(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()

    changed = ask("status", "--porcelain", "--untracked-files=no", "--", ".", f":!{FILE.name}", f":!**/{FILE.name}")
    if changed:
        raise SystemExit(f"figures are kept of what is committed; changed are:\n{changed}")
    return {"commit": ask("rev-parse", "HEAD"), "date": ask("show", "-s", "--format=%cI", "HEAD")}


def append_line(line: Mapping[str, Any], path: Path = FILE) -> None:
    """Append a line; an earlier one of the same commit and processor goes."""

    def identify(one: Mapping[str, Any]) -> tuple[str, str]:
        return one["commit"], one["machine"]["processor"]

    earlier = [json.loads(text) for text in path.read_text().splitlines()] if path.exists() else []
    lines = [*(one for one in earlier if identify(one) != identify(line)), line]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
