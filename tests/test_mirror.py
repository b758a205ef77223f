"""Tests mirror the packages: a test module is named after the module it tests, or after a property of many modules."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROPERTIES = {
    "tfnp": {
        *("array_methods", "import", "masked_gradients", "programs", "replicas", "signatures", "stubs", "submodules"),
        *("large_arrays", "large_histograms", "large_padding", "large_rows", "large_selections", "large_sets"),
        *("composition", "recurring_calls", "series_functions", "short_dividends", "signs_of_zero", "long_ufuncs"),
        *(
            "forward_mode",
            "programs_without_tfnp",
            "saved_models",
            "vectorized_map",
            "unknown_dimensions_under_xla",
            "unknown_lengths",
            "unknown_shapes",
            "weakness",
        ),
        *("borders", "drawn_programs", "ecosystem", "leaks", "modes", "mutation", "text_dtype", "ufunc_methods"),
    },
    "oracle": {
        *("corrupted_answers", "counterexamples", "decoding_fuzz", "lenience", "own_precision", "undecided"),
        *("example_recording", "measured_recording"),
        *("unknown_shapes", "writes"),
    },
    "fuzz": {
        "rare_classes",
        *("command_line", "exit_statuses", "large_numbers", "durability", "steadiness"),
        *("identity", "recorded_replay", "relations", "runs_of_programs", "runs_on_clusters", "small_library"),
        *("hostile_runs", "hostile_subjects", "hostile_texts", "threats"),
    },
}
"""What test modules test that belongs to no module alone."""


def list_modules(package: str) -> set[str]:
    """Return the names of the modules and packages of a package, without underscores at their front."""
    paths = [*(ROOT / package).rglob("*.py")]
    return {(path.parent.name if path.stem == "__init__" else path.stem).lstrip("_") for path in paths}


@pytest.mark.parametrize("package", PROPERTIES)
def test_a_test_module_is_named_after_a_module_or_a_property(package):
    tests = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / package).rglob("test_*.py")}
    modules = list_modules(package)
    assert tests - modules - PROPERTIES[package] == set(), "neither a module nor a property"
    assert PROPERTIES[package] & modules == set(), "a module: not needed here"
    assert PROPERTIES[package] - tests == set(), "no test of that name"
