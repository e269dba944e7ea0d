(* Private weighted sampling: priority sampling of powers. *)
From Coq Require Import Reals.
From DP.definitions Require Import Keys.
Open Scope R_scope.

(* A key of frequency i is sampled with probability min(1, tau i^p). *)
Definition priority (tau p : R) (i : nat) : R := match i with O => 0 | S _ => Rmin 1 (tau * Rpower (INR i) p) end.
(* The three terms of the next probability of Algorithm 3 beside q: (16) and (17). *)
Definition may_report (E d x : R) : R := E * x + d.
Definition may_be_silent (E d x : R) : R := 1 + (x + d - 1) / E.
