"""Functions of arrays are those of `tfnp`, lifted: nothing is implemented twice."""

from __future__ import annotations

import ast
import functools
import operator
import types
import warnings
from pathlib import Path

import numpy
import pytest
import tensorflow as tf

import tfnp
import tfnp.numpy as np

PACKAGE = Path(np.__file__).parent
LISTS = ("functions.py", "universal.py", "linalg.py", "fft.py", "strings.py", "emath.py", "random/functions.py")
LISTS += tuple(f"polynomial/{name}.py" for name in ("chebyshev", "hermite", "hermite_e", "laguerre", "legendre"))

# What a module of the package may take from TensorFlow: classes, conversions and contexts, and the ops of view_steps.
CLASSES = {"Tensor", "Variable", "TensorShape", "TensorSpec", "DType", "string", "__internal__", "compat"}
DTYPES = {"bool"}
"""What is asked of a tensor, and calculates nothing."""
CONTEXTS = {"convert_to_tensor", "as_dtype", "init_scope", "identity"}
OPS_OF_VIEW_STEPS = {"reverse", "complex"}
OPS_OF_BLOCKS = {
    *("while_loop", "cond", "constant", "zeros", "reshape", "cast", "range", "maximum", "sign"),
    *("int64", "get_static_value"),
}
"""What loops and conditions of the graph are made of, and bounds of ranges."""
OPS = {"view_steps.py": OPS_OF_VIEW_STEPS} | dict.fromkeys(
    ("block_state.py", "block_values.py", "branches.py", "loops.py", "statements.py"), OPS_OF_BLOCKS
)
OPS["compilation.py"] = {"nest", "function", "config"}
OPS["derivatives.py"] = {"nest", "GradientTape", "UnconnectedGradients", "constant", "ensure_shape"}
OPS["mapping.py"] = {"nest", "function", "vectorized_map", "map_fn"}
OPS["loop_gradients.py"] = {"RegisterGradient", "constant", "get_static_value"}

STATISTICS = "mean var std median nanmax nanmean nanmedian nanmin nanquantile nanstd"

# Names that are not for NumPy programs.
LEFT_OUT = {"disable_numpy_behavior", "experimental_enable_numpy_behavior", "numpy_behavior"}
LEFT_OUT |= {"install"}


def list_assignments(path):
    for node in ast.parse((PACKAGE / path).read_text()).body:
        if isinstance(node, ast.Assign) and not node.targets[0].id.startswith("_"):
            yield node.targets[0].id, node.value


@pytest.mark.parametrize("path", LISTS)
def test_a_function_lifts_that_of_the_same_name(path):
    for name, value in list_assignments(path):
        if isinstance(value, ast.Call):
            lifted = {node.attr for node in ast.walk(value) if isinstance(node, ast.Attribute)}
            assert name in lifted, f"{path}: {name} lifts {lifted}"
        else:
            assert isinstance(value, ast.Name | ast.Attribute), f"{path}: {name} is made otherwise"


def test_no_module_calculates():
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        used = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "tf"
        }
        allowed = CLASSES | CONTEXTS | DTYPES | OPS.get(path.name, set())
        assert used <= allowed, f"{path.name} uses {used - allowed}: a function of tfnp is lifted instead"


def test_every_public_name_of_tfnp_is_here():
    names = {name for name in dir(tfnp) if not name.startswith("_")} - LEFT_OUT
    assert sorted(names - set(vars(np))) == []


def test_every_public_name_of_numpy_is_here():
    assert [name for name in numpy.__all__ if not hasattr(np, name)] == []


@pytest.mark.parametrize("module", ["linalg", "fft", "random", "polynomial", "strings"])
def test_a_submodule_has_numpys_functions(module):
    own, theirs = np, numpy
    for part in module.split("."):
        own, theirs = getattr(own, part), getattr(theirs, part)
    left_out = {"get_bit_generator", "set_bit_generator", "test"}
    missing = {name for name in theirs.__all__ if not hasattr(own, name)} - left_out
    assert missing == set()


MODULES = "linalg random fft polynomial typing exceptions dtypes lib.stride_tricks lib.scimath lib.mixins testing"
MODULES += " random.mtrand ma polynomial.chebyshev char rec"


