"""The options of a campaign: as a value, as JSON, and as the command that repeats it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import Any

from fuzz.differences import label_mode
from fuzz.engine.case_judge import MODES, describe_failure
from fuzz.engine.domain import Unusable
from fuzz.engine.domains import check_modes, find_domain
from fuzz.engine.item_results import Survey
from fuzz.engine.provenance import Provenance, find_provenance
from fuzz.engine.scheduler import COST, EVERY, HOSTILE, INVALID, MIXED, SIBLINGS
from fuzz.engine.tasks import OWN
from fuzz.triage.commands import join_words
from fuzz.triage.ledger import Mark
from oracle import Mode
from oracle.harness import MODES as ALL_MODES
from oracle.harness import Death, Failure, Limits

EVERY_SECOND, SOMETIMES = 2, 8  # one item in so many is a program, or gives all by keyword

LONG_MODES = tuple(name for name, row in ALL_MODES.items() if row.late or name in MODES)
LONG_SECONDS, LONG_CASES = 120.0, 50_000  # seconds beyond which a run includes all modes
FEW_NAMES = 20  # a run of so few names includes all modes, however short
SMALLEST_SCALE, LARGEST_SCALE = 0.01, 100.0
LARGEST_SEED, MOST_CASES, MOST_SHARDS = 2**64 - 1, 2**63 - 1, 10**6


KINDS_OF_VALUES = frozenset(
    {
        "value",
        "shape",
        "dtype",
        "gradient",
        "crash",
        "hang",
        "memory",
        "nondeterminism",
        "differs from eager",
        "inputs changed",
    }
)
"""The kinds of findings that are left with `values_only`: wrong answers, no answer, and changed inputs."""


KINDS_OF_ERRORS = frozenset({"missing error", "different error", "spurious error", "crash", "hang", "memory"})
KINDS_OF_HOSTILE = frozenset({"crash", "hang", "memory", "inputs changed"})
"""The kinds of findings about invalid calls alone, and about hostile ones."""


@dataclass(frozen=True)
class Options:
    """The options of a campaign. `names` may be glob patterns; without any, every name that has cases.

    `unasked` lists the options that nobody set, so that a subject's adapter may. With `values_only` only
    KINDS_OF_VALUES are findings. `siblings` is the number of cases in an item, which share compiled functions.
    `own_modes` are all modes of a subject that is no library of tensors. `fail_on` is a key of FAIL_ON,
    `turns` of TURNS, `calls` one of CALLS. `patience` is how many seconds a cluster may be without workers.
    `time_scale` is a factor of the times that `limits` has, of a lease, and between two checkpoints.
    """

    names: tuple[str, ...] = ()
    seconds: float | None = None
    cases: int | None = None
    jobs: int = 1
    seed: int | None = None
    modes: tuple[str, ...] = MODES
    devices: tuple[str, ...] = ("CPU:0",)
    subject: str = "tfnp"
    setup: str = ""
    interpreter: str = ""
    shard: tuple[int, int] = (1, 1)
    executor: str = "local"
    patience: float = 600.0
    programs: int = 0
    keywords: int = 0
    signatures: bool = True
    engine: str = "seeds"
    values_only: bool = False
    unasked: frozenset[str] = frozenset()
    siblings: int = SIBLINGS
    own_modes: tuple[str, ...] = ()
    known: frozenset[Mark] = frozenset()
    fail_on: str = "any"
    turns: str = COST
    calls: str = MIXED
    time_scale: float = 1.0
    limits: Limits = field(default_factory=Limits)
    provenance: Provenance = field(default_factory=Provenance)

    @property
    def call_limits(self) -> Limits:
        """The limits of calls, on the time scale of the run."""
        seconds, patience = self.limits.seconds * self.time_scale, self.limits.patience * self.time_scale
        return replace(self.limits, seconds=seconds, patience=patience)

    @property
    def reports_signatures(self) -> bool:
        """Whether a parameter that a signature lacks is a finding."""
        return self.signatures and not self.values_only and self.calls == MIXED

    @property
    def exact_errors(self) -> bool:
        """Whether errors must be of NumPy's own classes."""
        return self.calls == INVALID

    def reports(self, kind: str) -> bool:
        """Return whether a difference of this kind is a finding."""
        kinds = {MIXED: KINDS_OF_VALUES if self.values_only else None, INVALID: KINDS_OF_ERRORS}
        kinds[HOSTILE] = KINDS_OF_HOSTILE
        allowed = kinds[self.calls]
        return allowed is None or kind in allowed

    @property
    def left_out(self) -> list[str]:
        """The ways of calling that longer runs include by default, and this one does not."""
        calls = {"programs": self.programs, "calls by keyword": self.keywords}
        modes = [mode for mode in self.own_modes or LONG_MODES if mode not in self.modes]
        return [*modes, *(name for name in find_domain(self.subject).left_out if not calls[name])]

    def data(self, seed: int) -> dict[str, Any]:
        """Return the options as run.json has them."""
        return {
            "format": FORMAT,
            "subject": self.subject,
            "setup": self.setup,
            "interpreter": self.interpreter,
            "names": list(self.names),
            "modes": list(self.modes),
            "devices": list(self.devices),
            "seed": seed,
            "shard": "{}/{}".format(*self.shard),
            "programs": self.programs,
            "keywords": self.keywords,
            "signatures": self.signatures,
            "engine": self.engine,
            "values_only": self.values_only,
            "siblings": self.siblings,
            "own_modes": list(self.own_modes),
            "fail_on": self.fail_on,
            "turns": self.turns,
            "calls": self.calls,
            "time_scale": self.time_scale,
            "seconds": self.seconds,
            "cases": self.cases,
            "jobs": self.jobs,
            "executor": self.executor,
            **self.provenance.data(),
            "command": format_command(self, seed),
        }


