"""Linear algebra is judged by backward error: other algorithms pass, and what is wrong does not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from oracle import Case, run_numpy
from oracle.equality.linalg import ENTRIES, check_linalg, is_checked
from tests.oracle.equality import algorithms, matrices

A = matrices.random(1)
COMPLEX = matrices.random(2, dtype=np.complex128)
HERMITIAN = COMPLEX + COMPLEX.conj().T
DEFINITE = matrices.definite(10, 3, dtype=np.complex128)
TALL = matrices.random(4, 3, m=5)
STACK = np.stack([A, np.eye(4), matrices.random(5)])
EDGE = np.array([[2.0, -2, 10], [3, 1, 7], [10, 10, 10]])
SINGLE = A.astype(np.float32)
NAN, INF = np.nan, np.inf


def expected_of(name, *args, **kwargs):
    return getattr(np.linalg, name)(*args, **kwargs)


def check(name, args, actual, **kwargs):
    case = Case(f"linalg.{name}", tuple(args), kwargs)
    return check_linalg(case, run_numpy(case).value, actual)


def as_dtypes_of(expected, parts):
    """The parts in the dtypes of NumPy's; real ones as they are."""
    if not isinstance(expected, tuple):
        return np.asarray(parts).astype(
            np.result_type(np.asarray(expected), np.asarray(parts).real[()] * 0 + 0j)
            if np.iscomplexobj(parts)
            else np.asarray(expected).dtype
        )
    return tuple(as_dtypes_of(one, part) for one, part in zip(expected, parts, strict=True))


def passes(name, args, actual, **kwargs):
    found = check(name, args, as_dtypes_of(expected_of(name, *args, **kwargs), actual), **kwargs)
    assert not found.deviations, found.deviations[0].detail
    return not found.undecided


def in_double(a):
    return a.astype(np.result_type(a, np.float64))


KINDS = [pytest.param(a, id=name) for name, a in matrices.REGULAR.items()]


@pytest.mark.parametrize("a", KINDS)
def test_elimination_passes(a):
    wide, b = in_double(a), matrices.random(50, 3, m=len(a))
    passes("solve", (a, b), algorithms.solve(wide, b))
    passes("inv", (a,), algorithms.inv(wide))
    passes("det", (a,), algorithms.det(wide))
    passes("slogdet", (a,), algorithms.slogdet(wide))
    for order in (1, -1, np.inf, -np.inf, "fro"):
        passes("cond", (a, order), np.linalg.norm(wide, order) * np.linalg.norm(algorithms.inv(wide), order))


@pytest.mark.parametrize("a", KINDS)
def test_rotations_pass(a):
    wide = in_double(a)
    hermitian = (a + a.conj().T) if a.dtype.kind in "fc" else a + a.T
    values, vectors = algorithms.eigh(in_double(hermitian))
    passes("eigh", (hermitian,), (values, vectors))
    passes("eigvalsh", (hermitian,), values)
    if 0 < np.abs(wide).max() * 1e-200 > np.abs(wide).min():
        return  # the lengths of columns underflow
    u, s, vh = algorithms.svd(wide)
    passes("svd", (a,), (u, s, vh))
    passes("svdvals", (a,), s)
    passes("cond", (a,), s[0] / s[-1])
    passes("norm", (a, "nuc"), s.sum())
    passes("norm", (a, -2), s[-1])
    passes("pinv", (a,), (vh.conj().T / s) @ u.conj().T)


@pytest.mark.parametrize("units", [15, 60])
def test_vectors_are_as_exact_as_those_that_lapack_iterates_for(units):
    """As for [[1000, 1, 7], [1, -1, -2], [-2, 2, 10]], of which LAPACK's factors multiply to 12 units from it."""
    a = np.array([[4.0, 10, 10], [10, 3, 0], [10, 0, 5]])
    angle = units * 3 * np.finfo(float).eps
    turn = np.array([[1, -angle, 0], [angle, 1, 0], [0, 0, 1]])
    u, s, vh = np.linalg.svd(a)
    values, vectors = np.linalg.eigh(a)
    assert bool(check("svd", (a,), (u @ turn, s, vh)).deviations) == (units > 30)
    assert bool(check("eigh", (a,), (values, vectors @ turn)).deviations) == (units > 30)


