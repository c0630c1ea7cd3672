// SPDX-License-Identifier: GPL-3.0-or-later
// RunFeed: watches one run of a store from a thread of its own and reports what is new, four times
// a second at most. The GUI thread never touches the store. Every answer carries the number of the
// question; those a newer question has overtaken are dropped here. Used by the Live page.
#pragma once
#include <QObject>
#include <QThread>
#include <filesystem>
#include <vector>

#include "core/store/records.h"

namespace concertina::gui {

/// What one poll found. `whole`: replaces everything known; otherwise rows to append.
struct RunUpdate {
    quint64 request = 0;
    bool whole = false;
    QString problem;  // why the store or the run cannot be read; then nothing else is set
    RunRow run;
    std::vector<LayerRow> layers;  // with `whole`, or once they are known
    std::vector<StepRow> steps;
    std::vector<EpochRow> epochs;
    std::vector<LayerEpochRow> layerEpochs;  // by epoch, then layer
    std::vector<Decision> decisions;         // always all
};

class RunFeed : public QObject {
    Q_OBJECT
 public:
    explicit RunFeed(const std::filesystem::path& store, QObject* parent = nullptr);
    ~RunFeed() override;
    /// Reports this run from now on, beginning with a whole update. Empty: none.
    void watch(const QString& runId);

 Q_SIGNALS:
    void updated(const concertina::gui::RunUpdate& update);

 private:
    class Poller;
    void deliver(const RunUpdate& update);

    QThread thread_;
    Poller* poller_;  // on thread_, deleted by its end
    quint64 request_ = 0;
};

}  // namespace concertina::gui
