(* FastSample is private, and noisy counts are seldom far off. *)
From Coq Require Import Reals Lra Lia ZArith Bool Arith List.
Import ListNotations.
From DP.definitions Require Import Laws Programs GeoSample EmptyBin Histograms Chains FastSample.
From DP.facts Require Import Laws Programs GeoSample Exponentials Chains CutNoise.
Open Scope R_scope.

(* Privacy: outcome by outcome, as the uniform law has each count. *)
Lemma sum_alone (u : nat -> R) z m : sum_below m (fun r => u r * alone r z) = if (z <? m)%nat then u z else 0.
Proof.
  induction m as [|m IH]; [reflexivity|]. cbn [sum_below]. rewrite IH. unfold alone.
  destruct (Nat.ltb_spec z m), (Nat.ltb_spec z (S m)), (Nat.eqb_spec z m); subst; try lia; ring.
Qed.
Lemma uniform_alone n r : (r <= n)%nat -> uniform (S n) (alone r) = / INR (S n).
Proof.
  intros H. unfold uniform, weighted. rewrite (sum_ext _ _ (fun i => 1 * alone i r)) by (intros i _; unfold alone; rewrite Nat.eqb_sym; reflexivity).
  rewrite (sum_alone (fun _ => 1)). destruct (Nat.ltb_spec r (S n)); [unfold Rdiv; ring | lia].
Qed.
Lemma mixture_on_counts alpha gamma n t c : (c <= n)%nat -> on_counts n (mix gamma (uniform (S n)) (cut_off alpha t n c)).
Proof. intros C v. unfold mix. rewrite <- cut_on_counts by auto. f_equal. f_equal. apply (weighted_on_counts n (fun _ => 1)). Qed.
Lemma mixtures_near alpha E gamma n t c e : 0 < alpha < 1 -> 1 <= E -> / alpha <= E -> 0 <= gamma <= 1 -> (1 <= n)%nat -> (c <= n)%nat -> (e <= n)%nat -> differ_by_one c e ->
  (1 - gamma) * (1 + E) * (2 * alpha ^ S t / (1 + alpha)) <= (E - 1) * gamma / INR (S n) ->
  dp E 0 (mix gamma (uniform (S n)) (cut_off alpha t n c)) (mix gamma (uniform (S n)) (cut_off alpha t n e)).
Proof.
  intros A HE AE G N C D Near H u U. rewrite Rplus_0_r.
  assert (Fine : forall c, (c <= n)%nat -> measure (mix gamma (uniform (S n)) (cut_off alpha t n c))) by (intros; apply finite_is_measure, mix_finite; auto using uniform_finite, cut_finite).
  apply bounded_by_outcomes; auto; [lra|]. intros r. right.
  assert (Zero : forall k, (k <= n)%nat -> (n < r)%nat -> mix gamma (uniform (S n)) (cut_off alpha t n k) (alone r) = 0).
  { intros k K R. rewrite mixture_on_counts, <- (of_zero _ (Fine k K)) by auto. apply (same _ _ _ (Fine k K)); auto using zero_is_event.
    - intros z. unfold count_at_most, alone. destruct (z <=? n)%nat, (z =? r)%nat; lra.
    - intros z. unfold count_at_most, alone. destruct (Nat.leb_spec z n), (Nat.eqb_spec z r); try lia; ring. }
  destruct (Nat.le_gt_cases r n) as [R|R]; [|rewrite !Zero by auto; lra].
  unfold mix. rewrite uniform_alone by auto.
  pose proof (moved_near alpha n c A C t (alone r) N (alone_is_event r)) as X. pose proof (moved_near alpha n e A D t (alone r) N (alone_is_event r)) as Y.
  apply size_between in X. apply size_between in Y. pose proof (proj2 (noisy_private alpha n A N) c e C D Near) as [P _].
  specialize (P (alone r) (alone_is_event r)). assert (0 <= noisy alpha n e (alone r)).
  { apply (within _ _ (finite_is_measure _ (noisy_finite alpha n e A D N)) (alone_is_event r)). }
  set (m := 2 * alpha ^ S t / (1 + alpha)) in *. set (x := cut_off alpha t n c (alone r)) in *. set (y := cut_off alpha t n e (alone r)) in *.
  assert (K : x <= E * y + (1 + E) * m) by nra. unfold Rdiv in H. assert (0 <= 1 - gamma) by lra.
  apply (Rmult_le_compat_l (1 - gamma)) in K; auto. lra.
