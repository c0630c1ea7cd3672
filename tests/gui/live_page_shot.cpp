// SPDX-License-Identifier: GPL-3.0-or-later
// A developer's tool: draws the Live page of a generated run into a PNG, to be looked at. Not a
// test.
//   live_page_shot OUT.png [--dark] [--layers N] [--epochs N] [--written N] [--ranks N] [--select
//   LAYER]
//                  [--cursor EPOCH] [--width N] [--height N] [--store FILE --run ID] [--svg FILE]
//                  [--cumulative]
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <cstdio>
#include <ctime>

#include "core/store/writer.h"
#include "gui/live/live_page.h"
#include "gui/live/live_plot.h"
#include "gui/widgets/palette.h"
#include "tests/support/generated_run.h"
#include "tests/support/store_folder.h"

namespace concertina::gui {
namespace {

void addOptions(QCommandLineParser& parser) {
    for (const char* flag : {"dark", "cumulative", "open"}) {
        parser.addOption(QCommandLineOption(flag));
    }
    const std::pair<const char*, const char*> values[] = {
        {"layers", "60"}, {"epochs", "40"}, {"written", "-1"}, {"ranks", "2"},
        {"select", ""},   {"cursor", ""},   {"width", "1400"}, {"height", "1000"},
        {"store", ""},    {"run", ""},      {"svg", ""},       {"policy", "accordion"}};
    for (const auto& [name, fallback] : values) {
        parser.addOption(QCommandLineOption(name, "", name, fallback));
    }
    parser.addPositionalArgument("out", "PNG to write");
}

std::string writeRun(const QCommandLineParser& options, const std::filesystem::path& store) {
    GeneratedRunOptions generated;
    generated.name = "resnet-accordion";
    generated.layers = options.value("layers").toInt();
    generated.epochs = options.value("epochs").toInt();
    generated.ranks = options.value("ranks").toInt();
    generated.policy = options.value("policy").toStdString();
    RunWriter writer(store);
    return writeGeneratedRun(writer, generated, options.value("written").toInt());
}

void letItPaint(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds) {
        QApplication::processEvents(QEventLoop::AllEvents, 20);
    }
}

void arrange(LivePage& page, const QCommandLineParser& options) {
    if (!options.value("select").isEmpty()) {
        page.plot().selectLayer(options.value("select").toInt());
    }
    page.plot().setSmallTensorsOpen(options.isSet("open"));
    page.plot().setCumulativeBytes(options.isSet("cumulative"));
    letItPaint(200);
    if (!options.value("cursor").isEmpty()) {
        page.plot().setCursorEpoch(options.value("cursor").toInt());
    }
    letItPaint(300);
}

int shoot(QApplication& application) {
    QCommandLineParser options;
    addOptions(options);
    options.process(application);
    const bool dark = options.isSet("dark");
    applyTheme(application, dark);
    const StoreFolder folder;
    const bool given = !options.value("store").isEmpty();
    const std::filesystem::path store =
        given ? std::filesystem::path(options.value("store").toStdString()) : folder.file();
    LivePage page(store);
    page.setDark(dark);
    page.resize(options.value("width").toInt(), options.value("height").toInt());
    page.showRun(given ? options.value("run") : QString::fromStdString(writeRun(options, store)));
    page.show();
    letItPaint(1500);
    arrange(page, options);
    // Processor time, so that a busy machine does not count.
    const std::clock_t before = std::clock();
    for (int i = 0; i < 20; ++i) {
        page.plot().replot(QCustomPlot::rpQueuedRefresh);
    }
    std::printf("redraw: %.1f ms\n", 1000.0 * double(std::clock() - before) / CLOCKS_PER_SEC / 20);
    if (!options.value("svg").isEmpty()) {
        page.plot().exportTo(options.value("svg"));
    }
    return page.grab().save(options.positionalArguments().value(0, "live.png")) ? 0 : 1;
}

}  // namespace
}  // namespace concertina::gui

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    return concertina::gui::shoot(application);
}
