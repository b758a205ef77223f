"""Adapters: how to call a library whose arrays are neither tensors nor NumPy's, as source text in its own API.

The harness evaluates the text, and the scripts for findings repeat it, so that they need neither this package nor
TensorFlow. Nothing is imported before a subject is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from oracle.modes import FIRST_DEVICE

PROMOTION, FLUSHING = "promotion", "subnormals"
"""The ids under which are accepted: dtypes that the library's own rules give, and zeros for subnormal numbers."""


@dataclass(frozen=True, slots=True)
class ByDesign:
    """Differences from NumPy that a library documents: they are counted in the summary, and are not findings.

    They have one of these `kinds`, in names that match a pattern, in these modes (default: all), with `says` in their
    details. `why` is one line for a reader, best with a link to the manual.
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


OTHER_ERRORS = ByDesign(
    "errors", "raises its own error classes, and few of NumPy's", ("different error", "missing error")
)
"""What most libraries say of their errors in `by_design`."""

NOT_IMPLEMENTED = ByDesign(
    "not implemented",
    "is not implemented, and the error says so",
    ("spurious error",),
    # Not what NumPy and Python say of operands that the library made: an error of theirs is a fault.
    r"(?i)^(?!.*(\bufunc '\w+' not supported|not supported between instances|unsupported (operand|format))).*"
    r"((not|n't).?(yet |currently )?(been )?(implemented|supported|added)|unsupported|no implementation found"
    r"|returned NotImplemented)",
)
"""What holds of every library with an adapter, but those of TensorFlow's tensors: NumPy's own protocols say so, too."""

RETURNED = "returns the array that NumPy writes to"
"""What is said of a function that gives the right values in a new array, and does not write them."""

NUMPY = "np"
"""What NumPy is called in all texts: the module of a library that compiles NumPy's functions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """Describes how to call a library in its own API. `imports` and `array` are required.

    `{}` in a text stands for its operand. `imports` are statements that bind `module`, which has NumPy's names, and
    whatever else the texts use; numpy is bound to `np`. `array` is the class of its arrays, or a tuple of classes.
    `from_numpy` and `to_numpy` convert one array. `dtype` is the text of a dtype, `{}` being NumPy's name of it, if the
    library does not take NumPy's dtypes; `scalars` says whether it takes NumPy scalars, which otherwise become 0-d
    arrays. `environment` holds environment variables that are set before the import, unless they are set already;
    `preload` names modules that the library imports when it is first called, so that workers share them.

    `compiled` maps modes to texts that compile a function. `scopes` maps modes of eager calls to context managers in
    which they are made; without a row in `oracle.modes` such a mode counts as compiled. `vmap` maps a function over the
    first axes of its arguments. `grad` gives the gradient of a scalar function of one argument, a list of arrays.
    `devices` maps devices to context managers; the first one is the default.

    `dtypes` are the names of the library's dtypes; if empty, all that survive the conversion. `default_dtype` is the
    dtype of Python floats. `promotes` says whether result dtypes are NumPy's; if not, results are compared in the dtype
    they have. `flushes` says that subnormal numbers may count as zero. `streams` says whether seeded
    random numbers are NumPy's, and not of streams of the library's own. `lacks` are parameters that it does not offer,
    whatever its signatures say; `absent` are patterns of names with another meaning than in NumPy; `methods` says
    whether its arrays have NumPy's methods. `by_design` are other documented differences. `siblings` is how many calls
    that differ in their elements only share what was compiled for the first; give many to a library that compiles every
    call. `sizes` says that what it compiles serves arrays of other sizes, too: siblings then differ in them. `tensors`
    says that its arrays are TensorFlow's: it is then called as any other library of tensors. `views` says that its
    arrays can be written to, and have NumPy's views: programs then write through them.
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
    scopes: Mapping[str, str] = field(default_factory=dict)
    vmap: str = ""
    grad: str = ""
    devices: Mapping[str, str] = field(default_factory=lambda: {FIRST_DEVICE: ""})
    dtypes: frozenset[str] = frozenset()
    default_dtype: str = "float64"
    promotes: bool = True
    flushes: bool = False
    streams: bool = True
    lacks: frozenset[str] = frozenset()
    absent: tuple[str, ...] = ()
    methods: bool = True
    by_design: tuple[ByDesign, ...] = ()
    siblings: int = 0
    sizes: bool = False
    tensors: bool = False
    views: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    preload: tuple[str, ...] = ()

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that it has; empty if they are those of libraries of tensors."""
        if self.tensors:
            return ()
        optional = {"vmap": self.vmap, "gradient": self.grad}
        return ("eager", *self.scopes, *self.compiled, *(mode for mode, text in optional.items() if text))

    @property
    def default_modes(self) -> tuple[str, ...]:
        """The modes that are judged unless others are asked for: not eager mode if that is NumPy's functions on NumPy's
        arrays.
        """
        is_numpy = (self.module, self.array) == (NUMPY, f"{NUMPY}.ndarray")
        return tuple(mode for mode in self.modes if mode != "eager" or not is_numpy)

    @property
    def declared(self) -> tuple[ByDesign, ...]:
        """All differences that are documented."""
        return self.by_design if self.tensors else (*self.by_design, NOT_IMPLEMENTED)

    @property
    def reasons(self) -> dict[str, str]:
        """Return the reason of each documented difference by the id under which it is counted."""
        reasons = {self.name_declared(entry.id): entry.why for entry in self.declared}
        why_dtypes = f"results have dtypes of its own, with {self.default_dtype} for Python's floats"
        reasons |= {self.name_declared(FLUSHING): "subnormal numbers may count as zero"} if self.flushes else {}
        return reasons if self.promotes else {self.name_declared(PROMOTION): why_dtypes, **reasons}

    def name_declared(self, entry: str) -> str:
        """Return the id under which a declared difference is counted."""
        return f"{self.name or self.module}: {entry}"

    def has(self, name: str) -> bool:
        """Return whether the library may mean by a dotted name what NumPy does."""
        is_method = name.startswith("ndarray.")
        return not (is_method and not self.methods) and not any(fnmatchcase(name, one) for one in self.absent)


_REGISTERED: dict[str, Adapter] = {}


def register(adapters: Iterable[Adapter]) -> None:
    """Register adapters by their names, for `load_subject`."""
    _REGISTERED.update({adapter.name: adapter for adapter in adapters})


def find_adapter(name: str) -> Adapter | None:
    """Return the adapter that is registered under a name, or None."""
    return _REGISTERED.get(name)


def registered() -> tuple[str, ...]:
    """Return the names of all adapters."""
    return tuple(_REGISTERED)


def fill_text(text: str, about: str) -> str:
    """Return an adapter's text with its placeholder filled in."""
    return text.replace("{}", about)
