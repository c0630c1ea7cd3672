// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/launch/launcher.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "core/store/writer.h"
#include "gui/launch/launch_worker.h"

namespace concertina::gui {
namespace {

QString quoted(const std::filesystem::path& path) {
    QString text = QString::fromStdString(path.string());
    static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_./:@%+=-]+$"));
    if (kPlain.match(text).hasMatch()) {
        return text;
    }
    return '\'' + text.replace('\'', QStringLiteral("'\\''")) + '\'';
}

std::filesystem::path executableFolder() {
    return QCoreApplication::applicationDirPath().toStdString();
}

}  // namespace

Launcher::Launcher(std::filesystem::path store,
                   const std::filesystem::path& program,
                   QObject* parent)
    : QObject(parent), store_(std::move(store)), worker_(new LaunchWorker(store_, program)) {
    worker_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
    connect(worker_, &LaunchWorker::started, this, &Launcher::started);
    connect(worker_, &LaunchWorker::failed, this, &Launcher::failed);
    thread_.setObjectName(QStringLiteral("launch"));
    thread_.start();
}

Launcher::~Launcher() {
    thread_.quit();
    thread_.wait();
}

QString Launcher::launchRun(const RunSpec& spec) {
    const std::string id = newRunId();
    QMetaObject::invokeMethod(worker_,
                              [worker = worker_, spec, id] { worker->launchRun(spec, id); });
    return QString::fromStdString(id);
}

void Launcher::launchStudy(const std::filesystem::path& study) {
    QMetaObject::invokeMethod(worker_, [worker = worker_, study] { worker->launchStudy(study); });
}

/// A here-document: the command needs no file that may since have been moved or edited.
QString Launcher::runCommand(const RunSpec& spec) const {
    return QStringLiteral("concertina run /dev/stdin --store %1 <<'END'\n%2END\n")
        .arg(quoted(store_), QString::fromStdString(toToml(spec)));
}

std::filesystem::path commandLineProgram() { return executableFolder() / "concertina"; }

std::filesystem::path shippedFile(const std::filesystem::path& relative) {
    const std::filesystem::path folder = executableFolder();
    for (const char* root : {"../share/concertina", "../../..", "../.."}) {
        const std::filesystem::path file = folder / root / relative;
        if (std::filesystem::exists(file)) {
            return std::filesystem::weakly_canonical(file);
        }
    }
    return {};
}

}  // namespace concertina::gui
