"""NumPy's public names by topic of its reference manual; the names that are left out, and why.

The table is written by hand, as the manual's grouping is nowhere in NumPy itself. Names that the installed NumPy lacks
are dropped, so that one table serves several releases. A test compares the table with NumPy's names.
"""

from __future__ import annotations

import tomllib
from operator import attrgetter
from pathlib import Path

import numpy as np


def _words(text: str) -> list[str]:
    return text.split()


def _read_facts() -> dict[str, dict[str, frozenset[str]]]:
    """Return the sets of names in `inventory.toml`, by section."""
    sections = tomllib.loads(Path(__file__).with_name("inventory.toml").read_text(encoding="utf-8"))
    return {
        section: {key: frozenset(names.split()) for key, names in sets.items()} for section, sets in sections.items()
    }


FACTS = _read_facts()
"""Facts about NumPy's functions that NumPy itself does not tell: sets of names, by section."""

POLYNOMIAL_CLASSES = ("Polynomial", "Chebyshev", "Legendre", "Hermite", "HermiteE", "Laguerre")
POLYNOMIAL_MODULES = {
    "polynomial": "poly",
    "chebyshev": "cheb",
    "legendre": "leg",
    "hermite": "herm",
    "hermite_e": "herme",
    "laguerre": "lag",
}

