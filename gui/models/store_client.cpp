// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/store_client.h"

namespace concertina::gui {

StoreClient::StoreClient(const std::filesystem::path& store, QObject* parent)
    : QObject(parent), store_(store), worker_(new StoreWorker(store)) {
    worker_->moveToThread(&thread_);
    connect(&thread_, &QThread::started, worker_, &StoreWorker::start);
    connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
    connect(worker_, &StoreWorker::runsRead, this, &StoreClient::runsChanged);
    connect(worker_, &StoreWorker::problemChanged, this, &StoreClient::problemChanged);
    connect(worker_, &StoreWorker::actionFailed, this, &StoreClient::actionFailed);
    connect(worker_, &StoreWorker::seriesRead, this,
            [this](quint64 request, const RunSeriesList& series) {
                if (request == seriesRequest_) {
                    Q_EMIT seriesChanged(series);
                }
            });
    thread_.setObjectName(QStringLiteral("store"));
    thread_.start();
}

template <typename Work>
void StoreClient::post(Work work) {
    QMetaObject::invokeMethod(worker_, std::move(work), Qt::QueuedConnection);
}

StoreClient::~StoreClient() {
    // Behind what was posted: a stop asked for while closing still reaches the store.
    post([this] { thread_.quit(); });
    thread_.wait();
}

void StoreClient::watchSeries(const QStringList& runs) {
    const quint64 request = ++seriesRequest_;
    post([worker = worker_, request, runs] { worker->watchSeries(request, runs); });
}

void StoreClient::stopRuns(const QStringList& runs) {
    post([worker = worker_, runs] { worker->requestControl(runs, QStringLiteral("stop")); });
}

void StoreClient::closeLost(const QStringList& runs) {
    post([worker = worker_, runs] { worker->closeLost(runs); });
}

}  // namespace concertina::gui
