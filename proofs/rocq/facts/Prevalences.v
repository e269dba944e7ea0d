(* anonymized-histograms: the distance of histograms, in three forms; fake counts; the distance as a sum over values. *)
From Coq Require Import Reals List Arith Lra Lia.
From DP.definitions Require Import Laws Prevalences.
From DP.facts Require Import Laws.
Import ListNotations.
Open Scope R_scope.

(* One count reaches r or not. *)
Definition reach (r a : nat) : R := if (r <=? a)%nat then 1 else 0.
Lemma reach_bit r a : reach r a = 0 \/ reach r a = 1.
Proof. unfold reach. destruct (r <=? a)%nat; auto. Qed.
Lemma reach_falls r a b : (b <= a)%nat -> reach r b <= reach r a.
Proof. unfold reach. intros H. destruct (Nat.leb_spec r a), (Nat.leb_spec r b); try lra; lia. Qed.
Lemma reaching_next r a x : INR (reaching r (a :: x)) = reach r a + INR (reaching r x).
Proof.
  unfold reaching, reach. cbn [filter]. destruct (r <=? a)%nat; [|ring]. cbn [length]. rewrite S_INR. ring.
Qed.
Lemma reaching_both r x y : reaching r (x ++ y) = (reaching r x + reaching r y)%nat.
Proof. unfold reaching. rewrite filter_app, app_length. reflexivity. Qed.
Lemma reaching_none r x : Forall (fun a => (a < r)%nat) x -> reaching r x = O.
Proof.
  unfold reaching. induction 1 as [|a x A H IH]; cbn [filter]; auto. destruct (Nat.leb_spec r a); [lia | exact IH].
Qed.
Lemma reaching_step r x : reaching r x = (prevalence r x + reaching (S r) x)%nat.
Proof.
  unfold prevalence, reaching. induction x as [|a x IH]; auto. cbn [filter count_occ].
  destruct (Nat.eq_dec a r), (Nat.leb_spec r a), (Nat.leb_spec (S r) a); cbn [length]; lia.
Qed.
Lemma counts_below n x : (list_max x <= n)%nat -> Forall (fun a => (a < S n)%nat) x.
Proof. intros H. apply list_max_le in H. eapply Forall_impl; [|exact H]. intros a A. cbn in A. lia. Qed.
Lemma reaching_above n x j : (list_max x <= n)%nat -> (n <= j)%nat -> reaching (S j) x = O.
Proof. intros H J. apply reaching_none, counts_below. lia. Qed.
Lemma reaching_by_prevalences x y : (forall r, prevalence r x = prevalence r y) -> forall r, reaching r x = reaching r y.
Proof.
  intros P r. set (n := (list_max x + list_max y)%nat). destruct (Nat.le_gt_cases r (S n)) as [H|H].
  - remember (S n - r)%nat as d. revert r H Heqd. induction d as [|d IH]; intros r H D.
    + replace r with (S n) by lia. rewrite !(reaching_above n) by lia. reflexivity.
    + rewrite !(reaching_step r), P, (IH (S r)) by lia. reflexivity.
  - replace r with (S (r - 1)) by lia. rewrite !(reaching_above n) by lia. reflexivity.
Qed.

(* The bound of the sum may be any that no count exceeds. *)
Lemma max_both x y n : (list_max (x ++ y) <= n)%nat <-> (list_max x <= n)%nat /\ (list_max y <= n)%nat.
Proof. rewrite list_max_app. lia. Qed.
Lemma any_bound n x y : (list_max x <= n)%nat -> (list_max y <= n)%nat -> l1 x y = l1_up_to n x y.
Proof.
  intros X Y. unfold l1, l1_up_to. set (m := list_max (x ++ y)). assert (M : (m <= n)%nat) by (apply max_both; auto).
  replace n with (m + (n - m))%nat by lia. rewrite sum_split, (sum_ext (n - m) _ (fun _ => 0)); [rewrite sum_constant; ring|].
  intros j _. destruct (max_both x y m) as [F _]. destruct (F (Nat.le_refl _)).
  rewrite !(reaching_above m) by lia. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. reflexivity.
