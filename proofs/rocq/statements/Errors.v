(* user-level-histograms, Lemma 4.1, Theorem 4.2 and Appendix A.1, reconstructed: the mean l1 error of clipped sums with noise
   of either sign alike. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Users Clipping Errors.
From DP.facts Require Errors.
Import ListNotations.
Open Scope R_scope.

(* Appendix A.1, Formula 1, for any m counts, losses and laws of noise, also of infinitely many sizes. *)
Theorem errors_between : forall (m : nat) (z : noises) (gone : nat -> R) (s e : R), noise_law m z -> (forall j, 0 <= gone j) ->
  noise_size m z s -> mean_error m z gone e -> s <= e /\ sum_below m gone <= e <= sum_below m gone + s.
Proof. exact facts.Errors.errors_between_holds. Qed.
Theorem errors_between_met : 2 * 1 <= 2 * ((Rabs (1 - 3) + Rabs (1 + 3)) / 2).
Proof.
  apply (errors_between 2 (facts.Errors.sized 1) (fun _ => 3)); [apply facts.Errors.sized_law; lra | intros; lra | apply facts.Errors.sized_mean | apply facts.Errors.sized_error].
Qed.
(* What is lost of all counts is, user by user, w (nu - C) where that is above 0, in l1 and in l2. *)
Theorem lost_of_counts : forall (l1 : bool) (m : nat) (users : list (nat -> R)) (C : R), Forall counted users -> 0 <= C ->
  sum_below m (taken_at (norm_in l1) m users C) = lost (map (user_of (norm_in l1) m) users) C.
Proof. exact facts.Errors.taken_in_either. Qed.
Theorem lost_of_counts_met : sum_below 3 (taken_at norm_1 3 [INR] 1) = lost (map (user_of norm_1 3) [INR]) 1.
Proof. apply (lost_of_counts true); [constructor; [intros j; apply pos_INR | constructor] | lra]. Qed.
(* Equation 4: the mean error is between half of U(C) and U(C). *)
Theorem equation_4_of_users : forall (l1 : bool) (m : nat) (users : list (nat -> R)) (eta : R) (z : R -> noises) (Err : R -> R), Forall counted users ->
  errs (norm_in l1) m users eta z Err -> forall C, 0 <= C ->
  error_bound (map (user_of (norm_in l1) m) users) eta C / 2 <= Err C <= error_bound (map (user_of (norm_in l1) m) users) eta C.
Proof. exact facts.Errors.equation_4_holds. Qed.
Theorem equation_4_of_users_met : error_bound (map (user_of norm_1 1) []) (/ 2) 3 / 2 <= / 2 * 3 <= error_bound (map (user_of norm_1 1) []) (/ 2) 3.
Proof. apply (equation_4_of_users true 1 [] (/ 2) (fun C => facts.Errors.sized (/ 2 * C)) (fun C => / 2 * C)); [constructor | apply facts.Errors.nobody_errs; lra | lra]. Qed.
(* Appendix A.1, Formula 2: at a threshold c that the rule allows, against any other. *)
Theorem formula_2 : forall (l1 : bool) (m : nat) (users : list (nat -> R)) (eta : R) (z : R -> noises) (Err : R -> R), Forall counted users ->
  errs (norm_in l1) m users eta z Err -> forall c C, 0 <= c -> 0 <= C -> weigh_users beyond (map (user_of (norm_in l1) m) users) c <= eta ->
  eta <= weigh_users onward (map (user_of (norm_in l1) m) users) c \/ c = 0 ->
  Err c <= error_bound (map (user_of (norm_in l1) m) users) eta c <= error_bound (map (user_of (norm_in l1) m) users) eta C /\
  error_bound (map (user_of (norm_in l1) m) users) eta C <= 2 * Err C.
Proof. exact facts.Errors.formula_2_holds. Qed.
Theorem formula_2_met : error_bound (map (user_of norm_1 1) []) (/ 2) 3 <= 2 * (/ 2 * 3).
Proof.
  apply (formula_2 true 1 [] (/ 2) (fun C => facts.Errors.sized (/ 2 * C)) (fun C => / 2 * C)) with (c := 0); [constructor | apply facts.Errors.nobody_errs; lra | lra | lra | cbn; lra | right; reflexivity].
Qed.
(* Lemma 4.1: in l1 the ceil(eta)-th greatest of the users' norms, or 0 where there are fewer users. *)
Theorem lemma_4_1_of_users : forall (m : nat) (users : list (nat -> R)) (eta : R) (k : nat) (z : R -> noises) (Err : R -> R) (c : R), Forall counted users ->
  errs norm_1 m users eta z Err -> 0 <= c -> INR k - 1 < eta <= INR k -> kth_greatest k (map (norm_1 m) users) c ->
  forall C, 0 <= C -> Err c <= 2 * Err C.
Proof. exact facts.Errors.lemma_4_1_holds. Qed.
Theorem lemma_4_1_of_users_met : / 2 * 0 <= 2 * (/ 2 * 3).
Proof.
  apply (lemma_4_1_of_users 1 [] (/ 2) 1 (fun C => facts.Errors.sized (/ 2 * C)) (fun C => / 2 * C)); [constructor | apply facts.Errors.nobody_errs; lra | lra | cbn; lra | | lra].
  right. split; [reflexivity | cbn; lia].
Qed.
(* Theorem 4.2: in l2 the greatest norm from which on the users weigh at least eta, or 0 if there is none, has the least U. *)
Theorem theorem_4_2_of_users : forall (m : nat) (users : list (nat -> R)) (eta : R) (z : R -> noises) (Err : R -> R) (c : R), Forall counted users ->
  errs norm_2 m users eta z Err -> 0 <= eta -> 0 <= c -> (eta <= weigh_users onward (map (user_of norm_2 m) users) c \/ c = 0) ->
  (forall h, In h users -> c < norm_2 m h -> weigh_users onward (map (user_of norm_2 m) users) (norm_2 m h) < eta) ->
  least_at (error_bound (map (user_of norm_2 m) users) eta) c /\ forall C, 0 <= C -> Err c <= 2 * Err C.
Proof. exact facts.Errors.theorem_4_2_holds. Qed.
Theorem theorem_4_2_of_users_met : least_at (error_bound (map (user_of norm_2 1) []) (/ 2)) 0.
Proof.
  apply (theorem_4_2_of_users 1 [] (/ 2) (fun C => facts.Errors.sized (/ 2 * C)) (fun C => / 2 * C)); [constructor | apply facts.Errors.nobody_errs; lra | lra | lra | right; reflexivity | intros h []].
Qed.
