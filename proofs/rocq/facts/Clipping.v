(* Clipped histograms: norms, distances, and the privacy of their sum with geometric noise. *)
From Coq Require Import Reals Lra Lia ZArith List.
From DP.definitions Require Import Laws TwoSided Clipping.
From DP.facts Require Import Laws Histograms TwoSided.
Import ListNotations.
Open Scope R_scope.

Lemma rounded_down x : IZR (Int_part x) <= x /\ x < IZR (Int_part x) + 1.
Proof. pose proof (base_Int_part x). lra. Qed.
Lemma rounded_positive x : 0 <= x -> (0 <= Int_part x)%Z.
Proof. intros H. destruct (rounded_down x) as [_ U]. assert (L : IZR (-1) < IZR (Int_part x)) by lra. apply lt_IZR in L. lia. Qed.
Lemma rounded_least x z : IZR z <= x -> (z <= Int_part x)%Z.
Proof. intros H. destruct (rounded_down x) as [_ U]. assert (L : IZR z < IZR (Int_part x + 1)) by (rewrite plus_IZR; lra). apply lt_IZR in L. lia. Qed.
Lemma sum_at_least_one m f j : (forall i, 0 <= f i) -> (j < m)%nat -> f j <= sum_below m f.
Proof.
  intros H. induction m as [|m IH]; intros J; [lia|]. cbn [sum_below]. destruct (Nat.eq_dec j m) as [->|].
  - pose proof (sum_not_negative m f ltac:(auto)). lra.
  - specialize (IH ltac:(lia)). pose proof (H m). lra.
Qed.

Section Clip.
Variables (norm : nat -> (nat -> R) -> R) (m : nat) (K : R) (h : nat -> R).
Hypothesis limit : 0 <= K.
Hypothesis counts : counted h.
Definition share : R := Rmin 1 (K / norm m h).
Lemma entry_at_most j : 0 <= norm m h -> 0 <= IZR (clipped norm m K h j) <= h j * share.
Proof.
  intros N. assert (S : 0 <= share).
  { unfold share. apply Rmin_glb; [lra|]. unfold Rdiv. destruct (Req_dec (norm m h) 0) as [-> | Z]; [rewrite Rinv_0; lra|].
    apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat. lra. }
  pose proof (counts j) as C. assert (P : 0 <= h j * share) by (apply Rmult_le_pos; auto). split.
  - apply IZR_le, rounded_positive. exact P.
  - apply rounded_down.
Qed.
Lemma share_of_norm : 0 <= norm m h -> norm m h * share <= K.
Proof.
  intros N. unfold share. destruct (Req_dec (norm m h) 0) as [-> | Z]; [lra|].
  apply Rle_trans with (norm m h * (K / norm m h)); [apply Rmult_le_compat_l; auto; apply Rmin_r | right; field; auto].
Qed.
End Clip.
Lemma clipped_norm_1 m K h : 0 <= K -> counted h ->
  (forall j, 0 <= IZR (clipped norm_1 m K h j)) /\ sum_below m (fun j => IZR (clipped norm_1 m K h j)) <= IZR (Int_part K).
Proof.
  intros HK C. assert (N : 0 <= norm_1 m h) by (apply sum_not_negative; auto). split; [intros j; apply entry_at_most; auto|].
  assert (Whole : forall n, sum_below n (fun j => IZR (clipped norm_1 m K h j)) = IZR (fold_right (fun j s => clipped norm_1 m K h j + s)%Z 0%Z (seq 0 n))).
  { induction n as [|n IH]; [reflexivity|]. cbn [sum_below]. rewrite IH, seq_S, fold_right_app. cbn [fold_right Nat.add].
    assert (G : forall l z, fold_right (fun j s => clipped norm_1 m K h j + s)%Z z l = (fold_right (fun j s => clipped norm_1 m K h j + s) 0 l + z)%Z)
      by (induction l as [|x l IHl]; intros z; cbn; [lia | rewrite IHl; lia]).
    rewrite Z.add_0_r, (G _ (clipped norm_1 m K h n)), plus_IZR. reflexivity. }
  rewrite Whole. apply IZR_le, rounded_least. rewrite <- Whole. apply Rle_trans with (norm_1 m h * share norm_1 m K h); [|apply share_of_norm; auto].
  unfold norm_1 at 2. rewrite Rmult_comm, <- sum_scale. apply sum_le. intros j _. rewrite Rmult_comm. apply entry_at_most; auto.
