(* The greatest counts come level by level; KeepHeavy needs those of the labels that do not occur, at any of them. *)
From Coq Require Import Reals Lra Lia List Arith.
From DP.definitions Require Import Laws Sampling EmptyBin Histograms Orders.
From DP.facts Require Import Laws.
Import ListNotations.
Open Scope R_scope.

(* Laws that other laws of finitely many outcomes commute with. *)
Definition tame {A : Type} (p : law A) : Prop :=
  finite p /\ forall (B : Type) (q : law B) (f : A -> B -> R), finite q -> q (fun y => p (fun x => f x y)) = p (fun x => q (f x)).
Lemma ret_tame {A : Type} (a : A) : tame (ret a).
Proof. split; [apply ret_finite | reflexivity]. Qed.
Lemma bind_tame {A B : Type} (p : law A) (g : A -> law B) : tame p -> (forall x, tame (g x)) -> tame (bind p g).
Proof.
  intros [P C] G. split; [apply bind_finite; auto; intros x; apply G|]. intros D q f Q. unfold bind.
  rewrite (C D q (fun x y => g x (fun z => f z y)) Q). apply agree; auto. intros x. apply G. exact Q.
Qed.
Lemma image_tame {A B : Type} (f : A -> B) (p : law A) : tame p -> tame (image f p).
Proof. intros P. apply (bind_tame p (fun x => ret (f x))); auto using ret_tame. Qed.
Lemma mix_tame {A : Type} t (p q : law A) : 0 <= t <= 1 -> tame p -> tame q -> tame (mix t p q).
Proof.
  intros T [P CP] [Q CQ]. split; [apply mix_finite; auto|]. intros B s f S. unfold mix. rewrite (sums s S (fun y => t * p (fun x => f x y)) (fun y => (1 - t) * q (fun x => f x y))).
  rewrite !(products s S), (CP B s f S), (CQ B s f S). reflexivity.
Qed.
Lemma every_tame {A : Type} (ps : list (law A)) : Forall tame ps -> tame (every ps).
Proof. induction 1; cbn [every]; [apply ret_tame | apply bind_tame; auto using image_tame]. Qed.
Lemma sampled_tame r m : 0 <= r <= 1 -> tame (sampled r m).
Proof. intros H. induction m; cbn [sampled]; [apply ret_tame | apply mix_tame; auto using image_tame]. Qed.
Lemma of_sum {A : Type} (p : law A) n (f : nat -> A -> R) : finite p -> p (fun x => sum_below n (fun i => f i x)) = sum_below n (fun i => p (f i)).
Proof.
  intros F. induction n as [|n IH]; cbn; [rewrite constants by auto; ring|].
  rewrite (sums p F (fun x => sum_below n (fun i => f i x)) (f n)), IH. reflexivity.
Qed.
Lemma uniform_tame d : (1 <= d)%nat -> tame (uniform d).
Proof.
  intros D. split; [apply weighted_finite; [apply lt_0_INR; lia | intros; lra | rewrite sum_constant; lra]|]. intros B q f Q. unfold uniform, weighted.
  rewrite (agree q _ (fun y => / INR d * sum_below d (fun i => 1 * f i y))) by (auto; intros; unfold Rdiv; ring).
  rewrite (products q Q), (of_sum q d (fun i y => 1 * f i y) Q). unfold Rdiv. rewrite Rmult_comm. f_equal. apply sum_ext. intros i _. apply (products q Q).
Qed.
Lemma uniform_agree d f g : (forall i, (i < d)%nat -> f i = g i) -> uniform d f = uniform d g.
Proof. intros H. unfold uniform, weighted. f_equal. apply sum_ext. intros i I. rewrite H; auto. Qed.
Lemma uniform_mass d : (1 <= d)%nat -> total (uniform d).
Proof. intros D. unfold total, uniform, weighted. rewrite (sum_ext _ _ (fun _ => 1)), sum_constant by (intros; ring). field. apply not_0_INR. lia. Qed.
Lemma constant_mean {A : Type} (p : law A) c : finite p -> total p -> p (fun _ => c) = c.
Proof. intros P T. rewrite constants by auto. rewrite T. ring. Qed.
Lemma heads_agree r m f g : (forall i, (i <= m)%nat -> f i = g i) -> sampled r m f = sampled r m g.
Proof.
  revert f g. induction m as [|m IH]; intros f g H; cbn; [apply H; auto|]. unfold mix, image. f_equal; f_equal; apply IH; intros i I; apply H; lia.
Qed.
(* What independent coordinates never show does not matter. *)
Lemma every_agree {A : Type} (p : law A) (Q : A -> Prop) m : (forall f g, (forall x, Q x -> f x = g x) -> p f = p g) ->
  forall f g, (forall l, length l = m -> Forall Q l -> f l = g l) -> every (repeat p m) f = every (repeat p m) g.
Proof.
  intros H. induction m as [|m IH]; intros f g E; [apply E; auto|]. apply H. intros x X. apply IH. intros l L F. apply E; cbn; auto.
Qed.
Lemma every_length {A : Type} (ps : list (law A)) : Forall finite ps -> forall f g, (forall l, length l = length ps -> f l = g l) -> every ps f = every ps g.
Proof.
  induction 1 as [|p ps P F IH]; intros f g E; [apply E; auto|]. apply (agree p); auto. intros x. apply IH. intros l L. apply E. cbn. auto.
Qed.
Lemma every_same {A : Type} (p q : law A) m : finite q -> (forall f, p f = q f) -> forall f, every (repeat p m) f = every (repeat q m) f.
Proof. intros Q H. induction m as [|m IH]; intros f; [reflexivity|]. cbn. unfold bind. rewrite H. apply agree; auto. intros x. apply IH. Qed.
Lemma repeat_all {A : Type} (Q : A -> Prop) x m : Q x -> Forall Q (repeat x m).
Proof. intros H. apply Forall_forall. intros y Y. apply repeat_spec in Y. subst. exact H. Qed.
Lemma iid_finite {A : Type} (p : law A) m : finite p -> finite (every (repeat p m)).
Proof. intros P. induction m; cbn; [apply ret_finite | apply bind_finite; auto using image_finite]. Qed.
Lemma iid_total {A : Type} (p : law A) m : finite p -> total p -> total (every (repeat p m)).
Proof. intros P T. apply every_total; apply repeat_all; auto using finite_is_measure. Qed.