Qed.
Lemma at_any_bound x y z : exists n, (list_max x <= n)%nat /\ (list_max y <= n)%nat /\ (list_max z <= n)%nat.
Proof. exists (list_max x + list_max y + list_max z)%nat. lia. Qed.
Lemma same_reaching x y x' y' : (forall r, reaching r x = reaching r x') -> (forall r, reaching r y = reaching r y') -> l1 x y = l1 x' y'.
Proof.
  intros X Y. set (n := (list_max x + list_max y + list_max x' + list_max y')%nat).
  rewrite (any_bound n x y), (any_bound n x' y') by lia. apply sum_ext. intros j _. rewrite X, Y. reflexivity.
Qed.

(* Label by label. *)
Lemma count_by_reach n a : (a <= n)%nat -> INR a = sum_below n (fun j => reach (S j) a).
Proof.
  intros H. replace n with (a + (n - a))%nat by lia. rewrite sum_split, (sum_ext a _ (fun _ => 1)), (sum_ext (n - a) _ (fun _ => 0)), !sum_constant; [ring| |].
  - intros j J. unfold reach. destruct (Nat.leb_spec (S (a + j)) a); [lia | reflexivity].
  - intros j J. unfold reach. destruct (Nat.leb_spec (S j) a); [reflexivity | lia].
Qed.
Lemma one_label_apart n a b : (a <= n)%nat -> (b <= n)%nat -> Rabs (INR a - INR b) = sum_below n (fun j => Rabs (reach (S j) a - reach (S j) b)).
Proof.
  intros A B. rewrite (count_by_reach n a A), (count_by_reach n b B).
  assert (H : forall c d, (d <= c)%nat -> sum_below n (fun j => Rabs (reach (S j) c - reach (S j) d)) = sum_below n (fun j => reach (S j) c) + -1 * sum_below n (fun j => reach (S j) d)).
  { intros c d D. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros j _. pose proof (reach_falls (S j) c d D). rewrite Rabs_right; lra. }
  assert (P : forall c d, (d <= c)%nat -> sum_below n (fun j => reach (S j) d) <= sum_below n (fun j => reach (S j) c)).
  { intros c d D. apply sum_le. intros j _. apply reach_falls. exact D. }
  destruct (Nat.le_ge_cases b a) as [L|L]; pose proof (P _ _ L).
  - rewrite (H a b L), Rabs_right; lra.
  - rewrite (sum_ext n (fun j => Rabs (reach (S j) a - reach (S j) b)) (fun j => Rabs (reach (S j) b - reach (S j) a))) by (intros; apply Rabs_minus_sym). rewrite (H b a L), Rabs_left1; lra.
Qed.
Lemma by_label_at_least n x : forall y, length x = length y -> (list_max x <= n)%nat -> (list_max y <= n)%nat -> l1_up_to n x y <= by_label x y.
Proof.
  induction x as [|a x IH]; intros [|b y] L X Y; try discriminate L.
  - unfold l1_up_to. rewrite (sum_ext n _ (fun _ => 0)), sum_constant; [cbn; lra|]. intros j _. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. reflexivity.
  - cbn [list_max fold_right by_label] in *. assert (Ax : (a <= n)%nat) by lia. assert (By : (b <= n)%nat) by lia.
    specialize (IH y ltac:(cbn in L; lia) ltac:(unfold list_max; lia) ltac:(unfold list_max; lia)). rewrite (one_label_apart n a b) by auto.
    apply Rle_trans with (sum_below n (fun j => Rabs (reach (S j) a - reach (S j) b)) + l1_up_to n x y); [|lra].
    unfold l1_up_to. rewrite <- sum_plus. apply sum_le. intros j _. rewrite !reaching_next.
    replace (_ - _) with ((reach (S j) a - reach (S j) b) + (INR (reaching (S j) x) - INR (reaching (S j) y))) by ring. apply Rabs_triang.
