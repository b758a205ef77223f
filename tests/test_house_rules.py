"""The house rules that a program can check."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST_FILE = 600
LONGEST_FUNCTION = 60
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "base"}

# The only module of the package that takes raw ops from TensorFlow.
DOOR_TO_RAW_OPS = "tfnp/_core/ops.py"
RAW_OPS = re.compile(r"\braw_ops\b|\bgen_\w+_ops\b")

# The only module that imports what TensorFlow does not make public.
DOOR_TO_INTERNALS = "tfnp/_core/tensorflow_internals.py"
INTERNALS = re.compile(r"^\s*(?:from|import) tensorflow\.python", re.MULTILINE)

# Words that had a private meaning in this project: NumPy and TensorFlow have other words for what they meant.
BANNED_WORDS = frozenset({
    "side", "sides", "place", "places", "number", "numbers", "found", "kinds", "wide", "rest", "own", "whole",
    "nothing", "share", "shared", "kept", "wanted", "asked", "given", "deliver", "delivery", "delivered",
    "spec", "pack", "joint", "truth", "truths", "meeting", "held", "refuse", "refused", "theirs", "lent",
    "demand", "demanded", "harmless", "complaint", "written", "neutral", "door", "plain", "freedom", "moves",
    "weakly", "fine",
})  # fmt: skip
PLAIN_PACKAGES = ("tfnp", "oracle")
MUTANTS = "fuzz/mutants/"  # names and docstrings of mutants are sentences about what is wrong with them

# Words that docstrings and messages do without, and how no docstring opens: with half a sentence. (A property may.)
BANNED_PROSE = re.compile(r"\b(truths?(?! value)|theirs|kin|door|bury|buries|mourns?|epitaph)\b", re.IGNORECASE)
HALF_SENTENCE = re.compile(r"(Of|What|Whether|Where|That|Which|How|Who|Why)\b")

# Names in which such a word has its usual meaning, or that are not ours.
USUAL_NAMES = {
    "side": "a parameter of NumPy's searchsorted",
    "place": "a function of NumPy's",
    "place_tensor": "on a device",
    "in_place": "an operator such as +=",
    "number": "a parameter of NumPy's base_repr",
    "is_python_number": "an int, a float or a complex",
    "_PYTHON_NUMBERS": "int, float and complex",
    "format_spec": "a parameter of Python's __format__",
    "find_spec": "a method of Python's importers",
    "module_spec": "of a module that Python imports",
    "may_share_memory": "a function of NumPy's",
    "_type_spec": "an attribute of TensorFlow's composite tensors",
    "kinds": "letters of dtype.kind, kinds of isdtype, and kinds of deviations, as in summary.json",
    "KINDS": "kinds of deviations, as in summary.json",
    "tensor_spec": "the class TensorSpec",
    "is_in_place": "whether a call shuffles its argument",
    "joint_draws": "of joint distributions",
    "shared_graphs": "graphs that all generators use",
    "written": "outputs that were written",
    "joint": "of several variables",
    "make_joint_vandermonde": "of several variables",
    "_pack_columns": "to vectors, as the raw op Pack does",
    "_is_found_by_op": "whether an op finds it",
    "_is_in_own_graph": "whether a state was made in the graph that reads it",
    "_cast_to_wide": "to a wider dtype",
    "_broadcast_shared": "labels that operands share",
}

# Files that are tables: long because NumPy is.
TABLES: set[str] = set()

# Functions past the limit, each with its reason.
LONG_FUNCTIONS: dict[str, str] = {}


def sources(root: Path = ROOT) -> Iterator[Path]:
    for package in ("tfnp", "oracle", "fuzz"):
        yield from sorted((root / package).rglob("*.py"))


def exports(tree: ast.Module) -> set[str]:
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    }


def complaints(root: Path = ROOT) -> Iterator[str]:
    for path in sources(root):
        name, text = path.relative_to(root).as_posix(), path.read_text()
        tree = ast.parse(text)
        if path.stem in EMPTY_NAMES:
            yield f"{name}: a name that says nothing"
        if path.stem in exports(tree):
            yield f"{name}: shares its name with what it exports"
        if text.count("\n") > LONGEST_FILE and name not in TABLES:
            yield f"{name}: {text.count(chr(10))} lines; look for two topics"
        if not ast.get_docstring(tree) and text.strip():
            yield f"{name}: does not say what it is"
        if re.search(r"\b(vars|globals)\(\)\[.*\]\s*=|setattr\(sys\.modules", text):
            yield f"{name}: public names have a line of source each"
        if RAW_OPS.search(text) and name.startswith("tfnp/") and name != DOOR_TO_RAW_OPS:
            yield f"{name}: raw ops are bound in {DOOR_TO_RAW_OPS}"
        if INTERNALS.search(text) and name.startswith("tfnp/") and name != DOOR_TO_INTERNALS:
            yield f"{name}: TensorFlow's internals are imported in {DOOR_TO_INTERNALS}"
        yield from _long_functions(name, tree)
        if name.startswith(PLAIN_PACKAGES):
            yield from _private_words(name, tree)
        if not name.startswith(MUTANTS):
            yield from _riddles(name, tree)


def _private_words(name: str, tree: ast.Module) -> Iterator[str]:
    for used, line in [*((part, 1) for part in Path(name).with_suffix("").parts), *_names(tree)]:
        words = set(used.lower().split("_")) & BANNED_WORDS
        if words and used not in USUAL_NAMES:
            yield f"{name}:{line}: {used}: NumPy and TensorFlow have another word for {', '.join(sorted(words))}"


def _riddles(name: str, tree: ast.Module) -> Iterator[str]:
    """Yield what is wrong with the prose of docstrings and messages."""
    for node in ast.walk(tree):
        texts = []
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(node)):
            texts = [text]
            is_property = any("property" in ast.unparse(one) for one in getattr(node, "decorator_list", ()))
            if HALF_SENTENCE.match(text) and not is_property:
                yield f"{name}: {getattr(node, 'name', 'the module')} is described by half a sentence: {text:.40}"
        elif isinstance(node, ast.Raise) and node.exc is not None:
            texts = [
                one.value for one in ast.walk(node.exc) if isinstance(one, ast.Constant) and type(one.value) is str
            ]
        for word in BANNED_PROSE.findall(" ".join(texts)):
            yield f"{name}: a docstring or message says {word!r}: say it in the field's words"


def _names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield every name that a module defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno


def _long_functions(name: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            documented = node.body[0] if ast.get_docstring(node) else None
            lines = node.end_lineno - node.lineno - (documented.end_lineno - documented.lineno + 1 if documented else 0)
            if lines > LONGEST_FUNCTION and f"{name}:{node.name}" not in LONG_FUNCTIONS:
                yield f"{name}:{node.lineno}: {node.name} has {lines} lines; look for two functions"


def test_the_house_rules_hold() -> None:
    assert list(complaints()) == []


def test_exceptions_are_still_needed() -> None:
    for table in TABLES:
        assert (ROOT / table).read_text().count("\n") > LONGEST_FILE, f"{table} is no exception any more"
    assert all(LONG_FUNCTIONS.values())
    paths = [path for path in sources() if path.relative_to(ROOT).as_posix().startswith(PLAIN_PACKAGES)]
    names = {name for path in paths for name, _ in _names(ast.parse(path.read_text()))} | {path.stem for path in paths}
    assert names >= USUAL_NAMES.keys()


@pytest.mark.parametrize(
    ("file", "source", "complaint"),
    [
        ("fuzz/utils.py", '"""Things."""', "says nothing"),
        ("fuzz/reduce.py", '"""R."""\ndef reduce(): ...', "shares its name"),
        ("tfnp/sorting.py", '"""S."""\n' + "x = 1\n" * 700, "look for two topics"),
        ("tfnp/sorting.py", "x = 1", "does not say what it is"),
        ("tfnp/sorting.py", '"""S."""\nfor name in names:\n    globals()[name] = make(name)', "a line of source each"),
        ("tfnp/sorting.py", '"""S."""\nimport tensorflow as tf\nsort = tf.raw_ops.TopKV2', "raw ops are bound in"),
        ("tfnp/sorting.py", '"""S."""\nfrom tensorflow.python.ops import gen_nn_ops', "raw ops are bound in"),
        ("tfnp/sorting.py", '"""S."""\nfrom tensorflow.python.eager import record', "internals are imported in"),
        ("tfnp/sorting.py", '"""S."""\ndef sort():\n' + "    x = 1\n" * 70, "look for two functions"),
        ("tfnp/sorting.py", '"""S."""\ndef sort(sides): ...', "another word for sides"),
        ("tfnp/sorting.py", '"""S."""\nis_wanted = 1', "another word for wanted"),
        ("oracle/sorting.py", '"""S."""\ndef find(truth): ...', "another word for truth"),
        ("oracle/moves.py", '"""S."""', "another word for moves"),
        ("oracle/sorting.py", '"""What sorts."""', "half a sentence"),
        ("fuzz/sorting.py", '"""What sorts."""', "half a sentence"),
        ("oracle/sorting.py", '"""S."""\ndef f():\n    """Whether it sorts."""', "half a sentence"),
        ("oracle/sorting.py", '"""S."""\ndef f():\n    raise ValueError("no door")', "says 'door'"),
    ],
)
def test_a_violation_is_found(tmp_path: Path, file: str, source: str, complaint: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(source)
    assert any(complaint in found for found in complaints(tmp_path))


# Words that have their usual meaning in the fuzzer, which deals in findings, files and counts where tfnp has arrays.
WORDS_OF_THE_FUZZER = {
    "asked": "modes that a case was asked to run in, as in state.json",
    "found": "what a search, a match or a campaign found",
    "given": "arguments that a call gives",
    "kinds": "kinds of differences, of parameters and of dtypes",
    "nothing": "no argument, no mutant, no difference",
    "number": "of a case, of a line, of a call",
    "numbers": "the elements that are drawn, and what is no string",
    "own": "what is the subject's, and not NumPy's",
    "plain": "without what makes a case special: shrinking makes cases plainer",
    "rest": "what is left of a text or a list",
    "share": "a fraction of cases, of time, of calls",
    "shared": "a corpus that several runs read",
    "whole": "integral, or all of a text",
    "wide": "of a wide range",
    "written": "arguments that a call writes to",
}
NAMES_OF_THE_FUZZER = {
    "in_place": "changed, not returned",
    "max_side": "named as in hypothesis.extra.numpy.array_shapes",
    "min_side": "the same",
    "refused": "cases that NumPy refuses, as in coverage.json",
}


def private_words_of_the_fuzzer(root: Path = ROOT) -> Iterator[str]:
    for path in sorted((root / "fuzz").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        for used, line in _names(ast.parse(path.read_text())):
            words = set(used.lower().split("_")) & BANNED_WORDS - WORDS_OF_THE_FUZZER.keys()
            if words and used not in NAMES_OF_THE_FUZZER and not name.startswith(MUTANTS):
                yield f"{name}:{line}: {used}: the field has another word for {', '.join(sorted(words))}"


def test_the_fuzzer_uses_the_words_of_the_field(tmp_path: Path) -> None:
    assert list(private_words_of_the_fuzzer()) == []
    (tmp_path / "fuzz").mkdir()
    (tmp_path / "fuzz" / "arrays.py").write_text("def draw(sides): ...")
    assert [text.rpartition(": ")[2] for text in private_words_of_the_fuzzer(tmp_path)] == [
        "the field has another word for sides"
    ]


def test_words_of_the_fuzzer_are_still_needed() -> None:
    paths = [path for path in sources() if path.relative_to(ROOT).as_posix().startswith("fuzz/")]
    names = {name for path in paths for name, _ in _names(ast.parse(path.read_text()))}
    assert names >= NAMES_OF_THE_FUZZER.keys()
    assert {word for name in names for word in name.lower().split("_")} >= WORDS_OF_THE_FUZZER.keys()
