// SPDX-License-Identifier: Apache-2.0
#include "app/run_text.h"

#include <fmt/format.h>

#include "app/output.h"
#include "core/analysis/summary.h"
#include "core/analysis/totals.h"
#include "core/base/units.h"

namespace concertina {
namespace {

std::string bytesLine(const RunRow& run) {
    const ByteTotals totals = totalsOf(run);
    const std::string what = totals.basis == ByteBasis::Wire
                                 ? "gradient bytes sent per rank"
                                 : "gradient payload bytes (one rank sends nothing)";
    return fmt::format("{}: {}, {} less than fp32, {} less than fp16", what,
                       formatBytes(totals.sentBytes), timesText(totals.ratioToFp32()),
                       timesText(totals.ratioToFp16()));
}

}  // namespace

std::string epochsText(const RunRow& run) {
    return fmt::format("{}/{}", run.epochsDone, run.epochsPlanned);
}

std::string resultText(const RunRow& run) {
    std::string text = fmt::format("run {} ({}): {}", run.id, run.name, toText(run.status));
    if (!run.reason.empty()) {
        text += ": " + run.reason;
    }
    text += fmt::format("\n  epochs {}, test accuracy {}, test loss {}", epochsText(run),
                        numberText(run.testAccuracy), numberText(run.testLoss));
    if (const auto perplexity = testPerplexity(run)) {
        text += fmt::format(", perplexity {:.2f}", *perplexity);
    }
    text += "\n  " + bytesLine(run);
    if (run.mildShare) {
        text += fmt::format("\n  mild for {:.0f} % of layer-epochs", *run.mildShare * 100);
    }
    text += fmt::format("\n  training time {}", formatDuration(run.trainSeconds));
    if (run.droppedPoints > 0) {
        text += fmt::format("\n  {} step rows were dropped because the store could not be written",
                            run.droppedPoints);
    }
    return printable(std::move(text));
}

}  // namespace concertina
