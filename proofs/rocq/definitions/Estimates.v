(* Weighted sampling: sampling without replacement by weights, and estimates by inverse probabilities. *)
From Coq Require Import Reals List.
From DP.definitions Require Import Laws Keys.
Import ListNotations.
Open Scope R_scope.

(* ppswor with f(i) = i: a key of frequency i is sampled with probability 1 - r^i. *)
Definition ppswor (r : R) (i : nat) : R := 1 - r ^ i.
(* (16) and (17) for the next probability. *)
Definition by_report (E d x : R) := E * x + d.
Definition by_silence (E d x : R) := 1 + (x + d - 1) / E.
(* A key of weight w is sampled with probability q; the estimate of w is w/q, or 0. *)
Definition estimate (w q : R) : law R := mix q (ret (w / q)) (ret 0).
Definition sum_of (l : list R) : R := fold_right Rplus 0 l.
Definition estimates (keys : list (R * R)) : law (list R) := every (map (fun key => estimate (fst key) (snd key)) keys).
Definition sampling (key : R * R) : Prop := 0 < snd key <= 1.
Definition variance_of (key : R * R) : R := fst key ^ 2 * (/ snd key - 1).
