"""What the tests of epsilons share: epsilons drawn at random, and their parts."""

from fractions import Fraction

from hypothesis import strategies as st

from dpcert.mechanisms.exact.epsilon import Epsilon

ONE = Fraction(1)
rationals = st.fractions(min_value=0, max_value=300) | st.fractions(0, 2, max_denominator=9)
ratios = st.fractions(min_value=1, max_value=10**6) | st.fractions(1, 9, max_denominator=9)
epsilons = st.builds(Epsilon, rationals | st.just(Fraction(0)), ratios | st.just(ONE))
