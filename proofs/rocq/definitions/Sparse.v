(* finite-computers, Sections 6.2 and 6.3: draws level by level, and n uniform draws that give every histogram. *)
From Coq Require Import Reals List.
From DP.definitions Require Import Laws EmptyBin.
Import ListNotations.
Open Scope R_scope.

(* n draws of one of P pairs of a label and a count; l are the n distinct pairs that make a histogram, in any order. *)
Definition drawn_pairs (P n : nat) : law (list nat) := every (repeat (uniform P) n).
Definition pairs_below (P n : nat) (l : list nat) : Prop := NoDup l /\ length l = n /\ forall x, In x l -> (x < P)%nat.
Definition made_by {A : Type} (read : list nat -> A) (P n : nat) (r : A) : Prop :=
  exists l, pairs_below P n l /\ forall d, length d = n -> NoDup d -> incl d l -> read d = r.
