(* Private weighted sampling, Algorithms 4 and 5: private, and the least masses that any private scheme can have. *)
From Coq Require Import Reals Arith Lra Lia.
From DP.definitions Require Import Laws Keys Values.
From DP.facts Require Import Laws.
From DP.facts Require Import Keys.
Open Scope R_scope.

(* One step, from a row that reports with x to one that reports with y. *)
Definition step_close (E d x y : R) : Prop := 1 <= E /\ 0 <= d /\ 0 <= x <= y /\ y <= 1 /\ y <= E * x + d /\ 1 - x <= E * (1 - y) + d.
Lemma quotient_rises E a b : 1 <= E -> a <= b -> a / E <= b / E.
Proof. intros H L. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact L]. Qed.
Lemma quotient_times E a : 1 <= E -> E * (a / E) = a.
Proof. intros H. field. lra. Qed.

Section Step.
Variables E d x y : R.
Hypothesis close : step_close E d x y.
Let g := silence E x y.
Let T := next_mass E d x y.
Let K := least_mass E d x y.
Lemma step_parts : 1 <= E /\ 0 <= d /\ 0 <= x /\ x <= y /\ y <= 1 /\ y <= E * x + d /\ 1 - x <= E * (1 - y) + d.
Proof. destruct close as (A & B & (C & D) & F & G & H). repeat split; auto. Qed.
Lemma silence_range : 0 <= g /\ E * g <= d /\ (1 - x) - E * (1 - y) <= E * g /\ (g = 0 \/ E * g = (1 - x) - E * (1 - y)).
Proof.
  destruct step_parts as (HE & Hd & Hx & Hxy & Hy & Hr & Hs). unfold g, silence.
  pose proof (quotient_times E (1 - x) HE) as Q. unfold Rmax. destruct (Rle_dec 0 ((1 - x) / E - (1 - y))) as [L|L].
  - split; [lra|]. split; [nra|]. split; [nra|]. right. nra.
  - apply Rnot_le_lt in L. split; [lra|]. split; [nra|]. split; [nra|]. left. reflexivity.
Qed.
Lemma least_forms X : E * K X = Rmax 0 (X - d + E * g).
Proof.
  destruct step_parts as (HE & _). unfold K, least_mass. fold g. pose proof (quotient_times E (X - d) HE). unfold Rmax.
  destruct (Rle_dec 0 ((X - d) / E + g)), (Rle_dec 0 (X - d + E * g)); nra.
Qed.
Lemma least_at_none : K 0 = 0.
Proof.
  destruct step_parts as (HE & Hd & _). destruct silence_range as (_ & G & _). pose proof (least_forms 0) as F.
  rewrite Rmax_left in F by lra. nra.
Qed.
Lemma least_not_negative X : 0 <= K X.
Proof. apply Rmax_l. Qed.
Lemma next_at_none : T 0 = 0.
Proof.
  destruct step_parts as (_ & _ & _ & _ & _ & Hr & _). unfold T, next_mass. fold K. rewrite least_at_none. apply Rmax_left. lra.
Qed.
Lemma least_rises X a : 0 <= a -> K X <= K (X + a) /\ E * (K (X + a) - K X) <= a.
Proof.
  intros A. destruct step_parts as (HE & _). pose proof (least_forms X) as F. pose proof (least_forms (X + a)) as G.
  unfold Rmax in *. destruct (Rle_dec 0 (X - d + E * g)), (Rle_dec 0 (X + a - d + E * g)); split; nra.
Qed.
Lemma next_rises X a : 0 <= a -> T X <= T (X + a) /\ T (X + a) - T X <= E * a.
Proof.
  intros A. destruct (least_rises X a A) as [L M]. destruct step_parts as (HE & _). assert (K (X + a) - K X <= E * a) by nra. assert (0 <= E * a) by nra.
  unfold T, next_mass. fold K. unfold Rmax.
  destruct (Rle_dec (K X) (y - E * (x - X) - d)), (Rle_dec (K (X + a)) (y - E * (x - (X + a)) - d)); split; lra.
