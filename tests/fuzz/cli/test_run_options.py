"""The options of a campaign that `run` makes of its command line: modes and their turns, by what was asked for."""

import pytest

from fuzz.cli.options import Unclear
from fuzz.cli.run import make_options, run_command
from fuzz.engine.domain import Unusable
from fuzz.engine.run_options import FEW_NAMES, LONG_MODES, MODES, format_command
from fuzz.generate.calls import generated_names


def parse(*words):
    """Return the campaign's options for a command line."""
    context = run_command.make_context("run", list(words))
    settings = {
        key: value for key, value in context.params.items() if key not in {"names", "out", "resume", "baseline"}
    }
    return make_options(context.params["names"], settings)


def test_modes_that_are_asked_for_run_in_every_item():
    options = parse("--modes", "eager,xla")
    assert (options.modes, options.turns) == (("eager", "xla"), "every")
    assert "--modes eager,xla" in format_command(options, 1)


def test_a_short_run_of_all_names_takes_three_modes_in_turns_by_their_cost():
    options = parse("--time", "60s")
    assert (options.modes, options.turns, options.programs, options.keywords) == (MODES, "cost", 0, 0)
    assert "--modes" not in format_command(options, 1)
    assert "xla" not in options.left_out
    assert "saved" in options.left_out


def test_a_run_of_few_names_takes_all_modes():
    for names in (["sum"], ["linalg.n*", "add"]):
        options = parse(*names, "--time", "10s")
        assert (options.modes, options.turns) == (LONG_MODES, "root"), names
        assert options.left_out == []
    assert parse("sum", "--schedule", "short").modes == MODES
    assert parse("sum", "--modes", "eager").modes == ("eager",)


def test_a_pattern_that_many_names_match_is_no_run_of_few_names():
    assert len([name for name in generated_names() if name.startswith("linalg.")]) > FEW_NAMES
    assert parse("linalg.*").modes == MODES
    with pytest.raises(Unusable, match="no name 'no_such'"):
        parse("no_such")


def test_the_command_that_repeats_a_run_makes_the_same_options():
    for words in (["sum"], ["sum", "--modes", "eager,xla"], [], ["--schedule", "long"], ["--fail-on", "edge"]):
        options = parse(*words, "--seed", "7", "--cases", "40", "--jobs", "1")
        command = format_command(options, 7).split()[4:]
        again = parse(*command, "--jobs", "1")
        for key in ("names", "modes", "turns", "programs", "keywords", "seed", "cases", "fail_on"):
            assert getattr(again, key) == getattr(options, key), (words, key)


def test_errors_and_hostile_calls_are_runs_of_their_own():
    errors, hostile = parse("--errors", "--time", "1h"), parse("sum", "--hostile")
    assert (errors.calls, errors.exact_errors, errors.programs) == ("invalid", True, 0)
    assert (hostile.calls, hostile.exact_errors, hostile.programs) == ("hostile", False, 0)
    assert "--errors" in format_command(errors, 1)
    assert "--hostile" in format_command(hostile, 1)
    assert errors.reports("different error")
    assert not errors.reports("value")
    assert hostile.reports("crash")
    assert not hostile.reports("missing error")
    assert parse().reports("missing error")
    for words in (["--errors", "--hostile"], ["--errors", "--values-only"], ["--hostile", "--programs"]):
        with pytest.raises(Unclear, match="exclude one another"):
            parse(*words)
    with pytest.raises(Unclear, match="draws calls from seeds"):
        parse("--errors", "--engine", "mutation")
