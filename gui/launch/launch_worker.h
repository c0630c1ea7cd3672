// SPDX-License-Identifier: GPL-3.0-or-later
// LaunchWorker: the launcher's part that touches files and processes, on the launcher's thread. It
// watches what it started until the run's row is in the store, and afterwards only to collect the
// ended process.
#pragma once
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <string>
#include <vector>

#include "core/spec/run_spec.h"
#include "gui/launch/detached_process.h"

namespace concertina::gui {

class LaunchWorker : public QObject {
    Q_OBJECT
 public:
    LaunchWorker(std::filesystem::path store, std::filesystem::path program);
    void launchRun(const RunSpec& spec, const std::string& id);
    void launchStudy(const std::filesystem::path& study);

 Q_SIGNALS:
    void started(const QString& launch);
    void failed(const QString& launch, const QString& sentence);

 private:
    struct Launch {
        QString name;            // what the signals carry
        std::string run, study;  // what to look for in the store; one is empty
        std::int64_t startedMs;
        std::filesystem::path log;
        DetachedProcess process;
        bool announced = false;
    };
    DetachedProcess start(std::vector<std::string> arguments,
                          const std::filesystem::path& log) const;
    void watch(Launch launch);
    void look();
    void announce(Launch& launch);
    bool isInStore(const Launch& launch) const;

    std::filesystem::path store_, program_;
    std::vector<Launch> launches_;
    QTimer* timer_;
};

}  // namespace concertina::gui
