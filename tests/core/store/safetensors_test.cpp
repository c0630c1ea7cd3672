// SPDX-License-Identifier: Apache-2.0
#include "core/store/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/error.h"

namespace concertina {
namespace {

using ::testing::HasSubstr;

std::string fileOf(const std::string& header, const std::string& data = {}) {
    std::string file(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
        file[i] = static_cast<char>((header.size() >> (8 * i)) & 0xFF);
    }
    return file + header + data;
}

void refuses(const std::string& file, const std::string& words) {
    try {
        readSafetensors(file, "file f");
        FAIL() << "taken, though " << words;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_THAT(error.what(), HasSubstr("file f "));
        EXPECT_THAT(error.what(), HasSubstr(words));
    }
}

// By the format's own words: length, JSON, data.
TEST(Safetensors, ReadsAFileMadeByHand) {
    const std::string file =
        fileOf(R"({"__metadata__":{"a":"b"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
               R"("n":{"dtype":"U8","shape":[],"data_offsets":[8,9]},)"
               R"("e":{"dtype":"I64","shape":[0,3],"data_offsets":[9,9]}})",
               std::string("\0\0\x80\x3f\0\0\0\xc0\x07", 9));
    const auto tensors = readSafetensors(file, "f");
    ASSERT_EQ(tensors.size(), 3U);
    EXPECT_EQ(tensors[0].name, "x");
    EXPECT_EQ(tensors[0].shape, Shape{2});
    float values[2];
    std::memcpy(values, tensors[0].bytes.data(), sizeof values);
    EXPECT_EQ(values[0], 1.0F);
    EXPECT_EQ(values[1], -2.0F);
    EXPECT_EQ(tensors[1].shape, Shape{});
    EXPECT_EQ(std::to_integer<int>(tensors[1].bytes[0]), 7);
    EXPECT_EQ(tensors[2].type, ElementType::I64);
    EXPECT_TRUE(tensors[2].bytes.empty());
}

TEST(Safetensors, WhatIsWrittenReadsBackAndIsAligned) {
    const double wide[] = {1.5, -2};
    const char narrow[] = {1, 2, 3};
    const std::string file =
        writeSafetensors({{"b", ElementType::I8, {3}, std::as_bytes(std::span(narrow))},
                          {"a", ElementType::F64, {1, 2}, std::as_bytes(std::span(wide))},
                          {"none", ElementType::F32, {0}, {}}});
    const auto tensors = readSafetensors(file, "f");
    ASSERT_EQ(tensors.size(), 3U);
    EXPECT_EQ(tensors[0].name, "a");
    EXPECT_EQ((reinterpret_cast<const char*>(tensors[0].bytes.data()) - file.data()) % 8, 0);
    EXPECT_EQ(std::memcmp(tensors[0].bytes.data(), wide, sizeof wide), 0);
    EXPECT_EQ(readSafetensors(writeSafetensors({}), "f").size(), 0U);
}

TEST(Safetensors, RefusesWhatIsNotExactlyTheFormat) {
    refuses("", "is no safetensors file: it has 0 bytes");
    refuses("1234567", "is no safetensors file: it has 7 bytes");
    refuses(std::string(8, '\xff'), "cut short");
    refuses(std::string("\x09\0\0\0\0\0\0\0{}", 10), "its header would have 9 of 10 bytes");
    refuses(fileOf("<html>"), "is no JSON");
    refuses(fileOf("[]"), "no JSON object");
    const auto one = [](const std::string& tensor) { return "{\"x\":" + tensor + "}"; };
    const auto placed = [&](const std::string& shape, const std::string& offsets,
                            const std::string& type = "F32") {
        return one(R"({"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" +
                   offsets + "}");
    };
    refuses(fileOf(one("3")), "something else than dtype");
    refuses(fileOf(one(R"({"dtype":"F32","shape":[1]})"), "1234"), "something else than dtype");
    refuses(fileOf(placed("[1]", "[0,4]", "F8"), "1234"), "unknown type 'F8'");
    refuses(fileOf(placed("[-1]", "[0,4]"), "1234"), "no whole number");
    refuses(fileOf(placed("[1.0]", "[0,4]"), "1234"), "no whole number");
    refuses(fileOf(placed("[1]", "[0,8]"), "1234"), "places 'x' (4 bytes) at 0..8 of 4 bytes");
    refuses(fileOf(placed("[1]", "[4,0]"), "1234"), "places 'x'");
    refuses(fileOf(placed("[2]", "[0,4]"), "1234"), "places 'x' (8 bytes)");
    refuses(fileOf(placed("[4294967296,4294967296]", "[0,0]")), "larger than any memory");
    refuses(fileOf(placed("[18446744073709551615]", "[0,0]")), "larger than any memory");
    refuses(fileOf(placed("[1]", "[0,4]"), "12345"), "bytes behind its last tensor");
    refuses(fileOf(placed("[1]", "[1,5]"), "12345"), "gap or an overlap before 'x'");
    const std::string entry = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
    refuses(fileOf(R"({"x":)" + entry + R"(,"y":)" + entry + "}", "1234"), "overlap before 'y'");
    refuses(fileOf(R"({"x":)" + entry + R"(,"x":)" + entry + "}", "1234"), "names 'x' twice");
}

// Every single cut and every single changed byte of the header: refused or read, never beyond.
TEST(Safetensors, CutAndChangedFilesAreRefusedOrReadWithinBounds) {
    const float values[] = {1, 2, 3, 4};
    const std::string file =
        writeSafetensors({{"weights", ElementType::F32, {2, 2}, std::as_bytes(std::span(values))}});
    for (std::size_t length = 0; length < file.size(); ++length) {
        EXPECT_THROW(readSafetensors(std::string_view(file).substr(0, length), "f"), Error);
    }
    for (std::size_t at = 0; at + sizeof values < file.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string changed = file;
            changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
            try {
                for (const StoredTensor& tensor : readSafetensors(changed, "f")) {
                    EXPECT_GE(reinterpret_cast<const char*>(tensor.bytes.data()), changed.data());
                    EXPECT_LE(tensor.bytes.size(), sizeof values);
                }
            } catch (const Error&) {
            }
        }
    }
}

}  // namespace
}  // namespace concertina
