(* What the kernel and the engine rely on: the decision, brackets, tables, merging, solutions, tails and counts. *)
From Coq Require Import Reals ZArith List Lra Lia.
From DP.definitions Require Import Laws Programs Decision.
From DP.facts Require Laws.
From DP.facts Require Programs.
From DP.facts Require Engine.
From DP.facts Require Decision.
Import ListNotations.
Open Scope R_scope.

(* Verified: f gives the outcome of each row, also of rows that share one; tail is the mass of P that no row has; a/b is
   at most e^epsilon. The kernel runs `verifies` as extracted to Python. *)
Theorem verdict_verified : forall (A : Type) (P Q : law A) (f : nat -> A) (a b c d g m n tail : Z) (table : rows) (s epsilon : R),
  scales a b d g m n -> measure Q -> IZR a / IZR b <= exp epsilon ->
  seen (image f (left_law (g * m) table)) P (IZR tail / IZR (g * m)) -> seen (image f (right_law (g * n) table)) Q s ->
  verifies a b c d g m n tail table = true -> dp (exp epsilon) (IZR c / IZR d) P Q.
Proof. exact (@facts.Decision.verdict_verified_holds). Qed.
Theorem verdict_verified_met :
  dp (exp (ln 2)) (IZR 0 / IZR 1) (image (fun i => i) (left_law 3 [(1, 2); (2, 1)]%Z)) (image (fun i => i) (right_law 3 [(1, 2); (2, 1)]%Z)).
Proof.
  apply (verdict_verified nat _ _ (fun i => i) 2 1 0 1 3 1 1 0 [(1, 2); (2, 1)]%Z 0).
  - repeat split; lia.
  - apply facts.Decision.example_is_measure.
  - rewrite exp_ln; lra.
  - intros u U. change (3 * 1)%Z with 3%Z. lra.
  - intros u U. change (3 * 1)%Z with 3%Z. lra.
  - reflexivity.
Qed.

(* Refuted: no two rows share an outcome, for name gives the row back; tail is the mass of Q that no row has; a/b is at
   least e^epsilon. The kernel runs `refutes` as extracted to Python. *)
Theorem verdict_refuted : forall (A : Type) (P Q : law A) (f : nat -> A) (name : A -> nat) (a b c d g m n tail : Z) (table : rows) (t epsilon : R),
  scales a b d g m n -> measure Q -> exp epsilon <= IZR a / IZR b -> (forall i, name (f i) = i) ->
  seen (image f (left_law (g * m) table)) P t -> seen (image f (right_law (g * n) table)) Q (IZR tail / IZR (g * n)) ->
  refutes a b c d g m n tail table = true -> ~ dp (exp epsilon) (IZR c / IZR d) P Q.
Proof. exact (@facts.Decision.verdict_refuted_holds). Qed.
Theorem verdict_refuted_met :
  ~ dp (exp 0) (IZR 1 / IZR 4) (image (fun i => i) (left_law 3 [(1, 2); (2, 1)]%Z)) (image (fun i => i) (right_law 3 [(1, 2); (2, 1)]%Z)).
Proof.
  apply (verdict_refuted nat _ _ (fun i => i) (fun i => i) 1 1 1 4 3 1 1 0 [(1, 2); (2, 1)]%Z 0).
  - repeat split; lia.
  - apply facts.Decision.example_is_measure.
  - rewrite exp_0. lra.
  - reflexivity.
  - intros u U. change (3 * 1)%Z with 3%Z. lra.
  - intros u U. change (3 * 1)%Z with 3%Z. lra.
  - reflexivity.
Qed.

(* Refuted for every epsilon: every outcome of Q has a row, and the rows in which Q has no weight exceed delta. The kernel
   runs `refutes_always` as extracted to Python. *)
