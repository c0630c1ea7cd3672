// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/launch/launch_worker.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include "core/base/error.h"
#include "core/store/reader.h"
#include "core/store/writer.h"

namespace concertina::gui {
namespace {

using namespace std::chrono_literals;
constexpr auto kLookInterval = 100ms;
constexpr std::streamoff kLogTailBytes = 4096;
constexpr int kLogTailLines = 12;

/// The last lines of a log: the sentences with which a program refused to run.
QString logTail(const std::filesystem::path& log) {
    std::ifstream file(log, std::ios::binary | std::ios::ate);
    const std::streamoff size = file ? std::streamoff(file.tellg()) : 0;
    file.seekg(std::max<std::streamoff>(0, size - kLogTailBytes));
    const std::string text(std::istreambuf_iterator<char>(file), {});
    QStringList lines = QString::fromStdString(text).split('\n', Qt::SkipEmptyParts);
    if (lines.size() > kLogTailLines) {
        lines = lines.mid(lines.size() - kLogTailLines);
    }
    return lines.join('\n').trimmed();
}

void writeSpec(const std::filesystem::path& file, const RunSpec& spec) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file);
    out << toToml(spec);
    if (!out.flush()) {
        throw Error(ErrorKind::Machine,
                    "cannot write " + file.string() + ": is the disk full or read-only?");
    }
}

}  // namespace

LaunchWorker::LaunchWorker(std::filesystem::path store, std::filesystem::path program)
    : store_(std::move(store)), program_(std::move(program)), timer_(new QTimer(this)) {
    timer_->setInterval(kLookInterval);
    connect(timer_, &QTimer::timeout, this, &LaunchWorker::look);
}

void LaunchWorker::launchRun(const RunSpec& spec, const std::string& id) {
    const QString name = QString::fromStdString(id);
    try {
        const std::filesystem::path folder = runFolder(store_, id);
        const std::filesystem::path log = folder / "run.log";
        writeSpec(folder / "spec.toml", spec);
        DetachedProcess process = start({"run", "--id", id, (folder / "spec.toml").string()}, log);
        watch({name, id, {}, unixNowMs(), log, process});
    } catch (const std::exception& error) {
        Q_EMIT failed(name, QString::fromStdString(error.what()));
    }
}

void LaunchWorker::launchStudy(const std::filesystem::path& study) {
    const QString name = QString::fromStdString(study.string());
    try {
        const std::string studyName = readStudySpec(study).name;
        const std::filesystem::path log = runFolder(store_, "batch-" + newRunId()) / "batch.log";
        std::filesystem::create_directories(log.parent_path());
        DetachedProcess process = start({"batch", study.string(), "--resume"}, log);
        watch({name, {}, studyName, unixNowMs(), log, process});
    } catch (const std::exception& error) {
        Q_EMIT failed(name, QString::fromStdString(error.what()));
    }
}

DetachedProcess LaunchWorker::start(std::vector<std::string> arguments,
                                    const std::filesystem::path& log) const {
    if (!std::filesystem::exists(program_)) {
        throw Error(ErrorKind::Machine, "cannot find the command line program " +
                                            program_.string() +
                                            ": it belongs beside concertina-workbench");
    }
    arguments.insert(arguments.begin(), program_.string());
    arguments.insert(arguments.end(), {"--store", store_.string()});
    return DetachedProcess::start(arguments, log);
}

void LaunchWorker::watch(Launch launch) {
    launches_.push_back(std::move(launch));
    timer_->start();
}

void LaunchWorker::look() {
    for (Launch& launch : launches_) {
        if (!launch.announced) {
            announce(launch);
        }
    }
    std::erase_if(launches_,
                  [](Launch& launch) { return launch.announced && launch.process.exitCode(); });
    if (launches_.empty()) {
        timer_->stop();
    }
}

void LaunchWorker::announce(Launch& launch) {
    // The exit is asked for first: a run that ended between the two questions has its row.
    const std::optional<int> exitCode = launch.process.exitCode();
    const bool allWasDone = exitCode == 0 && !launch.study.empty();
    if (isInStore(launch) || allWasDone) {
        launch.announced = true;
        Q_EMIT started(launch.name);
    } else if (exitCode) {
        launch.announced = true;
        const QString said = logTail(launch.log);
        Q_EMIT failed(launch.name, said.isEmpty()
                                       ? QStringLiteral("The run ended with exit code %1 before it "
                                                        "began, and said nothing. Log: %2")
                                             .arg(*exitCode)
                                             .arg(QString::fromStdString(launch.log.string()))
                                       : said);
    }
}

bool LaunchWorker::isInStore(const Launch& launch) const {
    try {
        RunReader reader(store_);
        if (!launch.run.empty()) {
            return reader.run(launch.run).has_value();
        }
        const std::vector<RunRow> runs = reader.runs();
        return std::any_of(runs.begin(), runs.end(), [&](const RunRow& run) {
            return run.study == launch.study &&
                   (isActive(run.status) || run.createdMs >= launch.startedMs);
        });
    } catch (const Error&) {
        return false;  // not there yet, or busy: asked again soon
    }
}

}  // namespace concertina::gui
