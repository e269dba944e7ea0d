(* The kernel's decision is right, both ways, for laws of which a finite part was seen; and brackets of e^epsilon. *)
From Coq Require Import Reals Lra Lia ZArith List.
From DP.definitions Require Import Laws Programs Decision.
From DP.facts Require Import Laws Engine.
Import ListNotations.
Open Scope R_scope.

Lemma positive_part_of_integer x : IZR (Z.max 0 x) = positive_part (IZR x).
Proof.
  unfold positive_part. destruct (Z_le_dec 0 x) as [H|H].
  - rewrite Z.max_r, Rmax_right; auto. apply IZR_le. auto.
  - rewrite Z.max_l, Rmax_left; auto; try lia. apply IZR_le. lia.
Qed.
Lemma excess_is_hockey x y z table : IZR (excess x y z table) =
  IZR z + hockey (length table) (fun i => IZR x * lefts table i) (fun i => IZR y * rights table i) 1.
Proof.
  unfold hockey. revert z. induction table as [|[v w] rest IH]; intros z; [cbn; lra|].
  cbn [excess length]. rewrite sum_shift, IH. cbn [lefts rights].
  rewrite plus_IZR, positive_part_of_integer, minus_IZR, !mult_IZR, Rmult_1_l. ring.
Qed.
Lemma positive_part_scales k x : 0 <= k -> positive_part (k * x) = k * positive_part x.
Proof.
  intros K. unfold positive_part. destruct (Rle_dec 0 x); [rewrite !Rmax_right | rewrite !Rmax_left]; nra.
Qed.
Lemma hockey_scales k n p q E : 0 <= k -> hockey n (fun i => k * p i) (fun i => k * q i) E = k * hockey n p q E.
Proof.
  intros K. unfold hockey. rewrite <- sum_scale. apply sum_ext. intros i _. rewrite <- positive_part_scales by auto. f_equal. ring.
Qed.
Lemma expanded n p m k u : 0 < m -> 0 < k -> weighted n p m u = weighted n (fun i => k * p i) (k * m) u.
Proof.
  intros. unfold weighted. rewrite (sum_ext n (fun i => k * p i * u i) (fun i => k * (p i * u i))), sum_scale by (intros; ring).
  field. lra.
Qed.
(* Both laws over the common denominator n m. *)
Lemma over_common table m n E x : 0 < IZR m -> 0 < IZR n -> dp E x (left_law m table) (right_law n table) <->
  dp E x (weighted (length table) (fun i => IZR n * lefts table i) (IZR n * IZR m))
    (weighted (length table) (fun i => IZR m * rights table i) (IZR n * IZR m)).
Proof.
  intros M N. unfold left_law, right_law. split; intros H u U; specialize (H u U).
  - rewrite <- expanded by auto. rewrite (Rmult_comm (IZR n)), <- expanded by auto. exact H.
  - rewrite <- expanded in H by auto. rewrite (Rmult_comm (IZR n)), <- expanded in H by auto. exact H.
Qed.

Section Verdicts.
Variables (a b c d m n tail : Z) (table : rows).
Hypothesis positive : scales a b d m n.
Let E := IZR a / IZR b.
Lemma scales_of_reals : 0 <= IZR a /\ 0 < IZR b /\ 0 < IZR d /\ 0 < IZR m /\ 0 < IZR n.
Proof. destruct positive as (A & B & D & M & N). repeat split; try (apply IZR_lt; auto). apply IZR_le; auto. Qed.
Lemma ratio_not_negative : 0 <= E.
Proof. destruct scales_of_reals as (A & B & _). apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat; auto. Qed.
(* The excess is the least delta, times b m n. *)
Lemma least_delta x : dp E x (left_law m table) (right_law n table) <->
  IZR (excess (b * n) (a * m) 0 table) <= x * (IZR b * IZR m * IZR n).
Proof.
  destruct scales_of_reals as (A & B & D & M & N). rewrite over_common, hockey_decides, excess_is_hockey, Rplus_0_l by nra.
  set (h := hockey _ _ _ E). assert (H : hockey (length table) (fun i => IZR (b * n) * lefts table i) (fun i => IZR (a * m) * rights table i) 1 = IZR b * h).
  { unfold h. rewrite <- hockey_scales by lra. unfold hockey. apply sum_ext. intros i _. f_equal. rewrite !mult_IZR. unfold E. field. lra. }
  rewrite H. split; intros K; [|apply (Rmult_le_reg_l (IZR b)); auto]; nra.
Qed.
Lemma verifies_holds {A : Type} (P Q : law A) (f : nat -> A) s :
  seen (image f (left_law m table)) P (IZR tail / IZR m) -> seen (image f (right_law n table)) Q s ->
  verifies a b c d m n tail table = true -> dp E (IZR c / IZR d) P Q.
Proof.
  destruct scales_of_reals as (A0 & B & D & M & N). intros SP SQ V. unfold verifies in V.
  apply Z.leb_le, IZR_le in V. rewrite !mult_IZR, plus_IZR, !mult_IZR in V.
  replace (IZR c / IZR d) with ((IZR c / IZR d - IZR tail / IZR m) + IZR tail / IZR m) by ring.
  apply (seen_private _ _ P Q E _ _ s ratio_not_negative SP SQ), image_holds, least_delta.
  apply (Rmult_le_reg_l (IZR d)); auto.
  replace (IZR d * ((IZR c / IZR d - IZR tail / IZR m) * (IZR b * IZR m * IZR n)))
    with (IZR c * (IZR b * IZR m * IZR n) - IZR d * (IZR b * IZR n * IZR tail)) by (field; lra). lra.
Qed.
(* For a refutation the outcomes of different rows must be different. *)
Lemma refutes_holds {A : Type} (P Q : law A) (f : nat -> A) (g : A -> nat) t : (forall i, g (f i) = i) ->
  seen (image f (left_law m table)) P t -> seen (image f (right_law n table)) Q (IZR tail / IZR n) ->
  refutes a b c d m n tail table = true -> ~ dp E (IZR c / IZR d) P Q.
Proof.
  destruct scales_of_reals as (A0 & B & D & M & N). intros G SP SQ V H. unfold refutes in V.
  apply Z.ltb_lt, IZR_lt in V. rewrite !mult_IZR, minus_IZR, !mult_IZR in V.
  assert (L : dp E (IZR c / IZR d + E * (IZR tail / IZR n)) (left_law m table) (right_law n table)).
  { pose proof (seen_excess _ _ P Q E _ t _ ratio_not_negative SP SQ H) as C. intros u U.
    specialize (C (fun x => u (g x)) (fun x => U (g x))). unfold image, left_law, right_law, weighted in *.
    rewrite (sum_ext _ (fun i => lefts table i * u (g (f i))) (fun i => lefts table i * u i)) in C by (intros; rewrite G; reflexivity).
    rewrite (sum_ext _ (fun i => rights table i * u (g (f i))) (fun i => rights table i * u i)) in C by (intros; rewrite G; reflexivity).
    exact C. }
  apply least_delta in L. apply (Rmult_le_compat_l (IZR d)) in L; [|lra].
  replace (IZR d * ((IZR c / IZR d + E * (IZR tail / IZR n)) * (IZR b * IZR m * IZR n)))
    with (IZR c * (IZR b * IZR m * IZR n) + IZR d * (IZR a * IZR m * IZR tail)) in L by (unfold E; field; lra). lra.
Qed.
End Verdicts.

(* Brackets of the exponential. *)
Lemma exp_from_below_holds x n : 0 <= x -> sum_f_R0 (fun i => / INR (fact i) * x ^ i) n <= exp x.
Proof.
  intros H. apply sum_incr.
  - unfold exp. destruct (exist_exp x) as [l L]. intros e He. destruct (L e He) as [N M]. exists N. intros m Hm. apply M; auto.
  - intros i. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | apply pow_le; auto].
