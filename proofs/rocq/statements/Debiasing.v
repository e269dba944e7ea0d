(* user-level-histograms, Theorems 5.1 and 5.2, reconstructed, for every psi; y has countably many values. *)
From Coq Require Import Reals Lra Lia.
From DP.definitions Require Import Laws Debiasing.
From DP.facts Require Debiasing.
Open Scope R_scope.

(* Theorem 5.1: the mean square error of the estimate of x. *)
Theorem error_of_estimate : forall (kappa top : R) (psi : R -> R) (p Y Z : nat -> R) (e q : R), 0 < kappa -> rises_by kappa top psi ->
  inverts top psi Y Z -> moments p Y e q -> forall x t, 0 <= x <= top -> mean_square p Z x t ->
  t <= (/ kappa) ^ 2 * ((q - e ^ 2) + (psi x - e) ^ 2).
Proof. exact facts.Debiasing.error_holds. Qed.
Theorem error_of_estimate_met : (1 - 0) ^ 2 <= (/ 1) ^ 2 * ((1 ^ 2 - 1 ^ 2) + (0 - 1) ^ 2).
Proof.
  apply (error_of_estimate 1 2 (fun u => u) facts.Debiasing.one_point (fun _ => 1) (fun _ => 1) 1 (1 ^ 2)); try lra.
  - apply facts.Debiasing.line_rises.
  - apply facts.Debiasing.line_inverts.
  - apply facts.Debiasing.point_moments.
  - apply facts.Debiasing.point_error.
Qed.
(* Its bias: where y has the mean of psi of the rates, psi of their mean is above it by V/2 M at most, V their variance. *)
Theorem bias_of_mean : forall (M top : R) (psi : R -> R) (m : nat) (rates : nat -> R) (slope : R), (0 < m)%nat ->
  (forall i, 0 <= rates i <= top) -> below_tangent M top psi (mean_below m rates) slope ->
  0 <= psi (mean_below m rates) - mean_below m (fun i => psi (rates i)) <= mean_below m (fun i => (rates i - mean_below m rates) ^ 2) / 2 * M.
Proof. exact facts.Debiasing.bias_holds. Qed.
Theorem bias_of_mean_met : 0 <= mean_below 2 (fun _ => 1) - mean_below 2 (fun _ => 1).
Proof. apply (bias_of_mean 0 2 (fun u => u) 2 (fun _ => 1) 1); [lia | intros; lra | intros u U; lra]. Qed.
(* Theorem 5.2: the gap to the clipped count y, where psi w is the mean of y, b = x - w and r^2 = Var y/kappa^2. *)
Theorem gap_to_clipped : forall (kappa top : R) (psi : R -> R) (p Y Z : nat -> R) (e q : R), 0 < kappa -> rises_by kappa top psi ->
  inverts top psi Y Z -> moments p Y e q -> forall x w r t s, 0 <= w <= top -> psi w = e -> w <= x -> 0 <= r ->
  q - e ^ 2 = kappa ^ 2 * r ^ 2 -> mean_square p Z x t -> mean_square p Y x s -> (x - e) ^ 2 - ((x - w) + r) ^ 2 <= s - t.
Proof. exact facts.Debiasing.gap_of_errors. Qed.
Theorem gap_to_clipped_met : (2 - 1) ^ 2 - ((2 - 1) + 0) ^ 2 <= (1 - 2) ^ 2 - (1 - 2) ^ 2.
Proof.
  apply (gap_to_clipped 1 2 (fun u => u) facts.Debiasing.one_point (fun _ => 1) (fun _ => 1) 1 (1 ^ 2)); try lra.
  - apply facts.Debiasing.line_rises.
  - apply facts.Debiasing.line_inverts.
  - apply facts.Debiasing.point_moments.
  - apply facts.Debiasing.point_error.
  - apply facts.Debiasing.point_error.
Qed.
