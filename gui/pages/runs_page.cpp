// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/runs_page.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/runs_filter.h"
#include "gui/models/runs_model.h"
#include "gui/widgets/run_delegates.h"

namespace concertina::gui {
namespace {

constexpr int kStudyColumn = 2, kStartedColumn = 12;
// In the order of runColumns(), in widths of a zero.
constexpr int kColumnDigits[] = {12, 21, 24, 11, 12, 6, 17, 10, 12, 9, 9, 12, 13};

bool anyRun(const RunRow&) { return true; }

bool isActiveRun(const RunRow& run) { return isActive(run.status); }

bool isLostRun(const RunRow& run) { return run.status == RunStatus::Lost; }

}  // namespace

RunsPage::RunsPage(RunsModel* model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      filter_(new RunsFilter(this)),
      stack_(new QStackedWidget(this)) {
    filter_->setSourceModel(model_);
    makeActions();
    stack_->addWidget(makeTable());
    stack_->addWidget(makeEmpty());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeTop());
    layout->addWidget(stack_, 1);
    connect(filter_, &QAbstractItemModel::modelReset, this, &RunsPage::showCounts);
    connect(filter_, &QAbstractItemModel::rowsInserted, this, &RunsPage::showCounts);
    connect(filter_, &QAbstractItemModel::rowsRemoved, this, &RunsPage::showCounts);
    connect(filter_, &QAbstractItemModel::dataChanged, this, &RunsPage::showCounts);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RunsPage::updateActions);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_->setFilterText(text);
        showCounts();
    });
    showCounts();
    updateActions();
}

void RunsPage::makeActions() {
    const auto make = [this](const QString& text, const QKeySequence& keys, const QString& tip) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(tip + (keys.isEmpty()
                                      ? QString()
                                      : " (" + keys.toString(QKeySequence::NativeText) + ')'));
        addAction(action);
        return action;
    };
    open_ = make(QStringLiteral("Open live"), Qt::Key_Return,
                 QStringLiteral("Show this run's layers, bytes and curves"));
    compare_ = make(QStringLiteral("Compare"), QKeySequence(Qt::CTRL | Qt::Key_E),
                    QStringLiteral("Overlay the selected runs; the first is the baseline"));
    stop_ = make(QStringLiteral("Stop"), {},
                 QStringLiteral("End the selected runs after the current step"));
    copy_ =
        make(QStringLiteral("Copy command line"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
             QStringLiteral("Copy what a shell needs to start the same run"));
    closeLost_ = make(QStringLiteral("Close lost"), {},
                      QStringLiteral("Mark runs whose supervisor vanished as failed"));
    connect(open_, &QAction::triggered, this,
            [this] { Q_EMIT openRequested(selectedRuns().value(0)); });
    connect(compare_, &QAction::triggered, this,
            [this] { Q_EMIT compareRequested(selectedRuns()); });
    connect(stop_, &QAction::triggered, this,
            [this] { Q_EMIT stopRequested(selectedIds(isActiveRun)); });
    connect(copy_, &QAction::triggered, this,
            [this] { Q_EMIT copyCommandRequested(selectedRuns().value(0)); });
    connect(closeLost_, &QAction::triggered, this,
            [this] { Q_EMIT closeLostRequested(selectedIds(isLostRun)); });
}

QWidget* RunsPage::makeTop() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(16, 8, 16, 8);
    layout->setSpacing(8);
    for (QAction* action : {open_, compare_, stop_, copy_, closeLost_}) {
        auto* button = new QToolButton(bar);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        layout->addWidget(button);
        connect(action, &QAction::changed, button,
                [action, button] { button->setVisible(action->isVisible()); });
    }
    layout->addStretch(1);
    counts_ = new QLabel(bar);
    counts_->setObjectName(QStringLiteral("hint"));
    search_ = new QLineEdit(bar);
    search_->setObjectName(QStringLiteral("filter"));
    search_->setClearButtonEnabled(true);
    search_->setPlaceholderText(QStringLiteral("Filter: accordion  status=running,failed  seed=1"));
    search_->setToolTip(
        QStringLiteral("Words must all match. With a key: status, name, study, variant, policy, "
                       "compressor, model, data, seed, id (Ctrl+F)"));
    search_->setMinimumWidth(fontMetrics().horizontalAdvance('0') * 44);
    auto* focus = new QAction(this);
    focus->setShortcut(QKeySequence::Find);
    focus->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(focus);
    connect(focus, &QAction::triggered, search_, qOverload<>(&QWidget::setFocus));
    layout->addWidget(counts_);
    layout->addWidget(search_);
    return bar;
}

