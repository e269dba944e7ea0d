(* FastSample: its search over one draw has the law of cut noise, mixed with a uniform count. *)
From Coq Require Import Reals Lra Lia ZArith Bool Arith.
From DP.definitions Require Import Laws Programs GeoSample EmptyBin FastSample.
From DP.facts Require Import Laws Programs GeoSample.
Open Scope R_scope.

(* What a search over one draw finds up to a count. *)
Lemma searched_at_most d F n : (0 <= F 0%nat)%Z -> (forall z, (S z <= n)%nat -> (F z <= F (S z))%Z) -> F n = d ->
  forall z, (z <= n)%nat -> run (searched d F n) (count_at_most z) = IZR (F z) / IZR d.
Proof.
  intros A G L z Z. rewrite searched_law by auto. f_equal. replace (S n) with (S z + (n - z))%nat by lia. rewrite sum_split.
  rewrite (sum_ext (n - z) _ (fun _ => 0)), sum_constant by (intros i Hi; unfold count_at_most; destruct (Nat.leb_spec (S z + i) z); [lia | ring]).
  rewrite (sum_ext (S z) _ (mass_at F)) by (intros i Hi; unfold count_at_most; destruct (Nat.leb_spec i z); [ring | lia]).
  rewrite Rmult_0_r, Rplus_0_r. clear Z. induction z as [|z IH]; [unfold mass_at; cbn; rewrite Z.sub_0_r; ring|].
  change (sum_below (S (S z)) (mass_at F)) with (sum_below (S z) (mass_at F) + mass_at F (S z)). rewrite IH. unfold mass_at. cbn [value_before]. rewrite minus_IZR. ring.
Qed.

(* Linear laws on 0..n are one if they are so of all counts up to some z. *)
Definition linear (p : law nat) := (forall u v, p (fun x => u x + v x) = p u + p v) /\ (forall c u, p (fun x => c * u x) = c * p u) /\
  forall u v, (forall x, u x = v x) -> p u = p v.
Lemma finite_is_linear p : finite p -> linear p.
Proof. intros F. repeat split; intros; [apply (sums p F) | apply (products p F) | apply agree; auto]. Qed.
Definition on_counts (n : nat) (p : law nat) := forall u, p u = p (fun z => count_at_most n z * u z).
Lemma by_cumulative n p : linear p -> on_counts n p ->
  forall u, p u = p (count_at_most 0) * u 0%nat + sum_below n (fun z => (p (count_at_most (S z)) - p (count_at_most z)) * u (S z)).
Proof.
  intros (Sum & Product & Same) O u. rewrite O. assert (G : forall m, p (fun z => count_at_most m z * u z) = p (count_at_most 0) * u 0%nat + sum_below m (fun z => (p (count_at_most (S z)) - p (count_at_most z)) * u (S z))).
  { induction m as [|m IH]; cbn [sum_below].
    - rewrite Rplus_0_r, Rmult_comm, <- Product. apply Same. intros [|z]; unfold count_at_most; cbn; ring.
    - rewrite <- Rplus_assoc, <- IH. replace ((p (count_at_most (S m)) - p (count_at_most m)) * u (S m)) with (u (S m) * p (count_at_most (S m)) + - u (S m) * p (count_at_most m)) by ring.
      rewrite <- !Product, <- !Sum. apply Same. intros z.
      unfold count_at_most. destruct (Nat.leb_spec z m), (Nat.leb_spec z (S m)); try lia; [ring | | ring]. assert (z = S m) as -> by lia. ring. }
  apply G.
Qed.
Lemma equal_cumulative n p q : linear p -> linear q -> on_counts n p -> on_counts n q ->
  (forall z, (z <= n)%nat -> p (count_at_most z) = q (count_at_most z)) -> forall u, p u = q u.
Proof.
  intros P Q Op Oq H u. rewrite (by_cumulative n p), (by_cumulative n q) by auto. f_equal; [rewrite H by lia; reflexivity|].
  apply sum_ext. intros z Z. rewrite !H by lia. reflexivity.
Qed.
Lemma weighted_on_counts n w D : on_counts n (weighted (S n) w D).
Proof.
  intros u. unfold weighted. f_equal. apply sum_ext. intros i Hi. unfold count_at_most. destruct (Nat.leb_spec i n); [ring | lia].
Qed.
Lemma ret_on_counts n c : (c <= n)%nat -> on_counts n (ret c).
Proof. intros C u. unfold ret, count_at_most. destruct (Nat.leb_spec c n); [ring | lia]. Qed.

