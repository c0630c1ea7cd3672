// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/level_editor.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/parameter_field.h"
#include "gui/widgets/parameter_group.h"

namespace concertina::gui {
namespace {

QToolButton* makeButton(Qt::ArrowType arrow,
                        const QString& text,
                        const QString& tip,
                        QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setArrowType(arrow);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QString levelTitle(int index, int count) {
    if (index == 0) {
        return count == 1 ? QStringLiteral("Level") : QStringLiteral("Level 1, mild");
    }
    return QStringLiteral("Level %1").arg(index + 1) +
           (index == count - 1 ? QStringLiteral(", strong") : QString());
}

}  // namespace

LevelEditor::LevelEditor(QWidget* parent)
    : QWidget(parent), list_(new QVBoxLayout), mistake_(makeMistakeLabel(this)) {
    auto* add = new QPushButton(QStringLiteral("Add level"), this);
    add->setObjectName(QStringLiteral("addLevel"));
    add->setToolTip(QStringLiteral("Add a level after the strongest"));
    connect(add, &QPushButton::clicked, this, [this] {
        addLevel({});
        Q_EMIT edited();
    });
    auto* bottom = new QHBoxLayout;
    bottom->addSpacing(formLabelWidth(this) + 16);
    auto* column = new QVBoxLayout;
    column->addWidget(mistake_);
    auto* line = new QHBoxLayout;
    line->addWidget(add);
    line->addStretch(1);
    column->addLayout(line);
    bottom->addLayout(column, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    list_->setSpacing(8);
    layout->addLayout(list_);
    layout->addLayout(bottom);
}

void LevelEditor::setParameters(const std::vector<Parameter>& parameters) {
    setLevels({});
    parameters_ = parameters;
    setVisible(!parameters_.empty());
}

void LevelEditor::setLevels(const std::vector<Settings>& levels) {
    for (const Row& row : rows_) {
        delete row.box;
    }
    rows_.clear();
    if (!parameters_.empty()) {
        std::for_each(levels.begin(), levels.end(),
                      [this](const Settings& level) { addLevel(level); });
    }
}

void LevelEditor::addLevel(const Settings& level) {
    Row row;
    row.box = new QWidget(this);
    row.title = new QLabel(row.box);
    row.title->setFixedWidth(formLabelWidth(this));
    row.title->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row.up = makeButton(Qt::UpArrow, {}, QStringLiteral("Make milder: move up"), row.box);
    row.down = makeButton(Qt::DownArrow, {}, QStringLiteral("Make stronger: move down"), row.box);
    row.remove =
        makeButton(Qt::NoArrow, QStringLiteral("✕"), QStringLiteral("Remove this level"), row.box);
    auto* layout = new QHBoxLayout(row.box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(row.title);
    layout->addSpacing(12);
    for (const Parameter& parameter : parameters_) {
        auto* field = new ParameterField(parameter, row.box);
        const auto value = level.find(parameter.name);
        field->setValue(value == level.end() ? parameter.defaultValue : value->second, true);
        connect(field, &ParameterField::edited, this, &LevelEditor::edited);
        layout->addWidget(new QLabel(QString::fromStdString(parameter.name), row.box));
        layout->addWidget(field);
        row.fields.push_back(field);
    }
    for (QToolButton* button : {row.up, row.down, row.remove}) {
        layout->addWidget(button);
    }
    layout->addStretch(1);
    const QWidget* box = row.box;
    connect(row.up, &QToolButton::clicked, this, [this, box] { moveLevel(box, -1); });
    connect(row.down, &QToolButton::clicked, this, [this, box] { moveLevel(box, 1); });
    connect(row.remove, &QToolButton::clicked, this, [this, box] { removeLevel(box); });
    list_->addWidget(row.box);
    rows_.push_back(row);
    refreshRows();
}

void LevelEditor::moveLevel(const QWidget* box, int by) {
    const int from = indexOf(box);
    const int to = from + by;
    if (to < 0 || to >= count()) {
        return;
    }
    std::swap(rows_[std::size_t(from)], rows_[std::size_t(to)]);
    QWidget* moved = rows_[std::size_t(to)].box;
    list_->removeWidget(moved);
    list_->insertWidget(to, moved);
    // Keyboard order follows the eye.
    for (std::size_t i = 1; i < rows_.size(); ++i) {
        setTabOrder(rows_[i - 1].remove, rows_[i].fields.front()->editor());
    }
    refreshRows();
    Q_EMIT edited();
}

void LevelEditor::removeLevel(const QWidget* box) {
    const int index = indexOf(box);
    // The click comes from a button inside the box.
    rows_[std::size_t(index)].box->hide();
    rows_[std::size_t(index)].box->deleteLater();
    rows_.erase(rows_.begin() + index);
    refreshRows();
    Q_EMIT edited();
}

void LevelEditor::refreshRows() {
    for (int i = 0; i < count(); ++i) {
        const Row& row = rows_[std::size_t(i)];
        row.title->setText(levelTitle(i, count()));
        row.up->setEnabled(i > 0);
        row.down->setEnabled(i + 1 < count());
        row.remove->setEnabled(count() > 1);
    }
}

int LevelEditor::indexOf(const QWidget* box) const {
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.box == box; });
    return int(found - rows_.begin());
}

QString LevelEditor::toml() const {
    if (parameters_.empty()) {
        return {};
    }
    QStringList levels;
    for (const Row& row : rows_) {
        QStringList keys;
        for (const ParameterField* field : row.fields) {
            if (const QString value = field->toml(); !value.isEmpty()) {
                keys << QString::fromStdString(field->parameter().name) + QStringLiteral(" = ") +
                            value;
            }
        }
        levels << QStringLiteral("{ ") + keys.join(QStringLiteral(", ")) + QStringLiteral(" }");
    }
    return '[' + levels.join(QStringLiteral(", ")) + ']';
}

void LevelEditor::showMistake(int level, const QString& key, const QString& sentence) {
    if (level >= 0 && level < count()) {
        for (ParameterField* field : rows_[std::size_t(level)].fields) {
            if (key == QString::fromStdString(field->parameter().name)) {
                field->setMistake(sentence);
                return;
            }
        }
    }
    setMistakeText(mistake_,
                   mistake_->text().isEmpty() ? sentence : mistake_->text() + '\n' + sentence);
}

void LevelEditor::clearMistakes() {
    setMistakeText(mistake_, {});
    for (const Row& row : rows_) {
        for (ParameterField* field : row.fields) {
            field->setMistake({});
        }
    }
}

}  // namespace concertina::gui
