"""Settings that hold for every test."""

import gc

from hypothesis import settings

# A busy machine is slow, not wrong: no property fails for the time it takes.
settings.register_profile("unrolled", deadline=None)
settings.load_profile("unrolled")

# What is imported stays: looking through it again and again was a fifth of the tests' time.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 20)
