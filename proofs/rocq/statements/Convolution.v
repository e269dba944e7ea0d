(* finite-computers, Section 6.3: Algorithms 6.16 and 6.18, over s. *)
From Coq Require Import Reals ZArith Lra Lia.
From DP.definitions Require Import Laws Sampling Convolution.
From DP.facts Require Convolution.
Open Scope R_scope.

(* Proposition 6.15 i: the result has numbers from 0 on, of sum at most 1; and so has what is rounded, the square or a times it. *)
Theorem powers_are_vectors : forall (t : nat) (s : R) (a : nat -> R), 0 < s -> at_most_all t a -> forall i : positive,
  at_most_all t (rounded_power s a i).
Proof. exact facts.Convolution.rounded_is_vector. Qed.
Theorem powers_are_vectors_met : at_most_all 2 (rounded_power 3 (fold_power (fun _ => 0) 0) 5).
Proof. apply powers_are_vectors; [lra | apply facts.Convolution.point_vector; lia]. Qed.
(* Section 6.3, Claim 2, corrected. *)
Theorem products_are_vectors : forall (t : nat) (a b : nat -> R), at_most_all t a -> at_most_all t b -> at_most_all t (convolved a b).
Proof. exact facts.Convolution.convolved_at_most. Qed.
Theorem products_are_vectors_met : at_most_all 2 (convolved (fold_power (fun _ => 0) 0) (fold_power (fun _ => 0) 0)).
Proof. apply products_are_vectors; apply facts.Convolution.point_vector; lia. Qed.
(* Proposition 6.15 ii: the first numbers depend on those of a alone. *)
Theorem first_numbers_alone : forall (s : R) (a b : nat -> R) (i : positive) (k : nat), (forall j, (j <= k)%nat -> a j = b j) ->
  rounded_power s a i k = rounded_power s b i k.
Proof. exact facts.Convolution.first_alone. Qed.
Theorem first_numbers_alone_met : rounded_power 3 (fun _ => 1) 5 2 = rounded_power 3 (fun j => if (j <=? 2)%nat then 1 else 0) 5 2.
Proof. apply first_numbers_alone. intros j J. destruct (Nat.leb_spec j 2); [reflexivity | lia]. Qed.
(* Section 6.3, Formula 1: from i to 2 i and 2 i + 1 the error at most doubles, and rounding adds t/s. *)
Theorem error_of_level : forall (t : nat) (s : R) (a : nat -> R), (1 <= t)%nat -> 0 < s -> at_most_all t a -> forall (i : positive) (d : R),
  l1_apart t (rounded_power s a i) (fold_power a (Pos.to_nat i)) <= d ->
  l1_apart t (rounded_power s a (xO i)) (fold_power a (Pos.to_nat (xO i))) <= INR t / s + 2 * d /\
  l1_apart t (rounded_power s a (xI i)) (fold_power a (Pos.to_nat (xI i))) <= INR t / s + 2 * d.
Proof. exact facts.Convolution.one_level. Qed.
Theorem error_of_level_met : l1_apart 2 (rounded_power 3 (fold_power (fun _ => 0) 0) 10) (fold_power (fold_power (fun _ => 0) 0) (Pos.to_nat 10)) <=
  INR 2 / 3 + 2 * (INR 2 * (INR (Pos.to_nat 5) - 1) / 3).
Proof.
  apply (error_of_level 2 3 (fold_power (fun _ => 0) 0)) with (i := xI (xO xH)); [lia | lra | apply facts.Convolution.point_vector; lia|].
  apply facts.Convolution.rounded_near; [lia | lra | apply facts.Convolution.point_vector; lia].
Qed.
(* Proposition 6.15 iii. *)
Theorem powers_are_near : forall (t : nat) (s : R) (a : nat -> R), (1 <= t)%nat -> 0 < s -> at_most_all t a -> forall i : positive,
  l1_apart t (rounded_power s a i) (fold_power a (Pos.to_nat i)) <= INR t * (INR (Pos.to_nat i) - 1) / s.
