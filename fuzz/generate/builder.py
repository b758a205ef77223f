"""Building a call: an argument is drawn when it is first asked for, so that each may depend on any other."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzz.generate import arrays, trial_calls
from fuzz.generate.call_classes import BOUND, NUMBERS, OPTIONS, PlantedFault
from fuzz.generate.choices import Choices
from fuzz.generate.nonsense import draw_nonsense
from oracle import Case

Parameter = inspect.Parameter
VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


class _Omitted:
    def __repr__(self) -> str:
        return "OMITTED"


WILD_DEFAULT = 1
WILD_SHARE, VIOLATED_SHARE = 0.2, 0.5  # of the arguments of hostile calls
GIVEN_IN_RICH = 0.7  # how likely an optional argument is given in a call with many options
POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
MIXED, KEYWORDS, POSITIONS, FILLED = "mixed", "keywords", "positions", "filled"
STYLES = arrays.weighted({MIXED: 84, KEYWORDS: 9, FILLED: 7})
"""How a call is written: optional arguments by keyword as it comes; all that can be by keyword; by position as far as
that goes, defaults filled in.
"""
AXIS = 0.5  # how likely an axis is given at least, on which so much else depends
OMITTED = _Omitted()  # returned by a strategy to leave its argument out


CONTROLS = frozenset(
    {
        *("axis", "axis1", "axis2", "axisa", "axisb", "axisc", "axes", "source", "destination", "ndim", "keepdims"),
        *("shape", "new_shape", "dimensions", "dims", "size", "pad_width", "N", "M", "n", "k", "num", "minlength"),
        *("dtype", "order", "casting", "copy", "subok", "like", "device", "signature", "requirements"),
        *("decimals", "ddof", "correction", "kth", "kind", "stable", "ord", "norm"),
    }
)
"""Parameters that say what is to be done, rather than with what."""

CASTS = ("casting", "dtype", "out")

DATA = frozenset({"where", "real", "imag", "fill_value", "default", "scl", "lbnd"})
"""Parameters that take data though their default is a bool or an int."""


@dataclass(frozen=True)
class Slot:
    """A parameter of a function, with the strategy for its argument."""

    name: str
    way: Any  # positional only, by either, keyword only, *args, **kwargs
    default: Any
    strategy: Strategy

    @property
    def required(self) -> bool:
        return self.default is Parameter.empty and self.way is not Parameter.VAR_KEYWORD

    @property
    def by_name(self) -> bool:
        return self.way in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)

    @property
    def takes_data(self) -> bool:
        """Whether the parameter takes arrays, by its name or its default."""
        if self.name in DATA:
            return True
        return self.name not in CONTROLS and not isinstance(self.default, bool | int | str)


@dataclass(frozen=True)
class Plan:
    """Facts about a function that all draws share."""

    name: str
    function: Callable[..., Any]
    slots: Mapping[str, Slot]
    given: float  # how likely an optional argument is given
    casts: tuple[str, ...]  # options of casting

    @classmethod
    def of(cls, name: str, function: Callable[..., Any], slots: list[Slot]) -> Plan:
        optional = sum(not slot.required for slot in slots)
        given = min(0.35, 1.2 / optional) if optional else 0
        casts = tuple(slot.name for slot in slots if slot.name in CASTS and not slot.required)
        return cls(name, function, {slot.name: slot for slot in slots}, given, casts if "casting" in casts else ())


class NoFittingArguments(Exception):
    """No arguments can be drawn that go with an invalid one."""


class Draft:
    """A call that is being built. Strategies get it as their argument: it has the choices and the arguments so far.

    `invalid` names the parameter whose argument should be invalid, `required` those to be given; `asked` those to be
    given with the numbers of their options. `fault` is the fault that was planted; `notes` holds what strategies of one
    call tell one another. In a `hostile` call arguments may violate what NumPy's manual says of them, and any number
    may be nonsense.
    """

    __slots__ = (
        *("_arguments", "_asked", "_current", "_given", "_invalid", "_pending", "_required", "choices", "fault"),
        *("is_hostile", "notes", "plan"),
    )

    def __init__(
        self,
        choices: Choices,
        plan: Plan,
        invalid: str = "",
        required: Collection[str] = (),
        *,
        asked: Mapping[str, int | None] | None = None,
        hostile: bool = False,
    ) -> None:
        self.choices = choices
        self.plan = plan
        self._arguments: dict[str, Any] = {}
        self._current = ""
        self._pending: set[str] = set()
        self._invalid = invalid
        self._asked = asked or {}
        self._required = required or self._asked.keys()
        self._given = GIVEN_IN_RICH if plan.given and OPTIONS in choices.edges else plan.given
        self.fault: PlantedFault | None = None
        self.is_hostile = hostile
        self.notes: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        """Return the argument of a parameter, drawn now if it has not been; the default if it is left out.

        A name that the function lacks stands for its first parameter: a method's `self` is `a` of the function of its
        name.
        """
        if name not in self.plan.slots:
            name = next(iter(self.plan.slots))
        if name not in self._arguments:
            self._draw(self.plan.slots[name])
        found = self._arguments[name]
        return self.plan.slots[name].default if found is OMITTED else found

    def __contains__(self, name: str) -> bool:
        return name in self.plan.slots

    def shape(self, name: str) -> arrays.Shape:
        """Return the shape of an argument that is an array, a scalar or nested lists; () for anything else."""
        try:
            return np.shape(self[name])
        except ValueError:
            return ()

    def dtype(self, name: str) -> np.dtype:
        found = self[name]
        native = found.dtype.newbyteorder("=") if isinstance(found, np.ndarray | np.generic) else None
        return native if native in arrays.POOLS else np.dtype(np.float64)

    def omits(self, name: str) -> bool:
        """Return whether an argument is left out, which is decided now if it has not been."""
        self[name]
        return self._arguments[name] is OMITTED

    def should_be_invalid(self, sort: str = BOUND) -> bool:
        """Return whether the current argument should violate a constraint, which is of this sort. True at most once
        for each draft.
        """
        if self._invalid != self._current or not self._invalid:
            return False
        self.fault = PlantedFault(self._invalid, sort)
        self._invalid = ""
        return True

    def is_due(self) -> bool:
        """Return whether the current argument is to be invalid, once its strategy says how."""
        return bool(self._invalid) and self._invalid == self._current

    def is_extreme(self, share: float = 0.5) -> bool:
        """Draw whether a number or a count should be extreme: never in a call of usual numbers."""
        return NUMBERS in self.choices.edges and self.choices.flag(share)

    def should_violate(self) -> bool:
        """Return whether the current argument may violate a precondition, which NumPy does not check."""
        return self.is_hostile and self.choices.flag(VIOLATED_SHARE)

    def is_required(self) -> bool:
        """Return whether the current argument must be given if possible."""
        return self._current in self._required

    def asked_option(self) -> int | None:
        """Return the number of the option that the current argument should be, if one is asked for."""
        return self._asked.get(self._current)

    def _draw(self, slot: Slot) -> None:
        is_due = slot.name == self._invalid
        optional = not slot.required and type(slot.strategy) is not always
        if optional and not is_due and slot.name not in self._required and not self.choices.flag(self._share(slot)):
            self._arguments[slot.name] = OMITTED
            return
        if slot.name in self._pending:
            raise RuntimeError(f"{self.plan.name}: {slot.name} is needed to draw {slot.name}")
        self._pending.add(slot.name)
        outer, self._current = self._current, slot.name
        found = self._ask(slot)
        if self.is_hostile and self.choices.flag(WILD_SHARE):
            odd = draw_nonsense(self.choices, slot.takes_data)
            found = {Parameter.VAR_POSITIONAL: [odd], Parameter.VAR_KEYWORD: {"bogus": 1}}.get(slot.way, odd)
        self._current = outer
        self._arguments[slot.name] = found

    def _share(self, slot: Slot) -> float:
        """Return how likely an optional argument is given."""
        return max(self._given, AXIS) if slot.name == "axis" else self._given

    def _ask(self, slot: Slot) -> Any:
        try:
            return slot.strategy(self)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            if self.is_hostile:
                return {Parameter.VAR_POSITIONAL: [], Parameter.VAR_KEYWORD: {}}.get(slot.way, WILD_DEFAULT)
            if self.fault is not None:  # strategies may rely on valid arguments
                raise NoFittingArguments(f"no {slot.name} for {self.fault}") from error
            raise

    def case(self) -> Case:
        """Return the finished call. `out` is drawn last, since it depends on everything else."""
        for name in self.plan.slots:
            if name != "out":
                self[name]
        if "out" in self.plan.slots:
            self["out"]
        if self.plan.casts and self.fault is None and not self.is_hostile:
            self._drop_casts()
        args, kwargs = self._arranged(self._arguments)
        return Case(self.plan.name, args, kwargs)

    def _drop_casts(self) -> None:
        """Leave out options of casting that NumPy does not take together, or not for these dtypes."""
        given = [name for name in self.plan.casts if self._arguments[name] is not OMITTED]
        if not given or self._is_taken():
            return
        for name in given:
            self._arguments[name] = OMITTED
            if self._is_taken():
                return

    def _is_taken(self) -> bool:
        args, kwargs = self._arranged(self._arguments, plainly=True)
        return trial_calls.takes(self.plan.function, *args, **kwargs)

    def answer(self) -> Any:
        """Return NumPy's result for the arguments so far, with zeros in all arrays; None if it raises."""
        known = {name: value for name, value in self._arguments.items() if name != "out"}
        args, kwargs = self._arranged(known, plainly=True)
        return trial_calls.answer(self.plan.function, *args, **kwargs)

    def _arranged(self, known: Mapping[str, Any], plainly: bool = False) -> tuple[tuple[Any, ...], dict[str, Any]]:
        style = POSITIONS if plainly else self.choices.pick(STYLES)
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        by_position = True
        filled = self._filled(known) if style is FILLED else self._without_gaps(known)
        for name, slot in self.plan.slots.items():
            found = filled.get(name, OMITTED)
            if found is OMITTED:
                by_position = by_position and slot.way is Parameter.VAR_POSITIONAL
            elif slot.way is Parameter.VAR_POSITIONAL:
                args.extend(found)
            elif slot.way is Parameter.VAR_KEYWORD:
                kwargs.update(found)
            elif slot.way is Parameter.POSITIONAL_ONLY:
                args.append(found)
            elif slot.way is Parameter.KEYWORD_ONLY or not by_position or not self._by_position(slot, style):
                kwargs[name] = found
                by_position = False
            else:
                args.append(found)
        return tuple(args), kwargs

    def _by_position(self, slot: Slot, style: str) -> bool:
        if style is MIXED:
            return slot.required or not self.choices.flag(0.55)
        return style is not KEYWORDS

    def _without_gaps(self, known: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments, with defaults before positional-only ones. Those that follow a parameter without a
        default are dropped: they would take the place of others.
        """
        names = [name for name, slot in self.plan.slots.items() if slot.way is Parameter.POSITIONAL_ONLY]
        given = [name for name in names if known.get(name, OMITTED) is not OMITTED]
        if given == names[: len(given)]:
            return known
        found = dict(known)
        for name in names[: names.index(given[-1])]:
            default = self.plan.slots[name].default
            if found.get(name, OMITTED) is not OMITTED:
                continue
            if default is Parameter.empty or default is np._NoValue:
                return {key: value for key, value in known.items() if key not in names[names.index(name) :]}
            found[name] = default
        return found

    def _filled(self, known: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments, with the defaults of those left out before the last positional one."""
        names = [name for name, slot in self.plan.slots.items() if slot.way in POSITIONAL]
        last = max((index for index, name in enumerate(names) if known.get(name, OMITTED) is not OMITTED), default=-1)
        found = dict(known)
        for name in names[:last]:
            if found.get(name, OMITTED) is OMITTED:
                default = self.plan.slots[name].default
                if default is Parameter.empty or default is np._NoValue:
                    return known
                found[name] = default
        return found


Strategy = Callable[[Draft], Any]


class always:  # noqa: N801 - used among the strategies that are functions
    """A strategy that is asked even if its argument is optional; it may still leave it out."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy

    def __call__(self, draft: Draft) -> Any:
        return self.strategy(draft)
