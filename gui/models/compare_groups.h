// SPDX-License-Identifier: GPL-3.0-or-later
// What Compare shows of the chosen runs: groups of one run each, or of all seeds of one
// configuration, with their final values and their curves. Pure; any thread.
#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "core/analysis/seed_statistics.h"
#include "gui/models/store_worker.h"

namespace concertina::gui {

enum class CompareMetric { TestAccuracy, TrainLoss, TestLoss };
enum class CompareAxis { Epoch, TrainTime, BytesSent };

struct CompareGroup {
    QString name;
    std::vector<RunSeries> runs;  // at least one
    bool isPayload = false;       // runs of one rank: payload bytes stand in for wire bytes
    // Over the runs that have the value.
    MeanSpread accuracy, sentBytes, ratioToFp16, ratioToFp32, mildShare, trainSeconds;
};

/// In the order of `series`. With `bySeeds`, runs of equal specHash are one group.
std::vector<CompareGroup> compareGroups(const RunSeriesList& series, bool bySeeds);

/// One group's curve; `low` and `high` equal the mean for one run. Epochs without the metric are
/// left out.
MeanCurve compareCurve(const CompareGroup& group, CompareMetric metric, CompareAxis axis);

QString metricTitle(CompareMetric metric);
QString axisTitle(CompareAxis axis, const std::vector<CompareGroup>& groups);

}  // namespace concertina::gui
