(* Rounded powers are near the exact ones: errors double where a vector is squared, and rounding adds 1/s for each number. *)
From Coq Require Import Reals ZArith Arith Lra Lia.
From DP.definitions Require Import Laws Sampling Convolution.
From DP.facts Require Import Laws Sampling Clipping.
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
(* Binomial laws from rounded powers of a coin. *)
Section Coins.
Variable r : R.
Hypothesis rate_in : 0 <= r <= 1.
Lemma coin_at_most t : at_most_all t (coin_vector r).
Proof.
  split; [intros [|[|k]]; cbn; lra|]. destruct t as [|[|t]]; [cbn; lra | cbn; lra |]. rewrite !sum_shift, (sum_ext t _ (fun _ => 0)), sum_constant by reflexivity. cbn. lra.
Qed.
Lemma coin_convolved w k : convolved (coin_vector r) w k = (1 - r) * w k + match k with O => 0 | S j => r * w j end.
Proof.
  unfold convolved. rewrite sum_shift. destruct k as [|k]; [cbn; ring|]. rewrite sum_shift, (sum_ext k _ (fun _ => 0)), sum_constant by (intros i I; cbn; ring). cbn [coin_vector Nat.sub]. rewrite Nat.sub_0_r. ring.
Qed.
Lemma rest_after_coin t w u : rest_at (S t) (convolved (coin_vector r) w) u = r * rest_at t w (fun v => u (S v)) + (1 - r) * rest_at (S t) w u.
Proof.
  assert (Part : forall v, sum_below (S t) (fun k => convolved (coin_vector r) w k * v k) = (1 - r) * sum_below (S t) (fun k => w k * v k) + r * sum_below t (fun k => w k * v (S k))).
  { intros v. rewrite sum_shift, coin_convolved. rewrite (sum_ext t _ (fun k => (1 - r) * (w (S k) * v (S k)) + r * (w k * v (S k)))) by (intros k _; rewrite coin_convolved; ring).
    rewrite sum_plus, !sum_scale, (sum_shift t (fun k => w k * v k)). ring. }
  pose proof (Part (fun _ => 1)) as Whole. rewrite !(sum_ext _ (fun k => _ * 1) _ (fun k _ => Rmult_1_r _)) in Whole. unfold rest_at. rewrite Part, Whole. ring.
Qed.
(* The capped number of heads has the powers of the coin, and the rest at the cap. *)
Lemma capped_heads m : forall t u, image (Nat.min t) (sampled r m) u = rest_at t (fold_power (coin_vector r) m) u.
Proof.
  induction m as [|m IH]; intros t u.
  - unfold image, rest_at. cbn [sampled fold_power]. unfold ret. destruct t as [|t]; [cbn; ring|]. rewrite Nat.min_0_r, !sum_shift, (sum_ext t _ (fun _ => 0)), !sum_constant by (intros; ring). ring.
  - change (image (Nat.min t) (sampled r (S m)) u) with (r * sampled r m (fun v => u (Nat.min t (S v))) + (1 - r) * image (Nat.min t) (sampled r m) u).
    cbn [fold_power]. destruct t as [|t].
    + unfold image. cbn [Nat.min]. pose proof (IH 0%nat u) as Z. unfold image, rest_at in *. cbn in *. rewrite Z. ring.
    + rewrite rest_after_coin, <- !IH. reflexivity.
Qed.
End Coins.
(* Numbers that are near make laws that are. *)
Lemma rest_near t w v d : l1_apart t w v <= d -> dp 1 d (rest_at t w) (rest_at t v).
Proof.
  intros D u U. unfold rest_at.
  assert (H : sum_below t (fun k => w k * u k) + (1 - sum_below t w) * u t - (sum_below t (fun k => v k * u k) + (1 - sum_below t v) * u t) = sum_below t (fun k => (w k - v k) * (u k - u t))).
  { clear D. rewrite (sum_ext t (fun k => (w k - v k) * (u k - u t)) (fun k => (w k * u k + -1 * (v k * u k)) + (- u t * w k + u t * v k))) by (intros; ring).
    rewrite !sum_plus, !sum_scale. ring. }
  assert (L : sum_below t (fun k => (w k - v k) * (u k - u t)) <= l1_apart t w v).
  { apply sum_le. intros k _. pose proof (U k). pose proof (U t). unfold Rabs. destruct (Rcase_abs _); nra. }
  lra.
