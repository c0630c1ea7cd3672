// SPDX-License-Identifier: GPL-3.0-or-later
// RowTicker: names of the level map's rows, as many as fit at the present zoom. The selected row
// and the folded one keep their names when others must go. GUI thread.
#pragma once
#include <optional>

#include "gui/live/level_map.h"

namespace concertina::gui {

class RowTicker : public QCPAxisTicker {
 public:
    /// `axis` owns the ticker.
    RowTicker(const QCPAxis& axis, const std::vector<MapRow>& rows, std::optional<int> selected);
    void generate(const QCPRange& range,
                  const QLocale& locale,
                  QChar formatChar,
                  int precision,
                  QVector<double>& ticks,
                  QVector<double>* subTicks,
                  QVector<QString>* labels) override;

 private:
    const QCPAxis& axis_;
    QStringList names_;
    std::vector<int> kept_;  // rows whose names come first
};

}  // namespace concertina::gui
