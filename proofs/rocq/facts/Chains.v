(* anonymized-histograms: ratios of marginals, privacy with probability, and how many different counts there are. *)
From Coq Require Import Reals List Lra Lia Arith.
From DP.definitions Require Import Laws Chains.
From DP.facts Require Import Laws.
Import ListNotations.
Open Scope R_scope.

Section Chains.
Context {S N : Type} (f : nat -> S -> N -> S).
Lemma law_event (ps : list (law N)) k u : Forall measure ps -> event u -> event (fun s => image (chained f k s) (every ps) u).
Proof. intros F U s. apply within; auto. apply image_measure, every_measure, F. Qed.
Lemma chain_of_steps_holds E before p after : 0 <= E -> Forall measure (before ++ p :: after) -> forall k x y,
  (forall h, length h = length before -> dp E 0 (image (f (k + length before) (chained f k x h)) p) (image (f (k + length before) (chained f k y h)) p)) ->
  dp E 0 (image (chained f k x) (every (before ++ p :: after))) (image (chained f k y) (every (before ++ p :: after))).
Proof.
  intros Pos F. induction before as [|b before IH]; intros k x y H u U.
  - inversion F as [|? ? M Fs]; subst. specialize (H [] eq_refl (fun s => image (chained f (Datatypes.S k) s) (every after) u) (law_event after _ u Fs U)).
    cbn [length] in H. rewrite Nat.add_0_r in H. exact H.
  - inversion F as [|? ? M Fs]; subst. rewrite Rplus_0_r.
    apply (at_most_times b (fun z => image (chained f (Datatypes.S k) (f k x z)) (every (before ++ p :: after)) u)
      (fun z => image (chained f (Datatypes.S k) (f k y z)) (every (before ++ p :: after)) u)); auto; try (intros z; apply (law_event _ _ u Fs U)).
    intros z. specialize (IH Fs (Datatypes.S k) (f k x z) (f k y z)). rewrite <- (Rplus_0_r (E * _)). apply IH; auto.
    intros h L. specialize (H (z :: h)). cbn [length chained] in H. rewrite Nat.add_succ_r in H. apply H. rewrite L. reflexivity.
Qed.
Lemma theorem_3_holds E before p after x y : 0 <= E -> Forall measure (before ++ p :: after) ->
  (forall h, length h = length before -> dp E 0 (image (f (length before) (chained f 0 x h)) p) (image (f (length before) (chained f 0 y h)) p)) ->
  dp E 0 (chain_law f x (before ++ p :: after)) (chain_law f y (before ++ p :: after)).
Proof. intros Pos F H. apply chain_of_steps_holds; auto. Qed.
Lemma appended qs ps : Forall measure ps -> Forall measure qs -> forall k s u, event u ->
  image (chained f k s) (every (ps ++ qs)) u = image (chained f k s) (every ps) (fun t => image (chained f (k + length ps) t) (every qs) u).
Proof.
  intros F G. induction F as [|p ps M F IH]; intros k s u U; [cbn [length app]; rewrite Nat.add_0_r; reflexivity|].
  assert (Both : Forall measure (ps ++ qs)) by (apply Forall_app; auto).
  apply (same p (fun z => image (chained f (Datatypes.S k) (f k s z)) (every (ps ++ qs)) u)
    (fun z => image (chained f (Datatypes.S k) (f k s z)) (every ps) (fun t => image (chained f (k + length (p :: ps)) t) (every qs) u))); auto.
  - intros z. apply (law_event (ps ++ qs)); auto.
  - intros z. apply (law_event ps); auto. apply law_event; auto.
  - intros z. rewrite IH by auto. cbn [length]. rewrite Nat.add_succ_r. reflexivity.
Qed.
Lemma last_holds E ps qs x y : Forall measure ps -> Forall measure qs -> dp E 0 (chain_law f x ps) (chain_law f y ps) ->
  dp E 0 (chain_law f x (ps ++ qs)) (chain_law f y (ps ++ qs)).
Proof.
  intros F G H u U. unfold chain_law. rewrite !appended by auto. apply H. apply law_event; auto.
Qed.
End Chains.