Qed.
Lemma heads_finite r m : 0 <= r <= 1 -> finite (sampled r m).
Proof. intros H. induction m; cbn; [apply ret_finite | apply mix_finite; auto using image_finite]. Qed.
Lemma coins_near r x m : 0 <= r <= 1 -> 0 <= x <= 1 -> dp 1 (INR m * Rabs (r - x)) (sampled r m) (sampled x m).
Proof.
  intros HR HX. induction m as [|m IH]; [intros u U; cbn; unfold ret; lra|]. intros u U. assert (V : event (fun v => u (S v))) by (intros v; apply U).
  change (r * sampled r m (fun v => u (S v)) + (1 - r) * sampled r m u <= 1 * (x * sampled x m (fun v => u (S v)) + (1 - x) * sampled x m u) + INR (S m) * Rabs (r - x)).
  pose proof (IH u U) as A. pose proof (IH _ V) as B. rewrite S_INR. replace ((INR m + 1) * Rabs (r - x)) with (INR m * Rabs (r - x) + Rabs (r - x)) by ring. set (g := INR m * Rabs (r - x)) in *. assert (P := finite_is_measure _ (heads_finite x m HX)).
  pose proof (within _ _ P U) as C. pose proof (within _ _ P V) as D. clearbody g. revert A B C D. generalize (sampled r m u) (sampled r m (fun v => u (S v))) (sampled x m u) (sampled x m (fun v => u (S v))). intros a b c e A B C D.
  assert (r * b <= r * (e + g)) by (apply Rmult_le_compat_l; lra). assert ((1 - r) * a <= (1 - r) * (c + g)) by (apply Rmult_le_compat_l; lra).
  assert ((r - x) * (e - c) <= Rabs (r - x)) by (clear - C D; unfold Rabs; destruct (Rcase_abs _); nra). lra.
Qed.
Lemma rate_rounded s p q : (1 <= s)%nat -> (1 <= q)%nat -> (p <= q)%nat -> 0 <= rounded_rate s p q <= INR p / INR q /\ INR p / INR q - rounded_rate s p q <= / INR s.
Proof.
  intros HS HQ HP. unfold rounded_rate. assert (S0 : 0 < INR s) by (apply lt_0_INR; lia). assert (Q0 : 0 < INR q) by (apply lt_0_INR; lia).
  pose proof (Nat.div_mod (s * p) q ltac:(lia)) as E. pose proof (Nat.mod_upper_bound (s * p) q ltac:(lia)) as M. set (f := (s * p / q)%nat) in *.
  assert (L : INR q * INR f <= INR s * INR p) by (rewrite <- !mult_INR; apply le_INR; lia).
  assert (G : INR s * INR p <= INR q * INR f + INR q) by (rewrite <- !mult_INR, <- plus_INR; apply le_INR; lia). pose proof (pos_INR f).
  repeat split.
  - apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; auto].
  - apply (Rmult_le_reg_r (INR s * INR q)); [nra|]. replace (INR f / INR s * (INR s * INR q)) with (INR q * INR f) by (field; lra). replace (INR p / INR q * (INR s * INR q)) with (INR s * INR p) by (field; lra). exact L.
  - apply (Rmult_le_reg_r (INR s * INR q)); [nra|]. replace ((INR p / INR q - INR f / INR s) * (INR s * INR q)) with (INR s * INR p - INR q * INR f) by (field; lra). replace (/ INR s * (INR s * INR q)) with (INR q) by (field; lra). lra.
