"""What the script `judge` needs to know: functions that changed, and which cases of the corpus to keep."""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")
FILE = re.compile(r"^\+\+\+ b/(.*\.py)$")
MOST_CASES = 1000  # those that were found last


def changed_lines(base: str) -> dict[Path, set[int]]:
    """The lines of Python files that are new or changed since a commit."""
    command = ["git", "diff", "--unified=0", "--no-color", "--no-ext-diff", base, "--", "*.py"]
    lines: dict[Path, set[int]] = {}
    path = None
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        if found := FILE.match(line):
            path = Path(found[1])
        elif line.startswith("+++ "):
            path = None
        elif path is not None and (found := HUNK.match(line)):
            begin, count = int(found[1]), int(found[2] or 1)
            lines.setdefault(path, set()).update(range(begin, begin + max(count, 1)))
    return lines


def functions_at(path: Path, lines: set[int]) -> Iterator[str]:
    """The names of functions that have one of these lines."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if not lines.isdisjoint(range(first, (node.end_lineno or node.lineno) + 1)):
                yield node.name


def changed_names(base: str) -> list[str]:
    """The names of NumPy's whose last part is that of a function that changed."""
    from fuzz.generate.calls import generated_names  # a second, which the other uses of this script do not need

    functions: set[str] = set()
    for path, lines in changed_lines(base).items():
        try:
            functions.update(functions_at(path, lines))
        except (OSError, SyntaxError, UnicodeDecodeError):
            continue
    return [name for name in generated_names() if name.rpartition(".")[2] in functions]


def prune(corpus: Path) -> None:
    """Remove the oldest cases past those that the corpus keeps."""
    cases = sorted(corpus.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in cases[MOST_CASES:]:
        path.unlink()


def main() -> None:
    """Print what is asked for, one item a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", help="print the names that changed since this commit")
    parser.add_argument("--seconds", help="print a length of time in whole seconds")
    parser.add_argument("--corpus", type=Path, help="prune this directory of cases")
    options = parser.parse_args()
    if options.base:
        for name in changed_names(options.base):
            print(name)
    if options.seconds:
        from fuzz.cli.options import Duration

        print(max(2, round(Duration().convert(options.seconds, None, None))))
    if options.corpus:
        prune(options.corpus)


if __name__ == "__main__":
    main()
