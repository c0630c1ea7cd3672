// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run_text.h"

#include <QDateTime>
#include <QLocale>

namespace concertina::gui {
namespace {

std::optional<double> quotient(double dense, double sent) {
    if (sent <= 0 || dense <= 0) {
        return {};
    }
    return dense / sent;
}

}  // namespace

QString dateTimeText(std::int64_t unixMs) {
    if (unixMs <= 0) {
        return kNoValue;
    }
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(unixMs);
    const bool thisYear = time.date().year() == QDate::currentDate().year();
    return QLocale::c().toString(time, thisYear ? "d MMM HH:mm" : "d MMM yyyy HH:mm");
}

std::optional<double> SentBytes::ratioToFp32() const { return quotient(denseFp32, sent); }

std::optional<double> SentBytes::ratioToFp16() const { return quotient(denseFp32 / 2, sent); }

SentBytes sentBytes(const RunRow& run) {
    return run.ranks > 1 ? SentBytes{run.wireBytes, run.denseFp32WireBytes, false}
                         : SentBytes{run.payloadBytes, run.denseFp32PayloadBytes, true};
}

SentBytes sentBytes(const EpochRow& epoch, int ranks) {
    return ranks > 1 ? SentBytes{epoch.wireBytes, epoch.denseFp32WireBytes, false}
                     : SentBytes{epoch.payloadBytes, epoch.denseFp32PayloadBytes, true};
}

}  // namespace concertina::gui
