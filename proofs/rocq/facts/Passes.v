(* Private weighted sampling: the two passes of Algorithm 4 and the two breakpoints of Algorithm 5 give the rows of Values.v. *)
From Coq Require Import Reals Arith Lra Lia.
From DP.definitions Require Import Laws Keys Values.
From DP.facts Require Import Laws.
From DP.facts Require Import Keys.
From DP.facts Require Import Values.
Open Scope R_scope.

Section Passes.
Variables (E d x y : R) (f : nat -> R) (m : nat).
Hypothesis close : step_close E d x y.
Hypothesis masses : forall j, (j < m)%nat -> 0 <= f j.
Hypothesis mass_in_all : sum_below m f = x.
Let F (j : nat) : R := sum_below j f.
Let T := next_mass E d x y.
Let K := least_mass E d x y.
Let l := first_entry E d x y f m.
Let above := beyond_last E d x y f m.
Let left := left_over E d x y f m.
Lemma up_to_rises j : (j < m)%nat -> F j <= F (S j).
Proof. intros H. unfold F. cbn [sum_below]. pose proof (masses j H). lra. Qed.
Lemma first_pass_gives j : (j <= m)%nat -> least_entries E d x y f j = K (F j).
Proof.
  destruct (step_parts E d x y close) as (HE & _).
  induction j as [|j IH]; intros H; [symmetry; apply (least_at_none E d x y close)|]. cbn [least_entries]. rewrite IH by lia.
  pose proof (up_to_rises j H) as U. unfold least_entry. fold (F (S j)). unfold K, least_mass.
  pose proof (quotient_rises E (F j - d) (F (S j) - d) HE ltac:(lra)). unfold Rmax.
  repeat match goal with |- context[Rle_dec ?a ?b] => destruct (Rle_dec a b) end; lra.
Qed.
Lemma entry_is j : (j < m)%nat -> l j = K (F (S j)) - K (F j).
Proof.
  intros H. unfold l, first_entry. destruct (Nat.ltb_spec j m); [|lia].
  pose proof (first_pass_gives (S j) H) as P. cbn [least_entries] in P. rewrite <- P, <- first_pass_gives by lia. ring.
Qed.
Lemma entry_small j : (j < m)%nat -> 0 <= l j /\ E * l j <= f j.
Proof.
  intros H. rewrite entry_is by auto. pose proof (masses j H). destruct (least_rises E d x y close (F j) (f j) ltac:(lra)) as [A B].
  replace (F j + f j) with (F (S j)) in * by reflexivity. fold K in A, B. lra.
Qed.
(* What the last values have is what privacy allows, or nothing is left to be placed. *)
Definition filled (t : nat) : Prop :=
  (above t = E * (x - F (S m - t)) + d /\ 0 <= left t) \/ (left t = 0 /\ above t <= E * (x - F (S m - t)) + d).
Lemma first_left : left 0%nat = y - K x /\ 0 <= left 0%nat.
Proof.
  assert (left 0%nat = y - K x) as Z. { unfold left, left_over. cbn [second_pass snd]. rewrite first_pass_gives by lia. unfold F. rewrite mass_in_all. reflexivity. }
  split; auto. rewrite Z. destruct (least_in_all E d x y close) as [A _]. destruct (step_parts E d x y close) as (_ & _ & _ & L & _). fold K in A. lra.
Qed.
Lemma pass_step t : let j := (m - t)%nat in let room := E * (x - F j) + d - above t - l j in
  let added := if Req_EM_T (left t) 0 then 0 else Rmin room (left t) in above (S t) = above t + l j + added /\ left (S t) = left t - added.
Proof. cbv zeta. unfold above, left, beyond_last, left_over. cbn [second_pass]. destruct (second_pass E d x y f m t) as [a r]. cbn [fst snd]. split; reflexivity. Qed.
Lemma filled_first : filled 1 /\ above 1%nat + left 1%nat = y - K x.
Proof.
  destruct (pass_step 0) as [A L]. destruct first_left as [Z P]. destruct (step_parts E d x y close) as (_ & Hd & _).
  assert (l m = 0) as N. { unfold l, first_entry. destruct (Nat.ltb_spec m m); [lia | reflexivity]. }
  rewrite Nat.sub_0_r, N in *. replace (above 0%nat) with 0 in * by reflexivity. unfold filled. replace (S m - 1)%nat with m by lia.
  unfold F in *. rewrite mass_in_all in *. destruct (Req_EM_T (left 0%nat) 0) as [H|H].
  - split; [right|]; lra.
  - unfold Rmin in *. destruct (Rle_dec (E * (x - x) + d - 0 - 0) (left 0%nat)); [split; [left|]; lra | split; [right|]; lra].