(* Descending lists. *)
Lemma into_commutes c e l : into c (into e l) = into e (into c l).
Proof.
  induction l as [|x l IH]; cbn.
  - destruct (Nat.leb_spec e c), (Nat.leb_spec c e); try lia; [replace e with c by lia|..]; reflexivity.
  - destruct (Nat.leb_spec x e) as [E|E], (Nat.leb_spec x c) as [C|C]; cbn;
      destruct (Nat.leb_spec e c), (Nat.leb_spec c e), (Nat.leb_spec x e), (Nat.leb_spec x c); try lia; try reflexivity; try (replace e with c by lia; reflexivity); rewrite IH; reflexivity.
Qed.
Lemma into_front c l : Forall (fun e => (e <= c)%nat) l -> into c l = c :: l.
Proof. destruct 1 as [|e l E _]; cbn; [reflexivity|]. destruct (Nat.leb_spec e c); [reflexivity | lia]. Qed.
Lemma into_all (P : nat -> Prop) c l : P c -> Forall P l -> Forall P (into c l).
Proof. intros C. induction 1 as [|e l E F IH]; cbn; [auto|]. destruct (e <=? c)%nat; auto. Qed.
Lemma into_length c l : length (into c l) = S (length l).
Proof. induction l as [|e l IH]; cbn; [reflexivity|]. destruct (e <=? c)%nat; cbn; auto. Qed.
Lemma descending_all (P : nat -> Prop) l : Forall P l -> Forall P (descending l).
Proof. induction 1; cbn; auto using into_all. Qed.
Lemma descending_length l : length (descending l) = length l.
Proof. induction l as [|c l IH]; cbn; [reflexivity|]. rewrite into_length, IH. reflexivity. Qed.
Lemma descending_moved v h c l : descending (repeat v h ++ c :: l) = into c (descending (repeat v h ++ l)).
Proof. induction h as [|h IH]; cbn; [reflexivity|]. rewrite IH. apply into_commutes. Qed.
Lemma descending_first v h l : Forall (fun e => (e <= v)%nat) l -> descending (repeat v h ++ l) = repeat v h ++ descending l.
Proof.
  intros L. induction h as [|h IH]; cbn; [reflexivity|]. rewrite IH. apply into_front, Forall_app. split; [apply repeat_all; auto | apply descending_all; auto].
Qed.
Lemma firstn_repeated k v h (l : list nat) : firstn k (repeat v h ++ l) = repeat v (Nat.min k h) ++ firstn (k - h) l.
Proof. revert h. induction k as [|k IH]; intros [|h]; cbn; try reflexivity. rewrite IH. reflexivity. Qed.

(* Proposition 6.6: of m counts, each is v with probability p, and otherwise one of the others' law. *)
Lemma heads_first p v (q : law nat) m : 0 <= p <= 1 -> finite q -> forall G, every (repeat (mix p (ret v) q) m) (fun l => G (descending l)) =
  sampled p m (fun h => every (repeat q (m - h)) (fun l => G (descending (repeat v h ++ l)))).
Proof.
  intros P Q. induction m as [|m IH]; intros G; [reflexivity|].
  change (p * every (repeat (mix p (ret v) q) m) (fun l => G (into v (descending l))) + (1 - p) * q (fun x => every (repeat (mix p (ret v) q) m) (fun l => G (into x (descending l)))) =
    p * sampled p m (fun h => every (repeat q (m - h)) (fun l => G (into v (descending (repeat v h ++ l))))) + (1 - p) * sampled p m (fun h => every (repeat q (S m - h)) (fun l => G (descending (repeat v h ++ l))))).
  rewrite (IH (fun l => G (into v l))). f_equal. f_equal. transitivity (q (fun x => sampled p m (fun h => every (repeat q (m - h)) (fun l => G (into x (descending (repeat v h ++ l))))))).
  - apply agree; auto. intros x. apply (IH (fun l => G (into x l))).
  - destruct (sampled_tame p m P) as [_ C]. rewrite (C nat q (fun h x => every (repeat q (m - h)) (fun l => G (into x (descending (repeat v h ++ l))))) Q).
    apply heads_agree. intros h H. replace (S m - h)%nat with (S (m - h)) by lia. cbn [repeat every]. unfold bind, image. apply agree; auto. intros x.
    apply agree; [apply iid_finite; auto|]. intros l. rewrite descending_moved. reflexivity.
Qed.
(* Numbers of counts do not depend on the order. *)
Lemma into_counted c w l : count_occ Nat.eq_dec (into c l) w = count_occ Nat.eq_dec (c :: l) w.
Proof. induction l as [|e l IH]; [reflexivity|]. cbn [into]. destruct (e <=? c)%nat; [reflexivity|]. cbn [count_occ] in *. rewrite IH. destruct (Nat.eq_dec c w), (Nat.eq_dec e w); reflexivity. Qed.
Lemma descending_counted w l : count_occ Nat.eq_dec (descending l) w = count_occ Nat.eq_dec l w.
Proof. induction l as [|c l IH]; [reflexivity|]. cbn [descending]. rewrite into_counted. cbn [count_occ]. rewrite IH. reflexivity. Qed.
Lemma multiplicities_ordered v l : multiplicities v (descending l) = multiplicities v l.
Proof. induction v as [|v IH]; cbn [multiplicities]; rewrite descending_counted, ?IH; reflexivity. Qed.
Lemma multiplicities_first w h l : Forall (fun z => (z <= w)%nat) l -> multiplicities (S w) (repeat (S w) h ++ l) = h :: multiplicities w l.
Proof.
  intros L. assert (Z : count_occ Nat.eq_dec l (S w) = 0%nat) by (apply count_occ_not_In; intros I; rewrite Forall_forall in L; specialize (L _ I); lia).
  change (count_occ Nat.eq_dec (repeat (S w) h ++ l) (S w) :: multiplicities w (repeat (S w) h ++ l) = h :: multiplicities w l). rewrite count_occ_app, count_occ_repeat_eq, Z, Nat.add_0_r by reflexivity. f_equal.
  assert (E : forall v, (v <= w)%nat -> multiplicities v (repeat (S w) h ++ l) = multiplicities v l); [|apply E; lia]. clear. induction v as [|v IH]; intros V; cbn [multiplicities]; rewrite count_occ_app, count_occ_repeat_neq by lia; [reflexivity|]. rewrite IH by lia. reflexivity.
Qed.
(* A count up to v is v, or else up to v - 1. *)
Fixpoint count_down (F : nat -> nat) (v : nat) : law nat :=
  match v with O => ret O | S w => mix (1 - INR (F w) / INR (F (S w))) (ret (S w)) (count_down F w) end.
Section Levels.
Variables (F : nat -> nat) (n : nat).
Hypothesis some : (1 <= F 0)%nat.
Hypothesis rises_on : forall z, (z < n)%nat -> (F z <= F (S z))%nat.
Lemma at_least_one z : (z <= n)%nat -> (1 <= F z)%nat.
Proof. induction z as [|z IH]; intros Z; auto. specialize (rises_on z Z). specialize (IH ltac:(lia)). lia. Qed.
Lemma share_of_level w : (w < n)%nat -> 0 <= 1 - INR (F w) / INR (F (S w)) <= 1.
Proof.
  intros W. assert (P : 0 < INR (F (S w))) by (apply lt_0_INR; pose proof (at_least_one (S w) W); lia). assert (L : INR (F w) <= INR (F (S w))) by (apply le_INR; auto). pose proof (pos_INR (F w)).
  assert (0 <= INR (F w) / INR (F (S w))) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; auto).
  assert (INR (F w) / INR (F (S w)) <= 1) by (apply (Rmult_le_reg_r (INR (F (S w)))); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra). lra.
