// SPDX-License-Identifier: GPL-3.0-or-later
// What of a run's numbers a page shows: bytes sent (or what stands in for them), start time, a
// missing value. One place, so that the table, Compare and their copies to the clipboard agree.
// Numbers themselves: gui/widgets/format.h. Pure; any thread.
#pragma once
#include <QString>
#include <optional>

#include "core/store/records.h"

namespace concertina::gui {

/// What stands where a run has no value.
inline const QString kNoValue = QStringLiteral("–");

QString dateTimeText(
    std::int64_t unixMs);  ///< "30 Nov 18:07", with the year when it is another one

/// Gradient bytes of one rank, and what dense fp32 would have sent. A run of one rank sends nothing
/// over a wire, so its payload stands in, and every screen says so.
struct SentBytes {
    double sent = 0, denseFp32 = 0;
    bool isPayload = false;
    std::optional<double> ratioToFp32() const;
    std::optional<double> ratioToFp16() const;
};
SentBytes sentBytes(const RunRow& run);
SentBytes sentBytes(const EpochRow& epoch, int ranks);

}  // namespace concertina::gui
