(* user-level-histograms, Appendix A.1: the mean l1 error of m sums, of which each loses what clipping takes and has noise. *)
From Coq Require Import Reals List.
From DP.definitions Require Import Laws Users Clipping.
Open Scope R_scope.

(* For each count j, the i-th size of its noise with its probability; either sign is alike. *)
Definition noises := nat -> nat -> R * R.
Definition noise_law (m : nat) (z : noises) : Prop := forall j, (j < m)%nat ->
  (forall i, 0 <= fst (z j i) /\ 0 <= snd (z j i)) /\ Un_cv (fun n => sum_below n (fun i => fst (z j i))) 1.
(* A mean, also where there are infinitely many sizes: what the partial sums tend to, summed over the counts. *)
Definition mean_of (m : nat) (z : noises) (f : nat -> R -> R) (x : R) : Prop := exists each : nat -> R,
  (forall j, (j < m)%nat -> Un_cv (fun n => sum_below n (fun i => fst (z j i) * f j (snd (z j i)))) (each j)) /\ x = sum_below m each.
Definition noise_size (m : nat) (z : noises) : R -> Prop := mean_of m z (fun _ v => v).
Definition mean_error (m : nat) (z : noises) (gone : nat -> R) : R -> Prop :=
  mean_of m z (fun j v => (Rabs (v - gone j) + Rabs (v + gone j)) / 2).
(* What clipping to C takes from each count of all users; a user's weight and norm. *)
Definition taken_at (norm : nat -> (nat -> R) -> R) (m : nat) (users : list (nat -> R)) (C : R) (j : nat) : R :=
  fold_right (fun h s => (h j - h j * Rmin 1 (C / norm m h)) + s) 0 users.
Definition user_of (norm : nat -> (nat -> R) -> R) (m : nat) (h : nat -> R) : R * R := (norm_1 m h / norm m h, norm m h).
Definition norm_in (l1 : bool) : nat -> (nat -> R) -> R := if l1 then norm_1 else norm_2.
(* Err is the mean error at each threshold: its noise is of either sign alike, with E|Z|_1 = eta C. *)
Definition errs (norm : nat -> (nat -> R) -> R) (m : nat) (users : list (nat -> R)) (eta : R) (z : R -> noises) (Err : R -> R) : Prop :=
  forall C, 0 <= C -> noise_law m (z C) /\ noise_size m (z C) (eta * C) /\ mean_error m (z C) (taken_at norm m users C) (Err C).
(* The k-th greatest of the users' norms, or 0 where there are fewer. *)
Definition above_count (c : R) (l : list R) : nat := fold_right (fun x n => if Rlt_dec c x then S n else n) O l.
Definition from_count (c : R) (l : list R) : nat := fold_right (fun x n => if Rle_dec c x then S n else n) O l.
Definition kth_greatest (k : nat) (l : list R) (c : R) : Prop := (above_count c l < k <= from_count c l)%nat \/ c = 0 /\ (length l < k)%nat.
