// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/time_plot.h"

#include <QApplication>
#include <QClipboard>
#include <QSaveFile>
#include <QSvgGenerator>
#include <cmath>

#include "gui/widgets/palette.h"

namespace concertina::gui {

/// On the overlay layer, so that moving it does not draw the curves again.
class CursorLine : public QCPLayerable {
 public:
    explicit CursorLine(TimePlot& plot) : QCPLayerable(&plot, "overlay"), plot_(plot) {}
    std::optional<double> x;
    QColor color;

 protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
        painter->setAntialiasing(false);
    }
    void draw(QCPPainter* painter) override {
        if (!x || plot_.panels().empty()) {
            return;
        }
        const QCPAxisRect* top = plot_.panels().front()->rect();
        const QCPAxisRect* bottom = plot_.panels().back()->rect();
        const double at = std::round(plot_.panels().front()->x()->coordToPixel(*x));
        if (at < top->left() || at > top->right()) {
            return;
        }
        painter->setPen(QPen(color, 1));
        for (const auto& panel : plot_.panels()) {
            painter->drawLine(QLineF(at, panel->rect()->top(), at, panel->rect()->bottom()));
        }
        Q_UNUSED(bottom)
    }

 private:
    TimePlot& plot_;
};

TimePlot::TimePlot(QWidget* parent)
    : QCustomPlot(parent), margins_(new QCPMarginGroup(this)), palette_(&plotPalette(false)) {
    plotLayout()->clear();
    plotLayout()->setRowSpacing(1);
    plotLayout()->setMargins(QMargins(0, 4, 0, 4));
    addLayer(PanelHeader::kLayer, layer("legend"), limAbove);
    layer(PanelHeader::kLayer)->setMode(QCPLayer::lmBuffered);
    layer("overlay")->setMode(QCPLayer::lmBuffered);
    cursorLine_ = new CursorLine(*this);
    setPlottingHint(QCP::phFastPolylines, true);
    setInteractions(QCP::iRangeDrag);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    selectionRect()->setPen(QPen(palette_->muted, 1, Qt::DashLine));
    setColors(*palette_);
}

TimePlot::~TimePlot() { delete cursorLine_; }

TimePanel& TimePlot::addPanel(const PanelText& text, const TimePanel::Room& room) {
    panels_.push_back(std::make_unique<TimePanel>(*this, text, room));
    TimePanel& panel = *panels_.back();
    panel.rect()->setMarginGroup(QCP::msLeft | QCP::msRight, margins_);
    panel.rect()->setRangeDragAxes({panel.x()}, {});
    panel.rect()->setRangeZoomAxes({panel.x()}, {panel.y()});
    connect(panel.x(), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
            [this](const QCPRange& range) { setXRange(range); });
    for (const auto& other : panels_) {
        const bool lowest = other == panels_.back();
        other->x()->setTickLabels(lowest);
        other->x()->setLabel(lowest ? other->x()->label() : QString());
    }
    panel.setColors(*palette_);
    panel.x()->setRange(xFitRange_);
    return panel;
}

TimePanel* TimePlot::panelAt(const QPointF& position) const {
    for (const auto& panel : panels_) {
        const QRect area = panel->rect()->outerRect().united(panel->header().outerRect());
        if (area.contains(position.toPoint())) {
            return panel.get();
        }
    }
    return nullptr;
}