Qed.
Lemma count_down_finite v : (v <= n)%nat -> finite (count_down F v) /\ total (count_down F v).
Proof.
  induction v as [|v IH]; intros V; cbn [count_down]; [split; [apply ret_finite | reflexivity]|]. destruct (IH ltac:(lia)) as [Q T].
  split; [apply mix_finite; auto using ret_finite, share_of_level | apply mix_total; auto; reflexivity].
Qed.
Lemma count_down_agree v f g : (forall z, (z <= v)%nat -> f z = g z) -> count_down F v f = count_down F v g.
Proof. induction v as [|v IH]; intros H; cbn; unfold mix, ret; rewrite H by auto; [reflexivity|]. rewrite IH by (intros; apply H; lia). reflexivity. Qed.
Lemma count_law_down v f : (v <= n)%nat -> count_law F v f = count_down F v f.
Proof.
  assert (P : forall z, (z <= n)%nat -> INR (F z) <> 0) by (intros z Z; apply not_0_INR; pose proof (at_least_one z Z); lia). induction v as [|v IH]; intros V.
  - unfold count_law, weighted. cbn. unfold ret. field. auto.
  - cbn [count_down]. unfold mix, ret. rewrite <- IH by lia. unfold count_law, weighted. change (sum_below (S (S v)) ?g) with (sum_below (S v) g + g (S v)). cbv beta. cbn [step_of]. field. split; apply P; lia.
Qed.
Lemma levels_hold_from v : (v <= n)%nat -> forall missing m u, (missing <= m)%nat -> iid_greatest missing (count_down F v) m u = levels_from F v missing m u.
Proof.
  unfold iid_greatest, top_counts. induction v as [|w IH]; intros V k m u K.
  - unfold image. cbn [count_down levels_from]. unfold ret at 2. assert (E : forall f, every (repeat (ret 0%nat) m) f = f (repeat 0%nat m)).
    { clear. induction m as [|m IH]; intros f; [reflexivity|]. apply (IH (fun l => f (0%nat :: l))). }
    rewrite E, <- (app_nil_r (repeat _ m)), descending_first, firstn_repeated, Nat.min_l by auto. cbn. rewrite firstn_nil, app_nil_r. reflexivity.
  - destruct (count_down_finite w ltac:(lia)) as [Q T]. cbn [count_down levels_from]. unfold image at 1. rewrite (heads_first _ _ _ _ (share_of_level w V) Q (fun l => u (firstn k l))). unfold bind, image at 1. apply heads_agree. intros h H.
    transitivity (every (repeat (count_down F w) (m - h)) (fun l => u (repeat (S w) (Nat.min k h) ++ firstn (k - h) (descending l)))).
    + apply (every_agree _ (fun z => z <= w)%nat); auto using count_down_agree. intros l _ L. rewrite descending_first, firstn_repeated; [reflexivity|]. eapply Forall_impl; [|exact L]. cbn. intros; lia.
    + unfold image. rewrite <- (IH ltac:(lia) (k - Nat.min k h)%nat (m - Nat.min k h)%nat) by lia. unfold image. destruct (Nat.le_gt_cases h k) as [J|J]; [rewrite Nat.min_r by lia; reflexivity|].
      rewrite Nat.min_l by lia. replace (k - h)%nat with 0%nat by lia. rewrite Nat.sub_diag. cbn [firstn]. rewrite !constant_mean; auto using iid_finite, iid_total.
Qed.
(* Formula 5 of Section 6.1. *)
Lemma numbers_hold v : (v <= n)%nat -> forall m u, image (multiplicities v) (every (repeat (count_law F v) m)) u = numbers_from F v m u.
Proof.
  intros V m u. unfold image. rewrite (every_same _ (count_down F v)) by (try apply count_down_finite; try (intros; apply count_law_down); auto). revert V m u. induction v as [|w IH]; intros V m u.
  - cbn [count_down numbers_from multiplicities]. unfold ret at 2. assert (E : forall f, every (repeat (ret 0%nat) m) f = f (repeat 0%nat m)).
    { clear. induction m as [|m IH]; intros f; [reflexivity|]. apply (IH (fun l => f (0%nat :: l))). }
    rewrite E, count_occ_repeat_eq by reflexivity. reflexivity.
  - destruct (count_down_finite w ltac:(lia)) as [Q T]. cbn [count_down numbers_from].
    rewrite (every_agree _ (fun _ => True) m (fun f g H => agree (mix _ (ret (S w)) (count_down F w)) f g (mix_finite _ _ _ (share_of_level w V) (ret_finite _) Q) (fun x => H x I)) (fun l => u (multiplicities (S w) l)) (fun l => u (multiplicities (S w) (descending l)))) by (intros l _ _; rewrite multiplicities_ordered; reflexivity).
    rewrite (heads_first _ _ _ _ (share_of_level w V) Q (fun l => u (multiplicities (S w) l))). unfold bind, image. apply heads_agree. intros h H. rewrite <- (IH ltac:(lia)).
    apply (every_agree _ (fun z => z <= w)%nat); auto using count_down_agree. intros l _ L. rewrite multiplicities_ordered, multiplicities_first by auto. reflexivity.
