// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/tile_texts.h"

#include <algorithm>

#include "gui/widgets/format.h"

namespace concertina::gui {
namespace {

constexpr const char* kNone = "–";

TileText accuracyTile(const RunView& view) {
    const EpochRow *best = nullptr, *last = nullptr;
    for (const EpochRow& row : view.epochs()) {
        if (row.testAccuracy) {
            last = &row;
            best = best == nullptr || *row.testAccuracy > *best->testAccuracy ? &row : best;
        }
    }
    if (last == nullptr) {
        return {kNone, "not evaluated yet"};
    }
    return {
        percentText(*last->testAccuracy),
        QString("best %1 in epoch %2").arg(percentText(*best->testAccuracy)).arg(best->epoch + 1)};
}

TileText bytesTile(const RunView& view) {
    if (view.epochs().empty()) {
        return {kNone, "no epoch finished yet"};
    }
    const QString context =
        view.showsPayload() ? "payload: one rank sends nothing" : "%1 in the last epoch";
    return {bytesText(totalsOf(view.epochs(), view.run().ranks).sentBytes),
            view.showsPayload()
                ? context
                : context.arg(bytesText(sentBytes(view.epochs().back(), view.basis()))),
            "Gradients only. Decision, control, metric and buffer traffic is counted apart."};
}

TileText savingsTile(const RunView& view) {
    const ByteTotals totals = totalsOf(view.epochs(), view.run().ranks);
    if (!totals.ratioToFp32()) {
        return {kNone, "nothing sent yet"};
    }
    return {timesText(*totals.ratioToFp32()),
            timesText(*totals.ratioToFp16()) + " less than dense fp16",
            "Dense bytes divided by bytes sent, over the whole run so far."};
}

TileText criticalTile(const RunView& view) {
    if (view.layers().empty()) {
        return {kNone, "layers not known yet"};
    }
    const int epoch = view.lastEpoch();
    const QString value =
        QString("%1 of %2").arg(view.criticalLayersAt(epoch)).arg(view.compressibleLayers());
    const auto mild = view.run().mildShare;
    return {value, mild ? percentText(*mild) + " of layer-epochs mild" : QString("in this epoch")};
}

TileText timeTile(const RunView& view) {
    const RunRow& run = view.run();
    const QString epochs =
        QString("%1 of %2 epochs").arg(view.lastEpoch() + 1).arg(run.epochsPlanned);
    if (!isActive(run.status)) {
        return {durationText(run.trainSeconds), epochs};
    }
    const double left = view.secondsLeft();
    return {left < 0 ? QString(kNone) : durationText(left), epochs};
}

}  // namespace

QStringList tileTitles(const RunView& view) {
    return {"Test accuracy", view.showsPayload() ? "Payload bytes" : "Sent per rank",
            "Less than dense fp32", "Critical layers",
            isActive(view.run().status) ? "Training time left" : "Trained for"};
}

std::vector<TileText> tileTexts(const RunView& view) {
    return {accuracyTile(view), bytesTile(view), savingsTile(view), criticalTile(view),
            timeTile(view)};
}

}  // namespace concertina::gui
