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
Lemma gain_is_positive_part x z : (if x <=? 0 then z else z + x)%Z = (z + Z.max 0 x)%Z.
Proof. destruct (Z.leb_spec x 0); lia. Qed.
Lemma excess_is_hockey x y z table : IZR (excess x y z table) =
  IZR z + hockey (length table) (fun i => IZR x * lefts table i) (fun i => IZR y * rights table i) 1.
Proof.
  unfold hockey. revert z. induction table as [|[v w] rest IH]; intros z; [cbn; lra|].
  cbn [excess length]. cbv zeta. rewrite gain_is_positive_part, sum_shift, IH. cbn [lefts rights].
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
(* Both laws over the common denominator g m n. *)
Lemma over_common table g m n E x : 0 < IZR g -> 0 < IZR m -> 0 < IZR n ->
  dp E x (left_law (g * m) table) (right_law (g * n) table) <->
  dp E x (weighted (length table) (fun i => IZR n * lefts table i) (IZR g * IZR m * IZR n))
    (weighted (length table) (fun i => IZR m * rights table i) (IZR g * IZR m * IZR n)).
Proof.
  intros G M N.
  assert (L : forall u, left_law (g * m) table u = weighted (length table) (fun i => IZR n * lefts table i) (IZR g * IZR m * IZR n) u).
  { intros u. unfold left_law. rewrite mult_IZR, (expanded _ _ (IZR g * IZR m) (IZR n)) by nra. f_equal. ring. }
  assert (K : forall u, right_law (g * n) table u = weighted (length table) (fun i => IZR m * rights table i) (IZR g * IZR m * IZR n) u).
  { intros u. unfold right_law. rewrite mult_IZR, (expanded _ _ (IZR g * IZR n) (IZR m)) by nra. f_equal. ring. }
  split; intros H u U; specialize (H u U); rewrite L, K in *; exact H.
Qed.

Section Verdicts.
Variables (a b c d g m n tail : Z) (table : rows).
Hypothesis positive : scales a b d g m n.
Let E := IZR a / IZR b.
Lemma scales_of_reals : 0 <= IZR a /\ 0 < IZR b /\ 0 < IZR d /\ 0 < IZR g /\ 0 < IZR m /\ 0 < IZR n.
Proof. destruct positive as (A & B & D & G & M & N). repeat split; try (apply IZR_lt; auto). apply IZR_le; auto. Qed.
Lemma ratio_not_negative : 0 <= E.
Proof. destruct scales_of_reals as (A & B & _). apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat; auto. Qed.
(* The excess is the least delta, times b g m n. *)
Lemma least_delta x : dp E x (left_law (g * m) table) (right_law (g * n) table) <->
  IZR (excess (b * n) (a * m) 0 table) <= x * (IZR b * IZR g * IZR m * IZR n).
Proof.
  destruct scales_of_reals as (A & B & D & G & M & N). rewrite over_common by auto.
  assert (GM : 0 < IZR g * IZR m) by nra. rewrite hockey_decides, excess_is_hockey, Rplus_0_l by nra.
  set (h := hockey _ _ _ E). assert (H : hockey (length table) (fun i => IZR (b * n) * lefts table i) (fun i => IZR (a * m) * rights table i) 1 = IZR b * h).
  { unfold h. rewrite <- hockey_scales by lra. unfold hockey. apply sum_ext. intros i _. f_equal. rewrite !mult_IZR. unfold E. field. lra. }
  rewrite H. split; intros K; [|apply (Rmult_le_reg_l (IZR b)); auto]; nra.
Qed.
Lemma verifies_holds {A : Type} (P Q : law A) (f : nat -> A) s :
  seen (image f (left_law (g * m) table)) P (IZR tail / IZR (g * m)) -> seen (image f (right_law (g * n) table)) Q s ->
  verifies a b c d g m n tail table = true -> dp E (IZR c / IZR d) P Q.
