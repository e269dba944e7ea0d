(* Privacy for all sets of outcomes is privacy for all weights. *)
From Coq Require Import Reals Lra Lia.
From DP.definitions Require Import Laws.
From DP.facts Require Import Laws.
Open Scope R_scope.

Section Layers.
Context {A : Type}.
Variable n : nat.
Hypothesis some : (0 < n)%nat.
Variable u : A -> R.
Hypothesis U : event u.

(* Layer j is the set where u is at least (j + 1)/n; a weight is nearly the mean of its layers. *)
Definition layer (j : nat) (x : A) : R := if Rle_dec (INR (S j)) (INR n * u x) then 1 else 0.
Definition layers (k : nat) (x : A) : R := sum_below k (fun j => / INR n * layer j x).
Lemma layer_is_sharp j : sharp (layer j).
Proof. intros x. unfold layer. destruct (Rle_dec _ _); auto. Qed.
Lemma layer_value j x : (INR (S j) <= INR n * u x /\ layer j x = 1) \/ (~ INR (S j) <= INR n * u x /\ layer j x = 0).
Proof. unfold layer. destruct (Rle_dec _ _); auto. Qed.
Lemma n_positive : 0 < INR n.
Proof. apply lt_0_INR. exact some. Qed.
Lemma part_is_small : 0 <= / INR n <= 1.
Proof.
  split; [left; apply Rinv_0_lt_compat, n_positive|]. rewrite <- Rinv_1. apply Rinv_le_contravar; [lra|].
  apply (le_INR 1). exact some.
Qed.
Lemma layers_between k x : (k <= n)%nat -> 0 <= layers k x <= u x /\ (layers k x >= u x - / INR n \/ layers k x = INR k * / INR n).
Proof.
  pose proof n_positive as P. pose proof part_is_small as S. specialize (U x). assert (I : INR n * / INR n = 1) by (apply Rinv_r; lra).
  unfold layers. induction k as [|k IH]; intros K; [cbn; lra|]. destruct IH as [B C]; [lia|]. cbn [sum_below].
  destruct (layer_value k x) as [[L ->]|[L ->]]; rewrite S_INR in *.
  - assert ((INR k + 1) * / INR n <= u x).
    { apply (Rmult_le_reg_l (INR n)); auto. replace (INR n * ((INR k + 1) * / INR n)) with (INR k + 1) by (field; lra). lra. }
    destruct C as [C|C]; [|rewrite C in *; split; [lra | right; ring]].
    assert (sum_below k (fun j => / INR n * layer j x) <= INR k * / INR n).
    { rewrite <- (sum_constant k (/ INR n)). apply sum_le. intros j _. destruct (layer_is_sharp j x) as [-> | ->]; lra. }
    split; [lra | left; lra].
  - rewrite Rmult_0_r, Rplus_0_r. split; auto. left. destruct C as [C|C]; auto. rewrite C.
    assert (u x <= (INR k + 1) * / INR n); [|lra].
    apply (Rmult_le_reg_l (INR n)); auto. replace (INR n * ((INR k + 1) * / INR n)) with (INR k + 1) by (field; lra). lra.
Qed.
Lemma layers_event k : (k <= n)%nat -> event (layers k).
Proof. intros K x. destruct (layers_between k x K) as [B _]. specialize (U x). lra. Qed.
Lemma layers_close x : u x <= layers n x + / INR n.
Proof.
  destruct (layers_between n x (le_n n)) as [_ [C|C]]; [lra|]. rewrite C, Rinv_r by (pose proof n_positive; lra).
  specialize (U x). pose proof part_is_small. lra.
Qed.
Lemma mean_of_layers (p : law A) k : measure p -> (k <= n)%nat -> p (layers k) = sum_below k (fun j => / INR n * p (layer j)).
Proof.
  intros M. induction k as [|k IH]; intros K; [apply of_zero; auto|]. cbn [sum_below]. rewrite <- IH by lia.
  rewrite <- (scaled p M) by auto using part_is_small, sharp_is_event, layer_is_sharp.
  apply (additive p M (layers k) (fun x => / INR n * layer k x)).
  - apply layers_event. lia.
  - apply scaled_is_event; auto using part_is_small, sharp_is_event, layer_is_sharp.
  - apply (layers_event (S k)). exact K.
Qed.
End Layers.

Lemma nearly_private {A : Type} E d (p q : law A) n u : 0 <= E -> measure p -> measure q -> dp_sets E d p q -> (0 < n)%nat -> event u ->
  p u <= E * q u + d + / INR n.
Proof.
  intros HE P Q C N U. apply Rle_trans with (p (layers n u n) + / INR n).
  - apply at_most_more; auto using layers_event, part_is_small, layers_close.
  - rewrite (mean_of_layers n N u U p n P (le_n n)).
    assert (L : sum_below n (fun j => / INR n * p (layer n u j)) <= E * q (layers n u n) + d).
    { rewrite (mean_of_layers n N u U q n Q (le_n n)). apply Rle_trans with (sum_below n (fun j => E * (/ INR n * q (layer n u j)) + / INR n * d)).
      - apply sum_le. intros j _. pose proof (C (layer n u j) (layer_is_sharp n u j)). pose proof (part_is_small n N). nra.
      - rewrite sum_plus, sum_scale, sum_constant. pose proof (n_positive n N). right. field. lra. }
    assert (q (layers n u n) <= q u).
    { apply (monotone q Q); auto using layers_event. intros x. apply layers_between; auto. }
    assert (E * q (layers n u n) <= E * q u) by (apply Rmult_le_compat_l; auto). lra.
Qed.
Lemma below_all_inverses x y : (forall n, (0 < n)%nat -> x <= y + / INR n) -> x <= y.
Proof.
  intros H. apply Rnot_lt_le. intros L. destruct (archimed_cor1 (x - y)) as [n [B P]]; [lra|]. specialize (H n P). lra.
Qed.
Lemma sets_decide {A : Type} E d (p q : law A) : 0 <= E -> measure p -> measure q -> dp E d p q <-> dp_sets E d p q.
Proof.
  intros HE P Q. split; intros C u U.
  - apply C, sharp_is_event, U.
  - apply below_all_inverses. intros n N. apply nearly_private; auto.
Qed.
