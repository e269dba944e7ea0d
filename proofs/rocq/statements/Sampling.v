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

(* Section 3.1: for k + 1 people and one less, the chance of that event is all that delta must be. *)
Theorem bad_event : forall p : R, 0 < p < 1 -> forall epsilon : R, exp (- epsilon) <= 1 - p -> forall k tau : nat,
  dp (exp epsilon) (sampled p (S k) (above tau (INR (S k) * raised p epsilon))) (sample_threshold p tau (S k)) (sample_threshold p tau k).
Proof. exact facts.Sampling.bad_event_holds. Qed.
Theorem bad_event_met :
  dp (exp (ln 4)) (sampled (/ 2) 6 (above 3 (INR 6 * raised (/ 2) (ln 4)))) (sample_threshold (/ 2) 3 6) (sample_threshold (/ 2) 3 5).
Proof. apply bad_event; [lra|]. rewrite exp_Ropp, exp_ln; lra. Qed.
(* The other way: a person less needs no delta. *)
Theorem without_delta : forall p : R, 0 < p < 1 -> forall epsilon : R, exp (- epsilon) <= 1 - p -> forall k tau : nat,
  dp (exp epsilon) 0 (sample_threshold p tau k) (sample_threshold p tau (S k)).
Proof. exact facts.Sampling.removed_holds. Qed.
Theorem without_delta_met : dp (exp (ln 4)) 0 (sample_threshold (/ 2) 3 5) (sample_threshold (/ 2) 3 6).
Proof. apply without_delta; [lra|]. rewrite exp_Ropp, exp_ln; lra. Qed.

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
(* The same for histograms: one person more or less in any bin. *)
Theorem lemma_3_histogram : forall (alpha epsilon : R) (tau : nat), 0 < alpha <= 1 -> 0 < epsilon ->
  private (exp epsilon) (exp (- (constant_of alpha * INR tau))) (fun _ => True) one_apart (histogram (rate alpha epsilon) tau).
Proof. exact facts.Sampling.lemma_3_of_histograms. Qed.
Theorem lemma_3_histogram_met : private (exp 1) (exp (- (constant_of (/ 4) * INR 3))) (fun _ => True) one_apart (histogram (rate (/ 4) 1) 3).
Proof. apply lemma_3_histogram; lra. Qed.
(* The constant: it is positive at 1/4, and between ln(1/alpha) - 1 and ln(1/alpha) - 1/2. *)
Theorem constant_between : forall alpha : R, 0 < alpha <= 1 -> ln (/ alpha) - 1 <= constant_of alpha <= ln (/ alpha) - / 2.
Proof. exact facts.Sampling.constant_range. Qed.
Theorem constant_between_met : ln (/ (/ 4)) - 1 <= constant_of (/ 4) <= ln (/ (/ 4)) - / 2.
Proof. apply constant_between. lra. Qed.

(* Lemma 1, corrected, and Appendix A: (k + 1 - v) Pr[B(k + 1, p) = v] = (k + 1)(1 - p) Pr[B(k, p) = v]. *)
Theorem lemma_1 : forall (p : R) (k v : nat), 0 < p < 1 ->
  (INR (S k) - INR v) * sampled p (S k) (just v) = INR (S k) * (1 - p) * sampled p k (just v).
Proof. exact facts.Sampling.masses_hold. Qed.
Theorem lemma_1_met : (INR 4 - INR 2) * sampled (/ 3) 4 (just 2) = INR 4 * (1 - / 3) * sampled (/ 3) 3 (just 2).
Proof. apply lemma_1. lra. Qed.
(* Section 3.1: a tail of the sampled count does not fall as people are added. *)
Theorem tails_grow : forall (p : R) (k tau : nat), 0 < p < 1 ->
  sampled p k (fun v => 1 - low tau v) <= sampled p (S k) (fun v => 1 - low tau v).
Proof. exact facts.Sampling.tails_hold. Qed.
Theorem tails_grow_met : sampled (/ 3) 3 (fun v => 1 - low 2 v) <= sampled (/ 3) 4 (fun v => 1 - low 2 v).
Proof. apply tails_grow. lra. Qed.
(* Equation 2: for k people all ratios of masses are at least e^-epsilon exactly if the rate is at most 1 - e^-epsilon;
   the ratio at 0 is the least. *)
Theorem equation_2 : forall (p epsilon : R) (k : nat), 0 < p < 1 -> (1 <= k)%nat ->
  (exp (- epsilon) <= 1 - p <-> forall v, (v < k)%nat -> exp (- epsilon) <= (1 - p) * INR k / (INR k - INR v)) /\
  (forall v, (v < k)%nat -> (1 - p) * INR k / (INR k - INR 0) <= (1 - p) * INR k / (INR k - INR v)).
Proof. exact facts.Sampling.at_zero_holds. Qed.
Theorem equation_2_met :
  (exp (- 1) <= 1 - / 3 <-> forall v, (v < 4)%nat -> exp (- 1) <= (1 - / 3) * INR 4 / (INR 4 - INR v)) /\
  (forall v, (v < 4)%nat -> (1 - / 3) * INR 4 / (INR 4 - INR 0) <= (1 - / 3) * INR 4 / (INR 4 - INR v)).
