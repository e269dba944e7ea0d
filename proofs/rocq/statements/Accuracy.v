(* How often all counts of a histogram are near, where each is. *)
From Coq Require Import Reals List Lra.
From DP.definitions Require Import Laws Accuracy.
From DP.facts Require Laws Accuracy.
Import ListNotations.
Open Scope R_scope.

(* finite-computers, Section 2.2.2: of n counts, dependent or not, each off with probability beta at most, one is with n beta at most. *)
Theorem one_is_off : forall (A : Type) (p : law A) (beta : R) (n : nat) (off : nat -> A -> R), measure p ->
  (forall i, event (off i)) -> (forall i, (i < n)%nat -> p (off i) <= beta) ->
  forall any : A -> R, event any -> (forall x, any x <= sum_below n (fun i => off i x)) -> p any <= INR n * beta.
Proof. exact @facts.Accuracy.one_of_many. Qed.
Theorem one_is_off_met : bernoulli (/ 4) (fun b : bool => if b then 1 else 0) <= INR 2 * / 4.
Proof.
  apply (one_is_off bool (bernoulli (/ 4)) (/ 4) 2 (fun _ b => if b then 1 else 0)).
  - apply facts.Laws.mix_measure; [lra | |]; apply facts.Laws.finite_is_measure, facts.Laws.ret_finite.
  - intros i [|]; lra.
  - intros i _. unfold bernoulli, mix, ret. lra.
  - intros [|]; lra.
  - intros [|]; cbn; lra.
Qed.
(* Section 2.2.2 and Theorem 5.2: independent counts, each near with probability 1 - beta at least, are all near with (1 - beta)^n. *)
Theorem all_are_near : forall (A : Type) (beta : R) (ps : list (law A)) (near : list (A -> R)), beta <= 1 ->
  Forall2 (likely beta) ps near -> (1 - beta) ^ length ps <= every ps (all_hold near).
Proof. exact @facts.Accuracy.all_likely. Qed.
Theorem all_are_near_met : (1 - / 2) ^ 1 <= every [ret 0] (all_hold [fun _ => 1]).
Proof.
  apply (all_are_near R (/ 2) [ret 0] [fun _ => 1]); [lra|]. constructor; [|constructor].
  split; [|split]; [apply facts.Laws.finite_is_measure, facts.Laws.ret_finite | intros x; lra | unfold ret; lra].
Qed.
(* Theorem 5.2: that is at least 1 - n beta. *)
Theorem power_at_least : forall (beta : R) (n : nat), 0 <= beta <= 1 -> 1 - INR n * beta <= (1 - beta) ^ n.
Proof. exact facts.Accuracy.power_is_linear. Qed.
Theorem power_at_least_met : 1 - INR 3 * / 4 <= (1 - / 4) ^ 3.
Proof. apply power_at_least; lra. Qed.
