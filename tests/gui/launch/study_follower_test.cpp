// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/launch/study_follower.h"

#include <gmock/gmock.h>

namespace concertina::gui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RunRow runOf(const std::string& id, const std::string& study, RunStatus status) {
    RunRow run;
    run.id = id;
    run.study = study;
    run.status = status;
    return run;
}

RunList listOf(std::vector<RunRow> runs) {
    return std::make_shared<std::vector<RunRow>>(std::move(runs));
}

class StudyFollowerTest : public testing::Test {
 protected:
    StudyFollowerTest() {
        QObject::connect(&follower_, &StudyFollower::runChanged,
                         [this](const QString& run) { shown_.push_back(run.toStdString()); });
    }
    StudyFollower follower_;
    std::vector<std::string> shown_;
};

TEST_F(StudyFollowerTest, GoesOnToTheNextRunningRunOfItsStudy) {
    follower_.follow("first");
    follower_.setRuns(listOf({runOf("x", "other", RunStatus::Running)}));
    EXPECT_THAT(shown_, IsEmpty());
    follower_.setRuns(listOf({runOf("a", "first", RunStatus::Running)}));
    follower_.setRuns(listOf({runOf("a", "first", RunStatus::Done)}));
    follower_.setRuns(
        listOf({runOf("b", "first", RunStatus::Running), runOf("a", "first", RunStatus::Done)}));
    EXPECT_THAT(shown_, ElementsAre("a", "b"));
}

TEST_F(StudyFollowerTest, StaysWithARunThatIsStillAtWork) {
    follower_.follow("first");
    follower_.setRuns(listOf({runOf("a", "first", RunStatus::Running)}));
    follower_.setRuns(
        listOf({runOf("b", "first", RunStatus::Running), runOf("a", "first", RunStatus::Running)}));
    EXPECT_THAT(shown_, ElementsAre("a"));
}

TEST_F(StudyFollowerTest, ShowsTheNewestRunOfAStudyThatWasFinishedBefore) {
    follower_.follow("first");
    follower_.setRuns(
        listOf({runOf("b", "first", RunStatus::Done), runOf("a", "first", RunStatus::Done)}));
    EXPECT_THAT(shown_, IsEmpty());
    follower_.launchStarted();
    EXPECT_THAT(shown_, ElementsAre("b"));
}

TEST_F(StudyFollowerTest, StopsWhenTheUserLooksElsewhere) {
    follower_.follow("first");
    follower_.stop();
    follower_.setRuns(listOf({runOf("a", "first", RunStatus::Running)}));
    EXPECT_THAT(shown_, IsEmpty());
}

}  // namespace
}  // namespace concertina::gui