Theorem verdict_refuted_always : forall (A : Type) (P Q : law A) (f : nat -> A) (name : A -> nat) (c d g m n : Z) (table : rows) (t epsilon : R),
  (0 < d)%Z -> (0 < g * m)%Z -> (forall i, name (f i) = i) ->
  seen (image f (left_law (g * m) table)) P t -> seen (image f (right_law n table)) Q 0 ->
  refutes_always c d g m table = true -> ~ dp (exp epsilon) (IZR c / IZR d) P Q.
Proof. exact (@facts.Decision.refutes_always_holds). Qed.
Theorem verdict_refuted_always_met :
  ~ dp (exp 5) (IZR 1 / IZR 4) (image (fun i => i) (left_law 3 [(1, 0); (2, 3)]%Z)) (image (fun i => i) (right_law 3 [(1, 0); (2, 3)]%Z)).
Proof.
  apply (verdict_refuted_always nat _ _ (fun i => i) (fun i => i) 1 4 3 1 3 [(1, 0); (2, 3)]%Z 0); try lia; try reflexivity.
  - intros u U. change (3 * 1)%Z with 3%Z. lra.
  - intros u U. lra.
Qed.

(* A bracket of e^x from below. *)
Theorem exp_from_below : forall (x : R) (n : nat), 0 <= x -> sum_f_R0 (fun i => / INR (fact i) * x ^ i) n <= exp x.
Proof. exact facts.Decision.exp_from_below_holds. Qed.
Theorem exp_from_below_met : sum_f_R0 (fun i => / INR (fact i) * 1 ^ i) 3 <= exp 1.
Proof. apply exp_from_below. lra. Qed.
(* A bracket of e^x from above. *)
Theorem exp_from_above : forall (x : R) (k : nat), (0 < k)%nat -> 0 <= x < INR k -> exp x <= (/ (1 - x / INR k)) ^ k.
Proof. exact facts.Decision.exp_from_above_holds. Qed.
Theorem exp_from_above_met : exp 1 <= (/ (1 - 1 / INR 4)) ^ 4.
Proof. apply exp_from_above; [lia | cbn; lra]. Qed.

(* The table of a program is its law. *)
Theorem table_is_law : forall (A : Type) (c : prog A) (u : A -> R), draws c ->
  run c u = weigh (snd (enumerate c)) u / IZR (fst (enumerate c)).
Proof. exact (@facts.Programs.table_holds). Qed.
Theorem table_is_law_met : run (Below 3 Ret) IZR = weigh (snd (enumerate (Below 3 Ret))) IZR / IZR (fst (enumerate (Below 3 Ret))).
Proof. apply table_is_law. split; [lia | intros; exact I]. Qed.
(* Every program whose draws are all of one number at least has a law of mass 1. *)
Theorem program_is_law : forall (A : Type) (c : prog A), draws c -> measure (run c) /\ total (run c).
Proof. exact (@facts.Programs.program_holds). Qed.
Theorem program_is_law_met : measure (run (Below 3 Ret)) /\ total (run (Below 3 Ret)).
Proof. apply program_is_law. split; [lia | intros; exact I]. Qed.

(* Any configuration that goes on alike may stand for another, among those that are reached. *)
Theorem merging : forall (C B : Type) (step : C -> law (B + C)) (reached : C -> Prop) (alike : C -> C -> Prop),
  invariant step reached -> congruent step reached alike -> (forall c, measure (step c)) ->
  forall rep : C -> C, (forall c, reached c -> reached (rep c) /\ alike c (rep c)) ->
  forall (n : nat) (c : C) (u : B -> R), event u -> reached c -> after (renamed step rep) n c u = after step n c u.
Proof. exact (@facts.Engine.representatives_hold). Qed.
Theorem merging_met : after (renamed (fun c : bool => ret (inl 0%nat)) negb) 2 true (fun _ => 1) = after (fun c : bool => ret (inl 0%nat)) 2 true (fun _ => 1).
Proof.
  apply (merging bool nat (fun _ => ret (inl 0%nat)) (fun _ => True) (fun _ _ => True)); auto.
  - intros c v w _ _ _ H _. apply (H 0%nat).
  - intros c d v _ _ _ _ _. reflexivity.
  - intros c. exact (facts.Engine.sure_step bool nat 0%nat c).
  - intros b. lra.
