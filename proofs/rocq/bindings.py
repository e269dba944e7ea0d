"""How the theorems in Rocq that rows of the ledger name meet the code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

TESTS = "tests/proofs/"
MEETS = ("program", "closed form", "formula")
"""The Rocq program is the Python program's shape, and a test compares their laws; or a test compares a closed form that
Rocq computes with the product's; or the statement is about no program, or about numbers alone.
"""
TABLE = """
program: rocq/test_bindings.py::test_fastsample_is_the_program_in_rocq
    FastSample: lemma_4_12 theorem_4_10_i theorem_4_10_ii
program: rocq/test_bindings.py::test_geosample_is_the_program_in_rocq
    GeoSample: algorithm_4_8 geosample_private theorem_4_7_i geosample_tight geosample_is_noisy
    FastSample: theorem_4_7_ii theorem_5_2_tight
program: rocq/test_bindings.py::test_sample_threshold_is_the_program_in_rocq
    Sampling: theorem_2 theorem_2_histogram program_of_bin lemma_3 lemma_3_histogram threshold_enough without_delta
closed form: rocq/test_bindings.py::test_coded_bits_are_those_in_rocq
    Prevalences: theorem_2_of_histograms
closed form: rocq/test_bindings.py::test_prevalences_are_those_in_rocq
    Prevalences: labelings_at_least labelings_in_order order_exists distance_up_to distance_by_prevalences
        equation_6_lowered sums_no_farther distance_detour added_counts
    PrivHist: neighbours
closed form: rocq/test_bindings.py::test_the_empty_bin_sampler_is_the_map_in_rocq
    EmptyBin: algorithm_8_5 times_taken ratios lemma_8_4_ii multiples lemma_8_4_iii
closed form: rocq/test_bindings.py::test_the_greatest_counts_are_those_in_rocq
    Orders: formula_4_of_levels greatest_of_levels
closed form: rocq/test_bindings.py::test_the_integers_of_fastsample_are_computed_in_rocq
    FastSample: short_is_distribution mixed_is_distribution
closed form: rocq/test_bindings.py::test_the_passes_give_the_masses_in_rocq
    Values: values_of_next_row no_values_have_less next_masses
closed form: rocq/test_bindings.py::test_the_reporting_probabilities_are_those_in_rocq
    Keys: algorithm_3 algorithm_3_rises algorithm_3_values lemma_4_1 equation_16 equation_17 lemma_4_2 terms_rise
        lemma_a_1 reported_at_most half_way symmetric first_certain
closed form: rocq/test_bindings.py::test_the_weights_are_those_of_the_closed_form
    GeoSample: lemma_4_9 clamped theorem_4_6_i theorem_4_6_tight weights_are_chances
closed form: rocq/test_bindings.py::test_what_few_labels_release_is_computed_in_rocq
    Orders: proposition_6_5 algorithm_6_4
closed form: rocq/test_bindings.py::test_what_keep_heavy_keeps_is_computed_in_rocq
    Heavy: lemma_6_3 theorem_6_2_ii theorem_6_2_iii at_most_n_kept
closed form: rocq/test_bindings.py::test_whole_histograms_are_those_in_rocq
    Histograms: theorem_5_2_i theorem_5_5_i theorem_6_2_i
closed form: test_privhist_theorems.py::test_the_numbers_of_gaps_are_those_in_rocq
    PrivHist: smoothing_shares number_of_gap smoothing_private
closed form: test_privhist_theorems.py::test_the_parts_are_those_in_rocq
    PrivHist: carried kept_counts three_cases split_private
formula: rocq/test_bindings.py::test_the_least_errors_are_those_of_the_theorems
    Packing: theorem_7_1_i theorem_7_1_ii theorem_7_2
formula: test_anonymized_theorems.py::test_the_bound_on_bits_is_met_by_flips
    Prevalences: errors_of_a_pair lemma_10
formula: test_anonymized_theorems.py::test_the_cost_of_smoothing_is_the_distance
    Smoothing: smoothing_distance smoothing_cost smoothing_logarithmic
