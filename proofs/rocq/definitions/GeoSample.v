(* finite-computers, Algorithm 4.8: a count with geometric noise, clamped to 0..n, from one draw. *)
From Coq Require Import Reals ZArith Bool.
From DP.definitions Require Import Laws Programs.
Open Scope Z_scope.

(* The least z of low..high with u <= F z, by halving. *)
Fixpoint search (F : Z -> Z) (u : Z) (fuel : nat) (low high : Z) : Z :=
  match fuel with
  | O => low
  | S less =>
      if low <? high then
        let z := (low + high) / 2 in if u <=? F z then search F u less low z else search F u less (z + 1) high
      else low
  end.
(* The least z whose F is above the draw. *)
Definition searched (d : Z) (F : nat -> Z) (n : nat) : prog nat :=
  Below d (fun i => Ret (Z.to_nat (search (fun z => F (Z.to_nat z)) (i + 1) n 0 (Z.of_nat n)))).
Fixpoint power (a : Z) (n : nat) : Z := match n with O => 1 | S m => a * power a m end.

(* e^(epsilon/2) = a/b. The distribution function, over one denominator, of a count c with noise. *)
Definition denominator (a b : Z) (n : nat) := (a + b) * power a (n - 1).
Definition cumulative (a b : Z) (n c z : nat) : Z :=
  if (z <? c)%nat then power a (n - (c - z)) * power b (c - z)
  else if (z <? n)%nat then denominator a b n - power a (n - 1 - (z - c)) * power b (z - c + 1)
  else denominator a b n.
Definition distance (c z : nat) : nat := ((z - c) + (c - z))%nat.
Definition weight (a b : Z) (n c z : nat) : Z :=
  if ((z =? 0) || (z =? n))%nat then power a (n - distance c z) * power b (distance c z)
  else (a - b) * power a (n - 1 - distance c z) * power b (distance c z).

Definition release (a b : Z) (n c : nat) : prog nat := searched (denominator a b n) (cumulative a b n c) n.
Definition closed (a b : Z) (n c : nat) : law nat :=
  weighted (S n) (fun z => IZR (weight a b n c z)) (IZR (denominator a b n)).

(* GeoSample with k coins of precision: e^(epsilon/2) = 1 + 2^-k. *)
Definition geosample (n k c : nat) : prog nat := release (power 2 k + 1) (power 2 k) n c.
Definition at_most (n c : nat) : Prop := (c <= n)%nat.
Definition differ_by_one (c e : nat) : Prop := c = S e \/ e = S c.

(* A count with two-sided geometric noise of ratio alpha = e^(-epsilon/2), clamped to 0..n: the law of Theorem 4.6. *)
Open Scope R_scope.
Definition chance (alpha : R) (n c z : nat) : R :=
  if ((z =? 0) || (z =? n))%nat then alpha ^ distance c z / (1 + alpha)
  else (1 - alpha) / (1 + alpha) * alpha ^ distance c z.
Definition noisy (alpha : R) (n c : nat) : law nat := weighted (S n) (chance alpha n c) 1.
(* The noise itself: z is at a distance j with this probability. *)
Definition noise (alpha : R) (j : nat) : R := (1 - alpha) / (1 + alpha) * alpha ^ j.
