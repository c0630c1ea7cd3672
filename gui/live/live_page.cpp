// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/live_page.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/live/live_plot.h"
#include "gui/live/tile_texts.h"
#include "gui/widgets/file_dialogs.h"
#include "gui/widgets/format.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/tile.h"

namespace concertina::gui {
namespace {

constexpr int kRepaintMs = 100;

QString detailsOf(const RunRow& run) {
    const auto text = [](const std::string& part) { return QString::fromStdString(part); };
    const QString ranks = run.ranks == 1 ? "1 rank" : QString("%1 ranks").arg(run.ranks);
    return QStringList{text(run.compressor) + ", " + text(run.policy),
                       text(run.model) + " on " + text(run.dataset),
                       ranks + " on " + text(run.device), QString("seed %1").arg(run.seed)}
        .join(QString("  %1  ").arg(QChar(0xB7)));
}

QString statusOf(const RunRow& run) {
    const QString status = toText(run.status);
    return run.reason.empty() ? status : status + ": " + QString::fromStdString(run.reason);
}

/// Without a layer: the whole model in that epoch.
QString overview(const RunView& view, int epoch) {
    const auto row = std::find_if(view.epochs().begin(), view.epochs().end(),
                                  [epoch](auto& one) { return one.epoch == epoch; });
    if (row == view.epochs().end()) {
        return isActive(view.run().status)
                   ? QString("Waiting for the first epoch to end.")
                   : "No epoch was finished. Status: " + statusOf(view.run());
    }
    const ByteTotals totals = totalsOf({&*row, 1}, view.run().ranks);
    return QString(
               "Epoch %1: %2 of %3 layers critical; %4 %5, dense fp32 %6. Point at or select a "
               "layer to see why it has its level.")
        .arg(epoch + 1)
        .arg(view.criticalLayersAt(epoch))
        .arg(view.compressibleLayers())
        .arg(view.showsPayload() ? "payload" : "sent")
        .arg(bytesText(totals.sentBytes), bytesText(totals.denseFp32Bytes));
}

}  // namespace

LivePage::LivePage(const std::filesystem::path& store, QWidget* parent)
    : QWidget(parent), feed_(store), plot_(new LivePlot(view_)) {
    body_ = new QWidget(this);
    tiles_ = new TileRow(tileTitles(view_), body_);
    scroll_ = new QScrollArea(body_);
    scroll_->setWidget(plot_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    sentence_ = new QLabel(body_);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    sentence_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    message_ = new QLabel(this);
    message_->setAlignment(Qt::AlignCenter);
    message_->setWordWrap(true);
    exported_ = new MessageBar(this);

    auto* inside = new QVBoxLayout(body_);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(8);
    inside->addWidget(makeHead());
    inside->addWidget(tiles_);
    inside->addWidget(scroll_, 1);
    inside->addWidget(sentence_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 8);
    layout->addWidget(exported_);
    layout->addWidget(body_, 1);
    layout->addWidget(message_, 1);

    connect(&feed_, &RunFeed::updated, this, &LivePage::take);
    connect(plot_, &LivePlot::cursorChanged, this, &LivePage::updateSentence);
    connect(&repaintTimer_, &QTimer::timeout, this, &LivePage::repaintPage);
    repaintTimer_.start(kRepaintMs);
    showRun({});
}

LivePage::~LivePage() = default;

QWidget* LivePage::makeHead() {
    auto* head = new QWidget(body_);
    name_ = new QLabel(head);
    QFont large = name_->font();
    large.setPointSizeF(13);
    large.setWeight(QFont::DemiBold);
    name_->setFont(large);
    details_ = new QLabel(head);
    for (QLabel* label : {name_, details_}) {
        label->setTextFormat(Qt::PlainText);
    }
    details_->setForegroundRole(QPalette::PlaceholderText);
    details_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    cumulative_ = new QCheckBox("Bytes summed up", head);
    connect(cumulative_, &QCheckBox::toggled, plot_, &LivePlot::setCumulativeBytes);
    follow_ = new QCheckBox("Follow", head);
    follow_->setChecked(true);
    follow_->setToolTip(
        "Keeps the newest epoch in view. Panning or zooming ends it; double-click fits again.");
    connect(follow_, &QCheckBox::toggled, plot_, &LivePlot::setFollowing);
    connect(plot_, &LivePlot::followingChanged, follow_, &QCheckBox::setChecked);
    auto* more = new QToolButton(head);
    more->setText("Plots");
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    fillMenu(*menu);
    more->setMenu(menu);
    stop_ = new QPushButton("Stop", head);
    connect(stop_, &QPushButton::clicked, this, [this] { Q_EMIT stopRequested(runId_); });

    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(name_);
    row->addSpacing(8);
    row->addWidget(details_, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{cumulative_, follow_, more, stop_}) {
        row->addWidget(widget);
    }
    return head;
}

void LivePage::fillMenu(QMenu& menu) {
    QMenu* data = menu.addMenu("Show data");
    for (const auto& panel : plot_->panels()) {
        QAction* action = data->addAction(panel->header().title());
        connect(action, &QAction::triggered, this,
                [this, shown = panel.get()] { plot_->showData(*shown); });
        connect(data, &QMenu::aboutToShow, action,
                [action, shown = panel.get()] { action->setText(shown->header().title()); });
    }
    menu.addAction("Fit all", QKeySequence("Home"), plot_, &LivePlot::fit);
    menu.addAction("Export as PNG or SVG…", this, &LivePage::exportPlot)->setObjectName("export");
}

void LivePage::exportPlot() {
    askForFileToSave(this, "Export plots", name_->text(),
                     "SVG picture (*.svg);;PNG picture (*.png)", [this](const QString& file) {
                         const QString problem = plot_->exportTo(file);
                         problem.isEmpty()
                             ? exported_->showNotice(QString("Exported %1.").arg(file))
                             : exported_->showError(problem);
                     });
}

void LivePage::showRun(const QString& runId) {
    runId_ = runId;
    view_.clear();
    plot_->selectLayer({});
    plot_->fit();
    feed_.watch(runId);
    showMessage(runId.isEmpty()
                    ? "No run is shown. Choose one under Runs, or start one under New run."
                    : "Reading the run…");
}

void LivePage::setDark(bool dark) { plot_->setColors(plotPalette(dark)); }

void LivePage::take(const RunUpdate& update) {
    if (!update.problem.isEmpty()) {
        showMessage(update.problem);
        return;
    }
    view_.apply(update);
    dirty_ = true;
}

void LivePage::showMessage(const QString& text) {
    message_->setText(text);
    message_->show();
    body_->hide();
}

/// At a fixed rate, however fast updates come.
void LivePage::repaintPage() {
    if (!dirty_) {
        return;
    }
    dirty_ = false;
    const RunRow& run = view_.run();
    name_->setText(QString::fromStdString(run.name));
    details_->setText(detailsOf(run) + QString("  %1  ").arg(QChar(0xB7)) + statusOf(run));
    details_->setToolTip(details_->text());
    stop_->setVisible(isActive(run.status));
    const std::vector<TileText> texts = tileTexts(view_);
    const QStringList titles = tileTitles(view_);
    for (int tile = 0; tile < int(texts.size()); ++tile) {
        tiles_->setTile(tile, titles[tile], texts[std::size_t(tile)]);
    }
    plot_->refresh();
    plot_->setMinimumHeight(plot_->minimumPlotHeight());
    updateSentence();
    message_->hide();
    body_->show();
}

void LivePage::updateSentence() {
    const int epoch = plot_->cursorEpoch().value_or(view_.lastEpoch());
    const auto layer = plot_->hoveredLayer() ? plot_->hoveredLayer() : plot_->selectedLayer();
    const QString text = layer ? view_.explain(*layer, epoch) : overview(view_, epoch);
    sentence_->setText(text);
    sentence_->setToolTip(text);
}

}  // namespace concertina::gui
