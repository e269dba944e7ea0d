(* GeoSample: its binary search has the closed-form law, which is private and tight. *)
From Coq Require Import Reals Lra Lia ZArith Bool.
From DP.definitions Require Import Laws Programs GeoSample.
From DP.facts Require Import Laws Programs.
Open Scope Z_scope.

(* The search. *)
Definition grows (F : Z -> Z) (low high : Z) := forall z y, low <= z < high -> z <= y < high -> F z <= F y.
Definition least (F : Z -> Z) (u low high r : Z) :=
  low <= r <= high /\ (forall z, low <= z < r -> F z < u) /\ (r < high -> u <= F r).
Lemma middle low high : low < high -> low <= (low + high) / 2 < high.
Proof. intros H. split; [apply Z.div_le_lower_bound | apply Z.div_lt_upper_bound]; lia. Qed.
Lemma search_finds F u fuel : forall low high, low <= high -> (Z.to_nat (high - low) <= fuel)%nat -> grows F low high ->
  least F u low high (search F u fuel low high).
Proof.
  induction fuel as [|fuel IH]; intros low high L T M; cbn [search].
  - assert (low = high) by lia. subst. repeat split; lia.
  - destruct (Z.ltb_spec low high); [|repeat split; lia].
    assert (Z := middle low high ltac:(lia)). set (z := (low + high) / 2) in *. destruct (Z.leb_spec u (F z)).
    + destruct (IH low z) as (A & B & C); try lia; [intros x y X Y; apply M; lia|]. repeat split; try lia; auto.
      intros _. destruct (Z.eq_dec (search F u fuel low z) z) as [->|]; [auto | apply C; lia].
    + destruct (IH (z + 1) high) as (A & B & C); try lia; [intros x y X Y; apply M; lia|]. repeat split; try lia; auto.
      intros y Y. destruct (Z_lt_le_dec z y); [apply B; lia|]. assert (F y <= F z) by (apply M; lia). lia.
Qed.

Open Scope R_scope.
(* A search over one draw, for any distribution function in integers. *)
Section Searched.
Variables (d : Z) (F : nat -> Z) (n : nat).
Hypothesis some : (0 < d)%Z.
Hypothesis from_zero : (0 <= F 0%nat)%Z.
Hypothesis grows_on : forall z, (S z <= n)%nat -> (F z <= F (S z))%Z.
Hypothesis to_all : F n = d.

Definition value_before (z : nat) : Z := match z with O => 0%Z | S y => F y end.
Definition mass_at (z : nat) : R := IZR (F z - value_before z).
Lemma values_grow y z : (y <= z <= n)%nat -> (F y <= F z)%Z.
Proof. intros [H Z]. induction H as [|z H IH]; [lia|]. pose proof (grows_on z Z). lia. Qed.
Lemma value_not_negative z : (z <= n)%nat -> (0 <= F z)%Z.
Proof. intros Z. pose proof (values_grow 0 z ltac:(lia)). lia. Qed.
Lemma mass_not_negative z : (z <= n)%nat -> (0 <= F z - value_before z)%Z.
Proof. intros Z. destruct z; cbn; [lia|]. pose proof (grows_on z Z). lia. Qed.
Lemma search_ends_at z i : (z <= n)%nat -> (value_before z <= i < F z)%Z ->
  Z.to_nat (search (fun z => F (Z.to_nat z)) (i + 1) n 0 (Z.of_nat n)) = z.
Proof.
  intros Hz I. set (G := fun z => F (Z.to_nat z)).
  destruct (search_finds G (i + 1) n 0 (Z.of_nat n)) as (A & B & D); try lia.
  { intros y x Y X. apply values_grow. lia. }
  unfold G in *. set (r := search _ _ _ _ _) in *. destruct (Z.lt_trichotomy r (Z.of_nat z)) as [H|[H|H]]; [| lia |].
  - specialize (D ltac:(lia)). destruct z; [lia|]. cbn in I. pose proof (values_grow (Z.to_nat r) z ltac:(lia)). lia.
  - specialize (B (Z.of_nat z) ltac:(lia)). rewrite Nat2Z.id in B. lia.
Qed.
Lemma draws_gathered (f u : nat -> R) :
  (forall z i, (z <= n)%nat -> (value_before z <= Z.of_nat i < F z)%Z -> f i = u z) ->
  forall m, (m <= n)%nat -> sum_below (Z.to_nat (F m)) f = sum_below (S m) (fun z => mass_at z * u z).
