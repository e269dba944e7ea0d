(* anonymized-histograms, Appendix E: what private estimates of bits, and private histograms, must be off by. *)
From Coq Require Import Reals List Arith Lra Lia.
From DP.definitions Require Import Laws Packing Prevalences.
From DP.facts Require Import Laws.
From DP.facts Require Prevalences.
From DP.facts Require Sets.
Import ListNotations.
Open Scope R_scope.

(* Errors of two outcomes that add up to 1, under laws that are E-close. *)
Lemma two_errors {O : Type} E (p q : law O) u w : measure p -> total p -> measure q -> total q -> 0 <= E -> dp_both E 0 p q ->
  event u -> event w -> (forall o, 1 <= u o + w o) -> 2 / (1 + E) <= p u + q w.
Proof.
  intros P Tp Q Tq HE [C D] U W S.
  assert (Low : forall r, measure r -> total r -> 1 <= r u + r w).
  { intros r M T. assert (r (fun o => 1 - u o) <= r w) as H; [|rewrite of_complement in H by auto; lra].
    apply (monotone r M); auto using complement_is_event. intros o. specialize (S o). lra. }
  pose proof (Low p P Tp). pose proof (Low q Q Tq). pose proof (C w W). pose proof (D u U).
  apply (Rmult_le_reg_r (1 + E)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* The mean over all lists of k bits. *)
Fixpoint bits_mean (k : nat) (F : list bool -> R) : R :=
  match k with O => F [] | S m => (bits_mean m (fun l => F (false :: l)) + bits_mean m (fun l => F (true :: l))) / 2 end.
Lemma some_bits k : forall F, exists l, length l = k /\ bits_mean k F <= F l.
Proof.
  induction k as [|k IH]; intros F; [exists []; cbn; split; [reflexivity | lra]|]. cbn [bits_mean].
  destruct (IH (fun l => F (false :: l))) as (l & L & A). destruct (IH (fun l => F (true :: l))) as (m & M & B).
  destruct (Rle_dec (F (false :: l)) (F (true :: m))); [exists (true :: m) | exists (false :: l)]; cbn [length]; split; auto; lra.
Qed.
Lemma bits_mean_plus k : forall F G, bits_mean k (fun l => F l + G l) = bits_mean k F + bits_mean k G.
Proof. induction k as [|k IH]; intros F G; cbn; [reflexivity|]. rewrite !IH. field. Qed.
Lemma bits_mean_zero k : bits_mean k (fun _ => 0) = 0.
Proof. induction k as [|k IH]; cbn; [reflexivity|]. rewrite IH. field. Qed.
Lemma bits_mean_sum k n (F : nat -> list bool -> R) : bits_mean k (fun l => sum_below n (fun i => F i l)) = sum_below n (fun i => bits_mean k (F i)).
Proof.
  induction n as [|n IH]; cbn; [apply bits_mean_zero|]. rewrite <- IH. apply (bits_mean_plus k (fun l => sum_below n (fun i => F i l))).
Qed.
Lemma bits_mean_at_least k : forall c F, (forall l, length l = k -> c <= F l) -> c <= bits_mean k F.
Proof.
  induction k as [|k IH]; intros c F H; cbn; [apply H; reflexivity|].
  pose proof (IH c (fun l => F (false :: l)) ltac:(intros; apply H; cbn; auto)).
  pose proof (IH c (fun l => F (true :: l)) ltac:(intros; apply H; cbn; auto)). lra.
Qed.
(* Where the two values of bit i have c in all, half of c is the mean. *)
Lemma bits_paired k : forall i c F, (i < k)%nat ->
  (forall before after, length before = i -> length (before ++ after) = (k - 1)%nat -> c <= F (before ++ false :: after) + F (before ++ true :: after)) ->
  c / 2 <= bits_mean k F.