formula: test_anonymized_theorems.py::test_the_excess_is_at_most_the_mass_where_it_fails
    Chains: with_probability_corrected
formula: test_anonymized_theorems.py::test_the_numbers_are_those_of_histograms
    Chains: different_counts_of_items numbers_of_split
formula: test_anonymized_theorems.py::test_the_packing_is_that_of_the_code
    Prevalences: theorem_2_in_roots
formula: test_anonymized_theorems.py::test_what_is_removed_costs_least_and_is_put_back
    Prevalences: nearest_replaced lemma_6_corrected equation_8_corrected
formula: test_clipping_theorems.py::test_the_delta_is_that_of_a_release
    Clipping: gaussian_sums_private
formula: test_clipping_theorems.py::test_the_entries_and_distances_are_those_of_clipped_histograms
    Clipping: norm_in_l1 norm_in_l2 distance_of_sums
formula: test_clipping_theorems.py::test_the_stage_and_what_is_beyond_it_are_the_noise
    Clipping: geometric_private clipped_sum_private
formula: test_closeness_theorems.py::test_the_distance_is_that_of_laws
    Distance: half_of_differences
formula: test_closeness_theorems.py::test_the_packing_is_that_of_the_bounds
    Distance: kept_together
formula: test_condition_theorems.py::test_the_conditions_are_those_of_the_recurrence
    Formulas: equation_20 equation_22 silence_ratio
    Estimates: quotient_of_constraints
formula: test_condition_theorems.py::test_the_moments_of_two_keys_are_those_of_their_law
    Estimates: equation_8 equation_9
formula: test_exponentials.py::test_the_gap_is_that_of_mixing
    Exponentials: response_gap
formula: test_exponentials.py::test_the_range_is_that_of_the_samplers
    Exponentials: rational_epsilon
formula: test_privhist_theorems.py::test_each_step_of_the_law_has_a_third_of_epsilon
    PrivHist: total_private two_parts_private privhist_is_private
formula: test_privhist_theorems.py::test_the_exponent_is_that_of_laplace_noise
    PrivHist: laplace_densities
formula: test_sampled_bounds.py::test_the_divergence_is_that_of_the_mechanism
    Sampling: equation_5 constant_between theorem_2_says_something chernoff_bound rate_solved appendix_forms
formula: test_sampled_bounds.py::test_the_rate_and_the_subtracted_term_are_those_of_q
    Ranges: equation_6 factors_fall limit_at_zero bound_at_zero
formula: test_sampled_bounds.py::test_the_slope_is_that_of_the_first_factor
    Formulas: slope_of_factor slope_of_numerator
formula: test_sampled_counts_theorems.py::test_tails_follow_the_last_trial
    Sampling: tails_grow
formula: test_sampled_counts_theorems.py::test_the_ratio_is_that_of_the_laws
    Sampling: lemma_1 equation_2
formula: test_sampled_counts_theorems.py::test_the_worst_event_is_that_of_the_laws
    Sampling: bad_event equation_3 equation_4
formula: test_user_level_theorems.py::test_a_users_term_is_that_of_the_bound
    Formulas: user_slope
formula: test_user_level_theorems.py::test_the_sensitivity_is_that_of_the_mechanism
    Users: lemma_a_1_of_users
formula: test_weighted_structure.py::test_priority_sampling_grows_as_the_lemmas_need
    Priority: priority_is_rising rates_within_report lemma_a_3_priority
formula: test_weighted_structure.py::test_the_constraints_are_those_of_the_mechanism
    Estimates: sampling_binds lemma_4_4
formula: theorems/test_compact_theorems.py::test_releases_are_products_of_counts
    Compact: theorem_8_3_i
formula: theorems/test_debiasing_theorems.py::test_the_bounds_are_those_of_whole_laws
    Debiasing: error_of_estimate bias_of_mean gap_to_clipped
formula: theorems/test_noise_accuracy_theorems.py::test_all_counts_are_within_as_often_as_stated
    Accuracy: all_are_near power_at_least
