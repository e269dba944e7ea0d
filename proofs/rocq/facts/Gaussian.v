(* Discrete Gaussian noise: what three shifts of it have in common, and sums with such noise. *)
From Coq Require Import Reals ZArith List Arith Lra Lia.
From DP.definitions Require Import Laws Chains TwoSided Clipping.
From DP.facts Require Import Laws Histograms Chains TwoSided Clipping.
Import ListNotations.
Open Scope R_scope.

(* Means on integers as limits of finite sums of masses. *)
Definition in_row (r : law Z) : law nat := image place r.
Lemma row_mean r u : measure r -> event u -> r u = in_row r (fun i => u (at_place i)).
Proof. intros M U. unfold in_row, image. apply (same r); auto; intros z; rewrite ?place_back; auto using U. Qed.
Lemma row_mass r i : measure r -> in_row r (alone i) = if Nat.eqb (place (at_place i)) i then r (exactly (at_place i)) else 0.
Proof.
  intros M. unfold in_row, image. destruct (Nat.eqb_spec (place (at_place i)) i) as [Same|No].
  - apply (same r); auto using exactly_event; intros z; [apply alone_is_event|]. unfold alone, exactly.
    destruct (Nat.eqb_spec (place z) i) as [Z|Z], (Z.eq_dec z (at_place i)) as [Y|Y]; subst; rewrite ?place_back in *; congruence.
  - rewrite <- (of_zero r M). apply (same r); auto using zero_is_event; intros z; [apply alone_is_event|]. unfold alone.
    destruct (Nat.eqb_spec (place z) i) as [<-|]; [rewrite place_back in No; contradiction | reflexivity].
Qed.
Lemma row_limit r u : measure r -> event u -> Un_cv (fun n => sum_below n (fun i => u (at_place i) * in_row r (alone i))) (r u).
Proof.
  intros M U. assert (V : event (fun i => u (at_place i))) by (intros i; apply U). rewrite (row_mean r u M U).
  assert (L : measure (in_row r)) by (apply image_measure; exact M).
  intros e He. destruct (limit_of_parts (in_row r) _ L V e He) as [n H]. exists n. intros k Hk.
  specialize (H k Hk). rewrite mean_before_n in H by auto. exact H.
Qed.
Lemma by_three_masses (A B C : R) (p q t : law Z) (F G H : Z -> R) : measure p -> measure q -> measure t -> event F -> event G -> event H ->
  (forall z, A * p (exactly z) * F z <= B * q (exactly z) * G z + C * t (exactly z) * H z) -> A * p F <= B * q G + C * t H.
Proof.
  intros P Q T VF VG VH Each.
  apply (limit_order (fun n => A * sum_below n (fun i => F (at_place i) * in_row p (alone i)))
    (fun n => B * sum_below n (fun i => G (at_place i) * in_row q (alone i)) + C * sum_below n (fun i => H (at_place i) * in_row t (alone i)))).
  - intros n. rewrite <- !sum_scale, <- sum_plus. apply sum_le. intros i _. rewrite !row_mass by auto.
    destruct (Nat.eqb (place (at_place i)) i); [specialize (Each (at_place i)); nra | lra].
  - apply limit_scaled, row_limit; auto.
  - apply CV_plus; apply limit_scaled, row_limit; auto.
Qed.

