(* weighted-sampling: conditions on sampling rates, ppswor, and estimates. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Keys Estimates.
From DP.facts Require Estimates.
Import ListNotations.
Open Scope R_scope.

(* Appendix A, after Lemma A.1: (16) over (17) does not fall as the probability grows. *)
Theorem quotient_of_constraints : forall E d x y : R, 1 < E -> 0 <= d <= 1 -> 0 <= x <= y -> 0 < by_silence E d x ->
  by_report E d x / by_silence E d x <= by_report E d y / by_silence E d y.
Proof. exact facts.Estimates.quotient_grows. Qed.
Theorem quotient_of_constraints_met :
  by_report 2 (/ 4) (/ 4) / by_silence 2 (/ 4) (/ 4) <= by_report 2 (/ 4) (/ 2) / by_silence 2 (/ 4) (/ 2).
Proof. apply quotient_of_constraints; unfold by_silence; lra. Qed.
(* Equation 21: for ppswor the ratio of (20) does not grow while the rate grows by delta or more. *)
Theorem equation_21 : forall r : R, 0 < r < 1 -> forall (d : R) (i : nat), 0 <= d -> (1 <= i)%nat ->
  d <= ppswor r (S i) - ppswor r i -> (ppswor r (S (S i)) - d) / ppswor r (S i) <= (ppswor r (S i) - d) / ppswor r i.
Proof. exact facts.Estimates.growth_falls. Qed.
Theorem equation_21_met : (ppswor (/ 2) 3 - / 8) / ppswor (/ 2) 2 <= (ppswor (/ 2) 2 - / 8) / ppswor (/ 2) 1.
Proof. apply equation_21; unfold ppswor; cbn; lra || lia. Qed.
(* Equation 25: the ratio of what is not sampled does not grow at all. *)
Theorem equation_25 : forall r : R, 0 < r < 1 -> forall (d : R) (i : nat), 0 <= d ->
  (1 - ppswor r (S i) - d) / (1 - ppswor r (S (S i))) <= (1 - ppswor r i - d) / (1 - ppswor r (S i)).
Proof. exact facts.Estimates.silence_falls. Qed.
Theorem equation_25_met : (1 - ppswor (/ 2) 3 - / 8) / (1 - ppswor (/ 2) 4) <= (1 - ppswor (/ 2) 2 - / 8) / (1 - ppswor (/ 2) 3).
Proof. apply equation_25; lra. Qed.
(* Lemma A.3 for ppswor: from the first frequency on that is reported whenever it is sampled, all are. *)
Theorem sampling_binds : forall r : R, 0 < r < 1 -> forall E d : R, 1 <= E -> 0 <= d <= 1 -> forall i k : nat,
  reporting E d (ppswor r) (S i) = ppswor r (S i) -> reporting E d (ppswor r) (S (i + k)) = ppswor r (S (i + k)).
Proof. exact facts.Estimates.sampling_binds_on. Qed.
Theorem sampling_binds_met : reporting 2 (/ 2) (ppswor (/ 2)) (S (0 + 3)) = ppswor (/ 2) (S (0 + 3)).
Proof. apply sampling_binds; try lra. unfold ppswor. cbn. unfold Rmin. destruct (Rle_dec _ _), (Rle_dec _ _); lra. Qed.
(* Lemma 4.4: up to the first frequency whose probability without sampling exceeds its rate, sampling changes nothing;
   from there on every sampled key is reported. *)
Theorem lemma_4_4 : forall r : R, 0 < r < 1 -> forall E d : R, 1 <= E -> 0 <= d <= 1 -> forall s : nat,
  (forall i, (i < s)%nat -> reporting E d everything i <= ppswor r i) ->
  (forall i, (i < s)%nat -> reporting E d (ppswor r) i = reporting E d everything i) /\
  (ppswor r s < reporting E d everything s -> forall i, (s <= i)%nat -> reporting E d (ppswor r) i = ppswor r i).
Proof. exact facts.Estimates.one_switch. Qed.
Theorem lemma_4_4_met : (forall i, (i < 1)%nat -> reporting 2 1 (ppswor (/ 2)) i = reporting 2 1 everything i) /\
  (ppswor (/ 2) 1 < reporting 2 1 everything 1 -> forall i, (1 <= i)%nat -> reporting 2 1 (ppswor (/ 2)) i = ppswor (/ 2) i).
Proof. apply lemma_4_4; try lra. intros i I. replace i with O by lia. unfold ppswor. cbn. lra. Qed.

(* Equation 8 and Section 7: the mean and the variance of an estimate by the inverse probability. *)
Theorem equation_8 : forall w q : R, 0 < q ->
  estimate w q (fun x => x) = w /\ estimate w q (fun x => (x - w) ^ 2) = w ^ 2 * (/ q - 1).
Proof. exact facts.Estimates.inverse_holds. Qed.
Theorem equation_8_met : estimate 3 (/ 2) (fun x => x) = 3 /\ estimate 3 (/ 2) (fun x => (x - 3) ^ 2) = 3 ^ 2 * (/ (/ 2) - 1).
Proof. apply equation_8. lra. Qed.
(* Equation 9 and Section 7: the same for the sum over any number of keys that are sampled independently, of weights
   L(x) g(w_x). *)
Theorem equation_9 : forall keys : list (R * R), Forall sampling keys -> estimates keys sum_of = sum_of (map fst keys) /\
  estimates keys (fun l => (sum_of l - sum_of (map fst keys)) ^ 2) = sum_of (map variance_of keys).
Proof. exact facts.Estimates.estimates_hold. Qed.
Theorem equation_9_met : estimates [(3, / 2); (1, / 4)] sum_of = sum_of (map fst [(3, / 2); (1, / 4)]) /\
  estimates [(3, / 2); (1, / 4)] (fun l => (sum_of l - sum_of (map fst [(3, / 2); (1, / 4)])) ^ 2) = sum_of (map variance_of [(3, / 2); (1, / 4)]).
Proof. apply equation_9. repeat constructor; unfold sampling; cbn; lra. Qed.
(* Section 7.1 and Appendix F, corrected: frequency 1 is reported with probability delta; of an estimate of mean 1 that
   is a i with probability w i, and 0 without a report, the mean given a report, and the least variance. *)
Theorem first_frequency : forall (E d : R) (n : nat) (w a : nat -> R), 1 <= E -> 0 < d <= 1 -> (forall i, (i < n)%nat -> 0 <= w i) ->
  sum_below n w = reporting E d everything 1 -> sum_below n (fun i => w i * a i) = 1 ->
  sum_below n (fun i => w i * a i) / sum_below n w = / d /\
  / d - 1 <= sum_below n (fun i => w i * (a i - 1) ^ 2) + (1 - d) * (0 - 1) ^ 2 /\
  ((forall i, a i = / d) -> sum_below n (fun i => w i * (a i - 1) ^ 2) + (1 - d) * (0 - 1) ^ 2 = / d - 1).
Proof. exact facts.Estimates.first_holds. Qed.
Theorem first_frequency_met : let w := fun _ : nat => / 4 in let a := fun _ : nat => 4 in
  sum_below 1 (fun i => w i * a i) / sum_below 1 w = / (/ 4) /\
  / (/ 4) - 1 <= sum_below 1 (fun i => w i * (a i - 1) ^ 2) + (1 - / 4) * (0 - 1) ^ 2 /\
  ((forall i, a i = / (/ 4)) -> sum_below 1 (fun i => w i * (a i - 1) ^ 2) + (1 - / 4) * (0 - 1) ^ 2 = / (/ 4) - 1).
Proof.
  apply (first_frequency 2 (/ 4) 1 (fun _ => / 4) (fun _ => 4)); try lra; intros; try lra.
  - rewrite facts.Estimates.first_is_delta; cbn; lra.
  - cbn. lra.
Qed.
(* Section 8.2: for delta = 1 all keys are reported, and the other scheme reports each with less than 1. *)
Theorem no_privacy : forall (epsilon : R) (i : nat), 0 <= epsilon ->
  reporting (exp epsilon) 1 everything (S i) = 1 /\ 1 - exp (- (epsilon * INR i)) / 2 < 1.
Proof. exact facts.Estimates.without_privacy. Qed.
Theorem no_privacy_met : reporting (exp 1) 1 everything 3 = 1 /\ 1 - exp (- (1 * INR 2)) / 2 < 1.
Proof. apply no_privacy. lra. Qed.
