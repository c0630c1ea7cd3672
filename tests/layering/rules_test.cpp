// SPDX-License-Identifier: Apache-2.0
// Each rule on planted faults, and on the nearest thing that is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layering/house_rules.h"
#include "tests/layering/include_rules.h"
#include "tests/layering/readme_rules.h"

namespace concertina::layering {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SourceFile lineFile(const std::string& path, std::size_t lines, const std::string& line = "") {
    return {path, std::vector<std::string>(lines, line)};
}

TEST(IncludeFaults, FindsTheWrongDirection) {
    const SourceTree tree({{"core/base/error.h", {}},
                           {"core/store/reader.h", {"#include \"core/base/error.h\""}},
                           {"core/base/value.cpp", {"", "#  include \"core/store/reader.h\""}}});
    EXPECT_THAT(includeFaults(tree), ElementsAre(Fault{"core/base/value.cpp", 2,
                                                       "core/base must not include core/store"}));
}

TEST(IncludeFaults, HoldsSiblingsApartUnlessTheTableSaysOtherwise) {
    const SourceTree tree({{"core/comm/a.h", {"#include \"core/compress/b.h\""}},
                           {"core/compress/b.h", {}},
                           {"core/compress/c.cpp", {"#include \"core/comm/a.h\""}}});
    EXPECT_THAT(
        includeFaults(tree),
        ElementsAre(Fault{"core/compress/c.cpp", 1, "core/compress must not include core/comm"}));
}

TEST(IncludeFaults, FindsTrainingFoldersInTheWindow) {
    const SourceTree tree({{"core/train/loop.h", {}},
                           {"core/store/reader.h", {}},
                           {"gui/pages/a.cpp",
                            {"#include \"core/store/reader.h\"", "#include \"core/train/loop.h\""}},
                           {"app/rank_main.cpp", {"#include \"core/train/loop.h\""}}});
    EXPECT_THAT(includeFaults(tree),
                ElementsAre(Fault{"gui/pages/a.cpp", 2, "gui must not include core/train"}));
}

TEST(IncludeFaults, FindsNamesThatAreNotFromTheRootAndNewFolders) {
    const SourceTree tree({{"core/base/a.h", {}},
                           {"core/base/b.h", {"#include \"a.h\"", "#include \"hwy/highway.h\""}},
                           {"core/extra/c.h", {}}});
    EXPECT_THAT(
        includeFaults(tree),
        ElementsAre(Fault{"core/base/b.h", 1, "\"a.h\" names no file from the root"},
                    Fault{"core/extra/c.h", 0, "core/extra is in no row of the include table"}));
}

TEST(LibraryFaults, FindsTorchAndQtOutsideTheirFolders) {
    const SourceTree tree({{"core/store/a.cpp", {"#include <ATen/ATen.h>"}},
                           {"core/store/b.cpp", {"#include <memory>", "#include <QString>"}},
                           {"core/train/c.cpp", {"#include <torch/torch.h>"}},
                           {"gui/d.cpp", {"#include <QtWidgets>"}}});
    EXPECT_THAT(libraryFaults(tree),
                ElementsAre(Fault{"core/store/a.cpp", 1, "torch is for the training folders"},
                            Fault{"core/store/b.cpp", 2, "Qt is for gui and the workbench"}));
}

TEST(LibraryFaults, FindsQtAndTorchInOneFileAlsoThroughATrainingHeader) {
    const SourceTree tree(
        {{"tests/support/a.cpp", {"#include \"core/comm/pipeline.h\"", "#include <QObject>"}}});
    EXPECT_THAT(libraryFaults(tree),
                ElementsAre(Fault{"tests/support/a.cpp", 1, "Qt and torch in one file"}));
}

TEST(CudaFaults, FindsSwitchesAndHeaders) {
    const SourceTree tree({{"core/train/a.cpp",
                            {"#ifdef USE_CUDA", "# if defined(USE_C10D_NCCL)", "#define CUDA 1",
                             "#include <cuda_runtime.h>", "// #ifdef CUDA"}},
                           {"core/comm/b.cpp", {"#ifdef USE_C10D_NCCL"}},
                           {"kernels/cuda/c.cu", {"#ifdef __CUDA_ARCH__"}}});
    EXPECT_THAT(
        cudaFaults(tree),
        ElementsAre(Fault{"core/train/a.cpp", 1, "CUDA switches are for kernels and core/comm"},
                    Fault{"core/train/a.cpp", 2, "CUDA switches are for kernels and core/comm"},
                    Fault{"core/train/a.cpp", 4, "CUDA headers are for kernels and core/comm"}));
}

TEST(LengthFaults, CountsLinesAndColumnsAtTheirLimits) {
    const SourceTree tree({lineFile("core/a.cpp", 400), lineFile("core/b.cpp", 401),
                           lineFile("core/c.h", 200), lineFile("core/d.h", 201),
                           lineFile("core/e.cpp", 1, std::string(100, 'x')),
                           lineFile("core/f.cpp", 1, std::string(101, 'x')),
                           // 100 columns in 200 bytes
                           lineFile("core/g.cpp", 1, [] {
                               std::string line;
                               for (int i = 0; i < 100; ++i) line += "\xC3\xA9";
                               return line;
                           }())});
    EXPECT_THAT(lengthFaults(tree, {}),
                ElementsAre(Fault{"core/b.cpp", 0, "401 lines, allowed are 400"},
                            Fault{"core/d.h", 0, "201 lines, allowed are 200"},
                            Fault{"core/f.cpp", 1, "101 columns, allowed are 100"}));
}

TEST(LengthFaults, AnExceptionNeedsAReasonAndEndsAtTheHardLimit) {
    const SourceTree tree(
        {lineFile("core/a.cpp", 600), lineFile("core/b.cpp", 601), lineFile("core/c.cpp", 400)});
    EXPECT_THAT(
        lengthFaults(tree, {{"core/a.cpp", "one table"},
                            {"core/b.cpp", "one table"},
                            {"core/c.cpp", "one table"},
                            {"core/d.cpp", ""}}),
        ElementsAre(Fault{"core/b.cpp", 0, "601 lines, allowed are 600"},
                    Fault{"core/c.cpp", 0, "is short again: take it off the list of exceptions"},
                    Fault{"core/d.cpp", 0, "is an exception, but does not exist"},
                    Fault{"core/d.cpp", 0, "is an exception without a reason"}));
}

TEST(LicenceFaults, KnowsBothLicencesAndScripts) {
    const std::string apache = "// SPDX-License-Identifier: Apache-2.0";
    const std::string gpl = "// SPDX-License-Identifier: GPL-3.0-or-later";
    const SourceTree tree(
        {{"core/a.h", {apache}},
         {"core/b.h", {gpl}},
         {"gui/c.h", {gpl}},
         {"gui/d.h", {apache}},
         {"app/workbench_main.cpp", {gpl}},
         {"installer/e.sh", {"#!/bin/sh", "# SPDX-License-Identifier: Apache-2.0"}},
         {"installer/f.sh", {"#!/bin/sh"}},
         {"notes.md", {"words"}}});
    EXPECT_THAT(
        licenceFaults(tree),
        ElementsAre(Fault{"core/b.h", 1, "must be: SPDX-License-Identifier: Apache-2.0"},
                    Fault{"gui/d.h", 1, "must be: SPDX-License-Identifier: GPL-3.0-or-later"},
                    Fault{"installer/f.sh", 2, "must be: SPDX-License-Identifier: Apache-2.0"}));
}

TEST(NameFaults, FindsCapitalsAndDashesInFilesAndFolders) {
    const SourceTree tree({{"core/base/good_name2.cpp", {}},
                           {"core/base/BadName.cpp", {}},
                           {"gui/bad-folder/a.h", {}},
                           {"core/README.md", {}}});
    EXPECT_THAT(nameFaults(tree),
                ElementsAre(Fault{"core/base/BadName.cpp", 0, "is not snake_case"},
                            Fault{"gui/bad-folder/a.h", 0, "is not snake_case"}));
}

TEST(WordFaults, FindsNotesHostsAndMachinePaths) {
    const std::string note = std::string("TO") + "DO";
    const SourceTree tree({{"core/a.cpp", {"// " + note + ": later", "int " + note + "S;"}},
                           {"installer/b.sh", {std::string("https://pypi") + ".org", "pip"}},
                           {"c.md", {std::string("cd /wo") + "rk/x", "framework/x"}}});
    EXPECT_THAT(wordFaults(tree),
                ElementsAre(Fault{"c.md", 1, std::string("names /wo") + "rk/"},
                            Fault{"core/a.cpp", 1, "says " + note},
                            Fault{"installer/b.sh", 1, std::string("names pypi") + "."}));
}

TEST(ExitFaults, LooksBelowAppOnly) {
    const SourceTree tree({{"core/a.cpp",
                            {"    std::abort();", "    exit(1);", "    ::_exit(127);",
                             "    snprintf(b, n, f);", "// exit(1) is for app", "std::cout << 1;"}},
                           {"app/main.cpp", {"    exit(1);"}}});
    EXPECT_THAT(exitFaults(tree), ElementsAre(Fault{"core/a.cpp", 1, "abort is for app"},
                                              Fault{"core/a.cpp", 2, "exit is for app"},
                                              Fault{"core/a.cpp", 6, "cout is for app"}));
}

TEST(QtKeywordFaults, WantsTheDefinition) {
    const SourceTree good({lineFile("gui/CMakeLists.txt", 1, "QT_NO_KEYWORDS")});
    const SourceTree bad({lineFile("gui/CMakeLists.txt", 1, "QT_NO_KEYWORDS_")});
    EXPECT_THAT(qtKeywordFaults(good), IsEmpty());
    EXPECT_THAT(qtKeywordFaults(bad),
                ElementsAre(Fault{"gui/CMakeLists.txt", 0, "does not define QT_NO_KEYWORDS"}));
}

TEST(TestFaults, FindsTestsWithoutSourceAndWithoutBuild) {
    const SourceTree tree(
        {{"core/a/x.cpp", {}},
         {"core/a/y.h", {}},
         {"tests/core/a/whole_test.cpp", {}},
         {"tests/core/a/x_test.cpp", {}},
         {"tests/core/a/y_test.cpp", {}},
         {"tests/core/a/z_test.cpp", {}},
         {"tests/contract/all_test.cpp", {}},
         {"tests/CMakeLists.txt",
          {"core/a/x_test.cpp core/a/z_test.cpp core/a/whole_test.cpp", "contract/all_test.cpp"}}});
    const std::vector<Exception> exceptions{{"tests/core/a/whole_test.cpp", "x and y together"},
                                            {"tests/core/a/x_test.cpp", "was one of both once"}};
    EXPECT_THAT(
        testFaults(tree, exceptions),
        ElementsAre(
            Fault{"tests/core/a/x_test.cpp", 0,
                  "mirrors a file: take it off the list of exceptions"},
            Fault{"tests/core/a/y_test.cpp", 0, "is in no CMakeLists.txt, so it never runs"},
            Fault{"tests/core/a/z_test.cpp", 0, "mirrors no file: core/a/z.cpp does not exist"}));
}

TEST(FamilyFaults, FindsMembersWithoutARow) {
    const SourceTree tree(
        {{"core/data/registry.cpp", {"fashionMnistEntry(),", "// cifarEntry()", "makeWikiText"}},
         {"core/data/fashion_mnist.cpp", {}},
         {"core/data/cifar.cpp", {}},
         {"core/data/wiki_text.cpp", {}},
         {"core/data/idx_file.cpp", {}},
         {"core/data/idx_file.h", {}}});
    EXPECT_THAT(familyFaults(tree), ElementsAre(Fault{"core/data/cifar.cpp", 0,
                                                      "core/data/registry.cpp has no row for it"}));
}

TEST(PathFaults, FollowsPathsButNotCommandsOrFormulas) {
    const SourceTree tree({{"core/store/reader.h", {}},
                           {"core/README.md",
                            {"`core/store/reader.h` `store/` `store/reader.h` `2(W-1)/W` `a/b c`",
                             "`core/gone.h` and `gone.md`", "```", "`core/never.h`", "```",
                             "`build/release/bin/concertina` `~/.cache/x` `core/*/a.h`"}}});
    EXPECT_THAT(pathFaults(tree),
                ElementsAre(Fault{"core/README.md", 2, "core/gone.h does not exist"},
                            Fault{"core/README.md", 2, "gone.md does not exist"}));
}

TEST(ReadmeFaults, WantsOnePerFolderAndShort) {
    const SourceTree tree({lineFile("core/README.md", 40), lineFile("gui/README.md", 41)});
    EXPECT_THAT(readmeFaults(tree, {"core", "gui", "app"}),
                ElementsAre(Fault{"gui/README.md", 0, "41 lines, allowed are 40"},
                            Fault{"app/README.md", 0, "does not exist"}));
}

}  // namespace
}  // namespace concertina::layering
