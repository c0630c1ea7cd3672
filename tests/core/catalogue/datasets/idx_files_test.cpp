// SPDX-License-Identifier: Apache-2.0
// IDX files of any number and size: what need not be is free, what must agree is checked.
#include "core/catalogue/datasets/idx_files.h"

#include <gmock/gmock.h>

#include "core/base/error.h"
#include "tests/support/data_choice.h"
#include "tests/support/data_files.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AnyIdx : public ::testing::Test {
 protected:
    void SetUp() override {
        write("train-images-idx3-ubyte", idxOf({6, 5, 4}));
        write("train-labels-idx1-ubyte", idxOf({6}, 3));
        write("t10k-images-idx3-ubyte", idxOf({2, 5, 4}));
        write("t10k-labels-idx1-ubyte", idxOf({2}, 3));
    }
    void write(const char* name, const std::string& bytes) {
        writeFile(folder_.path() / name, bytes);
    }
    Settings settings(std::int64_t classes = 4, std::int64_t limit = 0) const {
        return dataChoice("idx", {{"path", folder_.path().string()},
                                  {"classes", classes},
                                  {"train_samples", limit}})
            .options;
    }
    std::vector<std::string> problems(std::int64_t classes = 4) const {
        return findDataset("idx")->problems(settings(classes));
    }

    TempFolder folder_;
};

TEST_F(AnyIdx, TheFilesDecideTheForm) {
    EXPECT_THAT(problems(), IsEmpty());
    const DataForm form = findDataset("idx")->formOf(settings());
    EXPECT_EQ(form.inputShape, (Shape{1, 5, 4}));
    EXPECT_EQ(form.outputs, 4);
    EXPECT_EQ(form.trainSamples, 6);
    EXPECT_EQ(form.testSamples, 2);
    EXPECT_EQ(findDataset("idx")->formOf(settings(4, 5)).trainSamples, 5);
    EXPECT_EQ(findDataset("idx")->formOf(settings(4, 7)).trainSamples, 6);
}

TEST_F(AnyIdx, LabelsAndImagesMustBeAsMany) {
    write("train-labels-idx1-ubyte", idxOf({5}, 3));
    EXPECT_THAT(problems(), ElementsAre(AllOf(HasSubstr("train-labels-idx1-ubyte: holds 5 bytes"),
                                              HasSubstr("expected 6 (training labels)"))));
}

TEST_F(AnyIdx, TestImagesMustHaveTheSizeOfTrainingImages) {
    write("t10k-images-idx3-ubyte", idxOf({2, 4, 5}));
    EXPECT_THAT(problems(), ElementsAre(AllOf(HasSubstr("holds 2 x 4 x 5 bytes"),
                                              HasSubstr("expected any x 5 x 4 (test images)"))));
}

TEST_F(AnyIdx, NoSampleAtAllIsRefused) {
    write("t10k-images-idx3-ubyte", idxOf({0, 5, 4}));
    write("t10k-labels-idx1-ubyte", idxOf({0}));
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("holds 0 x 5 x 4"), HasSubstr("holds 0 bytes")));
}

TEST_F(AnyIdx, LabelsMustBeBelowTheNumberOfClasses) {
    EXPECT_THAT(problems(3), ElementsAre(HasSubstr("label 3 of sample 0, allowed: 0 to 2"),
                                         HasSubstr("label 3 of sample 0, allowed: 0 to 2")));
}

TEST_F(AnyIdx, GzipWithoutItsEndingIsNamed) {
    write("t10k-labels-idx1-ubyte", gzipOf(idxOf({2}, 3)));
    EXPECT_THAT(problems(),
                ElementsAre(AllOf(HasSubstr("is gzip data"),
                                  HasSubstr("rename it to t10k-labels-idx1-ubyte.gz"))));
}

TEST(Mnist, AFolderThatIsNotThereIsNamedForEachFile) {
    const auto problems = findDataset("mnist")->problems({{"path", std::string("/no/mnist")}});
    ASSERT_EQ(problems.size(), 4U);
    EXPECT_THAT(problems[2], HasSubstr("/no/mnist/t10k-images-idx3-ubyte: no such file"));
}

}  // namespace
}  // namespace concertina
