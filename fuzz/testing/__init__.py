"""The parts of the pytest plugin: tests of a subject, expected failures, and messages of failing tests."""