Qed.

(* A solution of the equations of a chain is its law, up to what still runs; so there is one if all ends. *)
Theorem solution : forall (C B : Type) (step : C -> law (B + C)), (forall c, measure (step c)) ->
  forall (u : B -> R) (x : C -> R), event u -> event x -> (forall c, x c = step c (go u x)) ->
  forall (n : nat) (c : C), after step n c u <= x c <= after step n c u + running step n c.
Proof. exact (@facts.Engine.solution_holds). Qed.
Theorem solution_met : let step := fun _ : bool => ret (@inl nat bool 0%nat) in
  after step 2 true (fun _ => 1) <= 1 <= after step 2 true (fun _ => 1) + running step 2 true.
Proof.
  apply (solution bool nat (fun _ => ret (inl 0%nat)) (facts.Engine.sure_step bool nat 0%nat) (fun _ => 1) (fun _ => 1)).
  - intros b. lra.
  - intros c. lra.
  - reflexivity.
Qed.

(* Of any event, what ends after n steps is at most what still runs after them. *)
Theorem unseen_tail : forall (C B : Type) (step : C -> law (B + C)), (forall c, measure (step c)) ->
  forall (n m : nat) (c : C) (u : B -> R), event u ->
  after step n c u <= after step (n + m) c u <= after step n c u + running step n c.
Proof. exact (@facts.Engine.later_holds). Qed.
Theorem unseen_tail_met : let step := fun _ : bool => ret (@inl nat bool 0%nat) in
  after step 1 true (fun _ => 1) <= after step (1 + 1) true (fun _ => 1) <= after step 1 true (fun _ => 1) + running step 1 true.
Proof. apply (unseen_tail bool nat (fun _ => ret (inl 0%nat)) (facts.Engine.sure_step bool nat 0%nat)). intros b. lra. Qed.
(* It falls geometrically where every step from what is reached ends with probability at least 1 - r. *)
Theorem running_at_most : forall (C B : Type) (step : C -> law (B + C)), (forall c, measure (step c)) ->
  forall (reached : C -> Prop) (r : R), 0 <= r <= 1 -> invariant step reached ->
  (forall c, reached c -> step c (go (fun _ => 0) (fun _ => 1)) <= r) ->
  forall (n : nat) (c : C), reached c -> running step n c <= r ^ n.
Proof. exact (@facts.Engine.running_holds). Qed.
Theorem running_at_most_met : running (fun _ : bool => ret (@inl nat bool 0%nat)) 3 true <= (/ 2) ^ 3.
Proof.
  apply (running_at_most bool nat (fun _ => ret (inl 0%nat)) (facts.Engine.sure_step bool nat 0%nat) (fun _ => True)); auto; try lra.
  - intros c v w _ _ _ H _. apply (H 0%nat).
  - intros c _. unfold ret, go. lra.
Qed.
(* A machine that ends with certainty has one law. *)
Theorem one_law : forall (C B : Type) (step : C -> law (B + C)) (c : C) (P Q : law B) (u : B -> R),
  ends_as step c P -> ends_as step c Q -> Un_cv (fun n => running step n c) 0 -> event u -> P u = Q u.
Proof. exact (@facts.Engine.ends_once_holds). Qed.
Theorem one_law_met : ret 0%nat (fun _ : nat => 1) = ret 0%nat (fun _ : nat => 1).
Proof.
  apply (one_law bool nat (fun _ => ret (inl 0%nat)) true (ret 0%nat) (ret 0%nat)); try apply facts.Engine.sure_ends; [apply facts.Engine.sure_stops|].
  intros b. lra.
Qed.

