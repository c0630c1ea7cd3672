// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/run_feed.h"

#include <QTimer>
#include <algorithm>
#include <optional>

#include "core/store/reader.h"

namespace concertina::gui {
namespace {

constexpr int kPollMs = 250;

}  // namespace

/// Lives on the feed's thread, with the reader.
class RunFeed::Poller : public QObject {
 public:
    Poller(std::filesystem::path store, RunFeed& feed) : store_(std::move(store)), feed_(feed) {}

    void watch(quint64 request, const QString& runId) {
        request_ = request;
        runId_ = runId.toStdString();
        startOver();
        if (timer_ == nullptr) {
            timer_ = new QTimer(this);
            connect(timer_, &QTimer::timeout, this, &Poller::poll);
        }
        runId_.empty() ? timer_->stop() : timer_->start(kPollMs);
        if (!runId_.empty()) {
            poll();
        }
    }

 private:
    void startOver() {
        version_.reset();
        nextStep_ = 0;
        nextEpoch_ = 0;
        layersKnown_ = false;
        whole_ = true;
        problem_.clear();
    }

    void poll() {
        try {
            if (!reader_) {
                reader_.emplace(store_);
            }
            const std::int64_t version = reader_->dataVersion();
            if (version_ == version) {
                return;
            }
            read();
            version_ = version;
        } catch (const std::exception& error) {
            // The store may not exist yet, or be moved: open it again next time.
            reader_.reset();
            startOver();
            report(QString::fromStdString(error.what()));
        }
    }

    void read() {
        const std::optional<RunRow> run = reader_->run(runId_);
        if (!run) {
            report(QString("The store has no run %1.").arg(QString::fromStdString(runId_)));
            return;
        }
        if (run->epochsDone < nextEpoch_) {
            startOver();  // resumed from an earlier checkpoint: its later rows were replaced
        }
        RunUpdate update;
        update.request = request_;
        update.whole = whole_;
        update.run = *run;
        if (!layersKnown_) {
            update.layers = reader_->layers(runId_);
            layersKnown_ = !update.layers.empty();
        }
        update.steps = reader_->steps(runId_, nextStep_);
        update.epochs = reader_->epochs(runId_, nextEpoch_);
        update.layerEpochs = reader_->layerEpochs(runId_, nextEpoch_);
        update.decisions = reader_->decisions(runId_);
        advance(update);
        problem_.clear();
        whole_ = false;
        deliver(std::move(update));
    }

    /// An epoch written between the reads is left for the next poll, so that no row comes twice.
    void advance(RunUpdate& update) {
        if (!update.steps.empty()) {
            nextStep_ = update.steps.back().step + 1;
        }
        if (!update.epochs.empty()) {
            nextEpoch_ = update.epochs.back().epoch + 1;
        }
        std::erase_if(update.layerEpochs,
                      [this](const LayerEpochRow& row) { return row.epoch >= nextEpoch_; });
    }

    void report(const QString& problem) {
        if (problem == problem_) {
            return;
        }
        problem_ = problem;
        RunUpdate update;
        update.request = request_;
        update.problem = problem;
        deliver(std::move(update));
    }

    void deliver(RunUpdate update) {
        QMetaObject::invokeMethod(
            &feed_, [feed = &feed_, update = std::move(update)] { feed->deliver(update); },
            Qt::QueuedConnection);
    }

    const std::filesystem::path store_;
    RunFeed& feed_;
    QTimer* timer_ = nullptr;
    std::optional<RunReader> reader_;
    std::string runId_;
    quint64 request_ = 0;
    std::optional<std::int64_t> version_;
    std::int64_t nextStep_ = 0;
    int nextEpoch_ = 0;
    bool layersKnown_ = false, whole_ = true;
    QString problem_;
};

RunFeed::RunFeed(const std::filesystem::path& store, QObject* parent)
    : QObject(parent), poller_(new Poller(store, *this)) {
    poller_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, poller_, &QObject::deleteLater);
    thread_.setObjectName("run feed");
    thread_.start();
}

RunFeed::~RunFeed() {
    thread_.quit();
    thread_.wait();
}

void RunFeed::watch(const QString& runId) {
    ++request_;
    QMetaObject::invokeMethod(
        poller_, [poller = poller_, request = request_, runId] { poller->watch(request, runId); },
        Qt::QueuedConnection);
}

void RunFeed::deliver(const RunUpdate& update) {
    if (update.request == request_) {
        Q_EMIT updated(update);
    }
}

}  // namespace concertina::gui
