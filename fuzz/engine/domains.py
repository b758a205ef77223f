"""The domain of a subject."""

from __future__ import annotations

from collections.abc import Sequence

from fuzz.engine.domain import Domain, Unusable
from fuzz.engine.numpy_calls import NumpyCalls
from fuzz.engine.tensorflow_ops import TensorflowOps
from oracle.harness import TENSORFLOW

NUMPY_CALLS: Domain = NumpyCalls()
DOMAINS: dict[str, Domain] = {TENSORFLOW: TensorflowOps()}


def find_domain(subject: str | None) -> Domain:
    """Return the domain of a subject: calls of NumPy's API, if it has none of its own."""
    return DOMAINS.get(subject or "", NUMPY_CALLS)


def check_modes(subject: str, modes: Sequence[str]) -> None:
    """Raise Unusable for a mode in which no case of a subject's domain runs."""
    offered = find_domain(subject).modes
    strange = [mode for mode in modes if offered and mode not in offered]
    if strange:
        raise Unusable(f"--subject {subject} runs in {', '.join(offered)}, not in {strange[0]}")


def check_options(subject: str | None, options: Sequence[str]) -> None:
    """Raise Unusable for an option of the command line, without its dashes, that says nothing about a subject."""
    unfit = [option for option in options if option in find_domain(subject).unfit]
    if unfit:
        raise Unusable(f"--subject {subject} does not take --{unfit[0].replace('_', '-')}")