(* Privacy of each outcome on a set of outcomes, and the mass of the others. *)
Lemma alone_is_event i : event (alone i).
Proof. intros j. unfold alone. destruct (Nat.eqb j i); lra. Qed.
Definition before_n (n : nat) (u : nat -> R) (j : nat) : R := if Nat.ltb j n then u j else 0.
Lemma before_n_event n u : event u -> event (before_n n u).
Proof. intros U j. unfold before_n. specialize (U j). destruct (Nat.ltb j n); lra. Qed.
Lemma mean_before_n (p : law nat) u n : measure p -> event u -> p (before_n n u) = sum_below n (fun i => u i * p (alone i)).
Proof.
  intros M U. induction n as [|n IH]; cbn [sum_below].
  - rewrite <- (of_zero p M). apply (same p); auto using before_n_event, zero_is_event.
  - rewrite <- IH, <- (scaled p M (u n) (alone n) (U n) (alone_is_event n)).
    assert (Sum : forall j, before_n n u j + u n * alone n j = before_n (S n) u j).
    { intros j. unfold before_n, alone. destruct (Nat.ltb_spec j n), (Nat.eqb_spec j n), (Nat.ltb_spec j (S n)); try lia; subst; lra. }
    rewrite <- (additive p M (before_n n u) (fun j => u n * alone n j)).
    + assert (V : event (fun j => before_n n u j + u n * alone n j)) by (intros j; rewrite Sum; apply before_n_event; auto).
      symmetry. apply (same p); auto using before_n_event.
    + apply before_n_event; auto.
    + apply scaled_is_event; [apply U | apply alone_is_event].
    + intros j. rewrite Sum. apply before_n_event; auto.
Qed.
Lemma limit_of_parts (p : law nat) u : measure p -> event u -> Un_cv (fun n => p (before_n n u)) (p u).
Proof.
  intros M U. apply (continuous p M); auto; try (intros; apply before_n_event; auto).
  - intros n j. unfold before_n. specialize (U j). destruct (Nat.ltb_spec j n), (Nat.ltb_spec j (S n)); try lia; lra.
  - intros j e P. exists (S j). intros n H. unfold before_n. destruct (Nat.ltb_spec j n); [|lia]. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. exact P.
Qed.
Lemma bounded_by_outcomes E (p q : law nat) u : 0 <= E -> measure p -> measure q -> event u ->
  (forall i, u i = 0 \/ p (alone i) <= E * q (alone i)) -> p u <= E * q u.
Proof.
  intros Pos P Q U H. apply (limit_is_between (fun n => p (before_n n u)) (p u) 0 (E * q u) 0 (limit_of_parts p u P U)). intros n _.
  split; [apply within; auto using before_n_event|]. rewrite mean_before_n by auto. apply Rle_trans with (E * q (before_n n u)).
  - rewrite mean_before_n, <- sum_scale by auto. apply sum_le. intros i _. pose proof (proj1 (U i)). destruct (H i) as [Z|L]; [rewrite Z; lra|].
    replace (E * (u i * q (alone i))) with (u i * (E * q (alone i))) by ring. apply Rmult_le_compat_l; auto.
  - apply Rmult_le_compat_l; auto. apply (monotone q Q); auto using before_n_event. intros j. unfold before_n. specialize (U j). destruct (Nat.ltb j n); lra.
Qed.
Lemma with_probability E d (p q : law nat) g : 0 <= E -> measure p -> total p -> measure q -> sharp g ->
  (forall i, g i = 1 -> p (alone i) <= E * q (alone i)) -> 1 - d <= p g -> dp E d p q.
Proof.
  intros Pos P T Q G H L u U. assert (V : event g) by (apply sharp_is_event; auto).
  apply Rle_trans with (p (fun j => u j * g j) + d).
  - apply Rle_trans with (p (fun j => u j * g j) + p (fun j => 1 - g j)); [|rewrite of_complement by auto; lra].
    assert (A : event (fun j => u j * g j)) by (intros j; specialize (U j); specialize (V j); nra).
    assert (B : event (fun j => u j * (1 - g j))) by (intros j; specialize (U j); specialize (V j); nra).
    assert (C : event (fun j => u j * g j + u j * (1 - g j))) by (intros j; replace (u j * g j + u j * (1 - g j)) with (u j) by ring; apply U).
    rewrite (same p u (fun j => u j * g j + u j * (1 - g j))) by (auto; intros; ring). rewrite (additive p P) by auto.
    apply Rplus_le_compat_l, (monotone p P); auto using complement_is_event. intros j. specialize (U j). specialize (V j). nra.
  - apply Rplus_le_compat_r. apply Rle_trans with (E * q (fun j => u j * g j)).
    + apply bounded_by_outcomes; auto; [intros j; specialize (U j); specialize (V j); nra|]. intros i. destruct (G i) as [Z|Z]; [left; rewrite Z; ring | right; auto].
    + apply Rmult_le_compat_l; auto. apply (monotone q Q); auto; intros j; specialize (U j); specialize (V j); nra.
