"""The modules of numpy whose rules join the tables when they are imported."""

from dpcert.reading.numpy import arrays, dtypes, functions, generators, scalars

RULES = (arrays, dtypes, functions, generators, scalars)
