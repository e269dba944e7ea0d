(* anonymized-histograms, Appendix C.2: steps that see the one before and a noise of their own. *)
From Coq Require Import Reals List.
From DP.definitions Require Import Laws.
Import ListNotations.
Open Scope R_scope.

(* The state after steps k, k + 1, ... from s, one for each noise of a list. *)
Fixpoint chained {S N : Type} (f : nat -> S -> N -> S) (k : nat) (s : S) (noises : list N) : S :=
  match noises with [] => s | z :: rest => chained f (Datatypes.S k) (f k s z) rest end.
(* Its law for independent noises. *)
Definition chain_law {S N : Type} (f : nat -> S -> N -> S) (s : S) (ps : list (law N)) : law S := image (chained f 0 s) (every ps).
(* The outcome i alone. *)
Definition alone (i j : nat) : R := if Nat.eqb j i then 1 else 0.
