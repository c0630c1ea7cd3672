// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/seed_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace concertina {

MeanSpread meanSpread(std::span<const double> values) {
    if (values.empty()) {
        return {};
    }
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    const double spread = values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
    return {mean, spread, values.size()};
}

MeanCurve meanCurve(std::span<const CurvePoints> runs) {
    MeanCurve curve;
    if (runs.empty()) {
        return curve;
    }
    std::size_t length = runs.front().x.size();
    for (const CurvePoints& run : runs) {
        length = std::min(length, run.x.size());
    }
    std::vector<double> xs(runs.size());
    std::vector<double> ys(runs.size());
    for (std::size_t point = 0; point < length; ++point) {
        for (std::size_t run = 0; run < runs.size(); ++run) {
            xs[run] = runs[run].x[point];
            ys[run] = runs[run].y[point];
        }
        const MeanSpread y = meanSpread(ys);
        curve.x.push_back(meanSpread(xs).mean);
        curve.mean.push_back(y.mean);
        curve.low.push_back(y.mean - y.spread);
        curve.high.push_back(y.mean + y.spread);
    }
    return curve;
}

std::vector<std::vector<std::size_t>> groupEqual(std::span<const std::string> keys) {
    std::vector<std::vector<std::size_t>> groups;
    std::map<std::string, std::size_t> groupOf;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto [found, isNew] = groupOf.try_emplace(keys[i], groups.size());
        if (isNew) {
            groups.emplace_back();
        }
        groups[found->second].push_back(i);
    }
    return groups;
}

}  // namespace concertina