Qed.

(* Different counts. *)
Lemma greatest_of (l : list nat) : l <> [] -> exists m, In m l /\ forall x, In x l -> (x <= m)%nat.
Proof.
  induction l as [|x l IH]; intros H; [contradiction|]. destruct l as [|y l].
  - exists x. split; [left; reflexivity|]. intros z [->|[]]. lia.
  - destruct IH as [m [I M]]; [discriminate|]. destruct (Nat.le_gt_cases x m).
    + exists m. split; [right; exact I|]. intros z [<-|Z]; [lia | auto].
    + exists x. split; [left; reflexivity|]. intros z [<-|Z]; [lia|]. specialize (M z Z). lia.
Qed.
Lemma sum_of_app l k : list_sum (l ++ k) = (list_sum l + list_sum k)%nat.
Proof. induction l as [|x l IH]; cbn [app]; auto. change (x + list_sum (l ++ k) = x + list_sum l + list_sum k)%nat. lia. Qed.
Lemma different_counts t : forall l, length l = t -> NoDup l -> (forall x, In x l -> (1 <= x)%nat) -> (t * (t + 1) <= 2 * list_sum l)%nat.
Proof.
  induction t as [|t IH]; intros l L D P; [lia|]. destruct (greatest_of l) as [m [I M]]; [destruct l; discriminate|].
  assert (T : (S t <= m)%nat).
  { rewrite <- L, <- (seq_length m 1). apply NoDup_incl_length; auto. intros x X. apply in_seq. specialize (P x X). specialize (M x X). lia. }
  destruct (in_split m l I) as [a [b ->]]. apply NoDup_remove in D. destruct D as [D _]. rewrite app_length in L. cbn [length] in L.
  specialize (IH (a ++ b) ltac:(rewrite app_length; lia) D ltac:(intros x X; apply P, in_or_app; apply in_app_or in X; destruct X; [left | right; right]; auto)).
  rewrite sum_of_app in *. change (list_sum (m :: b)) with (m + list_sum b)%nat. nia.
Qed.
Lemma different_hold l n : NoDup l -> (forall x, In x l -> (1 <= x)%nat) -> (list_sum l <= n)%nat ->
  (length l * (length l + 1) <= 2 * n)%nat /\ INR (length l) <= sqrt (2 * INR n).
Proof.
  intros D P H. pose proof (different_counts (length l) l eq_refl D P) as C. split; [lia|].
  rewrite <- (sqrt_square (INR (length l))) by apply pos_INR. apply sqrt_le_1_alt. rewrite <- mult_INR.
  change 2 with (INR 2). rewrite <- mult_INR. apply le_INR. nia.
Qed.
Lemma large_counts T l : (length (filter (fun c => T <? c)%nat l) * (T + 1) <= list_sum l)%nat.
Proof.
  induction l as [|x l IH]; cbn [filter length]; [lia|]. change (list_sum (x :: l)) with (x + list_sum l)%nat.
  destruct (Nat.ltb_spec T x); cbn [length]; lia.
Qed.
Lemma split_holds T l n : (list_sum l = n)%nat -> (T * T <= n < (T + 1) * (T + 1))%nat ->
  INR (T + length (filter (fun c => T <? c)%nat l)) <= 2 * sqrt (INR n).
Proof.
  intros H [A B]. pose proof (large_counts T l) as L. set (m := length (filter (fun c => T <? c)%nat l)) in *.
  assert (S : ((T + m) * (T + m) <= 4 * n)%nat) by nia.
  rewrite <- (sqrt_square (INR (T + m))) by apply pos_INR. replace (2 * sqrt (INR n)) with (sqrt (4 * INR n)).
  - apply sqrt_le_1_alt. rewrite <- mult_INR. replace 4 with (INR 4) by (cbn; ring). rewrite <- mult_INR. apply le_INR, S.
  - rewrite sqrt_mult by (try lra; apply pos_INR). replace 4 with (2 * 2) by ring. rewrite sqrt_square by lra. reflexivity.
Qed.
