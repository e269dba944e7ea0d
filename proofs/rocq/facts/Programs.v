(* The laws of programs, their tables, and a coin. *)
From Coq Require Import Reals Lra Lia ZArith List.
From DP.definitions Require Import Laws Programs.
From DP.facts Require Import Laws.
Import ListNotations.
Open Scope R_scope.

Lemma numbers n : (0 < n)%Z -> INR (Z.to_nat n) = IZR n.
Proof. intros N. rewrite INR_IZR_INZ, Z2Nat.id by lia. reflexivity. Qed.

Lemma run_finite {A : Type} (c : prog A) : draws c -> finite (run c).
Proof.
  induction c as [x|n k IH]; cbn; [intros _; apply ret_finite|]. intros [N D]. assert (P : 0 < IZR n) by (apply IZR_lt; auto).
  assert (F : finite (fun u => sum_below (Z.to_nat n) (fun i => 1 * run (k (Z.of_nat i)) u) / IZR n)).
  { apply (average_finite _ (fun _ => 1)); auto.
    - intros i Hi. split; [lra|]. apply IH, D. lia.
    - rewrite sum_constant, numbers by auto. lra. }
  destruct F as [F1 F2 F3 F4 F5]. assert (S : forall u, sum_below (Z.to_nat n) (fun i => 1 * run (k (Z.of_nat i)) u) / IZR n =
    sum_below (Z.to_nat n) (fun i => run (k (Z.of_nat i)) u) / IZR n) by (intros u; f_equal; apply sum_ext; intros; ring).
  split; intros; rewrite <- ?S; auto.
  intros e He. destruct (F5 u v H e He) as [M HM]. exists M. intros m Hm. rewrite <- S. apply HM; auto.
Qed.
Lemma run_total {A : Type} (c : prog A) : draws c -> total (run c).
Proof.
  unfold total. induction c as [x|n k IH]; cbn; [reflexivity|]. intros [N D]. assert (P : 0 < IZR n) by (apply IZR_lt; auto).
  rewrite (sum_ext _ _ (fun _ => 1)) by (intros i Hi; apply IH, D; lia). rewrite sum_constant, numbers by auto. field. lra.
Qed.
Lemma run_and_then {A B : Type} (c : prog A) (f : A -> prog B) u : run (and_then c f) u = bind (run c) (fun x => run (f x)) u.
Proof. unfold bind. induction c as [x|n k IH]; cbn; [reflexivity|]. f_equal. apply sum_ext. intros; apply IH. Qed.
Lemma draws_and_then {A B : Type} (c : prog A) (f : A -> prog B) : draws c -> (forall x, draws (f x)) -> draws (and_then c f).
Proof. intros C F. induction c as [x|n k IH]; cbn in *; [apply F|]. destruct C as [N D]. split; auto. Qed.

(* A draw below b that is compared with a is a coin of probability a/b. *)
Lemma coin {A : Type} (a b : Z) (x y : prog A) u : (0 <= a <= b)%Z -> (0 < b)%Z ->
  run (Below b (fun i => if (i <? a)%Z then x else y)) u = mix (IZR a / IZR b) (run x) (run y) u.
