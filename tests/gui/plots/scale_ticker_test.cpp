// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/scale_ticker.h"

#include <gtest/gtest.h>

namespace concertina::gui {
namespace {

QVector<QString> labels(QCPAxisTicker& ticker, double lower, double upper) {
    QVector<double> ticks;
    QVector<QString> texts;
    ticker.generate(QCPRange(lower, upper), QLocale::c(), 'g', 6, ticks, nullptr, &texts);
    QVector<QString> inside;
    for (int i = 0; i < ticks.size(); ++i) {
        if (ticks[i] >= lower && ticks[i] <= upper) {
            inside << texts[i];
        }
    }
    return inside;
}

TEST(ScaleTicker, LogAxesAreLabelledWhateverTheirSpan) {
    ScaleTicker bytes(TickUnit::Bytes, true);
    EXPECT_EQ(labels(bytes, 5e3, 2e6), (QVector<QString>{"10 kB", "100 kB", "1 MB"}));
    EXPECT_EQ(labels(bytes, 0.9e6, 12e6), (QVector<QString>{"1 MB", "2 MB", "5 MB", "10 MB"}));
    ScaleTicker number(TickUnit::Number, true);
    EXPECT_GE(labels(number, 1.0, 1.2).size(), 2);
    EXPECT_GE(labels(number, 1e-12, 1e3).size(), 3);
    EXPECT_LE(labels(number, 1e-12, 1e3).size(), 6);
}

TEST(ScaleTicker, SharesArePercent) {
    ScaleTicker ticker(TickUnit::Percent, false);
    EXPECT_TRUE(labels(ticker, 0, 1).contains(QString("50%1%").arg(QChar(0x202F))));
}

TEST(EpochTicker, WholeEpochsOnly) {
    EpochTicker ticker;
    EXPECT_EQ(labels(ticker, 0.5, 3.5), (QVector<QString>{"1", "2", "3"}));
    for (const QString& label : labels(ticker, 0.5, 300.5)) {
        EXPECT_FALSE(label.contains('.'));
    }
}

}  // namespace
}  // namespace concertina::gui