Proof.
  induction k as [|k IH]; intros i c F I H; [lia|]. cbn [bits_mean]. destruct i as [|i].
  - assert (c <= bits_mean k (fun l => F (false :: l)) + bits_mean k (fun l => F (true :: l))); [|lra].
    rewrite <- bits_mean_plus. apply bits_mean_at_least. intros l L. apply (H [] l); cbn; auto; lia.
  - assert (G : forall b, c / 2 <= bits_mean k (fun l => F (b :: l))).
    { intros b. apply (IH i); [lia|]. intros before after L W. apply (H (b :: before) after); cbn [length app] in *; lia. }
    pose proof (G false). pose proof (G true). lra.
Qed.
Lemma some_bits_err k c (F : nat -> list bool -> R) :
  (forall i before after, length before = i -> length (before ++ after) = (k - 1)%nat -> (i < k)%nat ->
    c <= F i (before ++ false :: after) + F i (before ++ true :: after)) ->
  exists l, length l = k /\ INR k * (c / 2) <= sum_below k (fun i => F i l).
Proof.
  intros H. destruct (some_bits k (fun l => sum_below k (fun i => F i l))) as (l & L & M). exists l. split; auto.
  apply Rle_trans with (2 := M). rewrite bits_mean_sum, <- sum_constant. apply sum_le. intros i I. apply (bits_paired k i); auto.
Qed.
Lemma within_pair E : 1 <= E -> / E <= 2 / (1 + E).
Proof.
  intros H. apply (Rmult_le_reg_r (E * (1 + E))); [nra|]. replace (/ E * (E * (1 + E))) with (1 + E) by (field; lra).
  replace (2 / (1 + E) * (E * (1 + E))) with (2 * E) by (field; lra). lra.
Qed.
Lemma error_is_event {O : Type} (v : O -> R) b : event (bit_error v b).
Proof. intros o. unfold bit_error. split; [apply Rmin_glb; [lra | apply Rabs_pos] | apply Rmin_l]. Qed.
Lemma bit_errors_add {O : Type} (v : O -> R) o : 1 <= bit_error v false o + bit_error v true o.
Proof.
  unfold bit_error, number, Rmin. unfold Rabs.
  repeat match goal with |- context[Rle_dec ?a ?b] => destruct (Rle_dec a b) | H : context[Rcase_abs ?a] |- _ => destruct (Rcase_abs a) | |- context[Rcase_abs ?a] => destruct (Rcase_abs a) end; lra.
Qed.
Lemma pair_holds {O : Type} E (p q : law O) v : measure p -> total p -> measure q -> total q -> 1 <= E -> dp_both E 0 p q ->
  / E <= 2 / (1 + E) /\ 2 / (1 + E) <= p (bit_error v false) + q (bit_error v true).
Proof. intros P Tp Q Tq HE C. split; [apply within_pair; auto|]. apply two_errors; auto using error_is_event, bit_errors_add. lra. Qed.
Lemma bits_hold {O : Type} E k (M : list bool -> law O) (v : nat -> O -> R) : 1 <= E -> private E 0 (of_size k) one_row M ->
  INR k / 2 * / E <= INR k / (1 + E) /\
  exists l, length l = k /\ INR k / (1 + E) <= sum_below k (fun i => M l (bit_error (v i) (nth i l false))).
Proof.
  intros HE [L N]. pose proof (pos_INR k) as K. split.
  - pose proof (within_pair E HE). replace (INR k / (1 + E)) with (INR k / 2 * (2 / (1 + E))) by (field; lra). apply Rmult_le_compat_l; lra.
  - destruct (some_bits_err k (2 / (1 + E)) (fun i l => M l (bit_error (v i) (nth i l false)))) as (l & H & B).
    + intros i before after I W J. rewrite <- I, !nth_middle.
      assert (D : forall b, of_size k (before ++ b :: after)) by (intros b; unfold of_size; rewrite app_length in *; cbn [length]; lia).
      destruct (L _ (D false)), (L _ (D true)). apply two_errors; auto using error_is_event, bit_errors_add; [lra|]. apply N; auto. constructor.
    + exists l. split; auto. replace (INR k / (1 + E)) with (INR k * (2 / (1 + E) / 2)) by (field; lra). exact B.
