"""The model of a planted fault: a correct namespace in which one function is wrapped so that it is wrong in a known
way.

The correct namespace is called the ground. A wrapper knows its call and the ground, and nothing of TensorFlow: it uses
NumPy's API of the ground, so that the same fault can be planted in NumPy and in any library with its names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from operator import attrgetter
from types import ModuleType
from typing import Any

from fuzz.generate.signatures import find_object, signature_of
from oracle import Case
from oracle.harness import attribute_of_first, destinations


@cache
def _signature(name: str) -> inspect.Signature:
    is_function = callable(find_object(name))
    return signature_of(name if is_function else "ndarray.__len__")  # an attribute takes the array


@dataclass
class Call:
    """One call of a faulty function; calling this object gives the right result.

    `np` is the ground, `right` its function, `memory` a dict that the fault keeps from one call to the next.
    """

    name: str
    np: Any
    right: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    memory: dict[Any, Any]

    def __call__(self) -> Any:
        return self.right(*self.args, **self.kwargs)

    @cached_property
    def bound(self) -> inspect.BoundArguments | None:
        """The arguments by NumPy's parameters; None if they do not match."""
        try:
            return _signature(self.name).bind(*self.args, **self.kwargs)
        except TypeError:
            return None

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that are given, by parameter; empty if they do not match."""
        return {} if self.bound is None else self.bound.arguments

    def given(self, name: str, otherwise: Any = None) -> Any:
        """Return an argument, or `otherwise` if it is not given."""
        return self.arguments.get(name, self.kwargs.get(name, otherwise))

    @property
    def is_plain(self) -> bool:
        """Whether only required arguments are given."""
        parameters = _signature(self.name).parameters.values()
        needed = sum(
            one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
            for one in parameters
        )
        return not self.kwargs and len(self.args) <= needed

    def has(self, *names: str) -> bool:
        """Return whether one of these arguments is given."""
        return any(name in self.arguments or name in self.kwargs for name in names)

    def has_default(self, name: str) -> bool:
        """Return whether a parameter is an option."""
        return _signature(self.name).parameters[name].default is not inspect.Parameter.empty

    def changed(self, **arguments: Any) -> Any:
        """Return the right result for other arguments."""
        if self.bound is None:
            return self()
        return self.replaced({**self.bound.arguments, **arguments})

    def replaced(self, arguments: Mapping[str, Any]) -> Any:
        """Return the right result for these arguments alone."""
        assert self.bound is not None
        bound = inspect.BoundArguments(self.bound.signature, dict(arguments))
        return self.right(*bound.args, **bound.kwargs)

    def answer(self, arguments: Mapping[str, Any] | None, *, acts_once: bool = False, may_raise: bool = False) -> Any:
        """Return the result for other arguments; the right one for None, or, unless it `may_raise`, where the function
        rejects the others.

        The right call comes first, so that what NumPy rejects is rejected: but not where it `acts_once`, because it
        would write an argument, or draw a number, that the wrong call should.
        """
        if arguments is None:
            return self()
        acts_once = acts_once or self.name.startswith("random.") or self.writes_argument
        exact = None if acts_once else self()
        try:
            return self.replaced(arguments)
        except Exception:
            if may_raise and not acts_once:
                raise
            return self() if acts_once else exact

    @property
    def writes_argument(self) -> bool:
        """Whether the call writes one of NumPy's arrays that it is given otherwise than by `out=`."""
        kwargs = {name: value for name, value in self.kwargs.items() if name != "out"}
        return bool(destinations(Case(self.name, self.args, kwargs)))

    @property
    def first(self) -> Any:
        """The first argument as an array of the ground."""
        return self.np.asarray(self.args[0] if self.args else next(iter(self.kwargs.values())))

    @property
    def operands(self) -> list[Any]:
        """The first two arguments as arrays of the ground; empty if there are fewer."""
        return [self.np.asarray(arg) for arg in self.args[:2]] if len(self.args) > 1 else []