Qed.
Lemma ordsample_holds m u : (S n <= m)%nat -> ordsample F n m u = iid_greatest (S n) (count_law F n) m u.
Proof.
  intros M. unfold ordsample. rewrite <- levels_hold_from by auto. unfold iid_greatest, image. symmetry. apply every_same; [apply count_down_finite; auto | intros f; apply count_law_down; auto].
Qed.
End Levels.

(* Formula 4 of Section 6.1. *)
Lemma all_below_next Y i : all_below Y (S i) = (all_below Y i + Y i)%nat.
Proof. unfold all_below. rewrite seq_S, map_app, list_sum_app. cbn. lia. Qed.
Lemma taken_is N Y i : taken_before N Y i = Nat.min N (all_below Y i).
Proof. induction i as [|i IH]; [symmetry; apply Nat.min_0_r|]. cbn [taken_before]. rewrite all_below_next, IH. lia. Qed.
Lemma taken_cases N Y i : let taken_there := Nat.min (Y i) (N - taken_before N Y i) in
  ((all_below Y (S i) <= N)%nat -> taken_there = Y i) /\
  ((all_below Y i <= N <= all_below Y (S i))%nat -> taken_there = (N - all_below Y i)%nat) /\ ((N <= all_below Y i)%nat -> taken_there = 0%nat).
Proof. cbv zeta. rewrite taken_is, all_below_next. lia. Qed.
Lemma greatest_taken N (g Y : nat -> nat) k : firstn N (flat_map (fun i => repeat (g i) (Y i)) (seq 0 k)) = flat_map (fun i => repeat (g i) (Nat.min (Y i) (N - taken_before N Y i))) (seq 0 k).
Proof.
  assert (L : forall j, length (flat_map (fun i => repeat (g i) (Y i)) (seq 0 j)) = all_below Y j).
  { induction j as [|j IH]; [reflexivity|]. rewrite all_below_next, seq_S, flat_map_app, app_length, IH. cbn. rewrite app_nil_r, repeat_length. reflexivity. }
  induction k as [|k IH]; [apply firstn_nil|]. rewrite seq_S, !flat_map_app, firstn_app, IH, L. f_equal. cbn. rewrite !app_nil_r, taken_is.
  rewrite <- (app_nil_r (repeat (g k) (Y k))), firstn_repeated, firstn_nil, app_nil_r. f_equal. lia.
Qed.
(* A list of counts up to n, level by level. *)
Lemma into_past c v y l : (c < v)%nat -> into c (repeat v y ++ l) = repeat v y ++ into c l.
Proof. intros V. induction y as [|y IH]; cbn; [reflexivity|]. destruct (Nat.leb_spec v c); [lia|]. rewrite IH. reflexivity. Qed.
Definition all_but (v : nat) (l : list nat) : list nat := filter (fun c => negb (c =? v)%nat) l.
Lemma filtered_all {A : Type} (P : A -> Prop) f l : Forall P l -> Forall P (filter f l).
Proof. induction 1; cbn; [constructor|]. destruct (f x); auto. Qed.
Lemma others_below v l : Forall (fun c => (c <= S v)%nat) l -> Forall (fun c => (c <= v)%nat) (all_but (S v) l).
Proof. induction 1 as [|c l C _ IH]; cbn; [constructor|]. destruct (Nat.eqb_spec c (S v)); cbn; auto. constructor; auto. lia. Qed.
Lemma others_counted v w l : w <> v -> count_occ Nat.eq_dec (all_but v l) w = count_occ Nat.eq_dec l w.
Proof.
  intros W. induction l as [|c l IH]; [reflexivity|]. unfold all_but in *. cbn [filter count_occ]. destruct (Nat.eqb_spec c v) as [->|N]; cbn [negb].
  - rewrite IH. destruct (Nat.eq_dec v w); [congruence | reflexivity].
  - cbn [count_occ]. rewrite IH. reflexivity.
Qed.
Lemma descending_level v l : Forall (fun c => (c <= v)%nat) l -> descending l = repeat v (count_occ Nat.eq_dec l v) ++ descending (all_but v l).
Proof.
  induction 1 as [|c l C L IH]; [reflexivity|]. unfold all_but in *. cbn [descending filter count_occ]. rewrite IH. destruct (Nat.eqb_spec c v) as [->|N]; cbn [negb descending].
  - destruct (Nat.eq_dec v v); [|congruence]. apply into_front, Forall_app. split; [apply repeat_all; auto | apply descending_all, filtered_all; auto].
  - destruct (Nat.eq_dec c v); [congruence|]. apply into_past. lia.
Qed.
Lemma descending_levels n : forall l, Forall (fun c => (c <= n)%nat) l -> descending l = flat_map (fun i => repeat (n - i)%nat (at_level n l i)) (seq 0 (S n)).
Proof.
  unfold at_level. induction n as [|n IH]; intros l L.
  - rewrite (descending_level 0) by auto. cbn [seq flat_map Nat.sub]. f_equal. unfold all_but. induction L as [|c l C _ IH]; [reflexivity|]. cbn [filter]. replace c with 0%nat by lia. exact IH.
  - rewrite (descending_level (S n)) by auto. rewrite <- (cons_seq (S n) 0), <- seq_shift. cbn [flat_map]. rewrite Nat.sub_0_r. f_equal. rewrite IH by (apply others_below; auto). rewrite !flat_map_concat_map, map_map. f_equal. apply map_ext_in. intros i I. cbn [Nat.sub]. rewrite others_counted by lia. reflexivity.
Qed.
Lemma greatest_by_levels N n l : Forall (fun c => (c <= n)%nat) l ->
  top_counts N l = flat_map (fun i => repeat (n - i)%nat (Nat.min (at_level n l i) (N - taken_before N (at_level n l) i))) (seq 0 (S n)).
Proof. intros L. unfold top_counts. rewrite (descending_levels n) by auto. apply (greatest_taken N (fun i => n - i)%nat). Qed.

(* Proposition 6.5. Independent counts of one law are as they are in a random order. *)
Fixpoint shuffled (z : list nat) : law (list nat) :=
  match z with [] => ret [] | c :: rest => bind (uniform (S (length rest))) (fun r => image (put r c) (shuffled rest)) end.
