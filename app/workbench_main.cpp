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

/// Qt ends a program that finds no display by abort(); this is asked first.
bool hasDisplay() {
    for (const char* name : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) {
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
            return true;
        }
    }
    return false;
}

int explainMissingDisplay(const Options& options) {
    const std::string study =
        options.study.empty() ? "experiments/first/study.toml" : options.study;
    const std::string store = options.store.empty() ? "" : " --store " + options.store;
    fmt::print(stderr,
               "concertina-workbench: no display (neither DISPLAY nor WAYLAND_DISPLAY is set). "
               "Without a window:\n"
               "  concertina batch {}{}    run the study\n"
               "  concertina runs{}    list the runs\n"
               "  concertina compare RUN RUN{}    compare runs\n",
               study, store, store, store);
    return 2;
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
    Options options;
    CLI::App app("The Concertina workbench: adaptive gradient compression, live",
                 "concertina-workbench");
    describeOptions(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!hasDisplay()) {
        return explainMissingDisplay(options);
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName("concertina");
    QApplication::setApplicationDisplayName("Concertina");
    QApplication::setOrganizationName("concertina");
    return runWindow(application, options);
}
