// SPDX-License-Identifier: Apache-2.0
#include "core/base/sha256.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace concertina {
namespace {

// Values of FIPS 180-4's own examples.
const std::string kEmpty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const std::string kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const std::string kMillionA = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Sha256, KnownDigests) {
    EXPECT_EQ(sha256Hex(std::string_view()), kEmpty);
    EXPECT_EQ(sha256Hex("abc"), kAbc);
    EXPECT_EQ(sha256Hex(std::string(1000000, 'a')), kMillionA);
}

TEST(Sha256, PiecesGiveTheSameAsTheWhole) {
    Sha256 hash;
    hash.update(bytesOf("a"));
    hash.update({});
    hash.update(bytesOf("bc"));
    Sha256 moved = std::move(hash);
    EXPECT_EQ(moved.hex(), kAbc);
}

TEST(Sha256, IsFinishedByHex) {
    Sha256 hash;
    EXPECT_EQ(hash.hex(), kEmpty);
    EXPECT_THROW(hash.hex(), std::logic_error);
    EXPECT_THROW(hash.update(bytesOf("a")), std::logic_error);
}

}  // namespace
}  // namespace concertina
