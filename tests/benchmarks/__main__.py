"""Measure tfnp beside raw TensorFlow, stock tensorflow.experimental.numpy, NumPy and, where it is installed, JAX.

    tox -e bench -- [GROUP ...] [--budget SECONDS] [--threads 1|all] [--out DIR]
    tox -e bench -- --history

DIR gets bench.json, and bench.md with the tables. `--history` measures twenty ratios of the commit that is checked out,
and appends them to `history.jsonl`, which the site draws.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.machine import describe_machine, use_one_core

NAMES = ("overhead", "scale", "compiled", "random", "headlines", "writes", "processes")


def main(arguments: list[str] | None = None) -> None:
    options = parse(arguments)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if options.threads == "1":
        use_one_core()
    if options.history:
        from tests.benchmarks import history

        history.run(options.budget)
        return
    from tests.benchmarks.report import write_report

    options.out.mkdir(parents=True, exist_ok=True)
    write_report(measure_groups(options.groups or NAMES, options), options.out)
    print(f"written: {options.out}")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tox -e bench --", description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(NAMES)}; default: all")
    parser.add_argument("--row", action="append", default=[], metavar="NAME", help="only rows whose names begin so")
    parser.add_argument("--budget", type=float, default=0.7, metavar="SECONDS", help="for each row; default: 0.7")
    parser.add_argument(
        "--threads", choices=("1", "all"), default="1", help="default: 1, and CPU time; all: wall clock"
    )
    parser.add_argument("--elements", type=int, default=10**6, metavar="N", help="of large arrays; default: a million")
    parser.add_argument("--out", type=Path, default=Path("build/bench"), metavar="DIR", help="default: build/bench")
    parser.add_argument("--history", action="store_true", help="measure twenty ratios, and append them to the history")
    options = parser.parse_args(arguments)
    unknown = set(options.groups) - set(NAMES)
    if unknown:
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    return options


def measure_groups(names: list[str] | tuple[str, ...], options: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of these groups as plain data. Print them as they come, and write them after each group."""
    import tfnp
    from tests.benchmarks.groups import GROUPS
    from tests.benchmarks.measurement import Settings, data_of, measure
    from tests.benchmarks.report import format_line

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
    return data


if __name__ == "__main__":
    main()