Proof.
  destruct scales_of_reals as (A0 & B & D & G & M & N). intros SP SQ V. unfold verifies, is_within, delta_at_most in V.
  apply Z.leb_le, IZR_le in V. rewrite !mult_IZR, plus_IZR, !mult_IZR in V.
  assert (0 < IZR (g * m)) by (rewrite mult_IZR; nra).
  replace (IZR c / IZR d) with ((IZR c / IZR d - IZR tail / IZR (g * m)) + IZR tail / IZR (g * m)) by ring.
  apply (seen_private _ _ P Q E _ _ s ratio_not_negative SP SQ), image_holds, least_delta.
  apply (Rmult_le_reg_l (IZR d)); auto.
  replace (IZR d * ((IZR c / IZR d - IZR tail / IZR (g * m)) * (IZR b * IZR g * IZR m * IZR n)))
    with (IZR c * (IZR b * IZR g * IZR m * IZR n) - IZR d * (IZR b * IZR n * IZR tail)) by (rewrite mult_IZR; field; lra). lra.
Qed.
(* For a refutation the outcomes of different rows must be different. *)
Lemma refutes_holds {A : Type} (P Q : law A) (f : nat -> A) (name : A -> nat) t : (forall i, name (f i) = i) ->
  seen (image f (left_law (g * m) table)) P t -> seen (image f (right_law (g * n) table)) Q (IZR tail / IZR (g * n)) ->
  refutes a b c d g m n tail table = true -> ~ dp E (IZR c / IZR d) P Q.
Proof.
  destruct scales_of_reals as (A0 & B & D & G & M & N). intros Name SP SQ V H. unfold refutes, is_beyond, delta_at_least in V.
  apply Z.ltb_lt, IZR_lt in V. rewrite !mult_IZR, minus_IZR, !mult_IZR in V.
  assert (L : dp E (IZR c / IZR d + E * (IZR tail / IZR (g * n))) (left_law (g * m) table) (right_law (g * n) table)).
  { pose proof (seen_excess _ _ P Q E _ t _ ratio_not_negative SP SQ H) as C. intros u U.
    specialize (C (fun x => u (name x)) (fun x => U (name x))). unfold image, left_law, right_law, weighted in *.
    rewrite (sum_ext _ (fun i => lefts table i * u (name (f i))) (fun i => lefts table i * u i)) in C by (intros; rewrite Name; reflexivity).
    rewrite (sum_ext _ (fun i => rights table i * u (name (f i))) (fun i => rights table i * u i)) in C by (intros; rewrite Name; reflexivity).
    exact C. }
  apply least_delta in L. apply (Rmult_le_compat_l (IZR d)) in L; [|lra].
  replace (IZR d * ((IZR c / IZR d + E * (IZR tail / IZR (g * n))) * (IZR b * IZR g * IZR m * IZR n)))
    with (IZR c * (IZR b * IZR g * IZR m * IZR n) + IZR d * (IZR a * IZR m * IZR tail)) in L by (unfold E; rewrite mult_IZR; field; lra). lra.
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
Lemma verdict_verified_holds {A : Type} (P Q : law A) (f : nat -> A) a b c d g m n tail table s epsilon : scales a b d g m n ->
  measure Q -> IZR a / IZR b <= exp epsilon ->
  seen (image f (left_law (g * m) table)) P (IZR tail / IZR (g * m)) -> seen (image f (right_law (g * n) table)) Q s ->
  verifies a b c d g m n tail table = true -> dp (exp epsilon) (IZR c / IZR d) P Q.
Proof.
  intros H Q1 HE SP SQ V. apply (weaker_holds (IZR a / IZR b) _ (IZR c / IZR d)); auto; [lra|].
  apply (verifies_holds a b c d g m n tail table H P Q f s); auto.
Qed.
Lemma verdict_refuted_holds {A : Type} (P Q : law A) (f : nat -> A) (name : A -> nat) a b c d g m n tail table t epsilon :
  scales a b d g m n -> measure Q -> exp epsilon <= IZR a / IZR b -> (forall i, name (f i) = i) ->
  seen (image f (left_law (g * m) table)) P t -> seen (image f (right_law (g * n) table)) Q (IZR tail / IZR (g * n)) ->
  refutes a b c d g m n tail table = true -> ~ dp (exp epsilon) (IZR c / IZR d) P Q.