FORMAT = 4  # format of run.json and state.json


def format_command(options: Options, seed: int, drawn: int = 0) -> str:
    """Return the command that repeats a run. `drawn` is how many cases a run had that time has ended."""
    words = ["python", "-m", "fuzz", "run", *options.names, "--subject", options.subject]
    words += ["--setup", options.setup] if options.setup else []
    words += ["--python", options.interpreter] if options.interpreter else []
    words += ["--modes", ",".join(options.modes)] if options.turns == EVERY else []
    words += ["--devices", ",".join(options.devices)] if options.devices else []
    words += ["--seed", str(seed)]
    words += ["--shard", "{}/{}".format(*options.shard)] if options.shard != (1, 1) else []
    words += [] if options.signatures else ["--signatures", "off"]
    words += ["--values-only"] if options.values_only else []
    words += ["--errors"] if options.calls == INVALID else ["--hostile"] if options.calls == HOSTILE else []
    words += ["--fail-on", options.fail_on] if options.fail_on != "any" else []
    words += ["--time-scale", f"{options.time_scale:g}"] if options.time_scale != 1.0 else []
    words += ["--programs"] if options.programs == EVERY_SECOND else []
    unfit = find_domain(options.subject).unfit
    words += [] if "schedule" in unfit else ["--schedule", "long" if options.keywords else "short"]
    words += ["--engine", options.engine] if options.engine != "seeds" else []
    cases = options.cases or drawn * options.shard[1]
    limit = ["--cases", str(cases)] if cases else []
    limit = limit or ([] if options.seconds is None else ["--time", f"{options.seconds:g}s"])
    return join_words([*words, *limit])


def start_options(options: Options) -> Options:
    """Return the options of a run that starts now, with its provenance. A run that is resumed keeps its own."""
    if options.provenance.started:
        return options
    return replace(options, provenance=find_provenance(options.subject, options.interpreter))


def check_survey(result: Any, subject: str) -> Survey:
    """Return the survey of the subject. Raises Unusable if looking at the subject ended the process."""
    if isinstance(result, Death):
        raise Unusable(f"{subject} cannot be inspected: {result.kind}: {result.detail}")
    if isinstance(result, Failure):
        raise Unusable(describe_failure(result) or f"{subject} cannot be inspected")
    survey: Survey = result
    return survey


def adapt_options(options: Options, survey: Survey) -> Options:
    """Return the options with the subject's own defaults for those that nobody set. What its adapter does not offer is
    not reported. Raises Unusable for a device that is not there.
    """
    devices = options.devices or survey.devices
    absent = [device for device in devices if device not in survey.devices]
    if absent:
        raise Unusable(f"no device {', '.join(absent)}; there are {', '.join(survey.devices)}")
    own: dict[str, Any] = {"own_modes": survey.modes, "devices": tuple(devices)}
    if "modes" in options.unasked and survey.modes:
        own["modes"] = survey.modes
    own["siblings"] = survey.siblings or options.siblings
    if not survey.is_tried:
        own["programs"] = 0  # to draw them, each worker would try the same calls again
    if "signatures" in options.unasked and options.subject != OWN:
        own["signatures"] = False
    if not survey.is_adapted:
        return replace(options, **own)
    if "programs" in options.unasked:
        own |= {"programs": 0, "keywords": 0}  # the names of parameters are in the signatures
    return replace(options, **own)


def parse_shard(text: str) -> tuple[int, int]:
    """Return the number of a shard, counted from 1, and how many shards there are. Raises Unusable."""
    found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]) <= MOST_SHARDS:
        raise Unusable(f"{text!r} is not a shard; write 2/5 for the second of five, at most {MOST_SHARDS:,}")
    return int(found[1]), int(found[2])


def parse_time_scale(value: str | float) -> float:
    """Return the factor of the times of a run. Raises Unusable."""
    try:
        scale = float(value)
    except ValueError:
        scale = math.nan
    if not SMALLEST_SCALE <= scale <= LARGEST_SCALE:
        raise Unusable(f"{value!r} is not a time scale; write a factor from {SMALLEST_SCALE:g} to {LARGEST_SCALE:g}")
    return scale


def list_modes(options: Options) -> tuple[str, ...]:
    """Return each mode on each device. Raises Unusable for a mode or device that does not exist."""
    part, parts = options.shard
    if not 1 <= part <= parts:
        raise Unusable(f"no shard {part}/{parts}: shards are counted from 1")
    try:
        devices = options.devices or ("CPU:0",)
        modes = tuple(label_mode(str(Mode(mode, device))) for device in devices for mode in options.modes)
    except ValueError as error:
        raise Unusable(str(error)) from None
    if not modes:
        raise Unusable("no modes to run in")
    check_modes(options.subject, options.modes)
    return modes
