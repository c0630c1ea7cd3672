// SPDX-License-Identifier: Apache-2.0
// What is special to AdaComp; what every compressor must hold is in
// tests/contract/compressor_test.cpp.
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/core/compress/single_layer.h"

namespace concertina {
namespace {

Settings bins(std::int64_t bin) { return {{"bin", bin}}; }

// G = error memory + gradient in bins of 4. First: only 4 itself and 3 with its gradient of 1 reach
// 4. Second: the gradient of -2 points away from what waits.
TEST(Adacomp, SendsWhatOneMoreGradientLiftsToTheLargest) {
    const auto compressor = compressorWith("adacomp");
    SingleLayer layer("adacomp", at::zeros({8}), bins(4));
    layer.feed(at::tensor({4.F, 3.F, 3.F, 0.F, -5.F, 4.F, 0.F, 1.F}),
               at::tensor({0.F, 1.F, 0.F, 0.F, 0.F, -2.F, 0.F, 1.F}));
    layer.send(*compressor);
    EXPECT_TRUE(layer.work.output.equal(at::tensor({4.F, 3.F, 0.F, 0.F, -5.F, 0.F, 0.F, 0.F})));
    EXPECT_TRUE(layer.work.input.equal(at::tensor({0.F, 0.F, 3.F, 0.F, 0.F, 4.F, 0.F, 1.F})));
}

// The forecast 6 n / (bin + 7) is right within a seventh (of 75 steps of 400 bins or more: the
// standard error is below 1 %).
TEST(Adacomp, SendsAboutAsMuchAsIsForecast) {
    const Shape shape{1, 20000};
    for (const std::int64_t bin : {20, 50}) {
        const auto forecast = planOf("adacomp", shape, bins(bin)).plan.payloadBytes() / 8.0;
        EXPECT_NEAR(entriesOnceSettled("adacomp", bins(bin), 20000, 150), forecast, forecast / 7)
            << bin;
    }
}

}  // namespace
}  // namespace concertina
