// SPDX-License-Identifier: GPL-3.0-or-later
// RunsFilter: sorts and filters RunsModel. The filter text is words that must all match:
// `status=running,failed`, `policy=accordion` (also name, study, variant, compressor, model, data,
// seed) or a piece of any of these texts. GUI thread.
#pragma once
#include <QSortFilterProxyModel>
#include <QStringList>
#include <vector>

#include "core/store/records.h"

namespace concertina::gui {

class RunsFilter : public QSortFilterProxyModel {
    Q_OBJECT
 public:
    explicit RunsFilter(QObject* parent = nullptr);
    void setFilterText(const QString& text);
    const RunRow& run(int proxyRow) const;

 protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
    struct Term {
        QString key;         // empty: any text
        QStringList values;  // one of these
    };
    std::vector<Term> terms_;
};

}  // namespace concertina::gui
