"""Generated faults: every operator on every parameter of NumPy's functions, with ids such as `sum/axis/off-by-one`."""

from __future__ import annotations

import hashlib
import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, partial

from fuzz.generate.calls import generated_names
from fuzz.generate.signatures import parameters_of
from fuzz.mutants.model import FAULTS, Fault
from fuzz.mutants.operators import RESULT, list_operators
from oracle.harness import ALIASES

SEPARATOR = "/"


@cache
def generate_faults(name: str) -> Mapping[str, Fault]:
    """Return the generated faults of one function by id. Aliases have none: they would be those of another name."""
    if name in ALIASES or name not in generated_names():
        return {}
    parameters = parameters_of(name)
    faults = {}
    for parameter in (*parameters.values(), *([RESULT] if RESULT.name not in parameters else [])):
        for label, operator in list_operators(name, parameter):
            spoil = partial(operator.apply, parameter=parameter.name)
            entry = Fault(
                SEPARATOR.join((name, parameter.name, label)),
                name,
                "",
                spoil,
                None,
                operator=operator.kind,
                text=operator.summary.format(parameter.name),
            )
            faults[entry.name] = entry
    return faults


def list_generated() -> list[Fault]:
    """Return every generated fault, in the order of NumPy's manual."""
    return [entry for name in generated_names() for entry in generate_faults(name).values()]


def find_fault(name: str) -> Fault | None:
    """Return the fault of a name or id, written by hand or generated."""
    return FAULTS.get(name) or generate_faults(name.partition(SEPARATOR)[0]).get(name)


def take_sample(faults: Iterable[Fault], count: int) -> list[Fault]:
    """Return so many of the faults: as many of each kind, those whose ids have the lowest hashes. A fault that is added
    changes at most one fault of the sample.
    """
    kinds = defaultdict[str, list[Fault]](list)
    for entry in sorted(faults, key=_hash):
        kinds[entry.operator].append(entry)
    rounds = itertools.zip_longest(*(kinds[kind] for kind in sorted(kinds)))
    return [entry for entry in itertools.chain.from_iterable(rounds) if entry is not None][:count]


def _hash(entry: Fault) -> str:
    return hashlib.sha256(entry.name.encode()).hexdigest()