(* Noise that is cut. *)
Lemma over_one x : x / 1 = x.
Proof. field. Qed.
Lemma size_between x a : Rabs x <= a -> - a <= x <= a.
Proof. unfold Rabs. destruct (Rcase_abs x); lra. Qed.
Lemma noise_positive alpha j : 0 < alpha < 1 -> 0 < noise alpha j.
Proof. intros ratio. unfold noise, Rdiv. assert (0 < alpha ^ j) by (apply pow_lt; lra). assert (0 < / (1 + alpha)) by (apply Rinv_0_lt_compat; lra). repeat apply Rmult_lt_0_compat; lra. Qed.
Lemma rest_positive alpha t : 0 < alpha < 1 -> 0 < alpha ^ t / (1 + alpha).
Proof. intros ratio. unfold Rdiv. apply Rmult_lt_0_compat; [apply pow_lt; lra | apply Rinv_0_lt_compat; lra]. Qed.
Section Cut.
Variables (alpha : R) (n c : nat).
Hypothesis ratio : 0 < alpha < 1.
Hypothesis count : (c <= n)%nat.

Lemma cut_next t u : cut_off alpha (S t) n c u =
  cut_off alpha t n c u + noise alpha (S t) * (u (c - S t)%nat + u (Nat.min n (c + S t)) - 2 * u c).
Proof. unfold cut_off. cbn [sum_below]. unfold noise. cbn [pow]. field. lra. Qed.
Lemma cut_all t : cut_off alpha t n c (fun _ => 1) = 1.
Proof. induction t as [|t IH]; [unfold cut_off, noise; cbn; field; lra|]. rewrite cut_next, IH. ring. Qed.
Lemma cut_finite t : finite (cut_off alpha t n c).
Proof.
  pose proof (noise_positive alpha 0 ratio) as P. pose proof (rest_positive alpha (S t) ratio) as Q.
  assert (N : 0 < noise alpha 0 + 2 * alpha ^ S t / (1 + alpha)) by lra. split; intros.
  - unfold cut_off. rewrite (sum_ext _ _ (fun j => noise alpha (S j) * (u (c - S j)%nat + u (Nat.min n (c + S j))) + noise alpha (S j) * (v (c - S j)%nat + v (Nat.min n (c + S j))))) by (intros; ring).
    rewrite sum_plus. ring.
  - unfold cut_off. rewrite (sum_ext _ _ (fun j => c0 * (noise alpha (S j) * (u (c - S j)%nat + u (Nat.min n (c + S j)))))) by (intros; ring).
    rewrite sum_scale. ring.
  - unfold cut_off. apply Rplus_le_compat; [apply Rmult_le_compat_l; [lra | auto]|]. apply sum_le. intros j _.
    apply Rmult_le_compat_l; [left; apply noise_positive; auto | apply Rplus_le_compat; auto].
  - rewrite cut_all. lra.
  - unfold cut_off. apply (CV_plus (fun k => (noise alpha 0 + 2 * alpha ^ S t / (1 + alpha)) * u k c) (fun k => sum_below t (fun j => noise alpha (S j) * (u k (c - S j)%nat + u k (Nat.min n (c + S j)))))).
    + apply limit_scaled. auto.
    + apply (sum_limit t (fun k j => noise alpha (S j) * (u k (c - S j)%nat + u k (Nat.min n (c + S j)))) (fun j => noise alpha (S j) * (v (c - S j)%nat + v (Nat.min n (c + S j))))).
      intros j. apply limit_scaled. apply (CV_plus (fun k => u k (c - S j)%nat) (fun k => u k (Nat.min n (c + S j)))); auto.
Qed.
Lemma cut_on_counts t : on_counts n (cut_off alpha t n c).
Proof.
  intros u. assert (I : forall z, (z <= n)%nat -> count_at_most n z * u z = u z) by (intros z Z; unfold count_at_most; destruct (Nat.leb_spec z n); [ring | lia]).
  unfold cut_off. rewrite I by auto. f_equal. apply sum_ext. intros j _. rewrite !I by lia. reflexivity.
Qed.
(* Its distribution function, in closed form. *)
Definition cut_cumulative (t z : nat) : R :=
  if (z + t <? c)%nat then 0 else if (z <? c)%nat then (alpha ^ (c - z) - alpha ^ S t) / (1 + alpha)
  else if ((z <? c + t) && (z <? n))%nat then 1 - (alpha ^ S (z - c) - alpha ^ S t) / (1 + alpha) else 1.
