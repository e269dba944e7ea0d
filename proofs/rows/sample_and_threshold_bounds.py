"""Rows on Lemma 3 of sample-and-threshold, its proof in Appendix A, and the choice of the rate and the threshold."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["SAMPLE_AND_THRESHOLD_BOUNDS"]

ALL = "all parameters, by z3 and cvc5"
RATE = ("mechanisms.sample_and_threshold.sample_threshold.kl_delta",)

SAMPLE_AND_THRESHOLD_BOUNDS: tuple[Row, ...] = (
    Row(
        id="ST/Lemma3",
        statement=(
            "For every alpha in (0, 1], epsilon > 0 and tau >= 1: at rate alpha (1 - e^-epsilon), reporting sampled "
            "counts of at least tau is (epsilon, exp(-C_alpha tau))-DP for one person more or less, C_alpha = "
            "ln(1/alpha) - 1/(1 + alpha); epsilon <= 1 is not needed"
        ),
        status="proved",
        methods=("divergence-bound-proved", "constant-proved"),
        scope=ALL + "; for a person who moves, see Theorem 2",
        code=RATE,
    ),
    Row(
        id="ST/Section3.1/Formula1",
        statement="For every alpha <= 1/5 and tau, exp(-C_alpha tau) is at most alpha^(37 tau/100)",
        status="certified",
        methods=("sampled-constant-share", "constant-proved"),
        scope="all alpha in (0, 1/5]: 1/(1 + alpha) <= 1 <= ln(1/alpha)/ln 5, and a ball for 1 - 1/ln 5",
    ),
    Row(
        id="ST/Section3.1/Formula2",
        statement=(
            "For every alpha in (0, 1] and epsilon in (0, 1]: alpha (1 - e^-epsilon) is between alpha epsilon/2 and "
            "alpha epsilon, and epsilon = ln(alpha/(alpha - p))"
        ),
        status="proved",
        methods=("rate-proved",),
        scope=ALL,
    ),
    Row(
        id="ST/Section3.1/Formula3",
        statement=(
            "For every alpha with C_alpha > 0 and delta < 1, every integer tau >= ln(1/delta)/C_alpha gives "
            "exp(-C_alpha tau) <= delta, so (epsilon, delta)-DP at the rate of Lemma 3"
        ),
        status="proved",
        methods=("constant-proved", "divergence-bound-proved"),
        scope=ALL + "; what is printed is a real number, of which the next integer is meant",
    ),
    Row(
        id="ST/Section3.1/Example1",
        statement=(
            "For every epsilon in (0, 1]: sampling with probability epsilon/5 is the rate of Lemma 3 for an alpha "
            "between 1/5 and 2/5, with C_alpha > 1/5; at alpha = 1/5 the rate is below epsilon/5"
        ),
        status="certified",
        methods=("sampled-constant-fifth", "rate-proved"),
        scope="all epsilon in (0, 1]: alpha = (epsilon/5)/(1 - e^-epsilon); 64 boxes for C_alpha, alpha in [1/5, 2/5]",
    ),
    Row(
        id="ST/AppendixA/Formula4",
        statement=(
            "For every alpha and epsilon: q = (1 - e^-epsilon)(1 + alpha e^-epsilon), and D(q||p) = q ln((1 + alpha "
            "e^-epsilon)/alpha) - epsilon (1 - q)"
        ),
        status="proved",
        methods=("constant-proved",),
        scope=ALL,
    ),
    Row(
        id="ST/Equation6",
        statement=(
            "For every alpha and epsilon: exp(-tau (ln((1 + alpha e^-epsilon)/alpha) - epsilon (1 - q)/q)) is at most "
            "the same without alpha e^-epsilon"
        ),
        status="proved",
        methods=("constant-proved",),
        scope=ALL + "; ln(1 + t) >= 0 for t >= 0",
    ),
    Row(
        id="ST/AppendixA/Claim1",
        statement="For every alpha in (0, 1]: 1 - alpha/(1 + alpha e^-epsilon) falls as epsilon grows",
        status="proved",
        methods=("constant-proved",),
        scope=ALL,
    ),
    Row(
        id="ST/AppendixA/Formula6",
        statement=(
            "For every epsilon > 0: the derivative of epsilon/(e^epsilon - 1) is -(e^epsilon (epsilon - 1) + 1)/"
            "(e^epsilon - 1)^2"
        ),
        status="proved",
        methods=("bernoulli-derivative-proved", "slope-by-sympy"),
        scope=ALL + ", after the rules of differentiation",
    ),
    Row(
        id="ST/AppendixA/Formula7",
        statement=(
            "f(epsilon) = -(e^epsilon (epsilon - 1) + 1) is 0 at 0 and -1 at 1, and its derivative is -epsilon "
            "e^epsilon; print lacks a pair of parentheses on the way"
        ),
        status="proved",
        methods=("bernoulli-derivative-proved",),
        scope=ALL + ", after the rules of differentiation",
    ),
    Row(
        id="ST/AppendixA/Claim2",
        statement="epsilon/(e^epsilon - 1) falls for all epsilon > 0",
        status="proved",
        methods=("constant-proved",),
        scope=ALL + ", from e^t > 1 + t for t other than 0",
    ),
    Row(
        id="ST/AppendixA/Claim3",
        statement=(
            "For every alpha in (0, 1], the bound exp(-tau (ln(1/alpha) - epsilon (1 - q)/q)) falls with epsilon, and "
            "is at most exp(-C_alpha tau), its limit at 0"
        ),
        status="proved",
        methods=("constant-proved",),
        scope=ALL,
    ),
    Row(
        id="ST/AppendixA/Formula8",
        statement="For every alpha in (0, 1]: epsilon (1 - q)/q tends to 1/(1 + alpha) as epsilon tends to 0",
        status="proved",
        methods=("constant-proved",),
        scope=ALL + "; its first factor is between e^-epsilon and 1",
    ),
    Row(
        id="ST/AppendixA/Formula9",
        statement="For every alpha in (0, 1]: C_alpha is between ln(1/alpha) - 1 and ln(1/alpha) - 1/2",
        status="proved",
        methods=("constant-proved",),
        scope=ALL,
    ),
)
