// SPDX-License-Identifier: GPL-3.0-or-later
// SpecForm: a RunSpec as a form, generated from the catalogue. It does not judge: it writes a TOML
// draft of what was typed, the New run page has core/spec parse it, and the mistakes come back to
// stand beside their fields. GUI thread.
#pragma once
#include <QWidget>
#include <vector>

#include "core/spec/run_spec.h"

class QCheckBox;
class QLineEdit;
class QVBoxLayout;

namespace concertina::gui {

class FamilySection;
class LevelEditor;
class ParameterGroup;
class ParameterField;

class SpecForm : public QWidget {
    Q_OBJECT
 public:
    explicit SpecForm(QWidget* parent = nullptr);
    void setSpec(const RunSpec& spec);
    /// What parseRunSpec is to read, valid or not.
    QString tomlDraft() const;
    /// Shows each mistake at its field and returns those that have none.
    std::vector<SpecMistake> showMistakes(const std::vector<SpecMistake>& mistakes);

 Q_SIGNALS:
    void edited();

 private:
    void addSection(const QString& title, std::initializer_list<QWidget*> parts);
    void makeSections();
    void connectParts();
    void showCompressor(const QString& name);
    bool showMistake(const SpecMistake& mistake);
    bool showLevelMistake(const QString& key, const QString& sentence);

    ParameterGroup* run_;  // name and seed
    FamilySection *data_, *model_, *compress_, *policy_;
    ParameterGroup *train_, *ranks_, *link_;
    LevelEditor* levels_;
    QCheckBox* hasLink_;
    QVBoxLayout* layout_;
};

}  // namespace concertina::gui