Lemma cut_at_most t z : (z <= n)%nat -> cut_off alpha t n c (count_at_most z) = cut_cumulative t z.
Proof.
  intros Z. induction t as [|t IH].
  - unfold cut_off, cut_cumulative, count_at_most, noise. rewrite !Nat.add_0_r. cbn [sum_below].
    destruct (Nat.ltb_spec z c), (Nat.leb_spec c z); try lia; [ring|]. cbn. field. lra.
  - rewrite cut_next, IH. clear IH. unfold cut_cumulative, count_at_most.
    destruct (Nat.ltb_spec (z + t) c), (Nat.ltb_spec (z + S t) c), (Nat.leb_spec (c - S t) z), (Nat.leb_spec c z), (Nat.ltb_spec z c),
      (Nat.ltb_spec z (c + t)), (Nat.ltb_spec z (c + S t)), (Nat.ltb_spec z n), (Nat.leb_spec (Nat.min n (c + S t)) z); try lia; cbn [andb];
      unfold noise; try (replace (c - z)%nat with (S t) by lia); try (replace (z - c)%nat with t by lia); cbn [pow]; field; lra.
Qed.
(* All noise but what is beyond: the clamped count has that at the ends, and the cut one at c. *)
Lemma noisy_at_most z : (1 <= n)%nat -> (z <= n)%nat -> noisy alpha n c (count_at_most z) =
  if (z <? c)%nat then alpha ^ (c - z) / (1 + alpha) else if (z <? n)%nat then 1 - alpha ^ S (z - c) / (1 + alpha) else 1.
Proof.
  intros N Z. unfold noisy, weighted. rewrite over_one. replace (S n) with (S z + (n - z))%nat by lia. rewrite sum_split.
  rewrite (sum_ext (n - z) _ (fun _ => 0)), sum_constant by (intros i Hi; unfold count_at_most; destruct (Nat.leb_spec (S z + i) z); [lia | ring]).
  rewrite (sum_ext (S z) _ (chance alpha n c)) by (intros i Hi; unfold count_at_most; destruct (Nat.leb_spec i z); [ring | lia]).
  rewrite Rmult_0_r, Rplus_0_r. destruct (Nat.ltb_spec z n).
  - rewrite chance_below by lia || auto. destruct (Nat.leb_spec (S z) c), (Nat.ltb_spec z c); try lia; [replace (S c - S z)%nat with (c - z)%nat by lia; reflexivity|].
    replace (S z - c)%nat with (S (z - c)) by lia. reflexivity.
  - assert (z = n) as -> by lia. destruct (Nat.ltb_spec n c); [lia|]. apply chance_total; auto.
Qed.
Lemma noisy_is_cut t u : (1 <= n)%nat -> (n <= t)%nat ->
  noisy alpha n c u = cut_off alpha t n c u + alpha ^ S t / (1 + alpha) * (u 0%nat + u n - 2 * u c).
Proof.
  intros N T. apply (equal_cumulative n (noisy alpha n c) (fun u => cut_off alpha t n c u + alpha ^ S t / (1 + alpha) * (u 0%nat + u n - 2 * u c))).
  - apply finite_is_linear, noisy_finite; auto.
  - destruct (finite_is_linear _ (cut_finite t)) as (Sum & Product & Same). repeat split; intros; [rewrite Sum; ring | rewrite Product; ring | rewrite (Same u0 v) by auto; rewrite !H; reflexivity].
  - apply weighted_on_counts.
  - intros v. rewrite (cut_on_counts t v). pose proof (ret_on_counts n 0 ltac:(lia) v). pose proof (ret_on_counts n n ltac:(lia) v).
    pose proof (ret_on_counts n c count v). unfold ret in *. congruence.
  - intros z Z. rewrite noisy_at_most, cut_at_most by auto. unfold cut_cumulative, count_at_most.
    destruct (Nat.ltb_spec z c), (Nat.ltb_spec (z + t) c), (Nat.leb_spec 0 z), (Nat.leb_spec n z), (Nat.leb_spec c z), (Nat.ltb_spec z (c + t)), (Nat.ltb_spec z n); try lia;
      cbn [andb]; field; lra.
Qed.
(* What is moved changes no event by more than its mass. *)
Lemma moved_near t u : (1 <= n)%nat -> event u ->
  Rabs (noisy alpha n c u - cut_off alpha t n c u) <= 2 * alpha ^ S t / (1 + alpha).
