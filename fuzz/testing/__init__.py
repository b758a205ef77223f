"""What the pytest plugin is made of: tests of a subject, expected failures, and messages of failing tests."""
