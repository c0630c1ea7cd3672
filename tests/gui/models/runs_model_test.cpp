// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/runs_model.h"

#include <gmock/gmock.h>

#include <QSignalSpy>

namespace concertina::gui {
namespace {

RunRow doneRun(const std::string& id) {
    RunRow run;
    run.id = id;
    run.name = "net";
    run.status = RunStatus::Done;
    run.ranks = 2;
    run.epochsPlanned = run.epochsDone = 4;
    run.testAccuracy = 0.8543;
    run.wireBytes = 1e6;
    run.denseFp32WireBytes = 8e6;
    return run;
}

RunList listOf(std::vector<RunRow> runs) {
    return std::make_shared<std::vector<RunRow>>(std::move(runs));
}

QString cell(const RunsModel& model, int row, const char* title) {
    for (int column = 0; column < model.columnCount(); ++column) {
        if (model.headerData(column, Qt::Horizontal, Qt::DisplayRole) == QString::fromUtf8(title)) {
            return model.index(row, column).data().toString();
        }
    }
    return "no such column";
}

TEST(RunsModel, ShowsBytesAndRatiosOfOneRank) {
    RunsModel model;
    model.setRuns(listOf({doneRun("a")}));
    EXPECT_EQ(cell(model, 0, "Status"), "Done");
    EXPECT_EQ(cell(model, 0, "Progress"), "4/4");
    EXPECT_TRUE(cell(model, 0, "Accuracy").startsWith("85.4"));
    EXPECT_TRUE(cell(model, 0, "vs fp32").startsWith("8"));
    EXPECT_TRUE(cell(model, 0, "vs fp16").startsWith("4"));
}

TEST(RunsModel, ShowsPayloadForOneRankAndSaysSo) {
    RunRow run = doneRun("a");
    run.ranks = 1;
    run.wireBytes = run.denseFp32WireBytes = 0;
    run.payloadBytes = 2e6;
    run.denseFp32PayloadBytes = 6e6;
    RunsModel model;
    model.setRuns(listOf({run}));
    EXPECT_TRUE(cell(model, 0, "Bytes sent").endsWith("payload"));
    EXPECT_TRUE(cell(model, 0, "vs fp32").startsWith("3"));
}

TEST(RunsModel, ANewRunHasNoNumbersYet) {
    RunRow run = doneRun("a");
    run.status = RunStatus::Queued;
    run.epochsDone = 0;
    run.testAccuracy.reset();
    run.wireBytes = run.denseFp32WireBytes = 0;
    RunsModel model;
    model.setRuns(listOf({run}));
    for (const char* title : {"Accuracy", "Bytes sent", "vs fp16", "vs fp32", "Time", "Started"}) {
        EXPECT_EQ(cell(model, 0, title), QString::fromUtf8("–")) << title;
    }
}

TEST(RunsModel, AnnouncesOnlyTheRowThatChanged) {
    RunsModel model;
    model.setRuns(listOf({doneRun("b"), doneRun("a")}));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    RunRow later = doneRun("a");
    later.wireBytes = 2e6;
    model.setRuns(listOf({doneRun("b"), later}));
    ASSERT_EQ(changed.count(), 1);
    EXPECT_EQ(changed[0][0].toModelIndex().row(), 1);
    EXPECT_EQ(changed[0][1].toModelIndex().row(), 1);
    EXPECT_EQ(reset.count(), 0);
}

TEST(RunsModel, ANewRunIsInsertedOnTop) {
    RunsModel model;
    model.setRuns(listOf({doneRun("a")}));
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setRuns(listOf({doneRun("c"), doneRun("b"), doneRun("a")}));
    ASSERT_EQ(inserted.count(), 1);
    EXPECT_EQ(inserted[0][1].toInt(), 0);
    EXPECT_EQ(inserted[0][2].toInt(), 1);
    EXPECT_EQ(reset.count(), 0);
    EXPECT_EQ(model.run(0).id, "c");
}

TEST(RunsModel, APurgedRunResets) {
    RunsModel model;
    model.setRuns(listOf({doneRun("b"), doneRun("a")}));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setRuns(listOf({doneRun("a")}));
    EXPECT_EQ(reset.count(), 1);
    EXPECT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.find("b"), nullptr);
}

}  // namespace
}  // namespace concertina::gui
