(* Lower bounds by packing: what is likely on one data set keeps some probability m rows away. *)
From Coq Require Import Reals Lra Lia List.
From DP.definitions Require Import Laws Packing.
From DP.facts Require Import Laws.
Import ListNotations.
Open Scope R_scope.

Lemma shares_at_most epsilon m : 0 < epsilon -> shares (exp epsilon) m * epsilon <= exp epsilon ^ m.
Proof.
  intros P. pose proof (shares_closed (exp epsilon) m) as S. pose proof (exp_ineq1 epsilon ltac:(lra)).
  assert (1 <= exp epsilon ^ m) by (apply pow_R1_Rle; lra).
  assert (0 <= shares (exp epsilon) m) by (apply (Rmult_le_reg_r (exp epsilon - 1)); lra). nra.
Qed.
Lemma within_event {A : Type} a (f : A -> R) c : event (fun h => within_of a (f h) c).
Proof. intros h. unfold within_of. destruct (Rle_dec _ _); lra. Qed.
(* Nothing is near 0 and near m, more than 2 a. *)
Lemma not_near_both a v m : 2 * a < INR m -> within_of a v 0 + within_of a v m <= 1.
Proof.
  intros M. unfold within_of. destruct (Rle_dec (Rabs (v - INR 0)) a) as [H|H], (Rle_dec (Rabs (v - INR m)) a) as [K|K]; try lra.
  exfalso. cbn in H. pose proof (Rle_abs (v - 0)). pose proof (Rle_abs (- (v - INR m))) as L. rewrite Rabs_Ropp in L. lra.
Qed.
(* The number of rows that are moved: more than 2 a, at most 2 a + 1. *)
Lemma rows_to_move a n : 0 <= a -> 2 * a < INR n -> exists m : nat, (m <= n)%nat /\ 2 * a < INR m <= 2 * a + 1.
Proof.
  intros A N. destruct (archimed (2 * a)) as [U L]. assert (P : (0 <= up (2 * a))%Z) by (apply le_IZR; lra).
  exists (Z.to_nat (up (2 * a))). assert (E : INR (Z.to_nat (up (2 * a))) = IZR (up (2 * a))) by (rewrite INR_IZR_INZ, Z2Nat.id; auto).
  rewrite E. split; [|lra]. apply Nat.lt_succ_r, INR_lt. rewrite E, S_INR. lra.
Qed.
(* From an inequality on the m-th power to the bound on a. *)
Lemma logarithm_bounds epsilon t a m : 0 < epsilon -> 0 < t -> INR m <= 2 * a + 1 -> 1 <= exp epsilon ^ m * (4 * t) ->
  / 2 * (ln (/ (4 * t)) / epsilon - 1) <= a.
Proof.
  intros P T M H. rewrite <- exp_pow in H. assert (L : ln (/ (4 * t)) <= INR m * epsilon).
  { rewrite <- (ln_exp (INR m * epsilon)). apply ln_le; [apply Rinv_0_lt_compat; lra|].
    apply (Rmult_le_reg_r (4 * t)); [lra|]. rewrite Rinv_l by lra. exact H. }
  assert (ln (/ (4 * t)) / epsilon <= INR m); [|lra].
  apply (Rmult_le_reg_r epsilon); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact L.
Qed.
Lemma either_is_large epsilon beta d a m n t : 0 < epsilon -> 0 < t -> 0 < d -> beta <= / 2 -> INR m <= 2 * a + 1 ->
  1 - beta <= exp epsilon ^ m * (t + d / epsilon) ->
  / 2 * Rmin (ln (/ (4 * t)) / epsilon - 1) (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) n) <= a.
Proof.
  intros P T D B M H. assert (W : 0 < exp epsilon ^ m) by (apply pow_lt, exp_pos). assert (Q : 0 < d / epsilon) by (apply Rdiv_lt_0_compat; auto).
  assert (C : 1 <= exp epsilon ^ m * (4 * t) \/ 1 <= exp epsilon ^ m * (4 * (d / epsilon))).
  { destruct (Rle_dec (d / epsilon) t); [left | right]; nra. }
  destruct C as [C|C]; apply logarithm_bounds with (a := a) in C; auto.
  - pose proof (Rmin_l (ln (/ (4 * t)) / epsilon - 1) (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) n)). lra.
  - replace (/ (4 * (d / epsilon))) with (epsilon / (4 * d)) in C by (field; lra).
    pose proof (Rmin_r (ln (/ (4 * t)) / epsilon - 1) (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) n)).
    pose proof (Rmin_l (ln (epsilon / (4 * d)) / epsilon - 1) n). lra.