Qed.
Lemma exp_at_most t : 0 <= t < 1 -> exp t <= / (1 - t).
Proof.
  intros H. pose proof (exp_ineq1_le (- t)). pose proof (exp_inverse t). pose proof (exp_pos t).
  apply (Rmult_le_reg_r (1 - t)); [lra|]. rewrite Rinv_l by lra. nra.
Qed.
Lemma exp_from_above_holds x k : (0 < k)%nat -> 0 <= x < INR k -> exp x <= (/ (1 - x / INR k)) ^ k.
Proof.
  intros K [H L]. assert (P : 0 < INR k) by (apply lt_0_INR; auto).
  replace x with (INR k * (x / INR k)) at 1 by (field; lra). rewrite exp_pow. apply pow_incr.
  split; [left; apply exp_pos|]. apply exp_at_most. split.
  - apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; auto].
  - apply (Rmult_lt_reg_r (INR k)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(* What a verdict says. *)
Lemma verdict_verified_holds {A : Type} (P Q : law A) (f : nat -> A) a b c d m n tail table s epsilon : scales a b d m n ->
  measure Q -> IZR a / IZR b <= exp epsilon ->
  seen (image f (left_law m table)) P (IZR tail / IZR m) -> seen (image f (right_law n table)) Q s ->
  verifies a b c d m n tail table = true -> dp (exp epsilon) (IZR c / IZR d) P Q.
Proof.
  intros H Q1 HE SP SQ V. apply (weaker_holds (IZR a / IZR b) _ (IZR c / IZR d)); auto; [lra|].
  apply (verifies_holds a b c d m n tail table H P Q f s); auto.
Qed.
Lemma verdict_refuted_holds {A : Type} (P Q : law A) (f : nat -> A) (g : A -> nat) a b c d m n tail table t epsilon :
  scales a b d m n -> measure Q -> exp epsilon <= IZR a / IZR b -> (forall i, g (f i) = i) ->
  seen (image f (left_law m table)) P t -> seen (image f (right_law n table)) Q (IZR tail / IZR n) ->
  refutes a b c d m n tail table = true -> ~ dp (exp epsilon) (IZR c / IZR d) P Q.
Proof.
  intros H Q1 HE G SP SQ V C. apply (refutes_holds a b c d m n tail table H P Q f g t G SP SQ V).
  apply (weaker_holds (exp epsilon) _ (IZR c / IZR d)); auto. lra.
Qed.
Lemma example_is_measure : measure (image (fun i => i) (right_law 3 [(1, 2); (2, 1)]%Z)).
Proof.
  apply finite_is_measure, image_finite, weighted_finite; [lra | | cbn; lra].
  intros [|[|i]] H; cbn in *; try lra.
Qed.
