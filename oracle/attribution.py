"""Fault localization: the narrowest property that the failing modes share, and no agreeing one has."""

from __future__ import annotations

from collections.abc import Iterable

from oracle.execution.modes import CONTEXTS, GRADIENTS, SHAPELESS, TRACED, UNDER_XLA

CIRCLES = (
    ("unknown dimensions under XLA", {"xla_dims"}),
    ("XLA", {*UNDER_XLA, "gradient_xla"}),
    ("unknown rank", {"graph_rank"}),
    ("unknown dimensions", {"graph_dims", "xla_dims"}),
    ("unknown shapes", {*SHAPELESS}),
    ("the vectorized map", {"vmap"}),
    ("Keras layers", {"keras"}),
    ("replicas", {"strategy"}),
    ("loops", {"while", "gradient_while"}),
    ("layers, replicas and loops", {*CONTEXTS}),
    ("NumPy arrays as inputs", {"arrays"}),
    ("lists as inputs", {"lists"}),
    ("variables as inputs", {"variables"}),
    ("eager calls that recur", {"repeated"}),
    ("inputs that are no tensors", {"arrays", "lists", "variables"}),
    ("saved models", {"saved"}),
    ("forward mode", {"jvp", "hvp"}),
    ("eager", {"eager", "arrays", "lists", "variables", "repeated", "gradient", "jvp", "hvp"}),
    ("graph", {"graph", "graph_dims", "graph_rank", "vmap", "saved", *CONTEXTS, "gradient_graph", "gradient_while"}),
    ("tracing", {*TRACED, "gradient_graph", "gradient_while", "gradient_xla"}),
    ("gradients", {*GRADIENTS}),
)
"""What modes have in common, the narrower first."""


def attribute_modes(differing: Iterable[str], answered: Iterable[str]) -> str:
    """Return the narrowest description of the modes that differ which matches none of those that agree.

    Both are written as `str(mode)`. If only one mode was run, the result is that mode itself.
    """
    differing = list(dict.fromkeys(differing))
    agreeing = [way for way in dict.fromkeys(answered) if way not in differing]
    if not agreeing:
        return "every mode asked" if len(differing) > 1 else _name(differing[0])
    names, others = {_name(way) for way in differing}, {_name(way) for way in agreeing}
    devices, elsewhere = {_device(way) for way in differing}, {_device(way) for way in agreeing}
    if len(devices) == 1 and not devices & elsewhere:
        return devices.pop()
    if names & others and _circle(names, others) is None:
        return ", ".join(sorted(differing))
    common, exception = _circle(names, others), _circle(others, names)
    return common or (f"all but {exception}" if exception else ", ".join(sorted(names)))


def _circle(names: set[str], others: set[str]) -> str | None:
    """Return what all of `names` have in common, and none of `others`."""
    return next((what for what, circle in CIRCLES if names <= circle and not others & circle), None)


def _name(way: str) -> str:
    return way.partition("@")[0]


def _device(way: str) -> str:
    return way.partition("@")[2] or "CPU:0"
