// SPDX-License-Identifier: GPL-3.0-or-later
// StoreWorker: the pages' one way to the run store. Lives on its own thread, polls the store's data
// version and answers with value objects. It also carries the few writes the window makes (stop,
// close a lost run). Use it through StoreClient (store_client.h); nothing here may be called from
// the GUI thread.
#pragma once
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/store/reader.h"
#include "gui/models/runs_model.h"

namespace concertina::gui {

/// A run and its epochs, as Compare draws them.
struct RunSeries {
    RunRow run;
    std::vector<EpochRow> epochs;
};
using RunSeriesList = std::vector<RunSeries>;

class StoreWorker : public QObject {
    Q_OBJECT
 public:
    explicit StoreWorker(std::filesystem::path store);

    void start();  ///< begins to poll; to be called on the worker's thread
    /// Reads the series of these runs now and after every change, and answers under `request`.
    void watchSeries(quint64 request, const QStringList& runs);
    void requestControl(const QStringList& runs, const QString& verb);
    void closeLost(const QStringList& runs);

 Q_SIGNALS:
    void runsRead(const concertina::gui::RunList& runs);
    void seriesRead(quint64 request, const concertina::gui::RunSeriesList& series);
    /// What keeps the store from being read, as a sentence; empty when it works again.
    void problemChanged(const QString& sentence);
    /// A stop or a close that could not be written.
    void actionFailed(const QString& sentence);

 private:
    void poll();
    void readRuns();
    void readSeries();
    void markLostRuns();
    bool openStore();
    template <typename Work>
    void reading(Work work);
    template <typename Work>
    void writing(Work work);

    std::filesystem::path store_;
    std::unique_ptr<RunReader> reader_;
    std::int64_t dataVersion_ = -1;
    quint64 seriesRequest_ = 0;
    QStringList seriesRuns_;
    QString problem_;
    QTimer* pollTimer_;
    QTimer* lostTimer_;
};

}  // namespace concertina::gui
