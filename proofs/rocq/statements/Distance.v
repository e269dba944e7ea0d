(* finite-computers, Sections 2 and 7: statistical distance, counts of labels, and events that are kept together. *)
From Coq Require Import Reals List Bool Arith Lra Lia.
From DP.definitions Require Import Laws Packing.
From DP.facts Require Laws.
From DP.facts Require Keys.
From DP.facts Require Distance.
Import ListNotations.
Open Scope R_scope.

(* Definition 2.9: the greatest difference over events is half the sum of the differences, and some event takes it. *)
Theorem half_of_differences : forall (n : nat) (p q : nat -> R), sum_below n p = sum_below n q ->
  (forall u, event u -> sum_below n (fun i => p i * u i) - sum_below n (fun i => q i * u i) <= sum_below n (fun i => Rabs (p i - q i)) / 2) /\
  exists u, sharp u /\ sum_below n (fun i => p i * u i) - sum_below n (fun i => q i * u i) = sum_below n (fun i => Rabs (p i - q i)) / 2.
Proof. exact facts.Distance.half_holds. Qed.
Theorem half_of_differences_met : exists u, sharp u /\
  sum_below 2 (fun i => INR i * u i) - sum_below 2 (fun i => (1 - INR i) * u i) = sum_below 2 (fun i => Rabs (INR i - (1 - INR i))) / 2.
Proof. apply (half_of_differences 2 INR (fun i => 1 - INR i)). cbn. lra. Qed.
(* Lemma 2.10: the distance is 0 exactly where the laws are equal. *)
Theorem distance_zero : forall (A : Type) (p q : law A), dp_both 1 0 p q <-> forall u, event u -> p u = q u.
Proof. exact (@facts.Distance.equal_holds). Qed.
Theorem distance_zero_met : dp_both 1 0 (bernoulli (/ 2)) (bernoulli (/ 2)).
Proof. apply distance_zero. auto. Qed.
(* Lemma 2.10: no map of outcomes raises it, deterministic or random. *)
Theorem distance_mapped : forall (A B : Type) (d : R) (p q : law A) (f : A -> law B),
  (forall x, measure (f x)) -> dp_both 1 d p q -> dp_both 1 d (bind p f) (bind q f).
Proof. exact (@facts.Distance.mapped_holds). Qed.
Theorem distance_mapped_met : dp_both 1 0 (bind (bernoulli (/ 2)) (fun b => ret (negb b))) (bind (bernoulli (/ 2)) (fun b => ret (negb b))).
Proof. apply distance_mapped; [intros; apply facts.Keys.sure_measure | apply distance_zero; auto]. Qed.
(* Lemma 2.10: a second step adds at most its greatest distance. *)
Theorem distance_of_steps : forall (A B : Type) (d e : R) (p q : law A) (f g : A -> law B), measure p -> measure q -> 0 <= e ->
  (forall x, measure (f x)) -> (forall x, measure (g x)) -> dp_both 1 d p q -> (forall x, dp_both 1 e (f x) (g x)) ->
  dp_both 1 (d + e) (bind p f) (bind q g).
Proof. exact (@facts.Distance.two_steps_hold). Qed.
Theorem distance_of_steps_met : dp_both 1 (0 + 0) (bind (bernoulli (/ 2)) (fun _ => bernoulli (/ 3))) (bind (bernoulli (/ 2)) (fun _ => bernoulli (/ 3))).
Proof.
  apply distance_of_steps; try (intros; apply facts.Keys.coin_measure); try lra; intros; apply distance_zero; auto.
Qed.

(* Section 2.2: the counts of all labels sum to the number of rows, so at most so many are positive, and they can be. *)
Theorem counts_of_labels : forall (X : Type) (same_label : decides X) (labels : list X), NoDup labels ->
  (forall rows, incl rows labels -> list_sum (map (count_occ same_label rows) labels) = length rows /\
    (length (filter (fun x => 1 <=? count_occ same_label rows x)%nat labels) <= length rows)%nat) /\
  forall n, (n <= length labels)%nat -> exists rows, incl rows labels /\ length rows = n /\
    (n <= length (filter (fun x => 1 <=? count_occ same_label rows x)%nat labels))%nat.
Proof. exact (@facts.Distance.counts_hold). Qed.
Theorem counts_of_labels_met : list_sum (map (count_occ bool_dec [true; true]) [true; false]) = 2%nat.
Proof.
  apply (counts_of_labels bool bool_dec [true; false]).
  - constructor; [intros [H|[]]; discriminate | constructor; [intros [] | constructor]].
  - intros x [<-|[<-|[]]]; left; reflexivity.
Qed.

(* Section 7: N events, each likely on one data set, m rows from one that they share, are kept there together. *)
Theorem kept_together : forall (A : Type) (epsilon d beta : R) (m N : nat) (chain : nat -> nat -> law A) (p : law A) (u : nat -> A -> R),
  0 < epsilon -> (forall x i, (x < N)%nat -> (i < m)%nat -> dp (exp epsilon) d (chain x i) (chain x (S i))) ->
  (forall x, (x < N)%nat -> chain x m = p) -> (forall x, event (u x)) -> (forall x, (x < N)%nat -> 1 - beta <= chain x O (u x)) ->
  INR N * ((1 - beta) / exp epsilon ^ m - d * sum_below m (fun i => / exp epsilon ^ S i)) <= sum_below N (fun x => p (u x)).
Proof. exact (@facts.Distance.together_holds). Qed.
Theorem kept_together_met : INR 2 * ((1 - / 2) / exp 1 ^ 0 - 0 * sum_below 0 (fun i => / exp 1 ^ S i)) <= sum_below 2 (fun _ => ret tt (fun _ : unit => 1)).
Proof.
  apply (kept_together unit 1 0 (/ 2) 0 2 (fun _ _ => ret tt) (ret tt) (fun _ _ => 1)); try lra; try lia.
  - reflexivity.
  - intros x y. lra.
  - intros x _. unfold ret. lra.
Qed.
(* Section 7: the mean number of those events, for any delta. *)
Theorem kept_in_the_mean : forall (A : Type) (epsilon d beta : R) (m N : nat) (chain : nat -> nat -> law A) (p : law A) (u : nat -> A -> R),
  0 < epsilon -> (forall x i, (x < N)%nat -> (i < m)%nat -> dp (exp epsilon) d (chain x i) (chain x (S i))) ->
  (forall x, (x < N)%nat -> chain x m = p) -> (forall x, event (u x)) -> (forall x, (x < N)%nat -> 1 - beta <= chain x O (u x)) ->
  0 <= d -> INR N * ((1 - beta) / exp epsilon ^ m - d / epsilon) <= sum_below N (fun x => p (u x)).
Proof. exact (@facts.Distance.in_the_mean). Qed.
Theorem kept_in_the_mean_met : INR 2 * ((1 - / 2) / exp 1 ^ 0 - 0 / 1) <= sum_below 2 (fun _ => ret tt (fun _ : unit => 1)).
Proof.
  apply (kept_in_the_mean unit 1 0 (/ 2) 0 2 (fun _ _ => ret tt) (ret tt) (fun _ _ => 1)); try lra; try lia.
  - reflexivity.
  - intros x y. lra.
  - intros x _. unfold ret. lra.
Qed.
