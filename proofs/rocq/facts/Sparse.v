(* Sparse histograms: levels add up, every histogram is drawn, and the mixture is pure. *)
From Coq Require Import Reals List Lra Lia Arith Classical.
From DP.definitions Require Import Laws Histograms EmptyBin Sparse.
From DP.facts Require Import Laws Sets Histograms Exponentials.
Import ListNotations.
Open Scope R_scope.

Lemma levels_one_way {A : Type} (f g : list A -> law A) (e : nat -> R) n : (forall k, 0 <= e k) -> (forall h, measure (f h)) -> (forall h, measure (g h)) ->
  (forall h, dp 1 (e (length h)) (f h) (g h)) -> forall h, dp 1 (sum_below n (fun k => e (length h + k)%nat)) (in_turn f n h) (in_turn g n h).
Proof.
  intros E F G C. induction n as [|n IH]; intros h; [intros u U; cbn; lra|]. rewrite sum_shift, Nat.add_0_r. cbn [in_turn]. replace 1 with (1 * 1) by ring.
  apply composition_holds; auto using in_turn_measure; try lra.
  - apply sum_not_negative. auto.
  - intros x. specialize (IH (x :: h)). cbn [length] in IH. rewrite (sum_ext _ _ (fun k => e (S (length h) + k)%nat)) by (intros; f_equal; lia). exact IH.
Qed.
Lemma levels_hold {A : Type} (f g : list A -> law A) (e : nat -> R) n : (forall k, 0 <= e k) -> (forall h, measure (f h)) -> (forall h, measure (g h)) ->
  (forall h, dp_both 1 (e (length h)) (f h) (g h)) -> dp_both 1 (sum_below n e) (in_turn f n []) (in_turn g n []).
Proof. intros E F G C. split; apply (levels_one_way _ _ e n); auto; intros h; apply C. Qed.
Lemma all_levels {A : Type} (f g : list A -> law A) n m s : 0 < s -> (forall h, measure (f h)) -> (forall h, measure (g h)) ->
  (forall h, dp_both 1 (INR m * (INR n + 2) / s) (f h) (g h)) -> dp_both 1 (INR m * (INR n ^ 2 + 2 * INR n) / s) (in_turn f n []) (in_turn g n []).
Proof.
  intros S F G C. replace (INR m * (INR n ^ 2 + 2 * INR n) / s) with (sum_below n (fun _ => INR m * (INR n + 2) / s)) by (rewrite sum_constant; field; lra).
  apply levels_hold; auto. intros _. pose proof (pos_INR m). pose proof (pos_INR n). apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; auto].
Qed.
Lemma precision_holds n X m delta : (1 <= n)%nat -> (m <= X)%nat -> (1 <= X)%nat -> 0 < delta ->
  INR n ^ 2 * INR X / delta <= (INR n ^ 2 + 2 * INR n) * INR X / delta <= (INR n + 1) ^ 2 * INR X / delta /\
  INR m * (INR n ^ 2 + 2 * INR n) / ((INR n ^ 2 + 2 * INR n) * INR X / delta) <= delta.
