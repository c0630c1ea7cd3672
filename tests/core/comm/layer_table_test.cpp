// SPDX-License-Identifier: Apache-2.0
#include "core/comm/layer_table.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/support/compress_choice.h"

namespace concertina {
namespace {

RunSpec specOf(const char* compressor) {
    RunSpec spec = defaultRunSpec();
    spec.compress = compressorAtDefaults(compressor);
    spec.levels = findCompressor(compressor)->defaultLevels;
    return spec;
}

/// Of any size: all elements are one in memory.
at::Tensor hollow(const Shape& shape) { return at::zeros({1}).expand(shape); }

std::string refusalOf(const char* compressor, const Shape& shape) {
    try {
        makeLayers(specOf(compressor), {"embedding.weight"}, {hollow(shape)}, 2);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        return error.what();
    }
    return "";
}

TEST(LayerTable, RefusesToCompressWhatInt32CannotIndex) {
    EXPECT_EQ(refusalOf("topk", {65536, 32768}),
              "layer embedding.weight has 2147483648 elements, but a compressor takes at most "
              "2147483647 in one tensor");
    EXPECT_NE(refusalOf("powersgd", {65536, 32768}), "");
    EXPECT_EQ(refusalOf("topk", {2147483647, 1}), "");
    EXPECT_EQ(refusalOf("topk", {2147483648}), "") << "goes dense";
    EXPECT_EQ(refusalOf("none", {65536, 32768}), "") << "goes dense";
}

// 2^31 - 1 elements are 8 GB: bytes are counted in 64 bits.
TEST(LayerTable, BytesAreRightBeyondTwoGigabytes) {
    const auto layers = makeLayers(specOf("signsgd"), {"w", "b"},
                                   {hollow({2147483647, 1}), hollow({4294967296})}, 3);
    EXPECT_EQ(layers[0].plan().payloadBytes(), 4 + (std::int64_t{1} << 28));
    EXPECT_TRUE(layers[1].plan().dense);
    EXPECT_EQ(layers[1].plan().payloadBytes(), std::int64_t{1} << 34);
}

}  // namespace
}  // namespace concertina
