// SPDX-License-Identifier: GPL-3.0-or-later
// ParameterGroup: one table of the spec as a form, generated from the catalogue. FamilySection: a
// table whose `name` picks a row of a catalogue family and with it the fields below. Parts of
// SpecForm. GUI thread.
#pragma once
#include <QStringList>
#include <QWidget>
#include <span>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"

class QComboBox;
class QFormLayout;
class QLabel;

namespace concertina::gui {

class ParameterField;

class ParameterGroup : public QWidget {
    Q_OBJECT
 public:
    explicit ParameterGroup(QWidget* parent = nullptr);
    /// Replaces the fields; all start at their default.
    void setParameters(const std::vector<Parameter>& parameters);
    void setValues(const Settings& values);
    /// "key = value" lines of the fields that are not at their default.
    QStringList tomlLines() const;
    /// Shows the sentence under that field; false when there is no such field.
    bool showMistake(const QString& key, const QString& sentence);
    void clearMistakes();

 Q_SIGNALS:
    void edited();

 private:
    std::vector<ParameterField*> fields_;  // owned as child widgets
    QFormLayout* form_;
};

/// What a family's combo box offers.
struct FamilyRow {
    std::string name, summary;
    std::vector<Parameter> parameters;
};

class FamilySection : public QWidget {
    Q_OBJECT
 public:
    FamilySection(const QString& label, std::vector<FamilyRow> rows, QWidget* parent = nullptr);
    QString currentName() const;
    void setChoice(const std::string& name, const Settings& options);
    QStringList tomlLines() const;
    bool showMistake(const QString& key, const QString& sentence);
    void clearMistakes();
    /// Widgets that belong to the family but not to its parameters (the level editor).
    void addWidget(QWidget* widget);

 Q_SIGNALS:
    void edited();
    void nameChanged(const QString& name);

 private:
    void showRow(int index);

    std::vector<FamilyRow> rows_;
    QComboBox* names_;
    QLabel* summary_;
    QLabel* mistake_;
    ParameterGroup* group_;
};

/// A label that holds a mistake: hidden while there is none.
QLabel* makeMistakeLabel(QWidget* parent);
void setMistakeText(QLabel* label, const QString& sentence);
/// The forms of all sections line up on this label width.
int formLabelWidth(const QWidget* widget);

}  // namespace concertina::gui