@pytest.mark.parametrize("a", KINDS)
def test_other_factors_pass(a):
    q, r = algorithms.qr(in_double(a))
    passes("qr", (a,), (q, r))
    passes("qr", (a, "r"), r)
    values, vectors = algorithms.eig(in_double(a))
    passes("eig", (a,), (values, vectors))
    passes("eigvals", (a,), values)
    passes(
        "multi_dot",
        ([a, matrices.random(50, 3, m=len(a)), matrices.random(51, len(a), m=3)],),
        a @ (matrices.random(50, 3, m=len(a)) @ matrices.random(51, len(a), m=3)),
    )
    if a.dtype.kind in "fc":
        passes("matrix_power", (a, 3), algorithms.power(a, 3))
    passes("matrix_power", (a, -2), algorithms.power(in_double(a), -2))


@pytest.mark.parametrize("condition", [1.0, 1e4, 1e8, 1e13])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128, np.float32, np.complex64])
def test_cholesky_by_columns_passes(condition, dtype):
    a = matrices.definite(
        min(condition, 1e5) if np.dtype(dtype).itemsize < 8 + 8 * (dtype == np.complex64) else condition, 1
    )
    a = a.astype(dtype)
    passes("cholesky", (a,), algorithms.cholesky(in_double(a)))
    passes("cholesky", (a,), algorithms.cholesky(in_double(a)).conj().T, upper=True)


@pytest.mark.parametrize("a", [matrices.SINGULAR, matrices.RANK_ONE, EDGE], ids=["rank 2", "rank 1", "edge"])
def test_a_determinant_of_rounding_errors_is_as_small_as_they_are(a):
    assert passes("det", (a,), algorithms.det(a))
    assert passes("det", (a,), 0.0)
    passes("slogdet", (a,), (0.0, -np.inf))
    assert check("det", (a,), np.float64(1e-9 * np.abs(a).max() ** 3)).deviations
    assert check("slogdet", (a,), (np.float64(1), np.float64(-20))).deviations
    assert check("slogdet", (a,), (np.float64(0), np.float64(-40))).deviations


def test_no_elements():
    none = np.zeros((2, 0, 0))
    for name in ("det", "slogdet", "inv", "eigvals", "eigh", "cholesky"):
        assert passes(name, (none,), expected_of(name, none))
    assert check("det", (none,), np.zeros(2)).deviations
    assert passes("pinv", (np.zeros((3, 0)),), np.zeros((0, 3)), hermitian=True)


def rounded(value):
    """The result of a computation in float32."""
    if isinstance(value, tuple):
        return type(value)(*map(rounded, value)) if hasattr(value, "_fields") else tuple(map(rounded, value))
    value = np.asarray(value)
    single = {"f": np.float32, "c": np.complex64}.get(value.dtype.kind)
    return value if single is None else value.astype(single).astype(value.dtype)


CALLS = {
    "cholesky": (DEFINITE,), "cond": (A,), "det": (A,), "eig": (A,), "eigh": (HERMITIAN,), "eigvals": (A,),
    "eigvalsh": (HERMITIAN,), "inv": (A,), "lstsq": (TALL, np.arange(5.0)), "matrix_norm": (A,),
    "matrix_power": (A, 3), "multi_dot": ([A, A, A],), "norm": (A, "nuc"), "pinv": (TALL,), "qr": (A,), "slogdet": (A,),
    "solve": (A, np.arange(4.0)), "svd": (TALL,), "svdvals": (A,), "tensorinv": (A.reshape(2, 2, 4), 2),
    "tensorsolve": (A.reshape(2, 2, 2, 2), np.ones((2, 2))),
}  # fmt: skip
OPTIONS = {"matrix_norm": {"ord": 2}}


@pytest.mark.parametrize("name", CALLS)
def test_single_precision_is_noticed(name):
    options = OPTIONS.get(name, {})
    expected = expected_of(name, *CALLS[name], **options)
    assert check(name, CALLS[name], rounded(expected), **options).deviations
    assert not check(name, CALLS[name], expected, **options).deviations


def nudged(value, part):
    parts = [np.array(one) for one in (value if isinstance(value, tuple) else (value,))]
    index = np.unravel_index(np.argmax(np.abs(parts[part])), parts[part].shape)
    parts[part][index] *= 1 + 1e-9
    return tuple(parts) if isinstance(value, tuple) else parts[0]


