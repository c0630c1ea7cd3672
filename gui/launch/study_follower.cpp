// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/launch/study_follower.h"

namespace concertina::gui {

void StudyFollower::follow(const QString& studyName) {
    study_ = studyName;
    shown_.clear();
    setRuns(runs_);
}

void StudyFollower::setRuns(const RunList& runs) {
    runs_ = runs;
    if (study_.isEmpty()) {
        return;
    }
    const RunRow* running = nullptr;
    for (const RunRow& run : *runs) {
        if (QString::fromStdString(run.study) != study_ || run.status != RunStatus::Running) {
            continue;
        }
        if (QString::fromStdString(run.id) == shown_) {
            return;  // still at work
        }
        running = running == nullptr ? &run : running;  // newest first
    }
    if (running != nullptr) {
        show(*running);
    }
}

void StudyFollower::launchStarted() {
    if (study_.isEmpty() || !shown_.isEmpty()) {
        return;
    }
    for (const RunRow& run : *runs_) {
        if (QString::fromStdString(run.study) == study_) {
            show(run);
            return;
        }
    }
}

void StudyFollower::show(const RunRow& run) {
    shown_ = QString::fromStdString(run.id);
    Q_EMIT runChanged(shown_);
}

}  // namespace concertina::gui
