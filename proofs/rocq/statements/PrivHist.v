(* anonymized-histograms, Section 4: PrivHist is private, step by step and whole, for any integer noise that is; and with geometric noise. *)
From Coq Require Import Reals ZArith List Arith Lra Lia.
From DP.definitions Require Import Laws Prevalences TwoSided PrivHist.
From DP.facts Require Prevalences.
From DP.facts Require PrivHist.
From DP.facts Require Split.
From DP.facts Require TwoSided.
Import ListNotations.
Open Scope R_scope.

(* Any laws with the masses of two-sided geometric noise of ratio a, at each centre, are close for neighbouring centres. *)
Theorem geometric_noise_is_steady : forall (a : R) (N : Z -> law Z), 0 < a < 1 -> noise_of_ratio a N -> steady (/ a) N.
Proof. exact facts.TwoSided.geometric_steady. Qed.
Theorem geometric_noise_is_steady_met : steady (/ / 2) facts.TwoSided.half_sided.
Proof. apply geometric_noise_is_steady; [lra | apply facts.TwoSided.half_is_geometric]. Qed.
(* There are such laws. *)
Theorem geometric_noise_exists : forall a : R, 0 < a < 1 -> exists N : (Z -> law Z), noise_of_ratio a N.
Proof. exact facts.TwoSided.two_sided_exists. Qed.
Theorem geometric_noise_exists_met : exists N : (Z -> law Z), noise_of_ratio (/ 3) N.
Proof. apply geometric_noise_exists. lra. Qed.
(* Numbers of which one moves by one, each with its own noise. *)
Theorem centres_close : forall (E : R) (N : Z -> law Z) (x y : list Z), steady E N -> one_step x y -> dp_both E 0 (centred N x) (centred N y).
Proof. exact facts.PrivHist.one_step_close. Qed.
Theorem centres_close_met : dp_both 1 0 (centred (fun _ => ret 0%Z) [1; 2]%Z) (centred (fun _ => ret 0%Z) [1; 3]%Z).
Proof. apply centres_close; [apply facts.Split.nothing_is_steady|]. right. exists [1%Z], 2%Z, []. left. split; reflexivity. Qed.
(* Neighbours have, at one value r + 1, one count more that reaches it in either; and as many at each other value. *)
Theorem neighbours : forall g h : list nat, l1 g h = 1 -> exists r : nat, raised_at r g h \/ raised_at r h g.
Proof. exact facts.PrivHist.neighbours_are. Qed.
Theorem neighbours_met : exists r : nat, raised_at r [2]%nat [3]%nat \/ raised_at r [3]%nat [2]%nat.
Proof. apply neighbours. rewrite <- facts.Prevalences.in_order_least by (cbn; auto). cbn. rewrite Rabs_left1; lra. Qed.

(* Lemma 7: the noisy total, cut at 0. *)
Theorem total_private : forall (E : R) (N : Z -> law Z), steady E N ->
  private E 0 any_histogram one_item (fun h => image (Z.max 0) (total_with_noise N h)).
Proof. exact facts.Split.lemma_7_holds. Qed.
Theorem total_private_met : private 1 0 any_histogram one_item (fun h => image (Z.max 0) (total_with_noise (fun _ => ret 0%Z) h)).
Proof. apply total_private, facts.Split.nothing_is_steady. Qed.

(* Steps (c) of the split, carried on: S are sums that rise, B sums of what is added, cut at 0 and with what was cut so far. *)
Theorem carried : forall S B : nat -> Z, (forall j, (S (Datatypes.S j) <= S (Datatypes.S (Datatypes.S j)))%Z) -> B O = 0%Z ->
  (forall j, B (Datatypes.S j) = (B j + Z.max 0 (S (Datatypes.S j) - B j))%Z) -> forall j, B (Datatypes.S j) = Z.max 0 (S (Datatypes.S j)).
