"""The command `upstream`: bugs of other libraries, the pages about them, and whether they still occur."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click

from fuzz.cli.options import Unclear
from fuzz.upstream.bugs import Bug, UnfitScript, read_bugs
from fuzz.upstream.observation import GONE, THERE, UNCLEAR, Observation, observe, read_observations, write_observations
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
    try:
        everything = read_bugs(folder / "scripts")
        chosen = read_bugs(folder / "scripts", patterns or ("*",))
    except UnfitScript as error:
        raise Unclear(str(error)) from None
    if not chosen:
        raise Unclear(f"no bug in {folder / 'scripts'} has an id like {' or '.join(patterns or ('*',))}")
    claimed, problems = read_observations(folder / "observed"), list[str]()
    seen: dict[str, Observation] = {}
    for bug in filter(_is_installed, chosen):
        now = seen[bug.id] = observe(bug)
        then = claimed[bug.id].status if bug.id in claimed else "on no page"
        click.echo(f"{now.status:8} {bug.id}{f' (was {then})' if then != now.status else ''}")
        problems += find_problems(bug, now, then if check else now.status, folder.parent.parent)
    if not check:
        claimed |= {key: one for key, one in seen.items() if one.status != UNCLEAR}
        write_observations(folder / "observed", claimed, {bug.id: bug for bug in everything})
        write_pages(folder, render_pages(everything, claimed))
    counts = Counter(one.status for one in seen.values())
    absent = sorted({bug.library for bug in chosen if not _is_installed(bug)})
    text = f"{len(chosen)} bugs: {counts[THERE]} present, {counts[GONE]} gone, {counts[UNCLEAR]} unclear"
    left_out = f"; {len(chosen) - len(seen)} not run: {', '.join(absent)} not installed" if absent else ""
    click.echo("\n".join([*problems, text + left_out]))
    return 1 if problems else 0


def _is_installed(bug: Bug) -> bool:
    return find_spec(bug.library) is not None


def find_problems(bug: Bug, now: Observation, then: str, root: Path) -> Iterator[str]:
    """Yield a line if the script has no clear result, if the page says another status, and for each workaround that is
    no longer needed.
    """
    if now.status == UNCLEAR:
        yield f"unclear: {bug.id}: {now.actual}"
    elif then != now.status:
        yield f"wrong page: {bug.id} is {now.status} in {now.versions}, and {bug.page}.md says it is {then}"
    if now.status == GONE:
        for location in find_workarounds(bug, root):
            yield f"unneeded workaround: {location}: {bug.id} is gone in {now.versions}"


def find_workarounds(bug: Bug, root: Path) -> Iterator[str]:
    """Yield "file:line" for each comment that names the bug in files that work around it; a file without one by its
    name.
    """
    for name in bug.workarounds:
        path = root / name
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        found = [number for number, line in enumerate(lines, 1) if bug.id in find_named_bugs(line)]
        yield from (f"{name}:{number}" for number in found)
        if not found:
            yield name


def find_named_bugs(line: str) -> list[str]:
    """Return the ids in a comment such as `# Upstream bugs: ID, ID`; empty if the line has no such comment."""
    found = _MARK.search(line)
    return found[1].split(", ") if found else []
