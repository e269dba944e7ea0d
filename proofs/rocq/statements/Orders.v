(* finite-computers, Section 6.1: OrdSample, and KeepHeavy from few labels. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Histograms Orders.
From DP.facts Require Orders.
Import ListNotations.
Open Scope R_scope.

(* Proposition 6.6: for every n, F and m, OrdSample has the law of the n + 1 greatest of m independent counts with the
   distribution function F/F(n). *)
Theorem proposition_6_6 : forall (F : nat -> nat) (n : nat), (1 <= F O)%nat -> (forall z, (z < n)%nat -> (F z <= F (S z))%nat) ->
  forall (m : nat) (u : list nat -> R), (S n <= m)%nat -> ordsample F n m u = iid_greatest (S n) (count_law F n) m u.
Proof. exact facts.Orders.ordsample_holds. Qed.
Theorem proposition_6_6_met : ordsample S 2 4 (fun _ => 1) = iid_greatest 3 (count_law S 2) 4 (fun _ => 1).
Proof. apply proposition_6_6; lia. Qed.
(* Formula 5 of Section 6.1: given how many of m independent counts have each value above v, those with v are binomial among the
   rest, with the probability 1 - F(v-1)/F(v); what is left then is at 0. *)
Theorem formula_5_of_levels : forall (F : nat -> nat) (n : nat), (1 <= F O)%nat -> (forall z, (z < n)%nat -> (F z <= F (S z))%nat) ->
  forall v : nat, (v <= n)%nat -> forall (m : nat) (u : list nat -> R), image (multiplicities v) (every (repeat (count_law F v) m)) u = numbers_from F v m u.
Proof. exact facts.Orders.numbers_hold. Qed.
Theorem formula_5_of_levels_met : image (multiplicities 2) (every (repeat (count_law S 2) 3)) (fun _ => 1) = numbers_from S 2 3 (fun _ => 1).
Proof. apply (formula_5_of_levels S 2); lia. Qed.
(* Formula 4 of Section 6.1: of the counts at each level, all are taken above v*, as many as are missing at v*, none below. *)
Theorem formula_4_of_levels : forall (N : nat) (Y : nat -> nat) (i : nat), let taken_there := Nat.min (Y i) (N - taken_before N Y i) in
  ((all_below Y (S i) <= N)%nat -> taken_there = Y i) /\
  ((all_below Y i <= N <= all_below Y (S i))%nat -> taken_there = (N - all_below Y i)%nat) /\
  ((N <= all_below Y i)%nat -> taken_there = 0%nat).
Proof. exact facts.Orders.taken_cases. Qed.
Theorem formula_4_of_levels_met : let taken_there := Nat.min 2 (3 - taken_before 3 (fun _ => 2%nat) 1) in
  ((all_below (fun _ => 2%nat) 2 <= 3)%nat -> taken_there = 2%nat) /\
  ((all_below (fun _ => 2%nat) 1 <= 3 <= all_below (fun _ => 2%nat) 2)%nat -> taken_there = (3 - all_below (fun _ => 2%nat) 1)%nat) /\
  ((3 <= all_below (fun _ => 2%nat) 1)%nat -> taken_there = 0%nat).
Proof. apply (formula_4_of_levels 3 (fun _ => 2%nat) 1). Qed.
(* These make the N greatest of any counts up to n. *)
Theorem greatest_of_levels : forall (N n : nat) (l : list nat), Forall (fun c => (c <= n)%nat) l ->
  top_counts N l = flat_map (fun i => repeat (n - i)%nat (Nat.min (at_level n l i) (N - taken_before N (at_level n l) i))) (seq 0 (S n)).
Proof. exact facts.Orders.greatest_by_levels. Qed.
Theorem greatest_of_levels_met : top_counts 2 [1; 3; 1]%nat =
  flat_map (fun i => repeat (3 - i)%nat (Nat.min (at_level 3 [1; 3; 1]%nat i) (2 - taken_before 2 (at_level 3 [1; 3; 1]%nat) i))) (seq 0 4).
Proof. apply (greatest_of_levels 2 3). repeat constructor; lia. Qed.
(* Proposition 6.5: for every sampler, n rows and 2n + 1 labels or more, KH' has the law of KeepHeavy. *)
Theorem proposition_6_5 : forall (n d : nat) (sampler : nat -> nat -> nat) (x : list nat) (u : list nat -> R), (1 <= d)%nat -> list_sum x = n ->
  (2 * n + 1 <= length x)%nat ->
  few_labels n (sampler_law sampler d) (iid_greatest (S n) (sampler_law sampler d O)) x u = image (keep_heavy n) (basic (sampler_law sampler d) x) u.
Proof. exact facts.Orders.proposition_holds. Qed.
Theorem proposition_6_5_met : few_labels 1 (sampler_law Nat.add 2) (iid_greatest 2 (sampler_law Nat.add 2 0)) [0; 1; 0]%nat (fun _ => 1) =
  image (keep_heavy 1) (basic (sampler_law Nat.add 2) [0; 1; 0]%nat) (fun _ => 1).
Proof. apply (proposition_6_5 1 2 Nat.add [0; 1; 0]%nat); cbn; lia. Qed.
(* Algorithm 6.4 with OrdSample in its step 4: F(z) of the d draws have at most z for a noisy count of 0. *)
Theorem algorithm_6_4 : forall (n d : nat) (sampler : nat -> nat -> nat) (x : list nat) (u : list nat -> R), (1 <= d)%nat ->
  (forall i, (i < d)%nat -> (sampler O i <= n)%nat) -> (1 <= draws_at_most (sampler O) d 0)%nat -> list_sum x = n -> (2 * n + 1 <= length x)%nat ->
  few_labels n (sampler_law sampler d) (ordsample (draws_at_most (sampler O) d) n) x u = image (keep_heavy n) (basic (sampler_law sampler d) x) u.
Proof. exact facts.Orders.algorithm_holds. Qed.
Theorem algorithm_6_4_met : few_labels 1 (sampler_law Nat.add 2) (ordsample (draws_at_most (Nat.add 0) 2) 1) [0; 1; 0]%nat (fun _ => 1) =
  image (keep_heavy 1) (basic (sampler_law Nat.add 2) [0; 1; 0]%nat) (fun _ => 1).
Proof. apply (algorithm_6_4 1 2 Nat.add [0; 1; 0]%nat); try (cbn; lia). Qed.
