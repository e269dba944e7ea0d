(* user-level-histograms, Algorithm 1, for counts in units of 1/g and K = g C: norms, distances, and privacy. *)
From Coq Require Import Reals ZArith List Lra Lia.
From DP.definitions Require Import Laws TwoSided Clipping.
From DP.facts Require Laws.
From DP.facts Require Clipping.
From DP.facts Require TwoSided.
From DP.facts Require Gaussian.
Import ListNotations.
Open Scope R_scope.

(* Clipped in l1 and rounded down: entries from 0 on, and a norm of at most floor K. *)
Theorem norm_in_l1 : forall (m : nat) (K : R) (h : nat -> R), 0 <= K -> counted h ->
  (forall j, 0 <= IZR (clipped norm_1 m K h j)) /\ sum_below m (fun j => IZR (clipped norm_1 m K h j)) <= IZR (Int_part K).
Proof. exact facts.Clipping.clipped_norm_1. Qed.
Theorem norm_in_l1_met : 0 <= IZR (clipped norm_1 3 2 INR 1).
Proof. apply norm_in_l1; [lra|]. intros j. apply pos_INR. Qed.
(* In l2, the square of the norm. *)
Theorem norm_in_l2 : forall (m : nat) (K : R) (h : nat -> R), 0 <= K -> counted h ->
  (forall j, 0 <= IZR (clipped norm_2 m K h j)) /\ sum_below m (fun j => IZR (clipped norm_2 m K h j) ^ 2) <= K ^ 2.
Proof. exact facts.Clipping.clipped_norm_2. Qed.
Theorem norm_in_l2_met : 0 <= IZR (clipped norm_2 3 2 INR 1).
Proof. apply norm_in_l2; [lra|]. intros j. apply pos_INR. Qed.
(* One user is replaced: the sums move by at most 2 K in l1, sqrt 2 K in l2, and K where there is one item. *)
Theorem distance_of_sums : forall (m : nat) (K : R) (before : list (nat -> R)) (h k : nat -> R) (after : list (nat -> R)),
  0 <= K -> counted h -> counted k ->
  sum_below m (units_apart m (summed (clipped norm_1 m K) (before ++ h :: after)) (summed (clipped norm_1 m K) (before ++ k :: after))) <= 2 * K /\
  sqrt (sum_below m (fun j => units_apart m (summed (clipped norm_2 m K) (before ++ h :: after)) (summed (clipped norm_2 m K) (before ++ k :: after)) j ^ 2)) <= sqrt 2 * K /\
  ((m <= 1)%nat -> sum_below m (units_apart m (summed (clipped norm_1 m K) (before ++ h :: after)) (summed (clipped norm_1 m K) (before ++ k :: after))) <= K /\
    sqrt (sum_below m (fun j => units_apart m (summed (clipped norm_2 m K) (before ++ h :: after)) (summed (clipped norm_2 m K) (before ++ k :: after)) j ^ 2)) <= K).
Proof. exact facts.Clipping.distances_hold. Qed.
Theorem distance_of_sums_met :
  sum_below 3 (units_apart 3 (summed (clipped norm_1 3 2) ([] ++ INR :: [])) (summed (clipped norm_1 3 2) ([] ++ (fun _ => 0) :: []))) <= 2 * 2.
Proof. apply distance_of_sums; [lra | intros j; apply pos_INR | intros j; lra]. Qed.
(* Two-sided geometric noise on an integer is private at its ratio. *)
Theorem geometric_private : forall (r : R) (P : Z -> law Z), 1 < r -> noise_of_ratio (/ r) P ->
  private r 0 (fun _ => True) (fun c e => e = c + 1 \/ c = e + 1)%Z P.
Proof. exact facts.Clipping.noise_private. Qed.
Theorem geometric_private_met : private 2 0 (fun _ => True) (fun c e => e = c + 1 \/ c = e + 1)%Z facts.TwoSided.half_sided.
Proof. apply geometric_private; [lra | apply facts.TwoSided.half_is_geometric]. Qed.
(* The l1 sum with such noise on each item, and any map of it, as clamping each item: (s ln r, 0)-DP, s = floor K for one
   item and 2 floor K for more. *)
Theorem clipped_sum_private : forall (B : Type) (f : list Z -> B) (r : R) (P : Z -> law Z) (m : nat) (K : R), 1 < r ->
  noise_of_ratio (/ r) P -> 0 <= K -> private (r ^ Z.to_nat (units m K)) 0 (Forall counted) one_user
    (fun users => image f (noisy_sums P m (summed (clipped norm_1 m K) users))).
Proof. exact (@facts.Clipping.mapped_sums_private). Qed.
Theorem clipped_sum_private_met : private (2 ^ Z.to_nat (units 3 2)) 0 (Forall counted) one_user
  (fun users => image (@length Z) (noisy_sums facts.TwoSided.half_sided 3 (summed (clipped norm_1 3 2) users))).
Proof. apply clipped_sum_private; [lra | apply facts.TwoSided.half_is_geometric | lra]. Qed.
(* The l2 sum with discrete Gaussian noise on each item, and any map of it: at every e^epsilon = E and every order n + 1 it
   has the delta of rho-zero-concentrated privacy, rho = s / (2 variance), s = (floor K)^2 for one item and 2 floor (K^2) for more. *)
Theorem gaussian_sums_private : forall (B : Type) (f : list Z -> B) (variance : R) (P : Z -> law Z) (m : nat) (K : R) (n : nat) (E : R),
  0 < variance -> gaussian_noise variance P -> 0 <= K -> (1 <= n)%nat -> 0 < E ->
  private E (concentrated_delta n (IZR (squared_units m K) / (2 * variance)) E) (Forall counted) one_user
    (fun users => image f (noisy_sums P m (summed (clipped norm_2 m K) users))).
Proof. exact (@facts.Gaussian.gaussian_sums_hold). Qed.
Theorem gaussian_sums_private_met : private 3 (concentrated_delta 4 (IZR (squared_units 3 2) / (2 * 18)) 3) (Forall counted) one_user
  (fun users => image (@length Z) (noisy_sums facts.TwoSided.wide 3 (summed (clipped norm_2 3 2) users))).
Proof. apply gaussian_sums_private; try lra; try lia. apply facts.TwoSided.wide_is_gaussian. Qed.
