(* Private weighted sampling, Algorithms 4 and 5: private, as often reported as can be, and separated as no scheme does. *)
From Coq Require Import Reals Arith Lra Lia.
From DP.definitions Require Import Laws Keys Values.
From DP.facts Require Keys.
From DP.facts Require Values.
From DP.facts Require Passes.
From DP.facts Require Densities.
Open Scope R_scope.

(* Algorithm 4: up to each value, and with its newest value, each row is as the theorems below need it. *)
Theorem algorithm_4_rows : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall n N : nat, (n <= N)%nat ->
  rows_follow E d q n N (fun i k => sum_below k (algorithm_4_row E d q i)) (newest E d q).
Proof. exact facts.Passes.algorithm_4_follows. Qed.
Theorem algorithm_4_rows_met :
  rows_follow 2 (/ 4) everything 3 5 (fun i k => sum_below k (algorithm_4_row 2 (/ 4) everything i)) (newest 2 (/ 4) everything).
Proof. apply algorithm_4_rows; try lra; try lia. exact facts.Passes.all_rising. Qed.
(* Algorithm 5: the same, up to the ends Z of any cells. *)
Theorem algorithm_5_rows : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall (n N : nat) (Z : nat -> R),
  Z O = 0 -> (forall k, (k < N)%nat -> Z k <= Z (S k)) -> INR n <= Z N ->
  rows_follow E d q n N (fun i k => algorithm_5_mass E d q i (Z k)) (spread_evenly E d q Z).
Proof. exact facts.Densities.algorithm_5_follows. Qed.
Theorem algorithm_5_rows_met :
  rows_follow 2 (/ 4) everything 3 3 (fun i k => algorithm_5_mass 2 (/ 4) everything i (INR k)) (spread_evenly 2 (/ 4) everything INR).
Proof.
  apply (algorithm_5_rows 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 3 3 INR); [reflexivity | | lra].
  intros k _. rewrite S_INR. lra.
Qed.
(* Theorems 5.1 and C.2: neighbouring rows are close, for every set of values and with silence. *)
Theorem values_private : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q ->
  forall (n N : nat) (F C : nat -> nat -> R), rows_follow E d q n N F C -> forall i : nat, (i < n)%nat ->
  dp_both E d (row_law (reporting E d q i) (F i) N) (row_law (reporting E d q (S i)) (F (S i)) N).
Proof. exact facts.Values.made_private. Qed.
Theorem values_private_met : dp_both 2 (/ 4)
  (row_law (reporting 2 (/ 4) everything 2) (fun k => sum_below k (algorithm_4_row 2 (/ 4) everything 2)) 5)
  (row_law (reporting 2 (/ 4) everything 3) (fun k => sum_below k (algorithm_4_row 2 (/ 4) everything 3)) 5).
Proof. apply (values_private 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 3 5 _ _ algorithm_4_rows_met). lia. Qed.
(* No entry is below 0, row i reports with the pi_i of Algorithm 3, which is q_i at most, and is a law of mass 1. *)
Theorem values_are_laws : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q ->
  forall (n N : nat) (F C : nat -> nat -> R), rows_follow E d q n N F C -> forall i : nat, (i <= n)%nat ->
  F i O = 0 /\ (forall k, (k < N)%nat -> F i k <= F i (S k)) /\ F i N = reporting E d q i /\ reporting E d q i <= q i /\
  measure (row_law (reporting E d q i) (F i) N) /\ total (row_law (reporting E d q i) (F i) N).
Proof. exact facts.Values.made_lawful. Qed.
Theorem values_are_laws_met : let F k := sum_below k (algorithm_4_row 2 (/ 4) everything 3) in let pi := reporting 2 (/ 4) everything 3 in
  F O = 0 /\ (forall k, (k < 5)%nat -> F k <= F (S k)) /\ F 5%nat = pi /\ pi <= everything 3 /\ measure (row_law pi F 5) /\ total (row_law pi F 5).
Proof. apply (values_are_laws 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 3 5 _ _ algorithm_4_rows_met 3). lia. Qed.
(* Appendix D.1: up to a place without new values row i + 1 is a function of row i there, and of pi_i, pi_(i+1), epsilon and delta. *)
Theorem values_of_next_row : forall (E d : R) (q : nat -> R) (n N : nat) (F C : nat -> nat -> R), rows_follow E d q n N F C ->
  forall i k : nat, (i < n)%nat -> (k <= N)%nat -> C i k = 0 -> F (S i) k = next_mass E d (reporting E d q i) (reporting E d q (S i)) (F i k).
Proof. exact facts.Values.made_next. Qed.
Theorem values_of_next_row_met : sum_below 1 (algorithm_4_row 2 (/ 4) everything 3) =
  next_mass 2 (/ 4) (reporting 2 (/ 4) everything 2) (reporting 2 (/ 4) everything 3) (sum_below 1 (algorithm_4_row 2 (/ 4) everything 2)).