Proof.
  intros H Q1 HE Name SP SQ V C. apply (refutes_holds a b c d g m n tail table H P Q f name t Name SP SQ V).
  apply (weaker_holds (exp epsilon) _ (IZR c / IZR d)); auto. lra.
Qed.
(* Where q has no mass at all. *)
Definition nowhere (table : rows) (i : nat) : R := if Req_EM_T (rights table i) 0 then 1 else 0.
Lemma nowhere_is_event table : event (nowhere table).
Proof. intros i. unfold nowhere. destruct (Req_EM_T _ _); lra. Qed.
Lemma unmatched_is_mass table z :
  IZR (unmatched z table) = IZR z + sum_below (length table) (fun i => lefts table i * nowhere table i).
Proof.
  revert z. induction table as [|[v w] rest IH]; intros z; [cbn; lra|].
  cbn [unmatched length]. rewrite sum_shift, IH, plus_IZR. cbn [lefts].
  assert (H : IZR (if (w =? 0)%Z then v else 0%Z) = IZR v * nowhere ((v, w) :: rest) 0).
  { unfold nowhere. cbn [rights]. destruct (Z.eqb_spec w 0) as [->|N]; destruct (Req_EM_T _ _) as [E|E]; try lra.
    apply eq_IZR in E. contradiction. }
  rewrite H. unfold nowhere. cbn [rights]. lra.
Qed.
Lemma refutes_always_holds {A : Type} (P Q : law A) (f : nat -> A) (name : A -> nat) c d g m n table t epsilon :
  (0 < d)%Z -> (0 < g * m)%Z -> (forall i, name (f i) = i) ->
  seen (image f (left_law (g * m) table)) P t -> seen (image f (right_law n table)) Q 0 ->
  refutes_always c d g m table = true -> ~ dp (exp epsilon) (IZR c / IZR d) P Q.
Proof.
  intros D M Name SP SQ V H. unfold refutes_always, is_beyond in V. apply Z.ltb_lt, IZR_lt in V.
  rewrite Z.mul_1_l, Z.mul_1_r, (mult_IZR c), (mult_IZR d), unmatched_is_mass in V.
  apply IZR_lt in D, M. set (u := fun x => nowhere table (name x)). assert (U : event u) by (intros x; apply nowhere_is_event).
  specialize (H u U). destruct (SP u U) as [LP _]. destruct (SQ u U) as [LQ0 LQ].
  unfold image, left_law, right_law, weighted, u in *.
  rewrite (sum_ext _ (fun i => lefts table i * nowhere table (name (f i))) (fun i => lefts table i * nowhere table i)) in LP
    by (intros; rewrite Name; reflexivity).
  assert (Z0 : sum_below (length table) (fun i => rights table i * nowhere table (name (f i))) = 0).
  { rewrite (sum_ext _ _ (fun _ => 0)), sum_constant by (intros i _; rewrite Name; unfold nowhere; destruct (Req_EM_T _ _); nra).
    lra. }
  rewrite Z0 in LQ, LQ0. set (s := sum_below (length table) (fun i => lefts table i * nowhere table i)) in *.
  assert (N : Q (fun x => nowhere table (name x)) = 0) by (unfold Rdiv in LQ, LQ0; rewrite Rmult_0_l in LQ, LQ0; lra).
  rewrite N in H. assert (K : s / IZR (g * m) <= IZR c / IZR d) by lra.
  apply (Rmult_le_compat_l (IZR d * IZR (g * m))) in K; [|nra].
  replace (IZR d * IZR (g * m) * (s / IZR (g * m))) with (IZR d * s) in K by (field; lra).
  replace (IZR d * IZR (g * m) * (IZR c / IZR d)) with (IZR c * IZR (g * m)) in K by (field; lra). lra.
Qed.
Lemma example_is_measure : measure (image (fun i => i) (right_law 3 [(1, 2); (2, 1)]%Z)).
Proof.
  apply finite_is_measure, image_finite, weighted_finite; [lra | | cbn; lra].
  intros [|[|i]] H; cbn in *; try lra.
Qed.
