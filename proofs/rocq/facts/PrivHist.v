(* anonymized-histograms: PrivHist is private: what neighbours are, the three steps, and the whole. *)
From Coq Require Import Reals ZArith List Arith Lra Lia.
From DP.definitions Require Import Laws Prevalences TwoSided PrivHist.
From DP.facts Require Import Laws TwoSided.
From DP.facts Require Prevalences.
Import ListNotations.
Open Scope R_scope.

(* Noise. *)
Lemma steady_measures E N l : steady E N -> Forall measure (map N l).
Proof. intros S. apply Forall_forall. intros p H. apply in_map_iff in H. destruct H as (c & <- & _). apply S. Qed.
Lemma steady_totals E N l : steady E N -> Forall total (map N l).
Proof. intros S. apply Forall_forall. intros p H. apply in_map_iff in H. destruct H as (c & <- & _). apply S. Qed.
Lemma centred_lawful E N l : steady E N -> measure (centred N l) /\ total (centred N l).
Proof. intros S. split; [apply every_measure | apply every_total]; eauto using steady_measures, steady_totals. Qed.
Lemma same_close {A : Type} E (p : law A) : 1 <= E -> measure p -> dp_both E 0 p p.
Proof. intros H M. split; intros u U; pose proof (within p u M U); nra. Qed.
(* One centre moves by one. *)
Lemma one_step_close E N x y : steady E N -> one_step x y -> dp_both E 0 (centred N x) (centred N y).
Proof.
  intros S H. pose proof (steady_from_one E N S). destruct H as [->|(before & c & after & H)].
  - apply same_close; auto. apply (centred_lawful E N y S).
  - assert (P : dp_both E 0 (centred N (before ++ c :: after)) (centred N (before ++ (c + 1)%Z :: after))).
    { destruct (S c) as (M & _ & [C D]), (S (c + 1)%Z) as (M' & _). unfold centred. rewrite !map_app. cbn [map].
      split; apply coordinate_holds; eauto using steady_measures; lra. }
    destruct H as [[-> ->]|[-> ->]]; [exact P | destruct P; split; assumption].
Qed.

(* Neighbours. *)
Lemma one_of_sum n (a b : nat -> nat) : sum_below n (fun j => Rabs (INR (a j) - INR (b j))) = 1 ->
  exists r, (r < n)%nat /\ (a r = S (b r) \/ b r = S (a r)) /\ forall j, (j < n)%nat -> j <> r -> a j = b j.
Proof.
  assert (Int : forall x y, x = y /\ Rabs (INR x - INR y) = 0 \/ 1 <= Rabs (INR x - INR y)).
  { intros x y. destruct (Nat.lt_trichotomy x y) as [L|[->|L]]; [right | left | right].
    - apply le_INR in L. rewrite S_INR in L. rewrite Rabs_left1; lra.
    - rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. auto.
    - apply le_INR in L. rewrite S_INR in L. rewrite Rabs_right; lra. }
  assert (Zero : forall m, sum_below m (fun j => Rabs (INR (a j) - INR (b j))) = 0 -> forall j, (j < m)%nat -> a j = b j).
  { induction m as [|m IH]; intros H j J; [lia|]. cbn [sum_below] in H.
    pose proof (sum_not_negative m (fun j => Rabs (INR (a j) - INR (b j))) (fun j _ => Rabs_pos _)). pose proof (Rabs_pos (INR (a m) - INR (b m))).
    destruct (Nat.eq_dec j m) as [->|N]; [destruct (Int (a m) (b m)) as [[E _]|E]; [exact E | lra] | apply IH; lra || lia]. }
  induction n as [|n IH]; intros H; cbn [sum_below] in H; [lra|].
  pose proof (sum_not_negative n (fun j => Rabs (INR (a j) - INR (b j))) (fun j _ => Rabs_pos _)).
  destruct (Int (a n) (b n)) as [[E Z]|E].
  - destruct IH as (r & R & D & S); [lra|]. exists r. split; [lia|]. split; auto. intros j J N. destruct (Nat.eq_dec j n) as [->|N']; auto. apply S; auto. lia.
  - exists n. split; [lia|]. split.
    + assert (Rabs (INR (a n) - INR (b n)) = 1) as O by lra. unfold Rabs in O. destruct (Rcase_abs (INR (a n) - INR (b n))); [right | left]; apply INR_eq; rewrite S_INR; lra.
    + intros j J N. apply (Zero n); [lra | lia].
Qed.
Lemma neighbours_are g h : l1 g h = 1 -> exists r, raised_at r g h \/ raised_at r h g.
Proof.
  intros H. set (n := (list_max g + list_max h)%nat). rewrite (Prevalences.any_bound n) in H by lia. unfold l1_up_to in H.
  destruct (one_of_sum n (fun j => reaching (S j) g) (fun j => reaching (S j) h) H) as (r & R & D & O). exists r.
  assert (Same : forall s, (1 <= s)%nat -> s <> S r -> reaching s g = reaching s h).
  { intros [|s] S1 Ne; [lia|]. destruct (Nat.lt_ge_cases s n) as [L|L]; [apply O; lia|]. rewrite !(Prevalences.reaching_above n) by lia. reflexivity. }
  destruct D as [D|D]; [right | left]; split; auto. intros s S1 Ne. symmetry. auto.
Qed.
(* Sums over counts are sums of what reaches each value. *)
Lemma reach_by_prevalences s d h : reach_of s (s + d) h = list_sum (map (fun r => reaching r h) (seq (S s) d)).
Proof.
  unfold reach_of. induction h as [|a h IH].
  - cbn. induction (seq (S s) d) as [|x l IHl]; cbn; auto.
  - cbn [map list_sum fold_right] in *. unfold list_sum in *. rewrite IH. clear IH.
    replace (fold_right Nat.add 0%nat (map (fun r => reaching r (a :: h)) (seq (S s) d))) with
      ((fold_right Nat.add 0%nat (map (fun r => if (r <=? a)%nat then 1%nat else 0%nat) (seq (S s) d)) + fold_right Nat.add 0%nat (map (fun r => reaching r h) (seq (S s) d)))%nat).
    + f_equal. revert s. induction d as [|d IH]; intros s; [cbn; lia|]. cbn [seq map fold_right]. rewrite <- (IH (S s)).
      destruct (Nat.leb_spec (S s) a); lia.
    + induction (seq (S s) d) as [|r l IHl]; [reflexivity|]. cbn [map fold_right]. rewrite <- IHl.
      replace (reaching r (a :: h)) with ((if (r <=? a)%nat then 1 else 0) + reaching r h)%nat; [lia|].
      unfold reaching. cbn [filter]. destruct (r <=? a)%nat; reflexivity.
Qed.
Lemma raised_sum r g h s d : raised_at r g h -> reach_of s (s + d) h = (reach_of s (s + d) g + if ((s <=? r) && (r <? s + d))%nat%bool then 1 else 0)%nat.
Proof.
  intros [Up Same]. rewrite !reach_by_prevalences. revert s. induction d as [|d IH]; intros s.
  - cbn [seq map list_sum fold_right]. rewrite Nat.add_0_r. destruct (Nat.leb_spec s r), (Nat.ltb_spec r s); cbn [andb]; lia.
  - cbn [seq map list_sum fold_right]. unfold list_sum in *. rewrite (IH (S s)). destruct (Nat.eq_dec (S s) (S r)) as [E|N].
    + injection E as ->. rewrite Up. destruct (Nat.leb_spec r r), (Nat.leb_spec (S r) r), (Nat.ltb_spec r (r + S d)), (Nat.ltb_spec r (S r + d)); cbn [andb]; lia.
    + rewrite (Same (S s)) by lia. destruct (Nat.leb_spec s r), (Nat.leb_spec (S s) r), (Nat.ltb_spec r (s + S d)), (Nat.ltb_spec r (S s + d)); cbn [andb]; lia.
Qed.
Lemma total_by_reach h n : (list_max h <= n)%nat -> list_sum h = reach_of 0 (0 + n) h.
Proof.
  unfold reach_of. induction h as [|a h IH]; intros H; [reflexivity|]. cbn [list_max fold_right map list_sum] in *. unfold list_sum, list_max in *.
  rewrite IH by lia. f_equal. lia.
Qed.
Lemma raised_total r g h : raised_at r g h -> list_sum h = S (list_sum g).
Proof.
  intros R. set (n := (r + list_max g + list_max h + 1)%nat). rewrite (total_by_reach h n), (total_by_reach g n) by lia. rewrite (raised_sum r g h 0 n R).
  destruct (Nat.leb_spec 0 r), (Nat.ltb_spec r (0 + n)); cbn [andb]; lia.
Qed.

(* A list that is made place by place moves where its rule moves. *)
Lemma mapped_step (f g : nat -> Z) a n s : (forall i, (a <= i < a + n)%nat -> i <> s -> f i = g i) -> (g s = f s \/ g s = f s + 1)%Z ->
  one_step (map f (seq a n)) (map g (seq a n)).
Proof.
  intros H D. destruct (Nat.le_gt_cases a s) as [L|L]; [destruct (Nat.lt_ge_cases s (a + n)) as [L'|L']|].
  - replace n with ((s - a) + S (a + n - S s))%nat by lia. rewrite seq_app. replace (a + (s - a))%nat with s by lia. cbn [seq]. rewrite !map_app. cbn [map].
    assert (B : map f (seq a (s - a)) = map g (seq a (s - a))) by (apply map_ext_in; intros i I; apply in_seq in I; apply H; lia).
    assert (A : map f (seq (S s) (a + n - S s)) = map g (seq (S s) (a + n - S s))) by (apply map_ext_in; intros i I; apply in_seq in I; apply H; lia).
    rewrite B, A. destruct D as [D|D]; [left; rewrite D; reflexivity|]. right. exists (map g (seq a (s - a))), (f s), (map g (seq (S s) (a + n - S s))).
    left. rewrite D. split; reflexivity.
  - left. apply map_ext_in. intros i I. apply in_seq in I. apply H; lia.
  - left. apply map_ext_in. intros i I. apply in_seq in I. apply H; lia.
Qed.
Lemma one_step_before x y c : one_step x y -> one_step (c ++ x) (c ++ y).
Proof.
  intros [->|(b & z & a & H)]; [left; reflexivity|]. right. exists (c ++ b), z, a. rewrite <- !app_assoc. destruct H as [[-> ->]|[-> ->]]; auto.
Qed.
Lemma one_step_after x y c : one_step x y -> one_step (x ++ c) (y ++ c).
Proof.
  intros [->|(b & z & a & H)]; [left; reflexivity|]. right. exists b, z, (a ++ c). destruct H as [[-> ->]|[-> ->]]; rewrite <- !app_assoc; auto.
Qed.
Lemma one_step_back x y : one_step x y -> one_step y x.
Proof. intros [->|(b & z & a & H)]; [left; reflexivity | right; exists b, z, a; tauto]. Qed.
(* Smoothed prevalences. *)
Lemma numbers_move s k r g h : (forall i j, (i <= j <= k)%nat -> (s i <= s j)%nat) -> raised_at r g h -> one_step (gap_numbers g s k) (gap_numbers h s k).
Proof.
  intros Rise R. unfold gap_numbers.
  assert (N : forall i, (i < k)%nat -> reach_of (s i) (s (S i)) h = (reach_of (s i) (s (S i)) g + if ((s i <=? r) && (r <? s (S i)))%nat%bool then 1 else 0)%nat).
  { intros i I. pose proof (Rise i (S i) ltac:(lia)). pose proof (raised_sum r g h (s i) (s (S i) - s i) R) as Q. replace (s i + (s (S i) - s i))%nat with (s (S i)) in Q by lia. exact Q. }
  assert (C : (exists i, (i < k)%nat /\ (s i <= r < s (S i))%nat) \/ forall i, (i < k)%nat -> ~ (s i <= r < s (S i))%nat).
  { clear - s. induction k as [|k [(i & I & J)|No]]; [right; intros; lia | left; exists i; split; [lia | exact J] |].
    destruct (Nat.le_gt_cases (s k) r) as [A|A]; [destruct (Nat.lt_ge_cases r (s (S k))) as [B|B]; [left; exists k; lia|]|];
      right; intros i I; (destruct (Nat.eq_dec i k) as [->|Ne]; [lia | apply No; lia]). }
  destruct C as [(i & I & J)|No].
  - apply mapped_step with (s := i).
    + intros j Jk Ne. rewrite N by lia. replace (((s j <=? r) && (r <? s (S j)))%nat%bool) with false; [f_equal; lia|]. symmetry. apply Bool.andb_false_iff.
      destruct (Nat.lt_ge_cases j i) as [L|L].
      * right. apply Nat.ltb_ge. pose proof (Rise (S j) i ltac:(lia)). lia.
      * left. apply Nat.leb_gt. pose proof (Rise (S i) j ltac:(lia)). lia.
    + right. rewrite N by auto. destruct (Nat.leb_spec (s i) r), (Nat.ltb_spec r (s (S i))); cbn; lia.
  - left. apply map_ext_in. intros i I. apply in_seq in I. rewrite N by lia. specialize (No i ltac:(lia)).
    destruct (Nat.leb_spec (s i) r), (Nat.ltb_spec r (s (S i))); cbn [andb]; lia.
Qed.
Lemma smoothed_close E N s k g h : steady E N -> (forall i j, (i <= j <= k)%nat -> (s i <= s j)%nat) -> l1 g h = 1 ->
  dp_both E 0 (smoothed_law N s k g) (smoothed_law N s k h).
Proof.
  intros S Rise H. apply one_step_close; auto. destruct (neighbours_are g h H) as [r [R|R]]; [|apply one_step_back]; eapply numbers_move; eauto.
Qed.