(* What is above B times another number is at most this power's excess_share. *)
Lemma power_above_line s n : 0 <= s -> 1 + INR n * (s - 1) <= s ^ n.
Proof.
  intros S0. induction n as [|n IH]; [cbn; lra|]. rewrite S_INR. cbn [pow]. pose proof (pos_INR n).
  apply Rle_trans with (s * (1 + INR n * (s - 1))); [|apply Rmult_le_compat_l; auto].
  replace (s * (1 + INR n * (s - 1))) with (1 + (INR n + 1) * (s - 1) + INR n * (s - 1) ^ 2) by ring.
  pose proof (Rmult_le_pos _ _ (pos_INR n) (pow2_ge_0 (s - 1))). lra.
Qed.
Definition excess_share (n : nat) : R := (INR n / INR (S n)) ^ S n / INR n.
Lemma above_line n r : (1 <= n)%nat -> 0 <= r -> r <= 1 + excess_share n * r ^ S n.
Proof.
  intros N R0. assert (P : 0 < INR n) by (apply lt_0_INR; lia). assert (Q : 0 < INR (S n)) by (apply lt_0_INR; lia).
  assert (X : 0 <= INR n / INR (S n)) by (left; apply Rdiv_lt_0_compat; auto).
  pose proof (power_above_line (r * (INR n / INR (S n))) (S n) ltac:(apply Rmult_le_pos; auto)) as L.
  rewrite Rpow_mult_distr in L. unfold excess_share.
  replace ((INR n / INR (S n)) ^ S n / INR n * r ^ S n) with (r ^ S n * (INR n / INR (S n)) ^ S n / INR n) by (field; lra).
  apply (Rmult_le_reg_l (INR n)); auto. rewrite Rmult_plus_distr_l.
  replace (INR n * (r ^ S n * (INR n / INR (S n)) ^ S n / INR n)) with (r ^ S n * (INR n / INR (S n)) ^ S n) by (field; lra).
  replace (INR (S n) * (r * (INR n / INR (S n)) - 1)) with (INR n * r - INR (S n)) in L by (field; lra). rewrite S_INR in *. lra.
Qed.
Lemma two_numbers n A B : (1 <= n)%nat -> 0 <= A -> 0 < B -> A <= B + excess_share n * (A ^ S n / B ^ n).
Proof.
  intros N HA HB. pose proof (above_line n (A / B) N ltac:(apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; auto])) as L.
  apply (Rmult_le_compat_l B) in L; [|lra]. replace (B * (A / B)) with A in L by (field; lra).
  replace (B * (1 + excess_share n * (A / B) ^ S n)) with (B + excess_share n * (A ^ S n / B ^ n)) in L; [exact L|].
  assert (X : (A / B) ^ S n = A ^ S n / (B * B ^ n)) by (unfold Rdiv; rewrite Rpow_mult_distr, pow_inv; reflexivity).
  rewrite X. field. split; [apply pow_nonzero|]; lra.
Qed.
Lemma excess_share_positive n : (1 <= n)%nat -> 0 <= excess_share n.
Proof.
  intros N. assert (0 < INR n) by (apply lt_0_INR; lia). assert (0 < INR (S n)) by (apply lt_0_INR; lia). unfold excess_share.
  apply Rmult_le_pos; [apply pow_le|]; left; [apply Rdiv_lt_0_compat | apply Rinv_0_lt_compat]; auto.
Qed.

Section Shifts.
Variables (variance w : R) (N : Z -> law Z) (n : nat).
Hypothesis positive_variance : 0 < variance.
Hypothesis positive_weight : 0 < w.
Hypothesis noise : forall c : Z, measure (N c) /\ total (N c) /\ forall z : Z, N c (exactly z) = w * exp (- (IZR (z - c) ^ 2 / (2 * variance))).
Hypothesis order : (1 <= n)%nat.
(* The third centre: as far third_centre a, seen from b, as the order says. *)
Definition third_centre (a b : Z) : Z := (Z.of_nat (S n) * a - Z.of_nat n * b)%Z.
Definition cost (d : R) : R := exp (INR n * INR (S n) * (d / (2 * variance))).
Lemma masses_of_three a b z :
  N a (exactly z) ^ S n / N b (exactly z) ^ n = cost (IZR (a - b) ^ 2) * N (third_centre a b) (exactly z).
Proof.
  destruct (noise a) as (_ & _ & ->), (noise b) as (_ & _ & ->), (noise (third_centre a b)) as (_ & _ & ->).
  rewrite !Rpow_mult_distr, <- !exp_pow. unfold cost, Rdiv at 1. rewrite Rinv_mult, <- exp_Ropp.
  replace (w ^ S n * exp (INR (S n) * - (IZR (z - a) ^ 2 / (2 * variance))) * (/ w ^ n * exp (- (INR n * - (IZR (z - b) ^ 2 / (2 * variance))))))
    with (w * (exp (INR (S n) * - (IZR (z - a) ^ 2 / (2 * variance))) * exp (- (INR n * - (IZR (z - b) ^ 2 / (2 * variance))))))
    by (cbn [pow]; field; apply pow_nonzero; lra).
  rewrite <- exp_plus, (Rmult_comm (exp _) (w * _)), Rmult_assoc, <- exp_plus. do 2 f_equal. unfold third_centre.
  rewrite !minus_IZR, !mult_IZR, <- !INR_IZR_INZ, S_INR. field. lra.