Qed.
Lemma below_falls r a x : Forall (fun b => (b <= a)%nat) x -> reach r a = 0 -> reaching r x = O.
Proof.
  unfold reach. intros H Z. apply reaching_none. destruct (Nat.leb_spec r a); [lra|]. eapply Forall_impl; [|exact H]. intros b B. cbn in B. lia.
Qed.
Lemma in_order_exact n x : forall y, length x = length y -> (list_max x <= n)%nat -> (list_max y <= n)%nat -> falling x -> falling y ->
  by_label x y = l1_up_to n x y.
Proof.
  induction x as [|a x IH]; intros [|b y] L X Y Fx Fy; try discriminate L.
  - unfold l1_up_to. rewrite (sum_ext n _ (fun _ => 0)), sum_constant; [cbn; ring|]. intros j _. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. reflexivity.
  - destruct Fx as [Ax Fx], Fy as [By Fy]. cbn [list_max fold_right by_label] in *.
    rewrite (IH y ltac:(cbn in L; lia) ltac:(unfold list_max; lia) ltac:(unfold list_max; lia) Fx Fy), (one_label_apart n a b) by lia.
    unfold l1_up_to. rewrite <- sum_plus. apply sum_ext. intros j _. rewrite !reaching_next.
    pose proof (below_falls (S j) a x Ax) as Zx. pose proof (below_falls (S j) b y By) as Zy.
    pose proof (pos_INR (reaching (S j) x)). pose proof (pos_INR (reaching (S j) y)).
    destruct (reach_bit (S j) a) as [A|A], (reach_bit (S j) b) as [B|B]; rewrite A, B in *.
    + rewrite Zx, Zy by reflexivity. cbn. rewrite !Rplus_0_l, !Rminus_diag_eq, Rabs_R0 by reflexivity. ring.
    + rewrite Zx by reflexivity. cbn. rewrite !Rabs_left1; lra.
    + rewrite Zy by reflexivity. cbn. rewrite !Rabs_right; lra.
    + rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. rewrite Rplus_0_l. f_equal. ring.
Qed.
Lemma labels_at_least x y x' y' : length x = length y -> relabeled x x' -> relabeled y y' -> l1 x y <= by_label x' y'.
Proof.
  intros L [Lx Px] [Ly Py]. rewrite (same_reaching x y x' y') by (apply reaching_by_prevalences; auto).
  set (n := (list_max x' + list_max y')%nat). rewrite (any_bound n) by lia. apply by_label_at_least; lia.
Qed.
Lemma in_order_least x y : length x = length y -> falling x -> falling y -> by_label x y = l1 x y.
Proof.
  intros L X Y. set (n := (list_max x + list_max y)%nat). rewrite (any_bound n) by lia. apply in_order_exact; auto; lia.
Qed.

(* Every list can be put in order. *)
Fixpoint inserted (a : nat) (x : list nat) : list nat :=
  match x with [] => [a] | b :: v => if (b <=? a)%nat then a :: b :: v else b :: inserted a v end.
Lemma inserted_relabels a x : relabeled (a :: x) (inserted a x).
Proof.
  unfold relabeled, prevalence. induction x as [|b x IH]; cbn [inserted]; [split; reflexivity|].
  destruct (b <=? a)%nat; [split; reflexivity|]. destruct IH as [L P]. split; [cbn [length] in *; lia|].
  intros r. specialize (P r). cbn [count_occ] in *. destruct (Nat.eq_dec a r), (Nat.eq_dec b r); lia.
Qed.
Lemma inserted_falls a x : falling x -> falling (inserted a x).
Proof.
  induction x as [|b x IH]; intros F; [cbn; auto|]. cbn [inserted]. destruct (Nat.leb_spec b a) as [H|H].
  - cbn. destruct F as [B F]. split; [constructor; [exact H|] | split; auto]. eapply Forall_impl; [|exact B]. intros c C. cbn in C. lia.
  - destruct F as [B F]. split; [|apply IH; exact F]. clear IH F. induction x as [|c x IH]; cbn [inserted]; [constructor; [lia | constructor]|].
    inversion B; subst. destruct (c <=? a)%nat; constructor; auto; lia.
