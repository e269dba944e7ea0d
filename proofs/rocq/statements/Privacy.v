(* What privacy keeps, for laws of any outcomes, also infinitely many. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws.
From DP.facts Require Laws.
From DP.facts Require Sets.
From DP.facts Require Keys.
Open Scope R_scope.

(* Privacy for all sets of outcomes, as papers define it, is privacy for all weights in [0, 1]. *)
Theorem sets_or_weights : forall (A : Type) (E d : R) (p q : law A), 0 <= E -> measure p -> measure q ->
  dp E d p q <-> dp_sets E d p q.
Proof. exact (@facts.Sets.sets_decide). Qed.
Theorem sets_or_weights_met : dp 2 0 (bernoulli (/ 3)) (bernoulli (/ 2)) <-> dp_sets 2 0 (bernoulli (/ 3)) (bernoulli (/ 2)).
Proof. apply sets_or_weights; [lra | apply facts.Keys.coin_measure; lra | apply facts.Keys.coin_measure; lra]. Qed.

(* finite-computers, Lemma 2.2: any map of outcomes, deterministic or random, also one that may not end. *)
Theorem post_processing : forall (A B : Type) (E d : R) (p q : law A) (f : A -> law B),
  (forall x, measure (f x)) -> dp E d p q -> dp E d (bind p f) (bind q f).
Proof. exact (@facts.Laws.post_processing_holds). Qed.
Theorem post_processing_met : dp 2 0 (bind (bernoulli (/ 3)) (fun b => ret (negb b))) (bind (bernoulli (/ 2)) (fun b => ret (negb b))).
Proof. apply post_processing; [intros; apply facts.Keys.sure_measure | apply facts.Keys.third_and_half]. Qed.

(* finite-computers, Lemma 2.4, and more: the second release may depend on the outcome of the first. *)
Theorem composition : forall (A B : Type) (E F d e : R) (p q : law A) (f g : A -> law B),
  measure p -> measure q -> 0 <= E -> 0 <= F -> 0 <= e -> (forall x, measure (f x)) -> (forall x, measure (g x)) ->
  dp E d p q -> (forall x, dp F e (f x) (g x)) -> dp (E * F) (d + e) (bind p f) (bind q g).
Proof. exact (@facts.Laws.composition_holds). Qed.
Theorem composition_met : dp (2 * 2) (0 + 0) (bind (bernoulli (/ 3)) (fun _ => bernoulli (/ 3))) (bind (bernoulli (/ 2)) (fun _ => bernoulli (/ 2))).
Proof.
  apply composition; try lra; try (intros; apply facts.Keys.third_and_half); intros; apply facts.Keys.coin_measure; lra.
Qed.

(* sample-and-threshold, Appendix A: n releases, each of which may depend on all outcomes before it. *)
Theorem composition_of_many : forall (A : Type) (E d : R) (f g : list A -> law A) (n : nat), 1 <= E -> 0 <= d ->
  (forall h, measure (f h)) -> (forall h, measure (g h)) -> (forall h, dp E d (f h) (g h)) ->
  forall h, dp (E ^ n) (INR n * d) (in_turn f n h) (in_turn g n h).
Proof. exact (@facts.Laws.in_turn_holds). Qed.
Theorem composition_of_many_met : dp (2 ^ 3) (INR 3 * 0) (in_turn (fun _ => bernoulli (/ 3)) 3 nil) (in_turn (fun _ => bernoulli (/ 2)) 3 nil).
Proof.
  apply composition_of_many; try lra; try (intros; apply facts.Keys.third_and_half); intros; apply facts.Keys.coin_measure; lra.
Qed.

(* finite-computers, Lemma 2.3: a chain of m + 1 laws, each close to the next. *)
Theorem group_privacy : forall (A : Type) (E d : R) (m : nat) (p : nat -> law A), 0 <= E ->
  (forall i, (i < m)%nat -> dp E d (p i) (p (S i))) -> dp (E ^ m) (d * shares E m) (p O) (p m).
Proof. exact (@facts.Laws.group_holds). Qed.
Theorem group_privacy_met : dp (2 ^ 1) (0 * shares 2 1) (bernoulli (/ 3)) (bernoulli (/ 2)).
Proof.
  apply (group_privacy bool 2 0 1 (fun i => match i with O => bernoulli (/ 3) | S _ => bernoulli (/ 2) end)); [lra|].
  intros i H. replace i with O by lia. apply facts.Keys.third_and_half.
Qed.
(* The factor of delta is (E^m - 1)/(E - 1). *)
Theorem group_factor : forall (E : R) (m : nat), shares E m * (E - 1) = E ^ m - 1.
Proof. exact facts.Laws.shares_closed. Qed.
Theorem group_factor_met : shares 2 3 * (2 - 1) = 2 ^ 3 - 1.
Proof. apply group_factor. Qed.
(* As the lemma prints it: e^(m epsilon) delta / epsilon. *)
Theorem group_printed : forall (A : Type) (epsilon d : R) (m : nat) (p : nat -> law A), 0 < epsilon -> 0 <= d ->
  (forall i, measure (p i)) -> (forall i, (i < m)%nat -> dp (exp epsilon) d (p i) (p (S i))) ->
  dp (exp (INR m * epsilon)) (exp (INR m * epsilon) * d / epsilon) (p O) (p m).
Proof. exact (@facts.Laws.group_printed_holds). Qed.
Theorem group_printed_met : dp (exp (INR 1 * ln 2)) (exp (INR 1 * ln 2) * 0 / ln 2) (bernoulli (/ 3)) (bernoulli (/ 2)).
Proof.
  apply (group_printed bool (ln 2) 0 1 (fun i => match i with O => bernoulli (/ 3) | S _ => bernoulli (/ 2) end)); try lra.
  - rewrite <- ln_1. apply ln_increasing; lra.
  - intros [|i]; apply facts.Keys.coin_measure; lra.
  - intros i H. replace i with O by lia. rewrite exp_ln by lra. apply facts.Keys.third_and_half.
Qed.

(* Subsampling: the person is in the sample with probability t; r is the law without them. *)
Theorem subsampling : forall (A : Type) (t E d : R) (p r : law A), 0 <= t <= 1 -> 1 <= E -> 0 <= d -> measure r ->
  dp E d p r -> dp (1 + t * (E - 1)) (t * d) (mix t p r) r.
Proof. exact (@facts.Laws.subsampling_holds). Qed.
Theorem subsampling_met : dp (1 + / 2 * (2 - 1)) (/ 2 * 0) (mix (/ 2) (bernoulli (/ 3)) (bernoulli (/ 2))) (bernoulli (/ 2)).
Proof. apply subsampling; try lra; [apply facts.Keys.coin_measure; lra | apply facts.Keys.third_and_half]. Qed.
(* One person in place of another: p and q have either, r has neither. *)
Theorem subsampling_substituted : forall (A : Type) (t E d : R) (p q r : law A), 0 <= t <= 1 -> 1 <= E -> 0 <= d ->
  measure q -> measure r -> dp E d p q -> dp E d p r -> dp (1 + t * (E - 1)) (t * d) (mix t p r) (mix t q r).
Proof. exact (@facts.Laws.substituted_holds). Qed.
Theorem subsampling_substituted_met :
  dp (1 + / 2 * (2 - 1)) (/ 2 * 0) (mix (/ 2) (bernoulli (/ 3)) (bernoulli (/ 2))) (mix (/ 2) (bernoulli (/ 2)) (bernoulli (/ 2))).
Proof.
  apply subsampling_substituted; try lra; try apply facts.Keys.third_and_half; apply facts.Keys.coin_measure; lra.
Qed.

(* finite-computers, Section 3: a program within delta of an (epsilon, 0)-private one, in statistical distance. *)
Theorem closeness : forall (A : Type) (E d : R) (p q p' q' : law A), 0 <= E ->
  dp 1 d p' p -> dp 1 d q q' -> dp E 0 p q -> dp E ((1 + E) * d) p' q'.
Proof. exact (@facts.Laws.close_holds). Qed.
Theorem closeness_met : dp 2 ((1 + 2) * 0) (bernoulli (/ 3)) (bernoulli (/ 2)).
Proof.
  apply (closeness bool 2 0 (bernoulli (/ 3)) (bernoulli (/ 2))); try lra; try apply facts.Keys.third_and_half; intros u U; lra.
Qed.
(* It need not be pure, for any epsilon. *)
Theorem closeness_is_not_pure : forall d : R, 0 < d <= 1 -> exists p p' : law bool,
  dp_both 1 d p' p /\ dp_both 1 0 p p /\ forall E, ~ dp E 0 p' p.
Proof. exact facts.Keys.close_not_pure. Qed.
Theorem closeness_is_not_pure_met : exists p p' : law bool, dp_both 1 (/ 2) p' p /\ dp_both 1 0 p p /\ forall E, ~ dp E 0 p' p.
Proof. apply closeness_is_not_pure. lra. Qed.

(* The least delta of two finite laws is the sum of what is in excess. *)
Theorem least_delta_of_weights : forall (n : nat) (p q : nat -> R) (D E d : R), 0 < D ->
  dp E d (weighted n p D) (weighted n q D) <-> hockey n p q E <= d * D.
Proof. exact facts.Laws.hockey_decides. Qed.
Theorem least_delta_of_weights_met : dp 1 0 (weighted 2 INR 1) (weighted 2 INR 1) <-> hockey 2 INR INR 1 <= 0 * 1.
Proof. apply least_delta_of_weights. lra. Qed.

(* What privacy of total laws forces: no delta below 0, and no epsilon below 0 where delta is 0. *)
Theorem signs : forall (A : Type) (E d : R) (p q : law A), measure p -> measure q -> total p -> total q -> dp E d p q ->
  0 <= d /\ 1 <= E + d.
Proof. exact (@facts.Laws.signs_hold). Qed.
Theorem signs_met : 0 <= 0 /\ 1 <= 2 + 0.
Proof.
  apply (signs bool 2 0 (bernoulli (/ 3)) (bernoulli (/ 2))); try apply facts.Keys.third_and_half;
    try apply facts.Keys.bernoulli_total; apply facts.Keys.coin_measure; lra.
Qed.
