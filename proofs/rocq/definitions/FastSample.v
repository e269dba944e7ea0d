(* finite-computers, Algorithm 4.11: noise that is cut at distance t, mixed with a uniform count, from one draw. *)
From Coq Require Import Reals ZArith Bool.
From DP.definitions Require Import Laws Programs GeoSample EmptyBin.
Open Scope Z_scope.

(* e^(e~/2) = a/b. F' of step 2, over its own denominator d'; the noise beyond t is moved to c. *)
Definition short_denominator (a b : Z) (t : nat) := (a + b) * power a t.
Definition short_cumulative (a b : Z) (n t c z : nat) : Z :=
  if (z + t <? c)%nat then 0
  else if (z <? c)%nat then power a (t + 1 - (c - z)) * power b (c - z) - power b (t + 1)
  else if ((z <? c + t) && (z <? n))%nat then
    short_denominator a b t - power a (t - (z - c)) * power b (z - c + 1) + power b (t + 1)
  else short_denominator a b t.
(* F of step 3, for g = 1/gamma. *)
Definition mixed_denominator (a b : Z) (n t : nat) (g : Z) := g * (Z.of_nat (S n) * short_denominator a b t).
Definition mixed_cumulative (a b : Z) (n t : nat) (g : Z) (c z : nat) : Z :=
  Z.of_nat (S z) * short_denominator a b t + (g - 1) * (Z.of_nat (S n) * short_cumulative a b n t c z).
Definition fastsample (n k t : nat) (g : Z) (c : nat) : prog nat :=
  searched (mixed_denominator (power 2 k + 1) (power 2 k) n t g) (mixed_cumulative (power 2 k + 1) (power 2 k) n t g c) n.

(* Noise up to the distance t on either side of c, what lies beyond moved to c, clamped to 0..n. *)
Open Scope R_scope.
Definition cut_off (alpha : R) (t n c : nat) : law nat := fun u =>
  (noise alpha 0 + 2 * alpha ^ S t / (1 + alpha)) * u c +
  sum_below t (fun j => noise alpha (S j) * (u (c - S j)%nat + u (Nat.min n (c + S j)))).
(* A count that is off by more than a. *)
Definition off_by_more (a c z : nat) : R := if (a <? distance c z)%nat then 1 else 0.