Qed.
Lemma can_be_ordered x : exists y, relabeled x y /\ falling y.
Proof.
  induction x as [|a x [y [[L P] F]]]; [exists []; repeat split|]. exists (inserted a y).
  destruct (inserted_relabels a y) as [Li Pi]. split; [split|apply inserted_falls; auto].
  - cbn [length] in *. lia.
  - intros r. rewrite <- Pi. unfold prevalence in *. cbn [count_occ]. rewrite P. reflexivity.
Qed.
Lemma exchange_holds a b c d : (b <= a)%nat -> (d <= c)%nat ->
  Rabs (INR a - INR c) + Rabs (INR b - INR d) <= Rabs (INR a - INR d) + Rabs (INR b - INR c).
Proof.
  intros A C. apply le_INR in A. apply le_INR in C. unfold Rabs.
  destruct (Rcase_abs (INR a - INR c)), (Rcase_abs (INR b - INR d)), (Rcase_abs (INR a - INR d)), (Rcase_abs (INR b - INR c)); lra.
Qed.

(* By prevalences. *)
Lemma by_prevalences_up_to n x y : l1_up_to n x y <=
  sum_below n (fun j => INR (S j) * Rabs (INR (prevalence (S j) x) - INR (prevalence (S j) y))) + INR n * Rabs (INR (reaching (S n) x) - INR (reaching (S n) y)).
Proof.
  unfold l1_up_to. induction n as [|n IH]; [cbn; lra|]. cbn [sum_below]. rewrite !(reaching_step (S n)), !plus_INR.
  set (p := INR (prevalence (S n) x)) in *. set (q := INR (prevalence (S n) y)) in *.
  set (u := INR (reaching (S (S n)) x)) in *. set (v := INR (reaching (S (S n)) y)) in *.
  rewrite !(reaching_step (S n)), !plus_INR in IH. fold p q u v in IH.
  assert (T : Rabs (p + u - (q + v)) <= Rabs (p - q) + Rabs (u - v)) by (replace (p + u - (q + v)) with ((p - q) + (u - v)) by ring; apply Rabs_triang).
  rewrite S_INR in *. pose proof (pos_INR n).
  assert ((INR n + 1) * Rabs (p + u - (q + v)) <= (INR n + 1) * (Rabs (p - q) + Rabs (u - v))) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma by_prevalences_holds x y n : (list_max x <= n)%nat -> (list_max y <= n)%nat ->
  l1 x y <= sum_below n (fun j => INR (S j) * Rabs (INR (prevalence (S j) x) - INR (prevalence (S j) y))).
Proof.
  intros X Y. rewrite (any_bound n) by auto. eapply Rle_trans; [apply by_prevalences_up_to|].
  rewrite !(reaching_above n) by lia. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
Qed.
Lemma lowered_reaches m x r : (r <= m)%nat -> reaching r (map (Nat.min m) x) = reaching r x.
Proof.
  intros H. unfold reaching. induction x as [|a x IH]; auto. cbn [map filter].
  destruct (Nat.leb_spec r (Nat.min m a)), (Nat.leb_spec r a); cbn [length]; lia.
Qed.
Lemma lowered_max m x : (list_max (map (Nat.min m) x) <= m)%nat.
Proof. apply list_max_le, Forall_forall. intros a A. apply in_map_iff in A. destruct A as (b & <- & _). lia. Qed.
Lemma lowered_holds m x y : (list_max x <= S m)%nat -> (list_max y <= S m)%nat ->
  l1 x y = l1 (map (Nat.min m) x) (map (Nat.min m) y) + Rabs (INR (prevalence (S m) x) - INR (prevalence (S m) y)).