_TOPICS = {
    "Constants": "e euler_gamma inf nan newaxis pi",
    "Data types": """bool bool_ byte short intc int_ long longlong intp ubyte ushort uintc uint ulong ulonglong uintp
        int8 int16 int32 int64 uint8 uint16 uint32 uint64 half single double float16 float32 float64
        csingle cdouble complex64 complex128 bytes_ str_ False_ True_""",
    "Data type routines": """can_cast promote_types min_scalar_type result_type common_type dtype finfo iinfo isdtype
        issubdtype mintypecode typename""",
    "Array creation": """empty empty_like eye identity ones ones_like zeros zeros_like full full_like array asarray
        asanyarray ascontiguousarray asarray_chkfinite copy from_dlpack frombuffer fromfunction fromiter fromstring
        arange linspace logspace geomspace meshgrid mgrid ogrid diag diagflat tri tril triu vander ndarray""",
    "Array manipulation": """copyto ndim shape size reshape ravel moveaxis rollaxis swapaxes transpose permute_dims
        matrix_transpose atleast_1d atleast_2d atleast_3d broadcast broadcast_to broadcast_arrays broadcast_shapes
        expand_dims squeeze asfortranarray require concatenate concat stack block vstack hstack dstack column_stack
        row_stack split array_split dsplit hsplit vsplit unstack tile repeat delete insert append resize trim_zeros flip
        fliplr flipud roll rot90 pad astype""",
    "Bitwise operations": """bitwise_and bitwise_or bitwise_xor invert bitwise_invert bitwise_not left_shift
        bitwise_left_shift right_shift bitwise_right_shift packbits unpackbits bitwise_count binary_repr""",
    "String functionality": """strings.add strings.center strings.capitalize strings.decode strings.encode
        strings.expandtabs strings.ljust strings.lower strings.lstrip strings.mod strings.multiply strings.partition
        strings.replace strings.rjust strings.rpartition strings.rstrip strings.slice strings.strip strings.swapcase
        strings.title strings.translate strings.upper strings.zfill strings.equal strings.not_equal
        strings.greater_equal strings.less_equal strings.greater strings.less strings.count strings.endswith
        strings.find strings.index strings.isalnum strings.isalpha strings.isdecimal strings.isdigit strings.islower
        strings.isnumeric strings.isspace strings.istitle strings.isupper strings.rfind strings.rindex
        strings.startswith strings.str_len""",
    "Discrete Fourier transform": """fft.fft fft.ifft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfft2
        fft.irfft2 fft.rfftn fft.irfftn fft.hfft fft.ihfft fft.fftfreq fft.rfftfreq fft.fftshift fft.ifftshift""",
    "Functional programming": "apply_along_axis apply_over_axes vectorize frompyfunc piecewise",
    "Indexing": """c_ r_ s_ index_exp nonzero where indices ix_ unravel_index ravel_multi_index diag_indices
        diag_indices_from mask_indices tril_indices tril_indices_from triu_indices triu_indices_from take
        take_along_axis choose compress diagonal select place put put_along_axis putmask fill_diagonal ndenumerate
        ndindex iterable ndarray.__getitem__ ndarray.__setitem__ ndarray.__len__ ndarray.__iter__
        ndarray.__contains__""",
    "Linear algebra": """dot linalg.multi_dot vdot vecdot linalg.vecdot inner outer linalg.outer matmul linalg.matmul
        matvec vecmat tensordot linalg.tensordot einsum einsum_path linalg.matrix_power kron cross linalg.cross
        linalg.cholesky linalg.qr linalg.svd linalg.svdvals linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh
        linalg.norm linalg.matrix_norm linalg.vector_norm linalg.cond linalg.det linalg.matrix_rank linalg.slogdet
        trace linalg.trace linalg.solve linalg.tensorsolve linalg.lstsq linalg.inv linalg.pinv linalg.tensorinv
        linalg.diagonal linalg.matrix_transpose linalg.LinAlgError""",
    "Logic functions": """all any isfinite isinf isnan isneginf isposinf iscomplex iscomplexobj isfortran isreal
        isrealobj isscalar logical_and logical_or logical_not logical_xor allclose isclose array_equal array_equiv
        greater greater_equal less less_equal equal not_equal""",
    "Mathematical functions": """sin cos tan arcsin asin arccos acos arctan atan hypot arctan2 atan2 degrees radians
        unwrap deg2rad rad2deg sinh cosh tanh arcsinh asinh arccosh acosh arctanh atanh round around rint fix floor ceil
        trunc prod sum nanprod nansum cumulative_sum cumulative_prod cumprod cumsum nancumprod nancumsum diff ediff1d
        gradient trapezoid exp expm1 exp2 log log10 log2 log1p logaddexp logaddexp2 i0 sinc signbit copysign frexp ldexp
        nextafter spacing lcm gcd add reciprocal positive negative multiply divide true_divide power pow subtract
        floor_divide float_power fmod mod modf remainder divmod angle real imag conj conjugate maximum max amax fmax
        nanmax minimum min amin fmin nanmin convolve clip sqrt cbrt square absolute abs fabs sign heaviside nan_to_num
        real_if_close interp""",
    "Mathematical functions with automatic domain": """emath.arccos emath.arcsin emath.arctanh emath.log emath.log2
        emath.logn emath.log10 emath.power emath.sqrt""",
    "Polynomials": "poly1d polyval poly roots polyfit polyder polyint polyadd polydiv polymul polysub",
    "Set routines": """unique unique_all unique_counts unique_inverse unique_values intersect1d isin setdiff1d setxor1d
        union1d""",
    "Sorting, searching, counting": """sort lexsort argsort sort_complex partition argpartition argmax nanargmax argmin
        nanargmin argwhere flatnonzero searchsorted extract count_nonzero""",
    "Statistics": """ptp percentile nanpercentile quantile nanquantile median average mean std var nanmedian nanmean
        nanstd nanvar corrcoef correlate cov histogram histogram2d histogramdd bincount histogram_bin_edges digitize""",
    "Window functions": "bartlett blackman hamming hanning kaiser",
    "Input and output": "array2string array_repr array_str base_repr format_float_positional format_float_scientific",
    "Array methods": """ndarray.T ndarray.all ndarray.any ndarray.argmax ndarray.argmin ndarray.argpartition
        ndarray.argsort ndarray.astype ndarray.choose ndarray.clip ndarray.compress ndarray.conj ndarray.conjugate
        ndarray.copy ndarray.cumprod ndarray.cumsum ndarray.diagonal ndarray.dot ndarray.dtype ndarray.fill
        ndarray.flatten ndarray.imag ndarray.item ndarray.itemsize ndarray.mT ndarray.max ndarray.mean ndarray.min
        ndarray.nbytes ndarray.ndim ndarray.nonzero ndarray.partition ndarray.prod ndarray.put ndarray.ravel
        ndarray.real ndarray.repeat ndarray.reshape ndarray.round ndarray.searchsorted ndarray.shape ndarray.size
        ndarray.sort ndarray.squeeze ndarray.std ndarray.sum ndarray.swapaxes ndarray.take ndarray.tobytes
        ndarray.tolist ndarray.trace ndarray.transpose ndarray.var ndarray.view""",
    "Array operators": """ndarray.__abs__ ndarray.__add__ ndarray.__and__ ndarray.__bool__ ndarray.__complex__
        ndarray.__divmod__ ndarray.__eq__ ndarray.__float__ ndarray.__floordiv__ ndarray.__ge__ ndarray.__gt__
        ndarray.__iadd__ ndarray.__iand__ ndarray.__ifloordiv__ ndarray.__ilshift__ ndarray.__imatmul__ ndarray.__imod__
        ndarray.__imul__ ndarray.__index__ ndarray.__int__ ndarray.__invert__ ndarray.__ior__ ndarray.__ipow__
        ndarray.__irshift__ ndarray.__isub__ ndarray.__itruediv__ ndarray.__ixor__ ndarray.__le__ ndarray.__lshift__
        ndarray.__lt__ ndarray.__matmul__ ndarray.__mod__ ndarray.__mul__ ndarray.__ne__ ndarray.__neg__ ndarray.__or__
        ndarray.__pos__ ndarray.__pow__ ndarray.__radd__ ndarray.__rand__ ndarray.__rdivmod__ ndarray.__rfloordiv__
        ndarray.__rlshift__ ndarray.__rmatmul__ ndarray.__rmod__ ndarray.__rmul__ ndarray.__ror__ ndarray.__rpow__
        ndarray.__rrshift__ ndarray.__rshift__ ndarray.__rsub__ ndarray.__rtruediv__ ndarray.__rxor__ ndarray.__sub__
        ndarray.__truediv__ ndarray.__xor__""",
    "Miscellaneous": "errstate geterr seterr ufunc exceptions.AxisError exceptions.DTypePromotionError",
}

