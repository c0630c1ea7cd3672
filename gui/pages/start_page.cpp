// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/start_page.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/background.h"
#include "gui/models/run_text.h"
#include "gui/widgets/format.h"
#include "gui/widgets/message_bar.h"

namespace concertina::gui {
namespace {

constexpr int kTextWidth = 720;

struct StudyAnswer {
    StudySpec spec;
    QString problem;
};

StudyAnswer readStudyFile(const std::filesystem::path& file) {
    try {
        return {readStudySpec(file), {}};
    } catch (const std::exception& error) {
        return {{}, QString::fromStdString(error.what())};
    }
}

QString levelText(const RunSpec& spec, std::size_t level) {
    return level < spec.levels.size() ? QString::fromStdString(toText(spec.levels[level]))
                                      : QString();
}

/// "topk, ratio 0.1 throughout", "topk, ratio 0.1 to ratio 0.001, decided by accordion".
QString trialText(const RunSpec& spec) {
    if (spec.compress.name == "none") {
        return QStringLiteral("dense fp32");
    }
    const QString compressor = QString::fromStdString(spec.compress.name);
    if (spec.policy.name == "static") {
        const auto level = std::size_t(integerOf(spec.policy.options, "level"));
        return QStringLiteral("%1, %2 throughout").arg(compressor, levelText(spec, level));
    }
    return QStringLiteral("%1, %2 to %3, decided by %4")
        .arg(compressor, levelText(spec, 0), levelText(spec, spec.levels.size() - 1),
             QString::fromStdString(spec.policy.name));
}

QString factsText(const StudySpec& study) {
    const RunSpec& spec = study.trials.front().spec;
    return QStringLiteral(
               "%1 runs of %2 on %3, each %4 epochs on %5 processes of this machine. About five "
               "minutes on "
               "two cores. No network is used, and closing this window does not stop it.")
        .arg(study.trials.size())
        .arg(QString::fromStdString(spec.model.name), QString::fromStdString(spec.data.name))
        .arg(integerOf(spec.train, "epochs"))
        .arg(integerOf(spec.ranks, "count"));
}

QString stateText(const RunRow* run) {
    if (run == nullptr) {
        return QStringLiteral("not run yet");
    }
    QString text = statusTitle(run->status).toLower();
    if (isActive(run->status)) {
        text += QStringLiteral(", epoch %1 of %2").arg(run->epochsDone).arg(run->epochsPlanned);
    }
    if (run->testAccuracy) {
        text +=
            QStringLiteral(" · ") + percentText(*run->testAccuracy) + QStringLiteral(" accurate");
    }
    if (const auto ratio = sentBytes(*run).ratioToFp32(); ratio && *ratio > 1.005) {
        text += QStringLiteral(" · ") + timesText(*ratio) + QStringLiteral(" fewer bytes");
    }
    return text;
}

QLabel* makeText(const QString& text, const QString& style, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setObjectName(style);
    label->setWordWrap(true);
    label->setMaximumWidth(kTextWidth);
    return label;
}

}  // namespace

StartPage::StartPage(std::filesystem::path study, QWidget* parent)
    : QWidget(parent), study_(std::move(study)), message_(new MessageBar(this)) {
    auto* column = new QVBoxLayout;
    column->setContentsMargins(32, 24, 32, 24);
    column->setSpacing(8);
    column->addWidget(makeText(QStringLiteral("Concertina"), QStringLiteral("title"), this));
    column->addWidget(
        makeText(QStringLiteral(
                     "Compress gradients hard while training is calm, gently while it is critical, "
                     "and see layer by layer what that saves and costs."),
                 QStringLiteral("lead"), this));
    column->addSpacing(16);
    column->addWidget(makeStudyCard());
    column->addSpacing(16);
    auto* own = new QPushButton(QStringLiteral("Set up a run of your own"), this);
    auto* runs = new QPushButton(QStringLiteral("See all runs"), this);
    connect(own, &QPushButton::clicked, this, &StartPage::newRunRequested);
    connect(runs, &QPushButton::clicked, this, &StartPage::runsRequested);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* button : {own, runs}) {
        button->setMinimumWidth(button->sizeHint().width() + 24);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    column->addLayout(buttons);
    column->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(message_);
    layout->addLayout(column, 1);
    readStudy();
}

QWidget* StartPage::makeStudyCard() {
    auto* card = new QFrame(this);
    card->setObjectName(QStringLiteral("card"));
    card->setMaximumWidth(kTextWidth + 48);
    facts_ = makeText({}, QStringLiteral("hint"), card);
    action_ = new QPushButton(QStringLiteral("Run the first study"), card);
    action_->setProperty("role", "primary");
    action_->setEnabled(false);
    connect(action_, &QPushButton::clicked, this, &StartPage::act);
    trials_ = new QGridLayout;
    trials_->setHorizontalSpacing(24);
    trials_->setVerticalSpacing(6);
    trials_->setColumnStretch(2, 1);
    auto* line = new QHBoxLayout;
    line->addWidget(action_);
    line->addStretch(1);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(24, 16, 24, 24);
    layout->setSpacing(8);
    layout->addWidget(makeText(QStringLiteral("The first study"), QStringLiteral("heading"), card));
    layout->addWidget(makeText(
        QStringLiteral("What does compression cost, and what does changing its level at the right "
                       "moment save? The same network is trained without compression, with mild, "
                       "with strong, and with Accordion, which picks the level for each layer."),
        QStringLiteral("body"), card));
    layout->addSpacing(4);
    layout->addLayout(trials_);
    layout->addSpacing(4);
    layout->addWidget(facts_);
    layout->addSpacing(8);
    layout->addLayout(line);
    return card;
}

void StartPage::readStudy() {
    if (study_.empty()) {
        facts_->setText(QStringLiteral(
            "This installation lacks experiments/first/study.toml, so there is nothing to run "
            "here. A run of your own works all the same."));
        return;
    }
    runInBackground(
        this, [file = study_] { return readStudyFile(file); },
        [this](const StudyAnswer& answer) {
            if (!answer.problem.isEmpty()) {
                message_->showError(answer.problem);
                return;
            }
            spec_ = answer.spec;
            facts_->setText(factsText(spec_));
            showTrials();
        });
}

void StartPage::showTrials() {
    for (const StudySpec::Trial& trial : spec_.trials) {
        const int row = int(trialStates_.size());
        QString name = QString::fromStdString(trial.variant);
        auto* state = new QLabel(this);
        trials_->addWidget(new QLabel(name, this), row, 0);
        QLabel* what = makeText(trialText(trial.spec), QStringLiteral("hint"), this);
        what->setWordWrap(false);
        trials_->addWidget(what, row, 1);
        trials_->addWidget(state, row, 2);
        trialStates_.push_back(state);
    }
    showProgress();
}

const RunRow* StartPage::newestRun(const StudySpec::Trial& trial) const {
    const auto found = std::find_if(runs_->begin(), runs_->end(), [&](const RunRow& run) {
        return run.study == spec_.name && run.variant == trial.variant &&
               run.seed == trial.spec.seed;
    });
    return found == runs_->end() ? nullptr : &*found;
}

void StartPage::setRuns(const RunList& runs) {
    runs_ = runs;
    showProgress();
}

void StartPage::showProgress() {
    if (spec_.trials.empty()) {
        return;
    }
    std::size_t done = 0;
    bool active = false;
    for (std::size_t i = 0; i < spec_.trials.size(); ++i) {
        const RunRow* run = newestRun(spec_.trials[i]);
        trialStates_[i]->setText(stateText(run));
        done += run != nullptr && run->status == RunStatus::Done ? 1 : 0;
        active = active || (run != nullptr && isActive(run->status));
    }
    progress_ = active                        ? Progress::Running
                : done == spec_.trials.size() ? Progress::AllDone
                                              : Progress::NotStarted;
    switch (progress_) {
        case Progress::Running:
            action_->setText(QStringLiteral("Watch it live"));
            break;
        case Progress::AllDone:
            action_->setText(QStringLiteral("Compare the runs"));
            break;
        case Progress::NotStarted:
            action_->setText(isLaunching_ ? QStringLiteral("Starting…")
                             : done > 0   ? QStringLiteral("Run the rest of the first study")
                                          : QStringLiteral("Run the first study"));
            break;
    }
    action_->setEnabled(progress_ != Progress::NotStarted || !isLaunching_);
}

void StartPage::act() {
    message_->clear();
    if (progress_ == Progress::NotStarted) {
        isLaunching_ = true;
        showProgress();
        Q_EMIT studyRequested(study_);
        return;
    }
    QStringList runs;
    QString active;
    for (const StudySpec::Trial& trial : spec_.trials) {
        if (const RunRow* run = newestRun(trial)) {
            runs << QString::fromStdString(run->id);
            active = isActive(run->status) ? runs.back() : active;
        }
    }
    if (progress_ == Progress::Running) {
        Q_EMIT openRequested(active);
    } else {
        Q_EMIT compareRequested(runs);
    }
}

void StartPage::showLaunchFailure(const QString& sentence) {
    isLaunching_ = false;
    showProgress();
    message_->showError(sentence);
}

void StartPage::launchStarted() {
    isLaunching_ = false;
    showProgress();
}

}  // namespace concertina::gui
