// SPDX-License-Identifier: Apache-2.0
// CIFAR's binary files: read byte by byte, and each kind of damage by name.
#include "core/catalogue/datasets/cifar_files.h"

#include <gmock/gmock.h>

#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "tests/support/data_files.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class Cifar : public ::testing::Test {
 protected:
    std::vector<std::string> problems(const char* dataset) const {
        return findDataset(dataset)->problems({{"path", folder_.path().string()}});
    }
    fs::path file(const char* name) const { return folder_.path() / name; }

    TempFolder folder_;
};

TEST_F(Cifar, RecordsOfTenClassesAreALabelAndThreePlanes) {
    const CifarSet set{.trainFiles = {"a"},
                       .testFile = "b",
                       .trainFileSamples = 2,
                       .testSamples = 1,
                       .labelClasses = {10}};
    writeFile(file("a"), "\x07" + std::string(1024, 'r') + std::string(1024, 'g') +
                             std::string(1024, 'b') + "\x02" + std::string(3072, 'x'));
    const CifarImages images = readCifar(folder_.path(), set, {"a"});
    EXPECT_THAT(images.labels, ElementsAre(7, 2));
    ASSERT_EQ(images.pixels.size(), 2U * 3072);
    EXPECT_EQ(images.pixels[0], 'r');
    EXPECT_EQ(images.pixels[1024], 'g');
    EXPECT_EQ(images.pixels[3071], 'b');
    EXPECT_EQ(images.pixels[3072], 'x');
}

TEST_F(Cifar, OfTwoLabelsTheSecondIsTheClass) {
    const CifarSet set{.trainFiles = {"a"},
                       .testFile = "b",
                       .trainFileSamples = 1,
                       .testSamples = 1,
                       .labelClasses = {20, 100}};
    writeFile(file("a"), "\x13\x63" + std::string(3072, 'p'));
    const CifarImages images = readCifar(folder_.path(), set, {"a"});
    EXPECT_THAT(images.labels, ElementsAre(99));
    EXPECT_EQ(images.pixels[0], 'p');
}

TEST_F(Cifar, GoodFilesHaveNoProblem) {
    writeCifar10(folder_.path());
    EXPECT_THAT(problems("cifar10"), IsEmpty());
    writeCifar100(folder_.path());
    EXPECT_THAT(problems("cifar100"), IsEmpty());
}

TEST_F(Cifar, EveryMissingFileIsNamed) {
    const auto found = problems("cifar10");
    ASSERT_EQ(found.size(), 6U);
    EXPECT_THAT(found[4], AllOf(HasSubstr(file("data_batch_5.bin").string() + ": no such file")));
    EXPECT_THAT(problems("cifar100"),
                ElementsAre(HasSubstr("train.bin: no such"), HasSubstr("test.bin: no such")));
}

TEST_F(Cifar, SizesAreExpectedAndFound) {
    writeCifar10(folder_.path());
    unlinkFile(file("data_batch_3.bin"));
    fs::resize_file(file("data_batch_3.bin"), 30729999);
    EXPECT_THAT(problems("cifar10"),
                ElementsAre(AllOf(HasSubstr("data_batch_3.bin: holds 30729999 bytes"),
                                  HasSubstr("expected 30730000 (10000 records of 3073 bytes)"))));
    writeCifar(file("data_batch_3.bin"), 10000, 2, 100);
    EXPECT_THAT(problems("cifar10"),
                ElementsAre(HasSubstr("; that is the size of CIFAR-100's test.bin")));
}

TEST_F(Cifar, LabelsOutOfRangeAreNamed) {
    writeCifar10(folder_.path());
    patchFile(file("test_batch.bin"), 3073 * 17, "\x0a");
    EXPECT_THAT(problems("cifar10"),
                ElementsAre(HasSubstr("test_batch.bin: label 10 of sample 17, allowed: 0 to 9")));
    writeCifar100(folder_.path());
    patchFile(file("test.bin"), 3074 * 5, "\x14");  // the coarse one
    EXPECT_THAT(problems("cifar100"),
                ElementsAre(HasSubstr("label 20 of sample 5, allowed: 0 to 19")));
}

TEST_F(Cifar, AFileThatIsThereTwiceUpsetsTheBalance) {
    writeCifar10(folder_.path());
    patchFile(file("data_batch_1.bin"), 0, "\x01");  // one 0 became a 1: 4999 and 5001
    EXPECT_THAT(problems("cifar10"),
                ElementsAre(HasSubstr("data_batch_1.bin to data_batch_5.bin: 4999 samples of class "
                                      "0, expected 5000 of each")));
}

TEST_F(Cifar, WebPagesAndArchivesAreNamed) {
    writeFile(file("train.bin"), "<!DOCTYPE html><html>404</html>");
    writeFile(file("test.bin"), gzipOf("tar"));
    EXPECT_THAT(problems("cifar100"),
                ElementsAre(HasSubstr("train.bin: is a web page"),
                            AllOf(HasSubstr("test.bin: is gzip data"), HasSubstr("unpack it"))));
}

TEST_F(Cifar, APackedFileIsReadAndItsSizeChecked) {
    writeCifar100(folder_.path());
    fs::remove(file("test.bin"));
    writeFile(file("test.bin.gz"), gzipOf(std::string(3074, 0)));
    EXPECT_THAT(problems("cifar100"),
                ElementsAre(AllOf(HasSubstr("cut short: expected 30740000 bytes unpacked, found "
                                            "3074"))));
}

}  // namespace
}  // namespace concertina