Qed.
(* The cut-off of step 1 is enough. *)
Lemma cut_enough alpha epsilon gamma n t L : / 2 <= alpha < 1 -> 0 < epsilon <= 2 -> 0 < gamma < 1 -> 4 / 9 * epsilon <= 2 * ln (/ alpha) ->
  9 * INR L <= 2 * epsilon * INR (S t) -> 8 * INR (S n) * (1 - gamma) <= 2 ^ L * (epsilon * gamma) ->
  (1 - gamma) * (1 + exp (epsilon / 2)) * (2 * alpha ^ S t / (1 + alpha)) <= (exp (epsilon / 2) - 1) * gamma / INR (S n).
Proof.
  intros A E G Small T H. assert (N : 0 < INR (S n)) by (apply lt_0_INR; lia). assert (P : 0 < 2 ^ L) by (apply pow_lt; lra).
  assert (X : alpha ^ S t <= / 2 ^ L).
  { rewrite <- (exp_ln alpha) by lra. rewrite <- exp_pow. rewrite <- (exp_ln (2 ^ L)), <- exp_Ropp by auto. apply exp_le.
    rewrite ln_Rinv in Small by lra. rewrite ln_pow by lra. assert (ln 2 <= 1) by (rewrite <- (ln_exp 1); apply ln_le; [lra|]; pose proof (exp_ineq1_le 1); lra).
    pose proof (pos_INR L). assert (INR L * ln 2 <= INR L * 1) by (apply Rmult_le_compat_l; auto).
    assert (INR (S t) * (2 / 9 * epsilon) <= INR (S t) * (- ln alpha)) by (apply Rmult_le_compat_l; [apply pos_INR | lra]). lra. }
  pose proof (gap_holds epsilon E) as Gap. set (r := exp (epsilon / 2)) in *. assert (R : 1 < r) by (unfold r; rewrite <- exp_0; apply exp_increasing; lra).
  apply (Rmult_le_compat_r (r + 1)) in Gap; [|lra]. replace ((r - 1) / (r + 1) * (r + 1)) with (r - 1) in Gap by (field; lra).
  assert (Y : 2 * alpha ^ S t / (1 + alpha) <= 4 / 3 * / 2 ^ L).
  { apply (Rmult_le_reg_r (1 + alpha)); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (0 < / 2 ^ L) by (apply Rinv_0_lt_compat; auto). nra. }
  apply (Rmult_le_reg_r (INR (S n) * 2 ^ L)); [apply Rmult_lt_0_compat; auto|].
  replace ((r - 1) * gamma / INR (S n) * (INR (S n) * 2 ^ L)) with ((r - 1) * (2 ^ L * gamma)) by (field; lra).
  apply Rle_trans with ((1 - gamma) * (1 + r) * (4 / 3 * / 2 ^ L) * (INR (S n) * 2 ^ L)).
  - apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_l; auto. apply Rmult_le_pos; lra.
  - replace ((1 - gamma) * (1 + r) * (4 / 3 * / 2 ^ L) * (INR (S n) * 2 ^ L)) with ((1 + r) / 6 * (8 * INR (S n) * (1 - gamma))) by (field; lra).
    apply Rle_trans with ((1 + r) / 6 * (2 ^ L * (epsilon * gamma))); [apply Rmult_le_compat_l; lra|].
    replace ((1 + r) / 6 * (2 ^ L * (epsilon * gamma))) with (epsilon / 6 * (r + 1) * (2 ^ L * gamma)) by field.
    apply Rmult_le_compat_r; auto. apply Rmult_le_pos; lra.
Qed.
Lemma theorem_4_10_i_holds n k t g L epsilon : (1 <= n)%nat -> (2 <= g)%Z -> 0 < epsilon <= 1 -> 2 / epsilon <= 2 ^ k -> 2 ^ k < 4 / epsilon ->
  8 * INR (S n) * (1 - / IZR g) <= 2 ^ L * (epsilon * / IZR g) -> 9 * INR L <= 2 * epsilon * INR (S t) ->
  private (exp (epsilon / 2)) 0 (at_most n) differ_by_one (fun c => run (fastsample n k t g c)).