Proof.
  intros Hf. assert (Part : forall m, (m <= n)%nat -> sum_below (Z.to_nat (F m - value_before m)) (fun i => f (Z.to_nat (value_before m) + i)%nat) = mass_at m * u m).
  { intros m Hm. pose proof (mass_not_negative m Hm). assert (0 <= value_before m)%Z by (destruct m; cbn; [lia | apply value_not_negative; lia]).
    rewrite (sum_ext _ _ (fun _ => u m)).
    - rewrite sum_constant. unfold mass_at. f_equal. rewrite INR_IZR_INZ, Z2Nat.id by lia. reflexivity.
    - intros i Hi. apply Hf; auto. lia. }
  induction m as [|m IH]; intros Hm.
  - cbn [sum_below]. rewrite <- Part by auto. cbn [value_before]. rewrite Z.sub_0_r. cbn. ring_simplify. reflexivity.
  - change (sum_below (S (S m)) ?g) with (sum_below (S m) g + g (S m)). rewrite <- IH, <- Part by lia.
    pose proof (value_not_negative m ltac:(lia)). pose proof (mass_not_negative (S m) Hm). cbn [value_before] in *.
    rewrite <- sum_split, <- Z2Nat.inj_add by lia. do 2 f_equal. lia.
Qed.
Lemma searched_law u : run (searched d F n) u = sum_below (S n) (fun z => mass_at z * u z) / IZR d.
Proof.
  cbn [run searched]. f_equal. rewrite <- to_all. apply draws_gathered; auto. intros z i Hz I. unfold ret. f_equal. apply search_ends_at; auto.
Qed.
Lemma searched_draws : draws (searched d F n).
Proof. split; [exact some | intros; exact I]. Qed.
End Searched.

Open Scope Z_scope.

Lemma power_positive a n : 0 < a -> 0 < power a n.
Proof. intros P. induction n; cbn; [lia | nia]. Qed.
Lemma distance_changes c e z : (c = S e \/ e = S c)%nat -> (distance c z = S (distance e z) \/ distance e z = S (distance c z))%nat.
Proof. unfold distance. lia. Qed.

Section Geometric.
Variables (a b : Z) (n : nat).
Hypothesis ratio : 0 < b < a.
Hypothesis size : (1 <= n)%nat.

Lemma denominator_positive : 0 < denominator a b n.
Proof. unfold denominator. pose proof (power_positive a (n - 1)). nia. Qed.
Lemma weight_positive c z : 0 < weight a b n c z.
Proof. unfold weight. destruct (_ || _); repeat apply Z.mul_pos_pos; try apply power_positive; lia. Qed.

(* The distribution function is the sum of the weights. *)
Lemma first_step c : (c <= n)%nat -> cumulative a b n c 0 = weight a b n c 0.
Proof.
  intros C. unfold cumulative, weight, denominator, distance. cbn [Nat.eqb orb Nat.sub Nat.add].
  destruct (Nat.ltb_spec 0 c), (Nat.ltb_spec 0 n); try lia.
  assert (c = 0)%nat as -> by lia. cbn [Nat.sub Nat.add]. rewrite !Nat.sub_0_r.
  replace (power a n) with (power a (S (n - 1))) by (f_equal; lia). cbn [power]. ring.
Qed.
Lemma last_step c : (c <= n)%nat -> cumulative a b n c n = cumulative a b n c (n - 1) + weight a b n c n.
Proof.
  intros C. unfold cumulative, weight, denominator, distance. rewrite Nat.eqb_refl, orb_true_r.
  destruct (Nat.ltb_spec n c), (Nat.ltb_spec n n), (Nat.ltb_spec (n - 1) n), (Nat.ltb_spec (n - 1) c); try lia.
  - assert (c = n) as -> by lia. replace (n - (n - 1))%nat with 1%nat by lia. rewrite Nat.sub_diag. cbn [Nat.add].
    rewrite Nat.sub_0_r. replace (power a n) with (power a (S (n - 1))) by (f_equal; lia). cbn [power]. ring.
  - replace (n - 1 - c + 1)%nat with (n - c)%nat by lia. replace (c - n)%nat with 0%nat by lia.
    rewrite Nat.add_0_r. replace (n - 1 - (n - 1 - c))%nat with (n - (n - c))%nat by lia. ring.