Qed.
Lemma clipped_norm_2 m K h : 0 <= K -> counted h ->
  (forall j, 0 <= IZR (clipped norm_2 m K h j)) /\ sum_below m (fun j => IZR (clipped norm_2 m K h j) ^ 2) <= K ^ 2.
Proof.
  intros HK C. assert (N : 0 <= norm_2 m h) by apply sqrt_pos. split; [intros j; apply entry_at_most; auto|].
  assert (S : 0 <= sum_below m (fun j => h j ^ 2)) by (apply sum_not_negative; intros; apply pow2_ge_0).
  pose proof (share_of_norm norm_2 m K h HK N) as L. apply Rle_trans with ((norm_2 m h * share norm_2 m K h) ^ 2).
  - rewrite Rpow_mult_distr. unfold norm_2 at 2. rewrite <- Rsqr_pow2, Rsqr_sqrt by auto. rewrite Rmult_comm, <- sum_scale. apply sum_le. intros j _.
    rewrite <- Rpow_mult_distr, Rmult_comm. apply pow_incr, entry_at_most; auto.
  - apply pow_incr. split; auto. destruct (Req_dec (norm_2 m h) 0) as [-> | Z]; [rewrite Rmult_0_l; lra|]. apply Rmult_le_pos; auto. unfold share.
    apply Rmin_glb; [lra|]. apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat. lra.
Qed.

(* Users who stay cancel. *)
Lemma others_cancel clip before h k after j :
  (summed clip (before ++ h :: after) j - summed clip (before ++ k :: after) j = clip h j - clip k j)%Z.
Proof. unfold summed. induction before as [|x before IH]; cbn [app fold_right]; lia. Qed.
Lemma apart_is clip before h k after m j :
  units_apart m (summed clip (before ++ h :: after)) (summed clip (before ++ k :: after)) j = Rabs (IZR (clip h j) - IZR (clip k j)).
Proof. unfold units_apart. rewrite <- !minus_IZR, others_cancel. reflexivity. Qed.
Lemma moves_in_l1 m K before h k after : 0 <= K -> counted h -> counted k ->
  sum_below m (units_apart m (summed (clipped norm_1 m K) (before ++ h :: after)) (summed (clipped norm_1 m K) (before ++ k :: after))) <= IZR (units m K).
Proof.
  intros HK H G. destruct (clipped_norm_1 m K h HK H) as [P A]. destruct (clipped_norm_1 m K k HK G) as [Q B].
  rewrite (sum_ext _ _ (fun j => Rabs (IZR (clipped norm_1 m K h j) - IZR (clipped norm_1 m K k j)))) by (intros; apply apart_is).
  unfold units. destruct (Nat.leb_spec m 1) as [M|M].
  - destruct m as [|[|m]]; try lia.
    + cbn. apply IZR_le, rounded_positive, HK.
    + cbn [sum_below] in *. specialize (P 0%nat). specialize (Q 0%nat). rewrite Rplus_0_l in *. apply Rabs_le. lra.
  - rewrite mult_IZR. apply Rle_trans with (sum_below m (fun j => IZR (clipped norm_1 m K h j) + IZR (clipped norm_1 m K k j))).
    + apply sum_le. intros j _. specialize (P j). specialize (Q j). apply Rabs_le. lra.
    + rewrite sum_plus. lra.
