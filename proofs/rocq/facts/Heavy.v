(* KeepHeavy: labels of great counts are kept where all noisy counts are near, and so it is accurate. *)
From Coq Require Import Reals List Lra Lia Arith.
From DP.definitions Require Import Laws Histograms Heavy.
From DP.facts Require Import Laws Accuracy.
Import ListNotations.
Open Scope R_scope.

Lemma close_value a v c : (Rabs (INR v - INR c) <= a /\ close_to a v c = 1) \/ (~ Rabs (INR v - INR c) <= a /\ close_to a v c = 0).
Proof. unfold close_to. destruct (Rle_dec _ _); auto. Qed.
Lemma close_is_event a v c : 0 <= close_to a v c <= 1.
Proof. destruct (close_value a v c) as [[_ ->]|[_ ->]]; lra. Qed.
Lemma all_close_sharp a counts : forall h, all_close a counts h = 0 \/ all_close a counts h = 1.
Proof.
  induction counts as [|c cs IH]; intros [|v vs]; cbn; auto. destruct (close_value a v c) as [[_ ->]|[_ ->]]; [|left; ring]. destruct (IH vs) as [-> | ->]; [left | right]; ring.
Qed.
Lemma all_close_event a counts : event (all_close a counts).
Proof. intros h. destruct (all_close_sharp a counts h) as [-> | ->]; lra. Qed.
Lemma all_close_each a counts : forall h, all_close a counts h = 1 -> length h = length counts /\ forall i, (i < length counts)%nat -> Rabs (INR (nth i h O) - INR (nth i counts O)) <= a.
Proof.
  induction counts as [|c cs IH]; intros [|v vs] H; cbn in H; try lra.
  - split; auto. intros i I. cbn in I. lia.
  - destruct (close_value a v c) as [[N E]|[_ E]]; rewrite E in H; [|lra]. rewrite Rmult_1_l in H. destruct (IH vs H) as [L F]. split; [cbn; lia|].
    intros [|i] I; cbn; auto. apply F. cbn in I. lia.
Qed.
Lemma each_all_close a counts : forall h, length h = length counts -> (forall i, (i < length counts)%nat -> Rabs (INR (nth i h O) - INR (nth i counts O)) <= a) -> all_close a counts h = 1.
Proof.
  induction counts as [|c cs IH]; intros [|v vs] L F; cbn in L; try lia; [reflexivity|]. cbn. destruct (close_value a v c) as [[_ ->]|[N _]]; [|exfalso; apply N; apply (F 0%nat); cbn; lia].
  rewrite (IH vs); [ring | lia |]. intros i I. apply (F (S i)). cbn. lia.
Qed.
(* In that event, counts as large as the noisy count of a label of count above 2a are those of labels that occur. *)
Definition occurring (counts : list nat) : nat := length (filter (fun c => (0 <? c)%nat) counts).
Lemma large_occur a v counts : forall h, all_close a counts h = 1 -> a < INR v -> (as_large v h <= occurring counts)%nat.
Proof.
  induction counts as [|c cs IH]; intros [|w ws] H V; cbn in H; try lra; [cbn; lia|].
  destruct (close_value a w c) as [[N E]|[_ E]]; rewrite E in H; [|lra]. rewrite Rmult_1_l in H. specialize (IH ws H V). unfold as_large, occurring in *. cbn [filter].
  destruct (Nat.leb_spec v w) as [L|L], (Nat.ltb_spec 0 c) as [Q|Q]; cbn [length]; try lia.
  assert (c = 0)%nat as -> by lia. apply le_INR in L. rewrite Rminus_0_r, Rabs_pos_eq in N by apply pos_INR. lra.
Qed.
Lemma occurring_at_most counts : (occurring counts <= list_sum counts)%nat.
Proof. induction counts as [|c cs IH]; [cbn; lia|]. unfold occurring in *. cbn [filter]. change (list_sum (c :: cs)) with (c + list_sum cs)%nat. destruct (Nat.ltb_spec 0 c); cbn [length]; lia. Qed.
Lemma nth_mapped {A B : Type} (f : A -> B) l : forall i d e, (i < length l)%nat -> nth i (map f l) d = f (nth i l e).
Proof. induction l as [|x l IH]; intros [|i] d e I; cbn in *; try lia; [reflexivity | apply IH; lia]. Qed.
Lemma heavy_is_kept n a counts h i : list_sum counts = n -> all_close a counts h = 1 -> (i < length counts)%nat -> 2 * a < INR (nth i counts O) ->
  nth i (keep_heavy n h) O = nth i h O /\ (as_large (nth i h O) h <= n)%nat.
Proof.
  intros S H I G. destruct (all_close_each a counts h H) as [L F]. specialize (F i I).
  assert (V : a < INR (nth i h O)) by (unfold Rabs in F; destruct (Rcase_abs _); lra).
  pose proof (large_occur a (nth i h O) counts h H V) as Q. pose proof (occurring_at_most counts) as Occ. assert (K : (as_large (nth i h O) h <= n)%nat) by lia. split; auto.
  unfold keep_heavy. rewrite (nth_mapped _ _ _ _ O) by lia.
  destruct (Nat.leb_spec (as_large (nth i h O) h) n); [reflexivity | lia].
Qed.
Lemma kept_or_zero n h i : nth i (keep_heavy n h) O = nth i h O \/ nth i (keep_heavy n h) O = O.
Proof.
  unfold keep_heavy. destruct (Nat.lt_ge_cases i (length h)) as [I|I].
  - rewrite (nth_mapped _ _ _ _ O) by lia. destruct (_ <=? _)%nat; auto.
  - right. apply nth_overflow. rewrite map_length. lia.