@dataclass(frozen=True)
class Fault:
    """A fault that can be planted in the function `target`; `spoil` returns the wrong result of a call.

    `kind` is the kind of finding that is expected, in `modes`, which a campaign is run in. `witness` is a case that
    shows the fault. `uses` are further names that the ground must have; `on` restricts it to "tensors", NumPy's
    "arrays", or the "mutable" arrays of tfnp.numpy. `company` are names that a campaign draws as well, and nests in one
    another. A `crashing` fault ends its process. `source` is the public report of the bug, such as "jax-ml/jax#1234";
    empty if nobody reported it. `operator` is the kind of the operator that made it, and `text` its summary: then
    neither the kind of finding nor a witness is known before it is hunted.
    """

    name: str
    target: str
    kind: str
    spoil: Callable[[Call], Any]
    witness: Case | None
    modes: tuple[str, ...] = ("eager", "graph", "xla")
    uses: tuple[str, ...] = ()
    company: tuple[str, ...] = ()
    on: str = ""
    crashing: bool = False
    source: str = ""
    operator: str = ""
    text: str = ""

    @property
    def summary(self) -> str:
        """What is wrong, in a line: `text`, or the docstring of `spoil`."""
        return self.text or " ".join((self.spoil.__doc__ or "").split()).rstrip(".")

    def fits(self, ground: Any) -> bool:
        """Return whether the namespace has what the fault needs."""
        lend = getattr(ground, "numpy_behavior", nullcontext)
        try:
            with lend():
                return all(attrgetter(name)(ground) is not None for name in (self.target, *self.uses))
        except AttributeError:
            return False


FAULTS: dict[str, Fault] = {}
"""Every fault by its name."""


def fault(target: str, kind: str, *args: Any, **options: Any) -> Callable[[Callable[[Call], Any]], Fault]:
    """Register the decorated function as a fault of its name. Positional arguments are those of the witness."""
    keywords, uses = options.pop("keywords", {}), tuple(options.pop("uses", "").split())
    witness = options.pop("witness", None) or Case(target, args, keywords)

    def enter(spoil: Callable[[Call], Any]) -> Fault:
        assert spoil.__name__ not in FAULTS, f"two faults {spoil.__name__}"
        entry = Fault(spoil.__name__, target, kind, spoil, witness, uses=uses, **options)
        FAULTS[entry.name] = entry
        return entry

    return enter


def reported(
    source: str, target: str, kind: str, *args: Any, **options: Any
) -> Callable[[Callable[[Call], Any]], Fault]:
    """Register the decorated function as a fault that users reported, see `fault`; in NumPy's arrays unless `on` says
    otherwise. `source` is the report, such as "jax-ml/jax#1234".
    """
    return fault(target, kind, *args, source=source, **({"on": "arrays"} | options))


def spoils(
    name: str,
    target: str,
    kind: str,
    *args: Any,
    by: Callable[[Any, Any, Call], Any],
    when: Callable[[Any, Call], Any] = lambda exact, call: True,
    **options: Any,
) -> None:
    """Register a fault of this name that spoils a result, see `fault`: `by` makes the wrong one of the namespace, the
    right one and the call, `when` tells of the right one and the call whether it does.
    """

    def spoil(call: Call) -> Any:
        exact = call()
        return by(call.np, exact, call) if when(exact, call) else exact

    spoil.__name__ = name
    fault(target, kind, *args, text=name.replace("_", " "), **options)(spoil)


class Overlay(ModuleType):
    """A namespace with one function replaced; `path` is its dotted name."""

    def __init__(self, under: Any, path: str, wrong: Callable[..., Any], name: str) -> None:
        super().__init__(name)
        self._under = self.__wrapped__ = under
        head, _, tail = path.partition(".")
        setattr(self, head, Overlay(getattr(under, head), tail, wrong, f"{name}.{head}") if tail else wrong)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_under"], name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._under(*args, **kwargs)


def plant(entry: Fault, ground: Any, name: str) -> ModuleType:
    """Return the ground with the fault in it, as a module of this name."""
    is_method = entry.target.startswith("ndarray.")
    memory: dict[Any, Any] = {}
    right = attribute_of_first(entry.target) if is_method else attrgetter(entry.target)(ground)

    def wrong(*args: Any, **kwargs: Any) -> Any:
        call = Call(entry.target, ground, right, args, kwargs, memory)
        return call() if call.bound is None else entry.spoil(call)  # a call that no signature allows is refused

    return Overlay(ground, entry.target, wrong, name)
