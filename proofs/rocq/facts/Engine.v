(* Machines: merging of configurations, solutions of linear equations, tails, verdicts on what was seen, and counts. *)
From Coq Require Import Reals Lra Lia ZArith.
From DP.definitions Require Import Laws Programs.
From DP.facts Require Import Laws Programs.
Open Scope R_scope.

Section Machines.
Context {C B : Type} (step : C -> law (B + C)).
Hypothesis lawful : forall c, measure (step c).

Lemma go_event (u : B -> R) (f : C -> R) : event u -> event f -> event (go u f).
Proof. intros U F [b|c]; cbn; auto. Qed.
Lemma after_event n u : event u -> event (fun c => after step n c u).
Proof.
  intros U. induction n as [|n IH]; intros c; cbn; [lra|]. apply within; auto. apply go_event; auto.
Qed.
Lemma running_event n : event (running step n).
Proof. induction n as [|n IH]; intros c; cbn; [lra|]. apply within; auto. apply go_event; auto using zero_is_event. Qed.
Lemma ends_or_runs n u c : event u -> event (fun d => after step n d u + running step n d) ->
  step c (go u (fun d => after step n d u + running step n d)) = after step (S n) c u + running step (S n) c.
Proof.
  intros U S. cbn [after running]. assert (After := after_event n u U). assert (Run := running_event n).
  rewrite <- (additive _ (lawful c)); auto using go_event, zero_is_event.
  - apply same; auto using go_event.
    + intros [b|d]; cbn; [specialize (U b); lra | apply S].
    + intros [b|d]; cbn; lra.
  - intros [b|d]; cbn; [specialize (U b); lra | apply S].
Qed.
(* What ends and what still runs are together at most 1. *)
Lemma ends_and_runs n u : event u -> event (fun d => after step n d u + running step n d).
Proof.
  intros U. induction n as [|n IH]; intros c; [cbn; lra|]. rewrite <- ends_or_runs by auto. apply within; auto using go_event.
Qed.