Qed.
Lemma next_keeps_least X a : 0 <= a -> K (X + a) - K X <= T (X + a) - T X.
Proof.
  intros A. destruct (least_rises X a A) as [L M]. destruct step_parts as (HE & _).
  assert (K (X + a) - K X <= E * a) by nra. assert (0 <= E * a) by nra.
  unfold T, next_mass. fold K. unfold Rmax.
  destruct (Rle_dec (K X) (y - E * (x - X) - d)), (Rle_dec (K (X + a)) (y - E * (x - (X + a)) - d)); lra.
Qed.
Lemma least_in_all : K x <= x /\ x - E * K x <= d - E * g.
Proof.
  destruct step_parts as (HE & Hd & Hx & _). destruct silence_range as (G0 & G & _). pose proof (least_forms x) as F.
  unfold Rmax in F. destruct (Rle_dec 0 (x - d + E * g)); split; nra.
Qed.
Lemma next_in_all : T x <= y /\ y - T x <= d.
Proof.
  destruct step_parts as (HE & Hd & Hx & Hxy & _). destruct least_in_all as [L _]. unfold T, next_mass. fold K.
  unfold Rmax. destruct (Rle_dec (K x) (y - E * (x - x) - d)); lra.
Qed.
(* The least row leaves what the new values may have. *)
Lemma least_leaves : d <= 1 -> K x <= y - Rmin y d.
Proof.
  intros D1. destruct step_parts as (HE & Hd & Hx & Hxy & Hy & Hr & Hs). destruct silence_range as (G0 & G1 & G2 & G3).
  pose proof (least_forms x) as F. unfold Rmax in F. destruct (Rle_dec 0 (x - d + E * g)).
  - unfold Rmin. destruct (Rle_dec y d).
    + destruct G3 as [Z|Z]; [rewrite Z in *; nra|]. rewrite Z in *. assert (E * K x <= 0); [|pose proof (least_not_negative x); nra]. nra.
    + destruct G3 as [Z|Z]; rewrite ?Z in *; nra.
  - assert (K x = 0) by nra. unfold Rmin. destruct (Rle_dec y d); lra.
Qed.
Lemma new_values : d <= 1 -> y - T x = Rmin y d.
Proof.
  intros D1. pose proof (least_leaves D1) as L. pose proof (least_not_negative x). unfold T, next_mass. fold K.
  unfold Rmin, Rmax in *. destruct (Rle_dec y d), (Rle_dec (K x) (y - E * (x - x) - d)); lra.
Qed.
(* Beyond each place the row has no less than the row before. *)
Lemma beyond_rises X : 0 <= X <= x -> x - X <= y - T X.
Proof.
  intros HX. destruct step_parts as (HE & Hd & Hx & Hxy & Hy & Hr & Hs). destruct silence_range as (G0 & G1 & _).
  pose proof (least_forms X) as F. unfold T, next_mass. fold K. unfold Rmax in *.
  destruct (Rle_dec 0 (X - d + E * g)), (Rle_dec (K X) (y - E * (x - X) - d)); nra.
Qed.

(* No private scheme has less: u is a set of values, that is of outcomes that count as a report. *)
Lemma none_has_less {A : Type} (P Q : law A) (reported u : A -> R) : measure P -> total P -> measure Q -> total Q ->
  event reported -> event u -> (forall a, u a <= reported a) -> dp_both E d P Q -> P reported = x -> Q reported = y -> T (P u) <= Q u.
