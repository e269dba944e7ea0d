"""The mechanisms with which the literature measures black-box auditors: samplers, input pairs, true epsilons."""
