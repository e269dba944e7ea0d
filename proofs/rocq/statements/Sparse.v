(* finite-computers, Sections 6.2 and 6.3: the distance of sparse histograms, and the pure one. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Histograms EmptyBin Sparse.
From DP.facts Require Laws.
From DP.facts Require Sparse.
Import ListNotations.
Open Scope R_scope.

(* Section 6.3, Formula 6: levels one after another, each of which sees all before, are as far apart as the sum of what each is
   at most. *)
Theorem formula_6_of_levels : forall (A : Type) (f g : list A -> law A) (e : nat -> R) (n : nat), (forall k, 0 <= e k) ->
  (forall h, measure (f h)) -> (forall h, measure (g h)) -> (forall h, dp_both 1 (e (length h)) (f h) (g h)) ->
  dp_both 1 (sum_below n e) (in_turn f n []) (in_turn g n []).
Proof. exact (@facts.Sparse.levels_hold). Qed.
Theorem formula_6_of_levels_met : dp_both 1 (sum_below 3 (fun _ => 1)) (in_turn (fun _ => ret 1%nat) 3 []) (in_turn (fun _ => ret 2%nat) 3 []).
Proof.
  apply formula_6_of_levels; try (intros; lra); try (intros; apply facts.Laws.finite_is_measure, facts.Laws.ret_finite).
  intros h. split; intros u U; pose proof (U 1%nat); pose proof (U 2%nat); unfold ret; lra.
Qed.
(* Proposition 6.19: n levels, each within m (n + 2)/s, are within m (n^2 + 2n)/s. *)
Theorem proposition_6_19 : forall (A : Type) (f g : list A -> law A) (n m : nat) (s : R), 0 < s -> (forall h, measure (f h)) ->
  (forall h, measure (g h)) -> (forall h, dp_both 1 (INR m * (INR n + 2) / s) (f h) (g h)) ->
  dp_both 1 (INR m * (INR n ^ 2 + 2 * INR n) / s) (in_turn f n []) (in_turn g n []).
Proof. exact (@facts.Sparse.all_levels). Qed.
Theorem proposition_6_19_met : dp_both 1 (INR 1 * (INR 1 ^ 2 + 2 * INR 1) / 3) (in_turn (fun _ => ret 1%nat) 1 []) (in_turn (fun _ => ret 2%nat) 1 []).
Proof.
  apply proposition_6_19; try lra; try (intros; apply facts.Laws.finite_is_measure, facts.Laws.ret_finite).
  intros h. split; intros u U; pose proof (U 1%nat); pose proof (U 2%nat); unfold ret; cbn; lra.
Qed.
(* Formulas 7, corrected, and 9: s = (n^2 + 2n) X/delta is from n^2 X/delta to (n + 1)^2 X/delta, and up to X labels are within delta. *)
Theorem precision_of_sparse : forall (n X m : nat) (delta : R), (1 <= n)%nat -> (m <= X)%nat -> (1 <= X)%nat -> 0 < delta ->
  INR n ^ 2 * INR X / delta <= (INR n ^ 2 + 2 * INR n) * INR X / delta <= (INR n + 1) ^ 2 * INR X / delta /\
  INR m * (INR n ^ 2 + 2 * INR n) / ((INR n ^ 2 + 2 * INR n) * INR X / delta) <= delta.
Proof. exact facts.Sparse.precision_holds. Qed.
Theorem precision_of_sparse_met : INR 2 * (INR 1 ^ 2 + 2 * INR 1) / ((INR 1 ^ 2 + 2 * INR 1) * INR 3 / 1) <= 1.
Proof. apply precision_of_sparse; lia || lra. Qed.
(* Theorem 6.8: what is within delta of a private KH' on every list. *)
Theorem theorem_6_8 : forall (I A : Type) (epsilon delta : R) (domain : I -> Prop) (near : I -> I -> Prop) (kh sparse : I -> law A), 0 <= delta ->
  private (exp epsilon) 0 domain near kh -> (forall x, domain x -> measure (sparse x) /\ total (sparse x)) ->
  (forall x, domain x -> dp_both 1 delta (sparse x) (kh x)) -> private (exp epsilon) ((exp epsilon + 1) * delta) domain near sparse.
Proof. exact (@facts.Sparse.near_private). Qed.
Theorem theorem_6_8_met : private (exp 1) ((exp 1 + 1) * 0) (fun _ : unit => True) (fun _ _ => True) (fun _ => ret tt).
Proof. apply (theorem_6_8 _ _ 1 0 _ _ (fun _ => ret tt)); [lra | apply facts.Sparse.nothing_private | |]; intros x _; destruct (facts.Sparse.nothing_near 0 ltac:(lra)) as (M & T & _ & D); auto. Qed.

(* Section 6.2: of n uniform draws of one of P pairs, each histogram that n distinct pairs make has probability n!/P^n at least. *)
Theorem every_histogram_drawn : forall (A : Type) (read : list nat -> A) (P n : nat), (1 <= P)%nat ->
  spread_in (made_by read P n) (INR (fact n) / INR P ^ n) (image read (drawn_pairs P n)).
Proof. exact (@facts.Sparse.every_histogram). Qed.
Theorem every_histogram_drawn_met : INR (fact 1) / INR 2 ^ 1 <= image (fun _ => tt) (drawn_pairs 2 1) (fun _ => 1).
Proof. apply (every_histogram_drawn unit (fun _ => tt) 2 1 ltac:(lia) tt); [apply facts.Sparse.anything_made | intros x; lra | reflexivity]. Qed.
(* For P = (n + 1) X that is at least (3 X)^-n. *)
Theorem least_of_draws : forall n X : nat, (1 <= X)%nat -> / (3 * INR X) ^ n <= INR (fact n) / INR (S n * X) ^ n.
Proof. exact facts.Sparse.least_share. Qed.
Theorem least_of_draws_met : / (3 * INR 5) ^ 2 <= INR (fact 2) / INR (3 * 5) ^ 2.
Proof. apply least_of_draws. lia. Qed.
(* Section 6.2, Formula 3: for m of the least probability, delta meets (3.1), multiplied out. *)
Theorem condition_of_pure : forall epsilon beta delta m : R, 0 < epsilon <= 1 -> 0 < beta < 1 -> 0 <= m -> delta <= epsilon / 3 * beta * m ->
  delta * (1 - beta) * (exp epsilon + 1) <= (exp epsilon - 1) * beta * m.
Proof. exact facts.Sparse.pure_condition. Qed.
Theorem condition_of_pure_met : / 6 * (1 - / 2) * (exp 1 + 1) <= (exp 1 - 1) * / 2 * 1.
Proof. apply condition_of_pure; lra. Qed.
(* Theorem 6.10: mixed at weight beta with those draws, what is so near to a private KH' is pure. *)
Theorem theorem_6_10 : forall (I A : Type) (epsilon beta delta : R) (n X : nat) (read : list nat -> A) (domain : I -> Prop) (near : I -> I -> Prop)
  (kh sparse : I -> law A), 0 < epsilon <= 1 -> 0 < beta < 1 -> (1 <= X)%nat -> delta <= epsilon / 3 * beta * / (3 * INR X) ^ n ->
  private (exp epsilon) 0 domain near kh -> lives_in (made_by read (S n * X) n) (image read (drawn_pairs (S n * X) n)) ->
  (forall x, domain x -> measure (sparse x) /\ total (sparse x) /\ lives_in (made_by read (S n * X) n) (sparse x) /\ dp_both 1 delta (sparse x) (kh x)) ->
  private (exp epsilon) 0 domain near (fun x => mix beta (image read (drawn_pairs (S n * X) n)) (sparse x)).
Proof. exact (@facts.Sparse.pure_holds). Qed.
Theorem theorem_6_10_met : private (exp 1) 0 (fun _ : unit => True) (fun _ _ => True) (fun _ => mix (/ 2) (image (fun _ => tt) (drawn_pairs 2 1)) (ret tt)).
Proof.
  apply (theorem_6_10 unit unit 1 (/ 2) 0 1 1 (fun _ => tt) _ _ (fun _ => ret tt) (fun _ => ret tt)); try lra; try lia.
  - cbn. lra.
  - apply facts.Sparse.nothing_private.
  - apply facts.Sparse.lives_anywhere, facts.Laws.image_measure, facts.Sparse.draws_measure. lia.
  - intros x _. apply facts.Sparse.nothing_near. lra.
Qed.
(* The mixture is within 2 beta of KH', which has KeepHeavy's accuracy; what is within d of a law has its accuracy but for d. *)
Theorem pure_is_near : forall (A : Type) (beta delta : R) (z kh s : law A), 0 <= beta <= 1 -> 0 <= delta <= beta -> measure z -> measure kh ->
  measure s -> dp_both 1 delta s kh -> dp_both 1 (2 * beta) (mix beta z s) kh.
Proof. exact (@facts.Sparse.within_twice_beta). Qed.
Theorem pure_is_near_met : dp_both 1 (2 * 1) (mix 1 (ret tt) (ret tt)) (ret tt).
Proof. apply (pure_is_near unit 1 1); try lra; apply (facts.Sparse.nothing_near 1); lra. Qed.
(* Accuracy is an event of KeepHeavy's outcomes. *)
Theorem accuracy_of_near : forall (A : Type) (b d : R) (kh s : law A) (u : A -> R), event u -> dp 1 d kh s -> 1 - b <= kh u -> 1 - (b + d) <= s u.
Proof. exact (@facts.Sparse.accuracy_kept). Qed.
Theorem accuracy_of_near_met : 1 - (0 + 1) <= ret tt (fun _ => 1).
Proof. apply (accuracy_of_near unit 0 1 (ret tt)); [intros x; lra | apply (facts.Sparse.nothing_near 1); lra | unfold ret; lra]. Qed.
