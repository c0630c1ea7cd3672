// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/spec_form.h"

#include <QCheckBox>
#include <QLabel>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "gui/widgets/level_editor.h"
#include "gui/widgets/parameter_field.h"
#include "gui/widgets/parameter_group.h"

namespace concertina::gui {
namespace {

std::vector<Parameter> runParameters() {
    return {{.name = "name",
             .type = ParameterType::Text,
             .unit = "",
             .defaultValue = std::string(),
             .summary = "What the run is called; it need not be unique"},
            {.name = "seed",
             .type = ParameterType::Integer,
             .unit = "",
             .defaultValue = std::int64_t{1},
             .min = 0,
             .summary = "Decides every random choice: weights, data order, sketches"}};
}

template <typename Rows>
std::vector<FamilyRow> familyRows(const Rows& rows) {
    std::vector<FamilyRow> list;
    for (const auto& row : rows) {
        list.push_back({row.name, row.summary, row.parameters});
    }
    return list;
}

/// A compressor's form: what every compressor has, then its own.
std::vector<FamilyRow> compressorRows() {
    std::vector<FamilyRow> list;
    for (const CompressorDescriptor& row : compressors()) {
        list.push_back({row.name, row.summary, compressParametersOf(row)});
    }
    return list;
}

std::vector<Parameter> copyOf(std::span<const Parameter> parameters) {
    return {parameters.begin(), parameters.end()};
}

void append(QString& toml, const QString& table, const QStringList& lines) {
    toml += QStringLiteral("\n[") + table + QStringLiteral("]\n");
    for (const QString& line : lines) {
        toml += line + '\n';
    }
}

}  // namespace

SpecForm::SpecForm(QWidget* parent)
    : QWidget(parent),
      run_(new ParameterGroup(this)),
      data_(new FamilySection(QStringLiteral("Data set"), familyRows(datasets()), this)),
      model_(new FamilySection(QStringLiteral("Model"), familyRows(models()), this)),
      compress_(new FamilySection(QStringLiteral("Compressor"), compressorRows(), this)),
      policy_(new FamilySection(QStringLiteral("Policy"), familyRows(policies()), this)),
      train_(new ParameterGroup(this)),
      ranks_(new ParameterGroup(this)),
      link_(new ParameterGroup(this)),
      levels_(new LevelEditor(this)),
      hasLink_(new QCheckBox(QStringLiteral("Pace every exchange to a slower link"), this)),
      layout_(new QVBoxLayout(this)) {
    run_->setParameters(runParameters());
    train_->setParameters(copyOf(trainParameters()));
    ranks_->setParameters(copyOf(ranksParameters()));
    link_->setParameters(copyOf(linkParameters()));
    link_->setEnabled(false);
    hasLink_->setObjectName(QStringLiteral("hasLink"));
    compress_->addWidget(levels_);
    makeSections();
    connectParts();
}

void SpecForm::makeSections() {
    layout_->setContentsMargins(16, 8, 16, 16);
    layout_->setSpacing(8);
    addSection(QStringLiteral("Run"), {run_});
    addSection(QStringLiteral("Data and model"), {data_, model_});
    addSection(QStringLiteral("Compression"), {compress_});
    addSection(QStringLiteral("Policy: who decides the level"), {policy_});
    addSection(QStringLiteral("Training"), {train_});
    addSection(QStringLiteral("Ranks"), {ranks_});
    addSection(QStringLiteral("Link"), {hasLink_, link_});
    layout_->addStretch(1);
}

void SpecForm::addSection(const QString& title, std::initializer_list<QWidget*> parts) {
    auto* heading = new QLabel(title, this);
    heading->setObjectName(QStringLiteral("heading"));
    layout_->addSpacing(8);
    layout_->addWidget(heading);
    for (QWidget* part : parts) {
        layout_->addWidget(part);
    }
}

void SpecForm::connectParts() {
    for (ParameterGroup* group : {run_, train_, ranks_, link_}) {
        connect(group, &ParameterGroup::edited, this, &SpecForm::edited);
    }
    for (FamilySection* section : {data_, model_, compress_, policy_}) {
        connect(section, &FamilySection::edited, this, &SpecForm::edited);
    }
    connect(compress_, &FamilySection::nameChanged, this, &SpecForm::showCompressor);
    connect(levels_, &LevelEditor::edited, this, &SpecForm::edited);
    connect(hasLink_, &QCheckBox::toggled, link_, &QWidget::setEnabled);
    connect(hasLink_, &QCheckBox::toggled, this, &SpecForm::edited);
}

/// Another compressor has other levels: its own defaults are a start that can be launched.
void SpecForm::showCompressor(const QString& name) {
    const CompressorDescriptor* row = findCompressor(name.toStdString());
    levels_->setParameters(row->levelParameters);
    levels_->setLevels(row->defaultLevels);
}

void SpecForm::setSpec(const RunSpec& spec) {
    blockSignals(true);  // one `edited` at the end instead of one a field
    run_->setValues({{"name", spec.name}, {"seed", std::int64_t(spec.seed)}});
    data_->setChoice(spec.data.name, spec.data.options);
    model_->setChoice(spec.model.name, spec.model.options);
    train_->setValues(spec.train);
    ranks_->setValues(spec.ranks);
    compress_->setChoice(spec.compress.name, spec.compress.options);
    showCompressor(QString::fromStdString(spec.compress.name));
    levels_->setLevels(spec.levels);
    policy_->setChoice(spec.policy.name, spec.policy.options);
    hasLink_->setChecked(spec.link.has_value());
    link_->setValues(spec.link.value_or(Settings{}));
    blockSignals(false);
    Q_EMIT edited();
}

QString SpecForm::tomlDraft() const {
    QString toml = run_->tomlLines().join('\n') + '\n';
    append(toml, QStringLiteral("data"), data_->tomlLines());
    append(toml, QStringLiteral("model"), model_->tomlLines());
    append(toml, QStringLiteral("train"), train_->tomlLines());
    append(toml, QStringLiteral("ranks"), ranks_->tomlLines());
    QStringList compress = compress_->tomlLines();
    if (const QString levels = levels_->toml(); !levels.isEmpty()) {
        compress << QStringLiteral("levels = ") + levels;
    }
    append(toml, QStringLiteral("compress"), compress);
    append(toml, QStringLiteral("policy"), policy_->tomlLines());
    if (hasLink_->isChecked()) {
        append(toml, QStringLiteral("link"), link_->tomlLines());
    }
    return toml;
}

std::vector<SpecMistake> SpecForm::showMistakes(const std::vector<SpecMistake>& mistakes) {
    for (ParameterGroup* group : {run_, train_, ranks_, link_}) {
        group->clearMistakes();
    }
    for (FamilySection* section : {data_, model_, compress_, policy_}) {
        section->clearMistakes();
    }
    levels_->clearMistakes();
    std::vector<SpecMistake> homeless;
    for (const SpecMistake& mistake : mistakes) {
        if (!showMistake(mistake)) {
            homeless.push_back(mistake);
        }
    }
    return homeless;
}

bool SpecForm::showMistake(const SpecMistake& mistake) {
    const QString key = QString::fromStdString(mistake.key);
    const QString sentence = QString::fromStdString(mistake.sentence);
    const QString table = key.section('.', 0, 0);
    const QString name = key.section('.', 1);
    if (name.isEmpty()) {
        return run_->showMistake(table, sentence);
    }
    const std::pair<const char*, ParameterGroup*> groups[] = {
        {"train", train_}, {"ranks", ranks_}, {"link", link_}};
    for (const auto& [prefix, group] : groups) {
        if (table == QLatin1String(prefix)) {
            return group->showMistake(name, sentence);
        }
    }
    if (table == QLatin1String("compress") && showLevelMistake(name, sentence)) {
        return true;
    }
    const std::pair<const char*, FamilySection*> sections[] = {
        {"data", data_}, {"model", model_}, {"compress", compress_}, {"policy", policy_}};
    for (const auto& [prefix, section] : sections) {
        if (table == QLatin1String(prefix)) {
            return section->showMistake(name, sentence);
        }
    }
    return false;
}

bool SpecForm::showLevelMistake(const QString& key, const QString& sentence) {
    static const QRegularExpression kLevelKey(QStringLiteral(R"(^levels(?:\[(\d+)\])?\.?(\w*)$)"));
    const auto match = kLevelKey.match(key);
    if (!match.hasMatch()) {
        return false;
    }
    levels_->showMistake(match.captured(1).isEmpty() ? -1 : match.captured(1).toInt(),
                         match.captured(2), sentence);
    return true;
}

}  // namespace concertina::gui
