(* anonymized-histograms: PrivHist, with integer noise: the noisy total, the two parts, the smoothed prevalences. *)
From Coq Require Import Reals ZArith List Arith.
From DP.definitions Require Import Laws Prevalences TwoSided.
Import ListNotations.
Open Scope R_scope.

Definition centred (N : Z -> law Z) (centres : list Z) : law (list Z) := every (map N centres).
(* The same numbers, but one that is one more in the second list; or one in either. *)
Definition one_step (x y : list Z) : Prop := x = y \/ exists before c after,
  (x = before ++ c :: after /\ y = before ++ (c + 1)%Z :: after) \/ (y = before ++ c :: after /\ x = before ++ (c + 1)%Z :: after).

(* The i-th greatest count, from i = 1. *)
Definition greatest (h : list nat) (i : nat) : nat := length (filter (fun r => (i <=? reaching r h)%nat) (seq 1 (list_max h))).
(* Given m = M + Z + (counts above T): the small prevalences phi^bs_1+, ..., phi^bs_T+, and the counts of H^bl in order. *)
Definition small_centres (h : list nat) (T M : nat) (m : Z) : list Z :=
  map (fun r => Z.max 0 (Z.of_nat (reaching r h) + 2 * Z.of_nat M - m)) (seq 1 T).
Definition large_centres (h : list nat) (T : nat) (m : Z) : list Z :=
  map (fun i => Z.of_nat (Nat.max (greatest h i) (S T))) (seq 1 (Z.to_nat m)).
Definition split_law (N : Z -> law Z) (T M : nat) (h : list nat) : law (Z * list Z) :=
  bind (N (Z.of_nat (reaching (S T) h) + Z.of_nat M)%Z)
    (fun m => image (pair m) (centred N (small_centres h T M m ++ large_centres h T m))).

(* (s_(i+1) - s_i) phi^v_(s_(i+1) +): what all counts reach beyond s_i, cut at s_(i+1). *)
Definition reach_of (s t : nat) (h : list nat) : nat := list_sum (map (fun j => Nat.min (j - s) (t - s)) h).
Definition gap_numbers (h : list nat) (s : nat -> nat) (k : nat) : list Z := map (fun i => Z.of_nat (reach_of (s i) (s (S i)) h)) (seq 0 k).
Definition smoothed_law (N : Z -> law Z) (s : nat -> nat) (k : nat) (h : list nat) : law (list Z) := centred N (gap_numbers h s k).

(* The rules for T and M see the noisy total, those for the boundaries also what was split. *)
Definition total_with_noise (N : Z -> law Z) (h : list nat) : law Z := N (Z.of_nat (list_sum h)).
Definition first_parts (N1 N2 : Z -> law Z) (T M : Z -> nat) (h : list nat) : law (Z * (Z * list Z)) :=
  bind (total_with_noise N1 h) (fun n => image (pair n) (split_law N2 (T n) (M n) h)).
Definition privhist (N1 N2 N3 : Z -> law Z) (T M : Z -> nat) (s : Z * (Z * list Z) -> nat -> nat) (k : Z * (Z * list Z) -> nat)
    (h : list nat) : law (Z * (Z * list Z) * list Z) :=
  bind (first_parts N1 N2 T M h) (fun o => image (pair o) (smoothed_law N3 (s o) (k o) h)).
Definition any_histogram (h : list nat) : Prop := True.
(* h has one count more at r + 1 or beyond than g, and as many at each other value. *)
Definition raised_at (r : nat) (g h : list nat) : Prop :=
  reaching (S r) h = S (reaching (S r) g) /\ forall s, (1 <= s)%nat -> s <> S r -> reaching s h = reaching s g.
(* The density of independent Laplace noise of scale 1/(e w) on f, at x, each as a triple. *)
Definition laplace_density (e : R) (place : R * R * R) : R :=
  let '(w, f, x) := place in e * w / 2 * exp (- (e * w * Rabs (x - f))).
Fixpoint joint_density (e : R) (places : list (R * R * R)) : R :=
  match places with [] => 1 | p :: rest => laplace_density e p * joint_density e rest end.
