// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/runs_filter.h"

#include <algorithm>
#include <cmath>

#include "gui/models/runs_model.h"

namespace concertina::gui {
namespace {

struct FilterKey {
    const char* name;
    QString (*text)(const RunRow& run);
    bool exact;  // the whole text must be equal; else a piece of it is enough
};

const FilterKey kKeys[] = {
    {"status", [](const RunRow& run) { return QString::fromLatin1(toText(run.status)); }, true},
    {"seed", [](const RunRow& run) { return QString::number(run.seed); }, true},
    {"name", [](const RunRow& run) { return QString::fromStdString(run.name); }, false},
    {"id", [](const RunRow& run) { return QString::fromStdString(run.id); }, false},
    {"study", [](const RunRow& run) { return QString::fromStdString(run.study); }, false},
    {"variant", [](const RunRow& run) { return QString::fromStdString(run.variant); }, false},
    {"policy", [](const RunRow& run) { return QString::fromStdString(run.policy); }, false},
    {"compressor", [](const RunRow& run) { return QString::fromStdString(run.compressor); }, false},
    {"model", [](const RunRow& run) { return QString::fromStdString(run.model); }, false},
    {"data", [](const RunRow& run) { return QString::fromStdString(run.dataset); }, false},
};

const FilterKey* findKey(const QString& name) {
    const auto found = std::find_if(std::begin(kKeys), std::end(kKeys), [&](const FilterKey& key) {
        return name == QLatin1String(key.name);
    });
    return found == std::end(kKeys) ? nullptr : found;
}

bool matches(const FilterKey& key, const QString& wanted, const RunRow& run) {
    const QString text = key.text(run);
    return key.exact ? text.compare(wanted, Qt::CaseInsensitive) == 0
                     : text.contains(wanted, Qt::CaseInsensitive);
}

}  // namespace

RunsFilter::RunsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setDynamicSortFilter(true);
}

void RunsFilter::setFilterText(const QString& text) {
    terms_.clear();
    for (const QString& word : text.split(' ', Qt::SkipEmptyParts)) {
        const auto equals = word.indexOf('=');
        const QString key = word.left(std::max<qsizetype>(equals, 0)).toLower();
        if (equals > 0 && findKey(key) != nullptr) {
            // "status=" alone is a filter still being typed: it hides nothing.
            const QStringList values = word.mid(equals + 1).split(',', Qt::SkipEmptyParts);
            if (!values.isEmpty()) {
                terms_.push_back({key, values});
            }
        } else {
            terms_.push_back({{}, {word}});
        }
    }
    invalidateFilter();
}

const RunRow& RunsFilter::run(int proxyRow) const {
    return static_cast<const RunsModel*>(sourceModel())->run(mapToSource(index(proxyRow, 0)).row());
}

bool RunsFilter::filterAcceptsRow(int sourceRow, const QModelIndex&) const {
    const RunRow& run = static_cast<const RunsModel*>(sourceModel())->run(sourceRow);
    return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
        if (const FilterKey* key = findKey(term.key)) {
            return std::any_of(term.values.begin(), term.values.end(),
                               [&](const QString& value) { return matches(*key, value, run); });
        }
        return std::any_of(std::begin(kKeys), std::end(kKeys), [&](const FilterKey& any) {
            return matches(any, term.values.front(), run);
        });
    });
}

bool RunsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const auto* model = static_cast<const RunsModel*>(sourceModel());
    const RunColumn& column = runColumns()[std::size_t(left.column())];
    const RunRow& a = model->run(left.row());
    const RunRow& b = model->run(right.row());
    if (column.numeric) {
        const double x = column.number(a);
        const double y = column.number(b);
        if (std::isnan(x) || std::isnan(y)) {
            // A run without a value stays at the end in both orders.
            return std::isnan(x) == std::isnan(y)
                       ? left.row() < right.row()
                       : std::isnan(sortOrder() == Qt::AscendingOrder ? y : x);
        }
        return x == y ? left.row() < right.row() : x < y;
    }
    const int order = QString::localeAwareCompare(column.text(a), column.text(b));
    return order == 0 ? left.row() < right.row() : order < 0;
}

}  // namespace concertina::gui
