(* finite-computers, Algorithm 6.16: rounded powers of a vector, by squaring; numbers are over s, so that they are multiples
   of 1/s. *)
From Coq Require Import Reals ZArith.
From DP.definitions Require Import Laws.
Open Scope R_scope.

Definition convolved (a b : nat -> R) (k : nat) : R := sum_below (S k) (fun i => a i * b (k - i)%nat).
(* The i-fold convolution. *)
Fixpoint fold_power (a : nat -> R) (i : nat) : nat -> R :=
  match i with O => fun k => match k with O => 1 | S _ => 0 end | S j => convolved a (fold_power a j) end.
Definition down (s : R) (w : nat -> R) (k : nat) : R := IZR (Int_part (s * w k)) / s.
Fixpoint rounded_power (s : R) (a : nat -> R) (i : positive) : nat -> R :=
  match i with
  | xH => a
  | xO j => down s (convolved (rounded_power s a j) (rounded_power s a j))
  | xI j => down s (convolved a (convolved (rounded_power s a j) (rounded_power s a j)))
  end.
Definition l1_apart (t : nat) (a b : nat -> R) : R := sum_below t (fun k => Rabs (a k - b k)).
Definition at_most_all (t : nat) (a : nat -> R) : Prop := (forall k, 0 <= a k) /\ sum_below t a <= 1.
(* A coin of rate r as a vector, and t numbers as a law, with the mass that they leave at t. *)
Definition coin_vector (r : R) (k : nat) : R := match k with O => 1 - r | S O => r | S (S _) => 0 end.
Definition rest_at (t : nat) (w : nat -> R) : law nat := fun u => sum_below t (fun k => w k * u k) + (1 - sum_below t w) * u t.
(* Algorithm 6.18: m coins of rate p/q, rounded down to a multiple of 1/s, and at most t heads. *)
Definition rounded_rate (s p q : nat) : R := INR (s * p / q) / INR s.
Definition rounded_binomial (s p q t : nat) (m : positive) : law nat := rest_at t (rounded_power (INR s) (coin_vector (rounded_rate s p q)) m).