Proof.
  intros N M X1 D. assert (I : 0 < / delta) by (apply Rinv_0_lt_compat; auto). assert (HN : 1 <= INR n) by (apply (le_INR 1); auto).
  assert (HX : 1 <= INR X) by (apply (le_INR 1); auto). assert (HM : INR m <= INR X) by (apply le_INR; auto). pose proof (pos_INR m).
  assert (K : 0 <= INR X * / delta) by (apply Rmult_le_pos; lra). unfold Rdiv. repeat split.
  - rewrite !Rmult_assoc. apply Rmult_le_compat_r; auto. lra.
  - rewrite !Rmult_assoc. apply Rmult_le_compat_r; auto. nra.
  - replace (INR m * (INR n ^ 2 + 2 * INR n) * / ((INR n ^ 2 + 2 * INR n) * INR X * / delta)) with (delta * (INR m / INR X)) by (field; split; [lra | split; nra]).
    rewrite <- (Rmult_1_r delta) at 2. apply Rmult_le_compat_l; [lra|]. apply (Rmult_le_reg_r (INR X)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma near_private {I A : Type} epsilon delta (domain : I -> Prop) near (k s : I -> law A) : 0 <= delta -> private (exp epsilon) 0 domain near k ->
  (forall x, domain x -> measure (s x) /\ total (s x)) -> (forall x, domain x -> dp_both 1 delta (s x) (k x)) ->
  private (exp epsilon) ((exp epsilon + 1) * delta) domain near s.
Proof.
  intros HD [_ C] L D. split; auto. intros x y X Y N. destruct (C x y X Y N) as [A1 A2], (D x X) as [B1 B2], (D y Y) as [B3 B4]. pose proof (exp_pos epsilon).
  rewrite (Rplus_comm (exp epsilon)). split; [apply (close_holds _ _ (k x) (k y)) | apply (close_holds _ _ (k y) (k x))]; auto; lra.
Qed.

Lemma pure_condition epsilon beta delta m : 0 < epsilon <= 1 -> 0 < beta < 1 -> 0 <= m -> delta <= epsilon / 3 * beta * m ->
  delta * (1 - beta) * (exp epsilon + 1) <= (exp epsilon - 1) * beta * m.
Proof.
  intros E B M D. pose proof (exp_ineq1_le epsilon) as X. set (r := exp epsilon) in *. assert (G : epsilon * (r + 1) <= 3 * (r - 1)) by nra.
  apply Rle_trans with (epsilon / 3 * beta * m * (1 - beta) * (r + 1)); [apply Rmult_le_compat_r; [lra|]; apply Rmult_le_compat_r; lra|].
  replace (epsilon / 3 * beta * m * (1 - beta) * (r + 1)) with (epsilon * (r + 1) * (/ 3 * beta * m * (1 - beta))) by field.
  assert (K : 0 <= beta * m) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (3 * (r - 1) * (/ 3 * beta * m * (1 - beta))); [apply Rmult_le_compat_r; auto; assert (0 <= beta * m * (1 - beta)) by (apply Rmult_le_pos; lra); lra|].
  assert (0 <= (r - 1) * (beta * m)) by (apply Rmult_le_pos; lra). nra.
Qed.

(* n draws are the n pairs of l, in any order, with probability n!/P^n at least. *)
Definition without (x : nat) (l : list nat) : list nat := filter (fun y => negb (y =? x)%nat) l.
Fixpoint hits (l d : list nat) : R := match d with [] => match l with [] => 1 | _ => 0 end | x :: rest => if in_dec Nat.eq_dec x l then hits (without x l) rest else 0 end.
Lemma hits_sharp d : forall l, hits l d = 0 \/ hits l d = 1.
Proof. induction d as [|x d IH]; intros l; cbn; [destruct l; auto|]. destruct (in_dec _ x l); auto. Qed.
Lemma without_in x y l : In y (without x l) <-> In y l /\ y <> x.
Proof. unfold without. rewrite filter_In, Bool.negb_true_iff, Nat.eqb_neq. reflexivity. Qed.
Lemma without_length x l : NoDup l -> In x l -> S (length (without x l)) = length l.
Proof.
  assert (Out : forall k, ~ In x k -> without x k = k).
  { clear. intros k. induction k as [|y k IH]; intros N; [reflexivity|]. cbn in N. unfold without in *. cbn [filter]. destruct (Nat.eqb_spec y x); [exfalso; apply N; left; auto|]. cbn [negb]. rewrite IH; auto. }
  induction l as [|y l IH]; intros N I; [destruct I|]. inversion N; subst. unfold without. cbn [filter]. destruct (Nat.eqb_spec y x) as [->|Y]; cbn [negb].
  - fold (without x l). rewrite Out; auto.
  - cbn [length]. f_equal. apply IH; auto. destruct I; auto. congruence.
Qed.
Lemma hits_means d : forall l, NoDup l -> hits l d = 1 -> length d = length l /\ NoDup d /\ incl d l.
Proof.
  induction d as [|x d IH]; intros l Nl H; cbn in H; [destruct l; [|lra]; repeat split; [constructor | intros y []]|]. destruct (in_dec Nat.eq_dec x l) as [I|I]; [|lra].
  destruct (IH (without x l) (NoDup_filter _ Nl) H) as (L & N & S). split; [|split].
  - pose proof (without_length x l Nl I). cbn [length]. lia.
  - constructor; auto. intros J. apply S, without_in in J. destruct J as [_ J]. congruence.
  - intros y [<-|J]; auto. apply S, without_in in J. apply J.
Qed.
Lemma number_in P l : NoDup l -> (forall x, In x l -> (x < P)%nat) -> sum_below P (fun x => if in_dec Nat.eq_dec x l then 1 else 0) = INR (length l).
Proof.
  intros N B. induction l as [|y l IH]; [rewrite (sum_ext _ _ (fun _ => 0)), sum_constant by (intros x _; destruct (in_dec Nat.eq_dec x []) as [[]|]; reflexivity); cbn; ring|]. inversion N as [|? ? Ny Nl]; subst.
  rewrite (sum_ext _ _ (fun x => (if (x =? y)%nat then 1 else 0) + if in_dec Nat.eq_dec x l then 1 else 0)).
  - rewrite sum_plus, IH by (auto; intros x X; apply B; right; auto). cbn [length]. rewrite S_INR, Rplus_comm. f_equal.
    assert (One : forall Q, sum_below Q (fun x => if (x =? y)%nat then 1 else 0) = if (y <? Q)%nat then 1 else 0).
    { induction Q as [|Q IQ]; [reflexivity|]. cbn [sum_below]. rewrite IQ. destruct (Nat.ltb_spec y Q), (Nat.ltb_spec y (S Q)), (Nat.eqb_spec Q y); try lia; ring. }
    rewrite One. specialize (B y (or_introl eq_refl)). destruct (Nat.ltb_spec y P); [reflexivity | lia].
  - intros x _. destruct (Nat.eqb_spec x y) as [->|Y].
    + destruct (in_dec Nat.eq_dec y (y :: l)) as [I|I]; [|exfalso; apply I; left; auto]. destruct (in_dec Nat.eq_dec y l); [contradiction | ring].
    + destruct (in_dec Nat.eq_dec x (y :: l)) as [I|I], (in_dec Nat.eq_dec x l) as [J|J]; try ring; exfalso; [destruct I; congruence || auto | apply I; right; auto].
Qed.
Lemma uniform_measure P : (1 <= P)%nat -> measure (uniform P).
Proof. intros H. apply finite_is_measure, weighted_finite; [apply lt_0_INR; lia | intros; lra |]. rewrite sum_constant. lra. Qed.
Lemma all_hit P n : (1 <= P)%nat -> forall l, pairs_below P n l -> drawn_pairs P n (hits l) = INR (fact n) / INR P ^ n.
Proof.
  intros HP. assert (PP : 0 < INR P) by (apply lt_0_INR; lia). induction n as [|n IH]; intros l (N & L & B); [destruct l; [cbn; unfold ret; field | discriminate L]|].
  change (drawn_pairs P (S n) (hits l)) with (uniform P (fun x => drawn_pairs P n (fun d => hits l (x :: d)))).
  unfold uniform at 1, weighted. rewrite (sum_ext _ _ (fun x => INR (fact n) / INR P ^ n * if in_dec Nat.eq_dec x l then 1 else 0)).
  - rewrite sum_scale, number_in, L by auto. change (fact (S n)) with ((S n) * fact n)%nat. rewrite mult_INR. cbn [pow]. field. split; [apply pow_nonzero; lra | lra].
  - intros x _. cbn [hits]. destruct (in_dec Nat.eq_dec x l) as [I|I].
    + rewrite IH; [ring|]. pose proof (without_length x l N I). repeat split; [apply NoDup_filter; auto | lia |]. intros y Y. apply without_in in Y. apply B, Y.
    + rewrite of_zero; [ring|]. apply every_measure, Forall_forall. intros p Hp. apply repeat_spec in Hp. subst. apply uniform_measure; auto.
Qed.
Lemma every_histogram {A : Type} (read : list nat -> A) P n : (1 <= P)%nat -> spread_in (made_by read P n) (INR (fact n) / INR P ^ n) (image read (drawn_pairs P n)).
Proof.
  intros HP r u (l & L & R1) U One. rewrite <- (all_hit P n HP l L). unfold image.
  assert (M : measure (drawn_pairs P n)) by (apply every_measure, Forall_forall; intros p Hp; apply repeat_spec in Hp; subst; apply uniform_measure; auto).
  apply (monotone _ M).
  - intros d. destruct (hits_sharp d l) as [-> | ->]; lra.
  - intros d. apply U.
  - intros d. destruct (hits_sharp d l) as [Z|Z]; rewrite Z; [apply U|]. destruct L as (N & Len & B). destruct (hits_means d l N Z) as (D1 & D2 & D3).
    rewrite R1 by (auto; lia). rewrite One. lra.
Qed.
Lemma least_share n X : (1 <= X)%nat -> / (3 * INR X) ^ n <= INR (fact n) / INR (S n * X) ^ n.
Proof.
  intros H. assert (HX : 0 < INR X) by (apply lt_0_INR; lia). assert (N : 0 < INR (S n)) by (apply lt_0_INR; lia). pose proof (factorial_holds n) as F.
  rewrite mult_INR, !Rpow_mult_distr, Rinv_mult. assert (P : 0 < INR X ^ n) by (apply pow_lt; auto). assert (Q : 0 < INR (S n) ^ n) by (apply pow_lt; auto).
  replace (INR (fact n) / (INR (S n) ^ n * INR X ^ n)) with (INR (fact n) / INR (S n) ^ n * / INR X ^ n) by (field; split; lra).
  apply Rmult_le_compat_r; auto. left. apply Rinv_0_lt_compat; auto.
Qed.
Lemma pure_holds {I A : Type} epsilon beta delta n X (read : list nat -> A) (domain : I -> Prop) near (k s : I -> law A) :
  0 < epsilon <= 1 -> 0 < beta < 1 -> (1 <= X)%nat -> delta <= epsilon / 3 * beta * / (3 * INR X) ^ n -> private (exp epsilon) 0 domain near k ->
  lives_in (made_by read (S n * X) n) (image read (drawn_pairs (S n * X) n)) ->
  (forall x, domain x -> measure (s x) /\ total (s x) /\ lives_in (made_by read (S n * X) n) (s x) /\ dp_both 1 delta (s x) (k x)) ->
  private (exp epsilon) 0 domain near (fun x => mix beta (image read (drawn_pairs (S n * X) n)) (s x)).
Proof.
  intros E B HX HD [_ C] Lz L. assert (HP : (1 <= S n * X)%nat) by lia. set (z := image read (drawn_pairs (S n * X) n)) in *.
  assert (Pairs : Forall measure (repeat (uniform (S n * X)) n)) by (apply Forall_forall; intros p Hp; apply repeat_spec in Hp; subst; apply uniform_measure; auto).
  assert (Mz : measure z) by (apply image_measure, every_measure, Pairs).
  assert (Tz : total z).
  { apply image_total, every_total; auto. apply Forall_forall. intros p Hp. apply repeat_spec in Hp. subst. unfold total, uniform, weighted.
    rewrite (sum_ext _ _ (fun _ => 1)), sum_constant by (intros; ring). field. apply not_0_INR. lia. }
  assert (M0 : 0 <= / (3 * INR X) ^ n) by (left; apply Rinv_0_lt_compat, pow_lt; assert (0 < INR X) by (apply lt_0_INR; lia); lra).
  assert (Spread : spread_in (made_by read (S n * X) n) (/ (3 * INR X) ^ n) z).
  { intros r u R1 U One. eapply Rle_trans; [apply least_share; auto | apply (every_histogram read (S n * X) n HP r u R1 U One)]. }
  assert (Cond := pure_condition epsilon beta delta _ E B M0 HD). split.
  - intros x Dx. destruct (L x Dx) as (M & T & _). split; [apply mix_measure; auto; lra | apply mix_total; auto].
  - intros x y Dx Dy N. destruct (L x Dx) as (M1 & _ & L1 & N1 & N2), (L y Dy) as (M2 & _ & L2 & N3 & N4), (C x y Dx Dy N) as [C1 C2].
    pose proof (exp_ineq1_le epsilon). split.
    + apply (mixing_in (made_by read (S n * X) n) _ _ delta (/ (3 * INR X) ^ n) z (k x) (k y)); auto; lra.
    + apply (mixing_in (made_by read (S n * X) n) _ _ delta (/ (3 * INR X) ^ n) z (k y) (k x)); auto; lra.
Qed.
Lemma within_twice_beta {A : Type} beta delta (z k s : law A) : 0 <= beta <= 1 -> 0 <= delta <= beta -> measure z -> measure k -> measure s -> dp_both 1 delta s k ->
  dp_both 1 (2 * beta) (mix beta z s) k.
Proof.
  intros B D Z K S C. destruct (mixture_near beta delta z k s B ltac:(lra) Z K S C) as [X Y].
  split; intros u U; [pose proof (X u U) | pose proof (Y u U)]; lra.
Qed.
Lemma accuracy_kept {A : Type} b d (k s : law A) u : event u -> dp 1 d k s -> 1 - b <= k u -> 1 - (b + d) <= s u.
Proof. intros U C H. specialize (C u U). lra. Qed.

(* An example: one draw of two pairs, of which nothing is read. *)
Lemma anything_made (r : unit) : made_by (fun _ => tt) 2 1 r.
Proof. exists [0%nat]. repeat split; [repeat constructor; intros [] | intros x [<-|[]]; lia | intros d _ _ _; destruct r; reflexivity]. Qed.
Lemma lives_anywhere (p : law unit) : measure p -> lives_in (made_by (fun _ => tt) 2 1) p.
Proof. intros M u v U V H. apply same; auto. intros x. apply H, anything_made. Qed.
Lemma draws_measure P n : (1 <= P)%nat -> measure (drawn_pairs P n).
Proof. intros H. apply every_measure, Forall_forall. intros p Hp. apply repeat_spec in Hp. subst. apply uniform_measure; auto. Qed.
Lemma nothing_private : private (exp 1) 0 (fun _ : unit => True) (fun _ _ => True) (fun _ => ret tt).
Proof.
  pose proof (finite_is_measure _ (ret_finite tt)) as M. pose proof (exp_ineq1_le 1). split; [intros; split; [exact M | reflexivity]|].
  intros x y _ _ _. split; intros u U; pose proof (U tt); unfold ret; nra.
Qed.
Lemma nothing_near d : 0 <= d -> measure (ret tt) /\ total (ret tt) /\ lives_in (made_by (fun _ => tt) 2 1) (ret tt) /\ dp_both 1 d (ret tt) (ret tt).
Proof.
  intros D. pose proof (finite_is_measure _ (ret_finite tt)) as M. split; [exact M|]. split; [reflexivity|]. split; [apply lives_anywhere; exact M|]. split; intros u U; unfold ret; lra.
Qed.
