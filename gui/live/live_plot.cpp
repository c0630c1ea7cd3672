// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live/live_plot.h"

#include <algorithm>
#include <cmath>

#include "gui/live/level_map.h"
#include "gui/live/live_curves.h"
#include "gui/live/row_ticker.h"
#include "gui/widgets/format.h"
#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

constexpr int kRightMarginPixels = 88;

}  // namespace

LivePlot::LivePlot(const RunView& view, QWidget* parent) : TimePlot(parent), view_(view) {
    addPanels();
    setXAxis("epoch", QSharedPointer<QCPAxisTicker>(new EpochTicker));
    connect(this, &TimePlot::cursorMoved, this, [this](double x) {
        const int epoch = int(std::floor(x - 0.5));
        const bool known = epoch >= 0 && epoch <= view_.lastEpoch();
        setCursorEpoch(known ? std::optional(epoch) : std::nullopt);
    });
    connect(this, &TimePlot::cursorLeft, this, [this] {
        hoveredLayer_.reset();
        setCursorEpoch({});
    });
    LivePlot::setColors(colors());
}

void LivePlot::addPanels() {
    lossPanel_ = &addPanel({"Loss and accuracy", "Does it still learn?", "loss"}, {1.0, 84});
    lossPanel_->setRightScale(TickUnit::Percent, "test accuracy");
    lossPanel_->setFormat(numberText, percentText);
    bytesPanel_ = &addPanel({"Bytes", "How much is sent, against not compressing?", ""}, {1.0, 84});
    bytesPanel_->setScale(TickUnit::Bytes, true);
    bytesPanel_->setFormat(bytesText, bytesText);
    criticalPanel_ =
        &addPanel({"Critical layers", "When did training change fast?", ""}, {0.3, 34, 44});
    mapPanel_ = &addPanel({"Levels", "Which layer was sent how, when and why?", ""}, {1.6, 60});
    normPanel_ = &addPanel({"Gradient norm", "What does the detector see?", "l2 norm"}, {1.0, 84});
    normPanel_->setScale(TickUnit::Number, true);
    ratioPanel_ = &addPanel({"Change ratio", "Why did levels change?", "ratio"}, {0.8, 66});

    critical_ = new StepArea(criticalPanel_->x(), criticalPanel_->y());
    map_ = new LevelMap(mapPanel_->x(), mapPanel_->y());
    mapPanel_->y()->setRangeReversed(true);
    mapPanel_->y()->grid()->setVisible(false);
    mapPanel_->x()->grid()->setVisible(false);
    normShading_ = new Shading(normPanel_->x(), normPanel_->y());
    ratioShading_ = new Shading(ratioPanel_->x(), ratioPanel_->y());
    normBand_ = new Band(normPanel_->x(), normPanel_->y());
    otherNorms_ = new CurveSet(normPanel_->x(), normPanel_->y());
    stems_ = new Stems(ratioPanel_->x(), ratioPanel_->y());
    byteLabels_ = new EdgeLabels(bytesPanel_->x(), bytesPanel_->y());
    etaLabel_ = new EdgeLabels(ratioPanel_->x(), ratioPanel_->y());
    mapPanel_->rect()->setMinimumMargins(QMargins(8, 3, kRightMarginPixels, 3));
    criticalPanel_->setTableSource([this] { return criticalTable(view_); });
    mapPanel_->setTableSource([this] { return layerTable(view_); });
    normPanel_->setTableSource([this] { return layerTable(view_); });
    ratioPanel_->setTableSource([this] { return decisionTable(view_); });
}

