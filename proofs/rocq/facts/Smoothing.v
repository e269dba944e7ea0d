(* anonymized-histograms, Appendix C.1.2: a count between two boundaries is shared by them. *)
From Coq Require Import Reals Lra Lia Arith.
From DP.definitions Require Import Laws.
From DP.facts Require Import Laws.
Open Scope R_scope.

Lemma distance_holds (s r t : nat) : (s <= r)%nat -> (r <= t)%nat -> (s < t)%nat ->
  sum_below (t - s) (fun j => Rabs ((if (s + S j <=? r)%nat then 1 else 0) - INR (r - s) / INR (t - s))) = 2 * INR (r - s) * INR (t - r) / INR (t - s).
Proof.
  intros A B C. set (x := INR (r - s) / INR (t - s)). assert (P : 0 < INR (t - s)) by (apply lt_0_INR; lia).
  assert (X : 0 <= x <= 1).
  { unfold x. split; [apply Rmult_le_pos; [apply pos_INR | left; apply Rinv_0_lt_compat; auto]|].
    apply (Rmult_le_reg_r (INR (t - s))); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_r, Rmult_1_l. apply le_INR. lia. }
  replace (t - s)%nat with ((r - s) + (t - r))%nat at 1 by lia. rewrite sum_split.
  rewrite (sum_ext (r - s) _ (fun _ => 1 - x)), (sum_ext (t - r) _ (fun _ => x)), !sum_constant.
  - unfold x. replace (INR (t - s)) with (INR (r - s) + INR (t - r)) in * by (rewrite <- plus_INR; f_equal; lia). field. lra.
  - intros j J. replace (s + S (r - s + j) <=? r)%nat with false by (symmetry; apply Nat.leb_gt; lia). rewrite Rabs_left1; lra.
  - intros j J. replace (s + S j <=? r)%nat with true by (symmetry; apply Nat.leb_le; lia). rewrite Rabs_right; lra.
Qed.
Lemma cost_holds s r t : s <= r <= t -> s < t ->
  2 * (r - s) * (t - r) / (t - s) <= (t - s) / 2 /\ 2 * (r - s) * (t - r) / (t - s) <= 2 * (r - s) /\ 2 * (r - s) * (t - r) / (t - s) <= 2 * (t - r).
Proof.
  intros R1 H. assert (P : 0 < t - s) by lra. assert (Way : forall y, 2 * (r - s) * (t - r) <= y * (t - s) -> 2 * (r - s) * (t - r) / (t - s) <= y).
  { intros y Y. apply (Rmult_le_reg_r (t - s)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  repeat split; apply Way; [|nra|nra]. pose proof (pow2_ge_0 ((r - s) - (t - r))). nra.
Qed.
(* Boundaries b and (1 + q) b rounded down; a count strictly between is at least the lower one and 1 more. *)
Lemma logarithmic_holds b q (s r t : nat) : 0 <= b -> 0 <= q -> (s <= r <= t)%nat -> (s < t)%nat -> b < INR s + 1 -> INR t <= (1 + q) * b ->
  2 * (INR r - INR s) * (INR t - INR r) / (INR t - INR s) <= q * INR r.
Proof.
  intros B Q [SR RT] H Low High. assert (ST : INR s < INR t) by (apply lt_INR; auto).
  assert (N : 0 <= q * INR r) by (apply Rmult_le_pos; auto; apply pos_INR).
  destruct (Nat.eq_dec s r) as [<-|D]; [unfold Rdiv; rewrite (Rminus_diag_eq (INR s) (INR s) eq_refl), Rmult_0_r, !Rmult_0_l; exact N|].
  destruct (Nat.eq_dec r t) as [->|E]; [unfold Rdiv; rewrite (Rminus_diag_eq (INR t) (INR t) eq_refl), Rmult_0_r, Rmult_0_l; exact N|].
  assert (R1 : INR s + 1 <= INR r) by (rewrite <- S_INR; apply le_INR; lia).
  assert (T1 : INR r + 1 <= INR t) by (rewrite <- S_INR; apply le_INR; lia).
  destruct (cost_holds (INR s) (INR r) (INR t)) as [Half _]; try lra. apply Rle_trans with (1 := Half).
  assert (G : 1 < q * b) by lra. assert (q * b <= q * INR r) by (apply Rmult_le_compat_l; lra). lra.
Qed.
