// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/row_ticker.h"

#include <algorithm>
#include <cmath>

namespace concertina::gui {
namespace {

constexpr int kMaxNamePixels = 118;

}  // namespace

RowTicker::RowTicker(const QCPAxis& axis,
                     const std::vector<MapRow>& rows,
                     std::optional<int> selected)
    : axis_(axis) {
    const QFontMetrics metrics(axis.tickLabelFont());
    if (selected) {
        kept_.push_back(*selected);
    }
    for (const MapRow& row : rows) {
        if (row.layer < 0) {
            kept_.push_back(int(names_.size()));
        }
        names_ << metrics.elidedText(row.name, Qt::ElideMiddle, kMaxNamePixels);
    }
}

void RowTicker::generate(const QCPRange& range,
                         const QLocale&,
                         QChar,
                         int,
                         QVector<double>& ticks,
                         QVector<double>* subTicks,
                         QVector<QString>* labels) {
    const double rowPixels = axis_.axisRect()->height() / std::max(1.0, range.size());
    const QFontMetrics metrics(axis_.tickLabelFont());
    const int every = std::max(1, int(std::ceil(metrics.height() / std::max(1.0, rowPixels))));
    std::vector<int> shown = kept_;
    for (int row = 0; row < int(names_.size()); row += every) {
        const bool free = std::none_of(kept_.begin(), kept_.end(),
                                       [&](int kept) { return std::abs(kept - row) < every; });
        if (free) {
            shown.push_back(row);
        }
    }
    std::sort(shown.begin(), shown.end());
    ticks.clear();
    if (labels != nullptr) {
        labels->clear();
    }
    for (const int row : shown) {
        ticks.push_back(row);
        if (labels != nullptr) {
            labels->push_back(names_[row]);
        }
    }
    if (subTicks != nullptr) {
        subTicks->clear();
    }
}

}  // namespace concertina::gui