Proof.
  intros N G E Low High HL HT. assert (Law : forall c u, (c <= n)%nat -> run (fastsample n k t g c) u = mix (/ IZR g) (uniform (S n)) (cut_off (/ (1 + / 2 ^ k)) t n c) u).
  { intros c u C. apply fastsample_law_holds; auto. lia. }
  assert (I : 0 < / IZR g < 1).
  { assert (2 <= IZR g) by (apply (IZR_le 2); auto). split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]. }
  split.
  - intros c C. apply program_holds, searched_draws, (mixed_positive _ _ n t g c); auto using coins_positive. lia.
  - assert (Way : forall c e, at_most n c -> at_most n e -> differ_by_one c e -> dp (exp (epsilon / 2)) 0 (run (fastsample n k t g c)) (run (fastsample n k t g e))).
    { intros c e C D Near u U. rewrite !Law by auto. pose proof (coins_half k) as K.
      apply mixtures_near; auto; try lra.
      - pose proof (exp_ineq1_le (epsilon / 2)). lra.
      - rewrite Rinv_inv. apply enough_coins; auto; lra.
      - apply (cut_enough _ epsilon _ n t L); auto; try lra. rewrite Rinv_inv. apply Rlt_le, range_holds; auto. }
    intros c e C D Near. split; apply Way; auto. destruct Near; [right | left]; auto.
Qed.

(* How far counts are off. *)
Lemma off_is_event a c : event (off_by_more a c).
Proof. intros z. unfold off_by_more. destruct (a <? distance c z)%nat; lra. Qed.
Lemma cut_off_up_to alpha n c a t : 0 < alpha < 1 -> (c <= n)%nat ->
  cut_off alpha t n c (off_by_more a c) <= if (t <=? a)%nat then 0 else 2 * (alpha ^ S a - alpha ^ S t) / (1 + alpha).
Proof.
  intros A C. assert (Zero : off_by_more a c c = 0) by (unfold off_by_more, distance; destruct (Nat.ltb_spec a (c - c + (c - c))); lra || lia).
  induction t as [|t IH].
  - unfold cut_off. cbn. rewrite Zero. lra.
  - rewrite cut_next, Zero by auto. pose proof (noise_positive alpha (S t) A) as P. pose proof (off_is_event a c (c - S t)%nat). pose proof (off_is_event a c (Nat.min n (c + S t))).
    destruct (Nat.leb_spec t a), (Nat.leb_spec (S t) a); try lia.
    + assert (off_by_more a c (c - S t) = 0 /\ off_by_more a c (Nat.min n (c + S t)) = 0) as [-> ->]; [|lra].
      unfold off_by_more, distance. split; match goal with |- context [(?x <? ?y)%nat] => destruct (Nat.ltb_spec x y) end; lra || lia.
    + assert (t = a) as -> by lia. apply Rle_trans with (0 + noise alpha (S a) * 2); [apply Rplus_le_compat; nra|]. unfold noise. cbn [pow]. right. field. lra.
    + apply Rle_trans with (2 * (alpha ^ S a - alpha ^ S t) / (1 + alpha) + noise alpha (S t) * 2); [apply Rplus_le_compat; nra|]. unfold noise. cbn [pow]. right. field. lra.
Qed.
Lemma cut_off_by_more alpha n c a t : 0 < alpha < 1 -> (c <= n)%nat -> cut_off alpha t n c (off_by_more a c) <= 2 * alpha ^ S a / (1 + alpha).
Proof.
  intros A C. eapply Rle_trans; [apply cut_off_up_to; auto|]. pose proof (rest_positive alpha (S a) A) as P. pose proof (rest_positive alpha (S t) A) as Q.
  destruct (t <=? a)%nat; unfold Rdiv in *; lra.
