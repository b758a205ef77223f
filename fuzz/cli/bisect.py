"""The command `bisect`: find the release of a package that a finding begins with."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from fuzz.cli.case_files import find_script
from fuzz.cli.options import Unclear, environment_options, hint
from fuzz.releases.bisection import RIGHT, UNKNOWN, WRONG, bisect
from fuzz.releases.environments import Unavailable, check_package, list_releases, make_environment
from fuzz.report.console import open_console
from fuzz.repro.runner import run_afresh
from fuzz.repro.script import shows
from fuzz.triage.untrusted_input import FINDING_ID
from fuzz.upstream.bugs import Bug, find_scripts_folder, read_bugs
from fuzz.upstream.observation import GONE, THERE, judge

SECONDS = 120.0  # for a script
LANGUAGE = {THERE: WRONG, GONE: RIGHT}


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
    try:
        trial = Trial(word, check_package(package), others, interpreter, environments, console if verbose else None)
        releases = list(list_releases(package, interpreter))[::-1]
    except Unavailable as error:
        raise Unclear(str(error)) from None
    for release in filter(None, (good, bad)):
        if release not in releases:
            raise Unclear(f"{package} has no release {release} here{hint(release, releases)}")
    if good and bad and good == bad:
        raise Unclear(f"--good and --bad are both {good}")
    ends = sorted(releases.index(release) for release in (good, bad) if release)
    low = ends[0] if good else 0
    high = ends[-1] if bad else len(releases) - 1

    def look(release: str) -> str:
        result = trial.look(release)
        console.print(f"{package} {release}: {result}", markup=False, highlight=False)
        return result

    found = bisect(releases[low : high + 1], look, good, bad)
    console.print(f"{package}: {found.describe()}", markup=False, highlight=False)
    return 0 if {RIGHT, WRONG} & {*found.seen.values()} else 1


class Trial:
    """The script of a finding, run in environments."""

    def __init__(
        self,
        word: str,
        package: str,
        others: tuple[str, ...],
        interpreter: str,
        folder: Path,
        console: Console | None,
    ) -> None:
        self.package, self.others, self.interpreter, self.folder = package, others, interpreter, folder
        self.console = console
        self.bug: Bug | None = None
        self.kind = "value"
        if FINDING_ID.fullmatch(word):
            self.path, self.kind = find_script(word)
            return
        self.path = Path(word)
        if self.path.suffix == ".py":
            if not self.path.is_file():
                raise Unclear(f"{word}: no such script")
            return
        home = find_scripts_folder()
        bugs = {bug.id: bug for bug in (read_bugs(home) if home is not None else ())}
        if word not in bugs:
            raise Unclear(f"{word!r} is neither a script, the id of a finding, nor a known bug{hint(word, bugs)}")
        self.bug = bugs[word]
        self.path = self.bug.path

    def look(self, release: str) -> str:
        """Return whether the script is right or wrong in an environment with this release, or why it does not tell."""
        name, bracket, extras = self.package.partition("[")
        requirements = (f"{name}{bracket}{extras}=={release}", *self.others)
        try:
            python = make_environment(requirements, self.interpreter, self.folder)
        except Unavailable as error:
            return f"{UNKNOWN}: {error}"
        seconds = self.bug.seconds if self.bug is not None else SECONDS
        ending = run_afresh(self.path, seconds, str(python))
        if self.console is not None:
            self.console.print(ending.output, markup=False, highlight=False)
        if self.bug is not None:
            observation = judge(self.bug, ending)
            return LANGUAGE.get(observation.status, f"{UNKNOWN}: {observation.actual}")
        if shows(ending, self.kind):
            return WRONG
        if ending.status == 0:
            return RIGHT
        return f"{UNKNOWN}: {ending.last_line[:200]}"
