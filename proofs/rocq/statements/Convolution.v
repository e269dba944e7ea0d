(* finite-computers, Section 6.3: Algorithm 6.16, over s. *)
From Coq Require Import Reals ZArith Lra Lia.
From DP.definitions Require Import Laws Convolution.
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