Qed.
Lemma noisy_off alpha n c a : 0 < alpha < 1 -> (1 <= n)%nat -> (c <= n)%nat -> noisy alpha n c (off_by_more a c) <= 2 * alpha ^ S a / (1 + alpha).
Proof.
  intros A N C. set (t := (n + S a)%nat). rewrite (noisy_is_cut alpha n c A C t) by (unfold t; lia).
  pose proof (cut_off_up_to alpha n c a t A C) as H. destruct (Nat.leb_spec t a); [unfold t in *; lia|].
  pose proof (off_is_event a c 0%nat). pose proof (off_is_event a c n). pose proof (off_is_event a c c). pose proof (rest_positive alpha (S t) A) as P.
  apply Rle_trans with (2 * (alpha ^ S a - alpha ^ S t) / (1 + alpha) + alpha ^ S t / (1 + alpha) * 2); [apply Rplus_le_compat; nra | unfold Rdiv; lra].
Qed.
(* alpha^a is at most beta for a from ln(1/beta)/ln(1/alpha) on; the mass beyond a is less. *)
Lemma power_at_most alpha beta a : 0 < alpha < 1 -> 0 < beta -> ln (/ beta) / ln (/ alpha) <= INR a -> 2 * alpha ^ S a / (1 + alpha) <= beta.
Proof.
  intros A B H. assert (P : 0 < ln (/ alpha)) by (rewrite <- ln_1; apply ln_increasing; [lra|]; rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (K : alpha ^ a <= beta).
  { apply (Rmult_le_compat_r (ln (/ alpha))) in H; [|lra]. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in H by lra.
    rewrite !ln_Rinv in H by lra. rewrite <- (exp_ln alpha), <- exp_pow, <- (exp_ln beta) by lra. apply exp_le. lra. }
  assert (Q : 0 < alpha ^ a) by (apply pow_lt; lra). apply Rle_trans with (alpha ^ a); auto. cbn [pow].
  apply (Rmult_le_reg_r (1 + alpha)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.
Lemma noisy_accurate alpha n c a beta : 0 < alpha < 1 -> (1 <= n)%nat -> (c <= n)%nat -> 0 < beta -> ln (/ beta) / ln (/ alpha) <= INR a ->
  noisy alpha n c (off_by_more a c) <= beta.
Proof. intros A N C B H. eapply Rle_trans; [apply noisy_off; auto | apply power_at_most; auto]. Qed.
Lemma theorem_4_6_ii_holds n c a epsilon beta : (1 <= n)%nat -> (c <= n)%nat -> 0 < epsilon -> 0 < beta -> 2 / epsilon * ln (/ beta) <= INR a ->
  noisy (exp (- (epsilon / 2))) n c (off_by_more a c) <= beta.
Proof.
  intros N C E B H. apply noisy_accurate; auto.
  - split; [apply exp_pos | rewrite <- exp_0; apply exp_increasing; lra].
  - rewrite exp_Ropp, Rinv_inv, ln_exp. replace (ln (/ beta) / (epsilon / 2)) with (2 / epsilon * ln (/ beta)) by (field; lra). auto.
Qed.
Lemma theorem_4_7_ii_holds n k c a beta : (1 <= n)%nat -> (c <= n)%nat -> 0 < beta -> ln (/ beta) / ln (1 + / 2 ^ k) <= INR a ->
  run (geosample n k c) (off_by_more a c) <= beta.
Proof. intros N C B H. pose proof (coins_half k). rewrite geosample_noise by auto. apply noisy_accurate; auto; [lra | rewrite Rinv_inv; auto]. Qed.
Lemma theorem_4_10_ii_holds n k t g c a beta : (1 <= n)%nat -> (1 <= g)%Z -> (c <= n)%nat -> / IZR g < beta -> ln (/ (beta - / IZR g)) / ln (1 + / 2 ^ k) <= INR a ->
  run (fastsample n k t g c) (off_by_more a c) <= beta.
Proof.
  intros N G C B H. pose proof (coins_half k). pose proof (share_between g G). rewrite fastsample_law_holds by auto. unfold mix.
  pose proof (within _ _ (finite_is_measure _ (uniform_finite n)) (off_is_event a c)) as U.
  pose proof (cut_off_by_more (/ (1 + / 2 ^ k)) n c a t ltac:(lra) C) as X. pose proof (power_at_most (/ (1 + / 2 ^ k)) (beta - / IZR g) a) as Y.
  rewrite Rinv_inv in Y. specialize (Y ltac:(lra) ltac:(lra) H). set (x := cut_off _ _ _ _ _) in *. set (y := uniform _ _) in *. assert (x <= beta - / IZR g) by lra. nra.
Qed.
(* The mass of the noise up to a distance, and beyond one, for r = 1/alpha. *)
Lemma noise_up_to r a : 1 < r -> noise (/ r) 0 + 2 * sum_below a (fun j => noise (/ r) (S j)) = 1 - 2 / r ^ a / (r + 1).
Proof.
  intros H. assert (0 < / r < 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
  change (fun j => noise (/ r) (S j)) with (fun j => noise (/ r) (1 + j)). rewrite noise_from by lra. unfold noise. rewrite !pow_inv. cbn [pow].
  assert (0 < r ^ a) by (apply pow_lt; lra). field. lra.
Qed.
Lemma noise_past r t : 1 < r -> Un_cv (fun m => sum_below m (fun j => 2 * noise (/ r) (S t + j))) (2 / r ^ t / (r + 1)).
Proof.
  intros H. assert (0 < / r < 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
  assert (0 < r ^ t) by (apply pow_lt; lra). replace (2 / r ^ t / (r + 1)) with (2 * ((/ r) ^ S t / (1 + / r))) by (rewrite pow_inv; cbn [pow]; field; lra).
  pose proof (limit_scaled 2 _ _ (noise_beyond (/ r) (S t) ltac:(lra))) as L. intros e He. destruct (L e He) as [N D]. exists N. intros m Hm. rewrite sum_scale. auto.
Qed.
Lemma moved_holds alpha n t c : 0 < alpha < 1 -> (1 <= n)%nat -> (c <= n)%nat -> dp_both 1 (2 * alpha ^ S t / (1 + alpha)) (cut_off alpha t n c) (noisy alpha n c).
Proof. intros A N C. split; intros u U; pose proof (size_between _ _ (moved_near alpha n c A C t u N U)); lra. Qed.
Lemma distribution_holds n k t g c z : (1 <= g)%Z -> (c <= n)%nat -> (z <= n)%nat ->
  IZR (mixed_cumulative (power 2 k + 1) (power 2 k) n t g c z) / IZR (mixed_denominator (power 2 k + 1) (power 2 k) n t g) = run (fastsample n k t g c) (count_at_most z).
Proof. intros G C Z. rewrite mixed_is_mixture by (auto using coins_positive). rewrite <- fast_law by (auto using coins_positive). reflexivity. Qed.
Lemma short_distribution a b n t c z : (0 < b < a)%Z -> (c <= n)%nat -> (z <= n)%nat ->
  IZR (short_cumulative a b n t c z) / IZR (short_denominator a b t) = cut_off (IZR b / IZR a) t n c (count_at_most z).
Proof. intros H C Z. rewrite short_is_cut, cut_at_most by (auto using fraction). reflexivity. Qed.

(* A histogram of GeoSample needs the square of the ratio: one label loses a row, another gains it. *)
Definition zero_and_all (n : nat) (h : list nat) : R := match h with a :: b :: _ => alone 0 a * alone n b | _ => 0 end.
Lemma pair_of_labels n (p q : law nat) rest : finite p -> finite q -> Forall finite rest -> Forall total rest ->
  every (p :: q :: rest) (zero_and_all n) = p (alone 0) * q (alone n).
Proof.
  intros P Q F T. cbn. unfold bind, image, zero_and_all. assert (One : forall c, every rest (fun _ => c) = c).
  { clear - F T. induction rest as [|r rest IH]; intros c; [reflexivity|]. inversion F as [|? ? Fr Fs]; inversion T as [|? ? Tr Ts]; subst. specialize (IH Fs Ts). cbn. unfold bind, image.
    rewrite (agree r _ (fun _ => c)) by (auto; intros x; apply IH). unfold total in Tr. rewrite constants, Tr by auto. ring. }
  rewrite (agree p _ (fun x => q (alone n) * alone 0 x)), (products p P) by (auto; intros x; rewrite (agree q _ (fun y => alone 0 x * alone n y)), (products q Q) by auto; ring). ring.
Qed.
Lemma histogram_tight n k rest E : (1 <= n)%nat -> Forall (fun c => (c <= n)%nat) rest ->
  dp E 0 (basic (fun c => run (geosample n k c)) (0 :: 1 :: rest)%nat) (basic (fun c => run (geosample n k c)) (1 :: 0 :: rest)%nat) -> (1 + / 2 ^ k) ^ 2 <= E.
Proof.
  intros N Hr H. set (M := fun c => run (geosample n k c)) in *.
  assert (Fin : forall c, finite (M c)) by (intros c; apply run_finite, release_draws; auto using coins_positive).
  assert (Tot : forall c, total (M c)) by (intros c; apply run_total, release_draws; auto using coins_positive).
  assert (L : Forall finite (map M rest) /\ Forall total (map M rest)) by (split; apply Forall_map, Forall_forall; auto).
  specialize (H (zero_and_all n)). unfold basic in H. cbn [map] in H. rewrite !pair_of_labels in H by (auto; apply L).
  assert (At : forall c z, (c <= n)%nat -> (z = 0 \/ z = n)%nat -> M c (alone z) = (/ (1 + / 2 ^ k)) ^ distance c z / (1 + / (1 + / 2 ^ k))).
  { intros c z C Z. unfold M. rewrite geosample_noise by auto. unfold noisy, weighted. rewrite (sum_ext _ _ (fun i => chance (/ (1 + / 2 ^ k)) n c i * alone i z)) by (intros i _; unfold alone; rewrite Nat.eqb_sym; reflexivity).
    rewrite sum_alone. destruct (Nat.ltb_spec z (S n)); [|lia]. unfold chance. replace ((z =? 0) || (z =? n))%nat with true; [unfold Rdiv; ring_simplify; reflexivity || (rewrite Rinv_1; ring)|].
    symmetry. apply orb_true_intro. destruct Z as [-> | ->]; [left | right]; apply Nat.eqb_refl. }
  assert (Ev : event (zero_and_all n)).
  { intros [|a [|b h]]; cbn; try lra. pose proof (alone_is_event 0 a). pose proof (alone_is_event n b). nra. }
  specialize (H Ev). rewrite !At in H by lia. replace (distance 1 n) with (n - 1)%nat in H by (unfold distance; lia). replace (distance 0 n) with n in H by (unfold distance; lia).
  change (distance 0 0) with 0%nat in H. change (distance 1 0) with 1%nat in H.
  pose proof (coins_half k) as K. set (r := 1 + / 2 ^ k) in *. set (x := / (1 + / r)) in *.
  assert (R : 1 <= r). { unfold r. assert (0 < / 2 ^ k) by (apply Rinv_0_lt_compat, pow_lt; lra). lra. }
  assert (Hx : 0 < x) by (apply Rinv_0_lt_compat; lra). assert (P : 0 < (/ r) ^ (n - 1)) by (apply pow_lt; lra).
  replace ((/ r) ^ n) with (/ r * (/ r) ^ (n - 1)) in H by (rewrite tech_pow_Rmult; f_equal; lia).
  unfold Rdiv in H. fold x in H. rewrite Rplus_0_r in H. cbn [pow] in H.
  apply (Rmult_le_reg_r ((/ r) ^ (n - 1) * (x * x))); [repeat apply Rmult_lt_0_compat; auto|].
  apply (Rmult_le_compat_r (r * r)) in H; [|nra]. replace (E * (/ r * 1 * x * (/ r * (/ r) ^ (n - 1) * x)) * (r * r)) with (E * ((/ r) ^ (n - 1) * (x * x))) in H by (field; lra).
  cbn [pow]. lra.
Qed.
Lemma histogram_private : dp ((1 + / 2 ^ 1) * (1 + / 2 ^ 1)) 0 (basic (fun c => run (geosample 4 1 c)) [0; 1; 2]%nat) (basic (fun c => run (geosample 4 1 c)) [1; 0; 2]%nat).
Proof.
  assert (M : forall c, measure (run (geosample 4 1 c))) by (intros c; apply finite_is_measure, run_finite, release_draws; auto using coins_positive).
  pose proof (proj2 (geosample_exact 4 1 ltac:(lia))) as P. replace 0 with (0 + (1 + / 2 ^ 1) * 0) by ring. cbn [map basic].
  apply (first_then_second [] [] [run (geosample 4 1 2)]); [auto | auto | cbn; lra | |].
  - refine (proj1 (P 0%nat 1%nat _ _ _)); unfold at_most, differ_by_one; lia.
  - refine (proj1 (P 1%nat 0%nat _ _ _)); unfold at_most, differ_by_one; lia.
Qed.