QWidget* RunsPage::makeTable() {
    table_ = new QTableView(this);
    table_->setModel(filter_);
    table_->setItemDelegateForColumn(kStatusColumn, new StatusDelegate(this));
    table_->setItemDelegateForColumn(kProgressColumn, new ProgressDelegate(this));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setTabKeyNavigation(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    table_->verticalHeader()->setSectionResizeMode(
        QHeaderView::Fixed);  // no per-row measuring: 10,000 rows
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setSectionsMovable(true);
    table_->setSortingEnabled(true);
    table_->sortByColumn(kStartedColumn, Qt::DescendingOrder);
    const int digit = fontMetrics().horizontalAdvance('0');
    for (int column = 0; column < int(std::size(kColumnDigits)); ++column) {
        table_->setColumnWidth(column, kColumnDigits[column] * digit);
    }
    table_->horizontalHeader()->setSectionResizeMode(kStudyColumn, QHeaderView::Stretch);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    table_->addActions({open_, compare_, stop_, copy_, closeLost_});
    connect(table_, &QTableView::doubleClicked, open_, &QAction::trigger);
    return table_;
}

QWidget* RunsPage::makeEmpty() {
    auto* page = new QWidget(this);
    auto* text = new QLabel(
        QStringLiteral("No runs yet.\nRun the first study to see what adaptive compression does, "
                       "or set up a run of your own."),
        page);
    text->setAlignment(Qt::AlignCenter);
    text->setWordWrap(true);
    auto* first = new QPushButton(QStringLiteral("Run the first study"), page);
    first->setProperty("role", "primary");
    auto* own = new QPushButton(QStringLiteral("New run"), page);
    connect(first, &QPushButton::clicked, this, &RunsPage::firstStudyRequested);
    connect(own, &QPushButton::clicked, this, &RunsPage::newRunRequested);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(first);
    buttons->addWidget(own);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(page);
    layout->setSpacing(16);
    layout->addStretch(2);
    layout->addWidget(text);
    layout->addLayout(buttons);
    layout->addStretch(3);
    return page;
}

void RunsPage::showCounts() {
    stack_->setCurrentIndex(model_->rowCount() == 0 ? 1 : 0);
    const int all = model_->rowCount();
    const int shown = filter_->rowCount();
    counts_->setText(shown == all
                         ? QStringLiteral("%1 runs, %2 active").arg(all).arg(model_->countActive())
                         : QStringLiteral("%1 of %2 runs").arg(shown).arg(all));
    updateActions();
}

void RunsPage::updateActions() {
    const auto chosen = selection();
    const auto any = [&](auto condition) {
        return std::any_of(chosen.begin(), chosen.end(),
                           [&](const RunRow* run) { return condition(*run); });
    };
    open_->setEnabled(chosen.size() == 1);
    copy_->setEnabled(chosen.size() == 1);
    compare_->setEnabled(!chosen.empty());
    stop_->setEnabled(any(isActiveRun));
    closeLost_->setEnabled(any(isLostRun));
    closeLost_->setVisible(any(isLostRun));
}

std::vector<const RunRow*> RunsPage::selection() const {
    std::vector<const RunRow*> runs;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
        runs.push_back(&filter_->run(index.row()));
    }
    return runs;
}

template <typename Condition>
QStringList RunsPage::selectedIds(Condition condition) const {
    QStringList ids;
    for (const RunRow* run : selection()) {
        if (condition(*run)) {
            ids << QString::fromStdString(run->id);
        }
    }
    return ids;
}

QStringList RunsPage::selectedRuns() const { return selectedIds(anyRun); }

void RunsPage::setFilterText(const QString& text) { search_->setText(text); }

}  // namespace concertina::gui