Proof.
  intros N U. assert (G : forall k t, (n <= t + k)%nat -> Rabs (noisy alpha n c u - cut_off alpha t n c u) <= 2 * (alpha ^ S t / (1 + alpha))).
  { pose proof (U 0%nat). pose proof (U n). pose proof (U c). induction k as [|k IH]; intros s Hs.
    - rewrite (noisy_is_cut s) by lia. pose proof (rest_positive alpha (S s) ratio). apply Rabs_le. nra.
    - specialize (IH (S s) ltac:(lia)). rewrite cut_next in IH. pose proof (noise_positive alpha (S s) ratio) as P. pose proof (U (c - S s)%nat). pose proof (U (Nat.min n (c + S s))).
      assert (E : 2 * (alpha ^ S s / (1 + alpha)) = 2 * noise alpha (S s) + 2 * (alpha ^ S (S s) / (1 + alpha))) by (unfold noise; cbn [pow]; field; lra).
      rewrite E. apply size_between in IH. apply Rabs_le. nra. }
  specialize (G n t ltac:(lia)). unfold Rdiv in *. lra.
Qed.
End Cut.

(* Uniform counts. *)
Lemma uniform_at_most n z : (z <= n)%nat -> uniform (S n) (count_at_most z) = INR (S z) / INR (S n).
Proof.
  intros Z. unfold uniform, weighted. f_equal. replace (S n) with (S z + (n - z))%nat by lia. rewrite sum_split.
  rewrite (sum_ext (n - z) _ (fun _ => 0)), sum_constant by (intros i Hi; unfold count_at_most; destruct (Nat.leb_spec (S z + i) z); [lia | ring]).
  rewrite (sum_ext (S z) _ (fun _ => 1)), sum_constant by (intros i Hi; unfold count_at_most; destruct (Nat.leb_spec i z); [ring | lia]). ring.
Qed.
Lemma uniform_finite m : finite (uniform (S m)).
Proof.
  apply weighted_finite; [apply lt_0_INR; lia | intros; lra |]. rewrite sum_constant. lra.
Qed.
Lemma share_between g : (1 <= g)%Z -> 0 < / IZR g <= 1.
Proof.
  intros more. assert (1 <= IZR g) by (apply (IZR_le 1); auto). split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