Qed.

Lemma all_rows_are_few x y r a : ~ 2 * a < r -> / 2 * Rmin x (Rmin y r) <= a.
Proof. intros H. pose proof (Rmin_r x (Rmin y r)). pose proof (Rmin_r y r). lra. Qed.

Section Rows.
Context {X O : Type} (same_label : decides X) (released : X -> O -> R).
Variables (M : list X -> law O) (n : nat) (epsilon d : R).
Hypothesis some : 0 < epsilon.
Hypothesis delta : 0 < d.
Hypothesis is_private : private (exp epsilon) d (of_size n) one_row M.
Let E := exp epsilon.

Lemma planted_size (x x0 : X) j : (j <= n)%nat -> of_size n (planted x x0 n j).
Proof. intros J. unfold of_size, planted. rewrite app_length, !repeat_length. lia. Qed.
Lemma planted_next (x x0 : X) j : (j < n)%nat -> one_row (planted x x0 n j) (planted x x0 n (S j)).
Proof.
  intros J. unfold planted. replace (n - j)%nat with (S (n - S j)) by lia. cbn [repeat].
  rewrite (repeat_cons j x), <- app_assoc. apply at_row.
Qed.
Lemma planted_count (x x0 : X) j : x <> x0 -> count_occ same_label (planted x x0 n j) x = j.
Proof.
  intros N. unfold planted. rewrite count_occ_app, count_occ_repeat_eq, count_occ_repeat_neq by auto. lia.
Qed.
Lemma planted_other (x x0 y : X) j : y <> x -> y <> x0 -> count_occ same_label (planted x x0 n j) y = 0%nat.
Proof.
  intros N K. unfold planted. rewrite count_occ_app, !count_occ_repeat_neq by auto. reflexivity.
Qed.
Lemma planted_measure (x x0 : X) j : (j <= n)%nat -> measure (M (planted x x0 n j)) /\ total (M (planted x x0 n j)).
Proof. intros J. apply is_private, planted_size. exact J. Qed.
Lemma moved_away (x x0 : X) m u : (m <= n)%nat -> event u ->
  M (planted x x0 n 0) u <= E ^ m * M (planted x x0 n m) u + d * shares E m.
Proof.
  intros K U. apply (group_holds E d m (fun j => M (planted x x0 n j))); auto; [left; apply exp_pos|].
  intros i I. destruct (proj2 is_private (planted x x0 n i) (planted x x0 n (S i))) as [B _]; auto; try (apply planted_size; lia).
  apply planted_next. lia.
Qed.
Lemma moved_back (x x0 : X) m u : (m <= n)%nat -> event u ->
  M (planted x x0 n m) u <= E ^ m * M (planted x x0 n 0) u + d * shares E m.
Proof.
  intros K U. pose proof (group_holds E d m (fun j => M (planted x x0 n (m - j)))) as G. cbn in G.
  rewrite Nat.sub_0_r, Nat.sub_diag in G. apply G; auto; [left; apply exp_pos|]. intros i I.
  replace (m - i)%nat with (S (m - S i)) by lia.
  destruct (proj2 is_private (planted x x0 n (m - S i)) (planted x x0 n (S (m - S i)))) as [_ B]; auto; try (apply planted_size; lia).
  apply planted_next. lia.
Qed.
Lemma what_is_lost m t : 0 <= t -> E ^ m * t + d * shares E m <= E ^ m * (t + d / epsilon).
Proof.
  intros T. pose proof (shares_at_most epsilon m some) as S. fold E in S. assert (d * shares E m <= E ^ m * (d / epsilon)); [|lra].
  replace (E ^ m * (d / epsilon)) with (d * (E ^ m / epsilon)) by (field; lra). apply Rmult_le_compat_l; [lra|].
  apply (Rmult_le_reg_r epsilon); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact S.
Qed.

Lemma per_query_bound a beta (x x0 : X) : x <> x0 -> 0 < beta <= / 2 -> 0 <= a -> per_query same_label released M n a beta ->
  / 2 * Rmin (ln (/ (4 * beta)) / epsilon - 1) (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) (INR n)) <= a.