Qed.

(* The mean of a sum of few events is the sum of their means. *)
Lemma mean_of_shares {O : Type} (p : law O) (c : R) (e : nat -> O -> R) n : measure p -> 0 <= c -> c * INR n <= 1 -> (forall i, event (e i)) ->
  p (fun o => sum_below n (fun i => c * e i o)) = c * sum_below n (fun i => p (e i)).
Proof.
  intros P C H Ev.
  assert (S : forall m, (m <= n)%nat -> event (fun o => sum_below m (fun i => c * e i o))).
  { intros m L o. split.
    - apply sum_not_negative. intros i _. destruct (Ev i o). apply Rmult_le_pos; auto.
    - apply Rle_trans with (2 := H). apply Rle_trans with (c * INR m); [|apply Rmult_le_compat_l; auto using le_INR].
      rewrite (Rmult_comm c), <- sum_constant. apply sum_le. intros i _. destruct (Ev i o). rewrite <- (Rmult_1_r c) at 2. apply Rmult_le_compat_l; auto. }
  induction n as [|n IH]; cbn [sum_below]; [rewrite of_zero by auto; ring|].
  assert (C1 : c <= 1). { rewrite S_INR in H. pose proof (pos_INR n). assert (0 <= c * INR n) by (apply Rmult_le_pos; auto). lra. }
  rewrite (additive p P (fun o => sum_below n (fun i => c * e i o)) (fun o => c * e n o)).
  - rewrite (scaled p P) by auto. rewrite IH; [ring | rewrite S_INR in H; lra | intros; apply S; lia].
  - apply S. lia.
  - apply scaled_is_event; auto.
  - apply (S (Datatypes.S n)). lia.
Qed.

(* Bits as counts. *)
Definition code (i : nat) (b : bool) : list nat := if b then [(2 * i)%nat; (2 * i + 2)%nat] else [(2 * i + 1)%nat; (2 * i + 1)%nat].
Lemma coded_splits before : forall i after rest, exists x y, forall d, coded i (before ++ d :: after) rest = x ++ code (i + length before) d ++ y.
Proof.
  induction before as [|a before IH]; intros i after rest.
  - exists [], (coded (S i) after rest). intros d. cbn [app length coded]. rewrite Nat.add_0_r. reflexivity.
  - destruct (IH (S i) after rest) as (x & y & H). exists (code i a ++ x), y. intros d.
    cbn [app coded length]. rewrite H, <- app_assoc. do 3 f_equal. f_equal. lia.
Qed.
Lemma coded_items bits : forall i rest, list_sum (coded i bits rest) = (2 * length bits * length bits + 4 * i * length bits + rest)%nat.
Proof.
  induction bits as [|b bits IH]; intros i rest; [cbn; lia|]. cbn [coded length]. rewrite list_sum_app, IH. destruct b; cbn [list_sum fold_right]; lia.
Qed.
Lemma code_items i b : list_sum (code i b) = (4 * i + 2)%nat.
Proof. destruct b; cbn; lia. Qed.
(* One item less is at a distance of one from both. *)
Definition middle_code (i : nat) : list nat := [(2 * i)%nat; (2 * i + 1)%nat].
Lemma swapped a b c d : l1 [a; b] [c; d] = l1 [b; a] [d; c].
Proof. apply Prevalences.same_reaching; intros r; change [?a; ?b] with ([a] ++ [b]); rewrite !Prevalences.reaching_both; lia. Qed.
Lemma middle_near i b : l1 (middle_code i) (code i b) = 1.
Proof.
  assert (N : forall m, Rabs (INR (2 * i + m) - INR (2 * i + S m)) = 1).
  { intros m. rewrite <- plus_n_Sm, S_INR, Rabs_left1; lra. }
  assert (Z : forall m, Rabs (INR m - INR m) = 0) by (intros m; rewrite Rminus_diag_eq by reflexivity; apply Rabs_R0).
  destruct b; unfold code, middle_code; rewrite swapped, <- Prevalences.in_order_least; try reflexivity; cbn [by_label falling];
    try (repeat split; repeat constructor; lia).
  - rewrite Z, N. lra.
  - rewrite Z. replace (2 * i)%nat with (2 * i + 0)%nat at 1 by lia. rewrite N. lra.
