(* A law is an expectation: it takes a weight of outcomes to its mean. Privacy, and the operations that build laws. *)
From Coq Require Import Reals List.
Import ListNotations.
Open Scope R_scope.

Definition law (A : Type) := (A -> R) -> R.

(* Weights lie in [0, 1]. A set of outcomes is the weight that is 1 on it and 0 elsewhere. *)
Definition event {A : Type} (u : A -> R) := forall x, 0 <= u x <= 1.
Definition sharp {A : Type} (u : A -> R) := forall x, u x = 0 \/ u x = 1.

(* Mass may be lost, as by a program that does not end. Outcomes may be infinitely many: increasing weights converge. *)
Record measure {A : Type} (p : law A) : Prop := {
  additive : forall u v, event u -> event v -> event (fun x => u x + v x) -> p (fun x => u x + v x) = p u + p v;
  scaled : forall c u, 0 <= c <= 1 -> event u -> p (fun x => c * u x) = c * p u;
  monotone : forall u v, event u -> event v -> (forall x, u x <= v x) -> p u <= p v;
  mass : p (fun _ => 1) <= 1;
  continuous : forall (u : nat -> A -> R) v, (forall n, event (u n)) -> event v -> (forall n x, u n x <= u (S n) x) ->
    (forall x, Un_cv (fun n => u n x) (v x)) -> Un_cv (fun n => p (u n)) (p v) }.
Definition total {A : Type} (p : law A) := p (fun _ => 1) = 1.

(* (epsilon, delta)-privacy of one ordered pair of laws: E is e^epsilon. *)
Definition dp {A : Type} (E d : R) (p q : law A) := forall u, event u -> p u <= E * q u + d.
Definition dp_sets {A : Type} (E d : R) (p q : law A) := forall u, sharp u -> p u <= E * q u + d.
Definition dp_both {A : Type} (E d : R) (p q : law A) := dp E d p q /\ dp E d q p.

(* A mechanism with its domain and its neighbours: each law is a measure of mass 1, and any two neighbours are close. *)
Definition private {I A : Type} (E d : R) (domain : I -> Prop) (near : I -> I -> Prop) (mechanism : I -> law A) :=
  (forall x, domain x -> measure (mechanism x) /\ total (mechanism x)) /\
  forall x y, domain x -> domain y -> near x y -> dp_both E d (mechanism x) (mechanism y).

Definition ret {A : Type} (a : A) : law A := fun u => u a.
Definition bind {A B : Type} (p : law A) (f : A -> law B) : law B := fun u => p (fun x => f x u).
Definition image {A B : Type} (f : A -> B) (p : law A) : law B := fun u => p (fun x => u (f x)).
Definition mix {A : Type} (t : R) (p q : law A) : law A := fun u => t * p u + (1 - t) * q u.
Definition bernoulli (t : R) : law bool := mix t (ret true) (ret false).

(* Independent coordinates. *)
Fixpoint every {A : Type} (ps : list (law A)) : law (list A) :=
  match ps with [] => ret [] | p :: rest => bind p (fun x => image (cons x) (every rest)) end.

(* n steps one after another, each of which sees all outcomes before it, the last one first. *)
Fixpoint in_turn {A : Type} (step : list A -> law A) (n : nat) (before : list A) : law (list A) :=
  match n with O => ret before | S m => bind (step before) (fun x => in_turn step m (x :: before)) end.

(* Finite sums, and the law of the numbers below n whose weights are w over the denominator D. *)
Fixpoint sum_below (n : nat) (f : nat -> R) : R := match n with O => 0 | S m => sum_below m f + f m end.
Definition weighted (n : nat) (w : nat -> R) (D : R) : law nat := fun u => sum_below n (fun i => w i * u i) / D.
Definition positive_part (x : R) := Rmax 0 x.
Definition hockey (n : nat) (p q : nat -> R) (E : R) := sum_below n (fun i => positive_part (p i - E * q i)).

(* 1 + E + ... + E^(m - 1): what delta is multiplied by in a group of m. *)
Fixpoint shares (E : R) (m : nat) : R := match m with O => 0 | S k => 1 + E * shares E k end.

(* Counts: g = j with probability (1 - r) r^j. *)
Definition geometric (r : R) (j : nat) := (1 - r) * r ^ j.

(* Histograms of which one bin has one person more. *)
Inductive one_more : list nat -> list nat -> Prop :=
  | at_bin : forall before k after, one_more (before ++ k :: after) (before ++ S k :: after).
