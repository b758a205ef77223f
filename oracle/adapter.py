"""Adapters: how to call a library whose arrays are neither tensors nor NumPy's, as text in its own terms.

The harness evaluates the text, and the scripts that show what was found repeat it: so they need neither this package
nor TensorFlow. Nothing is imported before a subject is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

FIRST_DEVICE = "CPU:0"
PROMOTION, FLUSHING = "promotion", "subnormals"
"""The ids under which are accepted: dtypes that the library's own rules give, and zeros for subnormal numbers."""


@dataclass(frozen=True, slots=True)
class ByDesign:
    """Differences from NumPy that a library announces: a line of the summary, and no findings.

    They are of these `kinds`, about names that fit one of the patterns, in these modes (in all, without any), and
    `says` is found in their details. `why` is one line for a reader, and best names the manual.
    """

    id: str
    why: str
    kinds: tuple[str, ...]
    says: str = ""
    names: tuple[str, ...] = ("*",)
    modes: tuple[str, ...] = ()

    def covers(self, name: str, kind: str, mode: str, detail: str) -> bool:
        """Return whether a difference of this kind in a mode is one of these."""
        return (
            kind in self.kinds
            and (not self.modes or mode in self.modes)
            and any(fnmatchcase(name, pattern) for pattern in self.names)
            and re.search(self.says, detail) is not None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """A library in its own words. Required are `imports` and `array`; `{}` in a text is what it is about.

    `imports` are statements that bind `module`, which has NumPy's names, and whatever else the texts mention, numpy as
    `np` aside. `array` is the class of its arrays, or a tuple of classes. `from_numpy` and `to_numpy` convert one
    array. `dtype` writes a dtype of which `{}` is NumPy's name, where the library does not take NumPy's dtypes;
    `scalars` says whether it takes NumPy's scalars, which otherwise become arrays without dimensions. `environment`
    are variables of the environment that are set before it is imported, unless they are set already; `preload` are
    modules that it imports when it is first called, which each worker would otherwise do.

    `compiled` maps modes to texts that compile a function; `vmap` maps a function over the first axes of its arguments;
    `grad` gives the gradient, with respect to its only argument, a list of arrays, of a function that returns a number.
    `devices` maps devices to context managers; the first is where calls are made unless others are asked for.

    `dtypes` are the names of the dtypes it has, all that survive the conversion where it is empty; `default_dtype` is
    what it makes of Python's floats. `promotes` says whether dtypes of results are NumPy's: where not, results are
    compared as the dtype they have. `flushes` says that numbers smaller than any normal one may count as zero. `lacks`
    are parameters that it does not offer, whatever its signatures say, `absent` patterns of names that mean something
    else than in NumPy, `methods` whether its arrays have NumPy's. `by_design` are other differences that it announces.
    `siblings` is how many calls, the same but for the elements of arrays, share what it compiled for the first: give
    many to a library that compiles whatever it is asked. `tensors` tells that its arrays are TensorFlow's: it is then
    called as any other library of tensors.
    """

    imports: str
    array: str = ""
    name: str = ""
    module: str = "xp"
    from_numpy: str = "xp.asarray({})"
    to_numpy: str = "np.asarray({})"
    dtype: str = ""
    scalars: bool = True
    compiled: Mapping[str, str] = field(default_factory=dict)
    vmap: str = ""
    grad: str = ""
    devices: Mapping[str, str] = field(default_factory=lambda: {FIRST_DEVICE: ""})
    dtypes: frozenset[str] = frozenset()
    default_dtype: str = "float64"
    promotes: bool = True
    flushes: bool = False
    lacks: frozenset[str] = frozenset()
    absent: tuple[str, ...] = ()
    methods: bool = True
    by_design: tuple[ByDesign, ...] = ()
    siblings: int = 0
    tensors: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    preload: tuple[str, ...] = ()

    @property
    def modes(self) -> tuple[str, ...]:
        """The ways in which it is called unless others are asked for; none where those of tensors' libraries are."""
        if self.tensors:
            return ()
        optional = {"vmap": self.vmap, "gradient": self.grad}
        return ("eager", *self.compiled, *(mode for mode, text in optional.items() if text))

    @property
    def announced(self) -> dict[str, str]:
        """Return why differences are accepted, by the id under which they are counted."""
        title = self.name or self.module
        reasons = {f"{title}: {entry.id}": entry.why for entry in self.by_design}
        why_dtypes = f"results have dtypes of its own, with {self.default_dtype} for Python's floats"
        reasons |= {f"{title}: {FLUSHING}": "subnormal numbers may count as zero"} if self.flushes else {}
        return reasons if self.promotes else {f"{title}: {PROMOTION}": why_dtypes, **reasons}

    def has(self, name: str) -> bool:
        """Return whether it may mean by a dotted name what NumPy means."""
        is_method = name.startswith("ndarray.")
        return not (is_method and not self.methods) and not any(fnmatchcase(name, one) for one in self.absent)


_REGISTERED: dict[str, Adapter] = {}


def register(adapters: Iterable[Adapter]) -> None:
    """Have `load_subject` know these adapters by their names."""
    _REGISTERED.update({adapter.name: adapter for adapter in adapters})


def find_adapter(name: str) -> Adapter | None:
    """Find the adapter that was registered under a name."""
    return _REGISTERED.get(name)


def registered() -> tuple[str, ...]:
    """List the names of all adapters."""
    return tuple(_REGISTERED)
