"""How the theorems in Rocq that rows of the ledger name meet the code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TESTS = "tests/proofs/rocq/test_bindings.py"
MEETS = ("program", "closed form", "formula")
"""The Rocq program is the Python program's shape, and a test compares their laws; or a test compares a closed form that
Rocq computes with the product's; or the statement is about no program, or about numbers alone.
"""


@dataclass(frozen=True, slots=True)
class Binding:
    """How a theorem meets the code, one of `MEETS`, and the test that compares both, if it is about code."""

    meets: str
    bound_by: str = ""


_GEOSAMPLE = Binding("program", f"{TESTS}::test_geosample_is_the_program_in_rocq")
_WEIGHTS = Binding("closed form", f"{TESTS}::test_the_weights_are_those_of_the_closed_form")
_SAMPLED = Binding("program", f"{TESTS}::test_sample_threshold_is_the_program_in_rocq")
_DELTA = Binding("formula", "tests/proofs/test_sampled_bounds.py::test_the_divergence_is_that_of_the_mechanism")
_REPORTED = Binding("closed form", f"{TESTS}::test_the_reporting_probabilities_are_those_in_rocq")
_DECISION = Binding("program", f"{TESTS}::test_the_decision_is_that_of_the_kernel")
_RELEASED_WHOLE = Binding("closed form", f"{TESTS}::test_whole_histograms_are_those_in_rocq")
_HEAVY = Binding("closed form", f"{TESTS}::test_what_keep_heavy_keeps_is_computed_in_rocq")
_BOUNDS = Binding("formula", f"{TESTS}::test_the_least_errors_are_those_of_the_theorems")
_COUNTS = "tests/proofs/test_sampled_counts_theorems.py"
_RATIO = Binding("formula", f"{_COUNTS}::test_the_ratio_is_that_of_the_laws")
_EVENT = Binding("formula", f"{_COUNTS}::test_the_worst_event_is_that_of_the_laws")
_TAILS = Binding("formula", f"{_COUNTS}::test_tails_follow_the_last_trial")
_SLOPE = Binding("formula", "tests/proofs/test_sampled_bounds.py::test_the_slope_is_that_of_the_first_factor")
_CONDITIONS = Binding(
    "formula", "tests/proofs/test_condition_theorems.py::test_the_conditions_are_those_of_the_recurrence"
)
_USERS = Binding("formula", "tests/proofs/test_user_level_theorems.py::test_a_users_term_is_that_of_the_bound")
_LAW = Binding("formula")
_OF_USERS, _COUNTED = "tests/proofs/test_user_level_theorems.py", "tests/proofs/test_anonymized_theorems.py"
_THRESHOLD = Binding(
    "formula", "tests/proofs/theorems/test_threshold_theorems.py::test_losses_and_errors_are_those_of_the_mechanism"
)
_EXCESS = Binding("formula", f"{_COUNTED}::test_the_excess_is_at_most_the_mass_where_it_fails")
_NUMBERS = Binding("formula", f"{_COUNTED}::test_the_numbers_are_those_of_histograms")
_SMOOTHED = Binding("formula", f"{_COUNTED}::test_the_cost_of_smoothing_is_the_distance")
_NOISE = "tests/proofs/theorems/test_noise_accuracy_theorems.py"
_NEAR = Binding("formula", f"{_NOISE}::test_all_counts_are_within_as_often_as_stated")
_SUBTRACTED = Binding(
    "formula", "tests/proofs/test_sampled_bounds.py::test_the_rate_and_the_subtracted_term_are_those_of_q"
)
_CELLS = Binding("formula", "tests/proofs/theorems/test_range_theorems.py::test_ranges_are_sums_of_sampled_cells")
_SWITCH = Binding("formula", "tests/proofs/test_weighted_structure.py::test_the_constraints_are_those_of_the_mechanism")
_MOMENTS = Binding(
    "formula", "tests/proofs/test_condition_theorems.py::test_the_moments_of_two_keys_are_those_of_their_law"
)
_FAST = Binding("program", f"{TESTS}::test_fastsample_is_the_program_in_rocq")
_CUT = Binding("closed form", f"{TESTS}::test_the_integers_of_fastsample_are_computed_in_rocq")
_MASSES = Binding("formula", f"{_NOISE}::test_noise_is_as_far_off_as_stated")
_FAR = Binding("formula", f"{_NOISE}::test_moved_noise_is_that_of_the_law")
_CLIPPED = Binding(
    "formula", "tests/proofs/test_clipping_theorems.py::test_the_entries_and_distances_are_those_of_clipped_histograms"
)
_ON_SUMS = Binding(
    "formula", "tests/proofs/test_clipping_theorems.py::test_the_stage_and_what_is_beyond_it_are_the_noise"
)
_GAUSSIAN = Binding("formula", "tests/proofs/test_clipping_theorems.py::test_the_delta_is_that_of_a_release")
_DEBIASED = Binding(
    "formula", "tests/proofs/theorems/test_debiasing_theorems.py::test_the_bounds_are_those_of_whole_laws"
)
_ROUNDED = Binding("formula", "tests/proofs/theorems/test_rounding_theorems.py::test_levels_are_those_of_the_algorithm")
_BINOMIAL = Binding(
    "formula", "tests/proofs/theorems/test_rounding_theorems.py::test_rounded_binomials_are_within_the_parts"
)
_SPARSE_TESTS = "tests/proofs/theorems/test_order_theorems.py"
_LEVELS = Binding("formula", f"{_SPARSE_TESTS}::test_levels_are_those_of_ordsample")
_GREATEST = Binding("closed form", f"{TESTS}::test_the_greatest_counts_are_those_in_rocq")
_RELEASED_FROM_FEW = Binding("closed form", f"{TESTS}::test_what_few_labels_release_is_computed_in_rocq")
_PRECISE = Binding("formula", f"{_SPARSE_TESTS}::test_the_precision_is_that_of_the_mechanism")
_PURE = Binding("formula", f"{_SPARSE_TESTS}::test_every_histogram_is_as_probable_as_stated")
_RELEASED = Binding("formula", "tests/proofs/theorems/test_compact_theorems.py::test_releases_are_products_of_counts")
_EMPTY = Binding("closed form", f"{TESTS}::test_the_empty_bin_sampler_is_the_map_in_rocq")
_PREVALENCES = Binding("closed form", f"{TESTS}::test_prevalences_are_those_in_rocq")
_CODED = Binding("closed form", f"{TESTS}::test_coded_bits_are_those_in_rocq")
_FAKES = Binding("formula", f"{_COUNTED}::test_what_is_removed_costs_least_and_is_put_back")
_BITS = Binding("formula", f"{_COUNTED}::test_the_bound_on_bits_is_met_by_flips")
_VALUES = "tests/proofs/theorems/test_weighted_values.py"
_ROWS = Binding("formula", f"{_VALUES}::test_prefixes_are_those_of_both_algorithms")
_PASSES = Binding("formula", f"{_VALUES}::test_passes_are_those_of_algorithm_4")
_CLOSED = Binding("formula", f"{_VALUES}::test_rows_without_sampling_are_differences")
_NEXT = Binding("closed form", f"{TESTS}::test_the_passes_give_the_masses_in_rocq")
_PRIORITY = Binding(
    "formula", "tests/proofs/test_weighted_structure.py::test_priority_sampling_grows_as_the_lemmas_need"
)
_PRIVHIST = "tests/proofs/test_privhist_theorems.py"
_PARTS = Binding("closed form", f"{_PRIVHIST}::test_the_parts_are_those_in_rocq")
_GAPS = Binding("closed form", f"{_PRIVHIST}::test_the_numbers_of_gaps_are_those_in_rocq")
_STEPS = Binding("formula", f"{_PRIVHIST}::test_each_step_of_the_law_has_a_third_of_epsilon")
_LAPLACE = Binding("formula", f"{_PRIVHIST}::test_the_exponent_is_that_of_laplace_noise")
_SERIES, _DISTANCES = "tests/proofs/test_exponentials.py", "tests/proofs/test_closeness_theorems.py"

BINDINGS: Mapping[str, Binding] = {
    "Privacy.post_processing": _LAW,
    "Privacy.composition": _LAW,
    "Privacy.composition_of_many": _LAW,
    "Privacy.group_privacy": _LAW,
    "Privacy.group_factor": _LAW,
    "Privacy.group_printed": _LAW,
    "Privacy.closeness": _LAW,
    "Privacy.closeness_is_not_pure": _LAW,
    "GeoSample.algorithm_4_8": _GEOSAMPLE,
    "GeoSample.lemma_4_9": _WEIGHTS,
    "GeoSample.clamped": _WEIGHTS,
    "GeoSample.geosample_private": _GEOSAMPLE,
    "GeoSample.theorem_4_7_i": _GEOSAMPLE,
    "GeoSample.geosample_tight": _GEOSAMPLE,
    "Sampling.theorem_2": _SAMPLED,
    "Sampling.theorem_2_histogram": _SAMPLED,
    "Sampling.program_of_bin": _SAMPLED,
    "Sampling.equation_5": _DELTA,
    "Sampling.lemma_3": _SAMPLED,
    "Sampling.lemma_3_histogram": _SAMPLED,
    "Sampling.constant_between": _DELTA,
    "Keys.algorithm_3": _REPORTED,
    "Keys.algorithm_3_rises": _REPORTED,
    "Keys.algorithm_3_values": _REPORTED,
    "Keys.lemma_4_1": _REPORTED,
    "Keys.equation_16": _REPORTED,
    "Keys.equation_17": _REPORTED,
    "Keys.lemma_4_2": _REPORTED,
    "Formulas.cut_at_zero": _LAW,
    "Formulas.equation_4_corrected": _LAW,
    "Formulas.lemma_5": _LAW,
    "Formulas.l1_by_l2": _LAW,
    "Formulas.success": _LAW,
    "Formulas.rows_of_one_label": _LAW,
    "Formulas.greater_logarithm": _LAW,
    "Formulas.mean_for_beta": _LAW,
    "Formulas.pruned": _LAW,
    "Formulas.slope_of_factor": _SLOPE,
    "Formulas.slope_of_numerator": _SLOPE,
    "Formulas.equation_20": _CONDITIONS,
    "Formulas.equation_22": _CONDITIONS,
    "Formulas.silence_ratio": _CONDITIONS,
    "Formulas.user_slope": _USERS,
    "GeoSample.theorem_4_6_i": _WEIGHTS,
    "GeoSample.theorem_4_6_tight": _WEIGHTS,
    "GeoSample.geosample_is_noisy": _GEOSAMPLE,
    "GeoSample.weights_are_chances": _WEIGHTS,
    "Histograms.lemma_3_2_i": _LAW,
    "Histograms.mixture_is_close": _LAW,
    "Histograms.theorem_5_2_i": _RELEASED_WHOLE,
    "Histograms.theorem_5_5_i": _RELEASED_WHOLE,
    "Histograms.theorem_6_2_i": _RELEASED_WHOLE,
    "Packing.what_is_kept": _LAW,
    "Packing.theorem_7_1_i": _BOUNDS,
    "Packing.theorem_7_1_ii": _BOUNDS,
    "Packing.theorem_7_2": _BOUNDS,
    "Sampling.theorem_2_says_something": _DELTA,
    "Sampling.threshold_enough": _SAMPLED,
    "Sampling.bad_event": _EVENT,
    "Sampling.without_delta": _SAMPLED,
    "Sampling.lemma_1": _RATIO,
    "Sampling.tails_grow": _TAILS,
    "Sampling.equation_2": _RATIO,
    "Sampling.equation_3": _EVENT,
    "Sampling.equation_4": _EVENT,
    "Sampling.chernoff_bound": _DELTA,
    "Sampling.rate_solved": _DELTA,
    "Sampling.appendix_forms": _DELTA,
    "Distance.half_of_differences": Binding("formula", f"{_DISTANCES}::test_the_distance_is_that_of_laws"),
    "Distance.distance_zero": _LAW,
    "Distance.distance_mapped": _LAW,
    "Distance.distance_of_steps": _LAW,
    "Distance.counts_of_labels": _LAW,
    "Distance.kept_together": Binding("formula", f"{_DISTANCES}::test_the_packing_is_that_of_the_bounds"),
    "Distance.kept_in_the_mean": _LAW,
    "Exponentials.rational_epsilon": Binding("formula", f"{_SERIES}::test_the_range_is_that_of_the_samplers"),
    "Exponentials.response_gap": Binding("formula", f"{_SERIES}::test_the_gap_is_that_of_mixing"),
    "Exponentials.factorial_at_least": _LAW,
    "Exponentials.empty_bin_factors": _LAW,
    "EmptyBin.algorithm_8_5": _EMPTY,
    "EmptyBin.times_taken": _EMPTY,
    "EmptyBin.ratios": _EMPTY,
    "EmptyBin.lemma_8_4_ii": _EMPTY,
    "EmptyBin.multiples": _EMPTY,
    "EmptyBin.lemma_8_4_iii": _EMPTY,
    "Users.lemma_a_1_of_users": Binding("formula", f"{_OF_USERS}::test_the_sensitivity_is_that_of_the_mechanism"),
    "Users.no_more_lost": _THRESHOLD,
    "Users.threshold_rule": _THRESHOLD,
    "Users.threshold_slopes": _THRESHOLD,
    "Chains.with_probability_corrected": _EXCESS,
    "Chains.theorem_3": _LAW,
    "Chains.last_of_chain": _LAW,
    "Chains.different_counts_of_items": _NUMBERS,
    "Chains.numbers_of_split": _NUMBERS,
    "Smoothing.smoothing_distance": _SMOOTHED,
    "Smoothing.smoothing_cost": _SMOOTHED,
    "Smoothing.smoothing_logarithmic": _SMOOTHED,
    "Accuracy.one_is_off": _LAW,
    "Accuracy.all_are_near": _NEAR,
    "Accuracy.power_at_least": _NEAR,
    "Ranges.equation_6": _SUBTRACTED,
    "Ranges.factors_fall": _SUBTRACTED,
    "Ranges.limit_at_zero": _SUBTRACTED,
    "Ranges.bound_at_zero": _SUBTRACTED,
    "Ranges.cells_of_levels": _CELLS,
    "Ranges.threshold_takes": _CELLS,
    "Ranges.lemma_9": _CELLS,
    "Estimates.quotient_of_constraints": _CONDITIONS,
    "Estimates.equation_21": _LAW,
    "Estimates.equation_25": _LAW,
    "Estimates.sampling_binds": _SWITCH,
    "Estimates.lemma_4_4": _SWITCH,
    "Estimates.equation_8": _MOMENTS,
    "Estimates.equation_9": _MOMENTS,
    "Estimates.first_frequency": _LAW,
    "Estimates.no_privacy": _LAW,
    **dict.fromkeys(
        ("Prevalences.labelings_at_least", "Prevalences.labelings_in_order", "Prevalences.order_exists"), _PREVALENCES
    ),
    "Prevalences.exchange": _LAW,
    "Prevalences.distance_up_to": _PREVALENCES,
    "Prevalences.distance_by_prevalences": _PREVALENCES,
    "Prevalences.equation_6_lowered": _PREVALENCES,
    "Prevalences.sums_no_farther": _PREVALENCES,
    "Prevalences.distance_detour": _PREVALENCES,
    "Prevalences.added_counts": _PREVALENCES,
    "Prevalences.nearest_replaced": _FAKES,
    "Prevalences.lemma_6_corrected": _FAKES,
    "Prevalences.equation_8_corrected": _FAKES,
    "Prevalences.errors_of_a_pair": _BITS,
    "Prevalences.lemma_10": _BITS,
    "Prevalences.theorem_2_of_histograms": _CODED,
    "Prevalences.theorem_2_in_roots": Binding("formula", f"{_COUNTED}::test_the_packing_is_that_of_the_code"),
    "Values.algorithm_4_rows": _ROWS,
    "Values.algorithm_5_rows": _ROWS,
    "Values.values_private": _ROWS,
    "Values.values_are_laws": _ROWS,
    "Values.values_of_next_row": _NEXT,
    "Values.values_rise": _ROWS,
    "Values.no_values_have_less": _NEXT,
    "Values.values_separate": _ROWS,
    "Values.pairs_in_order": _ROWS,
    "Values.new_values_at_most": _LAW,
    "Values.order_falls": _LAW,
    "Values.next_masses": _NEXT,
    "Passes.two_passes": _PASSES,
    "Passes.first_entries": _PASSES,
    "Passes.second_entries": _PASSES,
    "Passes.lemma_5_2": _CLOSED,
    "Passes.lemma_5_2_differences": _CLOSED,
    "Passes.breakpoints": _ROWS,
    "Passes.density_by_breakpoints": _ROWS,
    "Passes.equation_37": _ROWS,
    "Passes.ratios_of_densities": _ROWS,
    "Passes.newest_density": _ROWS,
    "Priority.priority_is_rising": _PRIORITY,
    "Priority.rates_within_report": _PRIORITY,
    "Priority.lemma_a_3_priority": _PRIORITY,
    "PrivHist.geometric_noise_is_steady": _LAW,
    "PrivHist.geometric_noise_exists": _LAW,
    "PrivHist.centres_close": _LAW,
    "PrivHist.neighbours": _PREVALENCES,
    "PrivHist.total_private": _STEPS,
    "PrivHist.carried": _PARTS,
    "PrivHist.kept_counts": _PARTS,
    "PrivHist.cut_differences": _LAW,
    "PrivHist.three_cases": _PARTS,
    "PrivHist.split_private": _PARTS,
    "PrivHist.smoothing_shares": _GAPS,
    "PrivHist.number_of_gap": _GAPS,
    "PrivHist.smoothing_private": _GAPS,
    "PrivHist.two_parts_private": _STEPS,
    "PrivHist.privhist_is_private": _STEPS,
    "PrivHist.laplace_densities": _LAPLACE,
    "Keys.terms_rise": _REPORTED,
    "Keys.lemma_a_1": _REPORTED,
    "Keys.equation_18": _LAW,
    "Keys.equation_19": _LAW,
    "Keys.reported_at_most": _REPORTED,
    "Keys.half_way": _REPORTED,
    "Keys.symmetric": _REPORTED,
    "Keys.first_certain": _REPORTED,
    "FastSample.noise_within": _MASSES,
    "FastSample.noise_past_cut": _FAR,
    "FastSample.cut_is_near": _FAR,
    "FastSample.short_is_distribution": _CUT,
    "FastSample.mixed_is_distribution": _CUT,
    "FastSample.lemma_4_12": _FAST,
    "FastSample.theorem_4_10_i": _FAST,
    "FastSample.theorem_4_6_ii": _MASSES,
    "FastSample.theorem_4_7_ii": _GEOSAMPLE,
    "FastSample.theorem_4_10_ii": _FAST,
    "FastSample.theorem_5_2_tight": _GEOSAMPLE,
    "Clipping.norm_in_l1": _CLIPPED,
    "Clipping.norm_in_l2": _CLIPPED,
    "Clipping.distance_of_sums": _CLIPPED,
    "Clipping.geometric_private": _ON_SUMS,
    "Clipping.clipped_sum_private": _ON_SUMS,
    "Clipping.gaussian_sums_private": _GAUSSIAN,
    "Errors.errors_between": _THRESHOLD,
    "Errors.lost_of_counts": _THRESHOLD,
    "Errors.equation_4_of_users": _THRESHOLD,
    "Errors.formula_2": _THRESHOLD,
    "Errors.lemma_4_1_of_users": _THRESHOLD,
    "Errors.theorem_4_2_of_users": _THRESHOLD,
    "Debiasing.error_of_estimate": _DEBIASED,
    "Debiasing.bias_of_mean": _DEBIASED,
    "Debiasing.gap_to_clipped": _DEBIASED,
    "Heavy.lemma_6_3": _HEAVY,
    "Heavy.theorem_6_2_ii": _HEAVY,
    "Heavy.theorem_6_2_iii": _HEAVY,
    "Heavy.at_most_n_kept": _HEAVY,
    "Compact.theorem_8_3_i": _RELEASED,
    "Sparse.formula_6_of_levels": _LAW,
    "Sparse.proposition_6_19": _PRECISE,
    "Sparse.precision_of_sparse": _PRECISE,
    "Sparse.theorem_6_8": _LAW,
    "Sparse.every_histogram_drawn": _PURE,
    "Sparse.least_of_draws": _PURE,
    "Sparse.condition_of_pure": _PURE,
    "Sparse.theorem_6_10": _PURE,
    "Sparse.pure_is_near": _LAW,
    "Sparse.accuracy_of_near": _LAW,
    "Convolution.powers_are_vectors": _ROUNDED,
    "Convolution.products_are_vectors": _ROUNDED,
    "Convolution.first_numbers_alone": _ROUNDED,
    "Convolution.error_of_level": _ROUNDED,
    "Convolution.powers_are_near": _ROUNDED,
    "Convolution.rounded_rate_moves": _BINOMIAL,
    "Convolution.proposition_6_17": _BINOMIAL,
    "Convolution.rounded_binomial_is_law": _BINOMIAL,
    "Convolution.rounded_level": _BINOMIAL,
    "Orders.proposition_6_6": _LEVELS,
    "Orders.formula_5_of_levels": _LEVELS,
    "Orders.formula_4_of_levels": _GREATEST,
    "Orders.greatest_of_levels": _GREATEST,
    "Orders.proposition_6_5": _RELEASED_FROM_FEW,
    "Orders.algorithm_6_4": _RELEASED_FROM_FEW,
}
"""Every theorem in Rocq that a row names."""
