(* user-level-histograms, Section 5: the estimate that maps a noisy mean back by the inverse of psi. *)
From Coq Require Import Reals.
From DP.definitions Require Import Laws.
Open Scope R_scope.

(* y has the value Y i with probability p i; its mean is e and the mean of its square is q. *)
Definition moments (p Y : nat -> R) (e q : R) : Prop := (forall i, 0 <= p i) /\ Un_cv (sum_f_R0 p) 1 /\
  Un_cv (sum_f_R0 (fun i => p i * Y i)) e /\ Un_cv (sum_f_R0 (fun i => p i * Y i ^ 2)) q.
Definition mean_square (p Z : nat -> R) (x t : R) : Prop := Un_cv (sum_f_R0 (fun i => p i * (Z i - x) ^ 2)) t.
(* Slopes of psi on 0..top are kappa at least. *)
Definition rises_by (kappa top : R) (psi : R -> R) : Prop := psi 0 = 0 /\ forall a b, 0 <= a <= b -> b <= top -> kappa * (b - a) <= psi b - psi a.
(* The estimate of y: what psi maps to y, put back into 0..psi top. *)
Definition inverts (top : R) (psi : R -> R) (Y Z : nat -> R) : Prop :=
  forall i, 0 <= Z i <= top /\ psi (Z i) = Rmin (Rmax (Y i) 0) (psi top).
(* From x on, up to top and down to 0, psi is at most its tangent, and at least that less M/2 times the square. *)
Definition below_tangent (M top : R) (psi : R -> R) (x slope : R) : Prop :=
  forall u, 0 <= u <= top -> psi x + slope * (u - x) - M / 2 * (u - x) ^ 2 <= psi u <= psi x + slope * (u - x).
Definition mean_below (m : nat) (f : nat -> R) : R := sum_below m f / INR m.
