// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/store_worker.h"

#include <algorithm>
#include <chrono>

#include "core/base/error.h"
#include "core/store/writer.h"

namespace concertina::gui {
namespace {

using namespace std::chrono_literals;
constexpr auto kPollInterval = 300ms;
// Liveness costs a write transaction, so it is looked at less often than the data.
constexpr auto kLostInterval = 5s;
constexpr auto kWritePatience = 3s;

}  // namespace

StoreWorker::StoreWorker(std::filesystem::path store)
    : store_(std::move(store)), pollTimer_(new QTimer(this)), lostTimer_(new QTimer(this)) {
    connect(pollTimer_, &QTimer::timeout, this, &StoreWorker::poll);
    connect(lostTimer_, &QTimer::timeout, this, &StoreWorker::markLostRuns);
}

void StoreWorker::start() {
    pollTimer_->start(kPollInterval);
    lostTimer_->start(kLostInterval);
    markLostRuns();
    poll();
    if (!reader_) {
        Q_EMIT runsRead(std::make_shared<std::vector<RunRow>>());
    }
}

void StoreWorker::watchSeries(quint64 request, const QStringList& runs) {
    seriesRequest_ = request;
    seriesRuns_ = runs;
    reading([this] { readSeries(); });
}

void StoreWorker::requestControl(const QStringList& runs, const QString& verb) {
    writing([&](RunWriter& writer) {
        for (const QString& run : runs) {
            writer.requestControl(run.toStdString(), verb.toStdString());
        }
    });
}

void StoreWorker::closeLost(const QStringList& runs) {
    writing([&](RunWriter& writer) {
        for (const QString& run : runs) {
            writer.setStatus(run.toStdString(), RunStatus::Failed,
                             "closed by hand after its supervisor was lost");
        }
    });
    poll();
}

void StoreWorker::poll() {
    reading([this] {
        if (!openStore()) {
            return;
        }
        const std::int64_t version = reader_->dataVersion();
        if (version == dataVersion_) {
            return;
        }
        dataVersion_ = version;
        readRuns();
        readSeries();
    });
}

void StoreWorker::readRuns() {
    Q_EMIT runsRead(std::make_shared<std::vector<RunRow>>(reader_->runs()));
}

void StoreWorker::readSeries() {
    if (!openStore() || seriesRequest_ == 0) {
        return;
    }
    RunSeriesList list;
    for (const QString& id : seriesRuns_) {
        // A run may have been purged since it was selected: then it is simply not in the answer.
        if (auto run = reader_->run(id.toStdString())) {
            list.push_back({*run, reader_->epochs(run->id)});
        }
    }
    Q_EMIT seriesRead(seriesRequest_, list);
}

void StoreWorker::markLostRuns() {
    reading([this] {
        if (!openStore()) {
            return;
        }
        const std::vector<RunRow> runs = reader_->runs();
        const bool anyActive = std::any_of(runs.begin(), runs.end(),
                                           [](const RunRow& run) { return isActive(run.status); });
        if (anyActive) {
            writing([](RunWriter& writer) { writer.markLost(); });
        }
    });
}

/// False while there is no store yet: the first launch makes it. That is no problem to report.
bool StoreWorker::openStore() {
    if (!reader_ && std::filesystem::exists(store_)) {
        reader_ = std::make_unique<RunReader>(store_);
        dataVersion_ = -1;
    }
    return reader_ != nullptr;
}

template <typename Work>
void StoreWorker::reading(Work work) {
    QString problem;
    try {
        work();
    } catch (const std::exception& error) {
        problem = QString::fromStdString(error.what());
        reader_.reset();  // opened anew by the next poll: the file may have been replaced
    }
    if (problem != problem_) {
        problem_ = problem;
        Q_EMIT problemChanged(problem);
    }
}

template <typename Work>
void StoreWorker::writing(Work work) {
    try {
        RunWriter writer(store_, kWritePatience);
        work(writer);
    } catch (const std::exception& error) {
        Q_EMIT actionFailed(QString::fromStdString(error.what()));
    }
}

}  // namespace concertina::gui