Proof. exact facts.Split.carried_holds. Qed.
Theorem carried_met : (Z.of_nat 3 = Z.max 0 (Z.of_nat 3))%Z.
Proof. apply (carried Z.of_nat Z.of_nat); intros; lia. Qed.
(* Of max(0, m) counts max(0, m - p) do not reach a value that p counts reach, so that min(p, max(0, m)) do. *)
Theorem kept_counts : forall m p : Z, (0 <= p)%Z -> (Z.max 0 m - Z.max 0 (m - p) = Z.min p (Z.max 0 m))%Z.
Proof. exact facts.Split.kept_large. Qed.
Theorem kept_counts_met : (Z.max 0 3 - Z.max 0 (3 - 2) = Z.min 2 (Z.max 0 3))%Z.
Proof. apply kept_counts. lia. Qed.
(* Appendix C.3, Formula 2: sums that are cut at 0 are no farther apart. *)
Theorem cut_differences : forall a b : Z, (Z.abs (Z.max 0 a - Z.max 0 b) <= Z.abs (a - b))%Z.
Proof. exact facts.Split.cut_holds. Qed.
Theorem cut_differences_met : (Z.abs (Z.max 0 2 - Z.max 0 (-3)) <= Z.abs (2 - -3))%Z.
Proof. apply cut_differences. Qed.
(* Appendix C.3: the three cases, for neighbours that differ at r and r + 1: r = T, r < T and r > T. *)
Theorem three_cases : forall (r : nat) (g h : list nat), raised_at r g h -> forall (T M : nat) (m : Z),
  (r = T -> reaching (S T) h = S (reaching (S T) g)) /\ (r <> T -> reaching (S T) h = reaching (S T) g) /\
  (T <= r -> small_centres g T M m = small_centres h T M m)%nat /\ (r <= T -> large_centres g T m = large_centres h T m)%nat /\
  one_step (small_centres g T M m) (small_centres h T M m) /\ one_step (large_centres g T m) (large_centres h T m).
Proof. exact facts.Split.cases_hold. Qed.
Theorem three_cases_met : (2 = 1 -> reaching 2 [3] = S (reaching 2 [2]))%nat /\ (2 <> 1 -> reaching 2 [3] = reaching 2 [2])%nat /\
  (1 <= 2 -> small_centres [2] 1 0 1 = small_centres [3] 1 0 1)%nat /\ (2 <= 1 -> large_centres [2] 1 1 = large_centres [3] 1 1)%nat /\
  one_step (small_centres [2]%nat 1 0 1) (small_centres [3]%nat 1 0 1) /\ one_step (large_centres [2]%nat 1 1) (large_centres [3]%nat 1 1).
Proof. apply (three_cases 2 [2]%nat [3]%nat). split; [reflexivity|]. intros [|[|[|[|s]]]] A B; try reflexivity; lia. Qed.
(* Lemma 8, corrected: both parts, even with m = M + Z + (counts above T) shown, and the large counts in order. *)
Theorem split_private : forall (E : R) (N : Z -> law Z) (T M : nat), steady E N -> private E 0 any_histogram one_item (split_law N T M).
Proof. exact facts.Split.lemma_8_holds. Qed.
Theorem split_private_met : private 1 0 any_histogram one_item (split_law (fun _ => ret 0%Z) 1 2).
Proof. apply split_private, facts.Split.nothing_is_steady. Qed.

(* Appendix C.1.2: the shares of a count r at s and s + t, for 0 < t; what they are for r + 1. *)
Theorem smoothing_shares : forall s t r : R, 0 < t -> s <= r <= s + t ->
  (s + t - r) / t + (r - s) / t = 1 /\ s * ((s + t - r) / t) + (s + t) * ((r - s) / t) = r /\
  (r - s) / t * t = Rmin (Rmax (r - s) 0) t /\ (r + 1 - s) / t - (r - s) / t = / t /\ (s + t - (r + 1)) / t - (s + t - r) / t = - / t.
Proof. exact facts.Split.shares_hold. Qed.
Theorem smoothing_shares_met : (1 + 2 - 2) / 2 + (2 - 1) / 2 = 1 /\ 1 * ((1 + 2 - 2) / 2) + (1 + 2) * ((2 - 1) / 2) = 2 /\
  (2 - 1) / 2 * 2 = Rmin (Rmax (2 - 1) 0) 2 /\ (2 + 1 - 1) / 2 - (2 - 1) / 2 = / 2 /\ (1 + 2 - (2 + 1)) / 2 - (1 + 2 - 2) / 2 = - / 2.
Proof. apply smoothing_shares; lra. Qed.
(* Section 4.3: (t - s) phi^v_t+, of the gap from s to t, is a whole number, and moves by one where the gap holds r, else not. *)
Theorem number_of_gap : forall (r : nat) (g h : list nat) (s t : nat), raised_at r g h -> (s <= t)%nat ->
  reach_of s t h = (reach_of s t g + if ((s <=? r) && (r <? t))%nat%bool then 1 else 0)%nat.