_DISTRIBUTIONS = _words(
    """beta binomial chisquare choice dirichlet exponential f gamma geometric gumbel hypergeometric laplace
    logistic lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare
    noncentral_f normal pareto permutation poisson power random rayleigh shuffle standard_cauchy
    standard_exponential standard_gamma standard_normal standard_t triangular uniform vonmises wald weibull
    zipf"""
)
_RANDOM = [
    "random.Generator",
    "random.default_rng",
    *(f"random.{name}" for name in _DISTRIBUTIONS),
    *(f"random.{name}" for name in ("rand", "randint", "randn", "random_sample", "ranf", "sample", "seed")),
    *(f"random.Generator.{name}" for name in _DISTRIBUTIONS),
    *(f"random.Generator.{name}" for name in ("integers", "permuted", "multivariate_hypergeometric", "spawn")),
]

_SERIES = _words(
    """zero one x domain line add sub mulx mul div pow val der int fromroots vander fit trim roots val2d val3d
    grid2d grid3d vander2d vander3d companion"""
)
_SERIES_OF_ONE = {
    "polynomial": ("polyvalfromroots",),
    "chebyshev": ("chebgauss", "chebweight", "chebpts1", "chebpts2", "chebinterpolate", "cheb2poly", "poly2cheb"),
    "legendre": ("leggauss", "legweight", "leg2poly", "poly2leg"),
    "hermite": ("hermgauss", "hermweight", "herm2poly", "poly2herm"),
    "hermite_e": ("hermegauss", "hermeweight", "herme2poly", "poly2herme"),
    "laguerre": ("laggauss", "lagweight", "lag2poly", "poly2lag"),
}
_POLYNOMIAL_METHODS = _words(
    """basis cast convert copy cutdeg degree deriv fit fromroots has_samecoef has_samedomain has_sametype
    has_samewindow identity integ linspace mapparms roots trim truncate"""
)
_POLYNOMIALS = [
    *(f"polynomial.{home}.{prefix}{name}" for home, prefix in POLYNOMIAL_MODULES.items() for name in _SERIES),
    *(f"polynomial.{home}.{name}" for home, names in _SERIES_OF_ONE.items() for name in names),
    *(f"polynomial.{kind}" for kind in POLYNOMIAL_CLASSES),
    *(f"polynomial.{kind}.{name}" for kind in POLYNOMIAL_CLASSES for name in _POLYNOMIAL_METHODS),
]

