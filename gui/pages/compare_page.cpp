// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/compare_page.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/models/background.h"
#include "gui/models/spec_files.h"
#include "gui/plots/time_plot.h"
#include "gui/widgets/file_dialogs.h"
#include "gui/widgets/format.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

constexpr double kBandOpacity = 0.18;

QLabel* barLabel(const QString& text, QWidget* buddy) {
    auto* label = new QLabel(text);
    label->setBuddy(buddy);
    return label;
}

template <typename Enum>
Enum currentOf(const QComboBox* box) {
    return static_cast<Enum>(box->currentData().toInt());
}

template <typename Enum>
void addChoice(QComboBox* box, const QString& title, Enum value) {
    box->addItem(title, static_cast<int>(value));
}

std::vector<QPen> pensFor(const PlotPalette& palette, std::size_t count) {
    std::vector<QPen> pens;
    for (std::size_t i = 0; i < count; ++i) {
        pens.push_back(runPen(palette, int(i), 2));
    }
    return pens;
}

}  // namespace

ComparePage::ComparePage(QWidget* parent)
    : QWidget(parent),
      message_(new MessageBar(this)),
      stack_(new QStackedWidget(this)),
      plot_(new TimePlot(this)),
      panel_(&plot_->addPanel({metricTitle(CompareMetric::TestAccuracy),
                               QStringLiteral("How well do the runs do, and at what cost?"),
                               QString()})) {
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(plot_);
    splitter->addWidget(makeTable());
    splitter->setStretchFactor(0, 3);
    splitter->setSizes({600, 200});
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(splitter, 1);
    stack_->addWidget(page);
    stack_->addWidget(makeEmpty());
    stack_->setCurrentIndex(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(message_);
    layout->addWidget(stack_, 1);
    connect(plot_, &TimePlot::cursorMoved, this, [this](double x) {
        panel_->setLegendAt(x);
        plot_->setCursorLine(x);
    });
    connect(plot_, &TimePlot::cursorLeft, this, [this] {
        panel_->setLegendAt({});
        plot_->setCursorLine({});
    });
}

QWidget* ComparePage::makeBar() {
    auto* bar = new QWidget(this);
    metric_ = new QComboBox(bar);
    metric_->setObjectName(QStringLiteral("metric"));
    for (const auto metric :
         {CompareMetric::TestAccuracy, CompareMetric::TestLoss, CompareMetric::TrainLoss}) {
        addChoice(metric_, metricTitle(metric), metric);
    }
    axis_ = new QComboBox(bar);
    axis_->setObjectName(QStringLiteral("axis"));
    addChoice(axis_, QStringLiteral("Epoch"), CompareAxis::Epoch);
    addChoice(axis_, QStringLiteral("Training time"), CompareAxis::TrainTime);
    addChoice(axis_, QStringLiteral("Bytes sent"), CompareAxis::BytesSent);
    logX_ = new QCheckBox(QStringLiteral("Log"), bar);
    logX_->setToolTip(QStringLiteral("Logarithmic x axis; for bytes and time"));
    logX_->setEnabled(false);
    bySeeds_ = new QCheckBox(QStringLiteral("Mean over seeds"), bar);
    bySeeds_->setToolTip(QStringLiteral(
        "Runs that differ in the seed alone become one curve: mean, and a band of one "
        "standard deviation"));
    bySeeds_->setChecked(true);
    auto* data = new QPushButton(QStringLiteral("Show data"), bar);
    auto* save = new QPushButton(QStringLiteral("Export…"), bar);
    save->setObjectName(QStringLiteral("export"));
    save->setToolTip(QStringLiteral("The plot as PNG or SVG, its curves as CSV"));
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(16, 8, 16, 8);
    layout->setSpacing(8);
    layout->addWidget(barLabel(QStringLiteral("Show"), metric_));
    layout->addWidget(metric_);
    layout->addWidget(barLabel(QStringLiteral("over"), axis_));
    layout->addWidget(axis_);
    layout->addWidget(logX_);
    layout->addSpacing(8);
    layout->addWidget(bySeeds_);
    layout->addStretch(1);
    layout->addWidget(data);
    layout->addWidget(save);
    connect(metric_, &QComboBox::currentIndexChanged, this, [this] { draw(); });
    connect(axis_, &QComboBox::currentIndexChanged, this, [this] {
        logX_->setEnabled(currentOf<CompareAxis>(axis_) != CompareAxis::Epoch);
        draw();
        plot_->fit();
    });
    connect(logX_, &QCheckBox::toggled, this, [this] {
        draw();
        plot_->fit();
    });
    connect(bySeeds_, &QCheckBox::toggled, this, &ComparePage::regroup);
    connect(data, &QPushButton::clicked, this, [this] { plot_->showData(*panel_); });
    connect(save, &QPushButton::clicked, this, &ComparePage::exportPlot);
    return bar;
}

QTableView* ComparePage::makeTable() {
    table_ = new QTableView(this);
    table_->setModel(&model_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setIconSize(QSize(24, 12));
    table_->setTabKeyNavigation(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    const auto add = [this](const QString& title, const QKeySequence& keys, auto act) {
        auto* action = new QAction(title, table_);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        table_->addAction(action);
        connect(action, &QAction::triggered, this, act);
    };
    add(QStringLiteral("Open live"), Qt::Key_Return,
        [this] { openRow(table_->currentIndex().row()); });
    add(QStringLiteral("Use as baseline"), {},
        [this] { makeBaseline(table_->currentIndex().row()); });
    add(QStringLiteral("Copy"), QKeySequence::Copy, [this] { copyTable(); });
    connect(table_, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { openRow(index.row()); });
    return table_;
}

QWidget* ComparePage::makeEmpty() {
    auto* page = new QWidget(this);
    auto* text = new QLabel(
        QStringLiteral("Nothing to compare yet.\nSelect two or more runs on the Runs page "
                       "(Ctrl+click) and press Compare."),
        page);
    text->setAlignment(Qt::AlignCenter);
    auto* choose = new QPushButton(QStringLiteral("Choose runs"), page);
    choose->setProperty("role", "primary");
    connect(choose, &QPushButton::clicked, this, &ComparePage::runsRequested);
    auto* layout = new QVBoxLayout(page);
    layout->setSpacing(16);
    layout->addStretch(2);
    layout->addWidget(text);
    layout->addWidget(choose, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    return page;
}

void ComparePage::setRuns(const QStringList& runs) {
    series_.clear();
    regroup();
    plot_->setFollowing(true);
    Q_EMIT watchRequested(runs);
}

void ComparePage::setSeries(const RunSeriesList& series) {
    series_ = series;
    regroup();
}

void ComparePage::setDark(bool dark) {
    dark_ = dark;
    plot_->setColors(plotPalette(dark));
    regroup();
}

void ComparePage::regroup() {
    std::vector<CompareGroup> groups = compareGroups(series_, bySeeds_->isChecked());
    std::vector<QPen> pens = pensFor(plotPalette(dark_), groups.size());
    const bool isNew = int(groups.size()) != model_.rowCount();
    stack_->setCurrentIndex(groups.empty() ? 1 : 0);
    model_.setGroups(std::move(groups), std::move(pens));
    if (isNew) {
        table_->resizeColumnsToContents();
        for (int column = 0; column < model_.columnCount(); ++column) {
            table_->setColumnWidth(column, table_->columnWidth(column) + 16);
        }
    }
    draw();
}

void ComparePage::draw() {
    const auto metric = currentOf<CompareMetric>(metric_);
    const auto axis = currentOf<CompareAxis>(axis_);
    const std::vector<QPen> pens = pensFor(plotPalette(dark_), model_.groups().size());
    std::vector<MeanCurve> means;
    std::vector<Curve> curves;
    for (const CompareGroup& group : model_.groups()) {
        means.push_back(compareCurve(group, metric, axis));
        Curve curve{group.name, pens[means.size() - 1], means.back().x, means.back().mean};
        curve.points = curve.x.size() <= 60;
        curves.push_back(std::move(curve));
    }
    const bool isShare = metric == CompareMetric::TestAccuracy;
    panel_->header().setTitle(metricTitle(metric));
    panel_->y()->setLabel(metricTitle(metric).toLower());
    panel_->setFormat(isShare ? percentText : numberText, numberText);
    panel_->setScale(isShare ? TickUnit::Percent : TickUnit::Number, false);
    drawBands(means);
    panel_->setCurves(std::move(curves));
    setXScale(means);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ComparePage::drawBands(const std::vector<MeanCurve>& curves) {
    for (Band* band : bands_) {
        plot_->removePlottable(band);
    }
    bands_.clear();
    for (std::size_t i = 0; i < curves.size(); ++i) {
        if (model_.groups()[i].runs.size() < 2) {
            continue;
        }
        auto* band = new Band(panel_->x(), panel_->y());
        QColor color = runPen(plotPalette(dark_), int(i), 1).color();
        color.setAlphaF(kBandOpacity);
        band->setBrush(color);
        band->setData({curves[i].x, curves[i].low}, curves[i].high);
        bands_.push_back(band);
    }
}

void ComparePage::setXScale(const std::vector<MeanCurve>& curves) {
    const auto axis = currentOf<CompareAxis>(axis_);
    const bool isLog = logX_->isChecked() && axis != CompareAxis::Epoch;
    std::optional<QCPRange> range;
    for (const MeanCurve& curve : curves) {
        for (const double x : curve.x) {
            if (std::isfinite(x) && (!isLog || x > 0)) {
                range ? range->expand(x) : void(range = QCPRange(x, x));
            }
        }
    }
    QCPRange fit = range.value_or(isLog ? QCPRange(1, 10) : QCPRange(0, 1));
    if (isLog) {
        fit = QCPRange(fit.lower / 1.2, fit.upper * 1.2);
    } else {
        const double pad = fit.size() > 0 ? fit.size() * 0.02 : 0.5;
        fit = QCPRange((axis == CompareAxis::Epoch ? fit.lower : 0) - pad, fit.upper + pad);
    }
    const auto unit = axis == CompareAxis::BytesSent ? TickUnit::Bytes : TickUnit::Number;
    panel_->x()->setScaleType(isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot_->setXAxis(axisTitle(axis, model_.groups()),
                    axis == CompareAxis::Epoch
                        ? QSharedPointer<QCPAxisTicker>(new EpochTicker)
                        : QSharedPointer<QCPAxisTicker>(new ScaleTicker(unit, isLog, 6)));
    plot_->setXFitRange(fit);
}

void ComparePage::copyTable() const {
    QGuiApplication::clipboard()->setText(
        toTsv(model_.table(table_->selectionModel()->selectedRows())));
}

void ComparePage::openRow(int row) {
    if (row >= 0 && row < model_.rowCount()) {
        Q_EMIT openRequested(
            QString::fromStdString(model_.groups()[std::size_t(row)].runs.front().run.id));
    }
}

/// The baseline is the first row: its runs move to the front, and stay there while the page
/// watches.
void ComparePage::makeBaseline(int row) {
    if (row < 0 || row >= model_.rowCount()) {
        return;
    }
    QStringList runs;
    const auto take = [&](const CompareGroup& group) {
        for (const RunSeries& series : group.runs) {
            runs << QString::fromStdString(series.run.id);
        }
    };
    take(model_.groups()[std::size_t(row)]);
    for (int other = 0; other < model_.rowCount(); ++other) {
        if (other != row) {
            take(model_.groups()[std::size_t(other)]);
        }
    }
    Q_EMIT watchRequested(runs);
}

void ComparePage::exportPlot() {
    askForFileToSave(
        this, QStringLiteral("Export the plot"), QStringLiteral("compare"),
        QStringLiteral("PNG picture (*.png);;SVG picture (*.svg);;CSV of the curves (*.csv)"),
        [this](const QString& file) { writeExport(file); });
}

void ComparePage::writeExport(const QString& file) {
    const auto tell = [this, file](const QString& problem) {
        problem.isEmpty() ? message_->showNotice(QStringLiteral("Exported %1.").arg(file))
                          : message_->showError(problem);
    };
    if (file.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)) {
        const QByteArray csv = toCsv(panel_->table()).toUtf8();
        runInBackground(
            this, [file, csv] { return writeFile(file, csv); }, tell);
        return;
    }
    tell(plot_->exportTo(file));  // painting needs the GUI thread
}

}  // namespace concertina::gui
