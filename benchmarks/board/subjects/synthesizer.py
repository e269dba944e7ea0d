"""Noisy counts of DataSynthesizer's PrivBayes: ten rows of one kind or eleven, beside ten of another; epsilon = 1.

The count is rounded to a tenth, so that the bits of floats are no matter.
"""

import pandas
from DataSynthesizer.lib.PrivBayes import get_noisy_distribution_of_attributes

import dpcert


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[10, 11], neighbours="counts_differ_by_one")
def noisy_count(count):
    rows = pandas.DataFrame({"a": [0] * count + [1] * 10, "b": [0] * count + [1] * 10})
    counts = get_noisy_distribution_of_attributes(["a", "b"], rows, 1.0)["count"]
    return round(float(counts.iloc[0]), 1)