Qed.
Lemma square_between a b K : 0 <= a -> 0 <= b -> a ^ 2 <= K ^ 2 -> b ^ 2 <= K ^ 2 -> (a - b) ^ 2 <= K ^ 2.
Proof. intros A B X Y. destruct (Rle_dec a b); nra. Qed.
Lemma distances_hold m K before h k after : 0 <= K -> counted h -> counted k ->
  sum_below m (units_apart m (summed (clipped norm_1 m K) (before ++ h :: after)) (summed (clipped norm_1 m K) (before ++ k :: after))) <= 2 * K /\
  sqrt (sum_below m (fun j => units_apart m (summed (clipped norm_2 m K) (before ++ h :: after)) (summed (clipped norm_2 m K) (before ++ k :: after)) j ^ 2)) <= sqrt 2 * K /\
  ((m <= 1)%nat -> sum_below m (units_apart m (summed (clipped norm_1 m K) (before ++ h :: after)) (summed (clipped norm_1 m K) (before ++ k :: after))) <= K /\
    sqrt (sum_below m (fun j => units_apart m (summed (clipped norm_2 m K) (before ++ h :: after)) (summed (clipped norm_2 m K) (before ++ k :: after)) j ^ 2)) <= K).
Proof.
  intros HK H G. pose proof (moves_in_l1 m K before h k after HK H G) as L. pose proof (rounded_down K) as [D _].
  destruct (clipped_norm_2 m K h HK H) as [P A]. destruct (clipped_norm_2 m K k HK G) as [Q B].
  rewrite (sum_ext _ (fun j => _ ^ 2) (fun j => (IZR (clipped norm_2 m K h j) - IZR (clipped norm_2 m K k j)) ^ 2)) by (intros; rewrite apart_is; apply pow2_abs).
  set (s := sum_below m (fun j => (IZR (clipped norm_2 m K h j) - IZR (clipped norm_2 m K k j)) ^ 2)).
  split; [|split].
  - unfold units in L. destruct (m <=? 1)%nat; [lra | rewrite mult_IZR in L; lra].
  - apply Rle_trans with (sqrt (2 * K ^ 2)).
    + apply sqrt_le_1_alt. unfold s. apply Rle_trans with (sum_below m (fun j => IZR (clipped norm_2 m K h j) ^ 2 + IZR (clipped norm_2 m K k j) ^ 2)); [|rewrite sum_plus; lra].
      apply sum_le. intros j _. specialize (P j). specialize (Q j). nra.
    + rewrite sqrt_mult_alt, sqrt_pow2 by lra. lra.
  - intros M. split.
    + unfold units in L. destruct (Nat.leb_spec m 1); [lra | lia].
    + rewrite <- (sqrt_pow2 K) by auto. apply sqrt_le_1_alt. unfold s. destruct m as [|[|m]]; try lia; [cbn; nra|]. cbn [sum_below] in *. rewrite Rplus_0_l in *. apply square_between; auto.
Qed.

(* Noise of which two centres that differ by one are E-close. *)
Section NoiseOnSums.
Variables (E : R) (P : Z -> law Z).
Hypothesis close : steady E P.
Let ratio : 1 <= E := steady_from_one E P close.
Lemma some_units n : forall a b : Z, (Z.abs (a - b) = Z.of_nat n)%Z -> dp (E ^ n) 0 (P a) (P b).
Proof.
  induction n as [|n IH]; intros a b H.
  - replace b with a by lia. intros u U. cbn. lra.
  - cbn [pow]. replace 0 with (0 + E * 0) by ring. destruct (Z_lt_le_dec a b).
    + apply (chain_holds _ _ _ _ _ (P (a + 1)%Z)); [lra | apply close | apply IH; lia].
    + apply (chain_holds _ _ _ _ _ (P (a - 1)%Z)); [lra | | apply IH; lia]. replace a with (a - 1 + 1)%Z at 1 by lia. apply close.
