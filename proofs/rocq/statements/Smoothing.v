(* anonymized-histograms, Appendix C.1.2: the cost of smoothing a count r to boundaries s < t, of which t gets the share x. *)
From Coq Require Import Reals Lra Lia Arith.
From DP.definitions Require Import Laws.
From DP.facts Require Smoothing.
Open Scope R_scope.

(* How far the cumulative prevalences of one count move at s + 1, ..., t, for x = (r - s)/(t - s). *)
Theorem smoothing_distance : forall s r t : nat, (s <= r)%nat -> (r <= t)%nat -> (s < t)%nat ->
  sum_below (t - s) (fun j => Rabs ((if (s + S j <=? r)%nat then 1 else 0) - INR (r - s) / INR (t - s))) = 2 * INR (r - s) * INR (t - r) / INR (t - s).
Proof. exact facts.Smoothing.distance_holds. Qed.
Theorem smoothing_distance_met :
  sum_below (4 - 1) (fun j => Rabs ((if (1 + S j <=? 2)%nat then 1 else 0) - INR (2 - 1) / INR (4 - 1))) = 2 * INR (2 - 1) * INR (4 - 2) / INR (4 - 1).
Proof. apply smoothing_distance; lia. Qed.
(* Formula 3: at most half of the gap, and at most twice the distance to either boundary. *)
Theorem smoothing_cost : forall s r t : R, s <= r <= t -> s < t ->
  2 * (r - s) * (t - r) / (t - s) <= (t - s) / 2 /\ 2 * (r - s) * (t - r) / (t - s) <= 2 * (r - s) /\ 2 * (r - s) * (t - r) / (t - s) <= 2 * (t - r).
Proof. exact facts.Smoothing.cost_holds. Qed.
Theorem smoothing_cost_met : 2 * (2 - 1) * (4 - 2) / (4 - 1) <= (4 - 1) / 2.
Proof. apply (smoothing_cost 1 2 4); lra. Qed.
(* Equation 17: between b = T (1 + q)^i and (1 + q) b, both rounded down, at most q r. *)
Theorem smoothing_logarithmic : forall (b q : R) (s r t : nat), 0 <= b -> 0 <= q -> (s <= r <= t)%nat -> (s < t)%nat -> b < INR s + 1 -> INR t <= (1 + q) * b ->
  2 * (INR r - INR s) * (INR t - INR r) / (INR t - INR s) <= q * INR r.
Proof. exact facts.Smoothing.logarithmic_holds. Qed.
Theorem smoothing_logarithmic_met : 2 * (INR 5 - INR 4) * (INR 6 - INR 5) / (INR 6 - INR 4) <= / 2 * INR 5.
Proof. apply (smoothing_logarithmic 4); cbn; try lra; lia. Qed.
