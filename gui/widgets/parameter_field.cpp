// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/parameter_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "gui/widgets/parameter_group.h"

namespace concertina::gui {
namespace {

bool isNumber(const QString& text) {
    static const QRegularExpression kNumber(
        QStringLiteral(R"(^[+-]?(\d+(\.\d+)?([eE][+-]?\d+)?|inf|nan)$)"));
    return kNumber.match(text).hasMatch();
}

/// What is not a number goes through as text: core/spec then says what it expected.
QString numberToml(const QString& text) { return isNumber(text) ? text : tomlString(text); }

QString listToml(QString text) {
    text.remove('[').remove(']');
    QStringList parts;
    for (const QString& part :
         text.split(QRegularExpression(QStringLiteral("[,\\s]+")), Qt::SkipEmptyParts)) {
        parts << numberToml(part);
    }
    return '[' + parts.join(QStringLiteral(", ")) + ']';
}

QString defaultText(const Parameter& parameter) {
    return QString::fromStdString(toText(parameter.defaultValue));
}

}  // namespace

ParameterField::ParameterField(const Parameter& parameter, QWidget* parent)
    : QWidget(parent), parameter_(parameter), mistake_(makeMistakeLabel(this)) {
    makeEditor();
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(editor());
    if (!parameter.unit.empty() && parameter.unit != "1") {
        row->addWidget(new QLabel(QString::fromStdString(parameter.unit), this));
    }
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(mistake_);
    editor()->setToolTip(parameterTip(parameter));
    editor()->setObjectName(QString::fromStdString(parameter.name));
    editor()->setAccessibleName(labelText(parameter.name));
    setFocusProxy(editor());
}

void ParameterField::makeEditor() {
    if (parameter_.type == ParameterType::Boolean) {
        box_ = new QCheckBox(this);
        box_->setChecked(std::get<bool>(parameter_.defaultValue));
        connect(box_, &QCheckBox::toggled, this, &ParameterField::edited);
    } else if (parameter_.type == ParameterType::Choice) {
        combo_ = new QComboBox(this);
        for (const std::string& choice : parameter_.choices) {
            combo_->addItem(QString::fromStdString(choice));
        }
        combo_->setCurrentText(defaultText(parameter_));
        connect(combo_, &QComboBox::currentTextChanged, this, &ParameterField::edited);
    } else {
        line_ = new QLineEdit(this);
        line_->setPlaceholderText(defaultText(parameter_));
        const bool isNumeric =
            parameter_.type == ParameterType::Integer || parameter_.type == ParameterType::Real;
        line_->setFixedWidth(fontMetrics().horizontalAdvance('0') * (isNumeric ? 14 : 36));
        connect(line_, &QLineEdit::textChanged, this, &ParameterField::edited);
    }
}

QWidget* ParameterField::editor() const {
    return box_ != nullptr     ? static_cast<QWidget*>(box_)
           : combo_ != nullptr ? static_cast<QWidget*>(combo_)
                               : line_;
}

QString ParameterField::toml() const {
    if (box_ != nullptr) {
        const bool isDefault = box_->isChecked() == std::get<bool>(parameter_.defaultValue);
        return isDefault           ? QString()
               : box_->isChecked() ? QStringLiteral("true")
                                   : QStringLiteral("false");
    }
    if (combo_ != nullptr) {
        const bool isDefault = combo_->currentText() == defaultText(parameter_);
        return isDefault ? QString() : tomlString(combo_->currentText());
    }
    const QString text = line_->text().trimmed();
    if (text.isEmpty()) {
        return {};
    }
    switch (parameter_.type) {
        case ParameterType::Integer:
        case ParameterType::Real:
            return numberToml(text);
        case ParameterType::IntegerList:
        case ParameterType::RealList:
            return listToml(text);
        default:
            return tomlString(text);
    }
}

void ParameterField::setValue(const Value& value, bool writeDefault) {
    if (box_ != nullptr) {
        box_->setChecked(std::get<bool>(value));
    } else if (combo_ != nullptr) {
        combo_->setCurrentText(QString::fromStdString(toText(value)));
    } else {
        const bool isEmpty = value == parameter_.defaultValue && !writeDefault;
        line_->setText(isEmpty ? QString() : QString::fromStdString(toText(value)));
    }
}

void ParameterField::setMistake(const QString& sentence) { setMistakeText(mistake_, sentence); }

QString rangeText(const Parameter& parameter) {
    if (!parameter.choices.empty()) {
        QStringList names;
        for (const std::string& choice : parameter.choices) {
            names << QString::fromStdString(choice);
        }
        return names.join(QStringLiteral(", "));
    }
    QStringList limits;
    if (parameter.min) {
        limits << (parameter.minExclusive ? QStringLiteral("above %1")
                                          : QStringLiteral("at least %1"))
                      .arg(*parameter.min);
    }
    if (parameter.max) {
        limits << QStringLiteral("at most %1").arg(*parameter.max);
    }
    return limits.join(QStringLiteral(", "));
}

QString parameterTip(const Parameter& parameter) {
    QString tip = QString::fromStdString(parameter.summary) + QStringLiteral(".");
    if (const QString range = rangeText(parameter); !range.isEmpty()) {
        tip += QStringLiteral("\nAllowed: ") + range;
    }
    if (const QString value = defaultText(parameter); !value.isEmpty()) {
        tip += QStringLiteral("\nDefault: ") + value;
    }
    return tip + QStringLiteral("\nKey: ") + QString::fromStdString(parameter.name);
}

QString tomlString(const QString& text) {
    QString escaped;
    for (const QChar character : text) {
        if (character == '"' || character == '\\') {
            escaped += '\\';
            escaped += character;
        } else if (character < QChar(0x20) || character == QChar(0x7f)) {
            escaped +=
                QStringLiteral("\\u%1").arg(int(character.unicode()), 4, 16, QLatin1Char('0'));
        } else {
            escaped += character;
        }
    }
    return '"' + escaped + '"';
}

QString labelText(const std::string& name) {
    QString text = QString::fromStdString(name);
    text.replace('_', ' ');
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text;
}

}  // namespace concertina::gui
