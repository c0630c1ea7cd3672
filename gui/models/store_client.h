// SPDX-License-Identifier: GPL-3.0-or-later
// StoreClient: the GUI thread's end of StoreWorker. The main window owns one; pages connect to its
// signals and never wait. Overtaken answers are dropped here, by the id of their request.
#pragma once
#include <QObject>
#include <QThread>

#include "gui/models/store_worker.h"

namespace concertina::gui {

class StoreClient : public QObject {
    Q_OBJECT
 public:
    explicit StoreClient(const std::filesystem::path& store, QObject* parent = nullptr);
    ~StoreClient() override;

    const std::filesystem::path& store() const { return store_; }
    /// The series that seriesChanged reports from now on; an empty list ends it.
    void watchSeries(const QStringList& runs);
    void stopRuns(const QStringList& runs);
    void closeLost(const QStringList& runs);

 Q_SIGNALS:
    void runsChanged(const concertina::gui::RunList& runs);
    void seriesChanged(const concertina::gui::RunSeriesList& series);
    void problemChanged(const QString& sentence);
    void actionFailed(const QString& sentence);

 private:
    template <typename Work>
    void post(Work work);

    std::filesystem::path store_;
    QThread thread_;
    StoreWorker* worker_;  // lives on thread_, deleted when it ends
    quint64 seriesRequest_ = 0;
};

}  // namespace concertina::gui