Qed.
Lemma share_in p q : (1 <= q)%nat -> (p <= q)%nat -> 0 <= INR p / INR q <= 1.
Proof.
  intros Q P. assert (Q0 : 0 < INR q) by (apply lt_0_INR; lia). apply le_INR in P. pose proof (pos_INR p).
  split; [apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; auto]|]. apply (Rmult_le_reg_r (INR q)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Section RoundedBinomials.
Variables (s p q t : nat) (m : positive).
Hypothesis precise : (1 <= s)%nat.
Hypothesis some_q : (1 <= q)%nat.
Hypothesis share : (p <= q)%nat.
Let M := Pos.to_nat m.
Lemma rounded_rate_in : 0 <= rounded_rate s p q <= 1.
Proof. pose proof (rate_rounded s p q precise some_q share). pose proof (share_in p q some_q share). lra. Qed.
Lemma rate_moves : dp_both 1 (INR M * (INR p / INR q - rounded_rate s p q)) (image (Nat.min t) (sampled (rounded_rate s p q) M)) (image (Nat.min t) (sampled (INR p / INR q) M)) /\
  INR M * (INR p / INR q - rounded_rate s p q) <= INR M / INR s.
Proof.
  destruct (rate_rounded s p q precise some_q share) as [L U]. pose proof (share_in p q some_q share) as P. pose proof rounded_rate_in as I. split; [|apply Rmult_le_compat_l; [apply pos_INR | exact U]].
  split; apply image_holds; [replace (INR p / INR q - rounded_rate s p q) with (Rabs (rounded_rate s p q - INR p / INR q)) by (rewrite Rabs_left1; lra)
    | replace (INR p / INR q - rounded_rate s p q) with (Rabs (INR p / INR q - rounded_rate s p q)) by (rewrite Rabs_pos_eq; lra)]; apply coins_near; auto.
Qed.
Lemma rounding_moves : dp_both 1 (INR t * (INR M - 1) / INR s) (rounded_binomial s p q t m) (image (Nat.min t) (sampled (rounded_rate s p q) M)).
Proof.
  assert (S0 : 0 < INR s) by (apply lt_0_INR; lia). assert (Near : l1_apart t (rounded_power (INR s) (coin_vector (rounded_rate s p q)) m) (fold_power (coin_vector (rounded_rate s p q)) M) <= INR t * (INR M - 1) / INR s).
  { destruct (Nat.eq_dec t 0) as [->|T]; [cbn; unfold Rdiv; lra|]. apply rounded_near; [lia | auto | apply coin_at_most, rounded_rate_in]. }
  split; intros u U; rewrite capped_heads; unfold rounded_binomial; apply rest_near; auto.
  eapply Rle_trans; [|exact Near]. right. apply sum_ext. intros k _. apply Rabs_minus_sym.
Qed.
Lemma rounded_binomial_near : dp_both 1 ((INR M * (INR t + 1) - INR t) / INR s) (rounded_binomial s p q t m) (image (Nat.min t) (sampled (INR p / INR q) M)).
Proof.
  replace ((INR M * (INR t + 1) - INR t) / INR s) with (INR t * (INR M - 1) / INR s + INR M / INR s) by (field; apply not_0_INR; lia).
  destruct rounding_moves as [A B], rate_moves as [[C D] E]. split; intros u U; [pose proof (A u U); pose proof (C u U) | pose proof (B u U); pose proof (D u U)]; lra.
Qed.
Lemma rounded_level_near n k : (t <= n + 1)%nat -> (M <= k)%nat -> dp_both 1 (INR k * (INR n + 2) / INR s) (rounded_binomial s p q t m) (image (Nat.min t) (sampled (INR p / INR q) M)).
Proof.
  intros T K. apply le_INR in T, K. rewrite plus_INR in T. cbn [INR] in T. assert (1 <= INR M) by (apply (le_INR 1); unfold M; lia). pose proof (pos_INR t).
  assert (I : 0 < / INR s) by (apply Rinv_0_lt_compat, lt_0_INR; lia). destruct rounded_binomial_near as [A B].
  assert (L : (INR M * (INR t + 1) - INR t) / INR s <= INR k * (INR n + 2) / INR s) by (apply Rmult_le_compat_r; [lra|]; nra).
  split; intros u U; [pose proof (A u U) | pose proof (B u U)]; lra.
Qed.
Lemma rounded_binomial_law : measure (rounded_binomial s p q t m) /\ total (rounded_binomial s p q t m).
Proof.
  assert (S0 : 0 < INR s) by (apply lt_0_INR; lia). destruct (rounded_is_vector t (INR s) _ S0 (coin_at_most _ rounded_rate_in t) m) as [P L].
  set (w := rounded_power _ _ m) in *. unfold rounded_binomial. fold w. split.
  - assert (F : finite (fun u => sum_below (S t) (fun k => (if (k <? t)%nat then w k else 1 - sum_below t w) * u k) / 1)).
    { apply weighted_finite; [lra | intros k _; destruct (k <? t)%nat; [apply P | lra]|]. cbn [sum_below]. rewrite Nat.ltb_irrefl, (sum_ext t _ w); [lra|]. intros k K. apply Nat.ltb_lt in K. rewrite K. reflexivity. }
    destruct (finite_is_measure _ F) as [A1 A2 A3 A4 A5].
    assert (E : forall u, sum_below (S t) (fun k => (if (k <? t)%nat then w k else 1 - sum_below t w) * u k) / 1 = rest_at t w u).
    { intros u. unfold rest_at. cbn [sum_below]. rewrite Nat.ltb_irrefl, (sum_ext t _ (fun k => w k * u k)); [field|]. intros k K. apply Nat.ltb_lt in K. rewrite K. reflexivity. }
    split; intros; rewrite <- ?E; auto. intros e He. destruct (A5 u v ltac:(auto) ltac:(auto) ltac:(auto) ltac:(auto) e He) as [N HN]. exists N. intros j J. rewrite <- !E. auto.
  - unfold total, rest_at. rewrite (sum_ext t _ w) by (intros; ring). ring.
Qed.
End RoundedBinomials.
(* An example: all mass at 0. *)
Lemma point_vector t : (1 <= t)%nat -> at_most_all t (fold_power (fun _ => 0) 0).
Proof. intros T. apply power_at_most_all; auto. split; [intros; lra | rewrite sum_constant; lra]. Qed.