@pytest.mark.parametrize(
    ("name", "part"),
    [(name, 0) for name in CALLS] + [("eig", 1), ("eigh", 1), ("lstsq", 1), ("lstsq", 3), ("qr", 1), ("slogdet", 1),
                                     ("svd", 1), ("svd", 2)],
)  # fmt: skip
def test_one_element_a_billionth_off_is_noticed(name, part):
    if (name, part) == ("slogdet", 0):
        return  # a sign
    options = OPTIONS.get(name, {})
    assert check(name, CALLS[name], nudged(expected_of(name, *CALLS[name], **options), part), **options).deviations


def test_the_last_digits_of_single_precision_are_judged():
    for name in ("inv", "det", "svdvals", "eigvals"):
        expected = expected_of(name, SINGLE)
        assert check(name, (SINGLE,), expected * np.float32(1 + 2.0**-19)).deviations
        assert not check(name, (SINGLE,), (expected_of(name, in_double(SINGLE))).astype(expected.dtype)).deviations


Q, R = np.linalg.qr(A)
U, S, VH = np.linalg.svd(TALL)
W, V = np.linalg.eigh(HERMITIAN)
WG, VG = np.linalg.eig(A)
L = np.linalg.cholesky(DEFINITE)
GENERAL = np.linalg.inv(COMPLEX)
TURN = np.array([[0.6, -0.8, 0, 0], [0.8, 0.6, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
NONFINITE = np.array([[INF, 0], [0, 1.0]])
LOST = np.array([[NAN, 0], [0, 1.0]])
FAR = np.array([[1.0, 1e300], [1e-300, 3.0]])
APART = np.array([[1.0, 1e140], [1e-140, 3.0]])
MIXED = np.stack([LOST, 2 * np.eye(2)])

WRONG = {
    "a transposed inverse": ("inv", (A,), np.linalg.inv(A).T),
    "a conjugate inverse": ("inv", (COMPLEX,), GENERAL.conj()),
    "an identity for an inverse": ("inv", (A,), np.eye(4)),
    "one matrix of a stack inverted twice": ("inv", (STACK,), np.linalg.inv(STACK)[[0, 1, 0]]),
    "an inverse of NaN": ("inv", (A,), np.full((4, 4), NAN)),
    "a finite inverse beside infinity": ("inv", (NONFINITE,), 7 * np.eye(2)),
    "a wrong matrix beside a lost one": ("inv", (MIXED,), np.stack([np.full((2, 2), NAN), np.eye(2)])),
    "a lost stack": ("inv", (MIXED,), np.full((2, 2, 2), NAN)),
    "the determinant of the transposed rows": ("det", (A,), -np.linalg.det(A)),
    "a finite determinant of infinity": ("det", (NONFINITE,), np.float64(-3)),
    "a determinant of zero": ("det", (A,), np.float64(0)),
    "a conjugate determinant": ("det", (COMPLEX,), np.linalg.det(COMPLEX).conj()),
    "a determinant of NaN": ("det", (A,), np.float64(NAN)),
    "the other sign": ("slogdet", (A,), (-np.linalg.slogdet(A)[0], np.linalg.slogdet(A)[1])),
    "a logarithm of minus infinity": ("slogdet", (A,), (np.float64(0), np.float64(-INF))),
    "a binary logarithm": ("slogdet", (A,), (np.linalg.slogdet(A)[0], np.linalg.slogdet(A)[1] / np.log(2))),
    "a finite solution of NaN": ("solve", (np.eye(2), np.array([NAN, 1])), np.array([5.0, 1])),
    "a wrong element beside NaN": ("solve", (np.eye(2), np.array([NAN, 1])), np.array([NAN, 2])),
    "the solution of the transposed": ("solve", (A, np.ones(4)), np.linalg.solve(A.T, np.ones(4))),
    "columns that change places": ("solve", (A, np.eye(4)[:, :2]), np.linalg.solve(A, np.eye(4)[:, 1::-1])),
    "a tensor with axes exchanged": ("tensorinv", (A.reshape(2, 2, 4), 2),
                                     np.linalg.tensorinv(A.reshape(2, 2, 4), 2).transpose(0, 2, 1)),
    "the upper triangle": ("cholesky", (DEFINITE,), L.conj().T),
    "a transpose that is not conjugate": ("cholesky", (DEFINITE,), L.T, {"upper": True}),
    "an identity for a factor": ("cholesky", (DEFINITE,), np.eye(4) + 0j),
    "a negative diagonal": ("cholesky", (DEFINITE,), -L),
    "an identity of infinity": ("cholesky", (NONFINITE,), np.eye(2)),
    "a factor that is not triangular": ("qr", (A,), (Q @ TURN, TURN.T @ R)),
    "a factor that is not orthonormal": ("qr", (A,), (2 * Q, R / 2)),
    "factors of NaN": ("qr", (A,), (np.full((4, 4), NAN), np.full((4, 4), NAN))),
    "a turned triangle": ("qr", (A, "r"), TURN.T @ R),
    "a doubled reflection": ("qr", (A, "raw"), (2 * np.linalg.qr(A, "raw")[0], np.linalg.qr(A, "raw")[1])),
    "unsorted singular values": ("svdvals", (A,), np.linalg.svdvals(A)[::-1]),
    "a negative singular value": ("svdvals", (A,), np.linalg.svdvals(A) * [1, 1, 1, -1]),
    "finite singular values of NaN": ("svdvals", (NONFINITE,), np.array([3.0, 1])),
    "a decomposition that is not conjugate": ("svd", (COMPLEX,), tuple(
        part if i < 2 else part.conj() for i, part in enumerate(np.linalg.svd(COMPLEX)))),
    "a decomposition of the transposed": ("svd", (A,), (VH4 := np.linalg.svd(A))[::-1][:0] or
                                          (VH4[2].T, VH4[1], VH4[0].T)),
    "vectors that change places": ("svd", (TALL,), (U[:, [1, 0, 2, 3, 4]], S, VH)),
    "negative values beside turned vectors": ("svd", (TALL,), (U * [1, 1, -1, 1, 1], S * [1, 1, -1], VH)),
    "vectors of NaN": ("eig", (A,), (WG, np.full_like(VG, NAN))),
    "vectors that are too long": ("eig", (A,), (WG, 2 * VG)),
    "vectors of other eigenvalues": ("eig", (A,), (WG, VG[:, [1, 0, 2, 3]])),
    "the other triangle": ("eigh", (np.triu(HERMITIAN),), (W, V)),
    "unsorted eigenvalues": ("eigvalsh", (HERMITIAN,), W[::-1]),
    "vectors as rows": ("eigh", (HERMITIAN,), (W, V.T)),
    "vectors that are not conjugate": ("eigh", (HERMITIAN,), (W, V.conj())),
    "an eigenvalue twice": ("eigvals", (A,), WG[[0, 0, 2, 3]]),
    "eigenvalues of the opposite": ("eigvals", (A,), -WG),
    "a double eigenvalue pulled apart": ("eigvals", (np.diag([2.0, 2, 1]),), np.array([2 + 1e-7, 2 - 1e-7, 1])),
    "a small eigenvalue of another size": ("eigvals", (np.diag([1e300, 2.0]),), np.array([1e300, 4.0])),
    "eigenvalues of entries far apart": ("eigvals", (APART,), 2 * np.linalg.eigvals(APART)),
    "vectors of entries far apart": ("eig", (APART,), (
        np.linalg.eig(APART)[0], np.linalg.eig(APART)[1][:, ::-1])),
    "a condition that is too small": ("cond", (matrices.with_condition(1e10, 1),), np.float64(1e9)),
    "a condition of a good matrix": ("cond", (np.eye(2),), np.float64(1e15)),
    "an infinite condition": ("cond", (A, 1), np.float64(INF)),
    "a finite condition of NaN": ("cond", (LOST, 1), np.float64(3)),
    "a norm of the largest element": ("norm", (A, 2), np.abs(A).max()),
    "a rank without tolerance": ("matrix_rank", (matrices.RANK_ONE,), np.int64(3)),
    "a rank too low": ("matrix_rank", (np.diag([1.0, 2**-30]),), np.int64(1)),
    "the inverse for a power": ("matrix_power", (A, -3), np.linalg.matrix_power(A, 3)),
    "a power too high": ("matrix_power", (A, 3), np.linalg.matrix_power(A, 4)),
    "factors in another order": ("multi_dot", ([A, STACK[2], A],), A @ A @ STACK[2]),
    "a pseudoinverse that is not conjugate": ("pinv", (COMPLEX,), GENERAL.conj()),
    "a pseudoinverse of more than the rank": ("pinv", (np.diag([1.0, 1e-9]), 1e-8), np.diag([1.0, 1e9])),
    "residuals that are roots": ("lstsq", (TALL, np.arange(5.0)), tuple(
        part if i != 1 else part**0.5 for i, part in enumerate(np.linalg.lstsq(TALL, np.arange(5.0))))),
    "a solution that is not the shortest": ("lstsq", (np.ones((3, 2)), np.ones(3)), (
        np.array([1.0, 0]), np.zeros(0), np.int32(1), np.linalg.svdvals(np.ones((3, 2))))),
    "a rank of least squares": ("lstsq", (TALL, np.arange(5.0)), tuple(
        part if i != 2 else np.int32(2) for i, part in enumerate(np.linalg.lstsq(TALL, np.arange(5.0))))),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_noticed(what):
    name, args, actual, *options = WRONG[what]
    found = check(name, args, actual, **(options[0] if options else {}))
    assert found.deviations
    assert found.deviations[0].kind == "value"
    assert found.deviations[0].wrong is None or found.deviations[0].wrong.any()


@pytest.mark.parametrize(
    ("name", "args", "actual"),
    [
        ("solve", (np.eye(2), np.array([NAN, 1])), np.array([NAN, 1.0])),
        ("inv", (LOST,), np.full((2, 2), NAN)),
        ("inv", (NONFINITE,), np.diag([0.0, 1])),
        ("det", (LOST,), np.float64(INF)),
        ("cond", (np.ones((2, 2)),), np.float64(INF)),
        ("cond", (EDGE,), np.float64(INF)),
        ("eigvals", (matrices.DEFECTIVE,), np.array([2.0, 2, 2])),
        ("eigvals", (matrices.TURNED_DEFECTIVE,), 2 + 3e-6 * np.exp(2j * np.pi * np.arange(3) / 3)),
        ("eigvals", (np.diag([1.0, 2]),), np.array([2, 1 + 0j])),
        ("eigvals", (FAR,), np.array([2 - 2**0.5, 2 + 2**0.5])),
        ("slogdet", (np.array([[1, NAN], [2, 1]]),), (np.float64(1), np.float64(NAN))),
        ("matrix_rank", (np.diag([1.0, 2**-30]), 2**-30), np.int64(2)),
    ],
)
def test_what_is_open_passes(name, args, actual):
    assert not check(name, args, actual).deviations


def test_no_evidence_is_undecided():
    a = matrices.with_condition(3e14, 1)
    u, s, vh = np.linalg.svd(a)
    assert check("pinv", (a,), (vh.T / (s + np.array([0, 0, 0, 2e-16]))) @ u.T).undecided
    assert check("pinv", (a,), np.eye(4)).deviations
    assert check("pinv", (a,), np.full((4, 4), np.nan)).deviations
    case = Case("linalg.inv", (Case("add", (A, A)),))
    assert check_linalg(case, A, A).undecided


def moved_in_memory(case):
    """The case over arrays that lie by columns, and over such as are read backwards."""
    numeric = "biufc"
    yield case.map_arrays(lambda a: np.asfortranarray(a) if a.dtype.kind in numeric else a)
    yield case.map_arrays(lambda a: a[..., ::-1].copy()[..., ::-1] if a.ndim and a.dtype.kind in numeric else a)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", sorted({*ENTRIES, "linalg.multi_dot"}))
def test_numpy_agrees_with_itself(name):
    """With arrays in another order, of which BLAS adds in another one, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(70):
            case = draw_case(SeedChoices(seed), name)
            expected = run_numpy(case)
            if not is_checked(case) or not expected.ok:
                continue
            for other in filter(lambda outcome: outcome.ok, map(run_numpy, moved_in_memory(case))):
                found = check_linalg(case, expected.value, other.value)
                assert not found.deviations, (case, found.deviations[0].detail)