Lemma shuffled_step c z G : shuffled (c :: z) G = uniform (S (length z)) (fun r => shuffled z (fun w => G (put r c w))).
Proof. reflexivity. Qed.
Lemma shuffled_tame z : tame (shuffled z).
Proof. induction z as [|c z IH]; cbn [shuffled]; [apply ret_tame|]. apply bind_tame; [apply uniform_tame; lia | auto using image_tame]. Qed.
Lemma put_length {A : Type} r (x : A) l : length (put r x l) = S (length l).
Proof. revert r. induction l as [|y l IH]; intros [|r]; cbn; auto. Qed.
Lemma put_all {A : Type} (P : A -> Prop) r x l : P x -> Forall P l -> Forall P (put r x l).
Proof. intros X L. revert r. induction L as [|y l Y L IH]; intros [|r]; cbn; auto. Qed.
Lemma shuffled_agree (Q : nat -> Prop) z : Forall Q z -> forall f g, (forall w, length w = length z -> Forall Q w -> f w = g w) -> shuffled z f = shuffled z g.
Proof.
  induction 1 as [|c z C L IH]; intros f g H; [apply H; auto|]. rewrite !shuffled_step. apply uniform_agree. intros r _. apply IH. intros w W F. apply H; [rewrite put_length; cbn; lia | apply put_all; auto].
Qed.
Section Exchangeable.
Variable p : law nat.
Hypothesis one_tame : tame p.
Lemma put_anywhere r m : (r <= m)%nat -> forall G, every (repeat p (S m)) G = p (fun c => every (repeat p m) (fun z => G (put r c z))).
Proof.
  destruct one_tame as [Q C]. revert m. induction r as [|r IH]; intros m R G; [reflexivity|].
  destruct m as [|m]; [lia|]. transitivity (p (fun y => p (fun c => every (repeat p m) (fun z => G (y :: put r c z))))).
  - change (every (repeat p (S (S m))) G) with (p (fun y => every (repeat p (S m)) (fun l => G (y :: l)))). apply agree; auto. intros y. apply (IH m ltac:(lia) (fun l => G (y :: l))).
  - rewrite (C nat p (fun c y => every (repeat p m) (fun z => G (y :: put r c z))) Q). reflexivity.
Qed.
Lemma iid_shuffled m : forall G, every (repeat p m) G = every (repeat p m) (fun z => shuffled z G).
Proof.
  destruct one_tame as [Q C]. induction m as [|m IH]; intros G; [reflexivity|]. assert (U := uniform_tame (S m) ltac:(lia)). destruct U as [FU CU].
  transitivity (p (fun c => uniform (S m) (fun r => every (repeat p m) (fun z => G (put r c z))))).
  - rewrite (CU nat p (fun r c => every (repeat p m) (fun z => G (put r c z))) Q).
    rewrite (uniform_agree (S m) _ (fun _ => every (repeat p (S m)) G)) by (intros r R; symmetry; apply put_anywhere; lia). symmetry. apply constant_mean; auto. apply uniform_mass. lia.
  - change (every (repeat p (S m)) (fun z => shuffled z G)) with (p (fun c => every (repeat p m) (fun z => shuffled (c :: z) G))). apply agree; auto. intros c.
    rewrite (every_agree p (fun _ => True) m (fun f g H => agree p f g Q (fun x => H x I)) (fun z => shuffled (c :: z) G) (fun z => uniform (S m) (fun r => shuffled z (fun w => G (put r c w))))) by (intros z Z _; rewrite shuffled_step, Z; reflexivity).
    rewrite (CU _ _ (fun r z => shuffled z (fun w => G (put r c w))) (iid_finite p m Q)). apply uniform_agree. intros r _. apply (IH (fun z => G (put r c z))).
Qed.
End Exchangeable.
(* The order before does not matter. *)
Lemma put_twice {A : Type} (x y : A) l : forall j i, (j <= i <= length l)%nat -> put j x (put i y l) = put (S i) y (put j x l).
Proof.
  induction l as [|e l IH]; intros j i H; cbn [length] in H.
  - replace j with 0%nat by lia. replace i with 0%nat by lia. reflexivity.
  - destruct j as [|j]; [destruct i; reflexivity|]. destruct i as [|i]; [lia|]. cbn [put]. rewrite IH by lia. reflexivity.
Qed.
Lemma sum_swapped t (T V : nat -> nat -> R) : (forall i j, (j <= i < t)%nat -> T j i = V (S i) j) -> (forall i j, (j <= i < t)%nat -> V j i = T (S i) j) ->
  sum_below (S t) (fun j => sum_below t (T j)) = sum_below (S t) (fun j => sum_below t (V j)).
Proof.
  assert (Parts : forall f : nat -> nat -> R, sum_below (S t) (fun j => sum_below t (f j)) = sum_below t (fun i => sum_below (S i) (fun j => f j i)) + sum_below t (fun i => sum_below (S i) (fun j => f (S i) j))).
  { clear. induction t as [|t IH]; intros f; [cbn; ring|]. change (sum_below (S (S t)) ?g) with (sum_below (S t) g + g (S t)).
    change (sum_below (S t) (fun i => sum_below (S i) (fun j => f j i))) with (sum_below t (fun i => sum_below (S i) (fun j => f j i)) + sum_below (S t) (fun j => f j t)).
    change (sum_below (S t) (fun i => sum_below (S i) (fun j => f (S i) j))) with (sum_below t (fun i => sum_below (S i) (fun j => f (S i) j)) + sum_below (S t) (f (S t))).
    rewrite (sum_ext (S t) (fun j => sum_below (S t) (f j)) (fun j => sum_below t (f j) + f j t)) by reflexivity. rewrite sum_plus, IH. ring. }
  intros H K. rewrite !Parts, Rplus_comm. f_equal; apply sum_ext; intros i I; apply sum_ext; intros j J; [symmetry; apply K | apply H]; lia.
Qed.
Lemma shuffled_swap x y z G : shuffled (x :: y :: z) G = shuffled (y :: x :: z) G.
Proof.
  set (k := S (length z)). assert (E : forall a b, shuffled (a :: b :: z) G = / INR (S k) * (/ INR k * sum_below (S k) (fun j => sum_below k (fun i => shuffled z (fun w => G (put j a (put i b w))))))).
  { intros a b. rewrite shuffled_step. change (length (b :: z)) with k. unfold uniform, weighted, Rdiv. rewrite Rmult_comm. f_equal. rewrite <- sum_scale. apply sum_ext. intros j _.
    rewrite shuffled_step. fold k. unfold uniform, weighted, Rdiv. rewrite Rmult_1_l, Rmult_comm. f_equal. apply sum_ext. intros i _. ring. }
  rewrite !E. do 2 f_equal. apply sum_swapped; intros i j H; apply (shuffled_agree (fun _ => True)); try (apply Forall_forall; auto); intros w W _; rewrite put_twice by lia; reflexivity.
