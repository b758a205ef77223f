"""Grouping by cause: what one fix would mend is one cause, and nothing is lost."""

from __future__ import annotations

import hashlib

import pytest

from fuzz.differences import find_parameter
from fuzz.triage.root_cause import READABLE, SEVERITY, group_findings, rank_kind, split_detail, strip_noise
from oracle.harness import KINDS


def row(name="add", kind="value", detail="expected 1.0, got 2.0", **others):
    identity = f"f-{hashlib.sha256(f'{name}{kind}{detail}{others}'.encode()).hexdigest()[:10]}"
    return {
        "id": identity,
        "name": name,
        "kind": kind,
        "modes": ["eager"],
        "dtype": "float",
        "detail": detail,
        "minimal": f"np.{name}(0.0)",
        "reproduced": True,
        "known": False,
    } | others


def unknown(parameter):
    return f"TypeError: f() got an unexpected keyword argument '{parameter}'; NumPy gives 0.0"


def test_a_lacking_parameter_is_one_cause_however_it_shows():
    causes = group_findings(
        [
            row("add", "spurious error", unknown("out")),
            row("sin", "different error", f"NumPy raises ValueError: no; got {unknown('out').split(';')[0]}"),
            row(
                "cos",
                "spurious error",
                "TypeError: cos() takes 1 positional argument but 2 were given; NumPy gives 1.0",
            ),
            row("exp", "signature", "TypeError: exp() got an unexpected keyword argument 'out'"),
            row("exp", "spurious error", unknown("where")),
        ]
    )
    assert [(cause.title, cause.names) for cause in causes] == [
        ("`out=` is not accepted", ("add", "cos", "exp", "sin")),
        ("`where=` is not accepted", ("exp",)),
    ]
    assert {cause.kind for cause in causes} == {"signature"}


def test_parameters_that_the_same_functions_lack_are_one_cause():
    rows = [row(name, "spurious error", unknown(key)) for name in ("std", "var") for key in ("correction", "mean")]
    (cause,) = group_findings(rows)
    assert cause.title == "`correction=` and `mean=` are not accepted"
    assert (cause.names, cause.count) == (("std", "var"), 4)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "AttributeError: EagerTensor object has no attribute 'astype'.; NumPy gives 0.0",
            "AttributeError: SymbolicTensor object has no attribute 'astype'; NumPy gives np.float64(1.0)",
        ),
        (
            "InvalidArgumentError: Value for attr 'T' of bool is not in the list of allowed values: h; NumPy gives 1",
            "InvalidArgumentError: Value for attr 'N' of uint8 is not in the list of allowed values: i; NumPy gives 2",
        ),
        (
            "ValueError: Argument to tril must have rank at least 2; NumPy gives 0.0",
            "ValueError: Argument to triu must have rank at least 3; NumPy gives 0.0",
        ),
        (
            "TypeError: Cannot convert 57.3 to EagerTensor of dtype int64; NumPy gives 0.0",
            "InvalidArgumentError: cannot compute Mul as input #1 was expected to be a double tensor but is a int64",
        ),
    ],
)
def test_the_same_message_behind_several_names_is_one_cause(one, other):
    (cause,) = group_findings([row("tril", "spurious error", one), row("triu", "spurious error", other)])
    assert cause.names == ("tril", "triu")


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("spurious error", "AttributeError: no attribute 'astype'; NumPy gives 0", "TypeError: a b c; NumPy gives 0"),
        ("dtype", "expected float64, got float32", "expected int64, got int32"),
        ("structure", "expected (0.0, 1.0), got [0.0, 1.0]", "expected np.float64(0.0), got 0.0"),
        ("missing error", "NumPy raises ValueError: Axes must differ; got 0", "NumPy raises TypeError: no; got 0"),
        ("value", "expected 1.0, got 2.0", "expected 0.0, got -0.0"),
        ("crash", "SIGABRT: f.cc:12", "SIGSEGV: g (h.py:3)"),
    ],
)  # fmt: skip
def test_what_has_another_cause_stays_apart(kind, one, other):
    assert len(group_findings([row("tril", kind, one), row("triu", kind, other)])) == 2


