"""The command line of the verdict corpus: `python -m oracle.corpus`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from oracle.corpus.changes import report
from oracle.corpus.comparison import Part, accept, check, describe_circumstances

FOLDER = Path("tests/oracle/corpus")
SAME, CHANGED, MISTAKEN = 0, 1, 2


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m oracle.corpus",
        description="Judge recorded outcomes again, with NumPy alone, and say which verdicts changed.",
        epilog="Exit status: 0 if no verdict changed, 1 if one did, 2 for a usage error.",
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true", help="compare with the recorded verdicts (the default)")
    action.add_argument("--accept", action="store_true", help="record the verdicts, whatever changed")
    parser.add_argument("sources", nargs="*", metavar="SOURCE", help="files of the corpus; all by default")
    parser.add_argument("--part", type=Part.parse, default=Part(), metavar="K/N", help="one part of N, such as 1/10")
    parser.add_argument("--jobs", type=int, default=os.process_cpu_count() if hasattr(os, "process_cpu_count") else 0)
    parser.add_argument("--corpus", type=Path, default=FOLDER, metavar="DIR", help=f"default: {FOLDER}")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    options = make_parser().parse_args(arguments)
    jobs = options.jobs if options.jobs > 0 else len(os.sched_getaffinity(0))
    try:
        result = check(options.corpus, options.sources, options.part, jobs)
    except FileNotFoundError as error:
        sys.stderr.write(f"oracle.corpus: {error}\n")
        return MISTAKEN
    for line in (*describe_circumstances(options.corpus), *report(result.changes), result.describe()):
        sys.stdout.write(f"{line}\n")
    if options.accept:
        accept(options.corpus, result)
        return SAME
    return CHANGED if result.changes else SAME


if __name__ == "__main__":
    sys.exit(main())
