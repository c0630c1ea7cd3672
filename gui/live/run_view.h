// SPDX-License-Identifier: GPL-3.0-or-later
// RunView: everything known of the run on screen, grown by updates, with what the Live page derives
// from it: names, levels, who was critical when, which decision holds. Plain data, one thread.
#pragma once
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/analysis/explain.h"
#include "core/analysis/intervals.h"
#include "core/analysis/totals.h"
#include "core/store/records.h"

namespace concertina::gui {

struct RunUpdate;

struct LayerView {
    LayerRow row;
    QString shortName;                  // without what all names share
    std::vector<LayerEpochRow> epochs;  // ascending; usually one per epoch from 0
    std::vector<Decision> decisions;    // ascending

    const LayerEpochRow* at(int epoch) const;
    /// The decision in force in that epoch, or nullptr.
    const Decision* decisionAt(int epoch) const;
};

class RunView {
 public:
    void clear();
    void apply(const RunUpdate& update);

    const RunRow& run() const { return run_; }
    const std::vector<LayerView>& layers() const { return layers_; }
    const std::vector<StepRow>& steps() const { return steps_; }
    const std::vector<EpochRow>& epochs() const { return epochs_; }
    const std::vector<LayerEpochRow>& layerEpochs() const { return layerEpochs_; }
    int lastEpoch() const { return epochs_.empty() ? -1 : epochs_.back().epoch; }

    /// Names of the levels, mild first; at least as many as occur in the data.
    const QStringList& levelNames() const { return levelNames_; }
    std::optional<double> eta() const { return eta_; }
    int compressibleLayers() const;
    int criticalLayersAt(int epoch) const;
    std::vector<EpochInterval> criticalEpochs(int layer) const;
    /// What happened to a layer in an epoch, in a sentence; empty where nothing is recorded.
    QString explain(int layer, int epoch) const;
    /// One rank sends nothing over the wire: its payload is shown instead, and said so.
    bool showsPayload() const { return basis() == ByteBasis::Payload; }
    ByteBasis basis() const { return byteBasis(run_.ranks); }
    /// Seconds of training left at the pace of the last epochs; < 0 while unknown.
    double secondsLeft() const;

 private:
    void applyLayers(const std::vector<LayerRow>& rows);
    void applyDecisions();
    void readLevels();

    RunRow run_;
    std::vector<LayerView> layers_;
    std::vector<StepRow> steps_;
    std::vector<EpochRow> epochs_;
    // As recorded, for core/analysis.
    std::vector<LayerRow> layerRows_;
    std::vector<LayerEpochRow> layerEpochs_;
    std::vector<Decision> decisions_;
    std::vector<LevelRun> levelRuns_;
    std::vector<int> criticalCounts_;
    QStringList levelNames_;
    std::optional<double> eta_;
};

}  // namespace concertina::gui
