// SPDX-License-Identifier: GPL-3.0-or-later
// TileRow: the few numbers that matter, in large tabular digits with a line of context each. GUI
// thread.
#pragma once
#include <QFrame>
#include <vector>

class QLabel;

namespace concertina::gui {

struct TileText {
    QString value, context, toolTip{};
};

class TileRow : public QWidget {
    Q_OBJECT
 public:
    explicit TileRow(const QStringList& titles, QWidget* parent = nullptr);
    void setTile(int index, const QString& title, const TileText& text);

 private:
    struct Tile {
        QFrame* frame;
        QLabel *title, *value, *context;
    };
    std::vector<Tile> tiles_;
};

}  // namespace concertina::gui
