(* Statistical distance; counts of the labels of a list; events that are kept together; and exponentials by their series. *)
From Coq Require Import Reals List Lra Lia Arith.
From DP.definitions Require Import Laws Packing.
From DP.facts Require Import Laws.
From DP.facts Require Packing.
Import ListNotations.
Open Scope R_scope.

(* Two laws within 0 of each other are equal. *)
Lemma equal_holds {A : Type} (p q : law A) : dp_both 1 0 p q <-> forall u, event u -> p u = q u.
Proof.
  split.
  - intros [H K] u U. specialize (H u U). specialize (K u U). lra.
  - intros H. split; intros u U; rewrite (H u U); lra.
Qed.
Lemma mapped_holds {A B : Type} d (p q : law A) (f : A -> law B) :
  (forall x, measure (f x)) -> dp_both 1 d p q -> dp_both 1 d (bind p f) (bind q f).
Proof. intros F [H K]. split; apply post_processing_holds; auto. Qed.
Lemma two_steps_hold {A B : Type} d e (p q : law A) (f g : A -> law B) : measure p -> measure q -> 0 <= e ->
  (forall x, measure (f x)) -> (forall x, measure (g x)) -> dp_both 1 d p q -> (forall x, dp_both 1 e (f x) (g x)) ->
  dp_both 1 (d + e) (bind p f) (bind q g).
Proof.
  intros P Q N F G [H K] S.
  split; replace 1 with (1 * 1) by ring; apply composition_holds; auto; try lra; intros x; apply (S x).
Qed.

(* Half of the sum of differences: the weight of the outcomes that p prefers takes it. *)
Definition prefers (p q : nat -> R) (i : nat) : R := if Rle_dec (p i) (q i) then 0 else 1.
Lemma prefers_is_sharp p q : sharp (prefers p q).
Proof. intros i. unfold prefers. destruct (Rle_dec (p i) (q i)); auto. Qed.
Lemma taken_by_preferred n p q :
  sum_below n (fun i => p i * prefers p q i) - sum_below n (fun i => q i * prefers p q i) =
  (sum_below n (fun i => Rabs (p i - q i)) + (sum_below n p - sum_below n q)) / 2.
Proof.
  induction n as [|n IH]; cbn [sum_below]; [lra|]. unfold prefers in *. destruct (Rle_dec (p n) (q n)) as [L|L].
  - rewrite Rabs_left1 by lra. lra.
  - rewrite Rabs_right by lra. lra.
Qed.
Lemma taken_at_most n p q u : event u ->
  sum_below n (fun i => p i * u i) - sum_below n (fun i => q i * u i) <=
  (sum_below n (fun i => Rabs (p i - q i)) + (sum_below n p - sum_below n q)) / 2.
Proof.
  intros U. induction n as [|n IH]; cbn [sum_below]; [lra|]. specialize (U n).
  destruct (Rle_dec (p n) (q n)) as [L|L]; [rewrite Rabs_left1 by lra | rewrite Rabs_right by lra]; nra.
Qed.
Lemma half_holds n p q : sum_below n p = sum_below n q ->
  (forall u, event u -> sum_below n (fun i => p i * u i) - sum_below n (fun i => q i * u i) <= sum_below n (fun i => Rabs (p i - q i)) / 2) /\
  exists u, sharp u /\ sum_below n (fun i => p i * u i) - sum_below n (fun i => q i * u i) = sum_below n (fun i => Rabs (p i - q i)) / 2.
Proof.
  intros S. split.
  - intros u U. pose proof (taken_at_most n p q u U). lra.
  - exists (prefers p q). split; [apply prefers_is_sharp|]. pose proof (taken_by_preferred n p q). lra.
Qed.

(* Counts of labels. *)
Section Counts.
Context {X : Type} (same_label : decides X).
Definition positive (rows : list X) (x : X) : bool := (1 <=? count_occ same_label rows x)%nat.

Lemma sum_of_one_more c l : list_sum (c :: l) = (c + list_sum l)%nat.
Proof. reflexivity. Qed.
Lemma counts_without (x : X) labels rows : ~ In x labels ->
  list_sum (map (count_occ same_label (x :: rows)) labels) = list_sum (map (count_occ same_label rows) labels).
Proof.
  intros N. f_equal. apply map_ext_in. intros y Y. apply count_occ_cons_neq. intros ->. contradiction.
Qed.
Lemma one_more_row (x : X) labels rows : NoDup labels -> In x labels ->
  list_sum (map (count_occ same_label (x :: rows)) labels) = S (list_sum (map (count_occ same_label rows) labels)).
Proof.
  intros D. induction D as [|y labels N D IH]; intros I; [destruct I|]. cbn [map]. rewrite !sum_of_one_more.
  destruct I as [->|I].
  - rewrite (count_occ_cons_eq same_label rows eq_refl), (counts_without x labels rows N). reflexivity.
  - rewrite (IH I), count_occ_cons_neq; [lia|]. intros ->. contradiction.