Qed.
Lemma code_reaches i b : INR (reaching (S (2 * i)) (code i b)) = (if b then 1 else 2) /\ INR (reaching (S (2 * i + 1)) (code i b)) = number b.
Proof.
  unfold code, number. rewrite <- (Rplus_0_r 1). destruct b; rewrite !Prevalences.reaching_next; unfold Prevalences.reach, reaching; cbn [filter length INR];
    repeat match goal with |- context[(?a <=? ?b)%nat] => destruct (Nat.leb_spec a b) end; try lia; split; lra.
Qed.

(* The distance at the two places of a bit. *)
Definition at_bit (i : nat) (h x : list nat) : R :=
  Rabs (INR (reaching (S (2 * i)) h) - INR (reaching (S (2 * i)) x)) + Rabs (INR (reaching (S (2 * i + 1)) h) - INR (reaching (S (2 * i + 1)) x)).
Lemma in_pairs k f : sum_below (2 * k) f = sum_below k (fun i => f (2 * i)%nat + f (2 * i + 1)%nat).
Proof.
  induction k as [|k IH]; [reflexivity|]. replace (2 * S k)%nat with (S (S (2 * k))) by lia. cbn [sum_below]. rewrite IH, Nat.add_1_r. ring.
Qed.
Lemma places_in_all k h x : sum_below k (fun i => at_bit i h x) <= l1 h x.
Proof.
  rewrite (Prevalences.any_bound (2 * k + (list_max h + list_max x))) by lia. unfold l1_up_to. rewrite sum_split, in_pairs.
  match goal with |- _ <= ?a + ?b => assert (0 <= b) by (apply sum_not_negative; intros; apply Rabs_pos); assert (sum_below k (fun i => at_bit i h x) <= a); [|lra] end.
  apply sum_le. intros i _. apply Rle_refl.
Qed.
Definition half_at_bit (i : nat) (h x : list nat) : R := Rmin 1 (at_bit i h x / 2).
Lemma half_event i h : event (half_at_bit i h).
Proof.
  intros x. unfold half_at_bit, at_bit. pose proof (Rabs_pos (INR (reaching (S (2 * i)) h) - INR (reaching (S (2 * i)) x))).
  pose proof (Rabs_pos (INR (reaching (S (2 * i + 1)) h) - INR (reaching (S (2 * i + 1)) x))). split; [apply Rmin_glb; lra | apply Rmin_l].
Qed.
Lemma halves_add i x y z : 1 <= half_at_bit i (x ++ code i false ++ y) z + half_at_bit i (x ++ code i true ++ y) z.
Proof.
  destruct (code_reaches i false) as [A B], (code_reaches i true) as [C D]. unfold half_at_bit, at_bit.
  rewrite !Prevalences.reaching_both, !plus_INR, A, B, C, D. unfold number.
  set (a := INR (reaching (S (2 * i)) x)). set (b := INR (reaching (S (2 * i)) y)). set (c := INR (reaching (S (2 * i)) z)).
  set (d := INR (reaching (S (2 * i + 1)) x)). set (e := INR (reaching (S (2 * i + 1)) y)). set (f := INR (reaching (S (2 * i + 1)) z)).
  assert (T : forall u v, Rabs (u - v) <= Rabs u + Rabs v) by (intros; unfold Rminus; rewrite <- (Rabs_Ropp v); apply Rabs_triang).
  pose proof (T (a + (2 + b) - c) (a + (1 + b) - c)) as T1. pose proof (T (d + (0 + e) - f) (d + (1 + e) - f)) as T2.
  replace (a + (2 + b) - c - (a + (1 + b) - c)) with 1 in T1 by ring. replace (d + (0 + e) - f - (d + (1 + e) - f)) with (-1) in T2 by ring.
  rewrite (Rabs_right 1) in T1 by lra. rewrite (Rabs_left (-1)) in T2 by lra.
  pose proof (Rabs_pos (a + (2 + b) - c)). pose proof (Rabs_pos (a + (1 + b) - c)). pose proof (Rabs_pos (d + (0 + e) - f)). pose proof (Rabs_pos (d + (1 + e) - f)).
  unfold Rmin. repeat match goal with |- context[Rle_dec ?a ?b] => destruct (Rle_dec a b) end; lra.
