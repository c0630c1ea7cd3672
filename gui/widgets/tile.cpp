// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/tile.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

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
        tile.frame = new QFrame(this);
        tile.frame->setObjectName("tile");
        tile.title = makeLabel(tile.frame, 9, QFont::Normal);
        tile.title->setText(title);
        tile.title->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        tile.value = makeLabel(tile.frame, 18, QFont::Medium);
        tile.context = makeLabel(tile.frame, 9, QFont::Normal);
        auto* column = new QVBoxLayout(tile.frame);
        column->setContentsMargins(12, 6, 12, 7);
        column->setSpacing(0);
        column->addWidget(tile.title);
        column->addWidget(tile.value);
        column->addWidget(tile.context);
        row->addWidget(tile.frame, 1);
        tiles_.push_back(tile);
    }
    setColors(plotPalette(false));
}

void TileRow::setTile(int index, const QString& title, const TileText& text) {
    Tile& tile = tiles_.at(std::size_t(index));
    tile.title->setText(title);
    tile.value->setText(text.value);
    tile.context->setText(text.context);
    tile.frame->setToolTip(text.toolTip);
}

void TileRow::setColors(const PlotPalette& palette) {
    setStyleSheet(
        QString("QFrame#tile { background: %1; border: 1px solid %2; border-radius: 4px; }"
                "QFrame#tile QLabel { border: none; background: transparent; }")
            .arg(palette.background.name(), palette.grid.name()));
    for (const Tile& tile : tiles_) {
        for (QLabel* label : {tile.title, tile.context}) {
            QPalette colors = label->palette();
            colors.setColor(QPalette::WindowText, palette.muted);
            label->setPalette(colors);
        }
    }
}

}  // namespace concertina::gui