Qed.
(* Accuracy. *)
Lemma all_within_twice n a counts h : list_sum counts = n -> all_close a counts h <= all_close (2 * a) counts (keep_heavy n h).
Proof.
  intros S. destruct (all_close_sharp a counts h) as [E|E]; rewrite E; [apply all_close_event|]. destruct (all_close_each a counts h E) as [L F]. right. symmetry. apply each_all_close.
  - unfold keep_heavy. rewrite map_length. exact L.
  - intros i I. pose proof (F i I) as N. assert (A : 0 <= a) by (eapply Rle_trans; [apply Rabs_pos | exact N]).
    destruct (Rle_dec (INR (nth i counts O)) (2 * a)) as [G|G].
    + destruct (kept_or_zero n h i) as [-> | ->]; [lra|]. pose proof (pos_INR (nth i counts O)). cbn. rewrite Rabs_left1; lra.
    + destruct (heavy_is_kept n a counts h i S E I ltac:(lra)) as [-> _]. lra.
Qed.
Lemma simultaneous_holds n a counts (p : law (list nat)) beta : list_sum counts = n -> measure p -> 1 - beta <= p (all_close a counts) ->
  1 - beta <= image (keep_heavy n) p (all_close (2 * a) counts).
Proof.
  intros S P H. eapply Rle_trans; [exact H|]. unfold image. apply (monotone p P).
  - apply all_close_event.
  - intros h. apply all_close_event.
  - intros h. apply all_within_twice. exact S.
Qed.
Lemma per_query_holds n a1 a2 counts (p : law (list nat)) beta gamma i : list_sum counts = n -> measure p -> total p -> (i < length counts)%nat ->
  2 * a2 < INR (nth i counts O) -> 1 - beta <= p (all_close a2 counts) -> 1 - gamma <= p (one_close a1 i (nth i counts O)) ->
  1 - (beta + gamma) <= image (keep_heavy n) p (one_close a1 i (nth i counts O)).
Proof.
  intros S P T I G All One. set (c := nth i counts O) in *. set (u := all_close a2 counts) in *. set (v := one_close a1 i c) in *.
  assert (U : event u) by apply all_close_event. assert (V : event v) by (intros h; apply close_is_event).
  set (w := fun h => v (keep_heavy n h)). assert (W : event w) by (intros h; apply V).
  pose proof (either_holds p (fun h => 1 - u h) (fun h => 1 - v h) (fun h => 1 - w h) P (complement_is_event u U) (complement_is_event v V) (complement_is_event w W)) as E.
  rewrite !of_complement in E by auto. change (image (keep_heavy n) p v) with (p w). cut (1 - p w <= 1 - p u + (1 - p v)); [lra|]. apply E. intros h.
  destruct (all_close_sharp a2 counts h) as [Z|Z]; fold u in Z; rewrite Z; [pose proof (W h); pose proof (V h); lra|].
  destruct (heavy_is_kept n a2 counts h i S Z I G) as [K _]. unfold w, v, one_close. rewrite K. lra.
Qed.
(* At most n labels are kept. *)
Lemma kept_at_most n h : (length (filter (fun c => (as_large c h <=? n)%nat) h) <= n)%nat.
Proof.
  assert (Least : forall l, l <> [] -> exists v, In v l /\ forall w, In w l -> (v <= w)%nat).
  { induction l as [|x l IH]; intros N; [congruence|]. destruct l as [|y l].
    - exists x. split; [left; auto|]. intros w [->|[]]. lia.
    - destruct IH as (v & A & B); [congruence|]. destruct (Nat.le_gt_cases x v).
      + exists x. split; [left; auto|]. intros w [->|Q]; [lia|]. specialize (B w Q). lia.
      + exists v. split; [right; auto|]. intros w [->|Q]; [lia | auto]. }
  set (k := filter (fun c => (as_large c h <=? n)%nat) h). destruct k as [|x k'] eqn:E; [cbn; lia|]. destruct (Least k) as (v & A & B); [rewrite E; congruence|].
  rewrite <- E. unfold k in A, B |- *. apply filter_In in A. destruct A as [_ A]. apply Nat.leb_le in A. eapply Nat.le_trans; [|exact A]. unfold as_large at 2.
  assert (Sub : forall l, (forall w, In w (filter (fun c => (as_large c h <=? n)%nat) l) -> (v <= w)%nat) ->
    (length (filter (fun c => (as_large c h <=? n)%nat) l) <= length (filter (fun e => (v <=? e)%nat) l))%nat).
  { clear. induction l as [|y l IH]; intros H; cbn; [lia|]. cbn in H. destruct (as_large y h <=? n)%nat.
    - specialize (H y (or_introl eq_refl)) as Y. apply Nat.leb_le in Y. rewrite Y. cbn. assert (G := IH (fun w Q => H w (or_intror Q))). lia.
    - specialize (IH H). destruct (v <=? y)%nat; cbn; lia. }
  apply Sub. exact B.
Qed.
Lemma exactly_close : all_close 0 [3; 1]%nat [3; 1]%nat = 1.
Proof. apply each_all_close; [reflexivity|]. intros [|[|i]] I; cbn in *; try lia; rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; lra. Qed.
Lemma exactly_counts : 1 - 0 <= ret [3; 1]%nat (all_close 0 [3; 1]%nat).
Proof. unfold ret. rewrite exactly_close. lra. Qed.
Lemma exactly_one : 1 - 0 <= ret [3; 1]%nat (one_close 0 0 3).
Proof. unfold ret, one_close, close_to. cbn [nth]. destruct (Rle_dec _ _) as [H|H]; [lra|]. exfalso. apply H. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra. Qed.