Proof.
  intros X Y. rewrite (any_bound (S m) x y), (any_bound m) by auto using lowered_max. unfold l1_up_to. cbn [sum_below].
  rewrite !(reaching_step (S m)), !(reaching_above (S m)), !Nat.add_0_r by lia. f_equal. apply sum_ext. intros j J. rewrite !lowered_reaches by lia. reflexivity.
Qed.

(* Sums of histograms, and detours. *)
Lemma parts_hold x y v w : l1 (x ++ v) (y ++ w) <= l1 x y + l1 v w.
Proof.
  set (n := (list_max x + list_max y + list_max v + list_max w)%nat).
  rewrite (any_bound n (x ++ v)), (any_bound n x), (any_bound n v) by (rewrite ?max_both; lia). unfold l1_up_to. rewrite <- sum_plus. apply sum_le.
  intros j _. rewrite !reaching_both, !plus_INR.
  replace (_ - _) with ((INR (reaching (S j) x) - INR (reaching (S j) y)) + (INR (reaching (S j) v) - INR (reaching (S j) w))) by ring. apply Rabs_triang.
Qed.
Lemma added_to_both x y c : l1 (x ++ c) (y ++ c) = l1 x y.
Proof.
  set (n := (list_max x + list_max y + list_max c)%nat). rewrite (any_bound n (x ++ c)), (any_bound n x) by (rewrite ?max_both; lia).
  apply sum_ext. intros j _. rewrite !reaching_both, !plus_INR. f_equal. ring.
Qed.
Lemma added_before x y c : l1 (c ++ x) (c ++ y) = l1 x y.
Proof. rewrite <- (added_to_both x y c). apply same_reaching; intros r; rewrite !reaching_both; lia. Qed.
Lemma detour x y z : l1 x z <= l1 x y + l1 y z.
Proof.
  destruct (at_any_bound x y z) as (n & X & Y & Z). rewrite !(any_bound n) by auto. unfold l1_up_to. rewrite <- sum_plus. apply sum_le.
  intros j _. replace (INR (reaching (S j) x) - INR (reaching (S j) z)) with ((INR (reaching (S j) x) - INR (reaching (S j) y)) + (INR (reaching (S j) y) - INR (reaching (S j) z))) by ring.
  apply Rabs_triang.
Qed.
(* A function of one count that changes by at most 1 from a count to the next has sums that differ by at most the distance. *)
Definition total_of (f : nat -> R) (x : list nat) : R := fold_right (fun a s => f a + s) 0 x.
Lemma total_both f x y : total_of f (x ++ y) = total_of f x + total_of f y.
Proof. unfold total_of. induction x as [|a x IH]; cbn; [ring|]. rewrite IH. ring. Qed.
Lemma value_by_reach f n a : (a <= n)%nat -> f a = f O + sum_below n (fun j => reach (S j) a * (f (S j) - f j)).
Proof.
  intros H. replace n with (a + (n - a))%nat by lia. rewrite sum_split, (sum_ext (n - a) _ (fun _ => 0)), sum_constant.
  - rewrite (sum_ext a _ (fun j => f (S j) - f j)).
    + replace (f a) with (f O + sum_below a (fun j => f (S j) - f j)); [ring|]. clear H. induction a as [|a IH]; cbn [sum_below]; [ring|]. rewrite <- Rplus_assoc, IH. ring.
    + intros j J. unfold reach. destruct (Nat.leb_spec (S j) a); [ring | lia].
  - intros j J. unfold reach. destruct (Nat.leb_spec (S (a + j)) a); [lia | ring].
Qed.
Lemma total_by_reaching f n x : (list_max x <= n)%nat ->
  total_of f x = INR (length x) * f O + sum_below n (fun j => INR (reaching (S j) x) * (f (S j) - f j)).
Proof.
  induction x as [|a x IH]; intros H.
  - cbn. rewrite (sum_ext n _ (fun _ => 0)), sum_constant; [ring|]. intros. unfold reaching. cbn. ring.
  - change (total_of f (a :: x)) with (f a + total_of f x). cbn [list_max fold_right length] in *. rewrite IH, (value_by_reach f n a), S_INR by (unfold list_max; lia).
    rewrite (sum_ext n (fun j => INR (reaching (S j) (a :: x)) * _) (fun j => reach (S j) a * (f (S j) - f j) + INR (reaching (S j) x) * (f (S j) - f j))).
    + rewrite sum_plus. ring.
    + intros j _. rewrite reaching_next. ring.
