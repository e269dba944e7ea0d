(* The kernel's decision on a pair of finite laws, in integers. *)
From Coq Require Import Reals ZArith List Bool.
From DP.definitions Require Import Laws Programs.
Import ListNotations.
Open Scope Z_scope.

(* A row has the weights v of p, over g m, and w of q, over g n, of one outcome. *)
Definition rows := list (Z * Z).
(* The claim is e^epsilon = a/b and delta = c/d; x is b n, y is a m. *)
Fixpoint excess (x y so_far : Z) (table : rows) : Z :=
  match table with
  | [] => so_far
  | (v, w) :: rest => let gain := x * v - y * w in excess x y (if gain <=? 0 then so_far else so_far + gain) rest
  end.
(* The least delta is at most this over b g m n: the mass of p that no row has is at most tail/(g m). *)
Definition delta_at_most (a b m n tail : Z) (table : rows) : Z := excess (b * n) (a * m) 0 table + b * n * tail.
(* And at least this over b g m n: the mass of q that no row has is at most tail/(g n). *)
Definition delta_at_least (a b m n tail : Z) (table : rows) : Z := excess (b * n) (a * m) 0 table - a * m * tail.
Definition is_within (b c d g m n bound : Z) : bool := d * bound <=? c * (b * g * m * n).
Definition is_beyond (b c d g m n bound : Z) : bool := c * (b * g * m * n) <? d * bound.
Definition verifies (a b c d g m n tail : Z) (table : rows) : bool := is_within b c d g m n (delta_at_most a b m n tail table).
Definition refutes (a b c d g m n tail : Z) (table : rows) : bool := is_beyond b c d g m n (delta_at_least a b m n tail table).
(* The weight of p where q has none. *)
Fixpoint unmatched (so_far : Z) (table : rows) : Z :=
  match table with [] => so_far | (v, w) :: rest => unmatched (so_far + (if w =? 0 then v else 0)) rest end.
(* Whether the claim is refuted whatever epsilon is; every outcome of q has a row. *)
Definition refutes_always (c d g m : Z) (table : rows) : bool := is_beyond 1 c d g m 1 (unmatched 0 table).
Definition scales (a b d g m n : Z) := 0 <= a /\ 0 < b /\ 0 < d /\ 0 < g /\ 0 < m /\ 0 < n.

Fixpoint lefts (table : rows) (i : nat) : R :=
  match table, i with [], _ => 0%R | (v, _) :: _, O => IZR v | _ :: rest, S j => lefts rest j end.
Fixpoint rights (table : rows) (i : nat) : R :=
  match table, i with [], _ => 0%R | (_, w) :: _, O => IZR w | _ :: rest, S j => rights rest j end.
Definition left_law (m : Z) (table : rows) : law nat := weighted (length table) (lefts table) (IZR m).
Definition right_law (n : Z) (table : rows) : law nat := weighted (length table) (rights table) (IZR n).
