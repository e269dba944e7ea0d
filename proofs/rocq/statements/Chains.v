(* anonymized-histograms: steps that depend on each other, privacy with probability, and how many numbers a histogram has. *)
From Coq Require Import Reals List Lra Lia Arith.
From DP.definitions Require Import Laws Chains.
From DP.facts Require Laws.
From DP.facts Require Keys.
From DP.facts Require Chains.
Import ListNotations.
Open Scope R_scope.

(* Section 2.1, corrected: where outcomes are private one by one with probability 1 - delta, on countably many outcomes. *)
Theorem with_probability_corrected : forall (E d : R) (p q : law nat) (g : nat -> R), 0 <= E -> measure p -> total p -> measure q -> sharp g ->
  (forall i, g i = 1 -> p (alone i) <= E * q (alone i)) -> 1 - d <= p g -> dp E d p q.
Proof. exact facts.Chains.with_probability. Qed.
Theorem with_probability_corrected_met : dp 1 (/ 2) (ret 0%nat) (ret 0%nat).
Proof.
  apply (with_probability_corrected 1 (/ 2) (ret 0%nat) (ret 0%nat) (fun _ => 1)); try lra; try apply facts.Keys.sure_measure.
  - reflexivity.
  - intros i. auto.
  - intros i _. lra.
  - unfold ret. lra.
Qed.
(* Theorem 3, for an X of any states and steps of which each sees the one before: one private step makes the last private. *)
Theorem theorem_3 : forall (S N : Type) (f : nat -> S -> N -> S) (E : R) (before : list (law N)) (p : law N) (after : list (law N)) (x y : S),
  0 <= E -> Forall measure (before ++ p :: after) ->
  (forall h, length h = length before -> dp E 0 (image (f (length before) (chained f 0 x h)) p) (image (f (length before) (chained f 0 y h)) p)) ->
  dp E 0 (chain_law f x (before ++ p :: after)) (chain_law f y (before ++ p :: after)).
Proof. exact (@facts.Chains.theorem_3_holds). Qed.
Theorem theorem_3_met : dp 1 0 (chain_law (fun _ _ b => b) true [bernoulli (/ 2)]) (chain_law (fun _ _ b => b) false [bernoulli (/ 2)]).
Proof.
  apply (theorem_3 bool bool (fun _ _ b => b) 1 [] (bernoulli (/ 2)) []); try lra.
  - constructor; [apply facts.Keys.coin_measure; lra | constructor].
  - intros h _ u _. lra.
Qed.
(* Appendix C.2: no ratio of the last step is above the greatest one of a step before. *)
Theorem last_of_chain : forall (S N : Type) (f : nat -> S -> N -> S) (E : R) (ps qs : list (law N)) (x y : S), Forall measure ps -> Forall measure qs ->
  dp E 0 (chain_law f x ps) (chain_law f y ps) -> dp E 0 (chain_law f x (ps ++ qs)) (chain_law f y (ps ++ qs)).
Proof. exact (@facts.Chains.last_holds). Qed.
Theorem last_of_chain_met : dp 1 0 (chain_law (fun _ _ b => b) true ([] ++ [bernoulli (/ 2)])) (chain_law (fun _ _ b => b) true ([] ++ [bernoulli (/ 2)])).
Proof.
  apply (last_of_chain bool bool (fun _ _ b => b) 1 [] [bernoulli (/ 2)] true true); [constructor | constructor; [apply facts.Keys.coin_measure; lra | constructor] |].
  intros u _. lra.
Qed.
(* Section 3.1, Formula 4: different counts above 0 in a histogram of n items. *)
Theorem different_counts_of_items : forall (l : list nat) (n : nat), NoDup l -> (forall x, In x l -> (1 <= x)%nat) -> (list_sum l <= n)%nat ->
  (length l * (length l + 1) <= 2 * n)%nat /\ INR (length l) <= sqrt (2 * INR n).
Proof. exact facts.Chains.different_hold. Qed.
Theorem different_counts_of_items_met : (2 * (2 + 1) <= 2 * 3)%nat.
Proof.
  apply (different_counts_of_items [1%nat; 2%nat] 3); [|intros x [<-|[<-|[]]]; lia | cbn; lia].
  constructor; [intros [H|[]]; discriminate | constructor; [intros [] | constructor]].
Qed.
(* Section 4.2: T prevalences and the counts above T, for T the root of n rounded down. *)
Theorem numbers_of_split : forall (T : nat) (l : list nat) (n : nat), list_sum l = n -> (T * T <= n < (T + 1) * (T + 1))%nat ->
  INR (T + length (filter (fun c => T <? c)%nat l)) <= 2 * sqrt (INR n).
Proof. exact facts.Chains.split_holds. Qed.
Theorem numbers_of_split_met : INR (2 + length (filter (fun c => 2 <? c)%nat [5%nat])) <= 2 * sqrt (INR 5).
Proof. apply numbers_of_split; cbn; lia. Qed.