Proof.
  intros MP TP MQ TQ R U S [C D] X Y. destruct step_parts as (HE & Hd & _). destruct silence_range as (G0 & G1 & G2 & G3).
  assert (V : event (fun a => reported a - u a)) by (intros a; specialize (R a); specialize (U a); specialize (S a); lra).
  assert (W : event (fun a => 1 - (reported a - u a))) by (apply (complement_is_event _ V)).
  assert (Split : forall r, measure r -> r (fun a => reported a - u a) = r reported - r u).
  { intros r M. assert (r reported = r u + r (fun a => reported a - u a)); [|lra]. rewrite <- (additive r M) by (auto; intros a; specialize (R a); lra).
    apply (same r); auto; [|intros; ring]. intros a. specialize (R a). lra. }
  pose proof (C u U) as C1. pose proof (D _ V) as D1. pose proof (C _ W) as C2.
  rewrite !of_complement in C2 by auto. rewrite !Split in * by auto. rewrite X, Y in *. pose proof (within Q u MQ U).
  apply Rmax_lub; [apply Rmax_lub|]; [lra | | lra]. fold g. apply (Rmult_le_reg_l E); [lra|].
  rewrite Rmult_plus_distr_l, quotient_times by auto. destruct G3 as [Z|Z]; [rewrite Z; lra|]. rewrite Z. lra.
Qed.

(* A row that follows is private with the row before. *)
Section Row.
Variables (N : nat) (F G C : nat -> R).
Hypothesis before_starts : F O = 0.
Hypothesis before_rises : forall k, (k < N)%nat -> F k <= F (S k).
Hypothesis before_ends : F N = x.
Hypothesis follows : row_follows E d x y N F G C.
Lemma new_rise k : (k < N)%nat -> C k <= C (S k).
Proof. apply follows. Qed.
Lemma row_is k : (k <= N)%nat -> G k = T (F k) + C k.
Proof. apply follows. Qed.
Lemma row_starts : G O = 0.
Proof. rewrite row_is, before_starts, next_at_none by lia. destruct follows as [Z _]. rewrite Z. ring. Qed.
Lemma row_ends : G N = y.
Proof. rewrite row_is, before_ends by lia. destruct follows as (_ & _ & Z & _). rewrite Z. unfold T. ring. Qed.
Lemma row_moves k : (k < N)%nat -> K (F (S k)) - K (F k) <= G (S k) - G k <= E * (F (S k) - F k) + (C (S k) - C k).
Proof.
  intros H. pose proof (before_rises k H) as B. pose proof (new_rise k H). rewrite !row_is by lia.
  pose proof (next_rises (F k) (F (S k) - F k) ltac:(lra)) as [_ P]. pose proof (next_keeps_least (F k) (F (S k) - F k) ltac:(lra)) as Q.
  replace (F k + (F (S k) - F k)) with (F (S k)) in * by ring. lra.
Qed.
Lemma row_rises k : (k < N)%nat -> G k <= G (S k).
Proof.
  intros H. destruct (row_moves k H) as [L _]. pose proof (before_rises k H).
  destruct (least_rises (F k) (F (S k) - F k) ltac:(lra)) as [P _]. replace (F k + (F (S k) - F k)) with (F (S k)) in * by ring. lra.
Qed.
Lemma telescope (H : nat -> R) n : sum_below n (fun k => H (S k) - H k) = H n - H O.
Proof. induction n as [|n IH]; cbn [sum_below]; [ring|]. rewrite IH. ring. Qed.
Lemma row_close : dp_both E d (row_law x F N) (row_law y G N).
Proof.
  destruct step_parts as (HE & Hd & Hx & Hxy & Hy & Hr & Hs). destruct silence_range as (G0 & G1 & G2 & _).
  unfold row_law. split; apply hockey_is_enough; try lra; unfold hockey; rewrite sum_shift; cbn [value_mass].
  - apply Rle_trans with (E * g + sum_below N (fun k => (F (S k) - F k) + - E * (K (F (S k)) - K (F k)))).
    + apply Rplus_le_compat; [apply Rmax_lub; nra|]. apply sum_le. intros k Hk. destruct (row_moves k Hk) as [L _]. pose proof (before_rises k Hk).
      destruct (least_rises (F k) (F (S k) - F k) ltac:(lra)) as [_ P]. replace (F k + (F (S k) - F k)) with (F (S k)) in * by ring.
      unfold positive_part. apply Rmax_lub; nra.
    + rewrite sum_plus, sum_scale, telescope, (telescope (fun k => K (F k))), before_starts, before_ends, least_at_none.
      destruct least_in_all. nra.
  - apply Rle_trans with (0 + sum_below N (fun k => C (S k) - C k)).
    + apply Rplus_le_compat; [apply Rmax_lub; nra|]. apply sum_le. intros k Hk. destruct (row_moves k Hk) as [_ L]. pose proof (new_rise k Hk).
      unfold positive_part. apply Rmax_lub; lra.
    + rewrite telescope. destruct follows as (Z & _ & W & _). rewrite Z, W. fold T. destruct next_in_all. lra.