Qed.

Section Least.
Variables (E : R) (n k : nat) (M : list nat -> law (list nat)).
Hypothesis ratio : 1 <= E.
Hypothesis some : (1 <= k)%nat.
Hypothesis room : (2 * k * k <= S n)%nat.
Hypothesis release : private E 0 (of_items n) one_item M.
Let h (bits : list bool) : list nat := coded 0 bits (S n - 2 * k * k).
Lemma coded_total bits : length bits = k -> list_sum (h bits) = S n.
Proof. intros L. unfold h. rewrite coded_items, L. lia. Qed.
Lemma coded_pair before after i : length before = i -> length (before ++ after) = (k - 1)%nat -> (i < k)%nat ->
  2 / (1 + E ^ 2) <= M (h (before ++ false :: after)) (half_at_bit i (h (before ++ false :: after))) + M (h (before ++ true :: after)) (half_at_bit i (h (before ++ true :: after))).
Proof.
  intros I L K. destruct release as [Laws Near]. destruct (coded_splits before 0 after (S n - 2 * k * k)) as (x & y & H). cbn [Nat.add] in H. rewrite I in H.
  assert (W : forall b, length (before ++ b :: after) = k) by (intros b; rewrite app_length in *; cbn [length]; lia).
  assert (T : forall b, list_sum (x ++ code i b ++ y) = S n) by (intros b; rewrite <- H; apply coded_total, W).
  assert (D : forall b, of_items n (x ++ code i b ++ y)) by (intros b; right; apply T).
  assert (D' : of_items n (x ++ middle_code i ++ y)).
  { left. specialize (T true). rewrite !list_sum_app, code_items in *. cbn [middle_code list_sum fold_right]. lia. }
  assert (O : forall b, one_item (x ++ middle_code i ++ y) (x ++ code i b ++ y)).
  { intros b. unfold one_item. rewrite Prevalences.added_before, Prevalences.added_to_both. apply middle_near. }
  unfold h. rewrite !H. destruct (Laws _ (D false)), (Laws _ (D true)).
  apply two_errors; auto using half_event, halves_add; [apply pow_le; lra|].
  pose proof (Near _ _ D' (D false) (O false)) as [F1 F2]. pose proof (Near _ _ D' (D true) (O true)) as [G1 G2].
  replace (E ^ 2) with (E * E) by ring. replace 0 with (0 + E * 0) by ring. split; eapply chain_holds; eauto; lra.
Qed.
Lemma least_error : exists x, list_sum x = S n /\ 2 * INR k / (1 + E ^ 2) <= capped_error (2 * INR k) (M x) x.
Proof.
  destruct (some_bits_err k (2 / (1 + E ^ 2)) (fun i l => M (h l) (half_at_bit i (h l)))) as (l & L & B).
  - intros i before after I W J. apply coded_pair; auto.
  - exists (h l). pose proof (coded_total l L) as T. split; auto. destruct release as [Laws _]. destruct (Laws (h l) (or_intror T)) as [P _].
    assert (K : 1 <= INR k) by (apply (le_INR 1); lia). unfold capped_error.
    assert (U : event (fun x => sum_below k (fun i => / INR k * half_at_bit i (h l) x))).
    { intros x. pose proof (half_event). assert (I : 0 < / INR k) by (apply Rinv_0_lt_compat; lra). split.
      - apply sum_not_negative. intros i _. destruct (half_event i (h l) x). apply Rmult_le_pos; lra.
      - rewrite sum_scale. apply (Rmult_le_reg_l (INR k)); [lra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l, <- sum_constant by lra.
        apply sum_le. intros i _. apply (half_event i (h l) x). }
    assert (Q : M (h l) (fun x => sum_below k (fun i => / INR k * half_at_bit i (h l) x)) <= M (h l) (fun x => Rmin 1 (l1 (h l) x / (2 * INR k)))).
    { apply (monotone _ P); auto.
      - intros x. split; [apply Rmin_glb; [lra|] | apply Rmin_l]. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
        unfold l1, l1_up_to. apply sum_not_negative. intros; apply Rabs_pos.
      - intros x. apply Rmin_glb; [apply U|]. rewrite sum_scale. apply (Rmult_le_reg_l (2 * INR k)); [lra|].
        replace (2 * INR k * (l1 (h l) x / (2 * INR k))) with (l1 (h l) x) by (field; lra).
        replace (2 * INR k * (/ INR k * sum_below k (fun i => half_at_bit i (h l) x))) with (2 * sum_below k (fun i => half_at_bit i (h l) x)) by (field; lra).
        apply Rle_trans with (2 := places_in_all k (h l) x). rewrite <- sum_scale. apply sum_le. intros i _. unfold half_at_bit. pose proof (Rmin_r 1 (at_bit i (h l) x / 2)). lra. }
    pose proof (mean_of_shares (M (h l)) (/ INR k) (fun i => half_at_bit i (h l)) k P ltac:(left; apply Rinv_0_lt_compat; lra) ltac:(rewrite Rinv_l; lra) ltac:(intros; apply half_event)) as Shares.
    cbv beta in Shares. rewrite Shares in Q.
    apply (Rmult_le_compat_l (2 * INR k)) in Q; [|lra]. eapply Rle_trans; [|exact Q].
    apply Rle_trans with (2 * sum_below k (fun i => M (h l) (half_at_bit i (h l)))); [|right; field; lra].
    apply (Rmult_le_compat_l 2) in B; [|lra]. apply Rle_trans with (2 := B). right. field. nra.
Qed.
End Least.
Lemma least_in_roots E n k : 1 <= E -> (1 <= k)%nat -> (S n < 2 * S k * S k)%nat -> 2 / 5 * sqrt (INR n) / E ^ 2 <= 2 * INR k / (1 + E ^ 2).
Proof.
  intros ratio some H. assert (k <= k * k)%nat by nia. assert (N : (n <= 6 * k * k)%nat) by nia. apply le_INR in N. rewrite !mult_INR in N. change (INR 6) with (1 + 1 + 1 + 1 + 1 + 1) in N.
  pose proof (pos_INR k). pose proof (pos_INR n). assert (R1 : sqrt (INR n) <= 5 / 2 * INR k).
  { apply Rsqr_incr_0_var; [|lra]. rewrite Rsqr_sqrt by auto. unfold Rsqr. nra. }
  pose proof (sqrt_pos (INR n)). assert (G : 1 <= E ^ 2) by nra.
  apply (Rmult_le_reg_r (E ^ 2 * (1 + E ^ 2))); [nra|].
  replace (2 / 5 * sqrt (INR n) / E ^ 2 * (E ^ 2 * (1 + E ^ 2))) with (2 / 5 * sqrt (INR n) * (1 + E ^ 2)) by (field; lra).
  replace (2 * INR k / (1 + E ^ 2) * (E ^ 2 * (1 + E ^ 2))) with (2 * INR k * E ^ 2) by (field; lra). nra.
Qed.