void LivePlot::setColors(const PlotPalette& palette) {
    TimePlot::setColors(palette);
    QFont small = font();
    small.setPointSizeF(9);
    map_->setFont(small);
    byteLabels_->setFont(small);
    etaLabel_->setFont(small);
    map_->setColors(palette);
    critical_->setBrush(palette.critical);
    normShading_->setColor(palette.critical, palette.shadingOpacity);
    ratioShading_->setColor(palette.critical, palette.shadingOpacity);
    QColor band = palette.dense;
    band.setAlphaF(0.18f);
    normBand_->setBrush(band);
    otherNorms_->setPen(QPen(palette.context, 1));
    lossPanel_->rightY()->setTickLabelColor(palette.accuracy);
    lossPanel_->rightY()->setLabelColor(palette.accuracy);
    lossPanel_->y()->setTickLabelColor(palette.loss);
    lossPanel_->y()->setLabelColor(palette.loss);
    refresh();
}

void LivePlot::refresh() {
    setXFitRange(epochRange(view_));
    refreshLoss();
    refreshBytes();
    refreshCritical();
    refreshMap();
    refreshNorm();
    refreshRatio();
    setCursorEpoch(cursorEpoch_);
    replot(rpQueuedReplot);
}

void LivePlot::refreshLoss() { lossPanel_->setCurves(lossCurves(view_, colors())); }

void LivePlot::refreshBytes() {
    const QString what = view_.showsPayload() ? "gradient payload bytes (one rank: nothing is sent)"
                                              : "gradient wire bytes sent per rank";
    bytesPanel_->header().setTitle(what.left(1).toUpper() + what.mid(1) +
                                   (cumulative_ ? ", so far" : ", each epoch"));
    bytesPanel_->header().setQuestion("What does it save?");
    bytesPanel_->y()->setLabel(view_.showsPayload() ? "payload" : "sent");
    std::vector<Curve> curves = byteCurves(view_, colors(), cumulative_);
    std::vector<EdgeLabels::Label> labels;
    for (const Curve& curve : curves) {
        if (!curve.y.empty()) {
            labels.push_back({curve.y.back(), curve.name, curve.pen.color()});
        }
    }
    byteLabels_->setLabels(std::move(labels));
    bytesPanel_->setCurves(std::move(curves));
}

void LivePlot::refreshCritical() {
    const int layers = view_.compressibleLayers();
    criticalPanel_->header().setTitle(QString("Critical layers of %1").arg(layers));
    critical_->setSeries(criticalCounts(view_));
    QSharedPointer<QCPAxisTickerText> ends(new QCPAxisTickerText);
    ends->addTick(0, "0");
    ends->addTick(layers, QString::number(layers));
    criticalPanel_->y()->setTicker(ends);
    criticalPanel_->setYFitRange(QCPRange(0, std::max(1, layers)));
    criticalPanel_->fitY();
}

void LivePlot::refreshMap() {
    std::vector<MapRow> rows = mapRows(view_, smallOpen_);
    const int count = std::max(1, int(rows.size()));
    std::optional<int> selectedRow;
    for (int row = 0; selected_ && row < int(rows.size()); ++row) {
        if (rows[std::size_t(row)].layer == *selected_) {
            selectedRow = row;
        }
    }
    QCPAxis& names = *mapPanel_->y();
    names.setTicker(QSharedPointer<QCPAxisTicker>(new RowTicker(names, rows, selectedRow)));
    map_->setRows(std::move(rows), int(view_.levelNames().size()));
    map_->setSelectedRow(selectedRow);
    mapPanel_->setYFitRange(QCPRange(-0.5, count - 0.5));
    if (mapPanel_->isYFitted()) {
        mapPanel_->fitY();
    }
    mapPanel_->rect()->setMinimumSize(50, std::clamp(count * 5, 44, 400));
    mapPanel_->rect()->setMaximumSize(QWIDGETSIZE_MAX, std::max(60, count * 24));
    mapLegend();
}