formula: theorems/test_noise_accuracy_theorems.py::test_moved_noise_is_that_of_the_law
    FastSample: noise_past_cut cut_is_near
formula: theorems/test_noise_accuracy_theorems.py::test_noise_is_as_far_off_as_stated
    FastSample: noise_within theorem_4_6_ii
formula: theorems/test_order_theorems.py::test_every_histogram_is_as_probable_as_stated
    Sparse: every_histogram_drawn least_of_draws condition_of_pure theorem_6_10
formula: theorems/test_order_theorems.py::test_levels_are_those_of_ordsample
    Orders: proposition_6_6 formula_5_of_levels
formula: theorems/test_order_theorems.py::test_the_precision_is_that_of_the_mechanism
    Sparse: proposition_6_19 precision_of_sparse
formula: theorems/test_range_theorems.py::test_ranges_are_sums_of_sampled_cells
    Ranges: cells_of_levels threshold_takes lemma_9
formula: theorems/test_rounding_theorems.py::test_levels_are_those_of_the_algorithm
    Convolution: powers_are_vectors products_are_vectors first_numbers_alone error_of_level powers_are_near
formula: theorems/test_rounding_theorems.py::test_rounded_binomials_are_within_the_parts
    Convolution: rounded_rate_moves proposition_6_17 rounded_binomial_is_law rounded_level
formula: theorems/test_threshold_theorems.py::test_losses_and_errors_are_those_of_the_mechanism
    Users: no_more_lost threshold_rule threshold_slopes
    Errors: errors_between lost_of_counts equation_4_of_users formula_2 lemma_4_1_of_users theorem_4_2_of_users
formula: theorems/test_weighted_values.py::test_passes_are_those_of_algorithm_4
    Passes: two_passes first_entries second_entries
formula: theorems/test_weighted_values.py::test_prefixes_are_those_of_both_algorithms
    Values: algorithm_4_rows algorithm_5_rows values_private values_are_laws values_rise values_separate
        pairs_in_order
    Passes: breakpoints density_by_breakpoints equation_37 ratios_of_densities newest_density
formula: theorems/test_weighted_values.py::test_rows_without_sampling_are_differences
    Passes: lemma_5_2 lemma_5_2_differences
formula:
    Privacy: post_processing composition composition_of_many group_privacy group_factor group_printed closeness
        closeness_is_not_pure
    Formulas: cut_at_zero equation_4_corrected lemma_5 l1_by_l2 success rows_of_one_label greater_logarithm
        mean_for_beta pruned
    Histograms: lemma_3_2_i mixture_is_close
    Packing: what_is_kept
    Distance: distance_zero distance_mapped distance_of_steps counts_of_labels kept_in_the_mean
    Exponentials: factorial_at_least empty_bin_factors
    Chains: theorem_3 last_of_chain
    Accuracy: one_is_off
    Estimates: equation_21 equation_25 first_frequency no_privacy
    Prevalences: exchange
    Values: new_values_at_most order_falls
    PrivHist: geometric_noise_is_steady geometric_noise_exists centres_close cut_differences
    Keys: equation_18 equation_19
    Sparse: formula_6_of_levels theorem_6_8 pure_is_near accuracy_of_near
"""
"""How theorems meet the code, with the test that compares both, if they are about code; below it, the theorems of each
file."""


@dataclass(frozen=True, slots=True)
class Binding:
    """How a theorem meets the code, one of `MEETS`, and the test that compares both, if it is about code."""

    meets: str
    bound_by: str = ""


def bound(table: str) -> Iterator[tuple[str, Binding]]:
    """Yield the id of each theorem of a table, with how it meets the code."""
    binding, file = Binding(""), ""
    for line in table.strip().splitlines():
        head, colon, words = line.partition(":")
        if not line.startswith(" "):
            binding = Binding(head, words and TESTS + words.strip())
            continue
        file = head.strip() if colon else file  # a line without a colon goes on with the file before
        yield from ((f"{file}.{name}", binding) for name in (words if colon else line).split())


BINDINGS: Mapping[str, Binding] = dict(bound(TABLE))
"""Every theorem in Rocq that a row names."""
