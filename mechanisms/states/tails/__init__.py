"""Tails that are summed: counts without end as geometric series, in lines of states and in what calls return."""