Proof.
  intros N B A Q. destruct (Rlt_dec (2 * a) (INR n)) as [L|L]; [|apply all_rows_are_few; exact L].
  destruct (rows_to_move a n A L) as (m & K & M1 & M2). apply (either_is_large epsilon beta d a m); auto; try lra.
  set (u := fun h => within_of a (released x h) 0). set (v := fun h => within_of a (released x h) m).
  assert (U : event u) by apply within_event. assert (V : event v) by apply within_event.
  pose proof (Q (planted x x0 n 0) x (planted_size x x0 0 ltac:(lia))) as Q0. rewrite planted_count in Q0 by auto. fold u in Q0.
  pose proof (Q (planted x x0 n m) x (planted_size x x0 m K)) as Qm. rewrite planted_count in Qm by auto. fold v in Qm.
  destruct (planted_measure x x0 m K) as [Me T]. assert (R : M (planted x x0 n m) u <= beta).
  { apply Rle_trans with (M (planted x x0 n m) (fun h => 1 - v h)).
    - apply (monotone _ Me); auto using complement_is_event. intros h. pose proof (not_near_both a (released x h) m M1). unfold u, v. lra.
    - rewrite of_complement by auto. lra. }
  pose proof (moved_away x x0 m u K U). pose proof (what_is_lost m beta ltac:(lra)).
  assert (0 < E ^ m) by (apply pow_lt, exp_pos). assert (E ^ m * M (planted x x0 n m) u <= E ^ m * beta) by (apply Rmult_le_compat_l; lra). fold E. lra.
Qed.

(* Sums over labels. *)
Fixpoint over_labels (f : X -> R) (l : list X) : R := match l with [] => 0 | x :: r => f x + over_labels f r end.
Lemma all_within_sharp a labels rows h : all_within same_label released a labels rows h = 0 \/ all_within same_label released a labels rows h = 1.
Proof.
  induction labels as [|x r IH]; cbn; auto. unfold within_of. destruct (Rle_dec _ _), IH as [-> | ->]; lra.
Qed.
Lemma all_within_event a labels rows : event (all_within same_label released a labels rows).
Proof. intros h. destruct (all_within_sharp a labels rows h) as [-> | ->]; lra. Qed.
Lemma one_of_all a labels rows x h : In x labels -> all_within same_label released a labels rows h <= within_of a (released x h) (count_occ same_label rows x).
Proof.
  intros I. induction labels as [|y r IH]; [destruct I|]. cbn. assert (Y := within_event a (released y) (count_occ same_label rows y) h).
  assert (R0 := all_within_event a r rows h). cbn in Y, R0. destruct I as [-> | I]; [nra|]. specialize (IH I). nra.
Qed.
Section Simultaneous.
Variables (x0 : X) (labels : list X) (a beta : R) (m : nat).
Hypothesis distinct : NoDup labels.
Hypothesis others : ~ In x0 labels.
Hypothesis moved : (m <= n)%nat /\ 2 * a < INR m.
Let good (x : X) : O -> R := all_within same_label released a (x0 :: labels) (planted x x0 n m).
Let plain : O -> R := all_within same_label released a (x0 :: labels) (planted x0 x0 n 0).
Lemma good_event x : event (good x).
Proof. apply all_within_event. Qed.
Lemma of_plain_rows x : count_occ same_label (planted x0 x0 n 0) x = if same_label x0 x then n else 0%nat.
Proof.
  unfold planted. cbn [repeat app]. rewrite Nat.sub_0_r. destruct (same_label x0 x) as [<-|N]; [apply count_occ_repeat_eq | apply count_occ_repeat_neq]; auto.
Qed.
Lemma good_sharp x h : good x h = 0 \/ good x h = 1.
Proof. apply all_within_sharp. Qed.
Lemma plain_event : event plain.
Proof. apply all_within_event. Qed.
(* Nothing is good for x and for rows without x. *)
Lemma apart x h rows : In x labels -> count_occ same_label rows x = 0%nat ->
  good x h + all_within same_label released a (x0 :: labels) rows h <= 1.
Proof.
  intros I Z. assert (N : x <> x0) by (intros ->; auto).
  pose proof (one_of_all a (x0 :: labels) (planted x x0 n m) x h (or_intror I)) as G. rewrite planted_count in G by auto.
  pose proof (one_of_all a (x0 :: labels) rows x h (or_intror I)) as K. rewrite Z in K.
  pose proof (not_near_both a (released x h) m (proj2 moved)). unfold good. lra.
Qed.
Lemma good_and_plain x h : In x labels -> good x h + plain h <= 1.
Proof.
  intros I. apply apart; auto. rewrite of_plain_rows. destruct (same_label x0 x) as [<-|]; [contradiction | reflexivity].
