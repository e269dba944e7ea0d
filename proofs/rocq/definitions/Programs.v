(* Programs that draw uniform numbers, machines that take random steps, and their laws. *)
From Coq Require Import Reals ZArith List.
From DP.definitions Require Import Laws.
Import ListNotations.
Open Scope R_scope.

(* Ret x ends with x. Below n k draws one of 0, ..., n - 1 and goes on. *)
Inductive prog (A : Type) : Type := Ret (x : A) | Below (n : Z) (k : Z -> prog A).
Arguments Ret {A}.
Arguments Below {A}.
Fixpoint run {A : Type} (c : prog A) : law A :=
  match c with
  | Ret x => ret x
  | Below n k => fun u => sum_below (Z.to_nat n) (fun i => run (k (Z.of_nat i)) u) / IZR n
  end.
(* Every draw that can happen is from at least one number. *)
Fixpoint draws {A : Type} (c : prog A) : Prop :=
  match c with Ret _ => True | Below n k => (0 < n)%Z /\ forall i, (0 <= i < n)%Z -> draws (k i) end.
Fixpoint and_then {A B : Type} (c : prog A) (f : A -> prog B) : prog B :=
  match c with Ret x => f x | Below n k => Below n (fun i => and_then (k i) f) end.

(* The law of a program as a table of integers: a denominator, and each path's outcome with its weight. *)
Definition table (A : Type) := (Z * list (A * Z))%type.
Definition scale {A : Type} (k : Z) (l : list (A * Z)) := map (fun t => (fst t, (k * snd t)%Z)) l.
Fixpoint pooled {A : Type} (f : nat -> table A) (n : nat) : table A :=
  match n with
  | O => (1%Z, [])
  | S m =>
      let (d, l) := pooled f m in
      let (e, k) := f m in
      let common := Z.lcm d e in (common, scale (common / d) l ++ scale (common / e) k)
  end.
Fixpoint enumerate {A : Type} (c : prog A) : table A :=
  match c with
  | Ret x => (1%Z, [(x, 1%Z)])
  | Below n k => let (d, l) := pooled (fun i => enumerate (k (Z.of_nat i))) (Z.to_nat n) in ((n * d)%Z, l)
  end.
Fixpoint weigh {A : Type} (l : list (A * Z)) (u : A -> R) : R :=
  match l with [] => 0 | (x, w) :: rest => IZR w * u x + weigh rest u end.

(* A machine goes from a configuration by a random step to an end or to a next configuration. *)
Definition go {C B : Type} (u : B -> R) (f : C -> R) (y : B + C) : R := match y with inl b => u b | inr c => f c end.
(* The law of what ends within n steps, and the probability to run on after them. *)
Fixpoint after {C B : Type} (step : C -> law (B + C)) (n : nat) (c : C) : law B :=
  match n with O => fun _ => 0 | S m => fun u => step c (go u (fun d => after step m d u)) end.
Fixpoint running {C B : Type} (step : C -> law (B + C)) (n : nat) (c : C) : R :=
  match n with O => 1 | S m => step c (go (fun _ => 0) (running step m)) end.
(* p is seen of the law P, and at most t of any event is unseen. *)
Definition seen {A : Type} (p P : law A) (t : R) := forall u, event u -> p u <= P u <= p u + t.
(* P is the law of the machine from c on. *)
Definition ends_as {C B : Type} (step : C -> law (B + C)) (c : C) (P : law B) :=
  forall n, seen (after step n c) P (running step n c).
(* Outcomes with each configuration told by its key, or by one that stands for it. *)
Definition told {B C K : Type} (key : C -> K) (y : B + C) : B + K :=
  match y with inl b => inl b | inr c => inr (key c) end.
(* The loop that counts heads, of probability a/b, until the first tail. *)
Definition turn (a b : Z) (c : nat) : prog (nat + nat) :=
  Below b (fun i => if (i <? a)%Z then Ret (inr (S c)) else Ret (inl c)).
(* Steps from what is reached look at nothing beside what is reached. *)
Definition invariant {C B : Type} (step : C -> law (B + C)) (reached : C -> Prop) :=
  forall c v w, reached c -> event v -> event w -> (forall b, v (inl b) = w (inl b)) ->
    (forall d, reached d -> v (inr d) = w (inr d)) -> step c v = step c w.
(* Alike configurations step alike, if what is alike counts the same. *)
Definition congruent {C B : Type} (step : C -> law (B + C)) (reached : C -> Prop) (alike : C -> C -> Prop) :=
  forall c d v, reached c -> reached d -> alike c d -> event v ->
    (forall x y, reached x -> reached y -> alike x y -> v (inr x) = v (inr y)) -> step c v = step d v.
(* The machine that goes on from rep c in place of c. *)
Definition renamed {C B : Type} (step : C -> law (B + C)) (rep : C -> C) (c : C) : law (B + C) := image (told rep) (step c).