Qed.
Lemma shuffled_into c z : forall G, shuffled (into c z) G = shuffled (c :: z) G.
Proof.
  induction z as [|e z IH]; intros G; [reflexivity|]. cbn [into]. destruct (e <=? c)%nat; [reflexivity|]. rewrite shuffled_swap, !shuffled_step, into_length. apply uniform_agree. intros r _. apply IH.
Qed.
Lemma shuffled_descending z : forall G, shuffled (descending z) G = shuffled z G.
Proof.
  induction z as [|c z IH]; intros G; [reflexivity|]. cbn [descending]. rewrite shuffled_into, !shuffled_step, descending_length. apply uniform_agree. intros r _. apply IH.
Qed.
(* Only where the greatest counts come to lie matters: R b relates a count to itself, or one up to b to none. *)
Definition known (b c : nat) (o : option nat) : Prop := match o with Some e => e = c | None => (c <= b)%nat end.
Lemma put_known b r c o w l : known b c o -> Forall2 (known b) w l -> Forall2 (known b) (put r c w) (put r o l).
Proof. intros C H. revert r. induction H as [|e q w l E H IH]; intros [|r]; cbn; auto. Qed.
Lemma candidates_put r c l : forall b, (b <= c)%nat -> as_large b (candidates (put r (Some c) l)) = S (as_large b (candidates l)).
Proof.
  intros b B. revert r. assert (Z : forall m, as_large b (c :: m) = S (as_large b m)) by (intros m; unfold as_large; cbn [filter]; destruct (Nat.leb_spec b c); [reflexivity | lia]).
  induction l as [|o l IH]; intros [|r]; cbn [put candidates]; auto. destruct o as [e|]; cbn [candidates]; auto.
  unfold as_large in *. cbn [filter]. destruct (b <=? e)%nat; cbn [length]; rewrite IH; reflexivity.
Qed.
Lemma picks_finite m k : (k <= m)%nat -> finite (picks m k).
Proof. revert m. induction k as [|k IH]; intros m M; cbn [picks]; [apply ret_finite|]. apply bind_finite; [apply uniform_tame; lia|]. intros r. apply image_finite, IH. lia. Qed.
Lemma coupled b more z : forall G H, Forall (fun c => (b <= c)%nat) z -> Forall (fun c => (c <= b)%nat) more ->
  (forall w o, length w = length (z ++ more) -> length o = length w -> Forall2 (known b) w o -> (length z <= as_large b (candidates o))%nat -> G w = H o) ->
  shuffled (z ++ more) G = picks (length (z ++ more)) (length z) (fun q => H (at_picks (length (z ++ more)) q z)).
Proof.
  induction z as [|c z IH]; intros G H Z M E.
  - cbn [app length picks]. unfold ret. cbn [at_picks]. destruct (shuffled_tame more) as [F _].
    assert (T : total (shuffled more)).
    { clear. unfold total. induction more as [|c z IH]; [reflexivity|]. rewrite shuffled_step, IH. apply uniform_mass. lia. }
    rewrite <- (constant_mean (shuffled more) (H _) F T). apply (shuffled_agree (fun c => c <= b)%nat); auto. intros w W L. apply E; cbn; auto; [rewrite repeat_length; auto | | lia].
    rewrite <- W. clear - L. induction L; cbn; constructor; auto.
  - inversion Z as [|? ? C Zs]; subst. cbn [app length picks]. rewrite shuffled_step. unfold bind, image. apply uniform_agree. intros r _. rewrite Nat.sub_succ, Nat.sub_0_r.
    rewrite (IH (fun w => G (put r c w)) (fun o => H (put r (Some c) o)) Zs M).
    + cbn [at_picks]. rewrite Nat.sub_succ, Nat.sub_0_r. reflexivity.
    + intros w o W O K L. apply E; cbn [app length]; rewrite ?put_length; auto; [apply put_known; auto; reflexivity | rewrite candidates_put by auto; lia].
Qed.
(* What stays is decided by the candidates. *)
Lemma as_large_falls b c l : (b <= c)%nat -> (as_large c l <= as_large b l)%nat.
Proof. intros B. unfold as_large. induction l as [|e l IH]; cbn; [lia|]. destruct (Nat.leb_spec c e), (Nat.leb_spec b e); cbn; lia. Qed.
Lemma as_large_known b c w l : Forall2 (known b) w l -> ((b < c)%nat -> as_large c w = as_large c (candidates l)) /\ (as_large c (candidates l) <= as_large c w)%nat.
Proof.
  unfold as_large. induction 1 as [|e o w l K _ [IH1 IH2]]; [split; reflexivity|]. destruct o as [x|]; cbn [candidates filter]; cbn in K.
  - subst. destruct (c <=? e)%nat; cbn [length]; split; try (intros B; specialize (IH1 B)); lia.
  - destruct (Nat.leb_spec c e); cbn [length]; split; try (intros B; specialize (IH1 B)); lia.
Qed.
Lemma released_same n b w l : Forall2 (known b) w l -> (S n <= as_large b (candidates l))%nat -> keep_heavy n w = released n l.
Proof.
  intros K L. unfold keep_heavy, released. assert (E : forall c o, known b c o -> (if (as_large c w <=? n)%nat then c else 0%nat) = match o with Some e => if (as_large e (candidates l) <=? n)%nat then e else 0%nat | None => 0%nat end).
  { intros c o C. destruct (as_large_known b c w l K) as [Same Less]. destruct (Nat.le_gt_cases c b) as [B|B].
    - pose proof (as_large_falls c b (candidates l) B). destruct (Nat.leb_spec (as_large c w) n); [lia|]. destruct o as [e|]; cbn in C; [subst; destruct (Nat.leb_spec (as_large c (candidates l)) n); [lia | reflexivity] | reflexivity].
    - destruct o as [e|]; cbn in C; [subst; rewrite (Same B); reflexivity | lia]. }
  clear L. remember (fun c => if (as_large c w <=? n)%nat then c else 0%nat) as f eqn:Hf. remember (fun o => match o with Some e => if (as_large e (candidates l) <=? n)%nat then e else 0%nat | None => 0%nat end) as g eqn:Hg.
  assert (E2 : forall c o, known b c o -> f c = g o) by (subst; exact E). clear - K E2. induction K; cbn; [reflexivity|]. f_equal; auto.
