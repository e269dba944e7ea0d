(* Rounded powers are near the exact ones: errors double where a vector is squared, and rounding adds 1/s for each number. *)
From Coq Require Import Reals ZArith Lra Lia.
From DP.definitions Require Import Laws Convolution.
From DP.facts Require Import Laws Clipping.
Open Scope R_scope.

Lemma triangle t (g : nat -> nat -> R) : sum_below t (fun k => sum_below (S k) (fun i => g i (k - i)%nat)) = sum_below t (fun i => sum_below (t - i) (g i)).
Proof.
  induction t as [|t IH]; [reflexivity|]. change (sum_below (S t) ?f) with (sum_below t f + f t) at 1. rewrite IH.
  rewrite (sum_ext (S t) (fun i => sum_below (S t - i) (g i)) (fun i => sum_below (t - i) (g i) + g i (t - i)%nat)).
  - rewrite sum_plus. change (sum_below (S t) (fun i => sum_below (t - i) (g i))) with (sum_below t (fun i => sum_below (t - i) (g i)) + sum_below (t - t) (g t)).
    rewrite Nat.sub_diag. cbn [sum_below]. ring.
  - intros i I. replace (S t - i)%nat with (S (t - i)) by lia. reflexivity.
Qed.
Lemma convolved_positive a b k : (forall i, 0 <= a i) -> (forall i, 0 <= b i) -> 0 <= convolved a b k.
Proof. intros A B. apply sum_not_negative. intros i _. apply Rmult_le_pos; auto. Qed.
Lemma first_part t m (b : nat -> R) : (forall i, 0 <= b i) -> (m <= t)%nat -> sum_below m b <= sum_below t b.
Proof. intros B M. replace t with (m + (t - m))%nat by lia. rewrite sum_split. pose proof (sum_not_negative (t - m) (fun i => b (m + i)%nat) (fun i _ => B _)). lra. Qed.
Lemma sum_convolved t a b : (forall i, 0 <= a i) -> (forall i, 0 <= b i) -> sum_below t (convolved a b) <= sum_below t a * sum_below t b.
Proof.
  intros A B. unfold convolved. rewrite (triangle t (fun i j => a i * b j)). rewrite Rmult_comm, <- sum_scale. apply sum_le. intros i I.
  rewrite sum_scale, Rmult_comm. apply Rmult_le_compat_r; auto. apply first_part; auto. lia.
Qed.
Lemma convolved_at_most t a b : at_most_all t a -> at_most_all t b -> at_most_all t (convolved a b).
Proof.
  intros [A SA] [B SB]. split; [intros k; apply convolved_positive; auto|]. eapply Rle_trans; [apply sum_convolved; auto|].
  pose proof (sum_not_negative t a ltac:(auto)). pose proof (sum_not_negative t b ltac:(auto)). nra.
Qed.
Lemma convolved_ext a b A B k : (forall i, (i <= k)%nat -> a i = A i) -> (forall i, (i <= k)%nat -> b i = B i) -> convolved a b k = convolved A B k.
Proof. intros HA HB. apply sum_ext. intros i I. rewrite HA, HB by lia. reflexivity. Qed.
Lemma apart_convolved t a b A B : (forall i, 0 <= b i) -> (forall i, 0 <= A i) ->
  l1_apart t (convolved a b) (convolved A B) <= l1_apart t a A * sum_below t b + sum_below t A * l1_apart t b B.
Proof.
  intros HB HA. set (d := fun i => Rabs (a i - A i)). set (e := fun i => Rabs (b i - B i)).
  assert (D : forall i, 0 <= d i) by (intros; apply Rabs_pos). assert (E : forall i, 0 <= e i) by (intros; apply Rabs_pos).
  apply Rle_trans with (sum_below t (convolved d b) + sum_below t (convolved A e)).
  - unfold l1_apart. rewrite <- sum_plus. apply sum_le. intros k _. unfold convolved. rewrite <- sum_plus.
    assert (G : forall m f g h, (forall i, Rabs (f i - g i) <= h i) -> Rabs (sum_below m f - sum_below m g) <= sum_below m h).
    { induction m as [|m IH]; intros f g h H; cbn [sum_below]; [rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; lra|].
      replace (sum_below m f + f m - (sum_below m g + g m)) with ((sum_below m f - sum_below m g) + (f m - g m)) by ring.
      eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; auto. }
    apply G. intros i. replace (a i * b (k - i)%nat - A i * B (k - i)%nat) with ((a i - A i) * b (k - i)%nat + A i * (b (k - i)%nat - B (k - i)%nat)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq (b _)), (Rabs_pos_eq (A i)) by auto. unfold d, e. lra.
  - apply Rplus_le_compat; apply sum_convolved; auto.
