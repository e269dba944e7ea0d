(* anonymized-histograms: inequalities about numbers alone. *)
From Coq Require Import Reals ZArith Lra Lia.
From DP.definitions Require Import Laws.
From DP.facts Require Formulas.
Open Scope R_scope.

(* Appendix A: a noisy total that is cut at 0 is no farther away. *)
Theorem cut_at_zero : forall n z : R, 0 <= n -> Rabs (Rmax (n + z) 0 - n) <= Rabs z.
Proof. exact facts.Formulas.cut_is_no_farther. Qed.
Theorem cut_at_zero_met : Rabs (Rmax (2 + -3) 0 - 2) <= Rabs (-3).
Proof. apply cut_at_zero. lra. Qed.
(* Equation 4, corrected: the inverse of a noisy total. *)
Theorem equation_4_corrected : forall n y : R, 1 <= n -> 1 <= y ->
  / y = / n + (n - y) / n ^ 2 + (n - y) ^ 2 / (n ^ 2 * y) /\ / y <= / n + (n - y) / n ^ 2 + (n - y) ^ 2 / n ^ 2.
Proof. exact facts.Formulas.inverse_expanded. Qed.
Theorem equation_4_corrected_met :
  / 3 = / 2 + (2 - 3) / 2 ^ 2 + (2 - 3) ^ 2 / (2 ^ 2 * 3) /\ / 3 <= / 2 + (2 - 3) / 2 ^ 2 + (2 - 3) ^ 2 / 2 ^ 2.
Proof. apply equation_4_corrected; lra. Qed.
(* Lemma 5: integers that are rounded from y are at most twice as far from integers x as y; any nearest integer will do. *)
Theorem lemma_5 : forall (n : nat) (x z : nat -> Z) (y : nat -> R),
  (forall i, (i < n)%nat -> forall k : Z, Rabs (y i - IZR (z i)) <= Rabs (y i - IZR k)) ->
  sum_below n (fun i => Rabs (IZR (x i) - IZR (z i))) <= 2 * sum_below n (fun i => Rabs (IZR (x i) - y i)).
Proof. exact facts.Formulas.rounding_holds. Qed.
Theorem lemma_5_met : sum_below 2 (fun i => Rabs (IZR 3 - IZR 1)) <= 2 * sum_below 2 (fun i => Rabs (IZR 3 - 1)).
Proof.
  apply (lemma_5 2 (fun _ => 3%Z) (fun _ => 1%Z) (fun _ => 1)). intros i _ k. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. apply Rabs_pos.
Qed.
(* Section 4.1: the l1 error of d counts by their l2 error. *)
Theorem l1_by_l2 : forall (n : nat) (a : nat -> R), (sum_below n (fun i => Rabs (a i))) ^ 2 <= INR n * sum_below n (fun i => a i ^ 2).
Proof. exact facts.Formulas.cauchy_holds. Qed.
Theorem l1_by_l2_met : (sum_below 2 (fun i => Rabs (INR i))) ^ 2 <= INR 2 * sum_below 2 (fun i => INR i ^ 2).
Proof. apply l1_by_l2. Qed.