Proof. exact facts.Split.number_moves. Qed.
Theorem number_of_gap_met : reach_of 1 4 [3]%nat = (reach_of 1 4 [2]%nat + if ((1 <=? 2) && (2 <? 4))%nat%bool then 1 else 0)%nat.
Proof. apply (number_of_gap 2 [2]%nat [3]%nat); [|lia]. split; [reflexivity|]. intros [|[|[|[|s]]]] A B; try reflexivity; lia. Qed.
(* Lemma 9: the smoothed prevalences, times their gaps, for k boundaries that rise. *)
Theorem smoothing_private : forall (E : R) (N : Z -> law Z) (s : nat -> nat) (k : nat), steady E N ->
  (forall i j, (i <= j <= k)%nat -> (s i <= s j)%nat) -> private E 0 any_histogram one_item (smoothed_law N s k).
Proof. exact facts.Split.lemma_9_holds. Qed.
Theorem smoothing_private_met : private 1 0 any_histogram one_item (smoothed_law (fun _ => ret 0%Z) (fun i => i) 3).
Proof. apply smoothing_private; [apply facts.Split.nothing_is_steady | intros i j [H _]; exact H]. Qed.

(* Appendix C.1.3: the noisy total and the parts, T and M being any functions of it; above epsilon = 1 that is all. *)
Theorem two_parts_private : forall (E1 E2 : R) (N1 N2 : Z -> law Z) (T M : Z -> nat), steady E1 N1 -> steady E2 N2 ->
  private (E1 * E2) 0 any_histogram one_item (first_parts N1 N2 T M).
Proof. exact facts.Split.first_parts_private. Qed.
Theorem two_parts_private_met : private (1 * 1) 0 any_histogram one_item (first_parts (fun _ => ret 0%Z) (fun _ => ret 0%Z) Z.to_nat Z.to_nat).
Proof. apply two_parts_private; apply facts.Split.nothing_is_steady. Qed.
(* Theorem 1, its privacy: the boundaries, and how many there are, are any functions of the noisy total and of both parts. *)
Theorem privhist_is_private : forall (E1 E2 E3 : R) (N1 N2 N3 : Z -> law Z) (T M : Z -> nat)
  (s : Z * (Z * list Z) -> nat -> nat) (k : Z * (Z * list Z) -> nat), steady E1 N1 -> steady E2 N2 -> steady E3 N3 ->
  (forall o i j, (i <= j <= k o)%nat -> (s o i <= s o j)%nat) -> private (E1 * E2 * E3) 0 any_histogram one_item (privhist N1 N2 N3 T M s k).
Proof. exact facts.Split.privhist_private. Qed.
Theorem privhist_is_private_met : private (1 * 1 * 1) 0 any_histogram one_item
  (privhist (fun _ => ret 0%Z) (fun _ => ret 0%Z) (fun _ => ret 0%Z) Z.to_nat Z.to_nat (fun _ i => i) (fun o => Z.to_nat (fst o))).
Proof. apply privhist_is_private; try apply facts.Split.nothing_is_steady. intros o i j [H _]; exact H. Qed.
(* With the printed Laplace noise, of scale 1/(e w) on the smoothed prevalence f of a gap w: where one of them moves by 1/w at most,
   the joint density is at each point x at most e^e times what it was. *)
Theorem laplace_densities : forall (e : R) (before after : list (R * R * R)) (w f g x : R), 0 <= e ->
  Forall (fun p => let '(w, _, _) := p in 0 <= w) before -> Forall (fun p => let '(w, _, _) := p in 0 <= w) after ->
  0 <= w -> w * Rabs (f - g) <= 1 -> joint_density e (before ++ (w, f, x) :: after) <= exp e * joint_density e (before ++ (w, g, x) :: after).
Proof. exact facts.Split.joint_moves. Qed.
Theorem laplace_densities_met : joint_density 1 ([] ++ (2, 1, 0) :: []) <= exp 1 * joint_density 1 ([] ++ (2, / 2, 0) :: []).
Proof. apply laplace_densities; try apply Forall_nil; try lra. rewrite Rabs_right; lra. Qed.