Proof. exact facts.Convolution.rounded_near. Qed.
Theorem powers_are_near_met : l1_apart 2 (rounded_power 3 (fold_power (fun _ => 0) 0) 5) (fold_power (fold_power (fun _ => 0) 0) (Pos.to_nat 5)) <= INR 2 * (INR (Pos.to_nat 5) - 1) / 3.
Proof. apply powers_are_near; [lia | lra | apply facts.Convolution.point_vector; lia]. Qed.
(* Section 6.3, Formula 3: the rate p/q, rounded down to a multiple of 1/s, moves the number of heads of m coins, up to t, by at most
   m times the difference, and m/s. *)
Theorem rounded_rate_moves : forall (s p q t : nat) (m : positive), (1 <= s)%nat -> (1 <= q)%nat -> (p <= q)%nat ->
  dp_both 1 (INR (Pos.to_nat m) * (INR p / INR q - rounded_rate s p q)) (image (Nat.min t) (sampled (rounded_rate s p q) (Pos.to_nat m)))
    (image (Nat.min t) (sampled (INR p / INR q) (Pos.to_nat m))) /\
  INR (Pos.to_nat m) * (INR p / INR q - rounded_rate s p q) <= INR (Pos.to_nat m) / INR s.
Proof. exact facts.Convolution.rate_moves. Qed.
Theorem rounded_rate_moves_met : dp_both 1 (INR (Pos.to_nat 4) * (INR 1 / INR 3 - rounded_rate 7 1 3)) (image (Nat.min 2) (sampled (rounded_rate 7 1 3) (Pos.to_nat 4)))
    (image (Nat.min 2) (sampled (INR 1 / INR 3) (Pos.to_nat 4))) /\
  INR (Pos.to_nat 4) * (INR 1 / INR 3 - rounded_rate 7 1 3) <= INR (Pos.to_nat 4) / INR 7.
Proof. apply rounded_rate_moves; lia. Qed.
(* Proposition 6.17: the sampler, with floor(t'/2) in its step 4 d, for every m, q, s, t and p <= q. *)
Theorem proposition_6_17 : forall (s p q t : nat) (m : positive), (1 <= s)%nat -> (1 <= q)%nat -> (p <= q)%nat ->
  dp_both 1 ((INR (Pos.to_nat m) * (INR t + 1) - INR t) / INR s) (rounded_binomial s p q t m) (image (Nat.min t) (sampled (INR p / INR q) (Pos.to_nat m))).
Proof. exact facts.Convolution.rounded_binomial_near. Qed.
Theorem proposition_6_17_met : dp_both 1 ((INR (Pos.to_nat 4) * (INR 2 + 1) - INR 2) / INR 7) (rounded_binomial 7 1 3 2 4) (image (Nat.min 2) (sampled (INR 1 / INR 3) (Pos.to_nat 4))).
Proof. apply proposition_6_17; lia. Qed.
(* It is a law. *)
Theorem rounded_binomial_is_law : forall (s p q t : nat) (m : positive), (1 <= s)%nat -> (1 <= q)%nat -> (p <= q)%nat ->
  measure (rounded_binomial s p q t m) /\ total (rounded_binomial s p q t m).
Proof. exact facts.Convolution.rounded_binomial_law. Qed.
Theorem rounded_binomial_is_law_met : measure (rounded_binomial 7 1 3 2 4) /\ total (rounded_binomial 7 1 3 2 4).
Proof. apply rounded_binomial_is_law; lia. Qed.
(* Up to k coins, and up to n + 1 of them heads, are within k (n + 2)/s: a level of Proposition 6.19. *)
Theorem rounded_level : forall (s p q t : nat) (m : positive), (1 <= s)%nat -> (1 <= q)%nat -> (p <= q)%nat -> forall n k : nat, (t <= n + 1)%nat -> (Pos.to_nat m <= k)%nat ->
  dp_both 1 (INR k * (INR n + 2) / INR s) (rounded_binomial s p q t m) (image (Nat.min t) (sampled (INR p / INR q) (Pos.to_nat m))).
Proof. exact facts.Convolution.rounded_level_near. Qed.
Theorem rounded_level_met : dp_both 1 (INR 5 * (INR 1 + 2) / INR 7) (rounded_binomial 7 1 3 2 4) (image (Nat.min 2) (sampled (INR 1 / INR 3) (Pos.to_nat 4))).
Proof. apply rounded_level; lia. Qed.