Qed.
Lemma middle_step c z : (c <= n)%nat -> (0 < z < n)%nat -> cumulative a b n c z = cumulative a b n c (z - 1) + weight a b n c z.
Proof.
  intros C Z. unfold cumulative, weight, distance. destruct (Nat.eqb_spec z 0), (Nat.eqb_spec z n); try lia. cbn [orb].
  destruct (Nat.ltb_spec z c), (Nat.ltb_spec (z - 1) c), (Nat.ltb_spec z n), (Nat.ltb_spec (z - 1) n); try lia.
  - replace (z - c)%nat with 0%nat by lia. replace (c - (z - 1))%nat with (S (c - z)) by lia. cbn [Nat.add].
    replace (n - (c - z))%nat with (S (n - S (c - z))) by lia. replace (n - 1 - (c - z))%nat with (n - S (c - z))%nat by lia.
    cbn [power]. ring.
  - assert (z = c) as -> by lia. unfold denominator. rewrite Nat.sub_diag. cbn [Nat.add]. rewrite Nat.sub_0_r.
    replace (c - (c - 1))%nat with 1%nat by lia. cbn [power]. ring.
  - replace (c - z)%nat with 0%nat by lia. rewrite Nat.add_0_r. set (j := (z - 1 - c)%nat).
    replace (z - c)%nat with (S j) by lia. replace (n - 1 - j)%nat with (S (n - 1 - S j)) by lia.
    replace (j + 1)%nat with (S j) by lia. replace (S j + 1)%nat with (S (S j)) by lia. cbn [power]. ring.
Qed.
Lemma each_step c z : (c <= n)%nat -> (z <= n)%nat -> cumulative a b n c z = value_before (cumulative a b n c) z + weight a b n c z.
Proof.
  intros C Z. destruct z as [|z]; [apply first_step; auto|]. replace (value_before _ (S z)) with (cumulative a b n c (S z - 1)) by (cbn; rewrite Nat.sub_0_r; reflexivity).
  destruct (Nat.eq_dec (S z) n) as [->|]; [apply last_step; auto | apply middle_step; lia].
Qed.
Lemma reaches_all c : (c <= n)%nat -> cumulative a b n c n = denominator a b n.
Proof. intros C. unfold cumulative. destruct (Nat.ltb_spec n c), (Nat.ltb_spec n n); lia. Qed.
Open Scope R_scope.
Lemma release_is_closed c u : (c <= n)%nat -> run (release a b n c) u = closed a b n c u.
Proof.
  intros C. unfold release. rewrite searched_law.
  - unfold closed, weighted. f_equal. apply sum_ext. intros z Z. unfold mass_at. rewrite each_step by (auto; lia). f_equal. f_equal. lia.
  - rewrite first_step by auto. pose proof (weight_positive c 0). lia.
  - intros z Z. rewrite (each_step c (S z)) by auto. cbn [value_before]. pose proof (weight_positive c (S z)). lia.
  - apply reaches_all. auto.
Qed.
Lemma release_draws c : draws (release a b n c).
Proof. apply searched_draws, denominator_positive. Qed.
End Geometric.
Open Scope R_scope.

Lemma power_of_two k : IZR (power 2 k) = 2 ^ k.
Proof. induction k as [|k IH]; cbn [power pow]; [reflexivity | rewrite mult_IZR, IH; reflexivity]. Qed.
Lemma ratio_of_coins k : IZR (power 2 k + 1) / IZR (power 2 k) = 1 + / 2 ^ k.
Proof. rewrite plus_IZR, power_of_two. field. apply pow_nonzero. lra. Qed.
Lemma coins_positive k : (0 < power 2 k < power 2 k + 1)%Z.
Proof. pose proof (power_positive 2 k). lia. Qed.
Lemma private_weaker {I A : Type} E F d domain near (mechanism : I -> law A) : E <= F ->
  private E d domain near mechanism -> private F d domain near mechanism.
Proof.
  intros H [L P]. split; auto. intros x y X Y N. destruct (P x y X Y N) as [C D].
  split; apply (weaker_holds E F d d); auto; try lra; apply L; auto.
Qed.
Lemma enough_coins k epsilon : 0 < epsilon -> 2 / epsilon <= 2 ^ k -> 1 + / 2 ^ k <= exp (epsilon / 2).
Proof.
  intros P K. assert (/ 2 ^ k <= epsilon / 2).
  { replace (epsilon / 2) with (/ (2 / epsilon)) by (field; lra). apply Rinv_le_contravar; auto. apply Rdiv_lt_0_compat; lra. }
  pose proof (exp_ineq1_le (epsilon / 2)). lra.
Qed.
Lemma cumulative_holds a b n : (0 < b < a)%Z -> (1 <= n)%nat -> forall c z, (c <= n)%nat -> (z <= n)%nat ->
  IZR (cumulative a b n c z) = sum_below (S z) (fun y => IZR (weight a b n c y)).
Proof.
  intros H N c z C. induction z as [|z IH]; intros Z.
  - rewrite first_step by auto. cbn. lra.
  - rewrite each_step by auto. cbn [value_before]. rewrite plus_IZR, IH by lia. reflexivity.
