// SPDX-License-Identifier: Apache-2.0
// What is special to Threshold; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/core/compress/single_layer.h"

namespace concertina {
namespace {

Settings tau(double threshold) { return {{"threshold", threshold}}; }
Settings relativeTo(const char* scale) { return {{"relative_to", std::string(scale)}}; }

/// What is left of (1, -2, 3, -4, 0, 0, 0, 0), whose rms is sqrt(30 / 8) = 1.936.
at::Tensor residual(double threshold, const char* scale) {
    const auto compressor = compressorWith("threshold", relativeTo(scale));
    SingleLayer layer("threshold", at::tensor({1.F, -2.F, 3.F, -4.F, 0.F, 0.F, 0.F, 0.F}),
                      tau(threshold), relativeTo(scale));
    layer.send(*compressor);
    EXPECT_TRUE((layer.work.input + layer.work.output)
                    .equal(at::tensor({1.F, -2.F, 3.F, -4.F, 0.F, 0.F, 0.F, 0.F})));
    return layer.work.input;
}

TEST(Threshold, IsRelativeToRmsOrLargestOrNothing) {
    const at::Tensor above3 = at::tensor({1.F, -2.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F});
    EXPECT_TRUE(residual(1.5, "rms").equal(above3));  // 2.905
    EXPECT_TRUE(residual(0.75, "max").equal(above3));
    EXPECT_TRUE(residual(3, "none").equal(above3));
    const at::Tensor above4 = at::tensor({1.F, -2.F, 3.F, 0.F, 0.F, 0.F, 0.F, 0.F});
    EXPECT_TRUE(residual(1.6, "rms").equal(above4));  // 3.098
    EXPECT_TRUE(residual(1, "max").equal(above4));
    EXPECT_TRUE(residual(3.5, "none").equal(above4));
}

TEST(Threshold, AMessageMayBeEmptyAndIsNeverLongerThanDense) {
    const auto compressor = compressorWith("threshold");
    SingleLayer layer("threshold", at::tensor({1.F, -1.F, 1.F, 1.F}), tau(1.5));
    EXPECT_EQ(layer.send(*compressor).numel(), 0);
    EXPECT_TRUE(layer.work.output.eq(0).all().item<bool>());
    SingleLayer most("threshold", at::tensor({1.F, -1.F, 1.F, 0.25F}), tau(0.5));
    EXPECT_EQ(most.send(*compressor).numel(), 16);
    EXPECT_TRUE(most.work.input.eq(0).all().item<bool>());  // all is sent, 0.25 too
    EXPECT_TRUE(most.work.output.equal(at::tensor({1.F, -1.F, 1.F, 0.25F})));
}

TEST(Threshold, RanksMayHaveFoundDifferentNumbers) {
    CompressorRanks world("threshold", 3, 1, relativeTo("none"));
    std::vector<at::Tensor> inputs{at::tensor({6.F, 0.F, 0.F, 0.F, 1.F}),
                                   at::tensor({0.F, 1.F, 1.F, 1.F, 1.F}),
                                   at::tensor({3.F, 9.F, 6.F, 3.F, 1.F})};
    const Shape shape{1, 5};
    const at::Tensor mean =
        world.step(planOf("threshold", shape, tau(2), relativeTo("none")), shape, inputs);
    EXPECT_TRUE(mean.equal(at::tensor({3.F, 3.F, 2.F, 1.F, 1 / 3.F})));
    EXPECT_TRUE(inputs[0].equal(at::tensor({0.F, 0.F, 0.F, 0.F, 1.F})));
    EXPECT_TRUE(inputs[1].equal(at::tensor({0.F, 1.F, 1.F, 1.F, 1.F})));
    EXPECT_TRUE(inputs[2].eq(0).all().item<bool>());
}

TEST(Threshold, ACorruptedMessageIsAnError) {
    const auto compressor = compressorWith("threshold");
    SingleLayer layer("threshold", at::zeros({5}), tau(1));
    const auto errorOf = [&](const at::Tensor& words) {
        const at::Tensor combined = words.view(at::kByte).view({1, -1});
        layer.work.rowBytes = {combined.numel()};
        try {
            compressor->decode(0, layer.work, combined);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(errorOf(at::tensor({3, 3, 0, 0}, at::kInt)),
              "the sparse list of rank 0 names element 3 at position 1 after element 3, but "
              "elements are named in ascending order");
    EXPECT_EQ(errorOf(at::tensor({5, 0}, at::kInt)),
              "the sparse list of rank 0 names element 5 at position 0, but the tensor has "
              "elements 0 to 4");
    EXPECT_EQ(errorOf(at::tensor({1, 0, 0}, at::kInt)),
              "the sparse message of rank 0 has 12 bytes, but for 5 elements it has 20, or fewer "
              "and a multiple of 8");
}

}  // namespace
}  // namespace concertina
