// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/status_icon.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace concertina::gui {
namespace {

// Red is the palette's only loan from outside the plots: failure looks like failure. Shape carries
// the meaning.
QColor failureColor(bool dark) { return dark ? QColor(0xFF7B72) : QColor(0xC62828); }

QColor statusColor(RunStatus status, const PlotPalette& palette) {
    switch (status) {
        case RunStatus::Running:
            return palette.runs[0];
        case RunStatus::Done:
            return palette.runs[2];
        case RunStatus::Failed:
        case RunStatus::Diverged:
            return failureColor(palette.dark);
        case RunStatus::Lost:
            return palette.critical;
        default:
            return palette.muted;
    }
}

QPolygonF polygon(const QRectF& box, std::initializer_list<QPointF> unitPoints) {
    QPolygonF shape;
    for (const QPointF& point : unitPoints) {
        shape << QPointF(box.left() + point.x() * box.width(),
                         box.top() + point.y() * box.height());
    }
    return shape;
}

void paintLines(QPainter& painter, const QRectF& box, RunStatus status) {
    switch (status) {
        case RunStatus::Done:
            painter.drawPolyline(polygon(box, {{0.1, 0.55}, {0.4, 0.85}, {0.95, 0.15}}));
            return;
        case RunStatus::Failed:
            painter.drawPolyline(polygon(box, {{0.12, 0.12}, {0.88, 0.88}}));
            painter.drawPolyline(polygon(box, {{0.88, 0.12}, {0.12, 0.88}}));
            return;
        case RunStatus::Diverged:
            painter.drawPolyline(
                polygon(box, {{0, 0.75}, {0.25, 0.45}, {0.45, 0.95}, {0.68, 0.05}, {0.9, 0.6}}));
            return;
        case RunStatus::Queued:
            painter.drawEllipse(box.adjusted(1, 1, -1, -1));
            return;
        default:
            return;
    }
}

void paintSolids(QPainter& painter, const QRectF& box, RunStatus status) {
    switch (status) {
        case RunStatus::Running:
            painter.drawPolygon(polygon(box, {{0.15, 0}, {1, 0.5}, {0.15, 1}}));
            return;
        case RunStatus::Paused:
            painter.drawRect(QRectF(box.left() + box.width() * 0.12, box.top(), box.width() * 0.28,
                                    box.height()));
            painter.drawRect(QRectF(box.left() + box.width() * 0.6, box.top(), box.width() * 0.28,
                                    box.height()));
            return;
        case RunStatus::Stopped:
            painter.drawRect(box.adjusted(1, 1, -1, -1));
            return;
        default:
            return;
    }
}

void paintQuestion(QPainter& painter, const QRectF& box) {
    QFont font = painter.font();
    font.setPixelSize(int(box.height() * 1.25));
    font.setBold(true);
    painter.setFont(font);
    painter.drawText(box.adjusted(-2, -3, 2, 3), Qt::AlignCenter, QStringLiteral("?"));
}

}  // namespace

void paintStatusIcon(QPainter& painter,
                     const QRectF& box,
                     RunStatus status,
                     const PlotPalette& palette) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = statusColor(status, palette);
    painter.setPen(QPen(color, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (status == RunStatus::Lost) {
        paintQuestion(painter, box);
    } else {
        paintLines(painter, box, status);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        paintSolids(painter, box, status);
    }
    painter.restore();
}

bool isDarkPalette() { return QApplication::palette().color(QPalette::Base).lightness() < 128; }

}  // namespace concertina::gui