Proof. apply (values_of_next_row 2 (/ 4) everything 3 5 _ _ algorithm_4_rows_met 2 1); try lia. reflexivity. Qed.
(* Section 5: beyond each place that is old to row i + 1 it has no less than row i. *)
Theorem values_rise : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q ->
  forall (n N : nat) (F C : nat -> nat -> R), rows_follow E d q n N F C -> forall i k : nat, (i < n)%nat -> (k <= N)%nat -> C i k = 0 ->
  reporting E d q i - F i k <= reporting E d q (S i) - F (S i) k.
Proof. exact facts.Values.made_beyond. Qed.
Theorem values_rise_met : reporting 2 (/ 4) everything 2 - sum_below 1 (algorithm_4_row 2 (/ 4) everything 2) <=
  reporting 2 (/ 4) everything 3 - sum_below 1 (algorithm_4_row 2 (/ 4) everything 3).
Proof. apply (values_rise 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 3 5 _ _ algorithm_4_rows_met 2 1); try lia. reflexivity. Qed.
(* Theorems 5.1, C.2 and D.1, corrected: any two private laws that report as often; u is any set of values, reports among outcomes. *)
Theorem no_values_have_less : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q ->
  forall (A : Type) (P Q : law A) (reported u : A -> R) (i : nat), measure P -> total P -> measure Q -> total Q ->
  event reported -> event u -> (forall a, u a <= reported a) -> dp_both E d P Q -> P reported = reporting E d q i -> Q reported = reporting E d q (S i) ->
  next_mass E d (reporting E d q i) (reporting E d q (S i)) (P u) <= Q u.
Proof. exact (@facts.Values.no_scheme_has_less). Qed.
Theorem no_values_have_less_met : next_mass 2 (/ 4) (reporting 2 (/ 4) everything 1) (reporting 2 (/ 4) everything 2)
  (bernoulli (reporting 2 (/ 4) everything 1) (fun b => if b then 1 else 0)) <= bernoulli (reporting 2 (/ 4) everything 2) (fun b => if b then 1 else 0).
Proof.
  apply (no_values_have_less 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising bool _ _ facts.Passes.reported_bit facts.Passes.reported_bit 1);
    try apply facts.Passes.one_value_lawful; try apply facts.Passes.reported_is_event; try apply facts.Passes.one_value_reports.
  - intros a. lra.
  - apply facts.Passes.one_value_private.