Qed.
Lemma counts_sum labels rows : NoDup labels -> incl rows labels -> list_sum (map (count_occ same_label rows) labels) = length rows.
Proof.
  intros D. induction rows as [|x rows IH]; intros I.
  - cbn. induction labels as [|y labels H]; cbn; auto. apply H; [inversion D; auto | intros z []].
  - rewrite one_more_row; auto; [|apply I; left; reflexivity]. cbn [length]. f_equal. apply IH. intros z Z. apply I. right. exact Z.
Qed.
Lemma positive_at_most labels rows : (length (filter (positive rows) labels) <= list_sum (map (count_occ same_label rows) labels))%nat.
Proof.
  induction labels as [|x labels IH]; cbn [filter map length]; auto. rewrite sum_of_one_more.
  destruct (positive rows x) eqn:P; cbn [length]; [apply Nat.leb_le in P|]; lia.
Qed.
Lemma all_positive rows labels : incl labels rows -> filter (positive rows) labels = labels.
Proof.
  induction labels as [|x labels IH]; intros I; cbn [filter]; auto. rewrite IH by (intros z Z; apply I; right; exact Z).
  assert (P : positive rows x = true); [|rewrite P; auto].
  apply Nat.leb_le, (count_occ_In same_label), I. left. reflexivity.
Qed.
Lemma counts_hold labels : NoDup labels ->
  (forall rows, incl rows labels -> list_sum (map (count_occ same_label rows) labels) = length rows /\
    (length (filter (positive rows) labels) <= length rows)%nat) /\
  forall n, (n <= length labels)%nat -> exists rows, incl rows labels /\ length rows = n /\
    (n <= length (filter (positive rows) labels))%nat.
Proof.
  intros D. split.
  - intros rows I. rewrite <- (counts_sum labels rows D I) at 2. split; [apply counts_sum; auto | apply positive_at_most].
  - intros n L. exists (firstn n labels). assert (S : length (firstn n labels) = n) by (apply firstn_length_le; exact L).
    split; [intros x I; rewrite <- (firstn_skipn n labels); apply in_or_app; left; exact I|].
    split; auto. rewrite <- S at 1. set (kept := firstn n labels) in *. rewrite <- (firstn_skipn n labels), filter_app, app_length.
    fold kept. rewrite (all_positive kept kept) by (intros x; auto). lia.
Qed.
End Counts.

(* Events of N chains that end in one law are kept there together. *)
Lemma sum_at_least n (f : nat -> R) c : (forall i, (i < n)%nat -> c <= f i) -> INR n * c <= sum_below n f.
Proof.
  induction n as [|n IH]; intros H; [cbn; lra|]. rewrite S_INR. cbn [sum_below]. specialize (IH ltac:(intros; apply H; lia)).
  specialize (H n ltac:(lia)). lra.
Qed.
Lemma powers_at_most epsilon m : 0 < epsilon -> sum_below m (fun i => / exp epsilon ^ S i) <= / epsilon.
Proof.
  intros E. pose proof (exp_ineq1 epsilon ltac:(lra)) as G. rewrite <- (Packing.shares_over_power (exp epsilon) m) by lra.
  pose proof (Packing.shares_at_most epsilon m E). assert (0 < exp epsilon ^ m) by (apply pow_lt, exp_pos).
  apply (Rmult_le_reg_r (epsilon * exp epsilon ^ m)); [apply Rmult_lt_0_compat; auto|].
  replace (shares (exp epsilon) m / exp epsilon ^ m * (epsilon * exp epsilon ^ m)) with (shares (exp epsilon) m * epsilon) by (field; lra).
  replace (/ epsilon * (epsilon * exp epsilon ^ m)) with (exp epsilon ^ m) by (field; lra). auto.
Qed.
Section Together.
Context {A : Type} (epsilon d beta : R) (m N : nat) (chain : nat -> nat -> law A) (p : law A) (u : nat -> A -> R).
Hypothesis positive_epsilon : 0 < epsilon.
Hypothesis steps : forall x i, (x < N)%nat -> (i < m)%nat -> dp (exp epsilon) d (chain x i) (chain x (S i)).
Hypothesis ends : forall x, (x < N)%nat -> chain x m = p.
Hypothesis events : forall x, event (u x).
Hypothesis likely : forall x, (x < N)%nat -> 1 - beta <= chain x O (u x).

Lemma together_holds : INR N * ((1 - beta) / exp epsilon ^ m - d * sum_below m (fun i => / exp epsilon ^ S i)) <= sum_below N (fun x => p (u x)).
Proof.
  apply sum_at_least. intros x H. rewrite <- (ends x H). apply Packing.kept_holds; auto.
Qed.
Lemma in_the_mean : 0 <= d -> INR N * ((1 - beta) / exp epsilon ^ m - d / epsilon) <= sum_below N (fun x => p (u x)).
Proof.
  intros D. apply Rle_trans with (2 := together_holds). apply Rmult_le_compat_l; [apply pos_INR|].
  pose proof (powers_at_most epsilon m positive_epsilon). unfold Rdiv at 2.
  assert (d * sum_below m (fun i => / exp epsilon ^ S i) <= d * / epsilon) by (apply Rmult_le_compat_l; auto). lra.
Qed.
End Together.