Qed.
Lemma good_and_good x y h : In x labels -> In y labels -> x <> y -> good x h + good y h <= 1.
Proof. intros I K N. apply apart; auto. apply planted_other; auto. intros ->. auto. Qed.
Lemma none_is_good x l h : good x h = 1 -> In x labels -> ~ In x l -> incl l labels -> over_labels (fun y => good y h) l = 0.
Proof.
  intros One I. induction l as [|y l IH]; intros N S; cbn [over_labels]; [reflexivity|].
  assert (Iy : In y labels) by (apply S; left; auto). rewrite IH.
  - pose proof (good_and_good x y h I Iy ltac:(intros ->; apply N; left; auto)). destruct (good_sharp y h); lra.
  - intros K. apply N. right. exact K.
  - intros z Z. apply S. right. exact Z.
Qed.
Lemma at_most_one_good l h : NoDup l -> incl l labels -> 0 <= over_labels (fun x => good x h) l /\ over_labels (fun x => good x h) l + plain h <= 1.
Proof.
  intros D. induction D as [|x l N D IH]; intros S; cbn [over_labels]; [pose proof (plain_event h); lra|].
  assert (Ix : In x labels) by (apply S; left; auto). assert (Sl : incl l labels) by (intros y Y; apply S; right; auto).
  specialize (IH Sl). destruct (good_sharp x h) as [Z|One]; [lra|]. rewrite (none_is_good x l h One Ix N Sl).
  pose proof (good_and_plain x h Ix). lra.
Qed.
(* The law's mean of the sum is the sum of the means. *)
Let p := M (planted x0 x0 n 0).
Lemma mean_of_good l : NoDup l -> incl l labels -> measure p ->
  p (fun h => over_labels (fun x => good x h) l) = over_labels (fun x => p (good x)) l.
Proof.
  intros D S Me. assert (Ev : forall l, NoDup l -> incl l labels -> event (fun h => over_labels (fun x => good x h) l)).
  { intros k Dk Sk h. pose proof (at_most_one_good k h Dk Sk). pose proof (plain_event h). lra. }
  induction D as [|x l N D IH]; cbn [over_labels]; [apply of_zero; auto|].
  assert (Sl : incl l labels) by (intros y Y; apply S; right; auto). rewrite <- IH by auto.
  apply (additive p Me); auto using good_event. apply (Ev (x :: l)); auto. constructor; auto.
Qed.
Lemma same_start x : planted x x0 n 0 = planted x0 x0 n 0.
Proof. reflexivity. Qed.
Lemma each_is_kept x : simultaneous same_label released M (x0 :: labels) n a beta -> 1 - beta - d * shares E m <= E ^ m * p (good x).
Proof.
  intros Q. pose proof (Q (planted x x0 n m) (planted_size x x0 m (proj1 moved))) as K. fold (good x) in K.
  pose proof (moved_back x x0 m (good x) (proj1 moved) (good_event x)) as B. rewrite same_start in B. fold p in B. lra.
Qed.
Lemma all_are_kept c l : (forall x, c <= E ^ m * p (good x)) -> INR (length l) * c <= E ^ m * over_labels (fun x => p (good x)) l.
Proof.
  intros H. induction l as [|x l IH]; [cbn; lra|]. cbn [length over_labels]. rewrite S_INR. specialize (H x). lra.
Qed.
Lemma together : simultaneous same_label released M (x0 :: labels) n a beta -> 0 <= beta ->
  INR (length labels) * (1 - beta - d * shares E m) <= E ^ m * beta.
Proof.
  intros Q B. destruct (planted_measure x0 x0 0 ltac:(lia)) as [Me T]. fold p in Me, T.
  pose proof (all_are_kept (1 - beta - d * shares E m) labels (fun x => each_is_kept x Q)) as K.
  rewrite <- mean_of_good in K by (auto using incl_refl).
  pose proof (Q (planted x0 x0 n 0) (planted_size x0 x0 0 ltac:(lia))) as P0. fold plain p in P0.
  assert (S : p (fun h => over_labels (fun x => good x h) labels) <= beta).
  { apply Rle_trans with (p (fun h => 1 - plain h)); [|rewrite of_complement by (auto using plain_event); lra].
    apply (monotone p Me); auto using complement_is_event, plain_event.
    - intros h. pose proof (at_most_one_good labels h distinct (incl_refl _)). pose proof (plain_event h). lra.
    - intros h. pose proof (at_most_one_good labels h distinct (incl_refl _)). lra. }
  assert (0 < E ^ m) by (apply pow_lt, exp_pos). assert (E ^ m * p (fun h => over_labels (fun x => good x h) labels) <= E ^ m * beta) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.
End Simultaneous.
Lemma simultaneous_bound a beta (x0 : X) (labels : list X) : NoDup labels -> ~ In x0 labels -> labels <> [] -> 0 < beta <= / 2 -> 0 <= a ->
  simultaneous same_label released M (x0 :: labels) n a beta ->
  / 2 * Rmin (ln (/ (4 * (beta / INR (length labels)))) / epsilon - 1) (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) (INR n)) <= a.
