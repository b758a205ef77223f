"""Strategies for every argument that a case can hold."""

from __future__ import annotations

import ml_dtypes
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from oracle import Case

DTYPES = [np.dtype(code) for code in "?bBhHiIlLefdgFDG"]
DTYPES += [np.dtype(code) for code in (">i4", ">f8", ">c8", ">u2", "S3", "U2", ">U3", "M8[D]", "m8[us]", "M8[ns]")]
EXTENSIONS = [np.dtype(ml_dtypes.bfloat16), np.dtype(ml_dtypes.float8_e5m2)]
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray:
    """An array of any dtype, laid out in any way."""
    dtype = draw(st.sampled_from(DTYPES))
    array = draw(hnp.arrays(dtype, draw(SHAPES), elements=_elements(dtype)))
    if draw(st.integers(0, 5)) == 0:
        dtype = draw(st.sampled_from(EXTENSIONS))
        array = draw(hnp.arrays(np.float32, array.shape, elements=st.floats(width=32))).astype(dtype)
    return draw(layouts(array))


def _elements(dtype: np.dtype) -> st.SearchStrategy | None:
    """Hypothesis has no elements for longdouble: the quotients of doubles serve."""
    if dtype.char == "g":
        return st.floats(-1e9, 1e9).map(lambda x: np.longdouble(x) / 3)
    if dtype.char == "G":
        return st.floats(-1e9, 1e9).map(lambda x: np.clongdouble(complex(x, -x)) / 3)
    return None


@st.composite
def layouts(draw: st.DrawFn, array: np.ndarray) -> np.ndarray:
    """The array as it is, or as a view of it that lies otherwise in memory."""
    way = draw(st.sampled_from(["plain", "plain", "fortran", "transposed", "reversed", "strided", "broadcast", "odd"]))
    if way == "fortran":
        array = np.asfortranarray(array)
    elif way == "transposed":
        array = array.transpose(draw(st.permutations(range(array.ndim))))
    elif way == "reversed":
        array = array[(..., *(slice(None, None, -1),) * array.ndim)]
    elif way == "strided" and array.ndim:
        array = np.repeat(array, 2, -1)[..., ::2]
    elif way == "broadcast":
        array = np.broadcast_to(array, (2, *array.shape))
    elif way == "odd" and array.dtype.itemsize:
        raw = np.zeros(array.nbytes + 1, np.uint8)
        odd = raw[1:].view(array.dtype).reshape(array.shape)
        odd[...] = array
        array = odd
    if draw(st.booleans()) and array.flags.owndata:
        array.flags.writeable = False
    return array


PYTHON = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(3**700),
    st.floats(),
    st.just(-0.0),
    st.complex_numbers(),
    st.text(max_size=3),
    st.binary(max_size=3),
    st.just(...),
    st.builds(slice, *[st.none() | st.integers(-5, 5)] * 3),
)
SCALARS = st.one_of(
    st.sampled_from(DTYPES[:15])
    .filter(lambda dtype: dtype.char not in "gG")
    .flatmap(lambda dtype: hnp.arrays(dtype, ()).map(lambda array: array[()])),
    st.sampled_from(
        [
            np.longdouble(1) / 3,
            ml_dtypes.bfloat16(0.1),
            np.str_("ab"),
            np.str_(""),
            np.bytes_(b"a"),
            np.datetime64("2024-02-29"),
            np.datetime64("NaT"),
            np.timedelta64(3, "us"),
            np.timedelta64("NaT", "D"),
        ]
    ),
)
KINDS = st.sampled_from(
    [
        *DTYPES,
        *EXTENSIONS,
        np.dtype(object),
        int,
        float,
        object,
        str,
        np.float32,
        np.bool,
        np.integer,
        np.ndarray,
        ml_dtypes.bfloat16,
        np.add,
        np.sum,
        np.linalg.norm,
        np.add.reduce,
        np.fft.fft,
        np.emath.sqrt,
        np.polynomial.polynomial.polyval,
    ]
)
ARGUMENTS = st.recursive(
    arrays() | PYTHON | SCALARS | KINDS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=2), inner, max_size=2),
        st.builds(Case, st.just("add"), st.tuples(inner)),
    ),
    max_leaves=4,
)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A case of any arguments, some of them given twice."""
    args = draw(st.lists(ARGUMENTS, max_size=3))
    if args and draw(st.booleans()):
        args.append(draw(st.sampled_from(args)))
    keys = draw(st.lists(st.sampled_from(["out", "axis", "where", "dtype"]), unique=True, max_size=2))
    return Case("concatenate", tuple(args), {key: draw(st.sampled_from(args) if args else ARGUMENTS) for key in keys})