Qed.
(* Powers. *)
Lemma convolved_assoc a b c k : convolved a (convolved b c) k = convolved (convolved a b) c k.
Proof.
  unfold convolved. rewrite (sum_ext (S k) (fun i => a i * sum_below (S (k - i)) (fun j => b j * c (k - i - j)%nat)) (fun i => sum_below (S k - i) (fun j => a i * b j * c (k - (i + j))%nat))).
  - rewrite <- (triangle (S k) (fun i j => a i * b j * c (k - (i + j))%nat)). apply sum_ext. intros m M. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros i I.
    replace (i + (m - i))%nat with m by lia. ring.
  - intros i I. replace (S k - i)%nat with (S (k - i)) by lia. rewrite <- sum_scale. apply sum_ext. intros j J. replace (k - (i + j))%nat with (k - i - j)%nat by lia. ring.
Qed.
Lemma power_add a i j k : fold_power a (i + j) k = convolved (fold_power a i) (fold_power a j) k.
Proof.
  revert k. induction i as [|i IH]; intros k.
  - cbn [Nat.add]. symmetry. unfold convolved. rewrite sum_shift. rewrite (sum_ext _ _ (fun _ => 0)), sum_constant by (intros; cbn; ring). cbn. rewrite Nat.sub_0_r. ring.
  - cbn [Nat.add fold_power]. rewrite <- convolved_assoc. apply convolved_ext; auto.
Qed.
Lemma power_at_most_all t a i : (1 <= t)%nat -> at_most_all t a -> at_most_all t (fold_power a i).
Proof.
  intros T A. induction i as [|i IH]; cbn [fold_power]; [|apply convolved_at_most; auto]. split; [intros [|k]; lra|].
  destruct t as [|t]; [lia|]. rewrite sum_shift, sum_constant. lra.
Qed.
(* Rounding. *)
Lemma down_between s w k : 0 < s -> 0 <= w k -> 0 <= down s w k <= w k /\ w k - down s w k <= / s.
Proof.
  intros P W. destruct (rounded_down (s * w k)) as [L U]. assert (N : (0 <= Int_part (s * w k))%Z) by (apply rounded_positive; apply Rmult_le_pos; lra). apply IZR_le in N.
  assert (I : 0 < / s) by (apply Rinv_0_lt_compat; auto). unfold down, Rdiv. set (z := IZR (Int_part (s * w k))) in *.
  assert (E : w k = s * w k * / s) by (field; lra). assert (z * / s <= s * w k * / s) by (apply Rmult_le_compat_r; lra). assert (s * w k * / s <= (z + 1) * / s) by (apply Rmult_le_compat_r; lra).
  repeat split; try lra. apply Rmult_le_pos; lra.
Qed.
Lemma down_at_most t s w : 0 < s -> at_most_all t w -> at_most_all t (down s w).
Proof.
  intros P [W S]. split; [intros k; apply down_between; auto|]. eapply Rle_trans; [|exact S]. apply sum_le. intros k _. apply down_between; auto.
Qed.
Lemma down_near t s w : 0 < s -> (forall k, 0 <= w k) -> l1_apart t (down s w) w <= INR t / s.
Proof.
  intros P W. unfold l1_apart, Rdiv. rewrite <- sum_constant. apply sum_le. intros k _. destruct (down_between s w k P (W k)) as [[A B] C]. rewrite Rabs_left1; lra.
Qed.
Lemma apart_triangle t a b c : l1_apart t a c <= l1_apart t a b + l1_apart t b c.
Proof. unfold l1_apart. rewrite <- sum_plus. apply sum_le. intros k _. replace (a k - c k) with ((a k - b k) + (b k - c k)) by ring. apply Rabs_triang. Qed.
Lemma apart_positive t a b : 0 <= l1_apart t a b.
Proof. apply sum_not_negative. intros; apply Rabs_pos. Qed.
Lemma apart_ext t a b A : (forall k, (k < t)%nat -> b k = A k) -> l1_apart t a b = l1_apart t a A.
Proof. intros H. apply sum_ext. intros k K. rewrite H; auto. Qed.
Section Powers.
Variables (t : nat) (s : R) (a : nat -> R).
Hypothesis some : (1 <= t)%nat.
Hypothesis positive : 0 < s.
Hypothesis vector : at_most_all t a.
Lemma rounded_is_vector i : at_most_all t (rounded_power s a i).
Proof. induction i as [i IH|i IH|]; cbn [rounded_power]; auto; apply down_at_most; auto; repeat apply convolved_at_most; auto. Qed.
Lemma squared_near r p d : at_most_all t r -> at_most_all t p -> l1_apart t r p <= d -> l1_apart t (convolved r r) (convolved p p) <= 2 * d.
Proof.
  intros [R0 R1] [P0 P1] D. pose proof (apart_positive t r p). pose proof (apart_convolved t r r p p R0 P0).
  pose proof (sum_not_negative t r ltac:(auto)). pose proof (sum_not_negative t p ltac:(auto)). nra.
