// SPDX-License-Identifier: GPL-3.0-or-later
// StartPage: what a newcomer sees first: one button that runs the first study, what it will do and
// how long it takes, and how far it is. GUI thread.
#pragma once
#include <QWidget>
#include <filesystem>

#include "core/spec/run_spec.h"
#include "gui/models/runs_model.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace concertina::gui {

class MessageBar;

class StartPage : public QWidget {
    Q_OBJECT
 public:
    /// `study`: the study the button runs; empty when the installation lacks it, which the page
    /// then says.
    explicit StartPage(std::filesystem::path study, QWidget* parent = nullptr);
    void setRuns(const RunList& runs);
    void showLaunchFailure(const QString& sentence);
    void launchStarted();

 Q_SIGNALS:
    void studyRequested(const std::filesystem::path& study);
    void openRequested(const QString& run);
    void compareRequested(const QStringList& runs);
    void newRunRequested();
    void runsRequested();

 private:
    enum class Progress { NotStarted, Running, AllDone };

    QWidget* makeStudyCard();
    void readStudy();
    void showTrials();
    const RunRow* newestRun(const StudySpec::Trial& trial) const;
    void showProgress();
    void act();

    std::filesystem::path study_;
    StudySpec spec_;
    RunList runs_ = std::make_shared<std::vector<RunRow>>();
    Progress progress_ = Progress::NotStarted;
    bool isLaunching_ = false;
    MessageBar* message_;
    QLabel* facts_;
    QGridLayout* trials_;
    std::vector<QLabel*> trialStates_;
    QPushButton* action_;
};

}  // namespace concertina::gui