Qed.
End Row.
End Step.

(* The probabilities of Algorithm 3 are close, step by step. *)
Section Rows.
Variables (E d : R) (q : nat -> R).
Hypothesis ratio : 1 <= E.
Hypothesis delta : 0 <= d <= 1.
Hypothesis sampling : rising q.
Let pi := reporting E d q.
Lemma steps_close i : step_close E d (pi i) (pi (S i)).
Proof.
  destruct (reporting_grows E d q ratio delta sampling i) as [[A B] C]. destruct (reporting_grows E d q ratio delta sampling (S i)) as [_ D].
  repeat split; auto; try lra; [apply at_most_times_more | apply others_at_most_times_more; auto].
Qed.
Section Family.
Variables (n N : nat) (F C : nat -> nat -> R).
Hypothesis made : rows_follow E d q n N F C.
Lemma made_rows i : (i <= n)%nat -> F i O = 0 /\ (forall k, (k < N)%nat -> F i k <= F i (S k)) /\ F i N = pi i.
Proof.
  induction i as [|i IH]; intros H.
  - destruct made as [Z _]. repeat split; [apply Z; lia | intros k K; rewrite !Z by lia; lra | rewrite Z by lia; reflexivity].
  - destruct IH as (A & B & D); [lia|]. destruct made as [_ M]. specialize (M i ltac:(lia)). pose proof (steps_close i) as S. repeat split.
    + apply (row_starts E d (pi i) (pi (Datatypes.S i)) S N (F i) _ (C i)); auto.
    + intros k K. apply (row_rises E d (pi i) (pi (Datatypes.S i)) S N (F i) _ (C i)); auto.
    + apply (row_ends E d (pi i) (pi (Datatypes.S i)) N (F i) _ (C i)); auto.
Qed.
Lemma made_private i : (i < n)%nat -> dp_both E d (row_law (pi i) (F i) N) (row_law (pi (S i)) (F (S i)) N).
Proof.
  intros H. destruct (made_rows i) as (A & B & D); [lia|]. destruct made as [_ M]. specialize (M i H).
  apply (row_close E d (pi i) (pi (S i)) (steps_close i) N (F i) _ (C i)); auto.
Qed.
Lemma made_rises_to i k m : (i <= n)%nat -> (k + m <= N)%nat -> F i k <= F i (k + m)%nat.
Proof.
  intros H. destruct (made_rows i H) as (_ & B & _). induction m as [|m IH]; intros L; [rewrite Nat.add_0_r; lra|].
  rewrite Nat.add_succ_r. apply Rle_trans with (F i (k + m)%nat); [apply IH; lia | apply B; lia].
Qed.
Lemma made_within i k : (i <= n)%nat -> (k <= N)%nat -> 0 <= F i k <= pi i.
Proof.
  intros H L. destruct (made_rows i H) as (A & _ & D). split.
  - rewrite <- A. replace k with (0 + k)%nat by lia. apply made_rises_to; lia.
  - rewrite <- D. replace N with (k + (N - k))%nat by lia. apply made_rises_to; lia.
