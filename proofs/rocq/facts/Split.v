(* anonymized-histograms: the two parts of PrivHist are private together, and so is the whole. *)
From Coq Require Import Reals ZArith List Arith Lra Lia.
From DP.definitions Require Import Laws Prevalences TwoSided PrivHist.
From DP.facts Require Import Laws.
From DP.facts Require Prevalences.
From DP.facts Require Import TwoSided PrivHist.
Import ListNotations.
Open Scope R_scope.

(* The steps printed: what is added is cut at 0, and what was cut is carried on. *)
Lemma carried_holds (S B : nat -> Z) : (forall j, (S (Datatypes.S j) <= S (Datatypes.S (Datatypes.S j)))%Z) -> B O = 0%Z ->
  (forall j, B (Datatypes.S j) = (B j + Z.max 0 (S (Datatypes.S j) - B j))%Z) -> forall j, B (Datatypes.S j) = Z.max 0 (S (Datatypes.S j)).
Proof.
  intros Rise Z0 Next. induction j as [|j IH]; [rewrite Next, Z0; lia|]. rewrite Next, IH. pose proof (Rise j). lia.
Qed.
Lemma cut_holds a b : (Z.abs (Z.max 0 a - Z.max 0 b) <= Z.abs (a - b))%Z.
Proof. lia. Qed.
Lemma kept_large m p : (0 <= p)%Z -> (Z.max 0 m - Z.max 0 (m - p) = Z.min p (Z.max 0 m))%Z.
Proof. lia. Qed.

