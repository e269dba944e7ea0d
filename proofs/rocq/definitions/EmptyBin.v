(* finite-computers, Section 8.3: a noisy count of 0 from a uniform number of another range; numbers are counted from 0. *)
From Coq Require Import Reals Arith.
From DP.definitions Require Import Laws.
Open Scope R_scope.

Definition uniform (d : nat) : law nat := weighted d (fun _ => 1) (INR d).
(* Algorithm 8.5: of q d + r numbers the first r (q + 1) are taken by q + 1, and the others by q. *)
Definition narrowed (q r i : nat) : nat := if (i <? r * (q + 1))%nat then (i / (q + 1))%nat else ((i - r) / q)%nat.
Definition empty_bin {A : Type} (q r d : nat) (M : nat -> A) : law A := image (fun i => M (narrowed q r i)) (uniform (q * d + r)).
Definition count_at_most (a v : nat) : R := if (v <=? a)%nat then 1 else 0.
Definition rises (M : nat -> nat) := forall u v, (u <= v)%nat -> (M u <= M v)%nat.
