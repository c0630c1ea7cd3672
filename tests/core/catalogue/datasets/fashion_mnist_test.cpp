// SPDX-License-Identifier: Apache-2.0
// Damaged, missing and swapped data files, through the check that runs before a run starts (B25).
#include <gmock/gmock.h>

#include <array>
#include <fstream>

#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/catalogue/datasets/idx_files.h"
#include "tests/support/data_files.h"
#include "tests/support/temp_folder.h"

namespace concertina {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

const std::array<std::string, 4> kNames{"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                        "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};

/// All four files, packed once: blank images, labels 9.
const std::array<std::string, 4>& packedFiles() {
    static const std::array<std::string, 4> kFiles{
        gzipOf(idxOf({60000, 28, 28})), gzipOf(idxOf({60000}, 9)), gzipOf(idxOf({10000, 28, 28})),
        gzipOf(idxOf({10000}, 9))};
    return kFiles;
}

class FashionMnist : public ::testing::Test {
 protected:
    void SetUp() override {
        for (std::size_t i = 0; i < kNames.size(); ++i) {
            writeFile(packed(i), packedFiles()[i]);
        }
    }

    fs::path plain(std::size_t i) const { return folder_.path() / kNames[i]; }
    fs::path packed(std::size_t i) const { return folder_.path() / (kNames[i] + ".gz"); }
    std::vector<std::string> problems() const {
        return findDataset("fashion-mnist")->problems({{"path", folder_.path().string()}});
    }

    TempFolder folder_;
};

TEST_F(FashionMnist, GoodFilesHaveNoProblem) { EXPECT_THAT(problems(), IsEmpty()); }

TEST_F(FashionMnist, APlainFileWinsOverAPackedOne) {
    writeFile(packed(3), "rubbish");
    writeFile(plain(3), idxOf({10000}, 3));
    EXPECT_THAT(problems(), IsEmpty());
    EXPECT_EQ(readIdx(folder_.path(), kNames[3]).bytes[9999], 3);
    writeFile(plain(3), "");
    EXPECT_THAT(problems(), ElementsAre(AllOf(HasSubstr(plain(3).string() + ": cut short"),
                                              HasSubstr("0 bytes"))));
}

TEST_F(FashionMnist, EveryMissingFileIsNamed) {
    fs::remove(packed(0));
    fs::remove(packed(3));
    EXPECT_THAT(problems(),
                ElementsAre(AllOf(HasSubstr(plain(0).string()), HasSubstr("no such file")),
                            AllOf(HasSubstr(plain(3).string()), HasSubstr("no such file"))));
}

TEST_F(FashionMnist, TruncatedPackedFilesGiveExpectedAndFoundSize) {
    for (const std::size_t size : {packedFiles()[2].size() - 1, packedFiles()[2].size() / 2}) {
        writeFile(packed(2), packedFiles()[2].substr(0, size));
        const auto found = problems();
        ASSERT_EQ(found.size(), 1U) << size;
        EXPECT_THAT(found[0], AllOf(HasSubstr(packed(2).string()), HasSubstr("cut short")));
        EXPECT_THAT(found[0], HasSubstr(std::to_string(size) + " bytes"));
    }
    writeFile(packed(2), "");
    EXPECT_THAT(problems(), ElementsAre(AllOf(HasSubstr(packed(2).string()),
                                              HasSubstr("not gzip data (0 bytes)"))));
}

TEST_F(FashionMnist, TruncatedAndExtendedPlainFilesGiveExpectedAndFoundSize) {
    const std::string good = idxOf({10000}, 9);
    writeFile(plain(3), good.substr(0, good.size() - 1));
    EXPECT_THAT(problems(), ElementsAre(AllOf(HasSubstr("cut short"),
                                              HasSubstr("expected 10008 bytes, found 10007"))));
    writeFile(plain(3), good + "x");
    EXPECT_THAT(problems(), ElementsAre(AllOf(HasSubstr("too long"), HasSubstr("10008"),
                                              HasSubstr("10009 bytes"))));
}

TEST_F(FashionMnist, BytesAfterGzipDataAreRefused) {
    writeFile(packed(1), packedFiles()[1] + "x");
    EXPECT_THAT(problems(),
                ElementsAre(AllOf(HasSubstr(packed(1).string()), HasSubstr("more after the end"))));
}

TEST_F(FashionMnist, AFlippedBitIsCaughtByTheChecksum) {
    std::string damaged = packedFiles()[1];
    damaged[damaged.size() - 6] ^= 1;  // inside the CRC
    writeFile(packed(1), damaged);
    EXPECT_THAT(problems(),
                ElementsAre(AllOf(HasSubstr(packed(1).string()), HasSubstr("damaged gzip data"))));
}

TEST_F(FashionMnist, SwappedFilesAreRecognised) {
    fs::rename(packed(0), plain(0));
    fs::rename(packed(2), packed(0));
    fs::rename(plain(0), packed(2));
    EXPECT_THAT(
        problems(),
        ElementsAre(
            AllOf(HasSubstr("10000 x 28 x 28"), HasSubstr("these are the test images")),
            AllOf(HasSubstr("60000 x 28 x 28"), HasSubstr("these are the training images"))));
    SetUp();
    fs::copy_file(packed(3), packed(2), fs::copy_options::overwrite_existing);
    EXPECT_THAT(problems(), ElementsAre(AllOf(HasSubstr(packed(2).string()),
                                              HasSubstr("these are the test labels"))));
}

TEST_F(FashionMnist, AWebPageIsNoData) {
    const std::string page = "\n<!DOCTYPE html><html><body>404</body></html>";
    writeFile(packed(0), page);
    writeFile(plain(3), page);
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("is a web page"), HasSubstr("is a web page")));
}

TEST_F(FashionMnist, OtherContentIsNamed) {
    writeFile(packed(3), idxOf({10000}));
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("rename it without .gz")));
    writeFile(plain(3), "PK\x03\x04 something else");
    EXPECT_THAT(problems(),
                ElementsAre(AllOf(HasSubstr("not an IDX file"), HasSubstr("50 4b 03 04"))));
    fs::remove(plain(3));
    fs::create_directory(plain(3));
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("is not a file")));
}

TEST_F(FashionMnist, LabelsOutOfRangeAreNamed) {
    std::string labels = idxOf({10000}, 9);
    labels[8 + 17] = 10;
    writeFile(plain(3), labels);
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("label 10 of sample 17, allowed: 0 to 9")));
}

TEST_F(FashionMnist, AHeaderCannotMakeUsAllocateMoreThanTheFileHolds) {
    const std::string bomb("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16);
    writeFile(plain(0), bomb);
    writeFile(packed(2), gzipOf(bomb));
    EXPECT_THAT(problems(), ElementsAre(HasSubstr("announces 4294967295 x"),
                                        HasSubstr("announces 4294967295 x")));
}

TEST(FashionMnistPackage, TheInstalledDataSetIsWhole) {
    const DatasetDescriptor& dataset = *findDataset("fashion-mnist");
    const auto& path = std::get<std::string>(dataset.parameters[0].defaultValue);
    EXPECT_THAT(dataset.problems({{"path", path}}), IsEmpty());
    const IdxArray labels = readIdx(path, kNames[3]);
    EXPECT_EQ(labels.dims, std::vector<std::int64_t>{10000});
    EXPECT_EQ(labels.bytes[0], 9);  // the first test image is an ankle boot
    EXPECT_EQ(std::count(labels.bytes.begin(), labels.bytes.end(), 0), 1000);
}

}  // namespace
}  // namespace concertina
