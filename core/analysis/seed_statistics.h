// SPDX-License-Identifier: Apache-2.0
// Several runs of one configuration as one: mean and spread of a number, and of a curve. Used by
// Compare and by `concertina compare --group-by`. Pure; any thread.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace concertina {

struct MeanSpread {
    double mean = 0;
    double spread = 0;      // sample standard deviation (divisor n - 1); 0 for one value
    std::size_t count = 0;  // 0: mean and spread mean nothing
};
MeanSpread meanSpread(std::span<const double> values);

/// Points of one run, in the order they were recorded.
struct CurvePoints {
    std::vector<double> x, y;
};

struct MeanCurve {
    std::vector<double> x;                // mean of the runs' x
    std::vector<double> mean, low, high;  // mean of y, and one spread below and above
};
/// The n-th point is made of the n-th points of all runs, as far as every run has come: repetitions
/// are recorded at the same epochs, while their times and bytes differ a little.
MeanCurve meanCurve(std::span<const CurvePoints> runs);

/// Positions of equal keys, in the order in which each key first appears.
std::vector<std::vector<std::size_t>> groupEqual(std::span<const std::string> keys);

}  // namespace concertina