Qed.
(* Labels that occur, and the others. *)
Lemma joined_counts (M : nat -> law nat) x : (forall c, tame (M c)) -> forall G,
  every (map M x) G = every (map M (occurs x)) (fun a => every (repeat (M 0%nat) (empties x)) (fun z => G (joined x a z))).
Proof.
  intros T. unfold occurs, empties. induction x as [|[|c] x IH]; intros G; [reflexivity| |].
  - cbn [filter Nat.eqb negb length]. destruct (T 0%nat) as [F C]. transitivity (M 0%nat (fun c => every (map M (occurs x)) (fun a => every (repeat (M 0%nat) (empties x)) (fun z => G (c :: joined x a z))))).
    + change (every (map M (0%nat :: x)) G) with (M 0%nat (fun c => every (map M x) (fun l => G (c :: l)))). apply agree; auto. intros c. apply (IH (fun l => G (c :: l))).
    + unfold occurs, empties in *. assert (E : tame (every (map M (filter (fun c => negb (c =? 0)%nat) x)))) by (apply every_tame, Forall_forall; intros p P; apply in_map_iff in P; destruct P as (c & <- & _); auto).
      destruct E as [_ CE]. exact (CE _ (M 0%nat) (fun a c => every (repeat (M 0%nat) (length (filter (fun c => (c =? 0)%nat) x))) (fun z => G (c :: joined x a z))) F).
  - cbn [filter Nat.eqb negb length map every]. unfold bind, image. apply agree; [apply T|]. intros e. apply (IH (fun l => G (e :: l))).
Qed.
Lemma joined_known b x : forall a w l, Forall2 (known b) w l -> Forall2 (known b) (joined x a w) (joined x (map Some a) l).
Proof.
  induction x as [|[|c] x IH]; intros a w l K; cbn; auto.
  - destruct K; auto.
  - destruct a as [|e a]; cbn; auto. constructor; auto. reflexivity.
Qed.
Lemma joined_candidates b x : forall a l, length a = length (occurs x) -> length l = empties x -> (as_large b (candidates l) <= as_large b (candidates (joined x (map Some a) l)))%nat.
Proof.
  unfold occurs, empties, as_large. induction x as [|[|c] x IH]; intros a l A L; cbn in A, L.
  - destruct l; [cbn; lia | discriminate L].
  - destruct l as [|o l]; [discriminate L|]. injection L as L. specialize (IH a l A L). destruct o as [e|]; cbn; [destruct (b <=? e)%nat; cbn; lia | exact IH].
  - destruct a as [|e a]; [discriminate A|]. injection A as A. specialize (IH a l A L). cbn. destruct (b <=? e)%nat; cbn; lia.
Qed.
(* The greatest counts and the rest. *)
Fixpoint ordered (l : list nat) : Prop := match l with [] => True | c :: rest => Forall (fun e => (e <= c)%nat) rest /\ ordered rest end.
Lemma into_ordered c l : ordered l -> ordered (into c l).
Proof.
  induction l as [|e l IH]; cbn; [auto|]. intros [B O]. destruct (Nat.leb_spec e c) as [E|E]; cbn; repeat split; auto.
  - constructor; auto. eapply Forall_impl; [|exact B]. cbn. intros; lia.
  - apply into_all; auto. lia.
Qed.
Lemma descending_ordered l : ordered (descending l).
Proof. induction l; cbn; auto using into_ordered. Qed.
Lemma rest_below k : forall l, ordered l -> Forall (fun c => (list_max (skipn k l) <= c)%nat) (firstn k l).
Proof.
  induction k as [|k IH]; intros [|c l] O; cbn [firstn skipn]; try constructor; destruct O as [B O]; auto. apply list_max_le. rewrite <- (firstn_skipn k l) in B. apply Forall_app in B. apply B.
Qed.
Section FewLabels.
Variables (n : nat) (M : nat -> law nat) (x : list nat).
Hypothesis all_tame : forall c, tame (M c).
Hypothesis enough : (S n <= empties x)%nat.
Lemma released_together a z u : length a = length (occurs x) -> length z = empties x ->
  shuffled z (fun w => u (keep_heavy n (joined x a w))) = picks (empties x) (S n) (fun q => u (released n (joined x (map Some a) (at_picks (empties x) q (top_counts (S n) z))))).
Proof.
  intros A Z. rewrite <- shuffled_descending. unfold top_counts. set (D := descending z). assert (L : length D = empties x) by (unfold D; rewrite descending_length; auto).
  assert (K : length (firstn (S n) D) = S n) by (apply firstn_length_le; lia). rewrite <- (firstn_skipn (S n) D) at 1. set (b := list_max (skipn (S n) D)).
  rewrite (coupled b _ _ _ (fun o => u (released n (joined x (map Some a) o)))).
  - rewrite firstn_skipn, K, L. reflexivity.
  - apply rest_below, descending_ordered.
  - apply list_max_le. unfold b. lia.
  - intros w o W O R H. f_equal. rewrite firstn_skipn in W. rewrite K in H. apply (released_same n b); [apply joined_known; auto|]. pose proof (joined_candidates b x a o A ltac:(lia)). lia.
Qed.
Lemma few_labels_hold u : few_labels n M (iid_greatest (S n) (M 0%nat)) x u = image (keep_heavy n) (basic M x) u.
Proof.
  unfold few_labels, image, basic, bind. rewrite (joined_counts M x all_tame). destruct (all_tame 0) as [F0 _]. symmetry. apply every_length; [apply Forall_forall; intros p P; apply in_map_iff in P; destruct P as (c & <- & _); apply all_tame|].
  intros a A. rewrite map_length in A. rewrite (iid_shuffled (M 0%nat) (all_tame 0)).
  unfold iid_greatest, image. set (f := fun q z => u (released n (joined x (map Some a) (at_picks (empties x) q (top_counts (S n) z))))).
  assert (T : tame (every (repeat (M 0%nat) (empties x)))) by (apply every_tame, repeat_all; auto). destruct T as [F C].
  transitivity (every (repeat (M 0%nat) (empties x)) (fun z => picks (empties x) (S n) (fun q => f q z))); [|symmetry; exact (C _ (picks (empties x) (S n)) (fun z q => f q z) (picks_finite _ _ enough))].
  apply every_length; [apply repeat_all; auto|]. intros z Z. rewrite repeat_length in Z. apply released_together; auto.