(* The integers of the program. *)
Section Integers.
Variables (a b : Z) (n t : nat) (g : Z) (c : nat).
Hypothesis ratio : (0 < b < a)%Z.
Hypothesis count : (c <= n)%nat.
Hypothesis more : (1 <= g)%Z.
Lemma alpha_between : 0 < IZR b / IZR a < 1.
Proof. apply fraction. exact ratio. Qed.
Lemma short_positive : (0 < short_denominator a b t)%Z.
Proof. unfold short_denominator. pose proof (power_positive a t ltac:(lia)). nia. Qed.
Lemma short_is_cut z : IZR (short_cumulative a b n t c z) / IZR (short_denominator a b t) = cut_cumulative (IZR b / IZR a) n c t z.
Proof.
  assert (B : 0 < IZR b) by (apply IZR_lt; lia). assert (A : 0 < IZR a) by (apply IZR_lt; lia).
  assert (P : forall m, IZR a ^ m <> 0) by (intros; apply pow_nonzero; lra).
  assert (Q : forall m, (IZR b / IZR a) ^ m = IZR b ^ m / IZR a ^ m).
  { intros m. unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. reflexivity. }
  assert (M : forall i j, (j <= i)%nat -> IZR a ^ (i - j) = IZR a ^ i / IZR a ^ j).
  { intros i j H. apply (Rmult_eq_reg_r (IZR a ^ j)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, <- pow_add by auto. f_equal. lia. }
  unfold short_cumulative, cut_cumulative, short_denominator.
  destruct (Nat.ltb_spec (z + t) c), (Nat.ltb_spec z c), (Nat.ltb_spec z (c + t)), (Nat.ltb_spec z n); cbn [andb]; try lia;
    try set (j := (c - z)%nat); try set (i := (z - c)%nat); rewrite ?Q, ?plus_IZR, ?minus_IZR, ?mult_IZR, ?plus_IZR, ?power_is_pow;
    rewrite ?(M (t + 1)%nat j), ?(M t i) by (unfold j || unfold i; lia); rewrite ?Nat.add_1_r; cbn [pow]; field; repeat split; auto; lra.
Qed.
Lemma mixed_positive : (0 < mixed_denominator a b n t g)%Z.
Proof. unfold mixed_denominator. pose proof short_positive. nia. Qed.
Definition mixture : law nat := mix (/ IZR g) (uniform (S n)) (cut_off (IZR b / IZR a) t n c).
Lemma mixture_finite : finite mixture.
Proof. pose proof (share_between g more). apply mix_finite; [lra | apply uniform_finite | apply cut_finite; auto using alpha_between]. Qed.
Lemma mixed_is_mixture z : (z <= n)%nat -> IZR (mixed_cumulative a b n t g c z) / IZR (mixed_denominator a b n t g) = mixture (count_at_most z).
Proof.
  intros Z. pose proof alpha_between. unfold mixture, mix. rewrite uniform_at_most, cut_at_most, <- short_is_cut by auto.
  unfold mixed_cumulative, mixed_denominator. rewrite plus_IZR, !mult_IZR, minus_IZR, <- !INR_IZR_INZ.
  assert (0 < IZR g) by (apply IZR_lt; lia). assert (0 < IZR (short_denominator a b t)) by (apply IZR_lt, short_positive).
  assert (0 < INR (S n)) by (apply lt_0_INR; lia). field. lra.
Qed.
Lemma mixed_order y z : mixture (count_at_most y) <= mixture (count_at_most z) -> (y <= n)%nat -> (z <= n)%nat ->
  (mixed_cumulative a b n t g c y <= mixed_cumulative a b n t g c z)%Z.
Proof.
  intros H Y Z. rewrite <- !mixed_is_mixture in H by auto. assert (D : 0 < IZR (mixed_denominator a b n t g)) by (apply IZR_lt, mixed_positive).
  apply le_IZR. apply (Rmult_le_reg_r (/ IZR (mixed_denominator a b n t g))); [apply Rinv_0_lt_compat|]; auto.
Qed.
Lemma mixed_from_zero : (0 <= mixed_cumulative a b n t g c 0)%Z.
Proof.
  assert (H : 0 <= mixture (count_at_most 0)) by (apply (within _ _ (finite_is_measure _ mixture_finite)); intros z; unfold count_at_most; destruct (z <=? 0)%nat; lra).
  rewrite <- mixed_is_mixture in H by lia. assert (D : 0 < IZR (mixed_denominator a b n t g)) by (apply IZR_lt, mixed_positive).
  apply le_IZR. apply (Rmult_le_reg_r (/ IZR (mixed_denominator a b n t g))); [apply Rinv_0_lt_compat; auto|]. unfold Rdiv in H. lra.
Qed.
Lemma mixed_grows z : (S z <= n)%nat -> (mixed_cumulative a b n t g c z <= mixed_cumulative a b n t g c (S z))%Z.
Proof.
  intros Z. apply mixed_order; try lia. apply (order _ mixture_finite). intros x. unfold count_at_most. destruct (Nat.leb_spec x z), (Nat.leb_spec x (S z)); lra || lia.
Qed.
Lemma mixed_to_all : mixed_cumulative a b n t g c n = mixed_denominator a b n t g.
Proof.
  unfold mixed_cumulative, mixed_denominator, short_cumulative. destruct (Nat.ltb_spec (n + t) c), (Nat.ltb_spec n c), (Nat.ltb_spec n n); try lia. rewrite andb_false_r. ring.
Qed.
Lemma fast_law u : run (searched (mixed_denominator a b n t g) (mixed_cumulative a b n t g c) n) u = mixture u.
Proof.
  apply (equal_cumulative n).
  - apply finite_is_linear, run_finite, searched_draws, mixed_positive.
  - apply finite_is_linear, mixture_finite.
  - intros v. rewrite !searched_law by (auto using mixed_positive, mixed_from_zero, mixed_grows, mixed_to_all).
    apply (weighted_on_counts n (mass_at (mixed_cumulative a b n t g c)) (IZR (mixed_denominator a b n t g)) v).
  - intros v. unfold mixture, mix. rewrite <- (cut_on_counts _ n c count t v). f_equal. f_equal. apply (weighted_on_counts n (fun _ => 1) (INR (S n)) v).
  - intros z Z. rewrite searched_at_most by (auto using mixed_positive, mixed_from_zero, mixed_grows, mixed_to_all). apply mixed_is_mixture; auto.
Qed.
End Integers.

Lemma coins_alpha k : IZR (power 2 k) / IZR (power 2 k + 1) = / (1 + / 2 ^ k).
Proof. rewrite <- ratio_of_coins. unfold Rdiv. rewrite Rinv_mult, Rinv_inv, Rmult_comm. reflexivity. Qed.
Lemma fastsample_law_holds n k t g c u : (1 <= g)%Z -> (c <= n)%nat ->
  run (fastsample n k t g c) u = mix (/ IZR g) (uniform (S n)) (cut_off (/ (1 + / 2 ^ k)) t n c) u.
Proof. intros G C. unfold fastsample. rewrite fast_law by (auto using coins_positive). unfold mixture. rewrite coins_alpha. reflexivity. Qed.