(* Counts: the first n have mass 1 - r^n. *)
Theorem geometric_total : forall (r : R) (n : nat), sum_below n (geometric r) = 1 - r ^ n.
Proof. exact facts.Engine.geometric_first. Qed.
Theorem geometric_total_met : sum_below 2 (geometric (/ 2)) = 1 - (/ 2) ^ 2.
Proof. apply geometric_total. Qed.
(* Given that a count exceeds c, what is left has the same law. *)
Theorem geometric_forgets : forall (r : R) (c n : nat) (u : nat -> R), sum_below (c + 1 + n) (fun j => geometric r j * u j) =
  sum_below (c + 1) (fun j => geometric r j * u j) + r ^ (c + 1) * sum_below n (fun j => geometric r j * u (c + 1 + j)%nat).
Proof. exact facts.Engine.forgets_mean_holds. Qed.
Theorem geometric_forgets_met : sum_below (1 + 1 + 1) (fun j => geometric (/ 2) j * INR j) =
  sum_below (1 + 1) (fun j => geometric (/ 2) j * INR j) + (/ 2) ^ (1 + 1) * sum_below 1 (fun j => geometric (/ 2) j * INR (1 + 1 + j)).
Proof. apply geometric_forgets. Qed.
(* Of two independent counts of ratios r and s, the lesser has ratio r s, and the distance is independent of it. *)
Theorem geometric_compared : forall (r s : R) (n : nat) (u : nat -> nat -> R), r * s < 1 ->
  sum_below n (fun m => geometric r m * geometric s m * u m m + sum_below n (fun g =>
    geometric r (m + 1 + g) * geometric s m * u (m + 1 + g)%nat m + geometric r m * geometric s (m + 1 + g) * u m (m + 1 + g)%nat)) =
  (1 - r) * (1 - s) / (1 - r * s) * sum_below n (fun m => geometric (r * s) m * u m m) +
  (r * (1 - s) / (1 - r * s) * sum_below n (fun m => geometric (r * s) m * sum_below n (fun g => geometric r g * u (m + 1 + g)%nat m)) +
   s * (1 - r) / (1 - r * s) * sum_below n (fun m => geometric (r * s) m * sum_below n (fun g => geometric s g * u m (m + 1 + g)%nat))).
Proof. exact facts.Engine.compared_mean_holds. Qed.
Theorem geometric_compared_met : let r := / 2 in let s := / 3 in let u := fun i j => INR (i + j) in
  sum_below 2 (fun m => geometric r m * geometric s m * u m m + sum_below 2 (fun g =>
    geometric r (m + 1 + g) * geometric s m * u (m + 1 + g)%nat m + geometric r m * geometric s (m + 1 + g) * u m (m + 1 + g)%nat)) =
  (1 - r) * (1 - s) / (1 - r * s) * sum_below 2 (fun m => geometric (r * s) m * u m m) +
  (r * (1 - s) / (1 - r * s) * sum_below 2 (fun m => geometric (r * s) m * sum_below 2 (fun g => geometric r g * u (m + 1 + g)%nat m)) +
   s * (1 - r) / (1 - r * s) * sum_below 2 (fun m => geometric (r * s) m * sum_below 2 (fun g => geometric s g * u m (m + 1 + g)%nat))).
Proof. apply geometric_compared. lra. Qed.
(* The loop that counts heads until the first tail has this law. *)
Theorem loop_is_geometric : forall (a b : Z) (n c : nat) (u : nat -> R), (0 <= a < b)%Z ->
  after (fun i => run (turn a b i)) n c u = sum_below n (fun j => geometric (IZR a / IZR b) j * u (c + j)%nat).
Proof. exact facts.Engine.loop_holds. Qed.
Theorem loop_is_geometric_met : after (fun i => run (turn 1 2 i)) 3 0%nat INR = sum_below 3 (fun j => geometric (1 / 2) j * INR (0 + j)).
Proof. apply loop_is_geometric. lia. Qed.