(* How many of some values a count's rank reaches. *)
Definition ranked (h : list nat) (i a n : nat) : nat := length (filter (fun r => (i <=? reaching r h)%nat) (seq a n)).
Lemma ranked_next h i a n : ranked h i a (S n) = ((if (i <=? reaching a h)%nat then 1 else 0) + ranked h i (S a) n)%nat.
Proof. unfold ranked. cbn [seq filter]. destruct (i <=? reaching a h)%nat; reflexivity. Qed.
Lemma ranked_split h i a m n : ranked h i a (m + n) = (ranked h i a m + ranked h i (a + m) n)%nat.
Proof. unfold ranked. rewrite seq_app, filter_app, app_length. reflexivity. Qed.
Lemma ranked_at_most h i n : forall a, (ranked h i a n <= n)%nat.
Proof. induction n as [|n IH]; intros a; [cbn; lia|]. rewrite ranked_next. specialize (IH (S a)). destruct (i <=? reaching a h)%nat; lia. Qed.
Lemma ranked_none h i n : forall a, (1 <= i)%nat -> (list_max h < a)%nat -> ranked h i a n = O.
Proof.
  induction n as [|n IH]; intros a I H; [reflexivity|]. rewrite ranked_next, IH by lia.
  replace a with (S (a - 1)) by lia. rewrite (Prevalences.reaching_above (list_max h)) by lia. destruct (Nat.leb_spec i 0); lia.
Qed.
Lemma reaching_falls h r d : (reaching (r + d) h <= reaching r h)%nat.
Proof.
  induction d as [|d IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r. pose proof (Prevalences.reaching_step (r + d) h). lia.
Qed.
Lemma ranked_all h i a n : (i <= reaching (a + n) h)%nat -> ranked h i a n = n.
Proof.
  revert a. induction n as [|n IH]; intros a H; [reflexivity|]. rewrite ranked_next, IH by (replace (S a + n)%nat with (a + S n)%nat by lia; exact H).
  pose proof (reaching_falls h a (S n)). destruct (Nat.leb_spec i (reaching a h)); lia.
Qed.
Lemma some_ranked h i n : forall a, (0 < ranked h i a n)%nat -> (i <= reaching a h)%nat.
Proof.
  induction n as [|n IH]; intros a H; [cbn in H; lia|]. rewrite ranked_next in H. destruct (Nat.leb_spec i (reaching a h)); [auto|].
  specialize (IH (S a) ltac:(lia)). pose proof (reaching_falls h a 1). replace (a + 1)%nat with (S a) in * by lia. lia.
Qed.
Lemma greatest_to h i n : (1 <= i)%nat -> (list_max h <= n)%nat -> greatest h i = ranked h i 1 n.
Proof.
  intros I H. change (greatest h i) with (ranked h i 1 (list_max h)). replace n with (list_max h + (n - list_max h))%nat by lia.
  rewrite ranked_split, (ranked_none h i (n - list_max h) (1 + list_max h)) by lia. lia.
Qed.
Lemma large_by_rank h i T n : (1 <= i)%nat -> (list_max h <= S T + n)%nat -> Nat.max (greatest h i) (S T) = (S T + ranked h i (S (S T)) n)%nat.
Proof.
  intros I H. rewrite (greatest_to h i (S T + n)) by auto. rewrite ranked_split. replace (1 + S T)%nat with (S (S T)) by lia.
  pose proof (ranked_at_most h i (S T) 1). destruct (Nat.eq_dec (ranked h i (S (S T)) n) 0) as [Z|Z]; [lia|].
  rewrite (ranked_all h i 1 (S T)); [lia|]. replace (1 + S T)%nat with (S (S T)) by lia. apply (some_ranked h i n). lia.
Qed.
Lemma ranked_moves r g h i n : raised_at r g h -> forall a, (1 <= a)%nat ->
  ranked h i a n = (ranked g i a n + if ((a <=? S r) && (S r <? a + n) && (i =? S (reaching (S r) g)))%nat%bool then 1 else 0)%nat.
Proof.
  intros [Up Same]. induction n as [|n IH]; intros a A.
  - unfold ranked. cbn [seq filter length]. rewrite Nat.add_0_r. destruct (Nat.leb_spec a (S r)), (Nat.ltb_spec (S r) a); cbn [andb]; lia.
  - rewrite !ranked_next, (IH (S a)) by lia. destruct (Nat.eq_dec a (S r)) as [->|N].
    + rewrite Up. destruct (Nat.leb_spec (S r) (S r)), (Nat.leb_spec (S (S r)) (S r)), (Nat.ltb_spec (S r) (S r + S n)), (Nat.ltb_spec (S r) (S (S r) + n)),
        (Nat.eqb_spec i (S (reaching (S r) g))), (Nat.leb_spec i (S (reaching (S r) g))), (Nat.leb_spec i (reaching (S r) g)); cbn [andb]; lia.
    + rewrite (Same a) by lia. destruct (Nat.leb_spec a (S r)), (Nat.leb_spec (S a) (S r)), (Nat.ltb_spec (S r) (a + S n)), (Nat.ltb_spec (S r) (S a + n)),
        (i =? S (reaching (S r) g))%nat; cbn [andb]; lia.
Qed.
Lemma large_moves r g h T i : raised_at r g h -> (1 <= i)%nat ->
  Nat.max (greatest h i) (S T) = (Nat.max (greatest g i) (S T) + if ((T <? r) && (i =? S (reaching (S r) g)))%nat%bool then 1 else 0)%nat.
Proof.
  intros R I. set (n := (list_max g + list_max h + r + 1)%nat). rewrite (large_by_rank h i T n), (large_by_rank g i T n) by lia. rewrite (ranked_moves r g h i n R) by lia.
  destruct (Nat.leb_spec (S (S T)) (S r)), (Nat.ltb_spec (S r) (S (S T) + n)), (Nat.ltb_spec T r), (i =? S (reaching (S r) g))%nat; cbn [andb]; lia.
Qed.
(* The three cases of Appendix C.3. *)
Lemma cases_hold r g h : raised_at r g h -> forall T M m,
  (r = T -> reaching (S T) h = S (reaching (S T) g)) /\ (r <> T -> reaching (S T) h = reaching (S T) g) /\
  (T <= r -> small_centres g T M m = small_centres h T M m)%nat /\ (r <= T -> large_centres g T m = large_centres h T m)%nat /\
  one_step (small_centres g T M m) (small_centres h T M m) /\ one_step (large_centres g T m) (large_centres h T m).
Proof.
  intros R T M m. pose proof R as [Up Same]. unfold small_centres, large_centres. split; [intros ->; exact Up|]. split; [intros N; apply Same; lia|]. split; [|split; [|split]].
  - intros L. apply map_ext_in. intros i I. apply in_seq in I. rewrite (Same i) by lia. reflexivity.
  - intros L. apply map_ext_in. intros i I. apply in_seq in I. rewrite (large_moves r g h T i R) by lia. destruct (Nat.ltb_spec T r); cbn [andb]; [lia|].
    rewrite Nat.add_0_r. reflexivity.
  - apply mapped_step with (s := S r); [intros i I N; rewrite (Same i) by lia; reflexivity|]. rewrite Up. lia.
  - apply mapped_step with (s := S (reaching (S r) g)).
    + intros i I N. rewrite (large_moves r g h T i R) by lia. destruct (Nat.eqb_spec i (S (reaching (S r) g))); [lia|]. rewrite Bool.andb_false_r, Nat.add_0_r. reflexivity.
    + rewrite (large_moves r g h T _ R) by lia. destruct (_ && _)%bool; lia.
Qed.
Section Release.
Variables (E : R) (N : Z -> law Z) (T M : nat).
Hypothesis noise_is_steady : steady E N.
Let parts (h : list nat) (m : Z) : law (Z * list Z) := image (pair m) (centred N (small_centres h T M m ++ large_centres h T m)).
Lemma parts_lawful h m : measure (parts h m) /\ total (parts h m).
Proof. destruct (centred_lawful E N (small_centres h T M m ++ large_centres h T m) noise_is_steady). split; [apply image_measure; auto | apply image_total; auto]. Qed.
Lemma split_lawful h : measure (split_law N T M h) /\ total (split_law N T M h).
Proof.
  destruct (noise_is_steady (Z.of_nat (reaching (S T) h) + Z.of_nat M)%Z) as (A & B & _). split; [apply bind_measure; auto; apply parts_lawful|].
  unfold split_law, total, bind. rewrite <- B. apply (same _ _ _ A); [intros m; destruct (parts_lawful h m) as [P Q]; unfold total, parts in Q; rewrite Q; lra | apply one_is_event |].
  intros m. apply (parts_lawful h m).
Qed.
Lemma raised_close r g h : raised_at r g h -> dp_both E 0 (split_law N T M g) (split_law N T M h).
Proof.
  intros R. pose proof (steady_from_one E N noise_is_steady) as HE. unfold split_law. destruct (Nat.eq_dec r T) as [->|Ne].
  - destruct (cases_hold T g h R T M 0%Z) as (Up & _). rewrite (Up eq_refl).
    assert (Same : forall m, parts g m = parts h m).
    { intros m. destruct (cases_hold T g h R T M m) as (_ & _ & A & B & _). unfold parts. rewrite A, B by lia. reflexivity. }
    replace (Z.of_nat (S (reaching (S T) g)) + Z.of_nat M)%Z with ((Z.of_nat (reaching (S T) g) + Z.of_nat M) + 1)%Z by lia.
    set (c := (Z.of_nat (reaching (S T) g) + Z.of_nat M)%Z). destruct (noise_is_steady c) as (L & _ & [C D]). destruct (noise_is_steady (c + 1)%Z) as (L' & _).
    assert (Eq : forall p u, measure p -> event u -> bind p (parts g) u = bind p (parts h) u).
    { intros p u P U. apply (same p); auto; try (apply bind_event; auto; intros m; apply parts_lawful). intros m. rewrite Same. reflexivity. }
    assert (F : forall m, measure (parts g m)) by (intros m; apply parts_lawful).
    split; intros u U; [change (bind (N c) (parts g) u <= E * bind (N (c + 1)%Z) (parts h) u + 0) | change (bind (N (c + 1)%Z) (parts h) u <= E * bind (N c) (parts g) u + 0)];
      rewrite <- (Eq (N (c + 1)%Z) u) by auto.
    + apply (post_processing_holds E 0 (N c) (N (c + 1)%Z) (parts g)); auto.
    + apply (post_processing_holds E 0 (N (c + 1)%Z) (N c) (parts g)); auto.
  - destruct (cases_hold r g h R T M 0%Z) as (_ & Eq & _). rewrite (Eq Ne).
    assert (Each : forall m, dp_both E 0 (parts g m) (parts h m)).
    { intros m. destruct (cases_hold r g h R T M m) as (_ & _ & A & B & S1 & S2).
      assert (O : one_step (small_centres g T M m ++ large_centres g T m) (small_centres h T M m ++ large_centres h T m)).
      { destruct (Nat.lt_ge_cases r T); [rewrite <- B by lia; apply one_step_after; exact S1 | rewrite <- A by lia; apply one_step_before; exact S2]. }
      destruct (one_step_close E N _ _ noise_is_steady O). split; apply image_holds; auto. }
    destruct (noise_is_steady (Z.of_nat (reaching (S T) g) + Z.of_nat M)%Z) as (L & _).
    split; apply given_first; auto; try lra; intros m; try apply parts_lawful; apply Each.
Qed.
Lemma split_close g h : l1 g h = 1 -> dp_both E 0 (split_law N T M g) (split_law N T M h).
Proof.
  intros H. destruct (neighbours_are g h H) as [r [R|R]]; [apply (raised_close r); exact R|]. destruct (raised_close r h g R). split; auto.
Qed.
End Release.

Section Whole.
Variables (E1 E2 E3 : R) (N1 N2 N3 : Z -> law Z) (T M : Z -> nat) (s : Z * (Z * list Z) -> nat -> nat) (k : Z * (Z * list Z) -> nat).
Hypothesis first_steady : steady E1 N1.
Hypothesis second_steady : steady E2 N2.
Hypothesis third_steady : steady E3 N3.
Hypothesis boundaries_rise : forall o i j, (i <= j <= k o)%nat -> (s o i <= s o j)%nat.
Lemma total_close g h : l1 g h = 1 -> dp_both E1 0 (total_with_noise N1 g) (total_with_noise N1 h).
Proof.
  intros H. unfold total_with_noise. destruct (neighbours_are g h H) as [r [R|R]]; rewrite (raised_total r _ _ R), Nat2Z.inj_succ, <- Z.add_1_r.
  - apply first_steady.
  - destruct (first_steady (Z.of_nat (list_sum h))) as (_ & _ & [C D]). split; assumption.
Qed.
Lemma bind_total {A B : Type} (p : law A) (f : A -> law B) : measure p -> total p -> (forall x, measure (f x) /\ total (f x)) -> total (bind p f).
Proof.
  intros P Tp F. unfold total, bind in *. transitivity (p (fun _ => 1)); [|exact Tp].
  apply (same p); auto using one_is_event; intros x; destruct (F x) as [_ W]; cbv beta; lra.
Qed.
Lemma first_parts_private : private (E1 * E2) 0 any_histogram one_item (first_parts N1 N2 T M).
Proof.
  assert (Second : forall h n, measure (image (pair n) (split_law N2 (T n) (M n) h)) /\ total (image (pair n) (split_law N2 (T n) (M n) h))).
  { intros h n. destruct (split_lawful E2 N2 (T n) (M n) second_steady h). split; [apply image_measure; auto | apply image_total; auto]. }
  assert (First : forall h, measure (total_with_noise N1 h) /\ total (total_with_noise N1 h)) by (intros h; destruct (first_steady (Z.of_nat (list_sum h))) as (A & B & _); auto).
  split.
  - intros h _. destruct (First h). split; [apply bind_measure | apply bind_total]; auto. intros n. apply Second.
  - intros g h _ _ H. destruct (First g), (First h). pose proof (total_close g h H) as [C D].
    pose proof (steady_from_one E1 N1 first_steady). pose proof (steady_from_one E2 N2 second_steady). replace 0 with (0 + 0) by ring.
    split; apply composition_holds; auto; try lra; intros n; try apply Second; apply image_holds; apply (split_close E2 N2 (T n) (M n) second_steady g h H).
Qed.
Lemma privhist_private : private (E1 * E2 * E3) 0 any_histogram one_item (privhist N1 N2 N3 T M s k).
Proof.
  destruct first_parts_private as [Lawful Close].
  assert (Third : forall h o, measure (image (pair o) (smoothed_law N3 (s o) (k o) h)) /\ total (image (pair o) (smoothed_law N3 (s o) (k o) h))).
  { intros h o. destruct (centred_lawful E3 N3 (gap_numbers h (s o) (k o)) third_steady). split; [apply image_measure; auto | apply image_total; auto]. }
  split.
  - intros h H. destruct (Lawful h H). split; [apply bind_measure | apply bind_total]; auto. intros o. apply Third.
  - intros g h G H L. destruct (Lawful g G), (Lawful h H), (Close g h G H L) as [C D].
    pose proof (steady_from_one E1 N1 first_steady). pose proof (steady_from_one E2 N2 second_steady). pose proof (steady_from_one E3 N3 third_steady). replace 0 with (0 + 0) by ring.
    assert (0 <= E1 * E2) by nra.
    split; apply composition_holds; auto; try lra; intros o; try apply Third; apply image_holds; apply (smoothed_close E3 N3 (s o) (k o) g h third_steady (boundaries_rise o) L).
Qed.
End Whole.
Lemma lemma_7_holds E N : steady E N -> private E 0 any_histogram one_item (fun h => image (Z.max 0) (total_with_noise N h)).
Proof.
  intros S. split.
  - intros h _. destruct (S (Z.of_nat (list_sum h))) as (A & B & _). split; [apply image_measure; auto | apply image_total; auto].
  - intros g h _ _ H. destruct (total_close E N S g h H). split; apply image_holds; auto.
Qed.
Lemma lemma_8_holds E N T M : steady E N -> private E 0 any_histogram one_item (split_law N T M).
Proof. intros S. split; [intros h _; apply (split_lawful E); auto | intros g h _ _ H; apply (split_close E); auto]. Qed.
Lemma lemma_9_holds E N s k : steady E N -> (forall i j, (i <= j <= k)%nat -> (s i <= s j)%nat) -> private E 0 any_histogram one_item (smoothed_law N s k).
Proof. intros S R. split; [intros h _; apply (centred_lawful E); auto | intros g h _ _ H; apply (smoothed_close E); auto]. Qed.
(* One number moves, by one, and it is the one of the gap that holds r. *)
Lemma number_moves r g h s t : raised_at r g h -> (s <= t)%nat -> reach_of s t h = (reach_of s t g + if ((s <=? r) && (r <? t))%nat%bool then 1 else 0)%nat.
Proof. intros R L. pose proof (raised_sum r g h s (t - s) R) as W. replace (s + (t - s))%nat with t in W by lia. exact W. Qed.
(* What one count adds to the smoothed prevalences at s and s + t. *)
Lemma shares_hold s t r : 0 < t -> s <= r <= s + t -> (s + t - r) / t + (r - s) / t = 1 /\ s * ((s + t - r) / t) + (s + t) * ((r - s) / t) = r /\
  (r - s) / t * t = Rmin (Rmax (r - s) 0) t /\ (r + 1 - s) / t - (r - s) / t = / t /\ (s + t - (r + 1)) / t - (s + t - r) / t = - / t.
Proof.
  intros P H. repeat split; try (field; lra). rewrite Rmax_left, Rmin_left by lra. field. lra.
Qed.
(* Laplace noise on real numbers: densities. *)
Lemma density_positive e p : 0 <= e -> (let '(w, _, _) := p in 0 <= w) -> 0 <= laplace_density e p.
Proof.
  destruct p as [[w f] x]. intros E W. unfold laplace_density. apply Rmult_le_pos; [|left; apply exp_pos]. assert (0 <= e * w) by (apply Rmult_le_pos; auto). lra.
Qed.
Lemma density_moves e w f g x : 0 <= e -> 0 <= w -> w * Rabs (f - g) <= 1 -> laplace_density e (w, f, x) <= exp e * laplace_density e (w, g, x).
Proof.
  intros E W H. unfold laplace_density. assert (0 <= e * w) by (apply Rmult_le_pos; auto).
  replace (exp e * (e * w / 2 * exp (- (e * w * Rabs (x - g))))) with (e * w / 2 * (exp e * exp (- (e * w * Rabs (x - g))))) by ring.
  apply Rmult_le_compat_l; [lra|]. rewrite <- exp_plus. apply exp_le.
  assert (T : Rabs (x - g) <= Rabs (x - f) + Rabs (f - g)) by (replace (x - g) with ((x - f) + (f - g)) by ring; apply Rabs_triang).
  assert (e * w * Rabs (x - g) <= e * w * (Rabs (x - f) + Rabs (f - g))) by (apply Rmult_le_compat_l; auto).
  assert (e * (w * Rabs (f - g)) <= e * 1) by (apply Rmult_le_compat_l; auto). lra.
Qed.
Lemma joint_positive e places : 0 <= e -> Forall (fun p => let '(w, _, _) := p in 0 <= w) places -> 0 <= joint_density e places.
Proof. intros E F. induction F as [|p l H F IH]; cbn [joint_density]; [lra|]. apply Rmult_le_pos; auto. apply density_positive; auto. Qed.
Lemma joint_moves e before after w f g x : 0 <= e -> Forall (fun p => let '(w, _, _) := p in 0 <= w) before -> Forall (fun p => let '(w, _, _) := p in 0 <= w) after ->
  0 <= w -> w * Rabs (f - g) <= 1 -> joint_density e (before ++ (w, f, x) :: after) <= exp e * joint_density e (before ++ (w, g, x) :: after).
Proof.
  intros E B A W H. induction B as [|p l P B IH]; cbn [app joint_density].
  - pose proof (joint_positive e after E A). pose proof (density_moves e w f g x E W H).
    replace (exp e * (laplace_density e (w, g, x) * joint_density e after)) with (exp e * laplace_density e (w, g, x) * joint_density e after) by ring.
    apply Rmult_le_compat_r; auto.
  - pose proof (density_positive e p E P).
    replace (exp e * (laplace_density e p * joint_density e (l ++ (w, g, x) :: after))) with (laplace_density e p * (exp e * joint_density e (l ++ (w, g, x) :: after))) by ring.
    apply Rmult_le_compat_l; auto.
Qed.
Lemma nothing_is_steady : steady 1 (fun _ => ret 0%Z).
Proof. intros c. split; [apply finite_is_measure, ret_finite|]. split; [reflexivity|]. split; intros u U; lra. Qed.
