// SPDX-License-Identifier: Apache-2.0
// The rules on this repository.
#include <gtest/gtest.h>

#include "tests/layering/house_rules.h"
#include "tests/layering/include_rules.h"
#include "tests/layering/readme_rules.h"

namespace concertina::layering {
namespace {

const std::vector<Exception> kLongFiles{};
const std::vector<Exception> kTestsOfFolders{
    {"tests/app/command_line_test.cpp", "command lines, as typed"},
    {"tests/core/store/concurrency_test.cpp", "reader, writer and recorder at once"},
};

const std::vector<std::string> kFolders{"kernels",     "core",      "gui",   "app",
                                        "experiments", "resources", "tests", "installer"};

class Repository : public testing::Test {
 protected:
    static const SourceTree& tree() {
        static const SourceTree kTree = readTree(CONCERTINA_SOURCE_DIR);
        return kTree;
    }
    static void expectNone(const std::vector<Fault>& faults) {
        EXPECT_TRUE(faults.empty()) << listOf(faults);
    }
};

TEST_F(Repository, WasRead) {
    EXPECT_NE(tree().find("tests/layering/tree_test.cpp"), nullptr);
    EXPECT_NE(tree().find("core/base/error.h"), nullptr);
}

TEST_F(Repository, IncludesFollowTheFolders) { expectNone(includeFaults(tree())); }
TEST_F(Repository, TorchAndQtStayInTheirFolders) { expectNone(libraryFaults(tree())); }
TEST_F(Repository, CudaStaysInItsFolders) { expectNone(cudaFaults(tree())); }
TEST_F(Repository, FilesAreShort) { expectNone(lengthFaults(tree(), kLongFiles)); }
TEST_F(Repository, FilesNameTheirLicence) { expectNone(licenceFaults(tree())); }
TEST_F(Repository, FileNamesAreSnakeCase) { expectNone(nameFaults(tree())); }
TEST_F(Repository, NothingUnwantedIsLeft) { expectNone(wordFaults(tree())); }
TEST_F(Repository, OnlyAppEndsOrPrints) { expectNone(exitFaults(tree())); }
TEST_F(Repository, QtKeywordsAreOff) { expectNone(qtKeywordFaults(tree())); }
TEST_F(Repository, TestsMirrorSourcesAndAreBuilt) {
    expectNone(testFaults(tree(), kTestsOfFolders));
}
TEST_F(Repository, TablesNameEveryMember) { expectNone(familyFaults(tree())); }
TEST_F(Repository, PathsInReadmesExist) { expectNone(pathFaults(tree())); }
TEST_F(Repository, TopFoldersHaveAShortReadme) { expectNone(readmeFaults(tree(), kFolders)); }

}  // namespace
}  // namespace concertina::layering
