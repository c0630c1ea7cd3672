// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/compare_model.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <cmath>
#include <set>

#include "gui/models/run_text.h"
#include "gui/models/runs_model.h"
#include "gui/widgets/format.h"
#include "gui/widgets/table_column.h"

namespace concertina::gui {
namespace {

using Spread = MeanSpread CompareGroup::*;
using Format = QString (*)(double);

QString signedText(double value, int decimals, const QString& unit) {
    // U+2212, as wide as the plus: columns of differences stay aligned.
    const QString digits = QString::number(std::abs(value), 'f', decimals);
    const bool isZero = digits.toDouble() == 0;
    return (isZero      ? QStringLiteral("±")
            : value < 0 ? QStringLiteral("−")
                        : QStringLiteral("+")) +
           digits + ' ' + unit;
}

QString pointsText(double value, double baseline) {
    return signedText((value - baseline) * 100, 1, QStringLiteral("pp"));
}

QString shareText(double value, double baseline) {
    return baseline == 0 ? kNoValue
                         : signedText((value / baseline - 1) * 100, 1, QStringLiteral("%"));
}

struct Column {
    const char* title;
    const char* tip;
    Spread value;                                     // null: the name or the status
    Format format;                                    // of a value
    QString (*difference)(double, double) = nullptr;  // set: the column shows that instead
};

const Column kColumns[] = {
    {"Run", "The first row is the baseline of the differences", nullptr, nullptr},
    {"Status", "", nullptr, nullptr},
    {"Accuracy", "Test accuracy of the last evaluated epoch", &CompareGroup::accuracy, percentText},
    {"Δ", "Accuracy minus the baseline's, in percentage points", &CompareGroup::accuracy, nullptr,
     pointsText},
    {"Bytes sent", "Gradient bytes of one rank", &CompareGroup::sentBytes, bytesText},
    {"Δ", "Bytes sent, compared with the baseline's", &CompareGroup::sentBytes, nullptr, shareText},
    {"vs fp16", "Bytes of dense fp16 ÷ bytes sent", &CompareGroup::ratioToFp16, timesText},
    {"vs fp32", "Bytes of dense fp32 ÷ bytes sent", &CompareGroup::ratioToFp32, timesText},
    {"Mild", "Share of layer-epochs of compressible layers trained at the mild level",
     &CompareGroup::mildShare, percentText},
    {"Time", "Training time, without pauses and evaluation", &CompareGroup::trainSeconds,
     durationText},
    {"Δ", "Training time, compared with the baseline's", &CompareGroup::trainSeconds, nullptr,
     shareText},
};

/// What table() writes of each group.
struct Number {
    const char* name;
    Spread value;
};
const Number kNumbers[] = {
    {"test accuracy", &CompareGroup::accuracy},
    {"gradient bytes sent per rank", &CompareGroup::sentBytes},
    {"dense fp16 / sent", &CompareGroup::ratioToFp16},
    {"dense fp32 / sent", &CompareGroup::ratioToFp32},
    {"mild share", &CompareGroup::mildShare},
    {"training time [s]", &CompareGroup::trainSeconds},
};

QString statusText(const CompareGroup& group) {
    std::set<RunStatus> states;
    for (const RunSeries& series : group.runs) {
        states.insert(series.run.status);
    }
    QStringList titles;
    for (const RunStatus status : states) {
        titles << statusTitle(status);
    }
    return titles.join(QStringLiteral(", "));
}

QString valueText(const MeanSpread& value, Format format) {
    if (value.count == 0) {
        return kNoValue;
    }
    return value.count == 1 ? format(value.mean)
                            : format(value.mean) + QStringLiteral(" ± ") + format(value.spread);
}

QString cellOf(const std::vector<CompareGroup>& groups, int row, int columnIndex) {
    const CompareGroup& group = groups[std::size_t(row)];
    const Column& column = kColumns[columnIndex];
    if (column.value == nullptr) {
        return columnIndex == 0 ? group.name : statusText(group);
    }
    const MeanSpread& value = group.*column.value;
    if (column.difference == nullptr) {
        return valueText(value, column.format);
    }
    const MeanSpread& baseline = groups.front().*column.value;
    if (row == 0) {
        return QStringLiteral("baseline");
    }
    return value.count == 0 || baseline.count == 0 ? kNoValue
                                                   : column.difference(value.mean, baseline.mean);
}

QPixmap swatch(const QPen& pen) {
    constexpr int kWidth = 24;
    constexpr int kHeight = 12;
    const double ratio = qGuiApp->devicePixelRatio();
    QPixmap pixmap(int(kWidth * ratio), int(kHeight * ratio));
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen line = pen;
    line.setWidthF(2.5);
    painter.setPen(line);
    painter.drawLine(QPointF(1, kHeight / 2.0), QPointF(kWidth - 1, kHeight / 2.0));
    return pixmap;
}

}  // namespace

void CompareModel::setGroups(std::vector<CompareGroup> groups, std::vector<QPen> pens) {
    const bool sameRows = groups.size() == groups_.size();
    if (!sameRows) {
        beginResetModel();
    }
    groups_ = std::move(groups);
    pens_ = std::move(pens);
    if (!sameRows) {
        endResetModel();
    } else if (!groups_.empty()) {
        // A live run's new numbers leave selection and scroll alone.
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

int CompareModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(groups_.size());
}

int CompareModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(std::size(kColumns));
}

QVariant CompareModel::data(const QModelIndex& index, int role) const {
    const Column& column = kColumns[index.column()];
    switch (role) {
        case Qt::DisplayRole:
            return cellOf(groups_, index.row(), index.column());
        case Qt::DecorationRole:
            return index.column() == 0 ? QVariant(swatch(pens_[std::size_t(index.row())]))
                                       : QVariant();
        case Qt::TextAlignmentRole:
            return cellAlignment(column.value != nullptr);
        case Qt::ForegroundRole:
            return column.difference != nullptr
                       ? QVariant(QGuiApplication::palette().brush(QPalette::PlaceholderText))
                       : QVariant();
        default:
            return {};
    }
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const Column& column = kColumns[section];
    return headerAnswer({column.title, column.tip, column.value != nullptr}, orientation, role);
}

DataTable CompareModel::table(const QModelIndexList& rows) const {
    std::set<int> chosen;
    for (const QModelIndex& index : rows) {
        chosen.insert(index.row());
    }
    DataTable table{
        QStringLiteral("Compared runs"), {QStringLiteral("run"), QStringLiteral("status")}, {}};
    for (const Number& number : kNumbers) {
        table.columns << QLatin1String(number.name)
                      << QLatin1String(number.name) + QStringLiteral(" (spread over seeds)");
    }
    for (int row = 0; row < rowCount(); ++row) {
        if (!chosen.empty() && chosen.count(row) == 0) {
            continue;
        }
        const CompareGroup& group = groups_[std::size_t(row)];
        std::vector<QVariant> cells{group.name, statusText(group)};
        for (const Number& number : kNumbers) {
            const MeanSpread& value = group.*number.value;
            cells.push_back(value.count > 0 ? QVariant(value.mean) : QVariant());
            cells.push_back(value.count > 1 ? QVariant(value.spread) : QVariant());
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace concertina::gui
