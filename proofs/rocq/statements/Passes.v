(* Private weighted sampling: the passes of Algorithm 4, its rows without sampling, and the breakpoints of Algorithm 5. *)
From Coq Require Import Reals Arith Lra Lia.
From DP.definitions Require Import Laws Keys Values.
From DP.facts Require Passes.
From DP.facts Require Densities.
Open Scope R_scope.

(* Appendix B: after the first pass the values up to each j have the least mass; the second pass leaves those up to each j what no
   scheme has less of, and places all of pi_(m + 1). *)
Theorem two_passes : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall m : nat,
  let x := reporting E d q m in let y := reporting E d q (S m) in let f := algorithm_4_row E d q m in
  (forall j, (j <= m)%nat -> least_entries E d x y f j = least_mass E d x y (sum_below j f)) /\
  (forall t, (t <= m)%nat -> y - beyond_last E d x y f m (S t) = next_mass E d x y (sum_below (m - t) f)) /\
  beyond_last E d x y f m (S m) = y.
Proof. exact facts.Passes.passes_of_row. Qed.
Theorem two_passes_met : let x := reporting 2 (/ 4) everything 2 in let y := reporting 2 (/ 4) everything 3 in let f := algorithm_4_row 2 (/ 4) everything 2 in
  (forall j, (j <= 2)%nat -> least_entries 2 (/ 4) x y f j = least_mass 2 (/ 4) x y (sum_below j f)) /\
  (forall t, (t <= 2)%nat -> y - beyond_last 2 (/ 4) x y f 2 (S t) = next_mass 2 (/ 4) x y (sum_below (2 - t) f)) /\
  beyond_last 2 (/ 4) x y f 2 3 = y.
Proof. apply (two_passes 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 2). Qed.
(* Equations 32 and 33, and the corrected breakpoint b_1: the entries of the first pass are 0 up to it, and 1/E of the row before
   beyond the next place; all of them leave mass to place. *)
Theorem first_entries : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall m : nat,
  let x := reporting E d q m in let y := reporting E d q (S m) in let f := algorithm_4_row E d q m in
  (forall j, (j < m)%nat -> 0 <= first_entry E d x y f m j /\ E * first_entry E d x y f m j <= f j /\
    (sum_below (S j) f + E * silence E x y <= d -> first_entry E d x y f m j = 0) /\
    (d <= sum_below j f + E * silence E x y -> E * first_entry E d x y f m j = f j)) /\
  least_entries E d x y f m <= x <= y.
Proof. exact facts.Passes.first_pass_of_row. Qed.
Theorem first_entries_met : let x := reporting 2 (/ 4) everything 2 in let y := reporting 2 (/ 4) everything 3 in let f := algorithm_4_row 2 (/ 4) everything 2 in
  (forall j, (j < 2)%nat -> 0 <= first_entry 2 (/ 4) x y f 2 j /\ 2 * first_entry 2 (/ 4) x y f 2 j <= f j /\
    (sum_below (S j) f + 2 * silence 2 x y <= / 4 -> first_entry 2 (/ 4) x y f 2 j = 0) /\
    (/ 4 <= sum_below j f + 2 * silence 2 x y -> 2 * first_entry 2 (/ 4) x y f 2 j = f j)) /\
  least_entries 2 (/ 4) x y f 2 <= x <= y.
Proof. apply (first_entries 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 2). Qed.
(* Appendix B: where at most delta is left after the first pass, the second raises the newest entry alone; else that is delta, and
   the entries above the one at which the pass stops are E times those of the row before. *)
Theorem second_entries : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall m : nat,
  let x := reporting E d q m in let y := reporting E d q (S m) in let f := algorithm_4_row E d q m in
  (left_over E d x y f m 0 <= d -> forall j, (j < m)%nat -> algorithm_4_row E d q (S m) j = first_entry E d x y f m j) /\
  (d < left_over E d x y f m 0 -> algorithm_4_row E d q (S m) m = d) /\
  forall j, (1 <= j < m)%nat -> 0 < left_over E d x y f m (S (m - j)) -> algorithm_4_row E d q (S m) j = E * f j.
