// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/runs_filter.h"

#include <gmock/gmock.h>

#include "gui/models/runs_model.h"

namespace concertina::gui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RunRow runOf(const std::string& id, RunStatus status, std::optional<double> accuracy, int epochs) {
    RunRow run;
    run.id = id;
    run.name = "net-" + id;
    run.status = status;
    run.policy = id == "c" ? "static" : "accordion";
    run.seed = 10;
    run.epochsPlanned = 10;
    run.epochsDone = epochs;
    run.testAccuracy = accuracy;
    return run;
}

class RunsFilterTest : public testing::Test {
 protected:
    RunsFilterTest() {
        model_.setRuns(std::make_shared<std::vector<RunRow>>(std::vector<RunRow>{
            runOf("a", RunStatus::Running, 0.9, 9), runOf("b", RunStatus::Failed, {}, 0),
            runOf("c", RunStatus::Done, 0.1, 10)}));
        filter_.setSourceModel(&model_);
    }
    std::vector<std::string> shown() const {
        std::vector<std::string> ids;
        for (int row = 0; row < filter_.rowCount(); ++row) {
            ids.push_back(filter_.run(row).id);
        }
        return ids;
    }
    int columnOf(const char* title) const {
        for (int column = 0; column < model_.columnCount(); ++column) {
            if (model_.headerData(column, Qt::Horizontal, Qt::DisplayRole) == QString(title)) {
                return column;
            }
        }
        return -1;
    }

    RunsModel model_;
    RunsFilter filter_;
};

TEST_F(RunsFilterTest, WithoutTextShowsAll) { EXPECT_THAT(shown(), ElementsAre("a", "b", "c")); }

TEST_F(RunsFilterTest, KeysTakeOneOfSeveralValues) {
    filter_.setFilterText("status=running,failed");
    EXPECT_THAT(shown(), ElementsAre("a", "b"));
    filter_.setFilterText("status=RUNNING");
    EXPECT_THAT(shown(), ElementsAre("a"));
}

TEST_F(RunsFilterTest, WordsMustAllMatch) {
    filter_.setFilterText("accordion net-b");
    EXPECT_THAT(shown(), ElementsAre("b"));
    filter_.setFilterText("accordion static");
    EXPECT_THAT(shown(), IsEmpty());
}

TEST_F(RunsFilterTest, AStatusOrSeedMustBeEqualANameNeedsAPiece) {
    filter_.setFilterText("seed=1");
    EXPECT_THAT(shown(), IsEmpty());
    filter_.setFilterText("seed=10");
    EXPECT_THAT(shown(), ElementsAre("a", "b", "c"));
    filter_.setFilterText("name=t-c");
    EXPECT_THAT(shown(), ElementsAre("c"));
}

TEST_F(RunsFilterTest, AKeyStillBeingTypedHidesNothing) {
    filter_.setFilterText("status=");
    EXPECT_THAT(shown(), ElementsAre("a", "b", "c"));
}

TEST_F(RunsFilterTest, ARunWithoutAValueComesLastInBothOrders) {
    filter_.sort(columnOf("Accuracy"), Qt::AscendingOrder);
    EXPECT_THAT(shown(), ElementsAre("c", "a", "b"));
    filter_.sort(columnOf("Accuracy"), Qt::DescendingOrder);
    EXPECT_THAT(shown(), ElementsAre("a", "c", "b"));
}

TEST_F(RunsFilterTest, NumbersSortAsNumbers) {
    filter_.sort(columnOf("Progress"),
                 Qt::AscendingOrder);  // as text "10/10" would come before "9/10"
    EXPECT_THAT(shown(), ElementsAre("b", "a", "c"));
}

}  // namespace
}  // namespace concertina::gui
