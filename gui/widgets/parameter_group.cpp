// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/parameter_group.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "gui/widgets/parameter_field.h"

namespace concertina::gui {
namespace {

QLabel* makeFieldLabel(const QString& text, QWidget* buddy, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setMinimumWidth(formLabelWidth(parent));
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setFixedHeight(buddy->sizeHint().height());  // level with its field, not with a mistake
    label->setBuddy(buddy);
    return label;
}

QFormLayout* makeForm(QWidget* parent) {
    auto* form = new QFormLayout(parent);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return form;
}

}  // namespace

QLabel* makeMistakeLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setObjectName(QStringLiteral("mistake"));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->hide();
    return label;
}

void setMistakeText(QLabel* label, const QString& sentence) {
    label->setText(sentence);
    label->setVisible(!sentence.isEmpty());
}

int formLabelWidth(const QWidget* widget) {
    return widget->fontMetrics().horizontalAdvance(QStringLiteral("Eval every epochs  "));
}

ParameterGroup::ParameterGroup(QWidget* parent) : QWidget(parent), form_(makeForm(this)) {}

void ParameterGroup::setParameters(const std::vector<Parameter>& parameters) {
    while (form_->rowCount() > 0) {
        form_->removeRow(0);
    }
    fields_.clear();
    for (const Parameter& parameter : parameters) {
        auto* field = new ParameterField(parameter, this);
        connect(field, &ParameterField::edited, this, &ParameterGroup::edited);
        form_->addRow(makeFieldLabel(labelText(parameter.name), field->editor(), this), field);
        fields_.push_back(field);
    }
    setVisible(!fields_.empty());
}

void ParameterGroup::setValues(const Settings& values) {
    for (ParameterField* field : fields_) {
        const auto value = values.find(field->parameter().name);
        field->setValue(value == values.end() ? field->parameter().defaultValue : value->second);
    }
}

QStringList ParameterGroup::tomlLines() const {
    QStringList lines;
    for (const ParameterField* field : fields_) {
        if (const QString value = field->toml(); !value.isEmpty()) {
            lines << QString::fromStdString(field->parameter().name) + QStringLiteral(" = ") +
                         value;
        }
    }
    return lines;
}

bool ParameterGroup::showMistake(const QString& key, const QString& sentence) {
    for (ParameterField* field : fields_) {
        if (key == QString::fromStdString(field->parameter().name)) {
            field->setMistake(sentence);
            return true;
        }
    }
    return false;
}

void ParameterGroup::clearMistakes() {
    for (ParameterField* field : fields_) {
        field->setMistake({});
    }
}

FamilySection::FamilySection(const QString& label, std::vector<FamilyRow> rows, QWidget* parent)
    : QWidget(parent),
      rows_(std::move(rows)),
      names_(new QComboBox(this)),
      summary_(new QLabel(this)),
      mistake_(makeMistakeLabel(this)),
      group_(new ParameterGroup(this)) {
    names_->setObjectName(label);
    for (const FamilyRow& row : rows_) {
        names_->addItem(QString::fromStdString(row.name));
        names_->setItemData(names_->count() - 1, QString::fromStdString(row.summary),
                            Qt::ToolTipRole);
    }
    summary_->setObjectName(QStringLiteral("hint"));
    summary_->setWordWrap(true);
    summary_->setMinimumHeight(names_->sizeHint().height());
    auto* choice = new QWidget(this);
    auto* form = makeForm(choice);
    auto* line = new QHBoxLayout;
    line->setSpacing(12);
    line->addWidget(names_, 0, Qt::AlignTop);
    line->addWidget(summary_, 1);
    form->addRow(makeFieldLabel(label, names_, this), line);
    form->addRow(QString(), mistake_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(choice);
    layout->addWidget(group_);
    connect(group_, &ParameterGroup::edited, this, &FamilySection::edited);
    connect(names_, &QComboBox::currentIndexChanged, this, [this](int index) {
        showRow(index);
        Q_EMIT nameChanged(currentName());
        Q_EMIT edited();
    });
    showRow(0);
}

QString FamilySection::currentName() const { return names_->currentText(); }

void FamilySection::showRow(int index) {
    if (index < 0) {
        return;
    }
    const FamilyRow& row = rows_[std::size_t(index)];
    summary_->setText(QString::fromStdString(row.summary));
    group_->setParameters(row.parameters);
}

void FamilySection::setChoice(const std::string& name, const Settings& options) {
    names_->setCurrentText(QString::fromStdString(name));
    group_->setValues(options);
}

QStringList FamilySection::tomlLines() const {
    return QStringList(QStringLiteral("name = ") + tomlString(currentName())) + group_->tomlLines();
}

bool FamilySection::showMistake(const QString& key, const QString& sentence) {
    if (key == QLatin1String("name")) {
        setMistakeText(mistake_, sentence);
        return true;
    }
    return group_->showMistake(key, sentence);
}

void FamilySection::clearMistakes() {
    setMistakeText(mistake_, {});
    group_->clearMistakes();
}

void FamilySection::addWidget(QWidget* widget) { layout()->addWidget(widget); }

}  // namespace concertina::gui
