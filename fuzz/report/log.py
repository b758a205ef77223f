"""Log of a campaign: its events as records of the logger "fuzz", for files and for what collects logs in a cluster."""

from __future__ import annotations

import logging
import sys
import time
from typing import Any

from fuzz.report.console import mask_commands
from fuzz.triage.events import Died, Failed, Found, Joined, Preparing, Reproduced, Started, Stopped, Troubled
from fuzz.triage.ledger import Finding
from oracle.harness import make_printable

LOGGER = logging.getLogger("fuzz")
LOGGER.addHandler(logging.NullHandler())  # without a handler Python prints warnings, which the terminal shows anyway
LEVELS = ("debug", "info", "warning", "error")


def log_event(event: Any) -> None:
    """Log an event: errors of the harness; as warnings workers that died, and what else went wrong; findings, the
    beginning and the end as information.
    """
    match event:
        case Failed():
            LOGGER.error("the harness failed: %s", event.trace.strip())
        case Died():
            LOGGER.warning("a worker ended: %s in %s: %s", event.death.kind, event.death.step, event.death.detail)
        case Troubled():
            LOGGER.warning("%s", event.what)
        case Preparing():
            LOGGER.info("%s", event.what)
        case Started():
            LOGGER.info("began: %d names of %s, seed %s", len(event.names), event.run["subject"], event.run["seed"])
        case Found():
            LOGGER.info("found %s", _describe(event.finding))
        case Joined():
            LOGGER.debug("found again %s", _describe(event.finding))
        case Reproduced():
            answer = "shows it" if event.finding.reproduced else "does not show it"
            LOGGER.info("the script of %s %s", event.finding.id, answer)
        case Stopped():
            LOGGER.info(
                "ended after %d cases with %d findings", event.summary.counts.total, len(event.summary.findings)
            )


def _describe(finding: Finding) -> str:
    return f"{finding.id}: {finding.kind} of {finding.name} in {', '.join(finding.modes)}: {finding.minimal}"


class _Formatter(logging.Formatter):
    """Formats records so that no line of a text, such as a traceback, is a record, or a command in a workflow."""

    def format(self, record: logging.LogRecord) -> str:
        return mask_commands(make_printable(super().format(record)).replace("\n", "\n    "))


def print_log(level: str) -> None:
    """Print records from this level on to stderr, with times in UTC."""
    handler = logging.StreamHandler(sys.stderr)
    formatter = _Formatter("%(asctime)sZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    LOGGER.addHandler(handler)
    LOGGER.setLevel(level.upper())
