(* finite-computers, Lemma 8.4: each number of d is taken by q or q + 1 numbers of d0 = q d + r, the first r by q + 1. *)
From Coq Require Import Reals Lra Lia Arith.
From DP.definitions Require Import Laws EmptyBin.
From DP.facts Require Import Laws.
From DP.facts Require Exponentials.
Open Scope R_scope.

Lemma sum_of_blocks k m (g : nat -> R) : (1 <= k)%nat -> sum_below (k * m) (fun i => g (i / k)%nat) = INR k * sum_below m g.
Proof.
  intros K. induction m as [|m IH]; [rewrite Nat.mul_0_r; cbn; ring|].
  replace (k * S m)%nat with (k * m + k)%nat by lia. rewrite sum_split, IH. cbn [sum_below].
  rewrite (sum_ext k _ (fun _ => g m)); [rewrite sum_constant; ring|]. intros i I. f_equal.
  rewrite (Nat.mul_comm k m), Nat.add_comm, Nat.div_add by lia. rewrite Nat.div_small; lia.
Qed.

Section EmptyBin.
Variables q r d : nat.
Hypothesis some : (1 <= q)%nat.
Hypothesis rest : (r < d)%nat.

Lemma narrowed_first i : (i < r * (q + 1))%nat -> narrowed q r i = (i / (q + 1))%nat.
Proof. intros H. unfold narrowed. apply Nat.ltb_lt in H. rewrite H. reflexivity. Qed.
Lemma narrowed_later j : narrowed q r (r * (q + 1) + j) = (r + j / q)%nat.
Proof.
  unfold narrowed. replace (r * (q + 1) + j <? r * (q + 1))%nat with false by (symmetry; apply Nat.ltb_ge; lia).
  replace (r * (q + 1) + j - r)%nat with (j + r * q)%nat by lia. rewrite Nat.div_add by lia. lia.
Qed.
Lemma sizes : (q * d + r = r * (q + 1) + q * (d - r))%nat.
Proof. nia. Qed.
Lemma taken (g : nat -> R) : sum_below (q * d + r) (fun i => g (narrowed q r i)) = INR q * sum_below d g + sum_below r g.
Proof.
  rewrite sizes, sum_split. rewrite (sum_ext (r * (q + 1)) _ (fun i => g (i / (q + 1))%nat)) by (intros i I; rewrite narrowed_first; auto).
  rewrite (sum_ext (q * (d - r)) _ (fun j => g (r + j / q)%nat)) by (intros j J; rewrite narrowed_later; auto).
  rewrite Nat.mul_comm, sum_of_blocks by lia. rewrite (sum_of_blocks q (d - r) (fun j => g (r + j)%nat)) by lia.
  replace d with (r + (d - r))%nat at 2 by lia. rewrite sum_split, plus_INR. cbn [INR]. ring.
Qed.
Lemma d_positive : 0 < INR d.
Proof. apply lt_0_INR. lia. Qed.
Lemma q_positive : 1 <= INR q.
Proof. apply (le_INR 1). lia. Qed.
Lemma whole_is_sum : INR (q * d + r) = INR q * INR d + INR r.
Proof. rewrite plus_INR, mult_INR. reflexivity. Qed.
Lemma rest_is_less : 0 <= INR r <= INR d.
Proof. split; [apply pos_INR | apply le_INR; lia]. Qed.

Section Weights.
Context {A : Type} (M : nat -> A) (u : A -> R).
Hypothesis weight : event u.
Let g i := u (M i).
Lemma law_of_zero : image M (uniform d) u = sum_below d g / INR d.
Proof. unfold image, uniform, weighted. f_equal. apply sum_ext. intros. unfold g. ring. Qed.
Lemma law_of_empty : empty_bin q r d M u = (INR q * sum_below d g + sum_below r g) / (INR q * INR d + INR r).
Proof.
  unfold empty_bin, image, uniform, weighted. rewrite <- whole_is_sum, <- (taken g). f_equal. apply sum_ext. intros. unfold g. ring.
Qed.
Lemma part_of_all : 0 <= sum_below r g <= sum_below d g.
Proof.
  split; [apply sum_not_negative; intros; apply weight|]. replace d with (r + (d - r))%nat by lia. rewrite sum_split.
  assert (0 <= sum_below (d - r) (fun i => g (r + i)%nat)) by (apply sum_not_negative; intros; apply weight). lra.
