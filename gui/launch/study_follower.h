// SPDX-License-Identifier: GPL-3.0-or-later
// StudyFollower: which run of a study to show while its runs come one after another: the running
// one, and when that has ended the next. Owned by the main window, fed with every state of the
// store. GUI thread.
#pragma once
#include <QObject>

#include "gui/models/runs_model.h"

namespace concertina::gui {

class StudyFollower : public QObject {
    Q_OBJECT
 public:
    using QObject::QObject;
    void follow(const QString& studyName);
    void stop() { follow({}); }
    void setRuns(const RunList& runs);
    /// The study was launched, and all its runs may long have been finished: then its newest is
    /// shown.
    void launchStarted();

 Q_SIGNALS:
    void runChanged(const QString& run);

 private:
    void show(const RunRow& run);

    QString study_, shown_;
    RunList runs_ = std::make_shared<std::vector<RunRow>>();
};

}  // namespace concertina::gui
