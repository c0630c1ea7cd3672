// SPDX-License-Identifier: Apache-2.0
#include "app/run_report.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/output.h"
#include "app/run_json.h"
#include "app/run_text.h"
#include "core/analysis/summary.h"
#include "core/base/units.h"
#include "core/store/reader.h"

namespace concertina {
namespace {

constexpr int kBarWidth = 12;

std::string bar(double share) {
    const int full = std::clamp(static_cast<int>(share * kBarWidth), 0, kBarWidth);
    return fmt::format("[{}{}]", std::string(full, '#'), std::string(kBarWidth - full, '.'));
}

/// "sent 4.7 MB (4.9x less than fp32)".
std::string savedText(double sentBytes, double denseBytes, const char* reference) {
    const std::string sent = "sent " + formatBytes(sentBytes);
    return sentBytes > 0
               ? sent + fmt::format(" ({} less{})", timesText(denseBytes / sentBytes), reference)
               : sent;
}

/// Cut to the terminal, because a line that wraps cannot be overwritten. The line is ASCII.
std::string fitted(const std::string& line) {
    constexpr std::size_t kUnknownColumns = 80;
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return line.substr(0, (known ? size.ws_col : kUnknownColumns) - 1);
}

/// What is missed least comes last: a narrow terminal cuts it off.
std::string lineFor(const RunProgress& progress) {
    const double steps = static_cast<double>(progress.stepsPerEpoch) * progress.epochs;
    std::string line = fmt::format(
        "epoch {}/{} {} {}", std::min(shownEpoch(progress.epoch), progress.epochs), progress.epochs,
        bar(steps > 0 ? static_cast<double>(progress.step) / steps : 0), progress.phase);
    if (progress.stepsPerSecond > 0) {
        line += fmt::format("  {:.1f} steps/s", progress.stepsPerSecond);
    }
    if (progress.etaSeconds >= 0) {
        line += "  ETA " + formatDuration(progress.etaSeconds);
    }
    if (progress.step > 0) {
        line += fmt::format("  loss {:.4g}  {}", progress.loss,
                            savedText(progress.wireBytes, progress.denseFp32WireBytes, ""));
    }
    return line;
}

}  // namespace

RunReport::RunReport(std::filesystem::path store, bool json)
    : store_(std::move(store)), json_(json), terminal_(!json && ::isatty(STDERR_FILENO) == 1) {
    observer_.started = [this](const RunRow& run) { started(run); };
    observer_.progress = [this](const RunProgress& now) { progress(now); };
    observer_.epoch = [this](const EpochRow& row) { epoch(row); };
    observer_.decision = [this](const Decision& made) { decision(made); };
    observer_.alert = [this](const EventRow& event) { alert(event); };
}

RunReport::~RunReport() { clearLine(); }

void RunReport::clearLine() {
    if (lineShown_) {
        std::fputs("\r\x1b[K", stderr);
        std::fflush(stderr);
        lineShown_ = false;
    }
}

void RunReport::started(const RunRow& run) {
    run_ = run;
    if (json_) {
        printLine(startJson(run));
    } else {
        printMessage(fmt::format("run {} ({}): {} {} on {}/{}, {} epochs", run.id, run.name,
                                 run.ranks, run.ranks == 1 ? "rank" : "ranks", run.device,
                                 run.backend, run.epochsPlanned));
    }
}

void RunReport::progress(const RunProgress& progress) {
    if (terminal_) {
        std::fputs(fmt::format("\r{}\x1b[K", fitted(lineFor(progress))).c_str(), stderr);
        std::fflush(stderr);
        lineShown_ = true;
    } else if (!json_ && progress.phase != phase_ && progress.step == 0) {
        printMessage(progress.phase);
    }
    phase_ = progress.phase;
}

void RunReport::epoch(const EpochRow& row) {
    if (json_) {
        printLine(epochJson(run_.id, row));
    } else if (!terminal_) {
        printMessage(fmt::format(
            "epoch {}/{}: loss {:.4g}, accuracy {}, {}, {:.1f} s", shownEpoch(row.epoch),
            run_.epochsPlanned, row.trainLoss, numberText(row.testAccuracy),
            savedText(row.wireBytes, row.denseFp32WireBytes, " than fp32"), row.epochSeconds));
    }
}

void RunReport::decision(const Decision& decision) {
    if (!json_) {
        return;
    }
    // Decisions are rare; the name is read when it is needed.
    std::string layer = std::to_string(decision.layer);
    for (const LayerRow& row : RunReader(store_).layers(run_.id)) {
        layer = row.layer == decision.layer ? row.name : layer;
    }
    printLine(decisionJson(run_.id, {decision, layer}));
}

void RunReport::alert(const EventRow& event) {
    if (json_) {
        printLine(alertJson(run_.id, event));
    } else if (!event.message.empty()) {
        clearLine();
        printMessage(event.kind + ": " + event.message);
    }
}

void RunReport::finish(const RunRow& run) {
    clearLine();
    if (json_) {
        RunReader reader(store_);
        printLine(summaryJson(summarize(run, reader.layers(run.id), reader.decisions(run.id))));
    } else {
        printLine(resultText(run));
    }
}

RunOutcome superviseWithReport(const RunRequest& request, bool json) {
    RunReport report(request.store, json);
    RunOutcome outcome = superviseRun(request, report.observer());
    report.finish(outcome.run);
    return outcome;
}

RunOutcome resumeWithReport(const RunRequest& request, bool json) {
    RunReport report(request.store, json);
    RunOutcome outcome = resumeRun(request, report.observer());
    report.finish(outcome.run);
    return outcome;
}

}  // namespace concertina
