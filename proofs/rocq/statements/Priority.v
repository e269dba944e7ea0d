(* Private weighted sampling, Lemma A.3 for priority sampling. *)
From Coq Require Import Reals Arith Lra Lia.
From DP.definitions Require Import Laws Keys Priority.
From DP.facts Require Priority.
Open Scope R_scope.

(* Priority sampling with f(i) = i^p rises. *)
Theorem priority_is_rising : forall E d tau p : R, 0 < tau -> 0 <= p <= 1 \/ (1 <= p /\ d <= tau) -> rising (priority tau p).
Proof. exact facts.Priority.rising_for_any. Qed.
Theorem priority_is_rising_met : rising (priority (/ 2) 2).
Proof. apply (priority_is_rising 2 (/ 4) (/ 2) 2); [lra | right; lra]. Qed.
(* Where the next rate is at most (16) of a rate, so is each later one of the rate before it. *)
Theorem rates_within_report : forall E d tau p : R, 1 <= E -> 0 <= d <= 1 -> 0 < tau -> 0 <= p <= 1 \/ (1 <= p /\ d <= tau) ->
  forall i : nat, (1 <= i)%nat -> priority tau p (S i) <= may_report E d (priority tau p i) ->
  priority tau p (S (S i)) <= may_report E d (priority tau p (S i)).
Proof. exact facts.Priority.binds_on. Qed.
Theorem rates_within_report_met : priority 1 2 3 <= may_report 2 (/ 4) (priority 1 2 2).
Proof.
  apply (rates_within_report 2 (/ 4) 1 2); [lra | lra | lra | right; lra | lia |]. unfold may_report. rewrite !facts.Priority.all_at_rate_one by (lia || lra). lra.
Qed.
(* After a place where (13) is below (16), the next probability is always (13) or (17). *)
Theorem lemma_a_3_priority : forall E d tau p : R, 1 <= E -> 0 <= d <= 1 -> 0 < tau -> 0 <= p <= 1 \/ (1 <= p /\ d <= tau) ->
  let q := priority tau p in let pi := reporting E d q in
  forall j k : nat, (1 <= j)%nat -> pi j = q j -> q j < may_report E d (pi (j - 1)%nat) ->
  pi (S (j + k)) = Rmin (q (S (j + k))) (may_be_silent E d (pi (j + k)%nat)).
Proof. exact facts.Priority.no_report_after. Qed.
Theorem lemma_a_3_priority_met : let q := priority (/ 8) 1 in let pi := reporting 2 (/ 4) q in
  pi (S (1 + 3)) = Rmin (q (S (1 + 3))) (may_be_silent 2 (/ 4) (pi (1 + 3)%nat)).
Proof.
  apply (lemma_a_3_priority 2 (/ 4) (/ 8) 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(left; lra) 1 3 ltac:(lia)); apply facts.Priority.first_is_sampled.
Qed.
