"""The summary of a campaign over programs, in the form that reports are made from."""

from __future__ import annotations

import shlex
from typing import Any

from fuzz.engine.summary import find_versions, group_rows
from fuzz.tensorflow_subject.campaign import ProgramCampaign
from fuzz.tensorflow_subject.vocabulary import read_table
from oracle import DECLARED, find_excessive_reasons

SUBJECT = "tensorflow"


def run_data(campaign: ProgramCampaign) -> dict[str, Any]:
    """Return the options of the run, as run.json has them."""
    options = campaign.options
    return {
        "format": 1,
        "subject": SUBJECT,
        "setup": "",
        "names": list(options.names),
        "modes": list(options.ways),
        "devices": ["CPU:0"],
        "seed": campaign.seed,
        "shard": "{}/{}".format(*options.shard),
        "programs": 1,
        "keywords": 0,
        "signatures": False,
        "seconds": options.seconds,
        "cases": options.cases,
        "jobs": options.jobs,
        "executor": "local",
        "versions": find_versions(SUBJECT),
        "command": format_command(campaign),
    }


def format_command(campaign: ProgramCampaign) -> str:
    """Return the command that repeats the run."""
    options = campaign.options
    words = ["python", "-m", "fuzz", "run", *options.names, "--subject", SUBJECT, "--modes", ",".join(options.ways)]
    words += ["--seed", str(campaign.seed)]
    words += ["--shard", "{}/{}".format(*options.shard)] if options.shard != (1, 1) else []
    cases = options.cases or campaign.totals.tried * options.shard[1]
    words += ["--cases", str(cases)] if cases else []
    return shlex.join(words)


def summarise_programs(campaign: ProgramCampaign) -> dict[str, Any]:
    """Return the summary, as summary.json has it."""
    totals, ways = campaign.totals, campaign.options.ways
    rows = campaign.ledger.rows()
    exercised = sorted(op for op, cases in totals.cases.items() if cases)
    differing = {op for row in rows for op in row["root"].partition(" (")[0].split(" > ")}
    answers = totals.ran.total()
    return {
        **{key: value for key, value in run_data(campaign).items() if key not in ("command", "format", "cases")},
        "schedule": {"modes": dict.fromkeys(ways, 1), "programs": 1, "keywords": 0},
        "left_out": [],
        "seconds": round(campaign.elapsed, 3),
        "interrupted": campaign.is_interrupted,
        "cases": totals.judged,
        "cases_per_core_second": {
            way: round(totals.ran[way] / seconds, 1)
            for way, seconds in totals.seconds.items()
            if seconds and way in ways
        },
        "core_seconds": {way: round(seconds, 3) for way, seconds in totals.seconds.items()},
        "names": {
            "total": len({row.op for row in read_table()}),
            "present": len({row.op for row in read_table()}),
            "exercised": len(exercised),
            "agreeing": len(set(exercised) - differing),
        },
        "topics": [],
        "by_name": {
            op: {
                "cases": cases,
                "valid": 1.0,
                "runs": dict(totals.runs_of[op]),
                "asked": dict(totals.runs_of[op]),
                "answers": dict(totals.runs_of[op]),
                "parameters": {},
            }
            for op, cases in sorted(totals.cases.items())
            if cases
        },
        "answers": answers,
        "allowed": {
            reason: {
                "reason": "DECLARED",
                "why": DECLARED[reason].why,
                "count": count,
                "share": round(count / max(answers, 1), 6),
                "names": {op: {"any": number} for op, number in sorted(totals.declared_of[reason].items())},
            }
            for reason, count in totals.declared.most_common()
        },
        "undecided": {},
        "unsupported": {},
        "stale": [] if campaign.options.names else find_excessive_reasons(totals.declared, answers),
        "lost": dict(totals.lost),
        "failures": dict(totals.failures),
        "harness_faults": [],  # programs of ops are judged without allowances
        "missing_parameters": {},
        "tasks": {name: [totals.asked[name], round(totals.spent[name], 1)] for name in sorted(totals.spent)},
        "sightings": dict(campaign.sightings()),
        **group_rows(rows, "tensorflow"),
    }
