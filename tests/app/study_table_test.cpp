// SPDX-License-Identifier: Apache-2.0
#include "app/study_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace concertina {
namespace {

TrialResult trial(const std::string& variant, std::uint64_t seed, double accuracy) {
    TrialResult result{.variant = variant};
    result.run.id = variant + std::to_string(seed);
    result.run.seed = seed;
    result.run.status = RunStatus::Done;
    result.run.ranks = 2;
    result.run.testAccuracy = accuracy;
    result.run.wireBytes = 1000;
    result.run.denseFp32WireBytes = 4000;
    result.run.mildShare = 0.5;
    result.run.trainSeconds = 42;
    return result;
}

TEST(StudyTable, OneRowAVariantInTheStudysOrder) {
    const std::vector<TrialResult> results{trial("strong", 1, 0.5), trial("dense", 1, 0.75)};
    EXPECT_EQ(studyTable(results),
              "variant  accuracy  sent/rank  vs fp32  mild  time  done\n"
              "strong     0.5000     1.0 kB     4.0x  50 %  42 s   1/1\n"
              "dense      0.7500     1.0 kB     4.0x  50 %  42 s   1/1");
}

TEST(StudyTable, SeedsAreAveragedAndFailuresCountedNotAveraged) {
    std::vector<TrialResult> results{trial("a", 1, 0.5), trial("a", 2, 0.7), trial("a", 3, 0.1)};
    results[2].run.status = RunStatus::Failed;
    const std::string table = studyTable(results);
    EXPECT_NE(table.find("0.6000 ± 0.1414"), std::string::npos) << table;
    EXPECT_NE(table.find("2/3"), std::string::npos) << table;
    const auto json = nlohmann::json::parse(studyJson("study", results));
    EXPECT_EQ(json["event"], "table");
    EXPECT_DOUBLE_EQ(json["rows"][0]["test_accuracy"]["mean"], 0.6);
    EXPECT_EQ(json["rows"][0]["done"], 2);
    EXPECT_EQ(json["trials"].size(), 3u);
    EXPECT_EQ(json["trials"][2]["status"], "failed");
}

TEST(StudyTable, AVariantWithoutAFinishedRunHasNoNumbers) {
    std::vector<TrialResult> results{trial("a", 1, 0.5)};
    results[0].run.status = RunStatus::Diverged;
    EXPECT_EQ(studyTable(results),
              "variant  accuracy  sent/rank  vs fp32  mild  time  done\n"
              "a               -          -        -     -     -   0/1");
    EXPECT_TRUE(nlohmann::json::parse(studyJson("s", results))["rows"][0]["ratio"].is_null());
}

}  // namespace
}  // namespace concertina