void LivePlot::mapLegend() {
    std::vector<LegendEntry> entries;
    const QStringList& names = view_.levelNames();
    for (int level = 0; level < names.size(); ++level) {
        const QColor color = levelColor(colors(), level, int(names.size()));
        const QString role = level == 0 ? "mild: " : level == names.size() - 1 ? "strong: " : "";
        entries.push_back({role + names[level], QPen(color), Swatch::Area});
    }
    entries.push_back({"dense", QPen(colors().dense), Swatch::Area});
    entries.push_back({"critical", QPen(colors().critical), Swatch::Cap});
    entries.push_back({"i initial  d lr decay  0 zero norm  m manual", QPen(), Swatch::None});
    entries.push_back({"not finite", QPen(colors().text, 1.5), Swatch::Cross});
    entries.push_back({"share of bytes", QPen(colors().context), Swatch::Area});
    mapPanel_->header().setLegend(std::move(entries));
}

void LivePlot::refreshNorm() {
    const LayerView* layer = selectedView();
    std::vector<Series> others;
    std::vector<Curve> curves;
    std::vector<double> shown;
    if (layer != nullptr) {
        for (const LayerView& other : view_.layers()) {
            if (other.row.compressible && &other != layer) {
                others.push_back(normSeries(other));
                shown.insert(shown.end(), others.back().y.begin(), others.back().y.end());
            }
        }
        Series own = normSeries(*layer);
        curves.push_back(
            {layer->shortName, QPen(colors().text, 2), std::move(own.x), std::move(own.y), true});
        normBand_->setData({}, {});
    } else {
        NormSummary summary = normSummary(view_);
        shown = summary.low.y;
        shown.insert(shown.end(), summary.high.begin(), summary.high.end());
        curves.push_back(
            {"median of layers", QPen(colors().text, 2), summary.median.x, summary.median.y});
        zeroNorms_ = summary.zeros;
        nonFiniteNorms_ = summary.nonFinite;
        normBand_->setData(std::move(summary.low), std::move(summary.high));
    }
    otherNorms_->setSeries(std::move(others));
    const auto critical =
        layer != nullptr ? criticalRanges(view_, layer->row.layer) : std::vector<QCPRange>{};
    normShading_->setIntervals(critical);
    normPanel_->setYFitAlso(std::move(shown));
    normPanel_->setCurves(std::move(curves));
}

void LivePlot::refreshRatio() {
    const LayerView* layer = selectedView();
    stems_->setStems(ratioStems(view_, colors(), selected_));
    ratioShading_->setIntervals(layer != nullptr ? criticalRanges(view_, layer->row.layer)
                                                 : std::vector<QCPRange>{});
    ratioPanel_->setYFitRange(QCPRange(0, ratioTop(view_)));
    std::vector<Curve> curves;
    std::vector<EdgeLabels::Label> labels;
    if (const auto eta = view_.eta()) {
        Curve line{"η", QPen(colors().text, 1.2, Qt::DashLine), {-1e6, 1e6}, {*eta, *eta}};
        line.inLegend = false;
        curves.push_back(std::move(line));
        labels.push_back({*eta, QString("η = %1").arg(*eta), colors().text});
    }
    etaLabel_->setLabels(std::move(labels));
    ratioPanel_->setCurves(std::move(curves));
}

/// What the curves' own legend leaves out: the band or the other layers, and what cannot be drawn.
std::vector<LegendEntry> LivePlot::normLegend() const {
    std::vector<LegendEntry> entries = normPanel_->header().legend();
    if (selectedView() != nullptr) {
        entries.insert(entries.begin(), {"other layers", QPen(colors().context)});
        entries.push_back({"critical", QPen(colors().critical), Swatch::Area});
        return entries;
    }
    entries.push_back({"10–90 % of layers", QPen(normBand_->brush().color()), Swatch::Area});
    if (zeroNorms_ + nonFiniteNorms_ > 0) {
        entries.push_back(
            {QString("not drawn: %1 zero, %2 not finite").arg(zeroNorms_).arg(nonFiniteNorms_),
             QPen(), Swatch::None});
    }
    return entries;
}

