(* user-level-histograms, Algorithm 1: histograms of m counts, in units of the lattice, clipped to K units and rounded down. *)
From Coq Require Import Reals ZArith List.
From DP.definitions Require Import Laws GeoSample.
Import ListNotations.
Open Scope R_scope.

Definition norm_1 (m : nat) (h : nat -> R) : R := sum_below m h.
Definition norm_2 (m : nat) (h : nat -> R) : R := sqrt (sum_below m (fun j => h j ^ 2)).
Definition clipped (norm : nat -> (nat -> R) -> R) (m : nat) (K : R) (h : nat -> R) (j : nat) : Z :=
  Int_part (h j * Rmin 1 (K / norm m h)).
(* The sum of the clipped histograms of all users. *)
Definition summed (clip : (nat -> R) -> nat -> Z) (users : list (nat -> R)) (j : nat) : Z :=
  fold_right (fun h s => (clip h j + s)%Z) 0%Z users.
Definition counted (h : nat -> R) : Prop := forall j, 0 <= h j.
Definition units_apart (m : nat) (a b : nat -> Z) (j : nat) : R := Rabs (IZR (a j) - IZR (b j)).

(* Each item's sum with noise of its own. *)
Definition noisy_sums (P : Z -> law Z) (m : nat) (s : nat -> Z) : law (list Z) := every (map (fun j => P (s j)) (seq 0 m)).
Definition one_user (x y : list (nat -> R)) : Prop :=
  exists before h k after, x = before ++ h :: after /\ y = before ++ k :: after.
(* What one user can move in units: floor K for one item, and twice that for more. *)
Definition units (m : nat) (K : R) : Z := if (m <=? 1)%nat then Int_part K else (2 * Int_part K)%Z.
(* In l2, the square of what one user can move: (floor K)^2 for one item, and 2 floor (K^2) for more. *)
Definition squared_units (m : nat) (K : R) : Z := if (m <=? 1)%nat then (Int_part K ^ 2)%Z else (2 * Int_part (K ^ 2))%Z.
(* The delta at e^epsilon = E of rho-zero-concentrated privacy, by the order n + 1. *)
Definition concentrated_delta (n : nat) (rho E : R) : R :=
  exp (INR n * INR (S n) * rho) / E ^ n * (INR n / INR (S n)) ^ S n / INR n.
