(* finite-computers: inequalities in exponentials, logarithms and factorials. *)
From Coq Require Import Reals Lra Lia.
From DP.definitions Require Import Laws.
From DP.facts Require Exponentials.
Open Scope R_scope.

(* Section 4.1, Formula 6: k = ceil (log2 (2/epsilon)), which is the k with 2/epsilon <= 2^k < 4/epsilon. *)
Theorem rational_epsilon : forall (epsilon : R) (k : nat), 0 < epsilon <= 1 -> 2 / epsilon <= 2 ^ k -> 2 ^ k < 4 / epsilon ->
  4 / 9 * epsilon < 2 * ln (1 + / 2 ^ k) <= epsilon.
Proof. exact facts.Exponentials.range_holds. Qed.
Theorem rational_epsilon_met : 4 / 9 * 1 < 2 * ln (1 + / 2 ^ 1) <= 1.
Proof. apply rational_epsilon; lra. Qed.
(* Section 4.2, Formula 3, for more epsilons than the paper has. *)
Theorem response_gap : forall epsilon : R, 0 < epsilon <= 2 -> epsilon / 6 <= (exp (epsilon / 2) - 1) / (exp (epsilon / 2) + 1).
Proof. exact facts.Exponentials.gap_holds. Qed.
Theorem response_gap_met : 2 / 6 <= (exp (2 / 2) - 1) / (exp (2 / 2) + 1).
Proof. apply response_gap. lra. Qed.
(* Section 6.2, Formula 2. *)
Theorem factorial_at_least : forall n : nat, / 3 ^ n <= INR (fact n) / INR (S n) ^ n.
Proof. exact facts.Exponentials.factorial_holds. Qed.
Theorem factorial_at_least_met : / 3 ^ 4 <= INR (fact 4) / INR 5 ^ 4.
Proof. apply factorial_at_least. Qed.
(* Lemma 8.4 ii: x is d/d0. *)
Theorem empty_bin_factors : forall x : R, 0 <= x <= 3 / 4 -> 1 + x <= exp x /\ exp (- (2 * x)) <= 1 - x.
Proof. exact facts.Exponentials.narrow_holds. Qed.
Theorem empty_bin_factors_met : 1 + 3 / 4 <= exp (3 / 4) /\ exp (- (2 * (3 / 4))) <= 1 - 3 / 4.
Proof. apply empty_bin_factors. lra. Qed.