@pytest.mark.parametrize("name", MODULES.split())
def test_a_submodule_is_imported_as_numpys(name):
    namespace: dict = {}
    exec(f"import tfnp.numpy.{name} as module", namespace)
    assert isinstance(namespace["module"], types.ModuleType)


def test_aliases_are_the_same_function():
    pairs = [name for name in dir(numpy) if isinstance(getattr(numpy, name), numpy.ufunc)]
    for name in pairs:
        own = getattr(np, name)
        if isinstance(own, np.ufunc):
            assert own is getattr(np, getattr(numpy, name).__name__), name


def test_a_ufunc_of_scalars_returns_numpys_scalar():
    for call in (
        lambda np: np.sin(0.3),
        lambda np: np.hypot(numpy.float32(3), 4),
        lambda np: np.add(True, numpy.uint8(2)),
    ):
        assert type(call(np)) is type(call(numpy))
        assert call(np) == call(numpy)
    with tfnp.numpy_behavior(prefer_float32=True):
        assert np.sin(0.3).dtype == "float32"


def test_operators_and_ufuncs_of_rank_0_return_numpys_scalars():
    for make in (lambda np: np.asarray(2.5), lambda np: np.asarray(numpy.int32(-7)), lambda np: np.asarray(True)):
        for call in (
            abs,
            lambda x: x + 1,
            lambda x: 2 / x,
            lambda x: numpy.float32(2) * x,
            lambda x: x == 1,
        ):
            actual, expected = call(make(np)), call(make(numpy))
            assert type(actual) is type(expected)
            assert actual == expected


def test_scalars_obey_errstate():
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        np.log(np.float64(0))
    assert np.geterr() == numpy.geterr()


def test_arrays_obey_errstate_that_asks_for_errors():
    x = np.array([1.0, 0.0])
    calls = [lambda: 1.0 / x, lambda: np.log(x), lambda: x.copy().__itruediv__(0.0), lambda: np.exp(x, out=x * 1e3)]
    with np.errstate(all="raise"):
        for call in calls[:3]:
            with pytest.raises(FloatingPointError):
                call()
        calls[3]()
    with np.errstate(all="warn"), pytest.warns(RuntimeWarning, match="underflow"):
        np.exp(x - 750.0)
    assert np.log(x)[1] == -numpy.inf
    previous = np.seterr(divide="raise")
    with pytest.raises(FloatingPointError):
        x / 0.0
    np.seterr(**previous)
    assert (x / 0.0)[0] == numpy.inf


def test_ufuncs_are_equal_to_numpys():
    assert np.add == numpy.add
    assert numpy.add == np.add
    assert np.add != np.subtract
    assert {numpy.add: 1}[np.add] == 1
    assert isinstance(numpy.add, np.ufunc)
    assert not isinstance(len, np.ufunc)


@pytest.mark.parametrize("name", STATISTICS.split())
def test_statistics_of_nothing_warn_as_numpys(name):
    more = (0.5,) if "quantile" in name else ()
    data = numpy.array([[1.0, 2.0], [numpy.nan, numpy.nan]]) if "nan" in name else numpy.zeros((2, 0))
    messages = []
    for namespace in (numpy, np):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            getattr(namespace, name)(namespace.array(data), *more, axis=1)
            getattr(namespace, name)(namespace.ones(3), *more)
        messages.append([str(one.message) for one in caught])
    assert messages[0] == messages[1] != []


def test_methods_of_nothing_warn():
    with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        np.zeros(0).mean()


def test_means_are_traced_for_all_lengths():
    traced = tf.function(lambda x: (np.mean(x), x.mean(), np.nanmax(x)), input_signature=[np.ArraySpec([None])])
    assert [float(value) for value in traced(np.array([1.0, 3.0]))] == [2.0, 2.0, 3.0]


@pytest.mark.parametrize("name", ["normal", "poisson", "random_sample"])
def test_one_random_number_is_an_array_if_its_size_is_empty(name):
    for namespace in (numpy, np):
        for source in (namespace.random, namespace.random.RandomState(0)):
            assert not isinstance(getattr(source, name)(), namespace.ndarray)
            for size in ((), [], namespace.zeros(0, int)):
                drawn = getattr(source, name)(size=size)
                assert isinstance(drawn, namespace.ndarray)
                assert drawn.shape == ()


