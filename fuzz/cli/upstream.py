"""The command `upstream`: bugs of other libraries, the pages about them, and whether they still occur."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from fuzz.cli.options import Unclear
from fuzz.upstream.bugs import Bug, UnfitScript, read_bugs
from fuzz.upstream.observation import (
    GONE,
    UNCLEAR,
    Observation,
    is_installed,
    observe,
    read_observations,
    write_observations,
)
from fuzz.upstream.pages import render_pages, write_pages

DEFAULT = Path(__file__).parents[2] / "docs" / "upstream"
_MARK = re.compile(r"# Upstream bugs?: ([a-z0-9-]+(?:, [a-z0-9-]+)*)$")


@click.command(
    "upstream",
    short_help="Check known bugs of other libraries.",
    epilog="Exit status: 0; 1 if a page is out of date, a workaround is no longer needed, or a script "
    "is inconclusive; 2 for a usage error.",
)
@click.argument("patterns", nargs=-1, metavar="[ID|GLOB]...")
@click.option("--check", is_flag=True, help="Write nothing; show which bugs still occur, and where pages disagree.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=DEFAULT,
    help="The folder of the pages, with the scripts in scripts/LIBRARY/NAME.py; docs/upstream unless given.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def upstream_command(patterns: tuple[str, ...], *, check: bool, folder: Path, verbose: bool) -> int:
    """Run the scripts that show bugs of other libraries, and write a page for each bug.

    Each script runs in its own process, with limits of time and memory. Scripts of libraries that are not installed are
    left out. ID and GLOB select bugs; the default is all.
    """
    scripts = folder / "scripts"
    if not scripts.is_dir():
        raise Unclear(f"there are no scripts in {scripts}: name the folder of the pages by --folder")
    try:
        everything = read_bugs(scripts)
        chosen = read_bugs(scripts, patterns)
    except UnfitScript as error:
        raise Unclear(str(error)) from None
    if not chosen:
        raise Unclear(f"no bug has an id like {' or '.join(patterns)}")
    runnable = [bug for bug in chosen if is_installed(bug.library)]
    claimed = read_observations(folder / "observed")
    seen = {bug.id: _observe(bug, claimed.get(bug.id)) for bug in runnable}
    problems = list(find_problems(runnable, claimed, seen, check=check, root=folder.parent.parent))
    if not check:
        observations = claimed | {key: one for key, one in seen.items() if one.status != UNCLEAR}
        write_observations(folder / "observed", observations, {bug.id: bug for bug in everything})
        for name in write_pages(folder, render_pages(everything, observations)):
            click.echo(f"wrote    {folder / name}")
    for problem in problems:
        click.echo(problem)
    click.echo(summarise(chosen, seen))
    return 1 if problems else 0


def _observe(bug: Bug, claimed: Observation | None) -> Observation:
    seen = observe(bug)
    was = "" if claimed is None or claimed.status == seen.status else f" (was {claimed.status})"
    click.echo(f"{seen.status:8} {bug.id}{was}")
    return seen


def find_problems(
    bugs: Sequence[Bug],
    claimed: dict[str, Observation],
    seen: dict[str, Observation],
    *,
    check: bool,
    root: Path,
) -> Iterator[str]:
    """Yield a line for each page that is out of date, script without a clear result, and workaround that is no longer
    needed.
    """
    for bug in bugs:
        now, then = seen[bug.id], claimed.get(bug.id)
        if now.status == UNCLEAR:
            yield f"unclear: {bug.id}: {now.actual}"
            continue
        if check and then is None:
            yield f"no page: {bug.id}: {bug.title}; `python -m fuzz lab upstream {bug.id}` writes it"
        elif check and then is not None and then.status != now.status:
            yield f"wrong page: {bug.id} is {now.status} in {now.versions}, and {bug.page}.md says it is {then.status}"
        if now.status == GONE:
            for location in find_workarounds(bug, root):
                yield f"unneeded workaround: {location}: {bug.id} is gone in {now.versions}"


def find_workarounds(bug: Bug, root: Path) -> list[str]:
    """Return "file:line" for each comment that names the bug in files that work around it; a file without one by its
    name.
    """
    found = []
    for name in bug.workarounds:
        path = root / name
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        lines_found = [f"{name}:{number}" for number, line in enumerate(lines, 1) if bug.id in find_named_bugs(line)]
        found += lines_found or [name]
    return found


def find_named_bugs(line: str) -> list[str]:
    """Return the ids in a comment such as `# Upstream bugs: ID, ID`; empty if the line has no such comment."""
    found = _MARK.search(line)
    return found[1].split(", ") if found else []


def summarise(bugs: Sequence[Bug], seen: dict[str, Observation]) -> str:
    """Return how many bugs still occur, are gone, are unclear, and were not tried, in one line."""
    counts = {status: sum(one.status == status for one in seen.values()) for status in ("there", GONE, UNCLEAR)}
    text = f"{len(bugs)} bugs: {counts['there']} present, {counts[GONE]} gone, {counts[UNCLEAR]} unclear"
    if absent := sorted({bug.library for bug in bugs if bug.id not in seen}):
        left_out = sum(bug.id not in seen for bug in bugs)
        text += f"; {left_out} not run: {', '.join(absent)} not installed"
    return text