Qed.
Lemma made_total i : (i <= n)%nat -> measure (row_law (pi i) (F i) N) /\ total (row_law (pi i) (F i) N).
Proof.
  intros H. destruct (made_rows i H) as (A & B & D). destruct (reporting_grows E d q ratio delta sampling i) as [_ P].
  assert (S : sum_below (Datatypes.S N) (value_mass (pi i) (F i)) = 1).
  { rewrite sum_shift. cbn [value_mass]. rewrite telescope, A, D. ring. }
  split.
  - apply finite_is_measure, weighted_finite; [lra| |lra]. intros [|k] K; cbn [value_mass]; [fold pi in P; lra|]. pose proof (B k ltac:(lia)). lra.
  - unfold total, row_law, weighted. rewrite (sum_ext _ _ (value_mass (pi i) (F i))), S by (intros; ring). field.
Qed.
(* Up to a place without new values the next row has what it must, and beyond each place it has no less than before. *)
Lemma made_next i k : (i < n)%nat -> (k <= N)%nat -> C i k = 0 -> F (S i) k = next_mass E d (pi i) (pi (S i)) (F i k).
Proof. intros H L Z. destruct made as [_ M]. destruct (M i H) as (_ & _ & _ & R). rewrite R, Z by auto. unfold pi. ring. Qed.
Lemma made_beyond i k : (i < n)%nat -> (k <= N)%nat -> C i k = 0 -> pi i - F i k <= pi (S i) - F (S i) k.
Proof. intros H L Z. rewrite made_next by auto. apply beyond_rises; [apply steps_close | apply made_within; auto; lia]. Qed.
(* No scheme that reports as often separates further. *)
Lemma made_least {A : Type} (scheme : nat -> law A) (reported : A -> R) (u : A -> R) (s k : nat) :
  (forall i, measure (scheme i) /\ total (scheme i)) -> event reported -> event u -> (forall a, u a <= reported a) ->
  (forall i, dp_both E d (scheme i) (scheme (S i))) -> (forall i, scheme i reported = pi i) -> (k <= N)%nat ->
  F s k <= scheme s u -> forall m, (s + m <= n)%nat -> (forall i, (s <= i < s + m)%nat -> C i k = 0) -> F (s + m)%nat k <= scheme (s + m)%nat u.
Proof.
  intros L R U S Near Rep K Start m. induction m as [|m IH]; intros H Z; [rewrite Nat.add_0_r; exact Start|].
  rewrite Nat.add_succ_r. rewrite made_next by (try apply Z; lia). specialize (IH ltac:(lia) ltac:(intros; apply Z; lia)).
  set (i := (s + m)%nat) in *. destruct (L i), (L (Datatypes.S i)).
  apply Rle_trans with (next_mass E d (pi i) (pi (Datatypes.S i)) (scheme i u)).
  - pose proof (next_rises E d (pi i) (pi (Datatypes.S i)) (steps_close i) (F i k) (scheme i u - F i k) ltac:(lra)) as [P _].
    replace (F i k + (scheme i u - F i k)) with (scheme i u) in P by ring. exact P.
  - apply (none_has_less E d (pi i) (pi (Datatypes.S i)) (steps_close i) _ _ reported); auto.
Qed.
Lemma made_pairs {A : Type} (scheme : nat -> law A) (reported : A -> R) (u : nat -> A -> R) (s m M : nat) :
  (forall i, measure (scheme i) /\ total (scheme i)) -> event reported -> (forall k, event (u k)) -> (forall k a, u k a <= reported a) ->
  (forall i, dp_both E d (scheme i) (scheme (S i))) -> (forall i, scheme i reported = pi i) -> (M <= N)%nat -> (s + m <= n)%nat ->
  (forall i k, (s <= i < s + m)%nat -> (k <= M)%nat -> C i k = 0) -> (forall k, (k <= M)%nat -> scheme s (u k) = F s k) ->
  in_order (pi s) (pi (s + m)%nat) M (F s) (fun k => scheme (s + m)%nat (u k)) <= in_order (pi s) (pi (s + m)%nat) M (F s) (F (s + m)%nat).
