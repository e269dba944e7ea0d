"""The law of every fault of the zoo a second time, in plain fractions: from what it does, and not from its program."""

from . import heavy, noise, sampled, users, vectors

LAWS = {**noise.LAWS, **heavy.LAWS, **sampled.LAWS, **users.LAWS, **vectors.LAWS}
"""By a mechanism's name, the function from an input to the law at the default parameters."""
