(* user-level-histograms: what clipping loses of users' counts, each user a weight and a norm. *)
From Coq Require Import Reals List.
Open Scope R_scope.

Definition hinge (c : R) (user : R * R) : R := fst user * Rmax (snd user - c) 0.
Definition lost (users : list (R * R)) (c : R) : R := fold_right (fun x s => hinge c x + s) 0 users.
(* The weight of the users above a threshold, and of those from it on. *)
Definition beyond (c : R) (user : R * R) : R := if Rlt_dec c (snd user) then fst user else 0.
Definition onward (c : R) (user : R * R) : R := if Rle_dec c (snd user) then fst user else 0.
Definition weigh_users (which : R -> R * R -> R) (users : list (R * R)) (c : R) : R := fold_right (fun x s => which c x + s) 0 users.
Definition error_bound (users : list (R * R)) (eta c : R) : R := lost users c + eta * c.
Definition regularized (users : list (R * R)) (eta lambda c : R) : R := error_bound users eta c + lambda / 2 * c ^ 2.
Definition least_at (f : R -> R) (c : R) : Prop := 0 <= c /\ forall d, 0 <= d -> f c <= f d.
Definition weighs_at_most (w : R) (user : R * R) : Prop := 0 <= fst user <= w.
