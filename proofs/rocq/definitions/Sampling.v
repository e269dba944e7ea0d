(* Sample-and-threshold: each person is kept with probability p, and a count below tau becomes 0. *)
From Coq Require Import Reals ZArith List Arith.
From DP.definitions Require Import Laws Programs.
Open Scope R_scope.

Fixpoint sampled (p : R) (k : nat) : law nat :=
  match k with O => ret O | S j => mix p (image S (sampled p j)) (sampled p j) end.
Definition cut (tau v : nat) : nat := if (tau <=? v)%nat then v else O.
Definition sample_threshold (p : R) (tau k : nat) : law nat := image (cut tau) (sampled p k).
Definition histogram (p : R) (tau : nat) (counts : list nat) : law (list nat) :=
  every (map (sample_threshold p tau) counts).
Definition one_apart (x y : list nat) : Prop := one_more x y \/ one_more y x.

(* The program: a coin of probability a/b for each person, then the comparison. *)
Fixpoint kept (a b : Z) (k : nat) : prog nat :=
  match k with
  | O => Ret O
  | S j => and_then (kept a b j) (fun v => Below b (fun i => if (i <? a)%Z then Ret (S v) else Ret v))
  end.
Definition bin (a b : Z) (tau k : nat) : prog nat := and_then (kept a b k) (fun v => Ret (cut tau v)).

(* D(q || p), the q of Theorem 2, and its delta. *)
Definition divergence (q p : R) := q * ln (q / p) + (1 - q) * ln ((1 - q) / (1 - p)).
Definition raised (p epsilon : R) := 1 - exp (- epsilon) * (1 - p).
Definition chernoff_delta (p epsilon : R) (tau : nat) :=
  exp (- (INR tau / raised p epsilon * divergence (raised p epsilon) p)).
(* Lemma 3: the rate alpha (1 - e^-epsilon), and C_alpha. *)
Definition rate (alpha epsilon : R) := alpha * (1 - exp (- epsilon)).
Definition constant_of (alpha : R) := ln (/ alpha) - / (1 + alpha).
Definition above (tau : nat) (b : R) (v : nat) : R := if (tau <=? v)%nat then if Rlt_dec b (INR v) then 1 else 0 else 0.
(* The mass of one count, that of less than tau, and that of a share of the people at least. *)
Definition just (v i : nat) : R := if (i =? v)%nat then 1 else 0.
Definition low (tau v : nat) : R := if (tau <=? v)%nat then 0 else 1.
Definition at_least_share (x : R) (v : nat) : R := if Rle_dec x (INR v) then 1 else 0.
