(* finite-computers, Section 6.1: the greatest of many counts, level by level, and KeepHeavy from few labels. *)
From Coq Require Import Reals List Arith.
From DP.definitions Require Import Laws Sampling EmptyBin Histograms.
Import ListNotations.
Open Scope R_scope.

(* The k greatest counts of a list, the greatest first. *)
Fixpoint into (c : nat) (l : list nat) : list nat :=
  match l with [] => [c] | e :: rest => if (e <=? c)%nat then c :: l else e :: into c rest end.
Fixpoint descending (l : list nat) : list nat := match l with [] => [] | c :: rest => into c (descending rest) end.
Definition top_counts (k : nat) (l : list nat) : list nat := firstn k (descending l).
(* The law of a count from 0 to n with the distribution function F/F(n). *)
Definition step_of (F : nat -> nat) (z : nat) : R := match z with O => INR (F O) | S y => INR (F z) - INR (F y) end.
Definition count_law (F : nat -> nat) (n : nat) : law nat := weighted (S n) (step_of F) (INR (F n)).
(* Algorithm 6.7: from the level v down, of m counts the first that are missing. *)
Fixpoint levels_from (F : nat -> nat) (v missing m : nat) : law (list nat) :=
  match v with
  | O => ret (repeat O missing)
  | S w =>
      bind (image (Nat.min missing) (sampled (1 - INR (F w) / INR (F (S w))) m)) (fun l =>
        image (app (repeat (S w) l)) (levels_from F w (missing - l) (m - l)))
  end.
Definition ordsample (F : nat -> nat) (n m : nat) : law (list nat) := levels_from F n (S n) m.
(* How many counts are v, v - 1, ..., 0, and the law of these numbers from one binomial law after another. *)
Fixpoint multiplicities (v : nat) (l : list nat) : list nat :=
  count_occ Nat.eq_dec l v :: match v with O => [] | S w => multiplicities w l end.
Fixpoint numbers_from (F : nat -> nat) (v m : nat) : law (list nat) :=
  match v with
  | O => ret [m]
  | S w => bind (sampled (1 - INR (F w) / INR (F (S w))) m) (fun h => image (cons h) (numbers_from F w (m - h)))
  end.
(* Y i counts are i levels from the top; so many are taken of the first i levels, N at most. *)
Fixpoint taken_before (N : nat) (Y : nat -> nat) (i : nat) : nat :=
  match i with O => O | S j => (taken_before N Y j + Nat.min (Y j) (N - taken_before N Y j))%nat end.
Definition all_below (Y : nat -> nat) (i : nat) : nat := list_sum (map Y (seq 0 i)).
Definition at_level (n : nat) (l : list nat) (i : nat) : nat := count_occ Nat.eq_dec l (n - i)%nat.

(* Algorithm 6.4, step 3: k of m labels, each drawn of those that are left; the r-th of them gets x. *)
Fixpoint picks (m k : nat) : law (list nat) :=
  match k with O => ret [] | S j => bind (uniform m) (fun r => image (cons r) (picks (m - 1) j)) end.
Fixpoint put {A : Type} (r : nat) (x : A) (l : list A) : list A :=
  match r, l with S q, y :: rest => y :: put q x rest | _, _ => x :: l end.
(* The labels that are drawn get the counts z, the others none. *)
Fixpoint at_picks (m : nat) (q z : list nat) : list (option nat) :=
  match q, z with r :: more, c :: rest => put r (Some c) (at_picks (m - 1) more rest) | _, _ => repeat None m end.
(* Of labels of counts x, those that occur get what a has, and the others what z has. *)
Fixpoint joined {A : Type} (x : list nat) (a z : list A) : list A :=
  match x with
  | [] => []
  | O :: rest => match z with c :: more => c :: joined rest a more | [] => [] end
  | S _ :: rest => match a with c :: more => c :: joined rest more z | [] => [] end
  end.
Definition occurs (x : list nat) : list nat := filter (fun c => negb (c =? 0)%nat) x.
Definition empties (x : list nat) : nat := length (filter (fun c => c =? 0)%nat x).
(* Steps 5 and 6: a candidate stays if at most n candidates' counts are as large. *)
Fixpoint candidates (l : list (option nat)) : list nat :=
  match l with [] => [] | Some c :: rest => c :: candidates rest | None :: rest => candidates rest end.
Definition released (n : nat) (l : list (option nat)) : list nat :=
  map (fun o => match o with Some c => if (as_large c (candidates l) <=? n)%nat then c else O | None => O end) l.
(* A noisy count from one uniform draw, and the algorithm, with a law of the n + 1 greatest of so many counts. *)
Definition sampler_law (sampler : nat -> nat -> nat) (d c : nat) : law nat := image (sampler c) (uniform d).
Definition few_labels (n : nat) (M : nat -> law nat) (order : nat -> law (list nat)) (x : list nat) : law (list nat) :=
  bind (every (map M (occurs x))) (fun a => bind (picks (empties x) (S n)) (fun q =>
    image (fun z => released n (joined x (map Some a) (at_picks (empties x) q z))) (order (empties x)))).
Definition iid_greatest (k : nat) (p : law nat) (m : nat) : law (list nat) := image (top_counts k) (every (repeat p m)).
(* How many of d draws have at most z. *)
Definition draws_at_most (M : nat -> nat) (d z : nat) : nat := length (filter (fun u => M u <=? z)%nat (seq 0 d)).
