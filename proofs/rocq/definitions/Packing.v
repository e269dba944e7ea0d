(* finite-computers, Sections 2 and 7: data sets are lists of labels, of which a mechanism releases counts. *)
From Coq Require Import Reals List.
From DP.definitions Require Import Laws.
Import ListNotations.
Open Scope R_scope.

(* Labels can be told apart. *)
Definition decides (X : Type) := forall x y : X, sumbool (x = y) (x <> y).
Inductive one_row {X : Type} : list X -> list X -> Prop :=
  | at_row : forall before x y after, one_row (before ++ x :: after) (before ++ y :: after).
Definition of_size {X : Type} (n : nat) (rows : list X) : Prop := length rows = n.

(* Whether a released number is within a of a count. *)
Definition within_of (a v : R) (c : nat) : R := if Rle_dec (Rabs (v - INR c)) a then 1 else 0.
Fixpoint all_within {X O : Type} (same_label : decides X) (released : X -> O -> R) (a : R)
    (labels rows : list X) (h : O) : R :=
  match labels with
  | [] => 1
  | x :: rest => within_of a (released x h) (count_occ same_label rows x) * all_within same_label released a rest rows h
  end.
(* Definition 2.5 and Definition 2.6, for the labels of a list. *)
Definition per_query {X O : Type} (same_label : decides X) (released : X -> O -> R)
    (M : list X -> law O) (n : nat) (a beta : R) :=
  forall rows x, length rows = n -> 1 - beta <= M rows (fun h => within_of a (released x h) (count_occ same_label rows x)).
Definition simultaneous {X O : Type} (same_label : decides X) (released : X -> O -> R)
    (M : list X -> law O) (labels : list X) (n : nat) (a beta : R) :=
  forall rows, length rows = n -> 1 - beta <= M rows (all_within same_label released a labels rows).
(* j rows of one label, the others of another. *)
Definition planted {X : Type} (x x0 : X) (n j : nat) : list X := repeat x j ++ repeat x0 (n - j).
(* How many labels of a list have a count above 0. *)
Fixpoint nonempty {X O : Type} (released : X -> O -> R) (labels : list X) (h : O) : R :=
  match labels with [] => 0 | x :: rest => (if Rlt_dec 0 (released x h) then 1 else 0) + nonempty released rest h end.