Qed.

(* Powers that fall. *)
Lemma powers_vanish r : 0 <= r < 1 -> Un_cv (fun n => r ^ n) 0.
Proof.
  intros H e He. destruct (pow_lt_1_zero r) with (y := e) as [N D]; auto; [rewrite Rabs_pos_eq; lra|].
  exists N. intros n Hn. unfold R_dist. rewrite Rminus_0_r. apply D. lia.
Qed.
Lemma noise_from alpha d m : 0 <= alpha < 1 ->
  sum_below m (fun j => noise alpha (d + j)) = alpha ^ d / (1 + alpha) * (1 - alpha ^ m).
Proof.
  intros H. induction m as [|m IH]; cbn [sum_below]; [cbn; field; lra|]. rewrite IH. unfold noise. rewrite pow_add. cbn. field. lra.
Qed.
Lemma noise_beyond alpha d : 0 <= alpha < 1 -> Un_cv (fun m => sum_below m (fun j => noise alpha (d + j))) (alpha ^ d / (1 + alpha)).
Proof.
  intros H e He. assert (L : Un_cv (fun m => alpha ^ d / (1 + alpha) * (1 - alpha ^ m)) (alpha ^ d / (1 + alpha) * (1 - 0))).
  { apply limit_scaled, CV_minus; [apply limit_constant | apply powers_vanish; auto]. }
  destruct (L e He) as [N D]. exists N. intros n Hn. rewrite noise_from by auto. replace (alpha ^ d / (1 + alpha)) with (alpha ^ d / (1 + alpha) * (1 - 0)) at 2 by ring. auto.
Qed.
(* Where the clamped count lies at an end, it has all the noise beyond; elsewhere that of its distance. *)
Lemma clamped_holds alpha n c z : 0 <= alpha < 1 -> (c <= n)%nat -> (z <= n)%nat ->
  ((0 < z < n)%nat -> chance alpha n c z = noise alpha (distance c z)) /\
  (z = 0 \/ z = n -> Un_cv (fun m => sum_below m (fun j => noise alpha (distance c z + j))) (chance alpha n c z))%nat.
Proof.
  intros H C Z. unfold chance. split.
  - intros I. destruct (Nat.eqb_spec z 0), (Nat.eqb_spec z n); try lia. reflexivity.
  - intros I. replace ((z =? 0) || (z =? n))%nat with true; [apply noise_beyond; auto|].
    symmetry. apply orb_true_intro. destruct I as [-> | ->]; [left | right]; apply Nat.eqb_refl.
Qed.

(* The law adds up to 1. *)
Lemma chance_not_negative alpha n c z : 0 < alpha < 1 -> 0 <= chance alpha n c z.
Proof.
  intros H. assert (0 < alpha ^ distance c z) by (apply pow_lt; lra). assert (0 < / (1 + alpha)) by (apply Rinv_0_lt_compat; lra).
  unfold chance, Rdiv. destruct (_ || _); repeat apply Rmult_le_pos; lra.
Qed.
Lemma chance_below alpha n c z : 0 < alpha < 1 -> (c <= n)%nat -> (0 < z <= n)%nat -> (1 <= n)%nat ->
  sum_below z (chance alpha n c) = if (z <=? c)%nat then alpha ^ (S c - z) / (1 + alpha) else 1 - alpha ^ (z - c) / (1 + alpha).
Proof.
  intros H C Z N. induction z as [|z IH]; [lia|]. cbn [sum_below]. destruct z as [|z].
  - unfold chance, distance. cbn [sum_below Nat.eqb orb Nat.sub Nat.add]. destruct (Nat.leb_spec 1 c).
    + rewrite Nat.sub_0_r. lra.
    + assert (c = 0)%nat as -> by lia. cbn. field. lra.
  - rewrite IH by lia. unfold chance. destruct (Nat.eqb_spec (S z) 0), (Nat.eqb_spec (S z) n); try lia. cbn [orb].
    unfold distance. destruct (Nat.leb_spec (S z) c), (Nat.leb_spec (S (S z)) c); try lia.
    + replace (S z - c + (c - S z))%nat with (c - S z)%nat by lia. replace (S c - S z)%nat with (S (c - S z)) by lia.
      replace (S c - S (S z))%nat with (c - S z)%nat by lia. cbn [pow]. field. lra.
    + assert (c = S z) as -> by lia. replace (S (S z) - S z)%nat with 1%nat by lia. rewrite Nat.sub_diag. cbn. field. lra.
    + replace (S z - c + (c - S z))%nat with (S z - c)%nat by lia. replace (S (S z) - c)%nat with (S (S z - c)) by lia. cbn [pow]. field. lra.
