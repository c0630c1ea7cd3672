// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/tile.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace concertina::gui {
namespace {

/// Paints from the palette, so that it follows the theme by itself.
class TileFrame : public QFrame {
 public:
    using QFrame::QFrame;

 protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(palette().color(QPalette::Button));
        painter.setBrush(palette().color(QPalette::Base));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
};

QLabel* makeLabel(QFrame* parent, double points, QFont::Weight weight) {
    auto* label = new QLabel(parent);
    QFont font = label->font();
    font.setPointSizeF(points);
    font.setWeight(weight);
    label->setFont(font);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setTextFormat(Qt::PlainText);
    // The row's width belongs to the window, not to the longest text.
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

}  // namespace

TileRow::TileRow(const QStringList& titles, QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (const QString& title : titles) {
        Tile tile{};
        tile.frame = new TileFrame(this);
        tile.title = makeLabel(tile.frame, 9, QFont::Normal);
        tile.title->setText(title);
        tile.title->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        tile.value = makeLabel(tile.frame, 18, QFont::Medium);
        tile.context = makeLabel(tile.frame, 9, QFont::Normal);
        for (QLabel* label : {tile.title, tile.context}) {
            label->setForegroundRole(QPalette::PlaceholderText);
        }
        auto* column = new QVBoxLayout(tile.frame);
        column->setContentsMargins(12, 6, 12, 7);
        column->setSpacing(0);
        column->addWidget(tile.title);
        column->addWidget(tile.value);
        column->addWidget(tile.context);
        row->addWidget(tile.frame, 1);
        tiles_.push_back(tile);
    }
}

void TileRow::setTile(int index, const QString& title, const TileText& text) {
    Tile& tile = tiles_.at(std::size_t(index));
    tile.title->setText(title);
    tile.value->setText(text.value);
    tile.context->setText(text.context);
    tile.frame->setToolTip(text.toolTip);
}

}  // namespace concertina::gui
