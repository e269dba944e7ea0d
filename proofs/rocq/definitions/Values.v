(* Private weighted sampling, Algorithms 4 and 5: how often a key of each frequency is reported with each value. *)
From Coq Require Import Reals Arith.
From DP.definitions Require Import Laws Keys.
Open Scope R_scope.

(* Row i - 1 reports with the probability x, row i with y. [pi_(i-1,0)/E - pi_(i,0)]_+, as both passes need it. *)
Definition silence (E x y : R) : R := Rmax 0 ((1 - x) / E - (1 - y)).
(* What values have in row i at least, if they have X in row i - 1: for the sets 1..j and 0..j, and also for what lies beyond. *)
Definition least_mass (E d x y X : R) : R := Rmax 0 ((X - d) / E + silence E x y).
Definition next_mass (E d x y X : R) : R := Rmax (least_mass E d x y X) (y - E * (x - X) - d).

(* The first pass of Algorithm 4, given row i - 1 as f 0, f 1, ... for the values 1, 2, ...: an entry, by what the ones before have. *)
Definition least_entry (E d x y : R) (f : nat -> R) (so_far : R) (j : nat) : R :=
  Rmax 0 ((sum_below (S j) f - d) / E - so_far + silence E x y).
Fixpoint least_entries (E d x y : R) (f : nat -> R) (j : nat) : R :=
  match j with
  | O => 0
  | S k => least_entries E d x y f k + least_entry E d x y f (least_entries E d x y f k) k
  end.
(* Row i - 1 has m values, and row i has m + 1, of which the first pass has given the last one nothing. *)
Definition first_entry (E d x y : R) (f : nat -> R) (m j : nat) : R :=
  if (j <? m)%nat then least_entry E d x y f (least_entries E d x y f j) j else 0.
(* The second pass, from the last value down: what the last t values have, and what is left to be placed. *)
Fixpoint second_pass (E d x y : R) (f : nat -> R) (m t : nat) : R * R :=
  match t with
  | O => (0, y - least_entries E d x y f m)
  | S s =>
      let (above, left) := second_pass E d x y f m s in
      let j := (m - s)%nat in
      let room := E * (x - sum_below j f) + d - above - first_entry E d x y f m j in
      let added := if Req_EM_T left 0 then 0 else Rmin room left in
      (above + first_entry E d x y f m j + added, left - added)
  end.
Definition beyond_last (E d x y : R) (f : nat -> R) (m t : nat) : R := fst (second_pass E d x y f m t).
Definition left_over (E d x y : R) (f : nat -> R) (m t : nat) : R := snd (second_pass E d x y f m t).
Fixpoint algorithm_4_row (E d : R) (q : nat -> R) (i : nat) : nat -> R :=
  match i with
  | O => fun _ => 0
  | S m => fun j =>
      let placed := beyond_last E d (reporting E d q m) (reporting E d q (S m)) (algorithm_4_row E d q m) m in
      if (j <=? m)%nat then placed (S (m - j)) - placed (m - j)%nat else 0
  end.

(* Algorithm 5: the mass of row i up to z. Row i has new values in (i - 1, i], spread evenly. *)
Fixpoint algorithm_5_mass (E d : R) (q : nat -> R) (i : nat) (z : R) : R :=
  match i with
  | O => 0
  | S m =>
      let x := reporting E d q m in
      let y := reporting E d q (S m) in
      if Rle_dec z (INR m) then next_mass E d x y (algorithm_5_mass E d q m z)
      else y - Rmin y d + Rmin 1 (z - INR m) * Rmin y d
  end.

(* Rows by what they have up to each of the places 0, ..., N: each row has that which it must, and new values in any shares. *)
Definition row_follows (E d x y : R) (N : nat) (F G C : nat -> R) : Prop :=
  C O = 0 /\ (forall k, (k < N)%nat -> C k <= C (S k)) /\ C N = y - next_mass E d x y x /\
  forall k, (k <= N)%nat -> G k = next_mass E d x y (F k) + C k.
Definition rows_follow (E d : R) (q : nat -> R) (n N : nat) (F C : nat -> nat -> R) : Prop :=
  (forall k, (k <= N)%nat -> F O k = 0) /\
  forall i, (i < n)%nat -> row_follows E d (reporting E d q i) (reporting E d q (S i)) N (F i) (F (S i)) (C i).
(* A row as a law: 0 stands for a key that is not reported, j for a value between the places j - 1 and j. *)
Definition value_mass (x : R) (F : nat -> R) (j : nat) : R := match j with O => 1 - x | S k => F (S k) - F k end.
Definition row_law (x : R) (F : nat -> R) (N : nat) : law nat := weighted (S N) (value_mass x F) 1.
(* Algorithm 5's least density: nothing up to b, then 1/E of the density before; G z is what row i - 1 has up to z. *)
Definition low_mass (E : R) (G : R -> R) (b z : R) : R := if Rle_dec z b then 0 else (G z - G b) / E.
(* b is the last place up to which privacy asks for nothing. From c on the density is E times the one before. *)
Definition last_idle (E d x y : R) (G : R -> R) (m b : R) : Prop :=
  0 <= b <= m /\ (forall z, 0 <= z <= b -> silence E x y + (G z - d) / E <= 0) /\
  forall z, b < z <= m -> 0 < silence E x y + (G z - d) / E.
Definition switches (E d x y : R) (G : R -> R) (m b c : R) : Prop :=
  0 <= c <= m /\ low_mass E G b c + E * (x - G c) = y - Rmin y d.
(* The new values of both algorithms: of Algorithm 4 the value i + 1, of Algorithm 5 spread evenly over (i, i + 1], cut at ends Z. *)
Definition newest (E d : R) (q : nat -> R) (i k : nat) : R :=
  let x := reporting E d q i in
  let y := reporting E d q (S i) in
  if (k <=? i)%nat then 0 else y - next_mass E d x y x.
Definition spread_evenly (E d : R) (q : nat -> R) (Z : nat -> R) (i k : nat) : R :=
  Rmax 0 (Rmin 1 (Z k - INR i)) * Rmin (reporting E d q (S i)) d.
(* How often two keys are in order, by cells: p is what the lower frequency has up to each place, which it reports with x, F what
   the higher one has, which it reports with y. In one cell, and both unreported, they are in order half of the time. *)
Definition in_order (x y : R) (N : nat) (p F : nat -> R) : R :=
  (1 - x) * (y + (1 - y) / 2) + sum_below N (fun k => (p (S k) - p k) * (y - (F k + F (S k)) / 2)).
