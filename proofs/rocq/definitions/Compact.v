(* finite-computers, Section 8: compact histograms; each label has a value of a field, from which its noisy count is read. *)
From Coq Require Import Reals List.
From DP.definitions Require Import Laws.
Open Scope R_scope.

(* The value of a label of count c: M's noisy count, or M0's where the label does not occur, spread over the values that are
   read as it. *)
Definition value_of {F : Type} (M : nat -> law nat) (M0 : law nat) (spread : nat -> law F) (c : nat) : law F :=
  bind (match c with O => M0 | S _ => M c end) spread.
(* A list of labels' values tells the release: the polynomial through them. *)
Definition compact_histogram {F P : Type} (through : list F -> P) (M : nat -> law nat) (M0 : law nat) (spread : nat -> law F) (x : list nat) : law P :=
  image through (every (map (value_of M M0 spread) x)).