Proof. exact facts.Passes.second_pass_of_row. Qed.
Theorem second_entries_met : let x := reporting 2 (/ 4) everything 2 in let y := reporting 2 (/ 4) everything 3 in let f := algorithm_4_row 2 (/ 4) everything 2 in
  (left_over 2 (/ 4) x y f 2 0 <= / 4 -> forall j, (j < 2)%nat -> algorithm_4_row 2 (/ 4) everything 3 j = first_entry 2 (/ 4) x y f 2 j) /\
  (/ 4 < left_over 2 (/ 4) x y f 2 0 -> algorithm_4_row 2 (/ 4) everything 3 2 = / 4) /\
  (forall j, (1 <= j < 2)%nat -> 0 < left_over 2 (/ 4) x y f 2 (S (2 - j)) -> algorithm_4_row 2 (/ 4) everything 3 j = 2 * f j).
Proof. apply (second_entries 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 2). Qed.

(* Lemma 5.2, for every L: without sampling, entry j + 1 of row i is pi_(i-j) - pi_(i-j-1). *)
Theorem lemma_5_2 : forall E d : R, 1 <= E -> 0 <= d <= 1 -> forall i j : nat, (j < i)%nat ->
  algorithm_4_row E d everything i j = reporting E d everything (i - j) - reporting E d everything (i - S j).
Proof. exact facts.Passes.entries_without_sampling. Qed.
Theorem lemma_5_2_met : algorithm_4_row 2 (/ 4) everything 3 1 = reporting 2 (/ 4) everything (3 - 1) - reporting 2 (/ 4) everything (3 - 2).
Proof. apply lemma_5_2; lra || lia. Qed.
(* Lemma 5.2: these differences where L is a whole number. *)
Theorem lemma_5_2_differences : forall (E d : R) (L n : nat), 1 < E -> 0 < d <= 1 -> whole E d L ->
  reporting E d everything (S n) - reporting E d everything n =
    if (n <=? L)%nat then d * E ^ n else if (n <=? 2 * L)%nat then d * E ^ (2 * L - n) else 0.
Proof. exact facts.Passes.steps_in_closed_form. Qed.
Theorem lemma_5_2_differences_met : reporting 2 (/ 4) everything 3 - reporting 2 (/ 4) everything 2 =
  if (2 <=? 1)%nat then / 4 * 2 ^ 2 else if (2 <=? 2 * 1)%nat then / 4 * 2 ^ (2 * 1 - 2) else 0.
Proof. apply (lemma_5_2_differences 2 (/ 4) 1 2); try lra. unfold whole. cbn. lra. Qed.

(* Algorithm 5: there are breakpoints as it needs them. *)
Theorem breakpoints : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall m : nat,
  let x := reporting E d q m in let y := reporting E d q (S m) in let G := algorithm_5_mass E d q m in
  exists b c, last_idle E d x y G (INR m) b /\ switches E d x y G (INR m) b c.
Proof. exact facts.Densities.breakpoints_exist. Qed.
Theorem breakpoints_met : let x := reporting 2 (/ 4) everything 2 in let y := reporting 2 (/ 4) everything 3 in let G := algorithm_5_mass 2 (/ 4) everything 2 in
  exists b c, last_idle 2 (/ 4) x y G (INR 2) b /\ switches 2 (/ 4) x y G (INR 2) b c.
Proof. apply (breakpoints 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 2). Qed.
(* Algorithm 5: with any such breakpoints its density is the least one up to c, and E times the one before from there. *)
Theorem density_by_breakpoints : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall (m : nat) (b c z : R),
  let x := reporting E d q m in let y := reporting E d q (S m) in let G := algorithm_5_mass E d q m in
  last_idle E d x y G (INR m) b -> switches E d x y G (INR m) b c -> 0 <= z <= INR m ->
  algorithm_5_mass E d q (S m) z = if Rle_dec z c then low_mass E G b z else low_mass E G b c + E * (G z - G c).