Qed.
Lemma slow_totals f x y : (forall j, Rabs (f (S j) - f j) <= 1) ->
  total_of f y - total_of f x <= l1 x y + (INR (length y) - INR (length x)) * f O.
Proof.
  intros F. set (n := (list_max x + list_max y)%nat). rewrite (any_bound n), (total_by_reaching f n x), (total_by_reaching f n y) by lia. unfold l1_up_to.
  assert (S : sum_below n (fun j => INR (reaching (S j) y) * (f (S j) - f j)) <=
    sum_below n (fun j => INR (reaching (S j) x) * (f (S j) - f j)) + sum_below n (fun j => Rabs (INR (reaching (S j) x) - INR (reaching (S j) y)))); [|lra].
  rewrite <- sum_plus. apply sum_le. intros j _. specialize (F j).
  set (a := INR (reaching (S j) x)) in *. set (b := INR (reaching (S j) y)) in *. set (d := f (S j) - f j) in *.
  enough ((b - a) * d <= Rabs (a - b)) by lra. apply Rle_trans with (Rabs ((b - a) * d)); [apply Rle_abs|].
  rewrite Rabs_mult, (Rabs_minus_sym b a). pose proof (Rabs_pos (a - b)). rewrite <- (Rmult_1_r (Rabs (a - b))) at 2. apply Rmult_le_compat_l; auto.
Qed.

(* Fake counts t: of what a histogram has, the nearest to t cost least to make t. *)
Section Fakes.
Variables (t : nat) (x near rest : list nat).
Hypothesis nearest : nearer t near rest.
Hypothesis enough : (length x <= length rest)%nat.
Let f (a : nat) : R := Rabs (INR a - INR t).
Let H : R := fold_right (fun a m => Rmax (f a) m) 0 near.
Let g (a : nat) : R := Rmin (f a) H.
Lemma farthest_near a : In a near -> f a <= H.
Proof.
  unfold H. clear. induction near as [|b v IH]; intros I; [destruct I|]. cbn. destruct I as [->|I]; [apply Rmax_l|].
  eapply Rle_trans; [apply IH; exact I | apply Rmax_r].
Qed.
Lemma nearest_rest b : In b rest -> H <= f b.
Proof.
  intros B. unfold H. assert (P : forall a, In a near -> f a <= f b) by (intros a A; apply nearest; auto). clear nearest.
  induction near as [|a v IH]; cbn; [apply Rabs_pos|]. apply Rmax_lub; [apply P; left; reflexivity | apply IH; intros; apply P; right; auto].
Qed.
Lemma cap_slow j : Rabs (g (S j) - g j) <= 1.
Proof.
  unfold g, f, Rmin. rewrite S_INR. unfold Rabs.
  repeat match goal with |- context[Rle_dec ?a ?b] => destruct (Rle_dec a b) | H : context[Rcase_abs ?a] |- _ => destruct (Rcase_abs a) | |- context[Rcase_abs ?a] => destruct (Rcase_abs a) end; lra.
Qed.
Lemma cap_positive : 0 <= H.
Proof. unfold H. clear. induction near as [|a v IH]; cbn; [lra|]. eapply Rle_trans; [exact IH | apply Rmax_r]. Qed.
Lemma total_agrees h k (l : list nat) : (forall a, In a l -> h a = k a) -> total_of h l = total_of k l.
Proof.
  induction l as [|a v IH]; intros Q; [reflexivity|]. change (h a + total_of h v = k a + total_of k v).
  rewrite (Q a) by (left; reflexivity). rewrite IH by (intros; apply Q; right; auto). reflexivity.