Qed.
Lemma times_near r p d : at_most_all t r -> at_most_all t p -> l1_apart t r p <= d -> l1_apart t (convolved a r) (convolved a p) <= d.
Proof.
  intros [R0 R1] [P0 P1] D. destruct vector as [A0 A1]. pose proof (apart_positive t r p). pose proof (apart_convolved t a r a p R0 A0) as C.
  assert (Z : l1_apart t a a = 0) by (unfold l1_apart; rewrite (sum_ext _ _ (fun _ => 0)), sum_constant by (intros; rewrite Rminus_diag_eq, Rabs_R0; reflexivity); ring).
  rewrite Z in C. pose proof (sum_not_negative t a ltac:(auto)). nra.
Qed.
Lemma one_rounding w p d : at_most_all t w -> l1_apart t w p <= d -> l1_apart t (down s w) p <= INR t / s + d.
Proof. intros [W _] D. pose proof (apart_triangle t (down s w) w p). pose proof (down_near t s w positive W). lra. Qed.
Lemma one_level i d : l1_apart t (rounded_power s a i) (fold_power a (Pos.to_nat i)) <= d ->
  l1_apart t (rounded_power s a (xO i)) (fold_power a (Pos.to_nat (xO i))) <= INR t / s + 2 * d /\
  l1_apart t (rounded_power s a (xI i)) (fold_power a (Pos.to_nat (xI i))) <= INR t / s + 2 * d.
Proof.
  intros H. pose proof (squared_near _ _ _ (rounded_is_vector i) (power_at_most_all t a (Pos.to_nat i) some vector) H) as S.
  assert (Twice : forall k, fold_power a (2 * Pos.to_nat i) k = convolved (fold_power a (Pos.to_nat i)) (fold_power a (Pos.to_nat i)) k).
  { intros k. replace (2 * Pos.to_nat i)%nat with (Pos.to_nat i + Pos.to_nat i)%nat by lia. apply power_add. }
  cbn [rounded_power]. rewrite Pos2Nat.inj_xO, Pos2Nat.inj_xI. split.
  - rewrite (apart_ext _ _ _ _ (fun k _ => Twice k)). apply one_rounding; auto. apply convolved_at_most; apply rounded_is_vector.
  - rewrite (apart_ext _ _ _ (convolved a (convolved (fold_power a (Pos.to_nat i)) (fold_power a (Pos.to_nat i))))).
    + apply one_rounding; [repeat apply convolved_at_most; auto using rounded_is_vector|].
      apply times_near; auto; apply convolved_at_most; auto using rounded_is_vector, power_at_most_all.
    + intros k _. cbn [fold_power]. apply convolved_ext; auto.
Qed.
Lemma rounded_near i : l1_apart t (rounded_power s a i) (fold_power a (Pos.to_nat i)) <= INR t * (INR (Pos.to_nat i) - 1) / s.
Proof.
  assert (Q : 0 <= INR t / s) by (apply Rmult_le_pos; [apply pos_INR | left; apply Rinv_0_lt_compat; auto]).
  assert (Form : forall x, INR t * x / s = INR t / s * x) by (intros; unfold Rdiv; ring).
  induction i as [i IH|i IH|].
  - destruct (one_level i _ IH) as [_ H]. eapply Rle_trans; [exact H|]. rewrite !Form, Pos2Nat.inj_xI, S_INR, mult_INR. change (INR 2) with (1 + 1). nra.
  - destruct (one_level i _ IH) as [H _]. eapply Rle_trans; [exact H|]. rewrite !Form, Pos2Nat.inj_xO, mult_INR. change (INR 2) with (1 + 1). nra.
  - change (Pos.to_nat 1) with 1%nat. cbn [rounded_power]. rewrite (apart_ext _ _ _ a).
    + unfold l1_apart. rewrite (sum_ext _ _ (fun _ => 0)), sum_constant by (intros; rewrite Rminus_diag_eq, Rabs_R0; reflexivity). cbn [INR]. unfold Rdiv. lra.
    + intros k _. cbn [fold_power]. unfold convolved. cbn [sum_below]. rewrite (sum_ext k _ (fun _ => 0)), sum_constant.
      * rewrite Nat.sub_diag. ring.
      * intros i I. replace (k - i)%nat with (S (k - i - 1)) by lia. ring.
Qed.
End Powers.
(* The first numbers depend on those of a alone. *)
Lemma first_alone s a b i : forall k, (forall j, (j <= k)%nat -> a j = b j) -> rounded_power s a i k = rounded_power s b i k.
Proof.
  induction i as [i IH|i IH|]; intros k H; cbn [rounded_power]; [| |apply H; auto]; unfold down; do 4 f_equal.
  - apply convolved_ext; auto. intros j J. apply convolved_ext; intros l Hl; apply IH; intros; apply H; lia.
  - apply convolved_ext; intros j J; apply IH; intros; apply H; lia.
Qed.
(* An example: all mass at 0. *)
Lemma point_vector t : (1 <= t)%nat -> at_most_all t (fold_power (fun _ => 0) 0).
Proof. intros T. apply power_at_most_all; auto. split; [intros; lra | rewrite sum_constant; lra]. Qed.
