(* Private weighted sampling, Algorithm 3: how often a key of frequency i is reported. *)
From Coq Require Import Reals.
From DP.definitions Require Import Laws.
Open Scope R_scope.

(* q i is the probability with which a key of frequency i is sampled. *)
Fixpoint reporting (E d : R) (q : nat -> R) (i : nat) : R :=
  match i with
  | O => 0
  | S j => Rmin (q (S j)) (Rmin (E * reporting E d q j + d) (1 + (reporting E d q j + d - 1) / E))
  end.
(* Sampling probabilities rise with the frequency. *)
Definition rising (q : nat -> R) := forall i, 0 <= q i <= q (S i) /\ q i <= 1.
(* Without sampling, every key is kept. *)
Definition everything (i : nat) : R := 1.
Definition slope (E d : R) := d / (E - 1).
(* L of Lemma 4.2 is a whole number: E^L d (E + 1) = E - 1 + 2 d. *)
Definition whole (E d : R) (L : nat) := E ^ L * d * (E + 1) = E - 1 + 2 * d.
(* Rates for an example: a key of frequency i is sampled but with probability 2^-i. *)
Definition halves (i : nat) : R := 1 - (/ 2) ^ i.