_IO = "reads or writes files and settings, which no case holds"
_LAYOUT = "memory layout is not observable in a tensor"
_EXOTIC = "TensorFlow has no such dtype"
_LEGACY = "legacy: the manual advises against it"
_PROCESS = "about the process or the build, not about arrays"
_RECORDS = "record arrays are left out"
_ITERATOR = "an iterator over memory"
_DATES = "datetimes are left out: TensorFlow has no such dtype"

LEFT_OUT: dict[str, str] = {
    "ma": "masked arrays are left out",
    "rec": _RECORDS,
    "recarray": _RECORDS,
    "record": _RECORDS,
    "fromregex": _RECORDS,
    "char": "legacy: its functions are in strings",
    "core": "private since NumPy 2.0",
    "ctypeslib": "C pointers to memory",
    "f2py": "a compiler of Fortran",
    "get_include": "the C API is left out",
    "lib": "helpers for authors of NumPy-like libraries",
    "matlib": _LEGACY,
    "testing": "for NumPy's own tests",
    "test": "runs NumPy's own tests",
    "typing": "for type checkers, of arrays that are no tensors",
    "dtypes": "classes of dtypes: NumPy's own serve",
    "matrix": _LEGACY,
    "asmatrix": _LEGACY,
    "bmat": _LEGACY,
    "in1d": "deprecated; gone in NumPy 2.4",
    "trapz": "deprecated; gone in NumPy 2.4",
    "chararray": _LEGACY,
    "memmap": "maps files to memory",
    "flatiter": _ITERATOR,
    "nditer": _ITERATOR,
    "nested_iters": _ITERATOR,
    "may_share_memory": _LAYOUT,
    "shares_memory": _LAYOUT,
    "busday_count": _DATES,
    "busday_offset": _DATES,
    "busdaycalendar": _DATES,
    "is_busday": _DATES,
    "datetime64": _DATES,
    "timedelta64": _DATES,
    "datetime_as_string": _DATES,
    "datetime_data": _DATES,
    "isnat": _DATES,
    "object_": _EXOTIC,
    "void": _EXOTIC,
    "longdouble": _EXOTIC,
    "clongdouble": _EXOTIC,
    "float128": _EXOTIC,
    "complex256": _EXOTIC,
    "float96": _EXOTIC,
    "complex192": _EXOTIC,
    **dict.fromkeys(
        _words(
            """character complexfloating flexible floating generic inexact integer number signedinteger
            unsignedinteger ScalarType sctypeDict typecodes"""
        ),
        "names kinds of NumPy scalars: NumPy's own serve",
    ),
    **dict.fromkeys(
        _words(
            """fromfile genfromtxt load loadtxt save savetxt savez savez_compressed get_printoptions
            set_printoptions printoptions polynomial.set_default_printstyle"""
        ),
        _IO,
    ),
    **dict.fromkeys(
        _words(
            """getbufsize setbufsize geterrcall seterrcall info show_config show_runtime
            little_endian linalg.test fft.test random.test polynomial.test"""
        ),
        _PROCESS,
    ),
    **dict.fromkeys(
        _words(
            """random.BitGenerator random.MT19937 random.PCG64 random.PCG64DXSM random.Philox random.RandomState
            random.SFC64 random.SeedSequence random.bit_generator random.mtrand
            random.get_bit_generator random.set_bit_generator random.get_state random.set_state
            random.Generator.bit_generator"""
        ),
        "objects with a state, no arrays: judged by the numbers that a Generator draws from them",
    ),
    **dict.fromkeys(["random.bytes", "random.Generator.bytes"], "Python bytes, no array"),
    "ndarray.itemset": "gone since NumPy 2.0",
    "ndarray.newbyteorder": "gone since NumPy 2.0",
    "ndarray.ptp": "gone since NumPy 2.0",
    "random.random_integers": "deprecated; gone in NumPy 2.5",
    **dict.fromkeys(
        _words(
            """ndarray.base ndarray.byteswap ndarray.ctypes ndarray.data ndarray.flags ndarray.flat
            ndarray.getfield ndarray.setfield ndarray.setflags ndarray.strides ndarray.resize
            ndarray.device ndarray.to_device ndarray.dump ndarray.dumps ndarray.tofile"""
        ),
        _LAYOUT,
    ),
    **dict.fromkeys(
        [
            "exceptions.ComplexWarning",
            "exceptions.ModuleDeprecationWarning",
            "exceptions.RankWarning",
            "exceptions.TooHardError",
            "exceptions.VisibleDeprecationWarning",
        ],
        "warnings are not raised",
    ),
    **dict.fromkeys(
        (
            f"polynomial.{kind}.{name}"
            for kind in POLYNOMIAL_CLASSES
            for name in ("basis_name", "domain", "maxpower", "symbol", "window", "interpolate")
        ),
        "attributes of a class: they come with it",
    ),
}
"""What is not judged, and the reason. A namespace stands for all it holds."""

