// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/run_view.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/spec/run_spec.h"
#include "gui/live/run_feed.h"

namespace concertina::gui {
namespace {

/// "features.conv1.weight" -> "features.conv1" when all matrices are called weight.
void shortenNames(std::vector<LayerView>& layers) {
    const QString suffix = ".weight";
    const bool shared = std::all_of(layers.begin(), layers.end(), [&](const LayerView& layer) {
        return !layer.row.compressible || QString::fromStdString(layer.row.name).endsWith(suffix);
    });
    for (LayerView& layer : layers) {
        layer.shortName = QString::fromStdString(layer.row.name);
        if (shared && layer.row.compressible) {
            layer.shortName.chop(suffix.size());
        }
    }
}

/// "ratio 0.01 (k 60)" -> "ratio 0.01": what a level is called whatever the layer's size.
QString levelName(const std::string& effectiveLevel) {
    return QString::fromStdString(effectiveLevel).section(" (", 0, 0);
}

/// The name most layers have at each level: small layers may be clamped or dense.
QStringList namesOfLevels(const std::vector<LayerView>& layers) {
    std::map<int, std::map<QString, int>> counts;
    int levels = 0;
    for (const LayerView& layer : layers) {
        for (const LayerEpochRow& row : layer.epochs) {
            levels = std::max(levels, row.level + 1);
            if (row.level >= 0 && row.effectiveLevel.rfind("dense", 0) != 0) {
                ++counts[row.level][levelName(row.effectiveLevel)];
            }
        }
        for (const Decision& decision : layer.decisions) {
            levels = std::max(levels, decision.level + 1);
        }
    }
    QStringList names;
    for (int level = 0; level < levels; ++level) {
        const auto& called = counts[level];
        const auto most = std::max_element(called.begin(), called.end(),
                                           [](auto& a, auto& b) { return a.second < b.second; });
        names << (most != called.end() ? most->first : QString("level %1").arg(level + 1));
    }
    return names;
}

}  // namespace

const LayerEpochRow* LayerView::at(int epoch) const {
    const auto found =
        std::lower_bound(epochs.begin(), epochs.end(), epoch,
                         [](const LayerEpochRow& row, int wanted) { return row.epoch < wanted; });
    return found != epochs.end() && found->epoch == epoch ? &*found : nullptr;
}

const Decision* LayerView::decisionAt(int epoch) const {
    const auto after = std::upper_bound(
        decisions.begin(), decisions.end(), epoch,
        [](int wanted, const Decision& decision) { return wanted < decision.epoch; });
    return after != decisions.begin() ? &*std::prev(after) : nullptr;
}

void RunView::clear() { *this = RunView(); }

void RunView::apply(const RunUpdate& update) {
    if (update.whole) {
        clear();
    }
    run_ = update.run;
    if (!update.layers.empty()) {
        applyLayers(update.layers);
    }
    steps_.insert(steps_.end(), update.steps.begin(), update.steps.end());
    epochs_.insert(epochs_.end(), update.epochs.begin(), update.epochs.end());
    for (const LayerEpochRow& row : update.layerEpochs) {
        if (row.layer >= 0 && row.layer < int(layers_.size())) {
            layers_[std::size_t(row.layer)].epochs.push_back(row);
            layerEpochs_.push_back(row);
        }
    }
    decisions_ = update.decisions;
    applyDecisions();
    readLevels();
}

void RunView::applyLayers(const std::vector<LayerRow>& rows) {
    layerRows_ = rows;
    layers_.assign(rows.size(), {});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        layers_[i].row = rows[i];
    }
    shortenNames(layers_);
}

void RunView::applyDecisions() {
    for (LayerView& layer : layers_) {
        layer.decisions.clear();
    }
    for (const Decision& decision : decisions_) {
        if (decision.layer >= 0 && decision.layer < int(layers_.size())) {
            layers_[std::size_t(decision.layer)].decisions.push_back(decision);
        }
        eta_ = decision.eta ? decision.eta : eta_;
    }
    for (LayerView& layer : layers_) {
        std::stable_sort(layer.decisions.begin(), layer.decisions.end(),
                         [](const Decision& a, const Decision& b) { return a.epoch < b.epoch; });
    }
    levelRuns_ = levelRuns(decisions_, lastEpoch() + 1);
    criticalCounts_ = criticalCounts(levelRuns_, lastEpoch() + 1);
}

/// From the spec; from what was recorded when this program cannot read the spec.
void RunView::readLevels() {
    levelNames_ = namesOfLevels(layers_);
    try {
        const std::vector<Settings> levels = runSpecFromJson(run_.specJson).levels;
        levelNames_.clear();
        for (const Settings& level : levels) {
            levelNames_ << QString::fromStdString(toText(level));
        }
    } catch (const Error&) {
    }
}

int RunView::compressibleLayers() const {
    return int(std::count_if(layers_.begin(), layers_.end(),
                             [](const LayerView& layer) { return layer.row.compressible; }));
}

int RunView::criticalLayersAt(int epoch) const {
    const bool known = epoch >= 0 && epoch < int(criticalCounts_.size());
    return known ? criticalCounts_[std::size_t(epoch)] : 0;
}

std::vector<EpochInterval> RunView::criticalEpochs(int layer) const {
    return criticalIntervals(levelRuns_, layer);
}

QString RunView::explain(int layer, int epoch) const {
    const RecordedRun recorded{layerRows_, epochs_,    layerEpochs_,
                               decisions_, run_.ranks, int(levelNames_.size())};
    return QString::fromStdString(explainEpoch(recorded, layer, epoch));
}

double RunView::secondsLeft() const {
    if (steps_.empty() || run_.stepsPerEpoch <= 0) {
        return -1;
    }
    const std::size_t window = std::min(steps_.size(), std::size_t(2 * run_.stepsPerEpoch));
    const StepRow& now = steps_.back();
    const StepRow& before = steps_[steps_.size() - window];
    const double left = double(run_.epochsPlanned) * run_.stepsPerEpoch - double(now.step + 1);
    if (now.step <= before.step || left < 0) {
        return -1;
    }
    return left * (now.trainSeconds - before.trainSeconds) / double(now.step - before.step);
}

}  // namespace concertina::gui
