(* What laws keep: privacy under post-processing, composition, groups, subsampling, and coordinates. *)
From Coq Require Import Reals Lra Lia List.
From DP.definitions Require Import Laws.
Import ListNotations.
Open Scope R_scope.

(* Weights. *)
Section Weights.
Context {A : Type}.
Implicit Types u v : A -> R.

Lemma one_is_event : event (fun _ : A => 1).
Proof. intros x; lra. Qed.
Lemma zero_is_event : event (fun _ : A => 0).
Proof. intros x; lra. Qed.
Lemma constant_is_event c : 0 <= c <= 1 -> event (fun _ : A => c).
Proof. intros H x; exact H. Qed.
Lemma scaled_is_event c u : 0 <= c <= 1 -> event u -> event (fun x => c * u x).
Proof. intros C U x. specialize (U x). nra. Qed.
Lemma complement_is_event u : event u -> event (fun x => 1 - u x).
Proof. intros U x. specialize (U x). lra. Qed.
Lemma sharp_is_event u : sharp u -> event u.
Proof. intros U x. destruct (U x); lra. Qed.
End Weights.

(* Limits of sequences. *)
Lemma limit_constant c : Un_cv (fun _ => c) c.
Proof. intros e P. exists O. intros n _. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. exact P. Qed.
Lemma limit_scaled c f l : Un_cv f l -> Un_cv (fun n => c * f n) (c * l).
Proof. intros F. apply (CV_mult (fun _ => c)); [apply limit_constant | exact F]. Qed.
Lemma limit_is_between f l a b n : Un_cv f l -> (forall m, (n <= m)%nat -> a <= f m <= b) -> a <= l <= b.
Proof.
  intros F H. split; apply Rnot_lt_le; intros L.
  - destruct (F (a - l)) as [N D]; [lra|]. specialize (D (n + N)%nat ltac:(lia)). specialize (H (n + N)%nat ltac:(lia)).
    apply Rabs_def2 in D. lra.
  - destruct (F (l - b)) as [N D]; [lra|]. specialize (D (n + N)%nat ltac:(lia)). specialize (H (n + N)%nat ltac:(lia)).
    apply Rabs_def2 in D. lra.
