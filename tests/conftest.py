"""Fixtures and settings for the tests of the package."""

import hypothesis

# The same examples on every run: a red test is red for everybody.
hypothesis.settings.register_profile(
    "repeatable", deadline=None, derandomize=True, database=None
)
hypothesis.settings.load_profile("repeatable")