Qed.
Lemma filled_always t : (t <= m)%nat -> filled (S t) /\ above (S t) + left (S t) + K (F (m - t)) = y.
Proof.
  induction t as [|t IH]; intros H.
  - destruct filled_first as [A B]. split; auto. rewrite Nat.sub_0_r. unfold F. rewrite mass_in_all. lra.
  - destruct IH as [A B]; [lia|]. destruct (pass_step (S t)) as [P L]. set (j := (m - S t)%nat) in *.
    assert (J : (m - t)%nat = S j) by lia. rewrite J in B. pose proof (entry_is j ltac:(lia)) as Ej. destruct (entry_small j ltac:(lia)) as [L0 L1].
    pose proof (masses j ltac:(lia)). destruct (step_parts E d x y close) as (HE & _). assert (Fj : F (S j) = F j + f j) by reflexivity.
    assert (l j <= E * f j) by nra. unfold filled in *. replace (S m - S t)%nat with (S j) in A by lia. replace (S m - S (S t))%nat with j by lia.
    rewrite Fj in A. destruct (Req_EM_T (left (S t)) 0) as [Z|Z].
    + split; [right|]; lra.
    + assert (above (S t) = E * (x - (F j + f j)) + d /\ 0 < left (S t)) as [Q Q'] by (destruct A as [[A A']|[A A']]; [split; lra | lra]).
      unfold Rmin in *. destruct (Rle_dec (E * (x - F j) + d - above (S t) - l j) (left (S t))); [split; [left|]; lra | split; [right|]; lra].
Qed.
Lemma passes_give t : (t <= m)%nat -> y - above (S t) = T (F (m - t)).
Proof.
  intros H. destruct (filled_always t H) as [A B]. unfold filled in A. replace (S m - S t)%nat with (m - t)%nat in A by lia.
  unfold T, next_mass. fold K. unfold Rmax. destruct (Rle_dec (K (F (m - t))) (y - E * (x - F (m - t)) - d)), A as [[A A']|[A A']]; lra.
Qed.
Lemma all_placed : above (S m) = y.
Proof.
  pose proof (passes_give m (Nat.le_refl _)) as P. rewrite Nat.sub_diag in P. unfold F in P. cbn [sum_below] in P.
  pose proof (next_at_none E d x y close) as Z. fold T in Z. lra.
Qed.
(* Where the second pass ends. *)
Lemma one_is_raised : left 0%nat <= d -> forall t, (1 <= t <= m)%nat -> above (S t) - above t = l (m - t)%nat.
Proof.
  intros Hd. assert (N : forall t, (1 <= t)%nat -> left t = 0).
  { intros [|t] H; [lia|]. induction t as [|t IH].
    - destruct (pass_step 0) as [_ L]. destruct first_left as [_ P]. rewrite L. destruct (Req_EM_T (left 0%nat) 0) as [Z|Z]; [lra|].
      rewrite Nat.sub_0_r, Rmin_right; [ring|]. unfold F. rewrite mass_in_all. replace (above 0%nat) with 0 by reflexivity.
      unfold l, first_entry. destruct (Nat.ltb_spec m m); [lia|]. lra.
    - destruct (pass_step (S t)) as [_ L]. rewrite L. specialize (IH ltac:(lia)). rewrite IH. destruct (Req_EM_T 0 0); lra. }
  intros t [H _]. destruct (pass_step t) as [A _]. rewrite A, (N t H). destruct (Req_EM_T 0 0); lra.
Qed.
Lemma last_gets_delta : d < left 0%nat -> above 1%nat = d.
Proof.
  intros H. destruct (step_parts E d x y close) as (_ & Hd & _). destruct (pass_step 0) as [A _]. rewrite A. destruct (Req_EM_T (left 0%nat) 0); [lra|].
  rewrite Nat.sub_0_r. unfold F. rewrite mass_in_all. replace (above 0%nat) with 0 by reflexivity. unfold l, first_entry. destruct (Nat.ltb_spec m m); [lia|].
  rewrite Rmin_left; lra.
Qed.
Lemma goes_up t : (1 <= t)%nat -> (t < m)%nat -> 0 < left (S t) -> above (S t) - above t = E * f (m - t)%nat.
Proof.
  intros H L P. destruct (filled_always t ltac:(lia)) as [A _]. destruct t as [|t]; [lia|]. destruct (filled_always t ltac:(lia)) as [B _].
  assert (Q : 0 < left (S t)).
  { destruct (pass_step (S t)) as [_ W]. destruct (Req_EM_T (left (S t)) 0) as [Z|Z]; [lra|].
    destruct B as [[_ B]|[B _]]; lra. }
  unfold filled in *. set (j := (m - S t)%nat) in *. replace (S m - S (S t))%nat with j in A by lia. replace (S m - S t)%nat with (S j) in B by lia.
  assert (F (S j) = F j + f j) by reflexivity. destruct A as [[A _]|[A _]], B as [[B _]|[B _]]; nra.
Qed.
(* The entries of the first pass: nothing, and then 1/E of the row before. *)
Lemma idle_entries j : (j < m)%nat -> F (S j) + E * silence E x y <= d -> l j = 0.
Proof.
  intros H L. rewrite entry_is by auto. pose proof (up_to_rises j H). destruct (step_parts E d x y close) as (HE & _).
  pose proof (least_forms E d x y close (F j)) as A. pose proof (least_forms E d x y close (F (S j))) as B. rewrite Rmax_left in A, B by lra. fold K in A, B. nra.
Qed.
Lemma quotient_entries j : (j < m)%nat -> d <= F j + E * silence E x y -> E * l j = f j.
Proof.
  intros H L. rewrite entry_is by auto. pose proof (up_to_rises j H). destruct (step_parts E d x y close) as (HE & _).
  pose proof (least_forms E d x y close (F j)) as A. pose proof (least_forms E d x y close (F (S j))) as B. rewrite Rmax_right in A, B by lra. fold K in A, B.
  assert (F (S j) = F j + f j) by reflexivity. nra.
Qed.
End Passes.

(* Algorithm 4 from row to row. *)
Section Algorithm4.
Variables (E d : R) (q : nat -> R).
Hypothesis ratio : 1 <= E.
Hypothesis delta : 0 <= d <= 1.
Hypothesis sampling : rising q.
Let pi := reporting E d q.
Let r := algorithm_4_row E d q.
Let F (i k : nat) : R := sum_below k (r i).
Lemma next_row_up_to m : (forall j, (j < m)%nat -> 0 <= r m j) -> F m m = pi m ->
  (forall k, (k <= m)%nat -> F (S m) k = next_mass E d (pi m) (pi (S m)) (F m k)) /\ F (S m) (S m) = pi (S m) /\ forall j, (m < j)%nat -> r (S m) j = 0.
Proof.
  intros P M. set (above := beyond_last E d (pi m) (pi (S m)) (r m) m).
  assert (S0 : forall k, (k <= S m)%nat -> F (S m) k = above (S m) - above (S m - k)%nat).
  { induction k as [|k IH]; intros H; [cbn; rewrite ?Nat.sub_0_r; lra|]. unfold F. cbn [sum_below]. fold (F (S m) k). rewrite IH by lia.
    unfold r. cbn [algorithm_4_row]. fold pi r above. destruct (Nat.leb_spec k m); [|lia].
    replace (S (m - k)) with (S m - k)%nat by lia. replace (S m - S k)%nat with (m - k)%nat by lia. ring. }
  pose proof (all_placed E d (pi m) (pi (S m)) (r m) m (steps_close E d q ratio delta sampling m) P M) as A. fold above in A.
  split; [|split].
  - intros k H. rewrite S0, A by lia. pose proof (passes_give E d (pi m) (pi (S m)) (r m) m (steps_close E d q ratio delta sampling m) P M (m - k) ltac:(lia)) as G.
    fold above in G. replace (S (m - k)) with (S m - k)%nat in G by lia. replace (m - (m - k))%nat with k in G by lia. exact G.
  - rewrite S0, A by lia. rewrite Nat.sub_diag. unfold above, beyond_last. cbn. ring.
  - intros j H. unfold r. cbn [algorithm_4_row]. destruct (Nat.leb_spec j m); [lia | reflexivity].
Qed.
Lemma rows_lawful i : (forall j, 0 <= r i j) /\ (forall j, (i <= j)%nat -> r i j = 0) /\ F i i = pi i.
Proof.
  induction i as [|m (P & Z & M)]; [repeat split; intros; cbn; lra|].
  destruct (next_row_up_to m) as (A & B & C); auto. pose proof (steps_close E d q ratio delta sampling m) as St. split; [|split].
  - intros j. destruct (Nat.le_gt_cases j m) as [H|H]; [|rewrite C by auto; lra].
    assert (Split : F (S m) (S j) = F (S m) j + r (S m) j) by reflexivity.
    destruct (Nat.eq_dec j m) as [->|H'].
    + rewrite B, A in Split by lia. rewrite M in Split. destruct (next_in_all E d (pi m) (pi (S m)) St). lra.
    + rewrite !A in Split by lia. destruct (next_rises E d (pi m) (pi (S m)) St (F m j) (r m j) (P j)) as [N _].
      replace (F m j + r m j) with (F m (S j)) in N by reflexivity. lra.
  - intros j H. apply C. lia.
  - exact B.
Qed.
Lemma row_up_to_all i k : (i <= k)%nat -> F i k = pi i.
Proof.
  intros H. destruct (rows_lawful i) as (_ & Z & M). replace k with (i + (k - i))%nat by lia. unfold F. rewrite sum_split, (sum_ext (k - i) _ (fun _ => 0)), sum_constant.
  - fold (F i i). rewrite M. ring.
  - intros j _. apply Z. lia.
Qed.
Lemma algorithm_4_follows n N : (n <= N)%nat -> rows_follow E d q n N F (newest E d q).
Proof.
  intros H. split; [intros k _; unfold F, r; cbn [algorithm_4_row]; rewrite sum_constant; ring|]. intros i I.
  destruct (rows_lawful i) as (P & Z & M). destruct (next_row_up_to i) as (A & B & _); auto.
  pose proof (steps_close E d q ratio delta sampling i) as St. destruct (next_in_all E d (pi i) (pi (S i)) St) as [Q _].
  unfold row_follows, newest. split; [reflexivity|]. split; [|split].
  - intros k _. destruct (Nat.leb_spec k i), (Nat.leb_spec (S k) i); fold pi; lra || lia.
  - destruct (Nat.leb_spec N i); [lia|]. reflexivity.
  - intros k K. destruct (Nat.leb_spec k i); [rewrite A by auto; fold pi; ring|]. rewrite !row_up_to_all by lia. fold pi. ring.
Qed.
(* The passes, on the rows of Algorithm 4. *)
Let first m := first_entry E d (pi m) (pi (S m)) (r m) m.
Let above m := beyond_last E d (pi m) (pi (S m)) (r m) m.
Let left m := left_over E d (pi m) (pi (S m)) (r m) m.
Lemma passes_of_row m : (forall j, (j <= m)%nat -> least_entries E d (pi m) (pi (S m)) (r m) j = least_mass E d (pi m) (pi (S m)) (F m j)) /\
  (forall t, (t <= m)%nat -> pi (S m) - above m (S t) = next_mass E d (pi m) (pi (S m)) (F m (m - t))) /\ above m (S m) = pi (S m).
Proof.
  pose proof (steps_close E d q ratio delta sampling m) as St. destruct (rows_lawful m) as (P & _ & M). repeat split.
  - intros j J. apply (first_pass_gives E d _ _ (r m) m St); auto.
  - intros t J. apply (passes_give E d _ _ (r m) m St); auto.
  - apply (all_placed E d _ _ (r m) m St); auto.
Qed.
Lemma first_pass_of_row m : (forall j, (j < m)%nat -> 0 <= first m j /\ E * first m j <= r m j /\
    (F m (S j) + E * silence E (pi m) (pi (S m)) <= d -> first m j = 0) /\ (d <= F m j + E * silence E (pi m) (pi (S m)) -> E * first m j = r m j)) /\
  least_entries E d (pi m) (pi (S m)) (r m) m <= pi m <= pi (S m).
Proof.
  pose proof (steps_close E d q ratio delta sampling m) as St. destruct (rows_lawful m) as (P & _ & M). split.
  - intros j J. destruct (entry_small E d _ _ (r m) m St (fun j _ => P j) j J). repeat split; auto.
    + apply (idle_entries E d _ _ (r m) m St); auto.
    + apply (quotient_entries E d _ _ (r m) m St); auto.
  - destruct (passes_of_row m) as [G _]. rewrite G, M by lia. destruct (least_in_all E d _ _ St) as [L _].
    destruct (step_parts E d _ _ St) as (_ & _ & _ & O & _). split; [exact L | exact O].
Qed.
Lemma second_pass_of_row m : (left m 0%nat <= d -> forall j, (j < m)%nat -> r (S m) j = first m j) /\
  (d < left m 0%nat -> r (S m) m = d) /\
  forall j, (1 <= j < m)%nat -> 0 < left m (S (m - j)) -> r (S m) j = E * r m j.
Proof.
  pose proof (steps_close E d q ratio delta sampling m) as St. destruct (rows_lawful m) as (P & _ & M).
  assert (Entry : forall j, (j <= m)%nat -> r (S m) j = above m (S (m - j)) - above m (m - j)%nat).
  { intros j J. unfold r. cbn [algorithm_4_row]. destruct (Nat.leb_spec j m); [reflexivity | lia]. }
  repeat split.
  - intros H j J. rewrite Entry by lia. pose proof (one_is_raised E d _ _ (r m) m St (fun j _ => P j) M H (m - j)%nat ltac:(lia)) as W.
    replace (m - (m - j))%nat with j in W by lia. exact W.
  - intros H. rewrite Entry, Nat.sub_diag by lia. assert (W : above m 1%nat = d) by exact (last_gets_delta E d _ _ (r m) m St M H).
    replace (above m 0%nat) with 0 by reflexivity. rewrite W. ring.
  - intros j J H. rewrite Entry by lia. pose proof (goes_up E d _ _ (r m) m St (fun j _ => P j) M (m - j)%nat ltac:(lia) ltac:(lia) H) as W.
    replace (m - (m - j))%nat with j in W by lia. exact W.
Qed.
End Algorithm4.

(* Without sampling: the first k values of row i have pi_i - pi_(i-k). *)
Section WithoutSampling.
Variables E d : R.
Hypothesis ratio : 1 <= E.
Hypothesis delta : 0 <= d <= 1.
Let pi := reporting E d everything.
Lemma all_rising : rising everything.
Proof. intros i. unfold everything. lra. Qed.
Lemma shifted a x y : 0 <= a <= x -> x <= 1 -> y = Rmin 1 (Rmin (E * x + d) (1 + (x + d - 1) / E)) ->
  next_mass E d x y (x - a) = y - Rmin 1 (Rmin (E * a + d) (1 + (a + d - 1) / E)).
Proof.
  intros A X Y. assert (HE : 0 < E) by lra. unfold next_mass, least_mass, silence.
  replace ((x + d - 1) / E) with (x * / E + d * / E - / E) in Y by (field; lra). replace ((1 - x) / E) with (/ E - x * / E) by (field; lra).
  replace ((x - a - d) / E) with (x * / E - a * / E - d * / E) by (field; lra). replace ((a + d - 1) / E) with (a * / E + d * / E - / E) by (field; lra).
  assert (I : 0 < / E <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  set (i := / E) in *. assert (0 <= i * (x - a)) by nra. assert (i * (x - a) <= x - a) by nra. assert (x - a <= E * (x - a)) by nra. assert (0 <= i * (1 - x)) by nra. assert (0 <= d * i <= d) by nra.
  unfold Rmin, Rmax in *. repeat match goal with |- context[Rle_dec ?a ?b] => destruct (Rle_dec a b) | H : context[Rle_dec ?a ?b] |- _ => destruct (Rle_dec a b) end; nra.
Qed.
Lemma next_everything i : pi (S i) = Rmin 1 (Rmin (E * pi i + d) (1 + (pi i + d - 1) / E)).
Proof. reflexivity. Qed.
Lemma rows_without_sampling i k : (k <= i)%nat -> sum_below k (algorithm_4_row E d everything i) = pi i - pi (i - k).
Proof.
  revert k. induction i as [|m IH]; intros k H; [replace k with O by lia; cbn; ring|].
  destruct (rows_lawful E d everything ratio delta all_rising m) as (P & _ & M).
  destruct (next_row_up_to E d everything ratio delta all_rising m) as (A & B & _); auto.
  destruct (Nat.eq_dec k (S m)) as [->|N]; [rewrite B, Nat.sub_diag; cbn; unfold pi; ring|].
  rewrite A, IH by lia. fold pi. rewrite Nat.sub_succ_l by lia. rewrite (next_everything (m - k)). apply shifted; [|apply (reporting_grows E d everything ratio delta all_rising m) | apply next_everything].
  split; [apply (reporting_grows E d everything ratio delta all_rising (m - k))|].
  assert (G : forall n, pi (m - k) <= pi (m - k + n)%nat).
  { induction n as [|n In]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. destruct (reporting_grows E d everything ratio delta all_rising (m - k + n)) as [[_ W] _].
    fold pi in W. lra. }
  specialize (G k). replace (m - k + k)%nat with m in G by lia. exact G.
Qed.
Lemma entries_without_sampling i j : (j < i)%nat -> algorithm_4_row E d everything i j = pi (i - j) - pi (i - S j).
Proof.
  intros H. pose proof (rows_without_sampling i j ltac:(lia)) as A. pose proof (rows_without_sampling i (S j) ltac:(lia)) as B. cbn [sum_below] in B. lra.
Qed.
End WithoutSampling.
Lemma steps_in_closed_form E d L n : 1 < E -> 0 < d <= 1 -> whole E d L ->
  reporting E d everything (S n) - reporting E d everything n =
    if (n <=? L)%nat then d * E ^ n else if (n <=? 2 * L)%nat then d * E ^ (2 * L - n) else 0.
Proof.
  intros HE Hd W. destruct (closed_form_holds E d L HE Hd W) as (A & B & C). pose proof (slope_times E d HE) as T.
  destruct (Nat.leb_spec n L) as [H|H].
  - rewrite !A by lia. cbn [pow]. set (s := slope E d) in *. rewrite <- T. ring.
  - destruct (Nat.leb_spec n (2 * L)) as [H2|H2].
    + replace (reporting E d everything n) with (reporting E d everything (S L + (n - S L))) by (f_equal; lia).
      replace (reporting E d everything (S n)) with (reporting E d everything (S L + S (n - S L))) by (f_equal; lia).
      rewrite !B by lia. replace (L - (n - S L))%nat with (S (2 * L - n)) by lia. replace (L - S (n - S L))%nat with (2 * L - n)%nat by lia.
      cbn [pow]. set (s := slope E d) in *. rewrite <- T. ring.
    + replace (reporting E d everything n) with (reporting E d everything (S (2 * L) + (n - S (2 * L)))) by (f_equal; lia).
      replace (reporting E d everything (S n)) with (reporting E d everything (S (2 * L) + S (n - S (2 * L)))) by (f_equal; lia).
      rewrite !C. ring.
Qed.

(* A scheme for examples: it reports as often as Algorithm 3 does, with one value. *)
Definition reported_bit (b : bool) : R := if b then 1 else 0.
Definition one_value (i : nat) : law bool := bernoulli (reporting 2 (/ 4) everything i).
Lemma one_value_lawful i : measure (one_value i) /\ total (one_value i).
Proof.
  destruct (reporting_grows 2 (/ 4) everything ltac:(lra) ltac:(lra) all_rising i) as [[A _] B].
  split; [apply coin_measure; lra | apply bernoulli_total].
Qed.
Lemma one_value_private i : dp_both 2 (/ 4) (one_value i) (one_value (S i)).
Proof. apply (reporting_private 2 (/ 4) everything); try lra. exact all_rising. Qed.
Lemma one_value_reports i : one_value i reported_bit = reporting 2 (/ 4) everything i.
Proof. unfold one_value, bernoulli, mix, ret, reported_bit. ring. Qed.
Lemma reported_is_event : event reported_bit.
Proof. intros []; unfold reported_bit; lra. Qed.
Lemma first_row_mass : sum_below 1 (algorithm_4_row 2 (/ 4) everything 1) = reporting 2 (/ 4) everything 1.
Proof. apply (rows_lawful 2 (/ 4) everything ltac:(lra) ltac:(lra) all_rising 1). Qed.