def test_dtypes_are_one_cause_by_what_they_depend_on():
    pairs = [
        ("float64", "float32"),
        ("complex128", "complex64"),
        ("int64", "int32"),
        ("bool", "int64"),
        ("bool", "int8"),
    ]
    rows = [
        row(f"tr{a}", "dtype", f"expected {a}, got {b}", minimal="np.f(x)", symptom=symptom)
        for (a, b), symptom in zip(
            pairs, ("narrower float", "narrower complex", "narrower int", "int for bool", "int for bool"), strict=True
        )
    ]
    causes = group_findings(rows)
    assert len(causes) == 4
    (joined,) = (cause for cause in causes if cause.count == 2)
    assert joined.title.endswith("where NumPy gives bool, and 1 other pair: int for bool")
    asked = [
        row("cumsum", "dtype", f"expected {a}, got {b}", minimal=f"np.cumsum(np.array([1]), dtype=np.{a})")
        for a, b in pairs
    ]
    (cause,) = group_findings(asked)
    assert cause.title == "`cumsum` does not give the dtype that is asked for"


def test_methods_of_ufuncs_that_ignore_a_dtype_have_one_cause():
    names = ("add.reduce", "hypot.reduce")
    asked = [row(name, "dtype", "expected int8, got int64", minimal=f"np.{name}(x, dtype=np.int8)") for name in names]
    (cause,) = group_findings(asked)
    assert cause.title == "`ufunc.reduce` does not give the dtype that is asked for"
    assert cause.names == names


def test_numbers_that_decide_on_the_dtype_have_one_cause():
    wrong = [
        row("add", "dtype", "expected uint8, got int64", symptom="strong number"),
        row("multiply", "value", "expected 2, got 258; also dtype: expected uint8, got int64", symptom="strong number"),
        row("divide", "dtype", "expected float32, got float64", symptom="strong number"),
    ]
    (cause,) = group_findings(wrong)
    assert cause.title == "A Python number decides on the dtype as an array would: 258 where NumPy gives 2"


def test_aliases_of_a_function_have_one_cause():
    (cause,) = group_findings([row("abs"), row("absolute")])
    assert cause.names == ("abs", "absolute")


def test_the_worst_come_first_and_what_is_known_last():
    details = {
        "missing error": "NumPy raises ValueError: no; got 1",
        "crash": "SIGSEGV",
        "dtype": "expected int8, got int16",
    }
    rows = [row("sin", kind, detail) for kind, detail in details.items()] + [row("sin"), row("cos", known=True)]
    assert [cause.kind for cause in group_findings(rows)] == ["crash", "value", "dtype", "missing error", "value"]
    assert group_findings(rows)[-1].new == 0


def test_every_kind_has_a_rank():
    assert set(KINDS) <= set(SEVERITY)
    assert (
        rank_kind("crash")
        < rank_kind("value")
        < rank_kind("dtype")
        < rank_kind("missing error")
        < rank_kind("different error")
    )


def test_no_finding_is_lost_or_told_twice_and_ids_do_not_depend_on_the_order():
    names = [f"name{number}" for number in range(400)]
    rows = [
        row(name, "missing error", f"NumPy raises ValueError: {'x' * number}; got 1")
        for number, name in enumerate(names)
    ]
    rows += [row(name, "spurious error", unknown(f"p{number}")) for number, name in enumerate(names)]
    rows += [
        row(name, "different error", f"NumPy raises ValueError: no; got Error{number}: no")
        for number, name in enumerate(names)
    ]
    causes = group_findings(rows)
    told = [found["id"] for cause in causes for found in cause.rows]
    assert sorted(told) == sorted(found["id"] for found in rows)
    assert len(causes) <= READABLE
    again = group_findings(rows[::-1])
    assert [(cause.id, cause.title) for cause in again] == [(cause.id, cause.title) for cause in causes]
    assert len({cause.id for cause in causes}) == len(causes)


def test_few_findings_are_never_joined_for_being_rare():
    rows = [
        row(f"name{number}", "missing error", f"NumPy raises ValueError: {'x' * number}; got 1") for number in range(9)
    ]
    assert len(group_findings(rows)) == 9


