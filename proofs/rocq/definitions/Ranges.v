(* Sample-and-threshold: what Lemma 3 subtracts, cells of a trie's levels, and what is shown of a range. *)
From Coq Require Import Reals List Arith.
From DP.definitions Require Import Laws Sampling.
Import ListNotations.
Open Scope R_scope.

(* epsilon (1 - q)/q at the rate of Lemma 3, and its two factors. *)
Definition subtracted (alpha epsilon : R) :=
  epsilon * (1 - raised (rate alpha epsilon) epsilon) / raised (rate alpha epsilon) epsilon.
Definition first_factor (epsilon : R) := epsilon / (exp epsilon - 1).
Definition second_factor (alpha epsilon : R) := 1 - alpha / (1 + alpha * exp (- epsilon)).
(* A person's cell of a level is the number that the first digits are, to the base beta. *)
Fixpoint cell (beta : nat) (digit : nat -> nat) (level : nat) : nat :=
  match level with O => O | S l => (beta * cell beta digit l + digit l)%nat end.
(* Whether what is shown of a range, over m, is farther than the bound from its share of the n people. *)
Definition far (share bound m : R) (shown : list nat) : R :=
  if Rle_dec (Rabs (INR (list_sum shown) / m - share)) bound then 0 else 1.