Qed.
End FewLabels.
Lemma few_empty n x : list_sum x = n -> (2 * n + 1 <= length x)%nat -> (S n <= empties x)%nat.
Proof.
  intros <- L. unfold empties. assert (H : (length x <= length (filter (fun c => c =? 0) x) + list_sum x)%nat); [|lia]. clear. induction x as [|k x IH]; [cbn; lia|]. change (list_sum (k :: x)) with (k + list_sum x)%nat. cbn [filter length]. destruct (Nat.eqb_spec k 0); cbn [length]; lia.
Qed.
Lemma noisy_tame sampler d c : (1 <= d)%nat -> tame (sampler_law sampler d c).
Proof. intros D. apply image_tame, uniform_tame. auto. Qed.
Lemma proposition_holds n d sampler x u : (1 <= d)%nat -> list_sum x = n -> (2 * n + 1 <= length x)%nat ->
  few_labels n (sampler_law sampler d) (iid_greatest (S n) (sampler_law sampler d 0)) x u = image (keep_heavy n) (basic (sampler_law sampler d) x) u.
Proof. intros D S L. apply few_labels_hold; [intros c; apply noisy_tame; auto | apply few_empty; auto]. Qed.
(* The distribution function of a noisy count, in draws. *)
Lemma draws_counted M d z : INR (draws_at_most M d z) = sum_below d (fun u => count_at_most z (M u)).
Proof.
  unfold draws_at_most. induction d as [|d IH]; [reflexivity|]. rewrite seq_S, filter_app, app_length, plus_INR, IH. cbn [sum_below Nat.add filter]. unfold count_at_most. destruct (M d <=? z)%nat; cbn; ring.
Qed.
Lemma draws_rise M d z : (draws_at_most M d z <= draws_at_most M d (S z))%nat.
Proof. apply INR_le. rewrite !draws_counted. apply sum_le. intros u _. unfold count_at_most. destruct (Nat.leb_spec (M u) z), (Nat.leb_spec (M u) (S z)); try lra. lia. Qed.
Lemma draws_all M d n : (forall u, (u < d)%nat -> (M u <= n)%nat) -> draws_at_most M d n = d.
Proof.
  intros H. apply INR_eq. rewrite draws_counted, (sum_ext d _ (fun _ => 1)), sum_constant; [ring|]. intros u U. unfold count_at_most. destruct (Nat.leb_spec (M u) n); [reflexivity|]. specialize (H u U). lia.
Qed.
Lemma value_counted f n v : (v <= n)%nat -> sum_below (S n) (fun z => match z with O => count_at_most 0 v | S y => count_at_most z v - count_at_most y v end * f z) = f v.
Proof.
  intros V. assert (E : forall m, sum_below (S m) (fun z => match z with O => count_at_most 0 v | S y => count_at_most z v - count_at_most y v end * f z) = count_at_most m v * f v).
  { induction m as [|m IH]; [cbn; unfold count_at_most; destruct (Nat.leb_spec v 0); [replace v with 0%nat by lia|]; ring|].
    change (sum_below (S (S m)) ?g) with (sum_below (S m) g + g (S m)). rewrite IH. cbv beta iota. unfold count_at_most. destruct (Nat.leb_spec v m), (Nat.leb_spec v (S m)); try lia; [ring | replace v with (S m) by lia; ring | ring]. }
  rewrite E. unfold count_at_most. destruct (Nat.leb_spec v n); [ring | lia].
Qed.
Lemma noisy_count_law M d n f : (1 <= d)%nat -> (forall u, (u < d)%nat -> (M u <= n)%nat) -> image M (uniform d) f = count_law (draws_at_most M d) n f.
Proof.
  intros D H. unfold image, uniform, count_law, weighted. rewrite (draws_all M d n H). f_equal.
  rewrite (sum_ext d _ (fun u => sum_below (S n) (fun z => match z with O => count_at_most 0 (M u) | S y => count_at_most z (M u) - count_at_most y (M u) end * f z))) by (intros u U; rewrite value_counted by auto; ring).
  assert (Swap : forall k g, sum_below d (fun u => sum_below k (g u)) = sum_below k (fun z => sum_below d (fun u => g u z))).
  { clear. intros k g. induction k as [|k IH]; cbn [sum_below]; [rewrite sum_constant; ring|]. rewrite sum_plus, IH. reflexivity. }
  rewrite Swap. apply sum_ext. intros z _. rewrite (sum_ext d _ (fun u => f z * match z with O => count_at_most 0 (M u) | S y => count_at_most z (M u) - count_at_most y (M u) end)), sum_scale, Rmult_comm by (intros; ring). f_equal.
  destruct z as [|y]; cbn [step_of]; rewrite !draws_counted; [reflexivity|]. rewrite (sum_ext d _ (fun u => count_at_most (S y) (M u) + -1 * count_at_most y (M u))), sum_plus, sum_scale by (intros; ring). ring.
Qed.
Lemma algorithm_holds n d sampler x u : (1 <= d)%nat -> (forall i, (i < d)%nat -> (sampler 0 i <= n)%nat) -> (1 <= draws_at_most (sampler 0%nat) d 0)%nat -> list_sum x = n -> (2 * n + 1 <= length x)%nat ->
  few_labels n (sampler_law sampler d) (ordsample (draws_at_most (sampler 0%nat) d) n) x u = image (keep_heavy n) (basic (sampler_law sampler d) x) u.
Proof.
  intros D H One S L. rewrite <- proposition_holds by auto. assert (E := few_empty n x S L). unfold few_labels, bind, image. apply every_length; [apply Forall_forall; intros p P; apply in_map_iff in P; destruct P as (c & <- & _); apply noisy_tame; auto|].
  intros a _. apply agree; [apply picks_finite; auto|]. intros q. rewrite ordsample_holds; auto using draws_rise.
  unfold iid_greatest, image. apply every_same; [apply noisy_tame; auto | intros f; symmetry; apply noisy_count_law; auto].
Qed.
