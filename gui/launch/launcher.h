// SPDX-License-Identifier: GPL-3.0-or-later
// Launcher: starts `concertina run` and `concertina batch` as processes that outlive the workbench,
// and tells how it went. The main window owns one. Methods return at once; files and processes are
// handled on the launcher's own thread.
#pragma once
#include <QObject>
#include <QThread>
#include <filesystem>
#include <string>
#include <vector>

#include "core/spec/run_spec.h"

namespace concertina::gui {

class LaunchWorker;

class Launcher : public QObject {
    Q_OBJECT
 public:
    /// `program`: the command line executable, beside this one.
    Launcher(std::filesystem::path store,
             const std::filesystem::path& program,
             QObject* parent = nullptr);
    ~Launcher() override;  ///< leaves what runs running

    /// Starts the run and returns its id. `started` follows once its row is in the store, `failed`
    /// when the supervisor ended before that.
    QString launchRun(const RunSpec& spec);
    /// Starts every trial of the study that is not finished yet. `started` follows when its first
    /// run is in the store, or when all of them already were.
    void launchStudy(const std::filesystem::path& study);
    /// What a shell would be given to start the same.
    QString runCommand(const RunSpec& spec) const;

 Q_SIGNALS:
    /// `launch`: the run's id, or the study file.
    void started(const QString& launch);
    void failed(const QString& launch, const QString& sentence);

 private:
    std::filesystem::path store_;
    QThread thread_;
    LaunchWorker* worker_;  // lives on thread_, deleted when it ends
};

/// The command line executable beside this one.
std::filesystem::path commandLineProgram();
/// A file that ships with the program: beside the executable's tree (`../share/concertina`), or in
/// the source tree it was built from. Empty when there is none.
std::filesystem::path shippedFile(const std::filesystem::path& relative);

}  // namespace concertina::gui
