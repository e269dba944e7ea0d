(* Compact histograms are private: two labels change, each by the ratio of M and, where a count is 0, by that of M0. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Histograms Compact.
From DP.facts Require Import Laws Histograms.
Import ListNotations.
Open Scope R_scope.

Section Values.
Context {F P : Type}.
Variables (n : nat) (through : list F -> P) (M : nat -> law nat) (M0 : law nat) (spread : nat -> law F) (R1 A B : R).
Hypothesis lawful : forall c, (c <= n)%nat -> measure (M c) /\ total (M c).
Hypothesis empty : measure M0 /\ total M0.
Hypothesis spreads : forall z, measure (spread z) /\ total (spread z).
Hypothesis ratios : 1 <= R1 /\ 1 <= A /\ 1 <= B.
Hypothesis close : forall c, (S c <= n)%nat -> dp_both R1 0 (M c) (M (S c)).
Hypothesis from_empty : dp A 0 (M 0%nat) M0.
Hypothesis to_empty : dp B 0 M0 (M 0%nat).
Definition value : nat -> law F := value_of M M0 spread.

Lemma value_lawful c : (c <= n)%nat -> measure (value c) /\ total (value c).
Proof.
  intros C. assert (L : measure (match c with O => M0 | S _ => M c end) /\ total (match c with O => M0 | S _ => M c end)) by (destruct c; auto).
  destruct L as [Q T]. unfold value, value_of. split; [apply bind_measure; auto; apply spreads|]. unfold total, bind.
  transitivity (match c with O => M0 | S _ => M c end (fun _ => 1)); [|exact T]. apply same; auto using one_is_event.
  - intros z. apply within; [apply spreads | apply one_is_event].
  - intros z. apply spreads.
Qed.
Lemma one_less c : (S c <= n)%nat -> dp (R1 * A) 0 (value (S c)) (value c).
Proof.
  intros C. destruct ratios as (HR & HA & _). unfold value, value_of. apply post_processing_holds; [apply spreads|]. destruct (close c C) as [_ D]. destruct c as [|c].
  - replace 0 with (0 + R1 * 0) by ring. eapply chain_holds; [lra | exact D | exact from_empty].
  - apply (weaker_holds R1 _ 0); auto; [apply lawful; lia | nra | lra].
Qed.
Lemma one_more_count c : (S c <= n)%nat -> dp (R1 * B) 0 (value c) (value (S c)).
Proof.
  intros C. destruct ratios as (HR & _ & HB). unfold value, value_of. apply post_processing_holds; [apply spreads|]. destruct (close c C) as [D _]. destruct c as [|c].
  - rewrite (Rmult_comm R1). replace 0 with (0 + B * 0) by ring. eapply chain_holds; [lra | exact to_empty | exact D].
  - apply (weaker_holds R1 _ 0); auto; [apply lawful; lia | nra | lra].
Qed.
Lemma compact_holds : private (R1 * R1 * A * B) 0 (counts_at_most n) one_label (compact_histogram through M M0 spread).
Proof.
  destruct ratios as (HR & HA & HB). apply private_image, (moves_hold n value value_lawful). intros i j before between after I J Hb Hm Ha.
  assert (Fine : forall c, (c <= n)%nat -> measure (value c)) by (intros; apply value_lawful; auto).
  assert (All : forall x, counts_at_most n x -> Forall measure (map value x)) by (apply (bins_forall n value value_lawful)). split.
  - replace (R1 * R1 * A * B) with (R1 * A * (R1 * B)) by ring. replace 0 with (0 + R1 * A * 0) by ring.
    apply first_then_second; auto; [repeat split; apply Fine; lia | repeat split; nra | apply one_less; auto | apply one_more_count; auto].
  - replace (R1 * R1 * A * B) with (R1 * B * (R1 * A)) by ring. replace 0 with (0 + R1 * B * 0) by ring.
    apply first_then_second; auto; [repeat split; apply Fine; lia | repeat split; nra | apply one_more_count; auto | apply one_less; auto].
Qed.
End Values.
Lemma theorem_8_3_holds {F P : Type} n (through : list F -> P) M M0 spread e1 e2 e3 : 0 <= e1 -> 0 <= e2 -> 0 <= e3 ->
  (forall c, (c <= n)%nat -> measure (M c) /\ total (M c)) -> measure M0 -> total M0 -> (forall z, measure (spread z) /\ total (spread z)) ->
  (forall c, (S c <= n)%nat -> dp_both (exp (e1 / 2)) 0 (M c) (M (S c))) -> dp (exp e2) 0 M0 (M 0%nat) -> dp (exp e3) 0 (M 0%nat) M0 ->
  private (exp (e1 + e2 + e3)) 0 (counts_at_most n) one_label (compact_histogram through M M0 spread).
Proof.
  intros E1 E2 E3 L Q T S C B A. replace (exp (e1 + e2 + e3)) with (exp (e1 / 2) * exp (e1 / 2) * exp e3 * exp e2).
  - apply compact_holds; auto. repeat split; match goal with |- 1 <= exp ?x => pose proof (exp_ineq1_le x); lra end.
  - rewrite <- !exp_plus. f_equal. lra.
Qed.
Lemma zero_close t : 0 <= t -> dp (exp t) 0 (ret 0%nat) (ret 0%nat).
Proof. intros H. apply (sure_close t H). Qed.