Proof.
  intros D N Some B A Q. set (k := INR (length labels)). assert (K : 0 < k) by (apply lt_0_INR; destruct labels; [congruence | cbn; lia]).
  destruct (Rlt_dec (2 * a) (INR n)) as [L|L]; [|apply all_rows_are_few; exact L].
  destruct (rows_to_move a n A L) as (m & Hm & M1 & M2). assert (T : 0 < beta / k) by (apply Rdiv_lt_0_compat; lra).
  apply (either_is_large epsilon beta d a m); auto; try lra.
  pose proof (together x0 labels a beta m D N (conj Hm M1) Q ltac:(lra)) as G. fold k in G.
  pose proof (what_is_lost m (beta / k) ltac:(lra)). assert (1 - beta - d * shares E m <= E ^ m * (beta / k)); [|fold E; lra].
  apply (Rmult_le_reg_l k); auto. replace (k * (E ^ m * (beta / k))) with (E ^ m * beta) by (field; lra). exact G.
Qed.

(* Few labels: how many counts are at least a, on average, where all rows have one label. *)
Definition at_least (a v : R) : R := if Rle_dec a v then 1 else 0.
Lemma at_least_event {A : Type} a (f : A -> R) : event (fun h => at_least a (f h)).
Proof. intros h. unfold at_least. destruct (Rle_dec _ _); lra. Qed.
Lemma near_is_large a v c : 2 * a <= INR c -> within_of a v c <= at_least a v.
Proof.
  intros H. unfold within_of, at_least. destruct (Rle_dec (Rabs (v - INR c)) a) as [K|K], (Rle_dec a v); try lra.
  exfalso. pose proof (Rle_abs (- (v - INR c))) as L. rewrite Rabs_Ropp in L. lra.
Qed.
Lemma large_is_nonempty a (labels : list X) h : 0 < a -> over_labels (fun x => at_least a (released x h)) labels <= nonempty released labels h.
Proof.
  intros A. induction labels as [|x r IH]; cbn [over_labels nonempty]; [lra|]. unfold at_least at 1.
  destruct (Rle_dec a (released x h)), (Rlt_dec 0 (released x h)); lra.
Qed.
Lemma over_labels_scaled c (f : X -> R) l : over_labels (fun x => c * f x) l = c * over_labels f l.
Proof. induction l as [|x r IH]; cbn [over_labels]; [ring|]. rewrite IH. ring. Qed.
Lemma over_labels_within (f : X -> R) l : (forall x, 0 <= f x <= 1) -> 0 <= over_labels f l <= INR (length l).
Proof.
  intros H. induction l as [|x r IH]; [cbn; lra|]. cbn [over_labels length]. rewrite S_INR. specialize (H x). lra.
Qed.
Lemma mean_of_labels (p : law O) c (u : X -> O -> R) k l : measure p -> (forall x, event (u x)) -> 0 <= c <= 1 -> c * INR k <= 1 -> (length l <= k)%nat ->
  p (fun h => over_labels (fun x => c * u x h) l) = over_labels (fun x => c * p (u x)) l.
Proof.
  intros Me U C K. assert (Ev : forall l, (length l <= k)%nat -> event (fun h => over_labels (fun x => c * u x h) l)).
  { intros r L h. rewrite over_labels_scaled. apply le_INR in L. pose proof (over_labels_within (fun x => u x h) r (fun x => U x h)).
    assert (c * over_labels (fun x => u x h) r <= c * INR k) by (apply Rmult_le_compat_l; lra). split; [apply Rmult_le_pos; lra | lra]. }
  induction l as [|x r IH]; intros L; cbn [over_labels]; [apply of_zero; auto|]. cbn in L.
  rewrite <- IH by lia. rewrite <- (scaled p Me) by auto. apply (additive p Me); [apply scaled_is_event; auto | apply Ev; lia | apply (Ev (x :: r)); cbn; lia].
