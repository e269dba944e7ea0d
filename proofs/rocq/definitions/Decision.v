(* The kernel's decision on a pair of finite laws, in integers. *)
From Coq Require Import Reals ZArith List Bool.
From DP.definitions Require Import Laws Programs.
Import ListNotations.
Open Scope Z_scope.

(* A row has the weights v of p, over m, and w of q, over n, of one outcome. *)
Definition rows := list (Z * Z).
(* The claim is e^epsilon = a/b and delta = c/d; x is b n, y is a m. *)
Fixpoint excess (x y so_far : Z) (table : rows) : Z :=
  match table with [] => so_far | (v, w) :: rest => excess x y (so_far + Z.max 0 (x * v - y * w)) rest end.
(* The mass of p that no row has is at most tail/m. *)
Definition verifies (a b c d m n tail : Z) (table : rows) : bool :=
  d * (excess (b * n) (a * m) 0 table + b * n * tail) <=? c * (b * m * n).
(* The mass of q that no row has is at most tail/n. *)
Definition refutes (a b c d m n tail : Z) (table : rows) : bool :=
  c * (b * m * n) <? d * (excess (b * n) (a * m) 0 table - a * m * tail).
Definition scales (a b d m n : Z) := 0 <= a /\ 0 < b /\ 0 < d /\ 0 < m /\ 0 < n.

Fixpoint lefts (table : rows) (i : nat) : R :=
  match table, i with [], _ => 0%R | (v, _) :: _, O => IZR v | _ :: rest, S j => lefts rest j end.
Fixpoint rights (table : rows) (i : nat) : R :=
  match table, i with [], _ => 0%R | (_, w) :: _, O => IZR w | _ :: rest, S j => rights rest j end.
Definition left_law (m : Z) (table : rows) : law nat := weighted (length table) (lefts table) (IZR m).
Definition right_law (n : Z) (table : rows) : law nat := weighted (length table) (rights table) (IZR n).