Qed.
(* Theorem D.1, corrected, from row s on: what a scheme's set of values has at least, in row s, it has in every row after it. *)
Theorem values_separate : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q ->
  forall (n N : nat) (F C : nat -> nat -> R), rows_follow E d q n N F C ->
  forall (A : Type) (scheme : nat -> law A) (reported u : A -> R) (s k : nat),
  (forall i, measure (scheme i) /\ total (scheme i)) -> event reported -> event u -> (forall a, u a <= reported a) ->
  (forall i, dp_both E d (scheme i) (scheme (S i))) -> (forall i, scheme i reported = reporting E d q i) -> (k <= N)%nat ->
  F s k <= scheme s u -> forall m : nat, (s + m <= n)%nat -> (forall i, (s <= i < s + m)%nat -> C i k = 0) ->
  F (s + m)%nat k <= scheme (s + m)%nat u.
Proof. exact facts.Values.made_least. Qed.
Theorem values_separate_met : sum_below 1 (algorithm_4_row 2 (/ 4) everything (1 + 2)) <= bernoulli (reporting 2 (/ 4) everything (1 + 2)) (fun b => if b then 1 else 0).
Proof.
  apply (values_separate 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 3 5 _ _ algorithm_4_rows_met
    bool facts.Passes.one_value facts.Passes.reported_bit facts.Passes.reported_bit 1 1); try lia;
    try apply facts.Passes.one_value_lawful; try apply facts.Passes.reported_is_event; try apply facts.Passes.one_value_reports; try apply facts.Passes.one_value_private.
  - intros a. lra.
  - rewrite facts.Passes.first_row_mass, facts.Passes.one_value_reports. lra.
  - intros i [I _]. unfold newest. destruct (Nat.leb_spec 1 i); [reflexivity | lia].
Qed.
(* Corollary 6.1, corrected: a scheme whose values can be cut into sets, in order, that have the masses of the cells at the lower
   frequency s has two keys of the frequencies s and s + m in order no more often. *)
Theorem pairs_in_order : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q ->
  forall (n N : nat) (F C : nat -> nat -> R), rows_follow E d q n N F C ->
  forall (A : Type) (scheme : nat -> law A) (reported : A -> R) (u : nat -> A -> R) (s m M : nat),
  (forall i, measure (scheme i) /\ total (scheme i)) -> event reported -> (forall k, event (u k)) -> (forall k a, u k a <= reported a) ->
  (forall i, dp_both E d (scheme i) (scheme (S i))) -> (forall i, scheme i reported = reporting E d q i) -> (M <= N)%nat -> (s + m <= n)%nat ->
  (forall i k, (s <= i < s + m)%nat -> (k <= M)%nat -> C i k = 0) -> (forall k, (k <= M)%nat -> scheme s (u k) = F s k) ->
  in_order (reporting E d q s) (reporting E d q (s + m)) M (F s) (fun k => scheme (s + m)%nat (u k)) <=
  in_order (reporting E d q s) (reporting E d q (s + m)) M (F s) (F (s + m)%nat).
Proof. exact facts.Values.made_pairs. Qed.
Theorem pairs_in_order_met :
  let F i k := sum_below k (algorithm_4_row 2 (/ 4) everything i) in let pi := reporting 2 (/ 4) everything in
  in_order (pi 1%nat) (pi (1 + 2)%nat) 1 (F 1%nat) (fun k => bernoulli (pi (1 + 2)%nat) (fun b => if b then INR (min 1 k) else 0)) <=
  in_order (pi 1%nat) (pi (1 + 2)%nat) 1 (F 1%nat) (F (1 + 2)%nat).
Proof.
  apply (pairs_in_order 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 3 5 _ _ algorithm_4_rows_met
    bool facts.Passes.one_value facts.Passes.reported_bit (fun k b => if b then INR (min 1 k) else 0) 1 2 1); try lia;
    try apply facts.Passes.one_value_lawful; try apply facts.Passes.reported_is_event; try apply facts.Passes.one_value_reports; try apply facts.Passes.one_value_private.
  - intros [|k] []; cbn; lra.
  - intros [|k] []; unfold facts.Passes.reported_bit; cbn; lra.
  - intros i k [J _] K. unfold newest. destruct (Nat.leb_spec k i); [reflexivity | lia].
  - intros [|[|k]] K; [unfold facts.Passes.one_value, bernoulli, mix, ret; cbn; ring | | lia].
    rewrite facts.Passes.first_row_mass, <- facts.Passes.one_value_reports. unfold facts.Passes.one_value, facts.Passes.reported_bit, bernoulli, mix, ret. cbn. ring.
Qed.
(* Appendix C.2: a set of values without mass in one row has delta at most in the next one. *)
Theorem new_values_at_most : forall (A : Type) (E d : R) (P Q : law A) (u : A -> R), event u -> dp_both E d P Q -> P u = 0 -> Q u <= d.
Proof. exact (@facts.Values.none_has_more_new). Qed.
Theorem new_values_at_most_met : bernoulli (/ 4) (fun b => if b then 1 else 0) <= / 4.
Proof.
  apply (new_values_at_most bool 1 (/ 4) (ret false) (bernoulli (/ 4))); [intros []; lra | | reflexivity].
  split; intros u U; pose proof (U true); pose proof (U false); unfold bernoulli, mix, ret; lra.
Qed.
(* Appendix D.2, corrected: two keys are in order less often the more the higher frequency has up to each place. *)
Theorem order_falls : forall (x y : R) (N : nat) (p F G : nat -> R), (forall k, (k < N)%nat -> p k <= p (S k)) ->
  (forall k, (k <= N)%nat -> F k <= G k) -> in_order x y N p G <= in_order x y N p F.
Proof. exact facts.Values.order_falls_holds. Qed.
Theorem order_falls_met : in_order (/ 2) 1 1 (fun k => INR k / 2) (fun _ => 1) <= in_order (/ 2) 1 1 (fun k => INR k / 2) INR.
Proof. apply order_falls; intros [|[|k]] K; cbn; lra || lia. Qed.
(* Numbers for the test that compares the passes of the program with this one. *)
Theorem next_masses :
  next_mass 2 (1 / 10) (1 / 2) (7 / 10) (1 / 10) = 0 / 1 /\ next_mass 2 (1 / 10) (1 / 2) (7 / 10) (3 / 10) = 1 / 5 /\
  next_mass 2 (1 / 10) (1 / 2) (7 / 10) (1 / 2) = 3 / 5 /\ next_mass 2 (1 / 10) (1 / 2) (4 / 5) (1 / 5) = 1 / 10 /\
  next_mass 2 (1 / 10) (1 / 2) (4 / 5) (3 / 20) = 3 / 40 /\ next_mass 3 (1 / 4) (1 / 2) (11 / 12) (1 / 4) = 1 / 12 /\
  next_mass 3 (1 / 4) (1 / 2) (11 / 12) (1 / 2) = 2 / 3.
Proof. exact facts.Values.next_masses_hold. Qed.
Theorem next_masses_met :
  next_mass 2 (1 / 10) (1 / 2) (7 / 10) (1 / 10) = 0 / 1 /\ next_mass 2 (1 / 10) (1 / 2) (7 / 10) (3 / 10) = 1 / 5 /\
  next_mass 2 (1 / 10) (1 / 2) (7 / 10) (1 / 2) = 3 / 5 /\ next_mass 2 (1 / 10) (1 / 2) (4 / 5) (1 / 5) = 1 / 10 /\
  next_mass 2 (1 / 10) (1 / 2) (4 / 5) (3 / 20) = 3 / 40 /\ next_mass 3 (1 / 4) (1 / 2) (11 / 12) (1 / 4) = 1 / 12 /\
  next_mass 3 (1 / 4) (1 / 2) (11 / 12) (1 / 2) = 2 / 3.
Proof. apply next_masses. Qed.
