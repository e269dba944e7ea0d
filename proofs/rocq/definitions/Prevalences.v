(* anonymized-histograms: a histogram is a list of counts, in any order and with any number of zeros. *)
From Coq Require Import Reals List Arith.
From DP.definitions Require Import Laws.
Import ListNotations.
Open Scope R_scope.

(* phi_r and phi_r+: how many counts are r, and how many are r or more. *)
Definition prevalence (r : nat) (x : list nat) : nat := count_occ Nat.eq_dec x r.
Definition reaching (r : nat) (x : list nat) : nat := length (filter (Nat.leb r) x).
(* The sum of |phi_r+ - phi'_r+| over r = 1, ..., n, and up to the greatest count of both. *)
Definition l1_up_to (n : nat) (x y : list nat) : R :=
  sum_below n (fun j => Rabs (INR (reaching (S j) x) - INR (reaching (S j) y))).
Definition l1 (x y : list nat) : R := l1_up_to (list_max (x ++ y)) x y.
(* The distance label by label, of lists of one length. *)
Fixpoint by_label (x y : list nat) : R :=
  match x, y with a :: v, b :: w => Rabs (INR a - INR b) + by_label v w | _, _ => 0 end.
(* The same counts, at other labels. *)
Definition relabeled (x y : list nat) : Prop := length x = length y /\ forall r, prevalence r x = prevalence r y.
Fixpoint falling (x : list nat) : Prop := match x with [] => True | a :: v => Forall (fun b => (b <= a)%nat) v /\ falling v end.
(* All of a list are as near to t as any of another. *)
Definition nearer (t : nat) (x y : list nat) : Prop := forall a b, In a x -> In b y -> Rabs (INR a - INR t) <= Rabs (INR b - INR t).
Definition off_by (t : nat) (x : list nat) : R := fold_right (fun a s => Rabs (INR a - INR t) + s) 0 x.

(* Estimates of bits; an error counts as 1 at most. *)
Definition number (b : bool) : R := if b then 1 else 0.
Definition bit_error {O : Type} (v : O -> R) (b : bool) (o : O) : R := Rmin 1 (Rabs (v o - number b)).
(* Bit i as the counts 2i and 2i + 2, or 2i + 1 twice; one more count has what is left. *)
Fixpoint coded (i : nat) (bits : list bool) (rest : nat) : list nat :=
  match bits with
  | [] => [rest]
  | b :: more => (if b then [(2 * i)%nat; (2 * i + 2)%nat] else [(2 * i + 1)%nat; (2 * i + 1)%nat]) ++ coded (S i) more rest
  end.
(* The mean error of a release, an error counting as c at most. *)
Definition capped_error (c : R) (p : law (list nat)) (h : list nat) : R := c * p (fun x => Rmin 1 (l1 h x / c)).
Definition of_items (n : nat) (h : list nat) : Prop := list_sum h = n \/ list_sum h = S n.
Definition one_item (x y : list nat) : Prop := l1 x y = 1.