const LayerView* LivePlot::selectedView() const {
    const bool known = selected_ && *selected_ < int(view_.layers().size());
    return known ? &view_.layers()[std::size_t(*selected_)] : nullptr;
}

void LivePlot::setCumulativeBytes(bool cumulative) {
    cumulative_ = cumulative;
    refresh();
}

void LivePlot::selectLayer(std::optional<int> layer) {
    if (layer == selected_) {
        return;
    }
    selected_ = layer;
    refresh();
    Q_EMIT selectionChanged();
}

void LivePlot::setSmallTensorsOpen(bool open) {
    smallOpen_ = open;
    refresh();
}

void LivePlot::setCursorEpoch(std::optional<int> epoch) {
    cursorEpoch_ = epoch;
    const auto x = epoch ? std::optional(epochX(*epoch)) : std::nullopt;
    for (TimePanel* panel : {lossPanel_, bytesPanel_, normPanel_}) {
        panel->setLegendAt(x);
    }
    const int at = epoch.value_or(view_.lastEpoch());
    criticalPanel_->header().setLegend({{"critical", QPen(colors().critical), Swatch::Area,
                                         QString::number(view_.criticalLayersAt(at))}});
    normPanel_->header().setLegend(normLegend());
    ratioPanel_->header().setLegend(
        {{"at or above η: critical", QPen(colors().critical, 1.5), Swatch::Stem},
         {"below: stable", QPen(colors().muted, 1.5), Swatch::Stem}});
    setCursorLine(x);
    Q_EMIT cursorChanged();
}

void LivePlot::mouseMoveEvent(QMouseEvent* event) {
    hoveredLayer_.reset();
    if (panelAt(event->position()) == mapPanel_) {
        if (const auto row = map_->rowAt(event->position().y())) {
            const int layer = map_->rows()[std::size_t(*row)].layer;
            hoveredLayer_ = layer >= 0 ? std::optional(layer) : std::nullopt;
        }
    }
    TimePlot::mouseMoveEvent(event);
}

void LivePlot::mouseReleaseEvent(QMouseEvent* event) {
    TimePlot::mouseReleaseEvent(event);
    if (wasDragged() || event->button() != Qt::LeftButton ||
        panelAt(event->position()) != mapPanel_) {
        return;
    }
    if (const auto row = map_->rowAt(event->position().y())) {
        selectRow(row == map_->selectedRow() ? std::nullopt : row);
    }
}

/// Selecting the folded row opens or closes it.
void LivePlot::selectRow(std::optional<int> row) {
    if (!row) {
        selectLayer({});
        return;
    }
    const int layer = map_->rows()[std::size_t(*row)].layer;
    layer >= 0 ? selectLayer(layer) : setSmallTensorsOpen(!smallOpen_);
}

void LivePlot::moveSelection(int rows) {
    const int count = int(map_->rows().size());
    int row = map_->selectedRow() ? *map_->selectedRow() + rows : rows > 0 ? 0 : count - 1;
    while (row >= 0 && row < count && map_->rows()[std::size_t(row)].layer < 0) {
        row += rows;
    }
    if (row >= 0 && row < count) {
        selectRow(row);
    }
}

void LivePlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Up:
            return moveSelection(-1);
        case Qt::Key_Down:
            return moveSelection(1);
        case Qt::Key_Escape:
            return selectLayer({});
        case Qt::Key_Left:
        case Qt::Key_Right: {
            const int step = event->key() == Qt::Key_Left ? -1 : 1;
            const int epoch = cursorEpoch_.value_or(view_.lastEpoch() + (step < 0 ? 1 : 0)) + step;
            if (view_.lastEpoch() >= 0) {
                setCursorEpoch(std::clamp(epoch, 0, view_.lastEpoch()));
            }
            return;
        }
        default:
            TimePlot::keyPressEvent(event);
    }
}

}  // namespace concertina::gui