Qed.
Lemma total_near : total_of g near = off_by t near.
Proof. apply (total_agrees g f). intros a A. apply Rmin_left, farthest_near. exact A. Qed.
Lemma total_constant c (l : list nat) : total_of (fun _ => c) l = INR (length l) * c.
Proof. unfold total_of. induction l as [|a v IH]; cbn [fold_right length]; [cbn; ring|]. rewrite IH, S_INR. ring. Qed.
Lemma total_rest : total_of g rest = INR (length rest) * H.
Proof. rewrite <- total_constant. apply total_agrees. intros a A. apply Rmin_right, nearest_rest. exact A. Qed.
Lemma total_fakes k : total_of g (repeat t k) = 0.
Proof.
  unfold total_of. induction k as [|k IH]; cbn; [reflexivity|]. rewrite IH. unfold g, f. rewrite Rminus_diag_eq, Rabs_R0, Rmin_left by (reflexivity || apply cap_positive). ring.
Qed.
Lemma total_others : total_of g x <= INR (length x) * H.
Proof.
  unfold total_of. clear. induction x as [|a v IH]; cbn [fold_right length]; [cbn; lra|]. rewrite S_INR. pose proof (Rmin_r (f a) H). fold (g a) in *. lra.
Qed.
Lemma fakes_cost : off_by t near <= l1 (x ++ repeat t (length near)) (near ++ rest).
Proof.
  pose proof (slow_totals g (x ++ repeat t (length near)) (near ++ rest) cap_slow) as S.
  rewrite !total_both, total_near, total_rest, total_fakes, !app_length, repeat_length, !plus_INR in S.
  pose proof total_others. pose proof (Rmin_r (f O) H). fold (g O) in *. apply le_INR in enough.
  assert ((INR (length rest) - INR (length x)) * g O <= (INR (length rest) - INR (length x)) * H) by (apply Rmult_le_compat_l; lra).
  replace (INR (length near) + INR (length rest) - (INR (length x) + INR (length near))) with (INR (length rest) - INR (length x)) in S by ring. lra.
Qed.
Lemma made_equal (v : list nat) : l1 v (repeat t (length v)) <= off_by t v.
Proof.
  unfold off_by. induction v as [|a v IH]; [unfold l1, l1_up_to; cbn; lra|]. cbn [length repeat fold_right].
  pose proof (parts_hold [a] [t] v (repeat t (length v))) as P. cbn [app] in P.
  pose proof (labels_at_least [a] [t] [a] [t] eq_refl ltac:(split; reflexivity) ltac:(split; reflexivity)) as Q. cbn [by_label] in Q. lra.
Qed.
Lemma nearest_with_fakes : l1 (near ++ rest) (repeat t (length near) ++ rest) <= l1 (x ++ repeat t (length near)) (near ++ rest).
Proof. rewrite added_to_both. apply Rle_trans with (1 := made_equal near), fakes_cost. Qed.
Lemma fakes_removed : l1 x rest <= 2 * l1 (x ++ repeat t (length near)) (near ++ rest).
Proof.
  set (fakes := repeat t (length near)). rewrite <- (added_to_both x rest fakes).
  assert (E : l1 (x ++ fakes) (rest ++ fakes) = l1 (x ++ fakes) (fakes ++ rest)) by (apply same_reaching; intros r; rewrite ?reaching_both; lia).
  rewrite E. pose proof (detour (x ++ fakes) (near ++ rest) (fakes ++ rest)). pose proof nearest_with_fakes. fold fakes in H1. lra.
Qed.
End Fakes.
Lemma twice_removed t s x near other rest : nearer s near (other ++ rest) -> nearer t other rest -> (length x <= length rest)%nat ->
  l1 x rest <= 4 * l1 ((x ++ repeat t (length other)) ++ repeat s (length near)) (near ++ other ++ rest).
Proof.
  intros N O L. pose proof (fakes_removed t x other rest O L).
  pose proof (fakes_removed s (x ++ repeat t (length other)) near (other ++ rest) N ltac:(rewrite !app_length, repeat_length; lia)). lra.
Qed.
