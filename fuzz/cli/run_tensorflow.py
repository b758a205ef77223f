"""The command `run --subject tensorflow`: a campaign over programs of TensorFlow's own ops."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from rich.console import Console

from fuzz.cli.interrupts import Interrupts
from fuzz.cli.options import Unclear, count_cores
from fuzz.engine.summary import find_versions
from fuzz.report import Record, annotate, show, write_reports
from fuzz.tensorflow_subject.campaign import NoSuchOp, ProgramCampaign, ProgramOptions
from fuzz.tensorflow_subject.ledger import ProgramFinding, write_issue
from fuzz.tensorflow_subject.summary import SUBJECT, format_command, run_data, summarise_programs
from fuzz.triage.baseline import Baseline
from fuzz.triage.output import RUN, Archive
from oracle import WAYS

DEFAULT_SECONDS = 60.0
NOT_FOR_PROGRAMS = ("setup", "devices", "schedule", "values_only")


def is_program_subject(settings: dict[str, Any]) -> bool:
    """Return whether the settings name TensorFlow itself as the subject."""
    return settings["subject"] == SUBJECT


def make_program_options(names: tuple[str, ...], settings: dict[str, Any], known: frozenset[str]) -> ProgramOptions:
    """Return the options of the campaign. Raises Unclear for options that do not apply to programs."""
    given = [name for name in NOT_FOR_PROGRAMS if settings[name]]
    if given or settings["executor"] != "local":
        option = (given or ["executor"])[0].replace("_", "-")
        raise Unclear(f"--subject {SUBJECT} does not take --{option}")
    strange = [mode for mode in settings["modes"] or () if mode not in WAYS]
    if strange:
        raise Unclear(f"--subject {SUBJECT} runs in {', '.join(WAYS)}, not in {strange[0]}")
    seconds, cases = settings["seconds"], settings["cases"]
    return ProgramOptions(
        names=names,
        seconds=DEFAULT_SECONDS if seconds is None and cases is None else seconds,
        cases=cases,
        jobs=settings["jobs"] or count_cores(),
        seed=settings["seed"],
        ways=tuple(dict.fromkeys((WAYS[0], *(settings["modes"] or WAYS)))),
        shard=settings["shard"],
        known=known,
    )


def run_programs(
    names: tuple[str, ...], out: Path | None, settings: dict[str, Any], accepted: Baseline, console: Console
) -> tuple[Record, Archive]:
    """Run the campaign, write its directory, print the summary, and return the record and the directory."""
    try:
        campaign = ProgramCampaign(make_program_options(names, settings, frozenset(accepted.known)))
    except NoSuchOp as error:
        raise Unclear(str(error)) from None

    def notice(what: str) -> None:
        console.print(what, markup=False, highlight=False, soft_wrap=True)

    archive = Archive.make(out, notice)

    def keep(finding: ProgramFinding, source: str) -> None:
        archive.keep(cast(Any, finding), source)  # programs are stored like calls
        if finding.reproduced:
            archive.write(f"issues/{finding.id}.md", write_issue(finding, source, find_versions(SUBJECT)))

    with archive, Interrupts(cast(Any, campaign)):
        archive.write(RUN, json.dumps(run_data(campaign), indent=1) + "\n")
        with console.status("starting") as status:
            campaign.watch(keep, status.update)
            campaign.run()
        summary = summarise_programs(campaign)
        archive.conclude(summary)
        record = Record.load(archive.root) if archive.is_complete else Record(summary, archive.scripts)
        record = replace(record, command=format_command(campaign))
        write_reports(record, archive.root)
    show(record, archive.root, console)
    annotate(record)
    console.print(f"Repeat: {format_command(campaign)}", markup=False, highlight=False, soft_wrap=True)
    return record, archive