SERIES_OPERATORS = tuple(
    f"polynomial.{kind}.__{operator}__"
    for kind in POLYNOMIAL_CLASSES
    for operator in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "neg", "pos")
)
"""Operators of series: cases may call them, but they are not judged as names of their own."""

UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


def _exists(name: str) -> bool:
    try:
        attrgetter(name)(np)
    except AttributeError:
        return False
    return True


def _topics() -> dict[str, tuple[str, ...]]:
    topics = {topic: words.split() for topic, words in _TOPICS.items()}
    topics["Random sampling"] = _RANDOM
    topics["Polynomials"] += _POLYNOMIALS
    topics["Universal function methods"] = [
        f"{name}.{method}" for names in topics.values() for name in names for method in methods_of(name)
    ]
    return {topic: tuple(name for name in names if _exists(name)) for topic, names in topics.items()}


def methods_of(name: str) -> tuple[str, ...]:
    """Return the ufunc methods that make sense for the ufunc of this name; none for an alias, or another object."""
    ufunc = getattr(np, name, None)
    if not isinstance(ufunc, np.ufunc) or ufunc.signature is not None or ufunc.__name__ != name:
        return ()
    if ufunc.nin == 2:
        return UFUNC_METHODS if ufunc.nout == 1 else ("outer",)
    return ("at",) if ufunc.nin == ufunc.nout == 1 else ()


TOPICS: dict[str, tuple[str, ...]] = _topics()
"""The names of each topic, in the manual's order."""

NAMES: tuple[str, ...] = tuple(name for names in TOPICS.values() for name in names)
"""Every name that is judged."""

_TOPIC_OF = {name: topic for topic, names in TOPICS.items() for name in names}


def topic_of(name: str) -> str:
    """Return the topic of a name. Raises KeyError for a name that is not judged."""
    return _TOPIC_OF[name]


def _aliases() -> dict[str, str]:
    homes = {"", "linalg", *(f"polynomial.{module}" for module in POLYNOMIAL_MODULES)}
    first: dict[int, str] = {}
    aliases = {}
    for name in NAMES:
        value = attrgetter(name)(np)
        if name.rpartition(".")[0] not in homes or not callable(value):
            continue
        defined_as = getattr(value, "__name__", name)
        known = first.setdefault(
            id(value), defined_as if defined_as in _TOPIC_OF and getattr(np, defined_as, None) is value else name
        )
        if known != name:
            aliases[name] = known
    return aliases


ALIASES: dict[str, str] = _aliases()
"""Names that are the very object that another name is, and that other name."""