Qed.
Section Sparse.
Variables (x0 : X) (labels : list X) (few : R) (a beta : R) (m : nat).
Hypothesis sparse : forall h, nonempty released (x0 :: labels) h <= few.
Hypothesis others : ~ In x0 labels.
Hypothesis positive : 0 < a /\ 0 < few.
Hypothesis moved : (m <= n)%nat /\ 2 * a < INR m.
Hypothesis accurate : per_query same_label released M n a beta.
Let k := length (x0 :: labels).
Let p := M (planted x0 x0 n 0).
Let u (x : X) (h : O) : R := at_least a (released x h).
Lemma u_event x : event (u x).
Proof. apply at_least_event. Qed.
Lemma k_positive : 1 <= INR k.
Proof. unfold k. cbn [length]. rewrite S_INR. pose proof (pos_INR (length labels)). lra. Qed.
Lemma large_is_kept x : 1 - beta - d * shares E m <= E ^ m * p (u x).
Proof.
  assert (W : 1 <= E ^ m) by (apply pow_R1_Rle; unfold E; pose proof (exp_ineq1 epsilon ltac:(lra)); lra).
  destruct (same_label x x0) as [->|N].
  - assert (B : 1 - beta <= p (u x0)).
    { eapply Rle_trans; [apply (accurate (planted x0 x0 n 0) x0), planted_size; lia|]. apply (monotone _ (proj1 (planted_measure x0 x0 0 ltac:(lia)))).
      - apply within_event.
      - apply u_event.
      - intros h. apply near_is_large. unfold planted. cbn [repeat app]. rewrite Nat.sub_0_r, count_occ_repeat_eq by auto.
        destruct moved as [K L]. apply le_INR in K. lra. }
    pose proof (within p (u x0) (proj1 (planted_measure x0 x0 0 ltac:(lia))) (u_event x0)).
    pose proof (shares_at_most epsilon m some). assert (0 <= shares E m).
    { pose proof (shares_closed E m) as S. assert (1 < E) by (unfold E; pose proof (exp_ineq1 epsilon ltac:(lra)); lra).
      apply (Rmult_le_reg_r (E - 1)); lra. }
    assert (0 <= d * shares E m) by (apply Rmult_le_pos; lra). nra.
  - pose proof (moved_back x x0 m (u x) (proj1 moved) (u_event x)) as B. change (planted x x0 n 0) with (planted x0 x0 n 0) in B. fold p in B.
    assert (1 - beta <= M (planted x x0 n m) (u x)); [|lra].
    eapply Rle_trans; [apply (accurate (planted x x0 n m) x), planted_size, moved|]. apply (monotone _ (proj1 (planted_measure x x0 m (proj1 moved)))).
    + apply within_event.
    + apply u_event.
    + intros h. apply near_is_large. rewrite planted_count by auto. destruct moved. lra.
