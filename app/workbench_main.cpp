// SPDX-License-Identifier: GPL-3.0-or-later
// concertina-workbench: argv in, exit code out. Opens the window on a store, or says without a
// display what to type instead.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QSettings>
#include <QTimer>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "app/start_up.h"
#include "core/base/error.h"
#include "core/store/writer.h"
#include "gui/main_window.h"

namespace {

namespace gui = concertina::gui;

struct Options {
    std::string store, study, theme = "saved", page, screenshot;
    std::vector<std::string> runs;
    int delayMs = 1500;
};

void describeOptions(CLI::App& app, Options& options) {
    app.add_option("--store", options.store,
                   "Run store; default: $CONCERTINA_STORE, else the user's data folder");
    app.add_option("--study", options.study, "Run this study (or attach to it) and show it live")
        ->check(CLI::ExistingFile);
    app.add_option("--theme", options.theme, "light, dark or system; default: as last chosen")
        ->check(CLI::IsMember({"light", "dark", "system", "saved"}));
    app.add_option("--page", options.page, "Open on this page: start, runs, new, live or compare")
        ->check(CLI::IsMember({"start", "runs", "new", "live", "compare"}));
    app.add_option("--run", options.runs,
                   "Run to show on the live page; several on the compare page");
    app.add_option("--screenshot", options.screenshot,
                   "Save a picture of the window (PNG) and quit");
    app.add_option("--delay", options.delayMs, "Milliseconds before the screenshot")
        ->check(CLI::Range(0, 3600000));
}

/// Whether the environment names a display at all.
bool namesDisplay() {
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("DISPLAY");
}

[[noreturn]] void endWithoutDisplay(const std::string& why, const Options& options) {
    const std::string study =
        options.study.empty() ? "experiments/first/study.toml" : options.study;
    const std::string store = options.store.empty() ? "" : " --store " + options.store;
    fmt::print(stderr,
               "concertina-workbench: no display ({}). Without a window:\n"
               "  concertina batch {}{}    run the study\n"
               "  concertina runs{}    list the runs\n"
               "  concertina compare RUN RUN{}    compare runs\n",
               why, study, store, store, store);
    std::_Exit(2);
}

// Qt ends a program whose display it cannot use by abort(), after a last message. A message handler
// reaches nothing but globals; both are used only while the application is made.
const Options* optionsOfHandler = nullptr;
QString displayProblem;

void handleMessage(QtMsgType type, const QMessageLogContext& where, const QString& text) {
    // The platform says first what is wrong, then that plugins may be installed anew.
    if (displayProblem.isEmpty() && QByteArray(where.category).startsWith("qt.qpa")) {
        displayProblem = text;
    }
    if (type == QtFatalMsg) {
        endWithoutDisplay((displayProblem.isEmpty() ? text : displayProblem).toStdString(),
                          *optionsOfHandler);
    }
}

gui::Theme themeOf(const std::string& name) {
    if (name == "saved") {
        return static_cast<gui::Theme>(QSettings().value("theme", int(gui::Theme::System)).toInt());
    }
    return name == "light"  ? gui::Theme::Light
           : name == "dark" ? gui::Theme::Dark
                            : gui::Theme::System;
}

void showWanted(gui::MainWindow& window, const Options& options) {
    QStringList runs;
    for (const std::string& run : options.runs) {
        runs << QString::fromStdString(run);
    }
    if (!options.study.empty()) {
        window.startStudy(std::filesystem::absolute(options.study));
    }
    if (!options.page.empty()) {
        window.showPage(QString::fromStdString(options.page));
    }
    if (runs.size() > 1 || (!runs.isEmpty() && options.page == "compare")) {
        window.compareRuns(runs);
    } else if (!runs.isEmpty()) {
        window.openRun(runs.front());
    }
}

int runWindow(QApplication& application, const Options& options) {
    const std::filesystem::path store =
        std::filesystem::absolute(options.store.empty() ? concertina::defaultStorePath()
                                                        : std::filesystem::path(options.store));
    // Before any widget is made: they measure their text as they are made.
    gui::applyTheme(application, gui::isDark(themeOf(options.theme)));
    gui::MainWindow window({store, gui::commandLineProgram(),
                            gui::shippedFile("experiments/first/study.toml"),
                            themeOf(options.theme)});
    showWanted(window, options);
    window.show();
    if (!options.screenshot.empty()) {
        QTimer::singleShot(options.delayMs, &window, [&] {
            const bool saved = window.grab().save(QString::fromStdString(options.screenshot));
            QApplication::exit(saved ? 0 : 2);
        });
    }
    return application.exec();
}

}  // namespace

int main(int argc, char** argv) {
    concertina::prepareProcess();
    Options options;
    CLI::App app("The Concertina workbench: adaptive gradient compression, live",
                 "concertina-workbench");
    describeOptions(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!namesDisplay()) {
        endWithoutDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set", options);
    }
    optionsOfHandler = &options;
    const QtMessageHandler before = qInstallMessageHandler(handleMessage);
    QApplication application(argc, argv);
    qInstallMessageHandler(before);
    QApplication::setApplicationName("concertina");
    QApplication::setApplicationDisplayName("Concertina");
    QApplication::setOrganizationName("concertina");
    try {
        return runWindow(application, options);
    } catch (const concertina::Error& error) {
        fmt::print(stderr, "concertina-workbench: {}\n", error.what());
        return concertina::exitCodeOf(error.kind());
    }
}
