(* finite-computers, Section 2.2.2: how often all counts of a histogram are near. *)
From Coq Require Import Reals List.
From DP.definitions Require Import Laws.
Import ListNotations.
Open Scope R_scope.

(* The weight of a list of outcomes: the product of each coordinate's own weight. *)
Fixpoint all_hold {A : Type} (us : list (A -> R)) (xs : list A) : R :=
  match us, xs with u :: more, x :: rest => u x * all_hold more rest | [], [] => 1 | _, _ => 0 end.
(* A law that has an event with probability 1 - beta at least. *)
Definition likely {A : Type} (beta : R) (p : law A) (u : A -> R) := measure p /\ event u /\ 1 - beta <= p u.
