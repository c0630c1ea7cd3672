// SPDX-License-Identifier: GPL-3.0-or-later
// RunView: everything known of the run on screen, grown by updates, with what the Live page derives
// from it: names, levels, who was critical when, which decision holds. Plain data, one thread.
#pragma once
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/store/records.h"

namespace concertina::gui {

struct RunUpdate;

struct LayerView {
    LayerRow row;
    QString shortName;                       // without what all names share
    std::vector<LayerEpochRow> epochs;       // ascending; usually one per epoch from 0
    std::vector<Decision> decisions;         // ascending
    double wireBytes = 0, payloadBytes = 0;  // so far

    const LayerEpochRow* at(int epoch) const;
    /// The decision in force in that epoch, or nullptr.
    const Decision* decisionAt(int epoch) const;
    bool isCriticalAt(int epoch) const;
};

class RunView {
 public:
    void clear();
    void apply(const RunUpdate& update);

    const RunRow& run() const { return run_; }
    const std::vector<LayerView>& layers() const { return layers_; }
    const std::vector<StepRow>& steps() const { return steps_; }
    const std::vector<EpochRow>& epochs() const { return epochs_; }
    int lastEpoch() const { return epochs_.empty() ? -1 : epochs_.back().epoch; }

    /// Names of the levels, mild first; at least as many as occur in the data.
    const QStringList& levelNames() const { return levelNames_; }
    std::optional<double> eta() const { return eta_; }
    int compressibleLayers() const;
    int criticalLayersAt(int epoch) const;
    /// One rank sends nothing over the wire: its payload is shown instead, and said so.
    bool showsPayload() const { return run_.ranks == 1; }
    double sentBytes(const EpochRow& row) const;
    double denseFp32Bytes(const EpochRow& row) const;
    double sentBytes(const LayerView& layer) const;
    /// Seconds of training left at the pace of the last epochs; < 0 while unknown.
    double secondsLeft() const;

 private:
    void applyLayers(const std::vector<LayerRow>& rows);
    void applyDecisions(const std::vector<Decision>& decisions);

    RunRow run_;
    std::vector<LayerView> layers_;
    std::vector<StepRow> steps_;
    std::vector<EpochRow> epochs_;
    QStringList levelNames_;
    std::optional<double> eta_;
};

}  // namespace concertina::gui