Proof. exact facts.Densities.breakpoints_give. Qed.
Theorem density_by_breakpoints_met : let G := algorithm_5_mass 2 (/ 4) everything 0 in
  algorithm_5_mass 2 (/ 4) everything 1 0 = if Rle_dec 0 0 then low_mass 2 G 0 0 else low_mass 2 G 0 0 + 2 * (G 0 - G 0).
Proof.
  apply (density_by_breakpoints 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 0 0 0 0); [apply facts.Densities.no_cut | apply facts.Densities.no_cut | cbn; lra].
Qed.
(* Equation 37: below c the mass up to z is the least one. *)
Theorem equation_37 : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall (m : nat) (b c z : R),
  let x := reporting E d q m in let y := reporting E d q (S m) in let G := algorithm_5_mass E d q m in
  last_idle E d x y G (INR m) b -> switches E d x y G (INR m) b c -> 0 <= z <= c -> algorithm_5_mass E d q (S m) z = least_mass E d x y (G z).
Proof. exact facts.Densities.below_switch. Qed.
Theorem equation_37_met : algorithm_5_mass 2 (/ 4) everything 1 0 =
  least_mass 2 (/ 4) (reporting 2 (/ 4) everything 0) (reporting 2 (/ 4) everything 1) (algorithm_5_mass 2 (/ 4) everything 0 0).
Proof.
  apply (equation_37 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 0 0 0 0); [apply facts.Densities.no_cut | apply facts.Densities.no_cut | lra].
Qed.
(* Appendix C.2, corrected: at most c the density is at most 1/E of the one before, from c on E times it. *)
Theorem ratios_of_densities : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall (m : nat) (b c z w : R),
  let x := reporting E d q m in let y := reporting E d q (S m) in let G := algorithm_5_mass E d q m in let H := algorithm_5_mass E d q (S m) in
  last_idle E d x y G (INR m) b -> switches E d x y G (INR m) b c -> 0 <= z <= w -> w <= INR m ->
  (w <= c -> E * (H w - H z) <= G w - G z) /\ (c <= z -> H w - H z = E * (G w - G z)).
Proof. exact facts.Densities.density_ratios. Qed.
Theorem ratios_of_densities_met : let G := algorithm_5_mass 2 (/ 4) everything 0 in let H := algorithm_5_mass 2 (/ 4) everything 1 in
  (0 <= 0 -> 2 * (H 0 - H 0) <= G 0 - G 0) /\ (0 <= 0 -> H 0 - H 0 = 2 * (G 0 - G 0)).
Proof.
  apply (ratios_of_densities 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 0 0 0 0 0); [apply facts.Densities.no_cut | apply facts.Densities.no_cut | lra | cbn; lra].
Qed.
(* Appendix C.2: (m, m + 1] gets min(delta, pi_(m + 1)) of row m + 1, evenly. *)
Theorem newest_density : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall (m : nat) (s : R), 0 <= s <= 1 ->
  algorithm_5_mass E d q (S m) (INR m + s) - algorithm_5_mass E d q (S m) (INR m) = s * Rmin (reporting E d q (S m)) d.
Proof. exact facts.Densities.newest_piece. Qed.
Theorem newest_density_met : algorithm_5_mass 2 (/ 4) everything 3 (INR 2 + 1) - algorithm_5_mass 2 (/ 4) everything 3 (INR 2) = 1 * Rmin (reporting 2 (/ 4) everything 3) (/ 4).
Proof. apply (newest_density 2 (/ 4) everything ltac:(lra) ltac:(lra) facts.Passes.all_rising 2 1). lra. Qed.
