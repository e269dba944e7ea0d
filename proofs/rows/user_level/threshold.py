"""Rows on user-level-histograms, Section 4 and Appendices A.1 and A.2: choosing the threshold."""

from __future__ import annotations

from dpcert.proofs.ledger import Row

__all__ = ["THRESHOLD"]

AT = "mechanisms.user_level."
OBJECTIVE = AT + "threshold.Objective"
REGULARIZED = AT + "output_perturbation.Regularized"
SMALL = "every data set of at most 2 users with 2 counts up to 2"
PROOF = "; for all data by the proof in docs/user-level-threshold.md"
LOST = "the printed formula is lost; this form is reconstructed"

THRESHOLD: tuple[Row, ...] = (
    Row(
        id="UL/Section4/Claim1",
        statement="For C < C', clipping at C loses no less of the counts than at C', and its noise is less",
        status="verified",
        methods=("threshold-loss-and-noise",),
        scope=SMALL + "; l1 and l2, exactly, at the norms and between them; eta = 1/2, 5/2",
        code=(OBJECTIVE,),
    ),
    Row(
        id="UL/Lemma4.1",
        statement=(
            "For l1 clipping with independent symmetric noise of E|Z|_1 = eta C, the ceil(eta)-th greatest of the "
            "users' sizes, or 0 where there are fewer users, has at most twice the mean l1 error of any C >= 0; the "
            "factor 2 is reached by one user with one count and noise +-C; for Laplace noise it is 1.4660, and no "
            "less than "
            "1.4649. Thresholds drawn with probability in proportion to r^-(how many users miss this rule at them) are "
            "(2 ln r, 0)-DP"
        ),
        status="verified",
        methods=(
            "threshold-top",
            "threshold-two",
            "threshold-laplace",
            "threshold-laplace-factor",
            "threshold-factors-attained",
            "choice-distance",
            "choice-quantile-private",
        ),
        scope=(
            "every data set of at most 2 users with 2 counts up to 3, four laws of noise, the error's least value over "
            "all C exactly; Laplace noise by balls, counts up to 2, eta = 1/2, 7/5, 5/2; the private choice for 2 "
            "users with 2 counts up to 2, and in l2" + PROOF + "; " + LOST
        ),
        code=(OBJECTIVE, AT + "threshold.top_size", AT + "private_threshold.clip_threshold"),
    ),
    Row(
        id="UL/Theorem4.2",
        statement=(
            "For l2 clipping and eta as before, let w_i = |h_i|_1/|h_i|_2. The greatest norm C with "
            "sum of w_i over |h_i|_2 >= C at least eta (0 if there is none) minimizes U, and has at most twice the "
            "mean "
            "l1 error of any C >= 0; the factor is 1.5427 for Gaussian noise, and no less than 1.5416"
        ),
        status="verified",
        methods=(
            "threshold-rule",
            "threshold-gaussian",
            "threshold-gaussian-factor",
            "threshold-factors-attained",
        ),
        scope=SMALL
        + "; U exactly, with square roots; Gaussian noise by balls over pieces of all C, eta = 1/2, 7/5, 5/2"
        + PROOF
        + "; "
        + LOST,
        code=(OBJECTIVE, AT + "surds.Surd"),
    ),
    Row(
        id="UL/Section4/Claim2",
        statement=(
            "Without a bound on the number of items, replacing one user may move the best threshold by any amount, and "
            "a user of m items weighs sqrt(m)"
        ),
        status="verified",
        methods=("threshold-unbounded",),
        scope="one user of 1 to 39 items, or of as many counts of one item; eta = 1",
        code=(OBJECTIVE, AT + "threshold.weight"),
    ),
    Row(
        id="UL/Section4/Formula1",
        statement="For h of s items, |h|_1 <= sqrt(s) |h|_2, with equality exactly if all its counts are equal",
        status="verified",
        methods=("threshold-cauchy-schwarz",),
        scope="every histogram of 4 counts up to 4, exactly; for all by Cauchy and Schwarz",
        code=(AT + "threshold.weight",),
    ),
    Row(
        id="UL/Section4/Claim3",
        statement=(
            "Weights floor(parts min(w, sqrt(s))) differ from w by less than 1/parts for users of at most s items, and "
            "the weight above any threshold changes by at most floor(parts sqrt(s)) when a user is replaced, "
            "whatever the "
            "user; this is reached"
        ),
        status="verified",
        methods=("choice-sparse-weights", "choice-slope-changes", "choice-beyond-sparsity"),
        scope="histograms of 4 counts up to 3, s = 1 to 4; replacements of 3 counts up to 2; users of 1 to 29 items",
        code=(AT + "user_weights.Weights",),
    ),
    Row(
        id="UL/Section4/Formula2",
        statement=(
            "U(C) = sum of w_i max(nu_i - C, 0) + eta C is least exactly where the users above C weigh at most eta, "
            "and "
            "those from C on at least eta or C = 0"
        ),
        status="verified",
        methods=("threshold-rule",),
        scope=SMALL + "; l1 and l2, exactly, at the norms and between them; eta = 1/2, 7/5, 5/2" + PROOF,
        code=(OBJECTIVE,),
    ),
    Row(
        id="UL/Corollary4.3",
        statement=(
            "T steps of gradient descent on U, with independent noise of mean 0 and variance v on each slope and steps "
            "of a, have a mean U over the thresholds before each step of at most min U + C_max^2/(2 a T) + a (L^2 + "
            "v)/2, "
            "L = max(eta, n - eta) in l1; with geometric noise of ratio r they are (T s ln r, 0)-DP, s the greatest "
            "weight in units"
        ),
        status="verified",
        methods=("descent-excess", "descent-clamp", "descent-private"),
        scope=(
            "at most 2 users with one count up to 3, eta = 1, 2, T = 1, 3, exactly; privacy for 2 users with 3 "
            "counts up "
            "to 1 in l1, 2 up to 1 in l2. Every user counts at each step; the paper samples users, with Gaussian "
            "noise, "
            "and its constants are lost"
        ),
        code=(AT + "dp_sgd.clip_threshold_descent", AT + "dp_sgd.clip_threshold_descent_law"),
    ),
    Row(
        id="UL/Algorithm2",
        statement=(
            "The minimizer of F on C >= 0, rounded up to a lattice, with two-sided geometric noise of ratio r, "
            "clamped, is "
            "(s ln r, 0)-DP when a user is replaced, s = ceil(grid w_max/lambda)"
        ),
        status="verified",
        methods=("perturbed-minimizer", "perturbed-private"),
        scope=(
            "2 users with 2 counts up to 2 in l1, with 3 counts up to 1 in l2; the minimizer by bisection, by "
            "corners and "
            "by trying all candidates. Geometric noise stands for Laplace noise, and the printed scale is lost"
        ),
        code=(AT + "output_perturbation.clip_threshold_perturbed", REGULARIZED),
    ),
    Row(
        id="UL/Corollary4.4",
        statement=(
            "Algorithm 2's threshold has a mean U of at most min U + (lambda/2) C_max^2 + L (E|Z| + 1/grid); for "
            "Laplace "
            "noise of scale sqrt(s)/(lambda epsilon) and L <= n sqrt(s), the best lambda = sqrt(2 n s/epsilon)/C_max "
            "makes "
            "of this C_max sqrt(2 n s/epsilon). A threshold and the sum clipped at it have the sum of their epsilons"
        ),
        status="verified",
        methods=("perturbed-private", "perturbed-excess", "perturbed-best-strength", "choice-composed"),
        scope=(
            "at most 2 users with one count up to 4, four each of eta and lambda, exactly; the balance at n up to "
            "1,000, "
            "s = 1, 4, epsilon = 1/10, 1" + PROOF + "; " + LOST
        ),
        code=(AT + "output_perturbation.clip_threshold_perturbed_law",),
    ),
    Row(
        id="UL/Section4/Claim4",
        statement=(
            "Under rho-zCDP, descent with T = ceil(2 rho n^2) steps has excess C_max sqrt(s/rho) at most, which does "
            "not "
            "grow with n; output perturbation's C_max sqrt(2 n s/epsilon) grows as sqrt(n), and with 1/epsilon by a "
            "power "
            "that is smaller by 1/2"
        ),
        status="verified",
        methods=("choice-comparison",),
        scope=(
            "the two bounds, exactly, at n = 10, 100, 1,000, epsilon = 1/10, 1, rho = epsilon^2/10; the text lost "
            "which "
            "method is better in which parameter"
        ),
    ),
    Row(
        id="UL/Section7/Claim1",
        statement="The threshold is a function of the users' l1 and l2 norms alone",
        status="verified",
        methods=("threshold-norms-suffice",),
        scope="every data set of 2 users with 3 counts up to 2; l1 and l2; eta = 1/2, 2",
        code=(OBJECTIVE,),
    ),
    Row(
        id="UL/AppendixA.1/Formula1",
        statement=(
            "The mean l1 error is at most the counts that are lost plus the noise, and at least the greater of the two"
        ),
        status="verified",
        methods=("threshold-bounded",),
        scope=SMALL + "; C = 0, 1/2, ..., 4, four laws of symmetric noise, exactly" + PROOF,
        code=(OBJECTIVE,),
    ),
    Row(
        id="UL/Equation4",
        statement="The mean l1 error at C is at most U(C), and at least U(C)/2, for independent symmetric noise",
        status="verified",
        methods=("threshold-bounded",),
        scope=SMALL + "; C = 0, 1/2, ..., 4, four laws of symmetric noise, exactly" + PROOF,
        code=(OBJECTIVE,),
    ),
    Row(
        id="UL/Equation5",
        statement=(
            "At the best threshold 0 is between the slopes of U to its left and right: eta less the weight of the "
            "users "
            "from C on, and less that of those above C"
        ),
        status="verified",
        methods=("threshold-slopes",),
        scope=(
            SMALL
            + "; l1 and l2; six eta. As an equality, which the paper asks for roughly, it need not have a solution: "
            "of one user with one count the weight above C is 0 or 1, and never eta = 1/2"
        ),
        code=(OBJECTIVE,),
    ),
    Row(
        id="UL/AppendixA.1/Formula2",
        statement="Err(C*) <= U(C*) <= U(C) <= 2 Err(C) for every C >= 0",
        status="verified",
        methods=("threshold-bounded", "threshold-rule", "threshold-two"),
        scope=SMALL + ", exactly; the least error over all C with counts up to 3, in l1" + PROOF,
        code=(OBJECTIVE,),
    ),
    Row(
        id="UL/AppendixA.2/Formula1",
        statement="A user's term w max(nu - C, 0) + (eta/n) C changes by at most max(w, eta/n) for each unit of C",
        status="verified",
        methods=("choice-user-slopes",),
        scope="one user with 3 counts up to 2, C = 0, 1/2, ..., 9/2, exactly, with square roots; " + LOST,
        code=(OBJECTIVE,),
    ),
    Row(
        id="UL/Equation6",
        statement=(
            "F(C) = U(C) + (lambda/2) C^2 has one minimizer on C >= 0: where eta + lambda C less the weight of the "
            "users "
            "above C turns from below 0 to 0 or more"
        ),
        status="verified",
        methods=("perturbed-minimizer", "perturbed-strongly-convex"),
        scope=(
            "at most 3 users with one count up to 4, four each of eta and lambda, exactly; at most 2 with 2 counts "
            "in l2"
        ),
        code=(REGULARIZED,),
    ),
    Row(
        id="UL/LemmaA.1",
        statement=(
            "When one user is replaced the minimizer of F moves by at most w_max/lambda, w_max <= sqrt(s); by that "
            "much for "
            "some data"
        ),
        status="proved",
        methods=(
            "minimizer-sensitivity-proved",
            "perturbed-sensitivity",
        ),
        scope=(
            "the bound for all parameters, by z3 and cvc5; exactly: "
            "2 users with one count up to 4, four each of eta and lambda, exactly; in l2 rounded up to a lattice, a "
            "fifth "
            "of the pairs of 2 users with 2 counts up to 2"
            + PROOF
            + ". The printed constant is lost; twice this would do, "
            "half of it would not"
        ),
        code=(REGULARIZED,),
    ),
    Row(
        id="UL/AppendixA.2/Formula2",
        statement="F(C) >= F(C_lambda) + (lambda/2) (C - C_lambda)^2 for every C >= 0",
        status="verified",
        methods=("perturbed-strongly-convex",),
        scope="at most 3 users with one count up to 3, C = 0, 1/2, ..., 11/2, four each of eta and lambda, exactly",
        code=(REGULARIZED,),
    ),
    Row(
        id="UL/LemmaA.2",
        statement="E U(C_lambda + Z) <= min U + (lambda/2) C_max^2 + L E|Z|, and 1/grid more of L for rounding",
        status="verified",
        methods=("perturbed-excess",),
        scope="at most 2 users with one count up to 4, four each of eta and lambda, geometric noise, exactly; " + LOST,
        code=(AT + "output_perturbation.clip_threshold_perturbed_law",),
    ),
)