Qed.
Lemma limit_order f g x y : (forall n, f n <= g n) -> Un_cv f x -> Un_cv g y -> x <= y.
Proof.
  intros H F G. apply Rnot_lt_le. intros B. assert (E : 0 < (x - y) / 2) by lra. destruct (F _ E) as [N D], (G _ E) as [M D'].
  specialize (D (N + M)%nat ltac:(lia)). specialize (D' (N + M)%nat ltac:(lia)). specialize (H (N + M)%nat). apply Rabs_def2 in D. apply Rabs_def2 in D'. lra.
Qed.

(* Means under a measure. *)
Section Means.
Context {A : Type}.
Implicit Types p q : law A.

Lemma same p u v : measure p -> event u -> event v -> (forall x, u x = v x) -> p u = p v.
Proof. intros M U V H. apply Rle_antisym; apply (monotone p M); auto; intros x; rewrite H; lra. Qed.
Lemma of_zero p : measure p -> p (fun _ => 0) = 0.
Proof.
  intros M. pose proof (scaled p M 0 (fun _ => 1) ltac:(lra) one_is_event) as S. rewrite Rmult_0_l in S. rewrite <- S.
  apply same; auto using zero_is_event; intros x; lra.
Qed.
Lemma of_constant p c : measure p -> 0 <= c <= 1 -> p (fun _ => c) = c * p (fun _ => 1).
Proof.
  intros M C. rewrite <- (scaled p M c (fun _ => 1) C one_is_event).
  apply same; auto using constant_is_event, scaled_is_event, one_is_event. intros x; lra.
Qed.
Lemma within p u : measure p -> event u -> 0 <= p u <= 1.
Proof.
  intros M U. split.
  - rewrite <- (of_zero p M). apply (monotone p M); auto using zero_is_event. intros x; apply U.
  - apply Rle_trans with (p (fun _ => 1)); [|apply (mass p M)].
    apply (monotone p M); auto using one_is_event. intros x; apply U.
Qed.
Lemma of_complement p u : measure p -> total p -> event u -> p (fun x => 1 - u x) = 1 - p u.
Proof.
  intros M T U. assert (V := complement_is_event u U). assert (W : event (fun x => u x + (1 - u x))) by (intros x; lra).
  pose proof (additive p M u _ U V W) as H. cbv beta in H. rewrite (same p _ (fun _ => 1) M W one_is_event) in H by (intros; ring).
  unfold total in T. lra.
Qed.
(* What is added to a weight adds at most its bound. *)
Lemma at_most_more p u v c : measure p -> event u -> event v -> 0 <= c <= 1 -> (forall x, u x <= v x + c) -> p u <= p v + c.
Proof.
  intros M U V C H. set (r := fun x => u x - Rmin (u x) (v x)).
  assert (R0 : forall x, 0 <= r x <= c) by (intros x; specialize (H x); unfold r, Rmin; destruct (Rle_dec (u x) (v x)); lra).
  assert (L : event (fun x => Rmin (u x) (v x))) by (intros x; specialize (U x); specialize (V x); unfold Rmin; destruct (Rle_dec (u x) (v x)); lra).
  assert (Re : event r) by (intros x; specialize (R0 x); lra).
  assert (S : p u = p (fun x => Rmin (u x) (v x)) + p r).
  { rewrite <- (additive p M _ r L Re).
    - apply (same p u); auto; [|intros x; unfold r; ring]. intros x. unfold r. replace (_ + _) with (u x) by ring. apply U.
    - intros x. unfold r. replace (_ + _) with (u x) by ring. apply U. }
  assert (p r <= c * p (fun _ => 1)).
  { rewrite <- of_constant by auto. apply (monotone p M); auto using constant_is_event. intros x; apply R0. }
  assert (p (fun x => Rmin (u x) (v x)) <= p v) by (apply (monotone p M); auto; intros x; apply Rmin_r).
  assert (c * p (fun _ => 1) <= c * 1) by (apply Rmult_le_compat_l; [lra | apply (mass p M)]). lra.
Qed.
(* A weight that is at most F times another has at most F times its mean. *)
Lemma at_most_times p u v F : measure p -> event u -> event v -> 0 <= F -> (forall x, u x <= F * v x) -> p u <= F * p v.
Proof.
  intros M U V HF H. destruct (Rle_dec F 1) as [L|L].
  - rewrite <- (scaled p M) by (auto; lra). apply (monotone p M); auto. apply scaled_is_event; auto.
  - assert (I : 0 < / F <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    apply (Rmult_le_reg_l (/ F)); [apply I|]. rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l, <- (scaled p M) by (auto; lra).
    apply (monotone p M); auto; [apply scaled_is_event; auto; lra|]. intros x. apply (Rmult_le_reg_l F); [lra|].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. apply H.
Qed.
End Means.

(* A law of finitely many outcomes is linear in all weights, and keeps every limit. *)
Record finite {A : Type} (p : law A) : Prop := {
  sums : forall u v, p (fun x => u x + v x) = p u + p v;
  products : forall c u, p (fun x => c * u x) = c * p u;
  order : forall u v, (forall x, u x <= v x) -> p u <= p v;
  at_most_one : p (fun _ => 1) <= 1;
  limits : forall (u : nat -> A -> R) v, (forall x, Un_cv (fun n => u n x) (v x)) -> Un_cv (fun n => p (u n)) (p v) }.

Section Finite.
Context {A : Type}.
Implicit Types p q : law A.

Lemma finite_is_measure p : finite p -> measure p.
Proof.
  intros F. split; intros; [apply (sums p F) | apply (products p F) | apply (order p F); auto | apply (at_most_one p F) |].
  apply (limits p F); auto.
Qed.
Lemma agree p u v : finite p -> (forall x, u x = v x) -> p u = p v.
Proof. intros F H. apply Rle_antisym; apply (order p F); intros x; rewrite H; lra. Qed.
Lemma constants p c : finite p -> p (fun _ => c) = c * p (fun _ => 1).
Proof. intros F. rewrite <- (products p F). apply agree; auto. intros; lra. Qed.
Lemma differences p u v : finite p -> p (fun x => u x - v x) = p u - p v.
Proof.
  intros F. replace (p u - p v) with (p u + -1 * p v) by ring. rewrite <- (products p F), <- (sums p F).
  apply agree; auto. intros; ring.
Qed.
Lemma ret_finite (a : A) : finite (ret a).
Proof. split; unfold ret; intros; auto; lra. Qed.
Lemma mix_finite t p q : 0 <= t <= 1 -> finite p -> finite q -> finite (mix t p q).
Proof.
  intros T P Q. split; unfold mix; intros.
  - rewrite (sums p P), (sums q Q). ring.
  - rewrite (products p P), (products q Q). ring.
  - apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; [apply (order p P) | apply (order q Q)]; auto.
  - pose proof (at_most_one p P). pose proof (at_most_one q Q). nra.
  - apply (CV_plus (fun n => t * p (u n)) (fun n => (1 - t) * q (u n))); apply limit_scaled.
    + apply (limits p P); auto.
    + apply (limits q Q); auto.
Qed.
End Finite.

Lemma bind_finite {A B : Type} (p : law A) (f : A -> law B) : finite p -> (forall x, finite (f x)) -> finite (bind p f).
Proof.
  intros P F. split; unfold bind; intros.
  - rewrite <- (sums p P). apply agree; auto. intros x. apply (sums _ (F x)).
  - rewrite <- (products p P). apply agree; auto. intros x. apply (products _ (F x)).
  - apply (order p P). intros x. apply (order _ (F x)); auto.
  - apply Rle_trans with (p (fun _ => 1)); [|apply (at_most_one p P)]. apply (order p P). intros x. apply (at_most_one _ (F x)).
  - apply (limits p P). intros x. apply (limits _ (F x)); auto.
Qed.
Lemma image_finite {A B : Type} (f : A -> B) (p : law A) : finite p -> finite (image f p).
Proof. intros P. apply (bind_finite p (fun x => ret (f x))); auto using ret_finite. Qed.
Lemma image_total {A B : Type} (f : A -> B) (p : law A) : total p -> total (image f p).
Proof. intros T. exact T. Qed.
Lemma mix_total {A : Type} t (p q : law A) : total p -> total q -> total (mix t p q).
Proof. unfold total, mix. intros -> ->. ring. Qed.
(* Measures keep bind, too. *)
Lemma bind_event {A B : Type} (f : A -> law B) u : (forall x, measure (f x)) -> event u -> event (fun x => f x u).
Proof. intros F U x. apply within; auto. Qed.
Lemma bind_measure {A B : Type} (p : law A) (f : A -> law B) : measure p -> (forall x, measure (f x)) -> measure (bind p f).
Proof.
  intros P F. assert (Ev : forall u, event u -> event (fun x => f x u)) by (intros; apply bind_event; auto).
  split; unfold bind; intros.
  - rewrite <- (additive p P); auto.
    + apply (same p); auto; [|intros x; apply (additive _ (F x)); auto].
      intros x. rewrite <- (additive _ (F x)) by auto. apply within; auto.
    + intros x. rewrite <- (additive _ (F x)) by auto. apply within; auto.
  - rewrite <- (scaled p P) by auto. apply (same p); auto using scaled_is_event. intros x. apply (scaled _ (F x)); auto.
  - apply (monotone p P); auto. intros x. apply (monotone _ (F x)); auto.
  - apply Rle_trans with (p (fun _ => 1)); [|apply (mass p P)]. apply (monotone p P); auto using one_is_event. intros x. apply (mass _ (F x)).
  - apply (continuous p P); auto; intros; [apply (monotone _ (F x)) | apply (continuous _ (F x))]; auto.
Qed.

Lemma image_measure {A B : Type} (f : A -> B) (p : law A) : measure p -> measure (image f p).
Proof. intros P. apply (bind_measure p (fun x => ret (f x))); auto. intros x. apply finite_is_measure, ret_finite. Qed.
Lemma mix_measure {A : Type} t (p q : law A) : 0 <= t <= 1 -> measure p -> measure q -> measure (mix t p q).
Proof.
  intros T P Q. split; unfold mix; intros.
  - rewrite (additive p P), (additive q Q) by auto. ring.
  - rewrite (scaled p P), (scaled q Q) by auto. ring.
  - apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; [apply (monotone p P) | apply (monotone q Q)]; auto.
  - pose proof (mass p P). pose proof (mass q Q). nra.
  - apply (CV_plus (fun n => t * p (u n)) (fun n => (1 - t) * q (u n))); apply limit_scaled.
    + apply (continuous p P); auto.
    + apply (continuous q Q); auto.
Qed.
Lemma every_measure {A : Type} (ps : list (law A)) : Forall measure ps -> measure (every ps).
Proof.
  induction 1; cbn; [apply finite_is_measure, ret_finite|]. apply bind_measure; auto. intros y. apply image_measure; auto.
Qed.
Lemma every_total {A : Type} (ps : list (law A)) : Forall measure ps -> Forall total ps -> total (every ps).
Proof.
  intros F T. induction T as [|p ps Tp T IH]; cbn; [reflexivity|]. inversion F as [|? ? Fp Fs]; subst.
  specialize (IH Fs). unfold total in *. transitivity (p (fun _ => 1)); [|exact Tp].
  change (p (fun _ => every ps (fun _ => 1)) = p (fun _ => 1)). rewrite IH. reflexivity.
Qed.

(* Privacy is kept. *)
Section Privacy.
Context {A B : Type}.
Implicit Types p q r : law A.

Lemma post_processing_holds E d p q (f : A -> law B) :
  (forall x, measure (f x)) -> dp E d p q -> dp E d (bind p f) (bind q f).
Proof. intros F C u U. apply C. apply bind_event; auto. Qed.
Lemma image_holds E d p q (f : A -> B) : dp E d p q -> dp E d (image f p) (image f q).
Proof. intros C u U. apply (C (fun x => u (f x))). intros x; apply U. Qed.
Lemma weaker_holds E F d e p q : measure q -> E <= F -> d <= e -> dp E d p q -> dp F e p q.
Proof. intros Q HE Hd C u U. pose proof (C u U). pose proof (within q u Q U). nra. Qed.

Lemma composed E F d e p q (f g : A -> law B) : measure p -> measure q -> 0 <= E -> 0 <= F -> 0 <= e <= 1 ->
  (forall x, measure (f x)) -> (forall x, measure (g x)) ->
  dp E d p q -> (forall x, dp F e (f x) (g x)) -> dp (E * F) (d + e) (bind p f) (bind q g).
Proof.
  intros P Q HE HF He Lf Lg C D u U. unfold bind.
  assert (W : event (fun x => f x u)) by (apply bind_event; auto). assert (V : event (fun x => g x u)) by (apply bind_event; auto).
  set (m := fun x => Rmin 1 (F * g x u)). assert (M : event m).
  { intros x. specialize (V x). unfold m. cbn in V. split; [apply Rmin_glb; nra | apply Rmin_l]. }
  assert (S : p (fun x => f x u) <= p m + e).
  { apply at_most_more; auto. intros x. specialize (D x u U). specialize (W x). unfold m. cbn in W. apply Rmin_case; lra. }
  assert (T : q m <= F * q (fun x => g x u)) by (apply at_most_times; auto; intros x; apply Rmin_r).
  pose proof (C m M). assert (E * q m <= E * (F * q (fun x => g x u))) by (apply Rmult_le_compat_l; auto). lra.
Qed.
Lemma delta_not_negative E d p q : measure p -> measure q -> dp E d p q -> 0 <= d.
Proof. intros P Q C. pose proof (C _ zero_is_event) as Z. rewrite !of_zero in Z by auto. lra. Qed.
Lemma composition_holds E F d e p q (f g : A -> law B) : measure p -> measure q -> 0 <= E -> 0 <= F -> 0 <= e ->
  (forall x, measure (f x)) -> (forall x, measure (g x)) ->
  dp E d p q -> (forall x, dp F e (f x) (g x)) -> dp (E * F) (d + e) (bind p f) (bind q g).
Proof.
  intros P Q HE HF He Lf Lg C D. destruct (Rle_dec e 1) as [I|I]; [apply composed; auto|]. intros u U.
  pose proof (delta_not_negative E d p q P Q C). pose proof (within _ u (bind_measure p f P Lf) U).
  pose proof (within _ u (bind_measure q g Q Lg) U). assert (0 <= E * F) by nra. nra.
Qed.

Lemma group_holds E d m (p : nat -> law A) : 0 <= E -> (forall i, (i < m)%nat -> dp E d (p i) (p (S i))) ->
  dp (E ^ m) (d * shares E m) (p O) (p m).
Proof.
  intros HE. revert p. induction m as [|m IH]; intros p H u U; cbn; [lra|].
  pose proof (H O ltac:(lia) u U). pose proof (IH (fun i => p (S i)) ltac:(intros; apply H; lia) u U) as I. cbn in I.
  assert (E * p 1%nat u <= E * (E ^ m * p (S m) u + d * shares E m)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma shares_closed E m : shares E m * (E - 1) = E ^ m - 1.
Proof.
  induction m as [|m IH]; cbn; [lra|].
  replace ((1 + E * shares E m) * (E - 1)) with (E - 1 + E * (shares E m * (E - 1))) by ring. rewrite IH. ring.
Qed.

Lemma subsampling_holds t E d p r : 0 <= t <= 1 -> 1 <= E -> 0 <= d -> measure r ->
  dp E d p r -> dp (1 + t * (E - 1)) (t * d) (mix t p r) r.
Proof.
  intros T HE Hd M C u U. unfold mix. pose proof (C u U). pose proof (within r u M U).
  assert (t * p u <= t * (E * r u + d)) by (apply Rmult_le_compat_l; lra). nra.
Qed.
Lemma substituted_holds t E d p q r : 0 <= t <= 1 -> 1 <= E -> 0 <= d -> measure q -> measure r ->
  dp E d p q -> dp E d p r -> dp (1 + t * (E - 1)) (t * d) (mix t p r) (mix t q r).
Proof.
  intros T HE Hd Q M C D u U. unfold mix. pose proof (C u U) as Cu. pose proof (D u U) as Du.
  pose proof (within q u Q U). pose proof (within r u M U).
  set (m := t * q u + (1 - t) * r u). assert (t * p u <= t * (q u + (E - 1) * m + d)); [|unfold m in *; nra].
  apply Rmult_le_compat_l; [lra|]. destruct (Rle_dec (q u) (r u)).
  - assert (q u <= m) by (unfold m; nra). nra.
  - assert (r u <= m) by (unfold m; nra). nra.
Qed.

(* What dp forces, and when it says nothing. *)
Lemma signs_hold E d p q : measure p -> measure q -> total p -> total q -> dp E d p q -> 0 <= d /\ 1 <= E + d.
Proof.
  intros P Q T S C. pose proof (C _ zero_is_event) as Z. pose proof (C _ one_is_event) as O. rewrite !of_zero in Z by auto.
  unfold total in *. rewrite T, S in O. lra.
Qed.
End Privacy.

(* What is private for every outcome of a first coordinate is private for both. *)
Lemma given_first {A B : Type} E d (b : law A) (f g : A -> law B) : measure b -> 0 <= E -> 0 <= d ->
  (forall x, measure (f x)) -> (forall x, measure (g x)) -> (forall x, dp E d (f x) (g x)) -> dp E d (bind b f) (bind b g).
Proof.
  intros M HE Hd F G C. rewrite <- (Rmult_1_l E), <- (Rplus_0_l d). apply composition_holds; auto; try lra.
  intros u U. lra.
Qed.
Lemma coordinate_holds {A : Type} E d (before after : list (law A)) p q : Forall measure before -> Forall measure after ->
  measure p -> measure q -> 0 <= E -> 0 <= d -> dp E d p q -> dp E d (every (before ++ p :: after)) (every (before ++ q :: after)).
Proof.
  intros Hb Ha P Q HE Hd C. assert (La := every_measure after Ha).
  assert (Whole : forall l r, measure r -> Forall measure l -> measure (every (l ++ r :: after))).
  { intros l r R1 L. apply every_measure, Forall_app. auto. }
  induction Hb as [|b rest L Lr IH]; cbn.
  - apply post_processing_holds; auto. intros x. apply image_measure; auto.
  - apply given_first; auto; intros x; [| | apply image_holds; auto]; apply image_measure; auto.
Qed.
Lemma chain_holds {A : Type} E F d e (p q r : law A) : 0 <= E -> dp E d p q -> dp F e q r -> dp (E * F) (d + E * e) p r.
Proof.
  intros HE P Q u U. pose proof (P u U). pose proof (Q u U). assert (E * q u <= E * (F * r u + e)) by (apply Rmult_le_compat_l; auto). lra.
Qed.
(* Two coordinates change, the first one first, or the second one first. *)
Section Pairs.
Context {A : Type} (before between after : list (law A)) (p p' q q' : law A) (E F d e : R).
Hypothesis lawful : Forall measure before /\ Forall measure between /\ Forall measure after.
Hypothesis ends : measure p /\ measure p' /\ measure q /\ measure q'.
Hypothesis factors : 0 <= E /\ 0 <= F /\ 0 <= d /\ 0 <= e.
Hypothesis first_close : dp E d p p'.
Hypothesis second_close : dp F e q q'.
Lemma first_moves x : measure x -> dp E d (every (before ++ p :: between ++ x :: after)) (every (before ++ p' :: between ++ x :: after)).
Proof.
  intros X. destruct lawful as (B & M & L), ends as (P & P' & _), factors as (HE & _ & Hd & _).
  apply coordinate_holds; auto. apply Forall_app. auto.
Qed.
Lemma second_moves x : measure x -> dp F e (every (before ++ x :: between ++ q :: after)) (every (before ++ x :: between ++ q' :: after)).
Proof.
  intros X. destruct lawful as (B & M & L), ends as (_ & _ & Q & Q'), factors as (_ & HF & _ & He).
  replace (before ++ x :: between ++ q :: after) with ((before ++ x :: between) ++ q :: after) by (rewrite <- app_assoc; reflexivity).
  replace (before ++ x :: between ++ q' :: after) with ((before ++ x :: between) ++ q' :: after) by (rewrite <- app_assoc; reflexivity).
  apply coordinate_holds; auto. apply Forall_app. auto.
Qed.
Lemma first_then_second : dp (E * F) (d + E * e) (every (before ++ p :: between ++ q :: after)) (every (before ++ p' :: between ++ q' :: after)).
Proof. destruct ends as (P & P' & Q & Q'), factors as (HE & _). eapply chain_holds; [auto | apply first_moves; auto | apply second_moves; auto]. Qed.
Lemma second_then_first : dp (F * E) (e + F * d) (every (before ++ p :: between ++ q :: after)) (every (before ++ p' :: between ++ q' :: after)).
Proof. destruct ends as (P & P' & Q & Q'), factors as (_ & HF & _). eapply chain_holds; [auto | apply second_moves; auto | apply first_moves; auto]. Qed.
End Pairs.

(* Steps one after another, each of which sees all outcomes before it. *)
Lemma in_turn_measure {A : Type} (step : list A -> law A) n : (forall h, measure (step h)) -> forall h, measure (in_turn step n h).
Proof.
  intros M. induction n as [|n IH]; intros h; cbn; [apply finite_is_measure, ret_finite | apply bind_measure; auto].
Qed.
Lemma in_turn_holds {A : Type} E d (f g : list A -> law A) n : 1 <= E -> 0 <= d ->
  (forall h, measure (f h)) -> (forall h, measure (g h)) -> (forall h, dp E d (f h) (g h)) ->
  forall h, dp (E ^ n) (INR n * d) (in_turn f n h) (in_turn g n h).
Proof.
  intros HE Hd F G C. induction n as [|n IH]; intros h.
  - intros u U. cbn. lra.
  - cbn [in_turn pow]. rewrite S_INR. replace ((INR n + 1) * d) with (d + INR n * d) by ring.
    apply composition_holds; auto using in_turn_measure; [lra | apply pow_le; lra |].
    apply Rmult_le_pos; auto using pos_INR.
Qed.

(* A law within delta of a private one. *)
Lemma close_holds {A : Type} E d (p q p' q' : law A) : 0 <= E -> dp 1 d p' p -> dp 1 d q q' -> dp E 0 p q -> dp E ((1 + E) * d) p' q'.
Proof. intros HE P Q C u U. pose proof (P u U). pose proof (Q u U). pose proof (C u U). nra. Qed.

(* Finite sums. *)
Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum_below n f = sum_below n g.
Proof. induction n as [|n IH]; cbn; intros H; [lra|]. rewrite IH, (H n) by (intros; try apply H; lia). lra. Qed.
Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum_below n f <= sum_below n g.
Proof.
  induction n as [|n IH]; cbn; intros H; [lra|].
  apply Rplus_le_compat; [apply IH; intros; apply H; lia | apply H; lia].
Qed.
Lemma sum_plus n f g : sum_below n (fun i => f i + g i) = sum_below n f + sum_below n g.
Proof. induction n as [|n IH]; cbn; [lra|]. rewrite IH. ring. Qed.
Lemma sum_scale n c f : sum_below n (fun i => c * f i) = c * sum_below n f.
Proof. induction n as [|n IH]; cbn; [lra|]. rewrite IH. ring. Qed.
Lemma sum_split m n f : sum_below (m + n) f = sum_below m f + sum_below n (fun i => f (m + i)%nat).
Proof. induction n as [|n IH]; [rewrite Nat.add_0_r; cbn; lra|]. rewrite Nat.add_succ_r. cbn. rewrite IH. ring. Qed.
Lemma sum_constant n c : sum_below n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [cbn; lra|]. rewrite S_INR. cbn [sum_below]. rewrite IH. ring. Qed.
Lemma sum_shift n f : sum_below (S n) f = f O + sum_below n (fun i => f (S i)).
Proof. change (S n) with (1 + n)%nat. rewrite sum_split. cbn. ring. Qed.
Lemma sum_not_negative n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum_below n f.
Proof. intros H. rewrite <- (Rmult_0_r (INR n)), <- sum_constant. apply sum_le; auto. Qed.
Lemma sum_limit n (f : nat -> nat -> R) l : (forall i, Un_cv (fun k => f k i) (l i)) -> Un_cv (fun k => sum_below n (f k)) (sum_below n l).
Proof.
  intros H. induction n as [|n IH]; cbn; [apply limit_constant|]. apply (CV_plus (fun k => sum_below n (f k)) (fun k => f k n)); auto.
Qed.
(* Averages of laws over finitely many draws, and laws by weights. *)
Lemma average_finite {A : Type} n (w : nat -> R) (p : nat -> law A) D : 0 < D -> (forall i, (i < n)%nat -> 0 <= w i /\ finite (p i)) ->
  sum_below n w <= D -> finite (fun u => sum_below n (fun i => w i * p i u) / D).
Proof.
  intros HD Each W. assert (I : 0 < / D) by (apply Rinv_0_lt_compat; auto). split; unfold Rdiv; intros.
  - rewrite <- Rmult_plus_distr_r, <- sum_plus. f_equal. apply sum_ext. intros i Hi. rewrite (sums _ (proj2 (Each i Hi))). ring.
  - rewrite <- Rmult_assoc, <- sum_scale. f_equal. apply sum_ext. intros i Hi. rewrite (products _ (proj2 (Each i Hi))). ring.
  - apply Rmult_le_compat_r; [lra|]. apply sum_le. intros i Hi. destruct (Each i Hi) as [N F]. apply Rmult_le_compat_l; auto.
    apply (order _ F); auto.
  - apply (Rmult_le_reg_r D); auto. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
    apply Rle_trans with (sum_below n w); auto. apply sum_le. intros i Hi. destruct (Each i Hi) as [N F]. pose proof (at_most_one _ F). nra.
  - apply (CV_mult (fun k => sum_below n (fun i => w i * p i (u k))) (fun _ => / D)); [|apply limit_constant]. clear W.
    induction n as [|n IH]; cbn; [apply limit_constant|].
    apply (CV_plus (fun k => sum_below n (fun i => w i * p i (u k))) (fun k => w n * p n (u k))).
    + apply IH. intros i Hi. apply Each. lia.
    + apply limit_scaled, (limits _ (proj2 (Each n (Nat.lt_succ_diag_r n)))); auto.
Qed.
Lemma weighted_finite n w D : 0 < D -> (forall i, (i < n)%nat -> 0 <= w i) -> sum_below n w <= D -> finite (weighted n w D).
Proof. intros HD W S. apply (average_finite n w (fun i => ret i) D); auto. intros; split; auto using ret_finite. Qed.

(* The least delta of a pair of finite laws. *)
Lemma cleared x y D E d : 0 < D -> x / D <= E * (y / D) + d <-> x <= E * y + d * D.
Proof.
  intros HD. replace (E * (y / D) + d) with ((E * y + d * D) / D) by (field; lra). unfold Rdiv.
  assert (I : 0 < / D) by (apply Rinv_0_lt_compat; auto). split; intros K; [apply Rmult_le_reg_r in K | apply Rmult_le_compat_r]; lra.
Qed.
Lemma hockey_is_enough n p q D E d : 0 < D -> hockey n p q E <= d * D -> dp E d (weighted n p D) (weighted n q D).
Proof.
  unfold weighted, hockey. intros HD H u U. rewrite cleared by auto.
  apply Rle_trans with (E * sum_below n (fun i => q i * u i) + sum_below n (fun i => positive_part (p i - E * q i))); [|lra].
  rewrite <- sum_scale, <- sum_plus. apply sum_le. intros i _. destruct (U i). unfold positive_part.
  pose proof (Rmax_l 0 (p i - E * q i)). pose proof (Rmax_r 0 (p i - E * q i)). nra.
Qed.
Lemma hockey_is_needed n p q D E d : 0 < D -> dp E d (weighted n p D) (weighted n q D) -> hockey n p q E <= d * D.
Proof.
  unfold weighted, hockey. intros HD C. set (c := fun i => if Rlt_dec 0 (p i - E * q i) then 1 else 0).
  assert (U : event c) by (intros i; unfold c; destruct (Rlt_dec 0 (p i - E * q i)); lra).
  specialize (C c U). cbn beta in C. rewrite cleared in C by auto.
  rewrite (sum_ext _ _ (fun i => p i * c i + - E * (q i * c i))); [rewrite sum_plus, sum_scale; lra|].
  intros i _. unfold c, positive_part. destruct (Rlt_dec 0 (p i - E * q i)); [rewrite Rmax_right | rewrite Rmax_left]; lra.
Qed.
Lemma hockey_decides n p q D E d : 0 < D -> dp E d (weighted n p D) (weighted n q D) <-> hockey n p q E <= d * D.
Proof. intros HD. split; [apply hockey_is_needed | apply hockey_is_enough]; auto. Qed.
Lemma by_outcomes n p q D E : 0 < D -> (forall i, (i < n)%nat -> p i <= E * q i) -> dp E 0 (weighted n p D) (weighted n q D).
Proof.
  intros HD H. apply hockey_is_enough; auto. unfold hockey. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_constant; lra|].
  intros i Hi. specialize (H i Hi). unfold positive_part. rewrite Rmax_left; lra.
Qed.

(* Exponentials and logarithms. *)
Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; apply exp_increasing; auto | lra]. Qed.
Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros P [H| ->]; [left; apply ln_increasing; auto | lra]. Qed.
Lemma exp_pow x k : exp (INR k * x) = exp x ^ k.
Proof.
  induction k as [|k IH]; [cbn; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. cbn. ring.
Qed.
Lemma exp_inverse x : exp (- x) * exp x = 1.
Proof. rewrite <- exp_plus, Rplus_opp_l. apply exp_0. Qed.
Lemma group_printed_holds {A : Type} epsilon d m (p : nat -> law A) : 0 < epsilon -> 0 <= d -> (forall i, measure (p i)) ->
  (forall i, (i < m)%nat -> dp (exp epsilon) d (p i) (p (S i))) ->
  dp (exp (INR m * epsilon)) (exp (INR m * epsilon) * d / epsilon) (p O) (p m).
Proof.
  intros P D M C. rewrite exp_pow. apply (weaker_holds (exp epsilon ^ m) _ (d * shares (exp epsilon) m)); auto; [lra| |].
  - pose proof (shares_closed (exp epsilon) m) as S. pose proof (exp_ineq1 epsilon ltac:(lra)).
    assert (1 <= exp epsilon ^ m) by (apply pow_R1_Rle; lra).
    apply (Rmult_le_reg_r epsilon); auto. unfold Rdiv. rewrite (Rmult_assoc _ (/ epsilon)), Rinv_l, Rmult_1_r by lra.
    rewrite (Rmult_comm d), Rmult_assoc, (Rmult_comm d), <- Rmult_assoc. apply Rmult_le_compat_r; auto.
    assert (0 <= shares (exp epsilon) m) by (apply (Rmult_le_reg_r (exp epsilon - 1)); lra). nra.
  - apply group_holds; auto. left. apply exp_pos.
Qed.
