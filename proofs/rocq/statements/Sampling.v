(* sample-and-threshold: one bin, histograms, the program, and the constant. *)
From Coq Require Import Reals ZArith List Lra Lia.
From DP.definitions Require Import Laws Programs Sampling.
From DP.facts Require Sampling.
Import ListNotations.
Open Scope R_scope.

(* Equation 5 with the threshold: of k people, the chance of at least tau and more than k q sampled ones. *)
Theorem equation_5 : forall p : R, 0 < p < 1 -> forall epsilon : R, exp (- epsilon) <= 1 - p -> forall k tau : nat,
  sampled p k (above tau (INR k * raised p epsilon)) <= chernoff_delta p epsilon tau.
Proof. exact facts.Sampling.chernoff_holds. Qed.
Theorem equation_5_met : sampled (/ 2) 4 (above 3 (INR 4 * raised (/ 2) (ln 2))) <= chernoff_delta (/ 2) (ln 2) 3.
Proof. apply equation_5; [lra|]. rewrite exp_Ropp, exp_ln; lra. Qed.

(* Theorem 2, for one bin: every rate, threshold, epsilon and count. *)
Theorem theorem_2 : forall p : R, 0 < p < 1 -> forall epsilon : R, exp (- epsilon) <= 1 - p -> forall tau k : nat,
  dp_both (exp epsilon) (chernoff_delta p epsilon tau) (sample_threshold p tau k) (sample_threshold p tau (S k)).
Proof. exact facts.Sampling.theorem_2_holds. Qed.
Theorem theorem_2_met : dp_both (exp (ln 4)) (chernoff_delta (/ 2) (ln 4) 3) (sample_threshold (/ 2) 3 5) (sample_threshold (/ 2) 3 6).
Proof. apply theorem_2; [lra|]. rewrite exp_Ropp, exp_ln; lra. Qed.
(* Its delta says something: it is less than 1 wherever the rate is below its bound. *)
Theorem theorem_2_says_something : forall (p epsilon : R) (tau : nat), 0 < p < 1 -> exp (- epsilon) < 1 - p -> (1 <= tau)%nat ->
  chernoff_delta p epsilon tau < 1.
Proof. exact facts.Sampling.delta_below_one. Qed.
Theorem theorem_2_says_something_met : chernoff_delta (/ 2) (ln 4) 3 < 1.
Proof. apply theorem_2_says_something; [lra | rewrite exp_Ropp, exp_ln; lra | lia]. Qed.
(* Theorem 2, for histograms: one person more or less in any bin; every law is total. *)
Theorem theorem_2_histogram : forall (p epsilon : R) (tau : nat), 0 < p < 1 -> exp (- epsilon) <= 1 - p ->
  private (exp epsilon) (chernoff_delta p epsilon tau) (fun _ => True) one_apart (histogram p tau).
Proof. exact facts.Sampling.histogram_holds. Qed.
Theorem theorem_2_histogram_met : private (exp (ln 4)) (chernoff_delta (/ 2) (ln 4) 3) (fun _ => True) one_apart (histogram (/ 2) 3).
Proof. apply theorem_2_histogram; [lra|]. rewrite exp_Ropp, exp_ln; lra. Qed.
(* The program that draws a coin for each person has this law. *)
Theorem program_of_bin : forall (a b : Z) (tau k : nat) (u : nat -> R), (0 < a < b)%Z ->
  run (bin a b tau k) u = sample_threshold (IZR a / IZR b) tau k u.
Proof. exact facts.Sampling.bin_holds. Qed.
Theorem program_of_bin_met : run (bin 1 3 2 4) INR = sample_threshold (1 / 3) 2 4 INR.
Proof. apply program_of_bin. lia. Qed.

(* Lemma 3: at the rate alpha (1 - e^-epsilon), the delta of Theorem 2 is at most e^(-C_alpha tau). *)
Theorem lemma_3 : forall alpha epsilon : R, 0 < alpha <= 1 -> 0 < epsilon -> forall tau k : nat,
  dp_both (exp epsilon) (exp (- (constant_of alpha * INR tau)))
    (sample_threshold (rate alpha epsilon) tau k) (sample_threshold (rate alpha epsilon) tau (S k)).
Proof. exact facts.Sampling.lemma_3_private. Qed.
Theorem lemma_3_met : dp_both (exp 1) (exp (- (constant_of (/ 4) * INR 3)))
  (sample_threshold (rate (/ 4) 1) 3 5) (sample_threshold (rate (/ 4) 1) 3 6).
Proof. apply lemma_3; lra. Qed.
(* The constant: it is positive at 1/4, and between ln(1/alpha) - 1 and ln(1/alpha) - 1/2. *)
Theorem constant_between : forall alpha : R, 0 < alpha <= 1 -> ln (/ alpha) - 1 <= constant_of alpha <= ln (/ alpha) - / 2.
Proof. exact facts.Sampling.constant_range. Qed.
Theorem constant_between_met : ln (/ (/ 4)) - 1 <= constant_of (/ 4) <= ln (/ (/ 4)) - / 2.
Proof. apply constant_between. lra. Qed.
