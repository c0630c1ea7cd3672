// SPDX-License-Identifier: GPL-3.0-or-later
// LevelEditor: the levels of a compressor as rows from mild (more bytes) to strong (fewer), to add,
// remove and reorder. Part of SpecForm. GUI thread.
#pragma once
#include <QWidget>
#include <vector>

#include "core/catalogue/catalogue.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace concertina::gui {

class ParameterField;

class LevelEditor : public QWidget {
    Q_OBJECT
 public:
    explicit LevelEditor(QWidget* parent = nullptr);
    /// The keys of one level; an empty list hides the editor.
    void setParameters(const std::vector<Parameter>& parameters);
    void setLevels(const std::vector<Settings>& levels);
    int count() const { return int(rows_.size()); }
    /// "[{ ratio = 0.1 }, { ratio = 0.001 }]"; empty when the compressor has no levels.
    QString toml() const;
    /// Level and key may be -1 and empty: then the sentence stands under all of them.
    void showMistake(int level, const QString& key, const QString& sentence);
    void clearMistakes();

 Q_SIGNALS:
    void edited();

 private:
    struct Row {
        QWidget* box = nullptr;  // parent of the widgets below, owned by this
        QLabel* title = nullptr;
        QToolButton *up = nullptr, *down = nullptr, *remove = nullptr;
        std::vector<ParameterField*> fields;
    };
    void addLevel(const Settings& level);
    void moveLevel(const QWidget* box, int by);
    void removeLevel(const QWidget* box);
    void refreshRows();
    int indexOf(const QWidget* box) const;

    std::vector<Parameter> parameters_;
    std::vector<Row> rows_;
    QVBoxLayout* list_;
    QLabel* mistake_;
};

}  // namespace concertina::gui
