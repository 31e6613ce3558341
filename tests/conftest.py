"""Settings that hold for every test."""

from hypothesis import settings

# A busy machine is slow, not wrong: no property fails for the time it takes.
settings.register_profile("unrolled", deadline=None)
settings.load_profile("unrolled")
