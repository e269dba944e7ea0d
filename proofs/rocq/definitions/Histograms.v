(* finite-computers, Sections 3, 5 and 6: mixtures with a spread law, and histograms whose bins are drawn independently. *)
From Coq Require Import Reals List Arith.
From DP.definitions Require Import Laws.
Open Scope R_scope.

(* Each single outcome has at least the mass m. *)
Definition spread {A : Type} (m : R) (p : law A) := forall r u, event u -> u r = 1 -> m <= p u.
(* A law sees only the outcomes of D, and each of these has at least the mass m. *)
Definition lives_in {A : Type} (D : A -> Prop) (p : law A) : Prop :=
  forall u v, event u -> event v -> (forall x, D x -> u x = v x) -> p u = p v.
Definition spread_in {A : Type} (D : A -> Prop) (m : R) (p : law A) : Prop := forall r u, D r -> event u -> u r = 1 -> m <= p u.

(* Lists of counts of two data sets of which one row has another label: its count falls, the other's rises. *)
Inductive moved : list nat -> list nat -> Prop :=
  | from_to : forall before i between j after,
      moved (before ++ S i :: between ++ j :: after) (before ++ i :: between ++ S j :: after).
Definition one_label (x y : list nat) : Prop := moved x y \/ moved y x.
Definition counts_at_most (n : nat) (x : list nat) : Prop := Forall (fun c => (c <= n)%nat) x.

(* Algorithm 5.1: each count is drawn by M. *)
Definition basic (M : nat -> law nat) (x : list nat) : law (list nat) := every (map M x).
(* Algorithm 5.4: counts of labels that occur, if they come out above b; 0 stands for what is not released. *)
Definition over (b v : nat) : nat := if (v <=? b)%nat then O else v.
Definition stable (M : nat -> law nat) (b c : nat) : law nat := match c with O => ret O | S _ => image (over b) (M c) end.
Definition stability (M : nat -> law nat) (b : nat) (x : list nat) : law (list nat) := every (map (stable M b) x).
Definition above_threshold (b v : nat) : R := if (v <=? b)%nat then 0 else 1.
(* Algorithm 6.1: a count stays if at most n counts are as large, so if it is above the (n + 1)-st greatest. *)
Definition as_large (c : nat) (l : list nat) : nat := length (filter (fun e => (c <=? e)%nat) l).
Definition keep_heavy (n : nat) (l : list nat) : list nat := map (fun c => if (as_large c l <=? n)%nat then c else O) l.