Qed.
Lemma few_are_large : over_labels (fun x => p (u x)) (x0 :: labels) <= few.
Proof.
  pose proof k_positive as K. destruct (planted_measure x0 x0 0 ltac:(lia)) as [Me T]. fold p in Me, T.
  assert (I : INR k * / INR k = 1) by (apply Rinv_r; lra). assert (C : 0 <= / INR k <= 1).
  { split; [left; apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  set (c := / INR k) in *. pose proof (mean_of_labels p c u k (x0 :: labels) Me u_event C ltac:(lra) (le_n _)) as Mean.
  rewrite over_labels_scaled in Mean. set (f := fun h => over_labels (fun x => c * u x h) (x0 :: labels)) in *.
  assert (F : forall h, 0 <= f h <= 1 /\ f h <= c * few).
  { intros h. unfold f. rewrite over_labels_scaled. pose proof (over_labels_within (fun x => u x h) (x0 :: labels) (fun x => u_event x h)) as B. fold k in B.
    pose proof (large_is_nonempty a (x0 :: labels) h (proj1 positive)) as L. specialize (sparse h). fold (u x0 h) in L.
    change (over_labels (fun x => u x h) (x0 :: labels) <= nonempty released (x0 :: labels) h) in L. set (s := over_labels (fun x => u x h) (x0 :: labels)) in *.
    assert (c * s <= c * INR k) by (apply Rmult_le_compat_l; lra). assert (c * s <= c * few) by (apply Rmult_le_compat_l; lra).
    repeat split; try lra. apply Rmult_le_pos; lra. }
  assert (Ef : event f) by (intros h; apply F). assert (Le : p f <= c * few).
  { destruct (Rle_dec (c * few) 1) as [S|S].
    - assert (C2 : 0 <= c * few <= 1) by (split; [apply Rmult_le_pos; lra | exact S]). apply Rle_trans with (p (fun _ => c * few)).
      + apply (monotone p Me); auto using constant_is_event. intros h. apply F.
      + rewrite of_constant by auto. unfold total in T. rewrite T. lra.
    - pose proof (within p f Me Ef). lra. }
  rewrite Mean in Le. apply (Rmult_le_reg_l c); [unfold c; apply Rinv_0_lt_compat; lra|]. exact Le.
Qed.
Lemma sparse_together : INR k * (1 - beta - d * shares E m) <= E ^ m * few.
Proof.
  pose proof few_are_large as F. assert (0 < E ^ m) by (apply pow_lt, exp_pos).
  assert (G : forall l, INR (length l) * (1 - beta - d * shares E m) <= E ^ m * over_labels (fun x => p (u x)) l).
  { intros l. induction l as [|x r IH]; [cbn; lra|]. cbn [length over_labels]. rewrite S_INR. pose proof (large_is_kept x). lra. }
  specialize (G (x0 :: labels)). fold k in G. assert (E ^ m * over_labels (fun x => p (u x)) (x0 :: labels) <= E ^ m * few) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Sparse.
Lemma sparse_half a beta few (x0 : X) (labels : list X) : ~ In x0 labels -> 0 < few -> (forall h, nonempty released (x0 :: labels) h <= few) ->
  0 < beta <= / 2 -> 0 < a -> per_query same_label released M n a beta ->
  / 2 * Rmin (ln (/ (4 * (few / INR (length (x0 :: labels))))) / epsilon - 1) (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) (INR n)) <= a.
Proof.
  intros N W S B A Q. pose proof (k_positive x0 labels) as K. set (k := INR (length (x0 :: labels))) in *.
  destruct (Rlt_dec (2 * a) (INR n)) as [L|L]; [|apply all_rows_are_few; exact L].
  destruct (rows_to_move a n ltac:(lra) L) as (m & Hm & M1 & M2). assert (T : 0 < few / k) by (apply Rdiv_lt_0_compat; lra).
  apply (either_is_large epsilon beta d a m); auto; try lra.
  pose proof (sparse_together x0 labels few a beta m S (conj A W) (conj Hm M1) Q) as G. fold k in G.
  pose proof (what_is_lost m (few / k) ltac:(lra)). assert (1 - beta - d * shares E m <= E ^ m * (few / k)); [|fold E; lra].
  apply (Rmult_le_reg_l k); [lra|]. replace (k * (E ^ m * (few / k))) with (E ^ m * few) by (field; lra). exact G.
Qed.
Lemma less_accurate a e beta : 0 <= e -> per_query same_label released M n a beta -> per_query same_label released M n (a + e) beta.
Proof.
  intros P Q rows x L. eapply Rle_trans; [apply (Q rows x L)|]. apply (monotone _ (proj1 (proj1 is_private rows L))); try apply within_event.
  intros h. unfold within_of. destruct (Rle_dec (Rabs (released x h - INR (count_occ same_label rows x))) a), (Rle_dec (Rabs (released x h - INR (count_occ same_label rows x))) (a + e)); lra.
Qed.
Lemma mean_of_two x y r a : / 2 * Rmin x r <= a -> / 2 * Rmin y r <= a -> / 2 * Rmin ((x + y) / 2) r <= a.
Proof.
  unfold Rmin. destruct (Rle_dec x r), (Rle_dec y r), (Rle_dec ((x + y) / 2) r); lra.
Qed.
Lemma sparse_bound a beta few (x0 x1 : X) (labels : list X) : x1 <> x0 -> ~ In x0 labels -> 0 < few ->
  (forall h, nonempty released (x0 :: labels) h <= few) -> 0 < beta <= / 2 -> 0 <= a -> per_query same_label released M n a beta ->
  / 2 * Rmin (ln (INR (length (x0 :: labels)) / (16 * beta * few)) / (2 * epsilon) - 1) (Rmin (ln (epsilon / (4 * d)) / epsilon - 1) (INR n)) <= a.
Proof.
  intros D N W S B A Q. apply le_epsilon. intros e P. pose proof (k_positive x0 labels) as K. set (k := INR (length (x0 :: labels))) in *.
  assert (Q' := less_accurate a e beta ltac:(lra) Q). pose proof (per_query_bound (a + e) beta x1 x0 D B ltac:(lra) Q') as X1.
  pose proof (sparse_half (a + e) beta few x0 labels N W S B ltac:(lra) Q') as X2. fold k in X2.
  pose proof (mean_of_two _ _ _ _ X2 X1) as X3. assert (Z : (ln (/ (4 * (few / k))) / epsilon - 1 + (ln (/ (4 * beta)) / epsilon - 1)) / 2 = ln (k / (16 * beta * few)) / (2 * epsilon) - 1).
  { assert (0 < few / k) by (apply Rdiv_lt_0_compat; lra). replace (k / (16 * beta * few)) with (/ (4 * (few / k)) * / (4 * beta)) by (field; repeat split; lra).
    rewrite ln_mult by (apply Rinv_0_lt_compat; lra). field. lra. }
  rewrite Z in X3. exact X3.
Qed.
End Rows.

(* What an event keeps, in the form of Section 7. *)
Lemma shares_over_power E m : 1 < E -> shares E m / E ^ m = sum_below m (fun i => / E ^ S i).
Proof.
  intros H. induction m as [|m IH]; [cbn; lra|]. cbn [sum_below]. rewrite <- IH. assert (E ^ m <> 0) by (apply pow_nonzero; lra).
  cbn. field. split; lra.
Qed.
Lemma kept_holds {A : Type} epsilon d m (p : nat -> law A) beta u : 0 < epsilon ->
  (forall i, (i < m)%nat -> dp (exp epsilon) d (p i) (p (S i))) -> event u -> 1 - beta <= p O u ->
  (1 - beta) / exp epsilon ^ m - d * sum_below m (fun i => / exp epsilon ^ S i) <= p m u.
Proof.
  intros P C U B. assert (E1 : 1 < exp epsilon) by (pose proof (exp_ineq1 epsilon ltac:(lra)); lra).
  assert (W : 0 < exp epsilon ^ m) by (apply pow_lt; lra). rewrite <- shares_over_power by auto.
  pose proof (group_holds (exp epsilon) d m p ltac:(lra) C u U) as G. apply (Rmult_le_reg_l (exp epsilon ^ m)); auto.
  replace (exp epsilon ^ m * ((1 - beta) / exp epsilon ^ m - d * (shares (exp epsilon) m / exp epsilon ^ m)))
    with (1 - beta - d * shares (exp epsilon) m) by (field; lra). lra.
Qed.

(* A mechanism that releases 0 for every label, for examples: of one row it is within 1. *)
Lemma nothing_is_private : private (exp 1) (/ 2) (of_size 1) one_row (fun _ : list bool => ret tt).
Proof.
  split; [intros; split; [apply finite_is_measure, ret_finite | reflexivity]|]. intros x y _ _ _.
  pose proof (exp_ineq1_le 1). split; intros u U; specialize (U tt); unfold ret; nra.
Qed.
Lemma nothing_is_near same (rows : list bool) x : length rows = 1%nat -> within_of 1 0 (count_occ same rows x) = 1.
Proof.
  intros L. unfold within_of. destruct (Rle_dec _ _) as [H|H]; [reflexivity | exfalso; apply H].
  assert (C : (count_occ same rows x <= 1)%nat) by (rewrite <- L; apply count_occ_bound). apply le_INR in C. cbn in C.
  rewrite Rabs_minus_sym, Rminus_0_r, Rabs_pos_eq; [exact C | apply pos_INR].
Qed.
Lemma nothing_is_accurate same : per_query same (fun _ (_ : unit) => 0) (fun _ : list bool => ret tt) 1 1 (/ 4).
Proof. intros rows x L. unfold ret. rewrite nothing_is_near by auto. lra. Qed.
Lemma nothing_is_simultaneous same labels : simultaneous same (fun _ (_ : unit) => 0) (fun _ : list bool => ret tt) labels 1 1 (/ 4).
Proof.
  intros rows L. unfold ret. assert (H : all_within same (fun _ (_ : unit) => 0) 1 labels rows tt = 1); [|lra].
  induction labels as [|x r IH]; cbn; [reflexivity|]. rewrite nothing_is_near, IH by auto. lra.
Qed.
Lemma nothing_is_sparse (labels : list bool) : forall h : unit, nonempty (fun _ _ => 0) labels h <= 1.
Proof. intros h. induction labels as [|x r IH]; cbn; [lra|]. destruct (Rlt_dec 0 0); lra. Qed.