Qed.
Lemma chance_total alpha n c : 0 < alpha < 1 -> (c <= n)%nat -> (1 <= n)%nat -> sum_below (S n) (chance alpha n c) = 1.
Proof.
  intros H C N. cbn [sum_below]. rewrite chance_below by (auto; lia). unfold chance. rewrite Nat.eqb_refl, orb_true_r.
  unfold distance. destruct (Nat.leb_spec n c).
  - assert (c = n) as -> by lia. replace (S n - n)%nat with 1%nat by lia. rewrite Nat.sub_diag. cbn. field. lra.
  - replace (c - n)%nat with 0%nat by lia. rewrite Nat.add_0_r. ring.
Qed.
Lemma noisy_finite alpha n c : 0 < alpha < 1 -> (c <= n)%nat -> (1 <= n)%nat -> finite (noisy alpha n c).
Proof.
  intros H C N. apply weighted_finite; [lra | intros; apply chance_not_negative; auto|]. rewrite chance_total by auto. lra.
Qed.
Lemma noisy_total alpha n c : 0 < alpha < 1 -> (c <= n)%nat -> (1 <= n)%nat -> total (noisy alpha n c).
Proof.
  intros H C N. unfold total, noisy, weighted. rewrite (sum_ext _ _ (chance alpha n c)) by (intros; ring).
  rewrite chance_total by auto. field.
Qed.
Lemma powers_fall alpha x y : 0 < alpha < 1 -> x = S y \/ y = S x -> alpha ^ x <= / alpha * alpha ^ y.
Proof.
  intros H [-> | ->]; cbn; [|right; field; lra]. assert (P : 0 < alpha ^ y) by (apply pow_lt; lra).
  apply Rmult_le_compat_r; [lra|]. apply Rle_trans with 1; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.
Lemma chances_near alpha n c e z : 0 < alpha < 1 -> differ_by_one c e -> chance alpha n c z <= / alpha * chance alpha n e z.
Proof.
  intros H N. pose proof (powers_fall alpha _ _ H (distance_changes c e z N)) as P.
  assert (0 < / (1 + alpha)) by (apply Rinv_0_lt_compat; lra). unfold chance, Rdiv. destruct (_ || _).
  - rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
  - assert (0 <= (1 - alpha) * / (1 + alpha)) by (apply Rmult_le_pos; lra).
    set (f := (1 - alpha) * / (1 + alpha)) in *. replace (/ alpha * (f * alpha ^ distance e z)) with (f * (/ alpha * alpha ^ distance e z)) by ring.
    apply Rmult_le_compat_l; auto.
Qed.
Lemma noisy_private alpha n : 0 < alpha < 1 -> (1 <= n)%nat -> private (/ alpha) 0 (at_most n) differ_by_one (noisy alpha n).
Proof.
  intros H N. split.
  - intros c C. split; [apply finite_is_measure, noisy_finite | apply noisy_total]; auto.
  - assert (Way : forall c e, differ_by_one c e -> dp (/ alpha) 0 (noisy alpha n c) (noisy alpha n e)).
    { intros c e D. apply by_outcomes; [lra|]. intros z _. apply chances_near; auto. }
    intros c e _ _ D. split; apply Way; auto. destruct D; [right | left]; auto.
Qed.
Lemma theorem_4_6_i_holds n epsilon : (1 <= n)%nat -> 0 < epsilon ->
  private (exp (epsilon / 2)) 0 (at_most n) differ_by_one (noisy (exp (- (epsilon / 2))) n).
Proof.
  intros N P. pose proof (noisy_private (exp (- (epsilon / 2))) n) as H. rewrite exp_Ropp, Rinv_inv in *.
  apply H; auto. split; [apply Rinv_0_lt_compat, exp_pos|]. rewrite <- Rinv_1. apply Rinv_lt_contravar.
  - rewrite Rmult_1_l. apply exp_pos.
  - rewrite <- exp_0 at 1. apply exp_increasing. lra.
Qed.
Lemma theorem_4_6_tight_holds n alpha E : (1 <= n)%nat -> 0 < alpha < 1 -> dp E 0 (noisy alpha n 0) (noisy alpha n 1) -> / alpha <= E.
Proof.
  intros N H D. specialize (D (fun z => if (z =? 0)%nat then 1 else 0) ltac:(intros z; destruct (z =? 0)%nat; lra)).
  assert (At : forall c, noisy alpha n c (fun z => if (z =? 0)%nat then 1 else 0) = chance alpha n c 0).
  { intros c. unfold noisy, weighted. rewrite sum_shift, (sum_ext _ _ (fun _ => 0)) by (intros; cbn; ring). rewrite sum_constant. cbn [Nat.eqb]. field. }
  rewrite !At in D. unfold chance, distance in D. cbn in D.
  assert (I : 0 < / (1 + alpha)) by (apply Rinv_0_lt_compat; lra). unfold Rdiv in D.
  apply (Rmult_le_reg_r alpha); [lra|]. rewrite Rinv_l by lra. apply (Rmult_le_reg_r (/ (1 + alpha))); auto. lra.
