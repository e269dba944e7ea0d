"""Programs that tell an account anew, in a few lines of ours: the fault, and its repair. Noise is real numbers.

They stand for rows whose code needs a training library, is compiled, or is a fragment. Nothing here is copied.
"""

from math import floor

import dpcert

ONE = dpcert.PureDP("1")
GAUSSIAN = dpcert.ApproxDP("1", "1e-5")
SIGMA = 4.75
"""Enough for epsilon = 1 and delta = 10^-5 at sensitivity 1."""
NUMBERS = dpcert.databases([0.0, 1.0], up_to=3)
ROWS = dpcert.databases([0, 1, 2], up_to=3)
BATCHES = dpcert.databases([0.0, 1.0], up_to=4)


def claimed(guarantee=ONE, inputs=NUMBERS, neighbours="add-remove"):
    return dpcert.target(guarantee=guarantee, inputs=inputs, neighbours=neighbours, noise="ideal")


@claimed()
def private_size(data, rng):
    """Release a mean, by the number of rows."""
    return (sum(data) + rng.laplace(0, 1)) / len(data) if data else 0


@claimed(guarantee=dpcert.PureDP("1"))
def noisy_size(data, rng):
    """Release a sum and a size, each with noise for half of epsilon: whoever reads them divides."""
    return sum(data) + rng.laplace(0, 2), len(data) + rng.laplace(0, 2)


@claimed(inputs=ROWS)
def inferred_classes(data, rng):
    """Release a count of each class that the data have."""
    return tuple((one, data.count(one) + rng.laplace(0, 1)) for one in sorted(set(data)))


@claimed(inputs=ROWS)
def stated_classes(data, rng):
    """Release a count of each class that may be."""
    return tuple((one, data.count(one) + rng.laplace(0, 1)) for one in range(3))


@claimed()
def double_spending(data, rng):
    """Release a sum and a size, each with noise for all of epsilon."""
    return sum(data) + rng.laplace(0, 1), len(data) + rng.laplace(0, 1)


@claimed()
def no_noise(data, rng):
    """Add noise of scale (features - k) / epsilon, where k is the number of features."""
    return sum(data) + rng.laplace(0, 5 - 5)


@claimed()
def some_noise(data, rng):
    return sum(data) + rng.laplace(0, 5 - 4)


@claimed(inputs=[[], [1.0], [100.0]])
def unclipped(data, rng):
    """Clip, and then add up what is not clipped."""
    _clipped = [max(-5.0, min(x, 5.0)) for x in data]
    return sum(data) + rng.laplace(0, 5)


@claimed(inputs=[[], [1.0], [100.0]])
def clipped(data, rng):
    return sum(max(-5.0, min(x, 5.0)) for x in data) + rng.laplace(0, 5)


@claimed()
def count_of_ones(data, rng):
    return data.count(1.0) + rng.laplace(0, 1)


@claimed(inputs=[0, 1, 2], neighbours="counts_differ_by_one")
def rounded_laplace(count, rng):
    """Round a count with Laplace noise to an integer."""
    return floor(count + rng.laplace(0, 1) + 0.5)


@claimed(guarantee=GAUSSIAN, inputs=BATCHES)
def batch_of_the_data(data, rng):
    """Divide a noisy gradient by the batch size that is expected of this data set."""
    expected = len(data) // 2
    return (sum(data) + rng.normal(0, SIGMA)) / max(expected, 1)


@claimed(guarantee=GAUSSIAN, inputs=BATCHES)
def batch_as_stated(data, rng):
    """Divide a noisy gradient by a batch size that is public."""
    return (sum(data) + rng.normal(0, SIGMA)) / 2


@claimed(guarantee=GAUSSIAN, inputs=BATCHES)
def floored_batch(data, rng):
    """Divide by the expected batch size, at rate 1/2, rounded down and at least 1."""
    return (sum(data) + rng.normal(0, SIGMA)) / max(floor(len(data) * 0.5), 1)


@claimed(guarantee=GAUSSIAN)
def noisy_mean(data, rng):
    """Add the noise of a sum to a mean over a public size."""
    return sum(data) / 2 + rng.normal(0, SIGMA)


@claimed(guarantee=GAUSSIAN)
def noise_times_norm(data, rng):
    """Clip to norm 2, and add noise with that norm as a factor twice."""
    return 2 * sum(data) + rng.normal(0, SIGMA * 2 * 2)


@claimed(guarantee=dpcert.PureDP("ln(3/2)"), inputs=[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], neighbours="substitute")
def batches_in_order(data, rng):
    """Release the two halves of the data with noise for epsilon = ln(2), and account for a sample of half of it."""
    return data[0] + rng.laplace(0, 1.4426950408889634), data[1] + rng.laplace(0, 1.4426950408889634)


@claimed(inputs=[[0.0], [1.0], [1.0, 1.0], []])
def mean_by_its_size(data, rng):
    """Release a mean with the noise of a sensitivity of 1 / n, where rows come and go."""
    n = max(len(data), 1)
    return sum(data) / n + rng.laplace(0, 1 / n)


@claimed(inputs=[(0, 0), (1, 1), (0, 1), (1, 0)], neighbours="linf")
def scale_by_dimensions(counts, rng):
    """Divide the scale of Laplace noise by the number of dimensions."""
    return counts[0] + rng.laplace(0, 1 / len(counts))


@claimed(inputs=[(0, 0), (1, 1), (0, 1), (1, 0)], neighbours="linf")
def scale_of_one(counts, rng):
    return counts[0] + rng.laplace(0, 1)