LARGE = 131073
REPEATED = (
    ("diff", [1.0, 2.0, 4.0], LARGE),
    ("diff", [True, False], LARGE),
    ("diff", [[1, 4, 9, 16]], 3),
    ("polyder", [1, 2, 3], 3),
    ("polyder", [2.0, 1.0, 0.0, 5.0], 2),
    ("polynomial.legendre.legder", [1.0, 2.0, 3.0], LARGE),
    ("polynomial.polynomial.polypow", [1.0], LARGE),
    ("polynomial.chebyshev.chebpow", [0.5, 0.25], 150, 200),
    ("linalg.matrix_power", [[0.5, 0.5], [0.5, 0.5]], LARGE),
    ("rot90", [[1, 2], [3, 4]], LARGE),
    ("pad", [1, 2, 3], LARGE, "reflect"),
)


def call_repeated(function, options, x):
    return function(np)(x, *options)


@pytest.mark.parametrize("mode", ["eager", "graph", "dims"])
def test_large_counts_take_no_more_steps_than_there_are_elements(mode):
    for name, values, *options in REPEATED:
        function = operator.attrgetter(name)
        if (mode == "dims" and name not in ("diff", "polyder")) or (mode == "graph" and name.endswith("pow")):
            continue
        x = numpy.array(values)
        spec = np.ArraySpec([None] * x.ndim if mode == "dims" else x.shape, tf.as_dtype(x.dtype))
        call = functools.partial(call_repeated, function, options)
        with np.calculate_with("tensorflow"):
            traced = call if mode == "eager" else tf.function(call, input_signature=[spec], autograph=False)
            actual = traced(np.array(x))
        expected = function(numpy)(x, *options)
        numpy.testing.assert_allclose(actual, expected, rtol=1e-13, err_msg=name)
        assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype), name
    assert np.polyder(np.ones(3), LARGE).shape == (0,)  # NumPy raises RecursionError


@pytest.mark.parametrize("mode", ["eager", "graph", "xla"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_quotients_and_remainders_of_subnormal_numbers_are_exact(mode, dtype):
    counts = numpy.array([0, 1, 2, 3, 7, 1000, -1, -3, -7])
    tiny = (counts * numpy.finfo(dtype).smallest_subnormal).astype(dtype)
    values = numpy.concatenate(
        [tiny, numpy.array([1, -2.5, numpy.finfo(dtype).tiny, -0.0, numpy.inf, numpy.nan], dtype)]
    )
    x, y = (part.ravel() for part in numpy.meshgrid(values, values))
    for name in ("floor_divide", "remainder", "fmod", "divmod"):
        function = getattr(tfnp, name)
        call = function if mode == "eager" else tf.function(function, jit_compile=mode == "xla", autograph=False)
        with numpy.errstate(all="ignore"):
            expected = getattr(numpy, name)(x, y)
        for repeats in (1, 200):  # long arrays are divided in another way
            actual = call(*(tf.constant(numpy.tile(operand, repeats)) for operand in (x, y)))
            for one, other in zip(*(v if isinstance(v, tuple) else (v,) for v in (actual, expected)), strict=True):
                result, wanted = one.numpy(), numpy.tile(other, repeats)
                numpy.testing.assert_array_equal(result, wanted, err_msg=name)
                is_number = ~numpy.isnan(wanted)
                numpy.testing.assert_array_equal(numpy.signbit(result)[is_number], numpy.signbit(wanted)[is_number])


def test_long_complex_quotients_have_numpys_bits_and_a_gradient():
    reals = numpy.array([0.0, -0.0, 1.5, -2.0, 1e300, 1e-310, numpy.inf, numpy.nan])
    values = (reals[:, None] + 1j * reals).ravel()
    x, y = (numpy.tile(part.ravel(), 3) for part in numpy.meshgrid(values, values))
    with numpy.errstate(all="ignore"):
        numpy.testing.assert_array_equal(tfnp.divide(tf.constant(x), tf.constant(y)).numpy(), x / y)
    x, y = numpy.full(10_000, 1 + 2j), numpy.full(10_000, 3 - 1j)
    slopes = np.grad(lambda x, y: (x / y).real.sum(), (0, 1))(np.array(x), np.array(y))
    numpy.testing.assert_allclose(slopes, [numpy.conj(1 / y), numpy.conj(-x / y**2)], rtol=1e-14)
