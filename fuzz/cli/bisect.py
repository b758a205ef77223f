"""The command `bisect`: find the release of a package that a finding begins with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from fuzz.cli.case_files import find_script
from fuzz.cli.options import Unclear, environment_options, hint
from fuzz.releases.bisection import RIGHT, UNKNOWN, WRONG, bisect
from fuzz.releases.environments import Unavailable, check_package, list_releases, make_environment
from fuzz.report.console import open_console
from fuzz.repro.runner import Ending, run_afresh
from fuzz.repro.script import shows
from fuzz.triage.untrusted_input import FINDING_ID
from fuzz.upstream.bugs import Bug, find_scripts_folder, read_bugs
from fuzz.upstream.observation import GONE, THERE, judge

SECONDS = 120.0  # for a script


@click.command(
    "bisect",
    short_help="Find the release of a package that a finding begins with.",
    epilog="Exit status: 0 if the releases could be tried, 1 if none could, 2 for a usage error.",
)
@click.argument("word", metavar="ID|SCRIPT")
@click.option("--package", required=True, metavar="PACKAGE", help="The package whose releases are tried.")
@click.option(
    "--good", default="", metavar="VERSION", help="A release that is known to be right. Older ones are left out."
)
@click.option(
    "--bad", default="", metavar="VERSION", help="A release that is known to be wrong. Newer ones are left out."
)
@environment_options
@click.option("--verbose", is_flag=True, help="Show the output of each script, and tracebacks.")
def bisect_command(
    word: str,
    package: str,
    good: str,
    bad: str,
    others: tuple[str, ...],
    interpreter: str,
    environments: Path,
    *,
    verbose: bool,
) -> int:
    """Run the script of a finding in environments with one release of PACKAGE each, made by uv, and say between which
    two releases it changes.

    ID is that of a finding of a run under fuzz-out/, or of a page of known bugs (jax-acosh-branch-cut); SCRIPT is a
    file that exits with 1 while the library is wrong, and with 0 once it is right. Pre-releases, yanked releases and
    those without a wheel are not tried.
    """
    console = open_console()
    path, seconds, read = find_trial(word)
    try:
        releases = list(list_releases(check_package(package), interpreter))[::-1]
    except Unavailable as error:
        raise Unclear(str(error)) from None
    for release in filter(None, (good, bad)):
        if release not in releases:
            raise Unclear(f"{package} has no release {release} here{hint(release, releases)}")
    if good and good == bad:
        raise Unclear(f"--good and --bad are both {good}")

    def look(release: str) -> str:
        try:
            python = make_environment((f"{package}=={release}", *others), interpreter, environments)
            ending = run_afresh(path, seconds, str(python))
            result = read(ending)
        except Unavailable as error:
            result = f"{UNKNOWN}: {error}"
        else:
            console.print(ending.output if verbose else "", end="", markup=False, highlight=False)
        console.print(f"{package} {release}: {result}", markup=False, highlight=False)
        return result

    ends = sorted(releases.index(release) for release in (good, bad) if release)
    chosen = releases[ends[0] if good else 0 : ends[-1] + 1 if bad else None]
    known = {release: result for release, result in ((good, RIGHT), (bad, WRONG)) if release}
    found = bisect(chosen, look, known)
    console.print(f"{package}: {found}", markup=False, highlight=False)
    return 0 if RIGHT in found or WRONG in found else 1


def find_trial(word: str) -> tuple[Path, float, Callable[[Ending], str]]:
    """Return the script of a finding, of a known bug or of one's own, its time limit, and what reads its ending."""
    if FINDING_ID.fullmatch(word):
        path, kind = find_script(word)
        return path, SECONDS, lambda ending: read_ending(ending, kind)
    if word.endswith(".py"):
        if not Path(word).is_file():
            raise Unclear(f"{word}: no such script")
        return Path(word), SECONDS, lambda ending: read_ending(ending, "value")
    home = find_scripts_folder()
    bugs = {bug.id: bug for bug in (read_bugs(home) if home is not None else ())}
    if word not in bugs:
        raise Unclear(f"{word!r} is neither a script, the id of a finding, nor a known bug{hint(word, bugs)}")
    bug = bugs[word]
    return bug.path, bug.seconds, lambda ending: _read_ending_of_bug(ending, bug)


def read_ending(ending: Ending, kind: str) -> str:
    """Return whether a script shows a finding of a kind, or why it does not tell."""
    told = RIGHT if ending.status == 0 else f"{UNKNOWN}: {ending.last_line[:200]}"
    return WRONG if shows(ending, kind) else told


def _read_ending_of_bug(ending: Ending, bug: Bug) -> str:
    seen = judge(bug, ending)
    return {THERE: WRONG, GONE: RIGHT}.get(seen.status, f"{UNKNOWN}: {seen.actual}")