Proof.
  intros H B. cbn [run]. unfold mix. assert (B' : 0 < IZR b) by (apply IZR_lt; auto).
  replace (Z.to_nat b) with (Z.to_nat a + Z.to_nat (b - a))%nat by lia. rewrite sum_split.
  rewrite (sum_ext (Z.to_nat a) _ (fun _ => run x u)), (sum_ext (Z.to_nat (b - a)) _ (fun _ => run y u)).
  - rewrite !sum_constant, !INR_IZR_INZ, !Z2Nat.id, minus_IZR by lia. field. lra.
  - intros i Hi. destruct (Z.ltb_spec (Z.of_nat (Z.to_nat a + i)) a); [lia | reflexivity].
  - intros i Hi. destruct (Z.ltb_spec (Z.of_nat i) a); [reflexivity | lia].
Qed.
Lemma fraction a b : (0 < a < b)%Z -> 0 < IZR a / IZR b < 1.
Proof.
  intros H. assert (0 < IZR a < IZR b) by (split; apply IZR_lt; lia). split; [apply Rdiv_lt_0_compat; lra|].
  apply (Rmult_lt_reg_r (IZR b)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(* Tables. *)
Section Tables.
Context {A : Type}.
Lemma weigh_app (l m : list (A * Z)) u : weigh (l ++ m) u = weigh l u + weigh m u.
Proof. induction l as [|[x w] r IH]; cbn; [lra|]. rewrite IH. ring. Qed.
Lemma weigh_scale k (l : list (A * Z)) u : weigh (scale k l) u = IZR k * weigh l u.
Proof. induction l as [|[x w] r IH]; cbn [scale map weigh fst snd]; [lra|]. fold (scale k r). rewrite IH, mult_IZR. ring. Qed.
Definition valued (t : table A) u := weigh (snd t) u / IZR (fst t).
(* Two tables over their least common denominator. *)
Lemma common_holds (d e : Z) (l k : list (A * Z)) u : (0 < d)%Z -> (0 < e)%Z ->
  (0 < Z.lcm d e)%Z /\
  weigh (scale (Z.lcm d e / d) l ++ scale (Z.lcm d e / e) k) u / IZR (Z.lcm d e) = weigh l u / IZR d + weigh k u / IZR e.
Proof.
  intros D E. assert (N := Z.lcm_nonneg d e). assert (Z0 : Z.lcm d e <> 0%Z) by (rewrite Z.lcm_eq_0; lia).
  split; [lia|]. rewrite weigh_app, !weigh_scale. destruct (Z.divide_lcm_l d e) as [x X], (Z.divide_lcm_r d e) as [y Y].
  assert (D' : IZR d <> 0) by (apply not_0_IZR; lia). assert (E' : IZR e <> 0) by (apply not_0_IZR; lia).
  assert (L : IZR (Z.lcm d e) <> 0) by (apply not_0_IZR; lia). rewrite X at 1. rewrite Y at 1. rewrite !Z.div_mul by lia.
  assert (X' : IZR (Z.lcm d e) = IZR x * IZR d) by (rewrite X at 1; apply mult_IZR).
  assert (Y' : IZR (Z.lcm d e) = IZR y * IZR e) by (rewrite Y at 1; apply mult_IZR).
  unfold Rdiv at 1. rewrite Rmult_plus_distr_r. f_equal.
  - rewrite X' in *. field. split; auto. intros H; apply L; rewrite H; ring.
  - rewrite Y' in *. field. split; auto. intros H; apply L; rewrite H; ring.
Qed.
Lemma pooled_holds (f : nat -> table A) n u : (forall i, (i < n)%nat -> (0 < fst (f i))%Z) ->
  (0 < fst (pooled f n))%Z /\ valued (pooled f n) u = sum_below n (fun i => valued (f i) u).
Proof.
  unfold valued. induction n as [|n IH]; intros P; cbn [pooled sum_below]; [cbn; split; [lia | lra]|].
  destruct IH as [Q IH]; [intros; apply P; lia|]. rewrite <- IH. specialize (P n (Nat.lt_succ_diag_r n)).
  destruct (pooled f n) as [d l], (f n) as [e m]. cbn [fst snd] in *. apply common_holds; auto.
Qed.
Lemma enumerate_holds (c : prog A) u : draws c -> (0 < fst (enumerate c))%Z /\ run c u = valued (enumerate c) u.
Proof.
  unfold valued. intros D. induction c as [x|n k IH]; [cbn; unfold ret; split; [lia | field]|]. destruct D as [N D].
  cbn [run enumerate]. set (f := fun i => enumerate (k (Z.of_nat i))).
  assert (Each : forall i, (i < Z.to_nat n)%nat -> (0 < fst (f i))%Z /\ run (k (Z.of_nat i)) u = valued (f i) u).
  { intros i Hi. apply IH, D. lia. }
  destruct (pooled_holds f (Z.to_nat n) u) as [P Q]; [intros i Hi; apply Each; auto|].
  rewrite (sum_ext _ _ (fun i => valued (f i) u)) by (intros i Hi; apply Each; auto). rewrite <- Q. unfold valued.
  destruct (pooled f (Z.to_nat n)) as [d l]. cbn [fst snd] in *. split; [lia|]. rewrite mult_IZR. field.
  split; apply not_0_IZR; lia.
Qed.
End Tables.
Lemma table_holds {A : Type} (c : prog A) u : draws c -> run c u = weigh (snd (enumerate c)) u / IZR (fst (enumerate c)).
Proof. intros D. apply (enumerate_holds c u D). Qed.
Lemma program_holds {A : Type} (c : prog A) : draws c -> measure (run c) /\ total (run c).
Proof. intros D. split; [apply finite_is_measure, run_finite | apply run_total]; exact D. Qed.
