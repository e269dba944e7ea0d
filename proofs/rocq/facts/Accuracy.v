(* All counts of a histogram are near: the sum over labels, and the product where they are independent. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Accuracy.
From DP.facts Require Import Laws.
Import ListNotations.
Open Scope R_scope.

Lemma either_holds {A : Type} (p : law A) u v w : measure p -> event u -> event v -> event w ->
  (forall x, w x <= u x + v x) -> p w <= p u + p v.
Proof.
  intros P U V W H. set (s := fun x => Rmin (w x) (u x)). set (t := fun x => w x - s x).
  assert (S : event s) by (intros x; unfold s, Rmin; destruct (Rle_dec (w x) (u x)); auto).
  assert (T : event t) by (intros x; unfold t, s, Rmin; specialize (U x); specialize (W x); destruct (Rle_dec (w x) (u x)); lra).
  assert (E : forall x, s x + t x = w x) by (intros x; unfold t; lra).
  assert (ST : event (fun x => s x + t x)) by (intros x; rewrite E; apply W).
  rewrite <- (same p _ w P ST W E), (additive p P s t S T ST). apply Rplus_le_compat; apply (monotone p P); auto.
  - intros x. unfold s. apply Rmin_r.
  - intros x. unfold t, s, Rmin. specialize (H x); specialize (V x). destruct (Rle_dec (w x) (u x)); lra.
Qed.
Lemma one_of_many {A : Type} (p : law A) beta n (off : nat -> A -> R) : measure p -> (forall i, event (off i)) ->
  (forall i, (i < n)%nat -> p (off i) <= beta) ->
  forall any, event any -> (forall x, any x <= sum_below n (fun i => off i x)) -> p any <= INR n * beta.
Proof.
  intros P O. induction n as [|n IH]; intros B any E H.
  - cbn in H. rewrite Rmult_0_l. rewrite <- (of_zero p P). apply (monotone p P); auto. apply zero_is_event.
  - set (u := fun x => Rmin 1 (sum_below n (fun i => off i x))).
    assert (N : forall x, 0 <= sum_below n (fun i => off i x)) by (intros x; apply sum_not_negative; intros; apply O).
    assert (U : event u) by (intros x; specialize (N x); unfold u, Rmin; destruct (Rle_dec 1 _); lra).
    assert (L : p u <= INR n * beta) by (apply IH; auto; intros x; apply Rmin_r).
    assert (K : p any <= p u + p (off n)).
    { apply either_holds; auto. intros x. specialize (H x). cbn [sum_below] in H. pose proof (O n x). pose proof (E x).
      unfold u, Rmin. destruct (Rle_dec 1 _); lra. }
    specialize (B n (Nat.lt_succ_diag_r n)). rewrite S_INR. lra.
Qed.

Lemma all_hold_event {A : Type} (us : list (A -> R)) : Forall event us -> event (all_hold us).
Proof.
  induction 1 as [|u us U _ IH]; intros [|x xs]; cbn; try lra. specialize (U x). specialize (IH xs). nra.
Qed.
Lemma all_likely {A : Type} beta (ps : list (law A)) us : beta <= 1 -> Forall2 (likely beta) ps us ->
  (1 - beta) ^ length ps <= every ps (all_hold us).
Proof.
  intros B. induction 1 as [|p u ps us (P & U & L) H IH]; [cbn; unfold ret; lra|].
  assert (Ms : Forall measure ps) by (clear IH; induction H as [|? ? ? ? (M & _)]; auto).
  assert (Es : Forall event us) by (clear IH Ms; induction H as [|? ? ? ? (_ & M & _)]; auto).
  pose proof (every_measure ps Ms) as Q. pose proof (all_hold_event us Es) as V. pose proof (within _ _ Q V) as W.
  set (r := every ps (all_hold us)) in *.
  assert (E : every (p :: ps) (all_hold (u :: us)) = r * p u).
  { cbn. unfold bind, image. rewrite <- (scaled p P r u W U).
    assert (I : forall x, every ps (fun xs => u x * all_hold us xs) = r * u x)
      by (intros x; rewrite (scaled _ Q (u x) _ (U x) V); unfold r; ring).
    apply same; auto.
    - intros x. rewrite I. specialize (U x). nra.
    - intros x. specialize (U x). nra. }
  rewrite E. cbn [length pow]. rewrite Rmult_comm. apply Rmult_le_compat; auto; [apply pow_le|]; lra.
Qed.
Lemma power_is_linear beta n : 0 <= beta <= 1 -> 1 - INR n * beta <= (1 - beta) ^ n.
Proof.
  intros B. induction n as [|n IH]; [cbn; lra|]. rewrite S_INR. cbn [pow]. pose proof (pos_INR n).
  assert (0 <= INR n * beta * beta) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). nra.
Qed.
