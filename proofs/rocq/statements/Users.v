(* user-level-histograms: choosing the threshold at which users' histograms are clipped; a user is a weight and a norm. *)
From Coq Require Import Reals Lra List.
From DP.definitions Require Import Users.
From DP.facts Require Users.
Import ListNotations.
Open Scope R_scope.

(* Lemma A.1: how far the minimizer moves when one user is replaced; the weights are at most W. *)
Theorem lemma_a_1_of_users : forall (W : R) (before after : list (R * R)) (x y : R * R) (eta lambda c d : R),
  Forall (weighs_at_most W) (before ++ x :: after) -> Forall (weighs_at_most W) (before ++ y :: after) -> 0 < lambda ->
  least_at (regularized (before ++ x :: after) eta lambda) c -> least_at (regularized (before ++ y :: after) eta lambda) d ->
  Rabs (c - d) <= W / lambda.
Proof. exact facts.Users.minimizer_holds. Qed.
Theorem lemma_a_1_of_users_met : Rabs (0 - 0) <= 1 / 1.
Proof.
  apply (lemma_a_1_of_users 1 [] [] (1, 1) (1, / 2) 1 1); try (constructor; [split; cbn; lra | constructor]); try lra; apply facts.Users.example_is_least; lra.
Qed.
(* Section 4: clipping at a greater threshold loses no more. *)
Theorem no_more_lost : forall (W : R) (users : list (R * R)) (c d : R), Forall (weighs_at_most W) users -> c <= d -> lost users d <= lost users c.
Proof. exact facts.Users.lost_falls. Qed.
Theorem no_more_lost_met : lost [(1, 2)] 1 <= lost [(1, 2)] 0.
Proof. apply (no_more_lost 1); [apply facts.Users.one_user_weighs | lra]. Qed.
(* Section 4, Formula 2: where the bound on the error is least, exactly. *)
Theorem threshold_rule : forall (W : R) (users : list (R * R)) (eta c : R), Forall (weighs_at_most W) users -> 0 <= c ->
  least_at (error_bound users eta) c <-> weigh_users beyond users c <= eta /\ (eta <= weigh_users onward users c \/ c = 0).
Proof. exact facts.Users.rule_holds. Qed.
Theorem threshold_rule_met : least_at (error_bound [(1, 2)] 1) 0.
Proof.
  apply (threshold_rule 1); [apply facts.Users.one_user_weighs | lra | split; [|right; reflexivity]].
  unfold weigh_users, beyond. cbn. destruct (Rlt_dec 0 2); lra.
Qed.
(* Equation 5: the slopes of the bound on either side of a threshold. *)
Theorem threshold_slopes : forall (users : list (R * R)) (eta c : R),
  (exists d, c < d /\ forall e, c < e <= d -> error_bound users eta e - error_bound users eta c = (eta - weigh_users beyond users c) * (e - c)) /\
  (0 < c -> exists d, 0 <= d < c /\ forall e, d <= e < c -> error_bound users eta c - error_bound users eta e = (eta - weigh_users onward users c) * (c - e)).
Proof. exact facts.Users.slopes_hold. Qed.
Theorem threshold_slopes_met : exists d, 1 < d /\
  (forall e, 1 < e <= d -> error_bound [(1, 2)] 3 e - error_bound [(1, 2)] 3 1 = (3 - weigh_users beyond [(1, 2)] 1) * (e - 1)).
Proof. apply (threshold_slopes [(1, 2)] 3 1). Qed.
