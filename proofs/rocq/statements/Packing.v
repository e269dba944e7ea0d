(* finite-computers, Section 7: lower bounds, for mechanisms with any outcomes that release any numbers. *)
From Coq Require Import Reals List Bool Lra Lia.
From DP.definitions Require Import Laws Packing.
From DP.facts Require Keys.
From DP.facts Require Packing.
Import ListNotations.
Open Scope R_scope.

(* Section 7: an event of probability 1 - beta on one data set keeps this much m rows away. *)
Theorem what_is_kept : forall (A : Type) (epsilon d : R) (m : nat) (p : nat -> law A) (beta : R) (u : A -> R), 0 < epsilon ->
  (forall i, (i < m)%nat -> dp (exp epsilon) d (p i) (p (S i))) -> event u -> 1 - beta <= p O u ->
  (1 - beta) / exp epsilon ^ m - d * sum_below m (fun i => / exp epsilon ^ S i) <= p m u.
Proof. exact (@facts.Packing.kept_holds). Qed.
Theorem what_is_kept_met : (1 - / 2) / exp 1 ^ 2 - 0 * sum_below 2 (fun i => / exp 1 ^ S i) <= ret tt (fun _ : unit => 1).
Proof.
  apply (what_is_kept unit 1 0 2 (fun _ => ret tt) (/ 2) (fun _ => 1)).
  - lra.
  - intros i _ u U. specialize (U tt). pose proof (exp_ineq1_le 1). unfold ret. nra.
  - intros x. lra.
  - unfold ret. lra.
Qed.

(* Theorem 7.1 i: per-query accuracy, of any two labels. *)
Theorem theorem_7_1_i : forall (X O : Type) (same_label : decides X) (released : X -> O -> R)
  (M : list X -> law O) (n : nat) (epsilon d : R), 0 < epsilon -> 0 < d -> private (exp epsilon) d (of_size n) one_row M ->
  forall (a beta : R) (x x0 : X), x <> x0 -> 0 < beta <= / 2 -> 0 <= a -> per_query same_label released M n a beta ->
  / 2 * Rmin (ln (/ (4 * beta)) / epsilon - 1) (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) (INR n)) <= a.
Proof. exact (@facts.Packing.per_query_bound). Qed.
Theorem theorem_7_1_i_met : / 2 * Rmin (ln (/ (4 * / 4)) / 1 - 1) (Rmin (ln (1 / (4 * / 2)) / 1 - 1) (INR 1)) <= 1.
Proof.
  apply (theorem_7_1_i bool unit bool_dec (fun _ _ => 0) (fun _ => ret tt) 1 1 (/ 2) ltac:(lra) ltac:(lra) facts.Packing.nothing_is_private
    1 (/ 4) true false); try lra; try discriminate. apply facts.Packing.nothing_is_accurate.
Qed.
(* Theorem 7.1 ii: simultaneous accuracy, over x0 and as many other labels as the list has. *)
Theorem theorem_7_1_ii : forall (X O : Type) (same_label : decides X) (released : X -> O -> R)
  (M : list X -> law O) (n : nat) (epsilon d : R), 0 < epsilon -> 0 < d -> private (exp epsilon) d (of_size n) one_row M ->
  forall (a beta : R) (x0 : X) (labels : list X), NoDup labels -> ~ In x0 labels -> labels <> [] -> 0 < beta <= / 2 -> 0 <= a ->
  simultaneous same_label released M (x0 :: labels) n a beta ->
  / 2 * Rmin (ln (/ (4 * (beta / INR (length labels)))) / epsilon - 1) (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) (INR n)) <= a.
Proof. exact (@facts.Packing.simultaneous_bound). Qed.
Theorem theorem_7_1_ii_met :
  / 2 * Rmin (ln (/ (4 * (/ 4 / INR 1))) / 1 - 1) (Rmin (ln (1 / (4 * / 2)) / 1 - 1) (INR 1)) <= 1.
Proof.
  apply (theorem_7_1_ii bool unit bool_dec (fun _ _ => 0) (fun _ => ret tt) 1 1 (/ 2) ltac:(lra) ltac:(lra) facts.Packing.nothing_is_private
    1 (/ 4) false [true]); try lra; try discriminate.
  - constructor; [intros [] | constructor].
  - intros [H|[]]. discriminate.
  - apply facts.Packing.nothing_is_simultaneous.
Qed.
(* Theorem 7.2: per-query accuracy of a release with at most so few labels above 0, of those of the list. *)
Theorem theorem_7_2 : forall (X O : Type) (same_label : decides X) (released : X -> O -> R)
  (M : list X -> law O) (n : nat) (epsilon d : R), 0 < epsilon -> 0 < d -> private (exp epsilon) d (of_size n) one_row M ->
  forall (a beta few : R) (x0 x1 : X) (labels : list X), x1 <> x0 -> ~ In x0 labels -> 0 < few ->
  (forall h, nonempty released (x0 :: labels) h <= few) -> 0 < beta <= / 2 -> 0 <= a -> per_query same_label released M n a beta ->
  / 2 * Rmin (ln (INR (length (x0 :: labels)) / (16 * beta * few)) / (2 * epsilon) - 1)
    (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) (INR n)) <= a.
Proof. exact (@facts.Packing.sparse_bound). Qed.
Theorem theorem_7_2_met :
  / 2 * Rmin (ln (INR (length [false; true]) / (16 * / 4 * 1)) / (2 * 1) - 1) (Rmin (ln (1 / (4 * / 2)) / 1 - 1) (INR 1)) <= 1.
Proof.
  apply (theorem_7_2 bool unit bool_dec (fun _ _ => 0) (fun _ => ret tt) 1 1 (/ 2) ltac:(lra) ltac:(lra) facts.Packing.nothing_is_private
    1 (/ 4) 1 false true [true]); try lra; try discriminate.
  - intros [H|[]]. discriminate.
  - apply facts.Packing.nothing_is_sparse.
  - apply facts.Packing.nothing_is_accurate.
Qed.
