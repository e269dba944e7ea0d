(* Noise on integers. *)
From Coq Require Import Reals ZArith.
From DP.definitions Require Import Laws.
Open Scope R_scope.

(* N c is the law of c with noise. Two centres that differ by one are E-close. *)
Definition steady (E : R) (N : Z -> law Z) : Prop := forall c : Z, measure (N c) /\ total (N c) /\ dp_both E 0 (N c) (N (c + 1)%Z).
Definition exactly (z y : Z) : R := if Z.eq_dec y z then 1 else 0.
(* Two-sided geometric noise of ratio a. *)
Definition noise_of_ratio (a : R) (N : Z -> law Z) : Prop := forall c : Z, measure (N c) /\ total (N c) /\
  forall z : Z, N c (exactly z) = (1 - a) / (1 + a) * a ^ Z.abs_nat (z - c).
(* Discrete Gaussian noise: integers in proportion to the density of a Gaussian of this variance about c. *)
Definition gaussian_noise (variance : R) (N : Z -> law Z) : Prop := exists w : R, 0 < w /\ forall c : Z, measure (N c) /\ total (N c) /\
  forall z : Z, N c (exactly z) = w * exp (- (IZR (z - c) ^ 2 / (2 * variance))).
