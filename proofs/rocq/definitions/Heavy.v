(* finite-computers, Section 6: what KeepHeavy shows, and how far it is from the counts. *)
From Coq Require Import Reals List.
From DP.definitions Require Import Laws Histograms.
Import ListNotations.
Open Scope R_scope.

(* Where all noisy counts are within a of the counts: 1, or else 0. *)
Definition close_to (a : R) (v c : nat) : R := if Rle_dec (Rabs (INR v - INR c)) a then 1 else 0.
Fixpoint all_close (a : R) (counts h : list nat) : R :=
  match counts, h with c :: cs, v :: vs => close_to a v c * all_close a cs vs | [], [] => 1 | _, _ => 0 end.
(* The count of one label, the i-th. *)
Definition one_close (a : R) (i c : nat) (h : list nat) : R := close_to a (nth i h O) c.