Qed.
Lemma ratios_hold : (1 - INR d / INR (q * d + r)) * image M (uniform d) u <= empty_bin q r d M u <= (1 + INR d / INR (q * d + r)) * image M (uniform d) u.
Proof.
  rewrite law_of_zero, law_of_empty, whole_is_sum. pose proof part_of_all. pose proof d_positive. pose proof q_positive. pose proof rest_is_less.
  set (s := sum_below d g) in *. set (t := sum_below r g) in *. set (a := INR q) in *. set (b := INR d) in *. set (c := INR r) in *.
  assert (P : 0 < a * b + c) by nra.
  replace ((1 - b / (a * b + c)) * (s / b)) with ((a * b + c - b) * s / b / (a * b + c)) by (field; lra).
  replace ((1 + b / (a * b + c)) * (s / b)) with ((a * b + c + b) * s / b / (a * b + c)) by (field; lra).
  unfold Rdiv at 1 3 4. unfold Rdiv at 2.
  assert (0 < / (a * b + c)) by (apply Rinv_0_lt_compat; auto). split; apply Rmult_le_compat_r; try lra;
    apply (Rmult_le_reg_r b); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; nra.
Qed.
Lemma within_exponentials : (4 * d <= 3 * (q * d + r))%nat ->
  exp (- (2 * (INR d / INR (q * d + r)))) * image M (uniform d) u <= empty_bin q r d M u <= exp (INR d / INR (q * d + r)) * image M (uniform d) u.
Proof.
  intros L. pose proof ratios_hold as H. pose proof d_positive. apply le_INR in L. rewrite !mult_INR in L. cbn [INR] in L.
  assert (P : 0 < INR (q * d + r)) by (apply lt_0_INR; nia).
  assert (X : 0 <= INR d / INR (q * d + r) <= 3 / 4).
  { split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; auto]|]. apply (Rmult_le_reg_r (INR (q * d + r))); auto.
    unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  destruct (Exponentials.narrow_holds _ X) as [Up Down].
  assert (0 <= image M (uniform d) u) by (rewrite law_of_zero; apply Rmult_le_pos; [apply Rle_trans with (sum_below r g); apply part_of_all | left; apply Rinv_0_lt_compat; auto]).
  split; [eapply Rle_trans; [|apply H] | eapply Rle_trans; [apply H|]]; apply Rmult_le_compat_r; auto.
Qed.
End Weights.

(* The first numbers of d are taken more often, and they have the least counts. *)
Lemma first_have_more (g : nat -> R) : (forall i j, (i <= j)%nat -> g j <= g i) -> INR r * sum_below d g <= INR d * sum_below r g.
Proof.
  intros H. replace d with (r + (d - r))%nat by lia. rewrite sum_split, plus_INR.
  assert (F : INR r * g r <= sum_below r g) by (rewrite <- sum_constant; apply sum_le; intros; apply H; lia).
  assert (L : sum_below (d - r) (fun i => g (r + i)%nat) <= INR (d - r) * g r) by (rewrite <- sum_constant; apply sum_le; intros; apply H; lia).
  pose proof (pos_INR r). pose proof (pos_INR (d - r)). nra.
Qed.
Lemma at_most_holds M a : rises M -> image M (uniform d) (count_at_most a) <= empty_bin q r d M (count_at_most a).
Proof.
  intros H. rewrite law_of_zero, law_of_empty. set (g := fun i => count_at_most a (M i)).
  assert (F : INR r * sum_below d g <= INR d * sum_below r g).
  { apply first_have_more. intros i j I. unfold g, count_at_most. specialize (H i j I).
    destruct (M j <=? a)%nat eqn:J; destruct (M i <=? a)%nat eqn:K; try lra. apply Nat.leb_le in J. apply Nat.leb_gt in K. lia. }
  pose proof d_positive. pose proof q_positive. pose proof rest_is_less. assert (P : 0 < INR q * INR d + INR r) by nra.
  apply (Rmult_le_reg_r (INR d * (INR q * INR d + INR r))); [apply Rmult_lt_0_compat; auto|].
  replace (sum_below d g / INR d * (INR d * (INR q * INR d + INR r))) with (sum_below d g * (INR q * INR d + INR r)) by (field; lra).
  replace ((INR q * sum_below d g + sum_below r g) / (INR q * INR d + INR r) * (INR d * (INR q * INR d + INR r)))
    with ((INR q * sum_below d g + sum_below r g) * INR d) by (field; lra). nra.