def test_the_example_is_new_reproduced_and_short():
    rows = [
        row("sin", minimal="np.sin(0)", known=True),
        row("sin", dtype="a", minimal="np.sin(1.25)", detail="expected 3, got 4"),
    ]
    rows += [row("sin", minimal="np.sin(2)", reproduced=False, detail="expected 5, got 6")]
    (cause,) = group_findings(rows)
    assert cause.example["minimal"] == "np.sin(1.25)"
    assert cause.data()["example"] == cause.example["id"]
    assert (cause.count, cause.new) == (3, 1)  # what its script did not show is not new


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("index 3 is out of bounds for axis 0 with size 2", "index N is out of bounds for axis N with size N"),
        ("shapes [2] and (3, 4) of <class 'int'>", "shapes (...) and (...) of <dtype>"),
        ("take() got float32, not int8. Please read on.", "the function got <dtype>, not <dtype>"),
    ],
)  # fmt: skip
def test_a_message_loses_what_varies(message, plain):
    assert strip_noise(message, "take") == plain


def test_a_refusal_of_numpy_is_not_read_as_a_comparison():
    detail = "NumPy raises TypeError: expected a sequence of integers, got '{}'; got ValueError: no"
    assert split_detail(detail) == ("", "TypeError: expected a sequence of integers, got '{}'", "ValueError: no")


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        (
            [
                row("median", detail="expected 0.0, got 1.0", minimal="np.median(np.array([0.0, 0.0]))"),
                row("median", detail="expected 631731074.0, got -1515752574.0", minimal="np.median(7)"),
            ],
            "`median`: -1515752574.0 where NumPy gives 631731074.0",
        ),
        (
            [row("greater", detail="expected False, got True", minimal="np.greater(0, np.array(complex(1.0, 0.0)))")],
            "`greater`: True where NumPy gives False",
        ),
        (
            [row("any", detail="expected True, got False", minimal="np.any(np.array(complex(0.0, 1.0)))")],
            "Complex numbers are taken for false where NumPy takes them for true, or the other way round",
        ),
        (
            [
                row(
                    "eye",
                    "missing error",
                    "NumPy raises TypeError: 'str' object cannot be interpreted as an integer; got 0",
                ),
                row(
                    "tri",
                    "missing error",
                    "NumPy raises TypeError: 'str' object cannot be interpreted as an integer; got 0",
                ),
                row(
                    "eye",
                    "missing error",
                    "NumPy raises TypeError: 'float' object cannot be interpreted as an integer; got 0",
                    minimal="np.eye(0)",
                ),
            ],
            "Accepted, where NumPy raises TypeError: 'float' object cannot be interpreted as an integer",
        ),
    ],
)
def test_a_title_is_that_of_the_example(rows, title):
    (cause,) = group_findings(rows)
    assert cause.title == title
    assert cause.example == rows[-1]


@pytest.mark.parametrize(
    ("expected", "actual", "title"),
    [
        (
            "SlogdetResult(sign=1.0, logabsdet=0.0)",
            "(1.0, 0.0)",
            "A tuple where NumPy gives a named tuple",
        ),
        ("(1.0, 0.0)", "[1.0, 0.0]", "A list where NumPy gives a tuple"),
    ],
)
def test_a_named_tuple_is_told_from_a_tuple(expected, actual, title):
    (cause,) = group_findings([row("linalg.slogdet", "structure", f"expected {expected}, got {actual}")])
    assert cause.title == title


def test_an_apostrophe_is_no_quotation_mark():
    assert strip_noise("can't convert 'a' and 'b', it isn't done") == "can't convert '...' and '...', it isn't done"


def test_what_python_cannot_compare_is_not_said_to_be_unsupported():
    message = "'>=' not supported between instances of 'float' and 'NoneType'"
    (cause,) = group_findings([row("clip", "spurious error", f"TypeError: {message}; NumPy gives 0.0")])
    assert cause.title == "TypeError: '...' not supported between instances of '...' and '...'"


@pytest.mark.parametrize(
    "error",
    ["clip() missing 1 required positional argument: 'a_max'", "clip() got an unexpected keyword argument 'bogus'"],
)
def test_what_numpy_requires_or_refuses_is_no_lack_of_the_subject(error):
    shown = row("clip", "different error", f"NumPy raises TypeError: {error}; got OverflowError: out of bounds")
    (cause,) = group_findings([shown])
    assert (cause.kind, cause.title) == ("different error", "OverflowError where NumPy raises TypeError")
    assert find_parameter(shown["detail"]) == find_parameter(f"TypeError: too many; NumPy gives '{error}'") == ""