@claimed(inputs=[[], [0.0], [3.0], [0.0, 3.0]])
def bins_of_the_data(data, rng):
    """Count how many lie in the first half of the range of the data."""
    middle = (min(data) + max(data)) / 2 if data else 0.0
    return middle, sum(x <= middle for x in data) + rng.laplace(0, 1)


@claimed(inputs=[[], [0.0], [3.0], [0.0, 3.0]])
def bins_as_stated(data, rng):
    return 1.5, sum(x <= 1.5 for x in data) + rng.laplace(0, 1)


@claimed(inputs=[[], [1.0], [1000.0]])
def unbounded_sum(data, rng):
    """Release a sum without noise where no bounds are stated."""
    return sum(data)


@claimed(inputs=[0, 1], neighbours="counts_differ_by_one", guarantee=dpcert.ApproxDP("1", "1/1000"))
def laplace_threshold(count, rng):
    """Show a rare key whose count has normal noise of deviation 4, above the threshold of Laplace noise of scale 1."""
    noisy = count + rng.normal(0, 4)
    return bool(count and noisy > 1 + 6.214608098422191)  # 1 + ln(1 / (2 delta))


@dpcert.target(guarantee=ONE, inputs=[0, 1], neighbours="counts_differ_by_one")
def scaled_float(count, rng):
    """Release a count with Laplace noise as the float that it is."""
    return count + 1.0 * rng.laplace(0, 1)


@dpcert.target(guarantee=dpcert.ApproxDP("1", "1e-6"), inputs=[0.0, 1.0], neighbours="any")
def four_normals(total, rng):
    """Add the half of four normal numbers, in floats."""
    return total + SIGMA * sum(rng.normal(0, 1) for _ in range(4)) / 2


@claimed(guarantee=GAUSSIAN, inputs=[(0, 0), (1, 1), (0, 1), (1, 0)], neighbours="linf")
def no_square_root(counts, rng):
    """Scale normal noise by the sum of the squares of two sensitivities, and not by its root."""
    return tuple(count + rng.normal(0, SIGMA * 2) for count in counts)


@claimed(guarantee=GAUSSIAN, inputs=[0.0, 1.0], neighbours="any")
def wrong_sign(value, rng):
    """Take the inverse of the factor of the analytic Gaussian mechanism: 0.19 instead of 5.3, over the root of 2."""
    return value + rng.normal(0, 0.19 / 2**0.5)


@claimed(guarantee=GAUSSIAN, inputs=[0.0, 1.0], neighbours="any")
def right_sign(value, rng):
    return value + rng.normal(0, 5.3 / 2**0.5)


@claimed(inputs=[(), ("a",), ("b",), ("a", "b")], neighbours="any")
def redefined_groups(user, rng):
    """Bound a user to one row in a group, then put all rows in one group, and count with sensitivity 1."""
    return len(set(user)) + rng.laplace(0, 1)


@claimed(inputs=[(), ("a",), ("b",), ("a", "b")], neighbours="any")
def bounded_rows(user, rng):
    """Bound a user to one row."""
    return min(len(user), 1) + rng.laplace(0, 1)


@claimed(inputs=[(0, 2), (2, 0), (2, 2), (0, 0)], neighbours="any")
def difference_of_errors(errors, rng):
    """Choose of two by the difference of their errors, which moves by 4, with the noise of a sensitivity of 2."""
    first, second = errors[0] - errors[1] + rng.laplace(0, 2), errors[1] - errors[0] + rng.laplace(0, 2)
    return int(second > first)


@claimed(inputs=[(0, 2), (2, 0), (2, 2), (0, 0)], neighbours="any")
def difference_with_its_noise(errors, rng):
    first, second = errors[0] - errors[1] + rng.laplace(0, 8), errors[1] - errors[0] + rng.laplace(0, 8)
    return int(second > first)


@claimed(inputs=[0, 1], neighbours="counts_differ_by_one")
def chosen_twice(weight, rng):
    """Choose twice from two weights, with replacement: where both are one, fewer weights are released."""
    first, second = int(rng.integers(2)), int(rng.integers(2))
    return tuple(weight + rng.laplace(0, 2) for _ in sorted({first, second}))


@claimed(inputs=[[], [0.0], [1.0]])
def sampled_half(data, rng):
    """Sample half of the rows, and account for all of them."""
    return sum(x for x in data if rng.random() < 0.5) + rng.laplace(0, 1)


@claimed(inputs=[(0,), (1,), (None,)], neighbours="substitute")
def nulls_of_a_cut(data, rng):
    """Release noisy counts of two bins, and exactly how many values are in neither."""
    return data.count(0) + rng.laplace(0, 2), len(data) - data.count(None)


@claimed(inputs=[(0,), (1,), (None,)], neighbours="substitute")
def nulls_with_noise(data, rng):
    return data.count(0) + rng.laplace(0, 2), len(data) - data.count(None) + rng.laplace(0, 2)


def one_by_one(n, rng):
    """Choose each of n examples by a coin of its own."""
    return tuple(bool(rng.random() < 0.25) for _ in range(n))


def a_count_first(n, rng):
    """Draw how many examples are chosen, then a uniform subset of that size."""
    size = sum(rng.random() < 0.25 for _ in range(n))
    chosen = rng.choice(n, size=size, replace=False)
    return tuple(i in chosen for i in range(n))


cyclic_sampling = dpcert.same(one_by_one, a_count_first, inputs=[1, 2, 3])