void TimePlot::setXAxis(const QString& title, const QSharedPointer<QCPAxisTicker>& ticker) {
    for (const auto& panel : panels_) {
        panel->x()->setTicker(ticker ? ticker : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
        panel->x()->setLabel(panel == panels_.back() ? title : QString());
        panel->setXName(title);
    }
}

void TimePlot::setXFitRange(const QCPRange& range) {
    xFitRange_ = range;
    if (following_) {
        setXRange(range);
    }
}

void TimePlot::setFollowing(bool following) {
    if (following == following_) {
        return;
    }
    following_ = following;
    if (following_) {
        setXRange(xFitRange_);
        replot(rpQueuedReplot);
    }
    Q_EMIT followingChanged(following_);
}

void TimePlot::fit() {
    for (const auto& panel : panels_) {
        panel->fitY();
        panel->rect()->setRangeDragAxes({panel->x()}, {});
    }
    setFollowing(true);
    setXRange(xFitRange_);
    replot(rpQueuedReplot);
}

void TimePlot::setXRange(const QCPRange& range) {
    if (settingRange_) {
        return;
    }
    settingRange_ = true;
    for (const auto& panel : panels_) {
        panel->x()->setRange(range);
    }
    settingRange_ = false;
}

/// A panel whose y range the user chose may be dragged vertically too.
void TimePlot::userChangedRange(TimePanel* zoomed) {
    if (zoomed != nullptr) {
        zoomed->setYFitted(false);
        zoomed->rect()->setRangeDragAxes({zoomed->x()}, {zoomed->y()});
        return;
    }
    setFollowing(false);
}

void TimePlot::setColors(const PlotPalette& palette) {
    palette_ = &palette;
    setBackground(QBrush(palette.background));
    cursorLine_->color = palette.muted;
    for (const auto& panel : panels_) {
        panel->setColors(palette);
    }
}

void TimePlot::setCursorLine(std::optional<double> x) {
    cursorLine_->x = x;
    layer(PanelHeader::kLayer)->replot();
    layer("overlay")->replot();
}

std::optional<double> TimePlot::cursorX() const { return cursorLine_->x; }

bool TimePlot::drawSvg(QIODevice& device) {
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setSize(size());
    generator.setViewBox(rect());
    QCPPainter painter;
    if (!painter.begin(&generator)) {
        return false;
    }
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    toPainter(&painter, width(), height());
    return painter.end();
}

QString TimePlot::exportTo(const QString& file) {
    const bool asSvg = file.endsWith(".svg", Qt::CaseInsensitive);
    if (!asSvg && !file.endsWith(".png", Qt::CaseInsensitive)) {
        return QString("Cannot write %1: a plot is written as .png or .svg.").arg(file);
    }
    QSaveFile out(file);
    bool drawn = false;
    if (out.open(QIODevice::WriteOnly)) {
        const auto cursor = std::exchange(cursorLine_->x, std::nullopt);
        drawn = asSvg ? drawSvg(out) : toPixmap(width(), height(), 2).save(&out, "PNG");
        cursorLine_->x = cursor;
        replot(rpQueuedReplot);
    }
    return drawn && out.commit() ? QString()
                                 : QString("Cannot write %1: %2.").arg(file, out.errorString());
}

void TimePlot::showData(const TimePanel& panel) { showDataTable(panel.table(), this); }

int TimePlot::minimumPlotHeight() const { return plotLayout()->minimumOuterSizeHint().height(); }

void TimePlot::wheelEvent(QWheelEvent* event) {
    TimePanel* panel = panelAt(event->position());
    const QPoint turned = event->angleDelta();
    const int delta = turned.y() != 0 ? turned.y() : turned.x();
    if (panel == nullptr || delta == 0) {
        return;
    }
    const double factor = std::pow(0.85, delta / 120.0);
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        panel->y()->scaleRange(factor, panel->y()->pixelToCoord(event->position().y()));
        userChangedRange(panel);
    } else {
        panel->x()->scaleRange(factor, panel->x()->pixelToCoord(event->position().x()));
        userChangedRange(nullptr);
    }
    event->accept();
    replot(rpQueuedReplot);
}

void TimePlot::mousePressEvent(QMouseEvent* event) {
    pressedAt_ = event->pos();
    dragged_ = false;
    const bool box = event->modifiers().testFlag(Qt::ControlModifier);
    setSelectionRectMode(box ? QCP::srmZoom : QCP::srmNone);
    QCustomPlot::mousePressEvent(event);
}

void TimePlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    hovered_ = panelAt(event->position());
    if (event->buttons().testFlag(Qt::LeftButton)) {
        const bool moved = (event->pos() - pressedAt_).manhattanLength() > 4;
        if (moved && !dragged_ && selectionRectMode() == QCP::srmNone) {
            userChangedRange(nullptr);
        }
        dragged_ = dragged_ || moved;
        return;
    }
    if (hovered_ != nullptr) {
        Q_EMIT cursorMoved(hovered_->x()->pixelToCoord(event->position().x()));
    }
}

void TimePlot::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    setSelectionRectMode(QCP::srmNone);
}

void TimePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    fit();
    event->accept();
}

void TimePlot::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copyValues();
        return;
    }
    QCustomPlot::keyPressEvent(event);
}

void TimePlot::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    Q_EMIT cursorLeft();
}

void TimePlot::processRectZoom(QRect box, QMouseEvent* event) {
    TimePanel* panel = panelAt(box.center());
    if (panel == nullptr || box.width() < 4 || box.height() < 4) {
        return;
    }
    QCustomPlot::processRectZoom(box, event);
    userChangedRange(panel);
    userChangedRange(nullptr);
}

void TimePlot::copyValues() {
    const TimePanel* panel = hovered_ != nullptr ? hovered_
                             : panels_.empty()   ? nullptr
                                                 : panels_[0].get();
    if (panel != nullptr) {
        QApplication::clipboard()->setText(toTsv(panel->table()));
    }
}

}  // namespace concertina::gui