Qed.

(* The map is onto, and does not fall. *)
Lemma narrowed_rises i j : (i <= j)%nat -> (narrowed q r i <= narrowed q r j)%nat.
Proof.
  intros H. destruct (Nat.lt_ge_cases j (r * (q + 1))) as [J|J].
  - rewrite !narrowed_first by lia. apply Nat.div_le_mono; lia.
  - replace j with (r * (q + 1) + (j - r * (q + 1)))%nat by lia. rewrite narrowed_later. destruct (Nat.lt_ge_cases i (r * (q + 1))) as [I|I].
    + rewrite narrowed_first by lia. assert (i / (q + 1) < r)%nat by (apply Nat.div_lt_upper_bound; lia). lia.
    + replace i with (r * (q + 1) + (i - r * (q + 1)))%nat by lia. rewrite narrowed_later.
      apply Nat.add_le_mono_l, Nat.div_le_mono; lia.
Qed.
Lemma narrowed_is_below i : (i < q * d + r)%nat -> (narrowed q r i < d)%nat.
Proof.
  rewrite sizes. intros I. destruct (Nat.lt_ge_cases i (r * (q + 1))) as [J|J].
  - rewrite narrowed_first by lia. assert (i / (q + 1) < r)%nat by (apply Nat.div_lt_upper_bound; lia). lia.
  - replace i with (r * (q + 1) + (i - r * (q + 1)))%nat by lia. rewrite narrowed_later.
    assert ((i - r * (q + 1)) / q < d - r)%nat by (apply Nat.div_lt_upper_bound; lia). lia.
Qed.
Lemma narrowed_reaches v : (v < d)%nat -> exists i, (i < q * d + r)%nat /\ narrowed q r i = v.
Proof.
  intros V. destruct (Nat.lt_ge_cases v r) as [L|L].
  - exists (v * (q + 1))%nat. split; [nia|]. rewrite narrowed_first by nia. apply Nat.div_mul. lia.
  - exists (r * (q + 1) + (v - r) * q)%nat. split; [rewrite sizes; nia|]. rewrite narrowed_later, Nat.div_mul; lia.
Qed.
Lemma map_holds : (forall i j, (i <= j)%nat -> (narrowed q r i <= narrowed q r j)%nat) /\
  (forall i, (i < q * d + r)%nat -> (narrowed q r i < d)%nat) /\ forall v, (v < d)%nat -> exists i, (i < q * d + r)%nat /\ narrowed q r i = v.
Proof. split; [exact narrowed_rises | split; [exact narrowed_is_below | exact narrowed_reaches]]. Qed.
Lemma one_of n v : sum_below n (fun i => if (i =? v)%nat then 1 else 0) = if (v <? n)%nat then 1 else 0.
Proof.
  induction n as [|n IH]; cbn [sum_below]; [reflexivity|]. rewrite IH.
  destruct (Nat.eqb_spec n v), (Nat.ltb_spec v n), (Nat.ltb_spec v (S n)); try lia; ring.
Qed.
Lemma times_hold v : (v < d)%nat ->
  sum_below (q * d + r) (fun i => if (narrowed q r i =? v)%nat then 1 else 0) = INR q + if (v <? r)%nat then 1 else 0.
Proof.
  intros V. rewrite (taken (fun u => if (u =? v)%nat then 1 else 0)), !one_of. apply Nat.ltb_lt in V. rewrite V. ring.
Qed.
End EmptyBin.

Lemma multiple_holds {A : Type} q d (M : nat -> A) u : (1 <= q)%nat -> (1 <= d)%nat -> empty_bin q 0 d M u = image M (uniform d) u.
Proof.
  intros Q D. rewrite law_of_empty, law_of_zero by lia. cbn [sum_below INR]. rewrite !Rplus_0_r.
  assert (0 < INR q) by (apply lt_0_INR; lia). assert (0 < INR d) by (apply lt_0_INR; lia). field. lra.
Qed.
