"""Denominators: the names of NumPy's that coverage is a share of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oracle.harness import NAMES

# https://data-apis.org/array-api/2024.12/API_specification, under the names that NumPy has for the same
_STANDARD = """e inf nan newaxis pi bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64
    complex128 astype can_cast finfo iinfo isdtype result_type
    arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros
    zeros_like
    abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_invert bitwise_or
    bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide greater
    greater_equal hypot imag isfinite isinf isnan less less_equal log log1p log2 log10 logaddexp logical_and logical_not
    logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow real reciprocal remainder
    round sign signbit sin sinh square sqrt subtract tan tanh trunc
    take take_along_axis matmul matrix_transpose tensordot vecdot
    broadcast_arrays broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile
    unstack argmax argmin count_nonzero nonzero searchsorted where unique_all unique_counts unique_inverse unique_values
    argsort sort cumulative_prod cumulative_sum max mean min prod std sum var all any diff
    linalg.cholesky linalg.cross linalg.det linalg.diagonal linalg.eigh linalg.eigvalsh linalg.inv linalg.matmul
    linalg.matrix_norm linalg.matrix_power linalg.matrix_rank linalg.matrix_transpose linalg.outer linalg.pinv linalg.qr
    linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.tensordot linalg.trace linalg.vecdot linalg.vector_norm
    fft.fft fft.ifft fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfftn fft.irfftn fft.hfft fft.ihfft fft.fftfreq
    fft.rfftfreq fft.fftshift fft.ifftshift
    ndarray.T ndarray.dtype ndarray.device ndarray.mT ndarray.ndim ndarray.shape ndarray.size ndarray.to_device
    ndarray.__abs__ ndarray.__add__ ndarray.__and__ ndarray.__array_namespace__ ndarray.__bool__ ndarray.__complex__
    ndarray.__dlpack__ ndarray.__dlpack_device__ ndarray.__eq__ ndarray.__float__ ndarray.__floordiv__ ndarray.__ge__
    ndarray.__getitem__ ndarray.__gt__ ndarray.__index__ ndarray.__int__ ndarray.__invert__ ndarray.__le__
    ndarray.__lshift__ ndarray.__lt__ ndarray.__matmul__ ndarray.__mod__ ndarray.__mul__ ndarray.__ne__ ndarray.__neg__
    ndarray.__or__ ndarray.__pos__ ndarray.__pow__ ndarray.__rshift__ ndarray.__setitem__ ndarray.__sub__
    ndarray.__truediv__ ndarray.__xor__"""


@dataclass(frozen=True)
class Denominator:
    """Names that a library is measured against, the id by which the command line has them, a label, and a phrase for so
    many of them.
    """

    id: str
    label: str
    phrase: str
    names: frozenset[str]

    def describe(self, count: int) -> str:
        """Return a phrase for so many names: "NumPy's 1269 names"."""
        return self.phrase.format(count)


FULL_NUMPY = Denominator("numpy", "NumPy API", "NumPy's {} names", frozenset(NAMES))
MAIN_NAMESPACE = Denominator(
    "main",
    "NumPy main namespace",
    "the {} names of NumPy's main namespace",
    frozenset(name for name in NAMES if "." not in name),
)
ARRAY_API = Denominator(
    "array-api", "array API", "the {} names of the array API standard", frozenset(_STANDARD.split()).intersection(NAMES)
)
DENOMINATORS: Mapping[str, Denominator] = {one.id: one for one in (FULL_NUMPY, MAIN_NAMESPACE, ARRAY_API)}