(* A solution of the chain's equations is its law, up to what still runs. *)
Lemma solution_holds (u : B -> R) (x : C -> R) : event u -> event x -> (forall c, x c = step c (go u x)) ->
  forall n c, after step n c u <= x c <= after step n c u + running step n c.
Proof.
  intros U X S n. induction n as [|n IH]; intros c; [cbn; specialize (X c); lra|].
  assert (T := ends_and_runs n u U). rewrite <- ends_or_runs by auto. rewrite S. cbn [after].
  split; apply (monotone _ (lawful c)); auto using go_event, after_event; intros [b|d]; cbn; try lra; apply IH.
Qed.
(* Of any event, what ends later is at most what still runs. *)
Lemma later_holds n m c u : event u -> after step n c u <= after step (n + m) c u <= after step n c u + running step n c.
Proof.
  intros U. revert c. induction n as [|n IH]; intros c.
  - cbn. pose proof (after_event m u U c). cbn in *. lra.
  - assert (T := ends_and_runs n u U). rewrite <- ends_or_runs by auto. cbn [after Nat.add].
    split; apply (monotone _ (lawful c)); auto using go_event, after_event; intros [b|d]; cbn; try lra; apply IH.
Qed.
(* Where every configuration that is reached ends with probability at least 1 - r. *)
Lemma on_reached (reached : C -> Prop) c v w : invariant step reached -> reached c -> event v -> event w ->
  (forall b, v (inl b) <= w (inl b)) -> (forall d, reached d -> v (inr d) <= w (inr d)) -> step c v <= step c w.
Proof.
  intros I X V W Ends Goes. set (least := fun y => Rmin (v y) (w y)).
  assert (L : event least) by (intros y; specialize (V y); specialize (W y); unfold least; apply Rmin_case; auto).
  rewrite (I c v least X V L).
  - apply (monotone _ (lawful c)); auto. intros y. apply Rmin_r.
  - intros b. unfold least. rewrite Rmin_left; auto.
  - intros d D. unfold least. rewrite Rmin_left; auto.
Qed.
Lemma running_holds (reached : C -> Prop) r : 0 <= r <= 1 -> invariant step reached ->
  (forall c, reached c -> step c (go (fun _ => 0) (fun _ => 1)) <= r) -> forall n c, reached c -> running step n c <= r ^ n.
Proof.
  intros R0 I H n. induction n as [|n IH]; intros c X; cbn; [lra|]. assert (P : 0 <= r ^ n <= 1).
  { split; [apply pow_le; lra|]. rewrite <- (pow1 n). apply pow_incr; lra. }
  assert (G : event (go (fun _ : B => 0) (fun _ : C => 1))) by (apply go_event; auto using zero_is_event, one_is_event).
  apply Rle_trans with (step c (fun y => r ^ n * go (fun _ => 0) (fun _ => 1) y)).
  - apply (on_reached reached); auto using go_event, zero_is_event, running_event, scaled_is_event; cbn.
    + intros _. rewrite Rmult_0_r. apply Rle_refl.
    + intros d D. rewrite Rmult_1_r. auto.
  - rewrite (scaled _ (lawful c)) by auto. rewrite Rmult_comm. apply Rmult_le_compat_r; [apply P | auto].
Qed.
Lemma ends_once_holds c P Q u : ends_as step c P -> ends_as step c Q -> Un_cv (fun n => running step n c) 0 -> event u -> P u = Q u.
Proof.
  intros HP HQ H U. apply cond_eq. intros e He. destruct (H e He) as [N HN]. specialize (HN N ltac:(lia)). unfold R_dist in HN.
  pose proof (HP N u U). pose proof (HQ N u U). apply Rabs_def2 in HN. apply Rabs_def1; lra.
Qed.
End Machines.

(* Configurations that go on alike, among those that are reached, may be merged. *)
Section Alike.
Context {C B : Type} (step : C -> law (B + C)) (reached : C -> Prop) (alike : C -> C -> Prop).
Hypothesis stays : invariant step reached.
Hypothesis same_steps : congruent step reached alike.
Hypothesis lawful : forall c, measure (step c).
Lemma alike_holds n : forall c d u, event u -> reached c -> reached d -> alike c d -> after step n c u = after step n d u.
Proof.
  induction n as [|n IH]; intros c d u U X Y A; cbn; [reflexivity|]. apply same_steps; auto.
  - apply go_event; auto. apply after_event; auto.
  - intros x y ? ? ?. cbn. auto.
Qed.
Lemma renamed_measure rep c : measure (renamed step rep c).
Proof.
  apply (bind_measure (step c) (fun y => ret (told rep y))); auto. intros y. apply finite_is_measure, ret_finite.
Qed.
Lemma representatives_hold rep : (forall c, reached c -> reached (rep c) /\ alike c (rep c)) ->
  forall n c u, event u -> reached c -> after (renamed step rep) n c u = after step n c u.
Proof.
  intros H n. induction n as [|n IH]; intros c u U X; cbn; [reflexivity|]. unfold renamed at 1, image.
  assert (E : event (fun c => after (renamed step rep) n c u)) by (apply after_event; auto using renamed_measure).
  apply stays; auto.
  - intros [b|d]; cbn; [apply U | apply E].
  - apply go_event; auto. apply after_event; auto.
  - intros d Y. cbn. destruct (H d Y) as [Z A]. rewrite IH by auto. symmetry. apply alike_holds; auto.
Qed.
End Alike.

(* Verdicts on laws of which p and q were seen. *)
Lemma seen_private {A : Type} (p q P Q : law A) E d s t : 0 <= E -> seen p P s -> seen q Q t -> dp E d p q -> dp E (d + s) P Q.
Proof.
  intros HE SP SQ C u U. pose proof (SP u U). pose proof (SQ u U). pose proof (C u U).
  assert (E * q u <= E * Q u) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma seen_excess {A : Type} (p q P Q : law A) E d s t : 0 <= E -> seen p P s -> seen q Q t -> dp E d P Q -> dp E (d + E * t) p q.
Proof.
  intros HE SP SQ C u U. pose proof (SP u U). pose proof (SQ u U). pose proof (C u U).
  assert (E * Q u <= E * (q u + t)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* Counts with a geometric law. *)
Lemma geometric_first r n : sum_below n (geometric r) = 1 - r ^ n.
Proof. induction n as [|n IH]; cbn; [lra|]. rewrite IH. unfold geometric. ring. Qed.
Lemma forgets r c j : geometric r (c + 1 + j) = r ^ (c + 1) * geometric r j.
Proof. unfold geometric. rewrite pow_add. ring. Qed.
Lemma forgets_mean_holds r c n u : sum_below (c + 1 + n) (fun j => geometric r j * u j) =
  sum_below (c + 1) (fun j => geometric r j * u j) + r ^ (c + 1) * sum_below n (fun j => geometric r j * u (c + 1 + j)%nat).
Proof. rewrite sum_split. f_equal. rewrite <- sum_scale. apply sum_ext. intros. rewrite forgets. ring. Qed.
Lemma left_is_greater r s m g : r * s < 1 ->
  geometric r (m + 1 + g) * geometric s m = r * (1 - s) / (1 - r * s) * (geometric (r * s) m * geometric r g).
Proof. intros H. unfold geometric. rewrite !Rpow_mult_distr, !pow_add. cbn. field. lra. Qed.
Lemma right_is_greater r s m g : r * s < 1 ->
  geometric r m * geometric s (m + 1 + g) = s * (1 - r) / (1 - r * s) * (geometric (r * s) m * geometric s g).
Proof. intros H. unfold geometric. rewrite !Rpow_mult_distr, !pow_add. cbn. field. lra. Qed.
Lemma neither_is_greater r s m : r * s < 1 ->
  geometric r m * geometric s m = (1 - r) * (1 - s) / (1 - r * s) * geometric (r * s) m.
Proof. intros H. unfold geometric. rewrite !Rpow_mult_distr. field. lra. Qed.
Lemma compared_mean_holds r s n (u : nat -> nat -> R) : r * s < 1 ->
  sum_below n (fun m => geometric r m * geometric s m * u m m + sum_below n (fun g =>
    geometric r (m + 1 + g) * geometric s m * u (m + 1 + g)%nat m + geometric r m * geometric s (m + 1 + g) * u m (m + 1 + g)%nat)) =
  (1 - r) * (1 - s) / (1 - r * s) * sum_below n (fun m => geometric (r * s) m * u m m) +
  (r * (1 - s) / (1 - r * s) * sum_below n (fun m => geometric (r * s) m * sum_below n (fun g => geometric r g * u (m + 1 + g)%nat m)) +
   s * (1 - r) / (1 - r * s) * sum_below n (fun m => geometric (r * s) m * sum_below n (fun g => geometric s g * u m (m + 1 + g)%nat))).
Proof.
  intros H. rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros m _. rewrite neither_is_greater by auto. f_equal; [ring|].
  rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros g _. rewrite left_is_greater, right_is_greater by auto. ring.
Qed.
Lemma loop_holds a b n c u : (0 <= a < b)%Z ->
  after (fun c => run (turn a b c)) n c u = sum_below n (fun j => geometric (IZR a / IZR b) j * u (c + j)%nat).
Proof.
  intros H. revert c. induction n as [|n IH]; intros c; [reflexivity|]. rewrite sum_shift. cbn [after]. unfold turn at 1.
  rewrite coin by lia. unfold mix. cbn [run]. unfold ret. cbn [go]. rewrite IH, <- sum_scale.
  rewrite Nat.add_0_r, Rplus_comm. f_equal; [unfold geometric; cbn; ring|]. apply sum_ext. intros j _.
  rewrite Nat.add_succ_r. unfold geometric. cbn. ring.
Qed.
(* A machine that ends at once, for examples. *)
Lemma sure_step (C B : Type) (b : B) : C -> measure (@ret (B + C) (inl b)).
Proof. intros _. apply finite_is_measure, ret_finite. Qed.
Lemma sure_ends (C B : Type) (b : B) (c : C) : ends_as (fun _ : C => ret (inl b)) c (ret b).
Proof. intros [|n] u U; cbn; unfold ret; cbn; specialize (U b); lra. Qed.
Lemma sure_stops (C B : Type) (b : B) (c : C) : Un_cv (fun n => running (fun _ : C => @ret (B + C) (inl b)) n c) 0.
Proof.
  intros e He. exists 1%nat. intros [|n] H; [lia|]. cbn. unfold ret, R_dist. cbn. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. exact He.
Qed.
