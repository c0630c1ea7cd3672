// SPDX-License-Identifier: GPL-3.0-or-later
// ParameterField: the editor of one catalogue parameter. An empty field means the default, which is
// its placeholder. What the user typed is passed on as TOML, right or wrong, so that core/spec
// alone decides what is valid; the mistake it finds comes back to be shown under the field. GUI
// thread.
#pragma once
#include <QWidget>
#include <optional>

#include "core/catalogue/catalogue.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace concertina::gui {

class ParameterField : public QWidget {
    Q_OBJECT
 public:
    explicit ParameterField(const Parameter& parameter, QWidget* parent = nullptr);

    const Parameter& parameter() const { return parameter_; }
    /// The value as TOML; empty for the default.
    QString toml() const;
    /// A default stays an empty field, unless `writeDefault`.
    void setValue(const Value& value, bool writeDefault = false);
    void setMistake(const QString& sentence);  ///< empty: none
    QWidget* editor() const;

 Q_SIGNALS:
    void edited();

 private:
    void makeEditor();

    Parameter parameter_;
    QCheckBox* box_ = nullptr;    // Boolean
    QComboBox* combo_ = nullptr;  // Choice
    QLineEdit* line_ = nullptr;   // everything else
    QLabel* mistake_;
};

/// "from 0, below 1" or "mild, strong": what a parameter accepts; empty when anything.
QString rangeText(const Parameter& parameter);
QString parameterTip(const Parameter& parameter);
/// Text as a TOML basic string.
QString tomlString(const QString& text);
/// "lr_decay_epochs" -> "Lr decay epochs".
QString labelText(const std::string& name);

}  // namespace concertina::gui