Qed.
Lemma noisy_measure (s : nat -> Z) l : measure (every (map (fun j => P (s j)) l)).
Proof. apply every_measure, Forall_map, Forall_forall. intros j _. apply close. Qed.
Fixpoint moved_units (a b : nat -> Z) (l : list nat) : nat := match l with [] => O | j :: rest => (Z.abs_nat (a j - b j) + moved_units a b rest)%nat end.
Lemma sums_near (a b : nat -> Z) l : dp (E ^ moved_units a b l) 0 (every (map (fun j => P (a j)) l)) (every (map (fun j => P (b j)) l)).
Proof.
  induction l as [|j l IH]; [intros u U; cbn; lra|]. cbn [map every moved_units]. rewrite pow_add. replace 0 with (0 + 0) by ring.
  assert (Powers : forall k, 0 <= E ^ k) by (intros; apply pow_le; lra).
  apply composition_holds; auto; try lra; try (apply close); try (intros z; apply image_measure, noisy_measure).
  - apply some_units. lia.
  - intros z. apply image_holds, IH.
Qed.
Lemma moved_is_distance a b m : INR (moved_units a b (seq 0 m)) = sum_below m (units_apart m a b).
Proof.
  assert (G : forall n, INR (moved_units a b (seq 0 n)) = sum_below n (units_apart m a b)); [|apply G]. induction n as [|n IH]; [reflexivity|]. cbn [sum_below]. rewrite <- IH, seq_S. cbn [Nat.add].
  assert (App : forall l k, moved_units a b (l ++ k) = (moved_units a b l + moved_units a b k)%nat) by (induction l; intros k; cbn; [reflexivity | rewrite IHl; lia]).
  rewrite App, plus_INR. f_equal. cbn. rewrite Nat.add_0_r, INR_IZR_INZ, Zabs2Nat.id_abs, abs_IZR, minus_IZR. reflexivity.
Qed.
Lemma sums_private m K : 0 <= K ->
  private (E ^ Z.to_nat (units m K)) 0 (Forall counted) one_user (fun users => noisy_sums P m (summed (clipped norm_1 m K) users)).
Proof.
  intros HK. split.
  - intros users _. split; [apply noisy_measure | apply every_total; apply Forall_map, Forall_forall; intros j _; apply close].
  - assert (Way : forall x y, Forall counted x -> Forall counted y -> one_user x y ->
      dp (E ^ Z.to_nat (units m K)) 0 (noisy_sums P m (summed (clipped norm_1 m K) x)) (noisy_sums P m (summed (clipped norm_1 m K) y))).
    { intros x y X Y (before & h & k & after & -> & ->). apply Forall_app in X. apply Forall_app in Y. destruct X as [_ X], Y as [_ Y]. inversion X; inversion Y; subst.
      eapply weaker_holds; [apply noisy_measure | | | apply sums_near]; [|lra]. apply Rle_pow; auto.
      apply INR_le. rewrite moved_is_distance, INR_IZR_INZ, Z2Nat.id; [apply moves_in_l1; auto|].
      unfold units. pose proof (rounded_positive K HK). destruct (m <=? 1)%nat; lia. }
    intros x y X Y N. split; apply Way; auto. destruct N as (before & h & k & after & -> & ->). exists before, k, h, after. auto.
Qed.
Lemma steady_private : private E 0 (fun _ => True) (fun c e => e = c + 1 \/ c = e + 1)%Z P.
Proof. split; [intros c _; split; apply close|]. intros c e _ _ [-> | ->]; [|split]; apply close. Qed.
End NoiseOnSums.

(* Geometric noise of e^epsilon = r; any map of a release, as clamping each sum, is as private. *)
Lemma noise_private r P : 1 < r -> noise_of_ratio (/ r) P -> private r 0 (fun _ => True) (fun c e => e = c + 1 \/ c = e + 1)%Z P.
Proof. intros H G. apply steady_private, geometric_is_close; auto. Qed.
Lemma mapped_sums_private {B : Type} (f : list Z -> B) r P m K : 1 < r -> noise_of_ratio (/ r) P -> 0 <= K ->
  private (r ^ Z.to_nat (units m K)) 0 (Forall counted) one_user (fun users => image f (noisy_sums P m (summed (clipped norm_1 m K) users))).
Proof. intros H G HK. apply private_image, sums_private; auto using geometric_is_close. Qed.