Proof. apply equation_2; [lra | lia]. Qed.
(* Equation 3: the ratio is at most e^epsilon exactly up to v = k q. *)
Theorem equation_3 : forall (p epsilon : R) (k v : nat), 0 < p < 1 -> (v < k)%nat ->
  (1 - p) * INR k / (INR k - INR v) <= exp epsilon <-> INR v <= INR k * raised p epsilon.
Proof. exact facts.Sampling.cut_off_holds. Qed.
Theorem equation_3_met : (1 - / 3) * INR 4 / (INR 4 - INR 2) <= exp 1 <-> INR 2 <= INR 4 * raised (/ 3) 1.
Proof. apply equation_3; [lra | lia]. Qed.
(* Equation 4: q is between the rate and 1, and 1 - q = (1 - p) e^-epsilon. *)
Theorem equation_4 : forall p epsilon : R, 0 < p < 1 -> 0 < epsilon ->
  p < raised p epsilon < 1 /\ 1 - raised p epsilon = (1 - p) * exp (- epsilon).
Proof. exact facts.Sampling.raised_between. Qed.
Theorem equation_4_met : / 3 < raised (/ 3) 1 < 1 /\ 1 - raised (/ 3) 1 = (1 - / 3) * exp (- 1).
Proof. apply equation_4; lra. Qed.
(* Equation 5 in general: of k people at least k q are sampled with probability at most e^(-k D(q||p)), q above the rate. *)
Theorem chernoff_bound : forall (p q : R) (k : nat), 0 < p < 1 -> p < q < 1 ->
  sampled p k (at_least_share (INR k * q)) <= exp (- (INR k * divergence q p)).
Proof. exact facts.Sampling.chernoff_general. Qed.
Theorem chernoff_bound_met : sampled (/ 3) 4 (at_least_share (INR 4 * (/ 2))) <= exp (- (INR 4 * divergence (/ 2) (/ 3))).
Proof. apply chernoff_bound; lra. Qed.
(* Section 3.1: the rate of Lemma 3 is about alpha epsilon, and gives epsilon back as ln(alpha/(alpha - p)). *)
Theorem rate_solved : forall alpha epsilon : R, 0 < alpha <= 1 -> 0 < epsilon ->
  exp epsilon = alpha / (alpha - rate alpha epsilon) /\ rate alpha epsilon <= alpha * epsilon /\
  (epsilon <= 1 -> alpha * epsilon / 2 <= rate alpha epsilon).
Proof. exact facts.Sampling.solved_holds. Qed.
Theorem rate_solved_met : exp 1 = / 4 / (/ 4 - rate (/ 4) 1) /\ rate (/ 4) 1 <= / 4 * 1 /\ (1 <= 1 -> / 4 * 1 / 2 <= rate (/ 4) 1).
Proof. apply rate_solved; lra. Qed.
(* Section 3.1: which threshold is enough for delta. *)
Theorem threshold_enough : forall (alpha epsilon delta : R) (tau k : nat), 0 < alpha <= 1 -> 0 < epsilon ->
  0 < constant_of alpha -> 0 < delta -> ln (/ delta) / constant_of alpha <= INR tau ->
  dp_both (exp epsilon) delta (sample_threshold (rate alpha epsilon) tau k) (sample_threshold (rate alpha epsilon) tau (S k)).
Proof. exact facts.Sampling.threshold_holds. Qed.
Theorem threshold_enough_met : dp_both (exp 1) (exp (- 1))
  (sample_threshold (rate (exp (- 2)) 1) 1 5) (sample_threshold (rate (exp (- 2)) 1) 1 6).
Proof. apply threshold_enough; apply facts.Sampling.example_of_threshold. Qed.
(* Appendix A: the forms that q, its ratios and the divergence take at that rate. *)
Theorem appendix_forms : forall alpha epsilon : R, 0 < alpha <= 1 -> 0 < epsilon ->
  let y := exp (- epsilon) in let p := rate alpha epsilon in let q := raised p epsilon in
  q = (1 - y) * (1 + alpha * y) /\ q / p = (1 + alpha * y) / alpha /\ (1 - p) / (1 - q) = exp epsilon /\
  divergence q p = q * ln ((1 + alpha * y) / alpha) - epsilon * (1 - q) /\
  (1 - q) / q = (1 - alpha + alpha * y) / ((exp epsilon - 1) * (1 + alpha * y)).
Proof. exact facts.Sampling.forms_hold. Qed.
Theorem appendix_forms_met : let y := exp (- 1) in let p := rate (/ 4) 1 in let q := raised p 1 in
  q = (1 - y) * (1 + / 4 * y) /\ q / p = (1 + / 4 * y) / (/ 4) /\ (1 - p) / (1 - q) = exp 1 /\
  divergence q p = q * ln ((1 + / 4 * y) / (/ 4)) - 1 * (1 - q) /\
  (1 - q) / q = (1 - / 4 + / 4 * y) / ((exp 1 - 1) * (1 + / 4 * y)).
Proof. apply appendix_forms; lra. Qed.
