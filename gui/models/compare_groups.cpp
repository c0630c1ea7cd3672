// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/compare_groups.h"

#include <QHash>
#include <algorithm>

#include "gui/models/run_text.h"

namespace concertina::gui {
namespace {

template <typename Value>
MeanSpread spreadOf(const std::vector<RunSeries>& runs, Value value) {
    std::vector<double> values;
    for (const RunSeries& series : runs) {
        if (const std::optional<double> number = value(series.run)) {
            values.push_back(*number);
        }
    }
    return meanSpread(values);
}

/// A run that has trained nothing yet has zero bytes, which is no value to compare with.
std::optional<double> unlessNew(const RunRow& run, double value) {
    return run.epochsDone > 0 ? std::optional(value) : std::nullopt;
}

QString baseName(const RunRow& run) {
    return QString::fromStdString(run.variant.empty() ? run.name : run.variant);
}

QString groupName(const std::vector<RunSeries>& runs) {
    const QString name = baseName(runs.front().run);
    return runs.size() > 1 ? name + QStringLiteral(" (%1 seeds)").arg(runs.size()) : name;
}

/// Equal names get what tells them apart: the seed, and the id where that is equal too.
void makeNamesDistinct(std::vector<CompareGroup>& groups) {
    const auto countNames = [&] {
        QHash<QString, int> counts;
        for (const CompareGroup& group : groups) {
            ++counts[group.name];
        }
        return counts;
    };
    const QHash<QString, int> byName = countNames();
    for (CompareGroup& group : groups) {
        if (byName[group.name] > 1) {
            group.name += QStringLiteral(", seed %1").arg(group.runs.front().run.seed);
        }
    }
    const QHash<QString, int> bySeed = countNames();
    for (CompareGroup& group : groups) {
        if (bySeed[group.name] > 1) {
            group.name += QStringLiteral(", ") + QString::fromStdString(group.runs.front().run.id);
        }
    }
}

CompareGroup makeGroup(std::vector<RunSeries> runs) {
    CompareGroup group;
    group.name = groupName(runs);
    group.runs = std::move(runs);
    group.isPayload = sentBytes(group.runs.front().run).isPayload;
    group.accuracy = spreadOf(group.runs, [](const RunRow& run) { return run.testAccuracy; });
    group.sentBytes =
        spreadOf(group.runs, [](const RunRow& run) { return unlessNew(run, sentBytes(run).sent); });
    group.ratioToFp16 =
        spreadOf(group.runs, [](const RunRow& run) { return sentBytes(run).ratioToFp16(); });
    group.ratioToFp32 =
        spreadOf(group.runs, [](const RunRow& run) { return sentBytes(run).ratioToFp32(); });
    group.mildShare = spreadOf(group.runs, [](const RunRow& run) { return run.mildShare; });
    group.trainSeconds =
        spreadOf(group.runs, [](const RunRow& run) { return unlessNew(run, run.trainSeconds); });
    return group;
}

std::optional<double> metricOf(const EpochRow& epoch, CompareMetric metric) {
    switch (metric) {
        case CompareMetric::TestAccuracy:
            return epoch.testAccuracy;
        case CompareMetric::TestLoss:
            return epoch.testLoss;
        case CompareMetric::TrainLoss:
            return epoch.trainLoss;
    }
    return {};
}

CurvePoints pointsOf(const RunSeries& series, CompareMetric metric, CompareAxis axis) {
    CurvePoints points;
    double bytes = 0;
    for (const EpochRow& epoch : series.epochs) {
        bytes += sentBytes(epoch, series.run.ranks).sent;
        if (const auto value = metricOf(epoch, metric)) {
            points.x.push_back(axis == CompareAxis::Epoch ? epoch.epoch + 1  // people count from 1
                               : axis == CompareAxis::TrainTime ? epoch.trainSeconds
                                                                : bytes);
            points.y.push_back(*value);
        }
    }
    return points;
}

}  // namespace

std::vector<CompareGroup> compareGroups(const RunSeriesList& series, bool bySeeds) {
    std::vector<std::string> keys;
    for (const RunSeries& one : series) {
        keys.push_back(bySeeds ? one.run.specHash : one.run.id);
    }
    std::vector<CompareGroup> groups;
    for (const std::vector<std::size_t>& members : groupEqual(keys)) {
        std::vector<RunSeries> runs;
        runs.reserve(members.size());
        for (const std::size_t member : members) {
            runs.push_back(series[member]);
        }
        groups.push_back(makeGroup(std::move(runs)));
    }
    makeNamesDistinct(groups);
    return groups;
}

MeanCurve compareCurve(const CompareGroup& group, CompareMetric metric, CompareAxis axis) {
    std::vector<CurvePoints> runs;
    for (const RunSeries& series : group.runs) {
        runs.push_back(pointsOf(series, metric, axis));
    }
    return meanCurve(runs);
}

QString metricTitle(CompareMetric metric) {
    switch (metric) {
        case CompareMetric::TestAccuracy:
            return QStringLiteral("Test accuracy");
        case CompareMetric::TrainLoss:
            return QStringLiteral("Training loss");
        case CompareMetric::TestLoss:
            return QStringLiteral("Test loss");
    }
    return {};
}

QString axisTitle(CompareAxis axis, const std::vector<CompareGroup>& groups) {
    switch (axis) {
        case CompareAxis::Epoch:
            return QStringLiteral("epoch");
        case CompareAxis::TrainTime:
            return QStringLiteral("training time, without pauses and evaluation [s]");
        case CompareAxis::BytesSent:
            break;
    }
    const auto payloads = std::count_if(groups.begin(), groups.end(),
                                        [](const CompareGroup& group) { return group.isPayload; });
    if (payloads == 0) {
        return QStringLiteral("gradient wire bytes sent per rank");
    }
    return payloads == std::ptrdiff_t(groups.size())
               ? QStringLiteral(
                     "gradient payload bytes per rank (one rank sends nothing over a wire)")
               : QStringLiteral(
                     "gradient wire bytes sent per rank (payload bytes for runs of one rank)");
}

}  // namespace concertina::gui
