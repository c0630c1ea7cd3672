// SPDX-License-Identifier: Apache-2.0
// RunReport: tells the user about a run while it trains: JSON events on stdout, or a moving line
// (terminal) or plain lines (elsewhere) on stderr. Used by run, resume and batch; called by the
// supervisor on the main thread.
#pragma once
#include <filesystem>
#include <string>

#include "core/launch/supervisor.h"

namespace concertina {

class RunReport {
 public:
    RunReport(std::filesystem::path store, bool json);
    ~RunReport();
    RunReport(const RunReport&) = delete;
    RunReport& operator=(const RunReport&) = delete;

    /// Valid as long as the report.
    const RunObserver& observer() const { return observer_; }
    /// The last line: {"event": "summary", ...}, or the result in words.
    void finish(const RunRow& run);

 private:
    void started(const RunRow& run);
    void progress(const RunProgress& progress);
    void epoch(const EpochRow& row);
    void decision(const Decision& decision);
    void alert(const EventRow& event);
    void clearLine();

    std::filesystem::path store_;
    bool json_;
    bool terminal_;
    bool lineShown_ = false;
    RunRow run_;
    std::string phase_;
    RunObserver observer_;
};

/// superviseRun with a report, and its summary at the end.
RunOutcome superviseWithReport(const RunRequest& request, bool json);
/// resumeRun likewise.
RunOutcome resumeWithReport(const RunRequest& request, bool json);

}  // namespace concertina
