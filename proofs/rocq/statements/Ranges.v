(* sample-and-threshold: the limits of Lemma 3, the cells of Lemma 7, and the accuracy of Lemma 9. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Sampling Ranges.
From DP.facts Require Ranges.
Import ListNotations.
Open Scope R_scope.

(* Equation 6: without alpha e^-epsilon the bound is no less. *)
Theorem equation_6 : forall alpha epsilon tau : R, 0 < alpha <= 1 -> 0 < epsilon -> 0 <= tau ->
  exp (- (tau * (ln ((1 + alpha * exp (- epsilon)) / alpha) - subtracted alpha epsilon))) <=
    exp (- (tau * (ln (/ alpha) - subtracted alpha epsilon))).
Proof. exact facts.Ranges.without_more_holds. Qed.
Theorem equation_6_met :
  exp (- (3 * (ln ((1 + / 4 * exp (- 1)) / (/ 4)) - subtracted (/ 4) 1))) <= exp (- (3 * (ln (/ (/ 4)) - subtracted (/ 4) 1))).
Proof. apply equation_6; lra. Qed.
(* Appendix A: epsilon/(e^epsilon - 1) and 1 - alpha/(1 + alpha e^-epsilon) fall as epsilon grows. *)
Theorem factors_fall : forall alpha a b : R, 0 < alpha <= 1 -> 0 < a < b ->
  first_factor b < first_factor a /\ second_factor alpha b < second_factor alpha a.
Proof. exact facts.Ranges.factors_hold. Qed.
Theorem factors_fall_met : first_factor 2 < first_factor 1 /\ second_factor (/ 4) 2 < second_factor (/ 4) 1.
Proof. apply factors_fall; lra. Qed.
(* Appendix A: their product is epsilon (1 - q)/q, whose limit at 0 is 1/(1 + alpha). *)
Theorem limit_at_zero : forall alpha : R, 0 < alpha <= 1 ->
  (forall epsilon, 0 < epsilon -> subtracted alpha epsilon = first_factor epsilon * second_factor alpha epsilon) /\
  limit1_in (subtracted alpha) (fun epsilon => 0 < epsilon) (/ (1 + alpha)) 0.
Proof. exact facts.Ranges.limit_holds. Qed.
Theorem limit_at_zero_met :
  (forall epsilon, 0 < epsilon -> subtracted (/ 4) epsilon = first_factor epsilon * second_factor (/ 4) epsilon) /\
  limit1_in (subtracted (/ 4)) (fun epsilon => 0 < epsilon) (/ (1 + / 4)) 0.
Proof. apply limit_at_zero; lra. Qed.
(* Appendix A: so the bound falls as epsilon grows, is at most e^(-C_alpha tau), and tends to it at 0. *)
Theorem bound_at_zero : forall alpha tau : R, 0 < alpha <= 1 -> 0 <= tau ->
  let bound := fun epsilon => exp (- (tau * (ln (/ alpha) - subtracted alpha epsilon))) in
  (forall a b, 0 < a < b -> bound b <= bound a <= exp (- (constant_of alpha * tau))) /\
  limit1_in bound (fun epsilon => 0 < epsilon) (exp (- (constant_of alpha * tau))) 0.
Proof. exact facts.Ranges.bound_holds. Qed.
Theorem bound_at_zero_met : let bound := fun epsilon => exp (- (3 * (ln (/ (/ 4)) - subtracted (/ 4) epsilon))) in
  (forall a b, 0 < a < b -> bound b <= bound a <= exp (- (constant_of (/ 4) * 3))) /\
  limit1_in bound (fun epsilon => 0 < epsilon) (exp (- (constant_of (/ 4) * 3))) 0.
Proof. apply (bound_at_zero (/ 4) 3); lra. Qed.

(* Lemma 7: two people whose digits first differ after r levels are in one cell of each level up to r, and in two beyond. *)
Theorem cells_of_levels : forall (beta : nat) (d e : nat -> nat) (r : nat), (forall i, (d i < beta)%nat /\ (e i < beta)%nat) ->
  (forall i, (i < r)%nat -> d i = e i) -> d r <> e r -> forall l : nat, cell beta d l = cell beta e l <-> (l <= r)%nat.
Proof. exact facts.Ranges.cells_hold. Qed.
Theorem cells_of_levels_met : cell 2 (fun _ => O) 3 = cell 2 (fun i => if (i =? 4)%nat then 1%nat else O) 3 <-> (3 <= 4)%nat.
Proof.
  apply (cells_of_levels 2 (fun _ => O) (fun i => if (i =? 4)%nat then 1%nat else O) 4); intros; try destruct (Nat.eqb_spec i 4); cbn; lia.
Qed.

(* Section 4.2: what a threshold takes from a sample of so many cells, L (beta - 1) for a range and beta - 1 a level. *)
Theorem threshold_takes : forall (tau : nat) (sample : list nat) (cells : nat), (1 <= tau)%nat -> (length sample <= cells)%nat ->
  (list_sum (map (cut tau) sample) <= list_sum sample <= list_sum (map (cut tau) sample) + cells * (tau - 1))%nat.
Proof. exact facts.Ranges.taken_holds. Qed.
Theorem threshold_takes_met :
  (list_sum (map (cut 3) [2; 4]) <= list_sum [2; 4] <= list_sum (map (cut 3) [2; 4]) + 2 * (3 - 1))%nat.
Proof. apply threshold_takes; cbn; lia. Qed.
(* Lemma 9, corrected: a range is as many cells at most, L (beta - 1), of which each is sampled by itself; m = n p. *)
Theorem lemma_9 : forall (p : R) (tau : nat) (counts : list nat) (n cells : nat) (c : R), 0 < p < 1 -> (1 <= tau)%nat ->
  (length counts <= cells)%nat -> (list_sum counts <= n)%nat -> (0 < n)%nat -> 0 < c ->
  let m := INR n * p in
  histogram p tau counts (far (INR (list_sum counts) / INR n) (INR cells * (INR tau - 1) / m + c / sqrt m) m) <= / c ^ 2.
Proof. exact facts.Ranges.accuracy_holds. Qed.
Theorem lemma_9_met : let m := INR 10 * / 2 in
  histogram (/ 2) 2 [4; 3]%nat (far (INR (list_sum [4; 3]%nat) / INR 10) (INR 2 * (INR 2 - 1) / m + 2 / sqrt m) m) <= / 2 ^ 2.
Proof. apply (lemma_9 (/ 2) 2 [4; 3]%nat 10 2 2); try lra; cbn; lia. Qed.
