"""Measure tfnp beside raw TensorFlow, stock tensorflow.experimental.numpy, NumPy and, where it is installed, JAX.

    tox -e bench -- [GROUP ...] [--budget SECONDS] [--threads 1|all] [--out DIR]
    tox -e bench -- npbench --checkout DIR

Each row is printed as it is measured; DIR gets bench.json, with all figures. NPBench's programs
have options of their own: tests/benchmarks/npbench.py.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.benchmarks.machine import describe_machine, use_one_core

NAMES = ("overhead", "scale", "compiled", "random", "headlines", "writes", "processes")


def main(arguments: list[str] | None = None) -> None:
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["npbench"]:
        if "all" not in arguments:
            use_one_core()
        from tests.benchmarks import npbench

        npbench.main(arguments[1:])
        return
    options = parse(arguments)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if options.threads == "1":
        use_one_core()
    options.out.mkdir(parents=True, exist_ok=True)
    measure_groups(options.groups or NAMES, options)
    print(f"written: {options.out / 'bench.json'}")


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tox -e bench --", description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(NAMES)}; default: all")
    parser.add_argument("--row", action="append", default=[], metavar="NAME", help="only rows whose names begin so")
    parser.add_argument("--budget", type=float, default=0.7, metavar="SECONDS", help="for each row; default: 0.7")
    parser.add_argument(
        "--threads", choices=("1", "all"), default="1", help="default: 1, and CPU time; all: wall clock"
    )
    parser.add_argument("--elements", type=int, default=10**6, metavar="N", help="of large arrays; default: a million")
    parser.add_argument("--out", type=Path, default=Path("build/bench"), metavar="DIR", help="default: build/bench")
    options = parser.parse_args(arguments)
    unknown = set(options.groups) - set(NAMES)
    if unknown:
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    return options


def measure_groups(names: list[str] | tuple[str, ...], options: argparse.Namespace) -> None:
    """Measure these groups. Print the figures as they come, and write them after each group."""
    import tfnp
    from tests.benchmarks.groups import GROUPS
    from tests.benchmarks.measurement import Settings, data_of, measure

    by_wall, begun = options.threads != "1", time.monotonic()
    data: dict[str, Any] = {
        "machine": describe_machine(options.threads),
        "elements": options.elements,
        "clock": "wall" if by_wall else "cpu",
        "groups": {},
    }
    for name in names:
        group = GROUPS[name]
        settings = Settings(options.budget, by_wall, group.in_thread, group.in_processes)
        results: list[dict[str, Any]] = []
        data["groups"][name] = {"title": group.title, "text": group.text, "rows": results}
        for row in group.rows(options.elements):
            if options.row and not row.name.startswith(tuple(options.row)):
                continue
            with tfnp.numpy_behavior() if group.numpy_behavior else contextlib.nullcontext():
                results.append(data_of(measure(row, settings)))
            print(f"{name:<10}{format_line(results[-1], data['clock'])}", flush=True)
        data["seconds"] = round(time.monotonic() - begun)
        (options.out / "bench.json").write_text(json.dumps(data, indent=1) + "\n")


def format_line(row: Mapping[str, Any], clock: str) -> str:
    """Return a row for the terminal: the time of ours, by the clock that decides, and the ratios to the others."""
    ours, *others = row[clock]
    ratios = "".join(f"  {name} {format_ratio(row['ratios'][name])}" for name in others)
    left_out = "".join(f"  {name} {reason}" for name, reason in row.get("left_out", {}).items())
    return f"{row['name']:<32}{ours} {format_time(row[clock][ours]):<9}{ratios}{left_out}"


def format_time(seconds: float) -> str:
    """Return a time with its unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:#.3g} {unit}".replace(". ", " ")
    return f"{seconds * 1e9:.0f} ns"


def format_ratio(ratio: float) -> str:
    """Return a ratio with two digits."""
    return f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.2g}" if ratio < 0.995 else f"{ratio:.1f}"


if __name__ == "__main__":
    main()