Qed.
Lemma mass_positive a z : 0 < N a (exactly z).
Proof. destruct (noise a) as (_ & _ & ->). apply Rmult_lt_0_compat; [auto | apply exp_pos]. Qed.
Definition with_noise (s : nat -> Z) (l : list nat) : law (list Z) := every (map (fun j => N (s j)) l).
Lemma with_noise_lawful s l : measure (with_noise s l).
Proof. apply every_measure, Forall_map, Forall_forall. intros j _. apply noise. Qed.
Lemma with_noise_total s l : total (with_noise s l).
Proof. apply every_total; apply Forall_map, Forall_forall; intros j _; apply noise. Qed.
Fixpoint squares (a b : nat -> Z) (l : list nat) : R := match l with [] => 0 | j :: rest => IZR (a j - b j) ^ 2 + squares a b rest end.
Lemma three_laws a b l : forall A B u, 0 < A -> 0 < B -> event u ->
  A * with_noise a l u <= B * with_noise b l u + excess_share n * (A ^ S n / B ^ n) * cost (squares a b l) * with_noise (fun j => third_centre (a j) (b j)) l u.
Proof.
  induction l as [|j l IH]; intros A B u HA HB U.
  - unfold with_noise. cbn [map every squares]. unfold ret, cost.
    replace (INR n * INR (S n) * (0 / (2 * variance))) with 0 by (field; lra). rewrite exp_0.
    pose proof (two_numbers n A B order ltac:(lra) HB). specialize (U []). nra.
  - unfold with_noise. cbn [map every squares]. unfold bind. assert (V : forall s, event (fun z => image (cons z) (with_noise s l) u)).
    { intros s z. apply within; [apply image_measure, with_noise_lawful | exact U]. }
    apply (by_three_masses A B _ (N (a j)) (N (b j)) (N (third_centre (a j) (b j)))); try apply noise; try apply V. intros z.
    pose proof (mass_positive (a j) z). pose proof (mass_positive (b j) z).
    assert (W : event (fun x => u (z :: x))) by (intros x; apply U).
    pose proof (IH (A * N (a j) (exactly z)) (B * N (b j) (exactly z)) _ ltac:(apply Rmult_lt_0_compat; auto) ltac:(apply Rmult_lt_0_compat; auto) W) as L.
    eapply Rle_trans; [exact L|]. apply Rplus_le_compat_l. right. unfold image.
    replace ((A * N (a j) (exactly z)) ^ S n / (B * N (b j) (exactly z)) ^ n)
      with (A ^ S n / B ^ n * (N (a j) (exactly z) ^ S n / N (b j) (exactly z) ^ n))
      by (rewrite !Rpow_mult_distr; field; split; apply pow_nonzero; lra).
    rewrite masses_of_three. replace (cost (IZR (a j - b j) ^ 2 + squares a b l)) with (cost (IZR (a j - b j) ^ 2) * cost (squares a b l)); [unfold with_noise; ring|].
    unfold cost. rewrite <- exp_plus. f_equal. field. lra.
Qed.
Lemma cost_rises c d : c <= d -> cost c <= cost d.
Proof.
  intros H. apply exp_le. apply Rmult_le_compat_l; [apply Rmult_le_pos; apply pos_INR|]. apply Rmult_le_compat_r; [|exact H].
  left. apply Rinv_0_lt_compat. lra.
Qed.
Lemma shifts_close a b l E d : 0 < E -> squares a b l <= d -> dp E (concentrated_delta n (d / (2 * variance)) E) (with_noise a l) (with_noise b l).
Proof.
  intros HE D u U. pose proof (three_laws a b l 1 E u ltac:(lra) HE U) as L. rewrite pow1, Rmult_1_l in L.
  eapply Rle_trans; [exact L|]. apply Rplus_le_compat_l. pose proof (within _ _ (with_noise_lawful (fun j => third_centre (a j) (b j)) l) U) as T.
  assert (0 < E ^ n) by (apply pow_lt; auto). assert (0 < 1 / E ^ n) by (apply Rdiv_lt_0_compat; lra).
  pose proof (excess_share_positive n order). pose proof (cost_rises _ _ D). assert (0 < cost (squares a b l)) by apply exp_pos.
  apply Rle_trans with (excess_share n * (1 / E ^ n) * cost d).
  - rewrite <- (Rmult_1_r (excess_share n * (1 / E ^ n) * cost d)). assert (0 <= excess_share n * (1 / E ^ n)) by (apply Rmult_le_pos; lra).
    apply Rmult_le_compat; try apply T; [apply Rmult_le_pos; lra | apply Rmult_le_compat_l; auto].
  - right. unfold concentrated_delta, cost, excess_share. assert (INR n <> 0) by (apply not_0_INR; lia). field. split; lra.
Qed.
End Shifts.

