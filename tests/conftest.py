"""What holds for all tests: an example of a property may take as long as it takes."""

from hypothesis import settings

# A time limit on each example tells how busy the machine is, and nothing of the property.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