Qed.

(* The integers of GeoSample are these chances, at alpha = b/a. *)
Lemma power_is_pow x m : IZR (power x m) = IZR x ^ m.
Proof. induction m as [|m IH]; [reflexivity|]. cbn [power pow]. rewrite mult_IZR, IH. reflexivity. Qed.
Lemma weight_is_chance a b n c z : (0 < b < a)%Z -> (1 <= n)%nat -> (c <= n)%nat -> (z <= n)%nat ->
  IZR (weight a b n c z) / IZR (denominator a b n) = chance (IZR b / IZR a) n c z.
Proof.
  intros H N C Z. assert (B : 0 < IZR b) by (apply IZR_lt; lia). assert (A : 0 < IZR a) by (apply IZR_lt; lia).
  assert (D : (distance c z <= n)%nat) by (unfold distance; lia).
  assert (P : forall m, IZR a ^ m <> 0) by (intros; apply pow_nonzero; lra).
  assert (Q : forall m, (IZR b / IZR a) ^ m = IZR b ^ m / IZR a ^ m).
  { intros m. unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. reflexivity. }
  unfold weight, chance, denominator. destruct ((z =? 0) || (z =? n))%nat eqn:Ends; rewrite Q.
  - rewrite !mult_IZR, plus_IZR, !power_is_pow. replace (IZR a ^ (n - distance c z)) with (IZR a * IZR a ^ (n - 1) / IZR a ^ distance c z).
    + field. repeat split; auto; lra.
    + apply (Rmult_eq_reg_r (IZR a ^ distance c z)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by auto.
      rewrite <- pow_add, tech_pow_Rmult. f_equal. lia.
  - apply orb_false_elim in Ends. destruct Ends as [Z0 Zn]. apply Nat.eqb_neq in Z0, Zn.
    rewrite !mult_IZR, minus_IZR, plus_IZR, !power_is_pow. replace (IZR a ^ (n - 1 - distance c z)) with (IZR a ^ (n - 1) / IZR a ^ distance c z).
    + field. repeat split; auto; lra.
    + apply (Rmult_eq_reg_r (IZR a ^ distance c z)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by auto.
      rewrite <- pow_add. f_equal. unfold distance in *. lia.
Qed.
Lemma closed_is_noisy a b n c u : (0 < b < a)%Z -> (1 <= n)%nat -> (c <= n)%nat -> closed a b n c u = noisy (IZR b / IZR a) n c u.
Proof.
  intros H N C. assert (D : 0 < IZR (denominator a b n)) by (apply IZR_lt, denominator_positive; auto).
  unfold closed, noisy, weighted. unfold Rdiv at 1. rewrite Rmult_comm, <- sum_scale. rewrite (sum_ext _ _ (fun z => chance (IZR b / IZR a) n c z * u z)).
  - field.
  - intros z Z. rewrite <- weight_is_chance by (auto; lia). unfold Rdiv. ring.
Qed.
Lemma geosample_noise n k c u : (1 <= n)%nat -> (c <= n)%nat -> run (geosample n k c) u = noisy (/ (1 + / 2 ^ k)) n c u.
Proof.
  intros N C. rewrite <- ratio_of_coins. unfold geosample.
  rewrite release_is_closed, closed_is_noisy by (auto using coins_positive). unfold Rdiv. rewrite Rinv_mult, Rinv_inv, Rmult_comm. reflexivity.
Qed.
Lemma coins_half k : / 2 <= / (1 + / 2 ^ k) < 1.
Proof.
  assert (0 < / 2 ^ k <= 1). { split; [apply Rinv_0_lt_compat, pow_lt; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; [lra | apply pow_R1_Rle; lra]]. }
  split; [apply Rinv_le_contravar; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra].
Qed.
Lemma geosample_exact n k : (1 <= n)%nat -> private (1 + / 2 ^ k) 0 (at_most n) differ_by_one (fun c => run (geosample n k c)).
Proof.
  intros N. pose proof (coins_half k). destruct (noisy_private (/ (1 + / 2 ^ k)) n ltac:(lra) N) as [_ P]. rewrite Rinv_inv in P.
  split; [intros c _; apply program_holds, release_draws; auto using coins_positive|].
  intros c e C D Near. destruct (P c e C D Near). split; intros u U; rewrite !geosample_noise by auto; auto.
Qed.
Lemma theorem_4_7_i_holds n k epsilon : (1 <= n)%nat -> 0 < epsilon -> 2 / epsilon <= 2 ^ k ->
  private (exp (epsilon / 2)) 0 (at_most n) differ_by_one (fun c => run (geosample n k c)).
Proof. intros N P K. apply (private_weaker (1 + / 2 ^ k)); auto using enough_coins, geosample_exact. Qed.
Lemma geosample_tight_holds n k E : (1 <= n)%nat -> dp E 0 (run (geosample n k 0)) (run (geosample n k 1)) -> 1 + / 2 ^ k <= E.
Proof.
  intros N H. pose proof (coins_half k). rewrite <- (Rinv_inv (1 + / 2 ^ k)). apply (theorem_4_6_tight_holds n); auto; [lra|].
  intros u U. specialize (H u U). rewrite !geosample_noise in H by (auto; lia). exact H.
Qed.

(* Two counts that follow each other: up to the lesser one the laws differ by one factor, and beyond it by its inverse. *)
Section TwoCounts.
Variables (alpha : R) (n c : nat).
Hypothesis ratio : 0 < alpha < 1.
Hypothesis inside : (S c <= n)%nat.
Definition part_up_to (u : nat -> R) : R := sum_below (S c) (fun z => chance alpha n c z * u z).
Definition part_beyond (u : nat -> R) : R := sum_below (n - c) (fun i => chance alpha n (S c) (S c + i) * u (S c + i)%nat).
Lemma chance_farther e z : distance e z = S (distance c z) -> chance alpha n e z = alpha * chance alpha n c z.
Proof. intros D. unfold chance. rewrite D. destruct ((z =? 0) || (z =? n))%nat; cbn [pow]; unfold Rdiv; ring. Qed.
Lemma chance_nearer z : distance c z = S (distance (S c) z) -> chance alpha n c z = alpha * chance alpha n (S c) z.
Proof. intros D. unfold chance. rewrite D. destruct ((z =? 0) || (z =? n))%nat; cbn [pow]; unfold Rdiv; ring. Qed.
Lemma parts_of e u : noisy alpha n e u =
  sum_below (S c) (fun z => chance alpha n e z * u z) + sum_below (n - c) (fun i => chance alpha n e (S c + i) * u (S c + i)%nat).
Proof. unfold noisy, weighted. replace (S n) with (S c + (n - c))%nat by lia. rewrite sum_split. field. Qed.
Lemma parts_of_lesser u : noisy alpha n c u = part_up_to u + alpha * part_beyond u.
Proof.
  rewrite parts_of. unfold part_up_to, part_beyond. f_equal. rewrite <- sum_scale. apply sum_ext. intros i _.
  rewrite chance_nearer by (unfold distance; lia). ring.
Qed.
Lemma parts_of_greater u : noisy alpha n (S c) u = alpha * part_up_to u + part_beyond u.
Proof.
  rewrite parts_of. unfold part_up_to, part_beyond. f_equal. rewrite <- sum_scale. apply sum_ext. intros z Z.
  rewrite chance_farther by (unfold distance; lia). ring.
Qed.
Lemma parts_of_all : part_up_to (fun _ => 1) = / (1 + alpha) /\ part_beyond (fun _ => 1) = / (1 + alpha).
Proof.
  pose proof (noisy_total alpha n c ratio ltac:(lia) ltac:(lia)) as A. pose proof (noisy_total alpha n (S c) ratio ltac:(lia) ltac:(lia)) as B.
  unfold total in A, B. rewrite parts_of_lesser in A. rewrite parts_of_greater in B.
  set (x := part_up_to _) in *. set (y := part_beyond _) in *. assert (X : x = y) by (apply (Rmult_eq_reg_l (1 - alpha)); lra).
  rewrite <- X in *. assert (x * (1 + alpha) = 1) by lra. split; apply (Rmult_eq_reg_r (1 + alpha)); try lra; rewrite Rinv_l by lra; exact H.
Qed.
Lemma parts_between u : event u -> 0 <= part_up_to u <= / (1 + alpha) /\ 0 <= part_beyond u <= / (1 + alpha).
Proof.
  intros U. destruct parts_of_all as [L H]. rewrite <- L at 1. rewrite <- H. unfold part_up_to, part_beyond.
  assert (C : forall e z, 0 <= chance alpha n e z) by (intros; apply chance_not_negative; exact ratio).
  split; split; try (apply sum_not_negative; intros i _; apply Rmult_le_pos; [apply C | apply U]);
    apply sum_le; intros i _; apply Rmult_le_compat_l; try apply C; apply U.
Qed.
Lemma of_two e (v : nat -> R) : (e <= 1)%nat -> noisy alpha 1 e v = (alpha ^ e * v 0%nat + alpha ^ (1 - e) * v 1%nat) / (1 + alpha).
Proof.
  intros B. assert (Two : e = 0%nat \/ e = 1%nat) by lia.
  destruct Two as [-> | ->]; unfold noisy, weighted, chance, distance; cbn; field; lra.
Qed.
Definition over_sides (u : nat -> R) (z : nat) : R := (1 + alpha) * match z with O => part_up_to u | _ => part_beyond u end.
Lemma over_sides_event u : event u -> event (over_sides u).
Proof.
  intros U z. destruct (parts_between u U) as [L H]. assert (0 < 1 + alpha) by lra. unfold over_sides.
  destruct z; (split; [apply Rmult_le_pos; lra | apply (Rmult_le_reg_l (/ (1 + alpha))); [apply Rinv_0_lt_compat; auto | rewrite <- Rmult_assoc, Rinv_l by lra; lra]]).
Qed.
Lemma over_sides_means u : noisy alpha 1 0 (over_sides u) = noisy alpha n c u /\ noisy alpha 1 1 (over_sides u) = noisy alpha n (S c) u.
Proof. rewrite !of_two, parts_of_lesser, parts_of_greater by lia. unfold over_sides. cbn [pow Nat.sub]. split; field; lra. Qed.
Definition by_side (v : nat -> R) (z : nat) : R := if (z <=? c)%nat then v 0%nat else v 1%nat.
Lemma by_side_event v : event v -> event (by_side v).
Proof. intros V z. unfold by_side. destruct (z <=? c)%nat; apply V. Qed.
Lemma by_side_means v : noisy alpha n c (by_side v) = noisy alpha 1 0 v /\ noisy alpha n (S c) (by_side v) = noisy alpha 1 1 v.
Proof.
  destruct parts_of_all as [A B]. rewrite !of_two, parts_of_lesser, parts_of_greater by lia.
  assert (L : part_up_to (by_side v) = v 0%nat * part_up_to (fun _ => 1)).
  { unfold part_up_to. rewrite <- sum_scale. apply sum_ext. intros z Z. unfold by_side. destruct (Nat.leb_spec z c); [ring | lia]. }
  assert (H : part_beyond (by_side v) = v 1%nat * part_beyond (fun _ => 1)).
  { unfold part_beyond. rewrite <- sum_scale. apply sum_ext. intros i _. unfold by_side. destruct (Nat.leb_spec (S c + i) c); [lia | ring]. }
  rewrite L, H, A, B. cbn [pow Nat.sub]. split; field; lra.
Qed.
Lemma two_noisy_counts E d : dp_both E d (noisy alpha n c) (noisy alpha n (S c)) <-> dp_both E d (noisy alpha 1 0) (noisy alpha 1 1).
Proof.
  split; intros [P Q]; split.
  - intros v V. destruct (by_side_means v) as [<- <-]. apply P, by_side_event, V.
  - intros v V. destruct (by_side_means v) as [<- <-]. apply Q, by_side_event, V.
  - intros u U. destruct (over_sides_means u) as [<- <-]. apply P, over_sides_event, U.
  - intros u U. destruct (over_sides_means u) as [<- <-]. apply Q, over_sides_event, U.
Qed.
End TwoCounts.
Lemma two_counts_hold n k c E d : (S c <= n)%nat ->
  dp_both E d (run (geosample n k c)) (run (geosample n k (S c))) <-> dp_both E d (run (geosample 1 k 0)) (run (geosample 1 k 1)).
Proof.
  intros C. pose proof (coins_half k). pose proof (two_noisy_counts (/ (1 + / 2 ^ k)) n c ltac:(lra) C E d) as T.
  assert (Law : forall m e u, (1 <= m)%nat -> (e <= m)%nat -> run (geosample m k e) u = noisy (/ (1 + / 2 ^ k)) m e u) by (intros; apply geosample_noise; auto).
  assert (Same : forall m a b, (1 <= m)%nat -> (a <= m)%nat -> (b <= m)%nat ->
    dp E d (run (geosample m k a)) (run (geosample m k b)) <-> dp E d (noisy (/ (1 + / 2 ^ k)) m a) (noisy (/ (1 + / 2 ^ k)) m b)).
  { intros m a b M A B. split; intros K u U; specialize (K u U); rewrite !Law in * by auto; exact K. }
  unfold dp_both in *. rewrite !Same by lia. exact T.
Qed.