Proof.
  intros L R U S Near Rep K H Z Same. unfold in_order. apply Rplus_le_compat_l, sum_le. intros k Hk.
  assert (B : forall j, (j <= M)%nat -> F (s + m)%nat j <= scheme (s + m)%nat (u j)).
  { intros j J. apply (made_least scheme reported (u j) s j); auto; try lia. rewrite Same by auto. lra. }
  pose proof (B k ltac:(lia)). pose proof (B (Datatypes.S k) ltac:(lia)). destruct (made_rows s ltac:(lia)) as (_ & Rise & _). specialize (Rise k ltac:(lia)).
  apply Rmult_le_compat_l; lra.
Qed.
Lemma made_lawful i : (i <= n)%nat -> F i O = 0 /\ (forall k, (k < N)%nat -> F i k <= F i (S k)) /\ F i N = pi i /\ pi i <= q i /\
  measure (row_law (pi i) (F i) N) /\ total (row_law (pi i) (F i) N).
Proof.
  intros H. destruct (made_rows i H) as (A & B & D). destruct (made_total i H).
  destruct (reporting_in_sample E d q ratio delta sampling i). auto 8.
Qed.
End Family.
Lemma no_scheme_has_less {A : Type} (P Q : law A) (reported u : A -> R) i : measure P -> total P -> measure Q -> total Q ->
  event reported -> event u -> (forall a, u a <= reported a) -> dp_both E d P Q -> P reported = pi i -> Q reported = pi (S i) ->
  next_mass E d (pi i) (pi (S i)) (P u) <= Q u.
Proof. intros. apply (none_has_less E d (pi i) (pi (S i)) (steps_close i) P Q reported u); auto. Qed.
End Rows.
Lemma none_has_more_new {A : Type} E d (P Q : law A) u : event u -> dp_both E d P Q -> P u = 0 -> Q u <= d.
Proof. intros U [_ D] Z. specialize (D u U). rewrite Z in D. lra. Qed.
(* The greater what the higher frequency has up to each place, the less often are two keys in order. *)
Lemma order_falls_holds x y N (p F G : nat -> R) : (forall k, (k < N)%nat -> p k <= p (S k)) -> (forall k, (k <= N)%nat -> F k <= G k) ->
  in_order x y N p G <= in_order x y N p F.
Proof.
  intros P H. unfold in_order. apply Rplus_le_compat_l, sum_le. intros k K. pose proof (H k ltac:(lia)). pose proof (H (S k) ltac:(lia)). pose proof (P k K).
  apply Rmult_le_compat_l; lra.
Qed.
Lemma next_masses_hold :
  next_mass 2 (1 / 10) (1 / 2) (7 / 10) (1 / 10) = 0 / 1 /\ next_mass 2 (1 / 10) (1 / 2) (7 / 10) (3 / 10) = 1 / 5 /\
  next_mass 2 (1 / 10) (1 / 2) (7 / 10) (1 / 2) = 3 / 5 /\ next_mass 2 (1 / 10) (1 / 2) (4 / 5) (1 / 5) = 1 / 10 /\
  next_mass 2 (1 / 10) (1 / 2) (4 / 5) (3 / 20) = 3 / 40 /\ next_mass 3 (1 / 4) (1 / 2) (11 / 12) (1 / 4) = 1 / 12 /\
  next_mass 3 (1 / 4) (1 / 2) (11 / 12) (1 / 2) = 2 / 3.
Proof.
  unfold next_mass, least_mass, silence. repeat split;
    match goal with |- context[Rmax 0 (?a - ?b)] => unfold Rmax at 3; destruct (Rle_dec 0 (a - b)) end;
    match goal with |- context[Rmax 0 ?a] => unfold Rmax at 2; destruct (Rle_dec 0 a) end; unfold Rmax; destruct (Rle_dec _ _); lra.
Qed.