(* The squares of what one user moves, in whole units. *)
Lemma squares_are_sum a b m : squares a b (seq 0 m) = sum_below m (fun j => (IZR (a j) - IZR (b j)) ^ 2).
Proof.
  assert (App : forall l k, squares a b (l ++ k) = squares a b l + squares a b k) by (induction l; intros k; cbn; [ring | rewrite IHl; ring]).
  induction m as [|m IH]; [reflexivity|]. rewrite seq_S, App, IH. cbn [squares sum_below Nat.add]. rewrite minus_IZR. ring.
Qed.
Lemma whole_squares m (a : nat -> Z) : exists z, sum_below m (fun j => IZR (a j) ^ 2) = IZR z.
Proof.
  induction m as [|m [z IH]]; [exists 0%Z; reflexivity|]. exists (z + a m * a m)%Z. cbn [sum_below]. rewrite IH, plus_IZR, mult_IZR. ring.
Qed.
Lemma moves_in_l2 m K before h k after : 0 <= K -> counted h -> counted k ->
  squares (summed (clipped norm_2 m K) (before ++ h :: after)) (summed (clipped norm_2 m K) (before ++ k :: after)) (seq 0 m) <= IZR (squared_units m K).
Proof.
  intros HK H G. destruct (clipped_norm_2 m K h HK H) as [P A]. destruct (clipped_norm_2 m K k HK G) as [Q B]. rewrite squares_are_sum.
  rewrite (sum_ext _ _ (fun j => (IZR (clipped norm_2 m K h j) - IZR (clipped norm_2 m K k j)) ^ 2)) by (intros; rewrite <- !minus_IZR, others_cancel; reflexivity).
  unfold squared_units. destruct (Nat.leb_spec m 1) as [M|M].
  - destruct m as [|[|m]]; try lia.
    + cbn [sum_below]. apply IZR_le. apply Z.pow_nonneg, rounded_positive, HK.
    + cbn [sum_below] in *. rewrite Rplus_0_l in *. specialize (P 0%nat). specialize (Q 0%nat).
      assert (Root : forall x, 0 <= IZR x -> IZR x ^ 2 <= K ^ 2 -> IZR x ^ 2 <= IZR (Int_part K) ^ 2).
      { intros x X Y. apply pow_incr. split; auto. apply IZR_le, rounded_least. apply Rsqr_incr_0_var; [rewrite !Rsqr_pow2; exact Y | exact HK]. }
      replace (IZR (Int_part K ^ 2)) with (IZR (Int_part K) ^ 2) by (rewrite Z.pow_2_r, mult_IZR; ring). apply square_between; auto.
  - apply Rle_trans with (sum_below m (fun j => IZR (clipped norm_2 m K h j) ^ 2 + IZR (clipped norm_2 m K k j) ^ 2)).
    + apply sum_le. intros j _. specialize (P j). specialize (Q j). nra.
    + rewrite sum_plus, mult_IZR. destruct (whole_squares m (clipped norm_2 m K h)) as [x X], (whole_squares m (clipped norm_2 m K k)) as [y Y].
      rewrite X, Y in *. pose proof (IZR_le _ _ (rounded_least _ _ A)). pose proof (IZR_le _ _ (rounded_least _ _ B)). lra.
Qed.
Lemma gaussian_sums_hold {B : Type} (f : list Z -> B) variance P m K n E : 0 < variance -> gaussian_noise variance P -> 0 <= K -> (1 <= n)%nat -> 0 < E ->
  private E (concentrated_delta n (IZR (squared_units m K) / (2 * variance)) E) (Forall counted) one_user
    (fun users => image f (noisy_sums P m (summed (clipped norm_2 m K) users))).
Proof.
  intros V (w & W & G) HK N HE. apply private_image. split.
  - intros users _. split; [apply (with_noise_lawful variance w P G) | apply (with_noise_total variance w P G)].
  - assert (Way : forall x y, Forall counted x -> Forall counted y -> one_user x y ->
      dp E (concentrated_delta n (IZR (squared_units m K) / (2 * variance)) E) (noisy_sums P m (summed (clipped norm_2 m K) x)) (noisy_sums P m (summed (clipped norm_2 m K) y))).
    { intros x y X Y (before & h & k & after & -> & ->). apply Forall_app in X. apply Forall_app in Y. destruct X as [_ X], Y as [_ Y]. inversion X; inversion Y; subst.
      apply (shifts_close variance w P n V W G N); auto. apply moves_in_l2; auto. }
    intros x y X Y Near. split; apply Way; auto. destruct Near as (before & h & k & after & -> & ->). exists before, k, h, after. auto.
Qed.
