// SPDX-License-Identifier: Apache-2.0
// One layer's work without a pipeline, for what CompressorRanks does not show: gradient apart from
// the input, several layers side by side, payloads written by hand.
#pragma once
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/catalogue/check.h"
#include "core/compress/compressor.h"
#include "kernels/accumulate.h"
#include "tests/contract/compressor_ranks.h"

namespace concertina {

/// The compressor with `options` over its defaults.
inline std::unique_ptr<Compressor> compressorWith(const std::string& name,
                                                  const Settings& options = {},
                                                  int worldSize = 1) {
    Settings all = defaultsOf(compressParametersOf(*findCompressor(name)));
    for (const auto& [key, value] : options) {
        all[key] = value;
    }
    return makeCompressor({name, all}, {0, worldSize, 1});
}

class SingleLayer {
 public:
    SingleLayer(const std::string& compressor,
                const at::Tensor& input,
                const Settings& level,
                const Settings& options = {},
                int layer = 0)
        : shape_{1, input.numel()}, plan_(planOf(compressor, shape_, level, options)) {
        work.layer = layer;
        work.shape = &shape_;
        work.level = &plan_.level;
        work.plan = &plan_.plan;
        feed(input, input);
    }
    SingleLayer(const SingleLayer&) = delete;
    SingleLayer& operator=(const SingleLayer&) = delete;

    /// What encode() finds: gradient plus error memory, and the gradient alone.
    void feed(const at::Tensor& input, const at::Tensor& gradient) {
        work.input = input.clone();
        work.gradient = gradient.clone();
        work.output = at::full_like(input, 77);
        EXPECT_TRUE(
            kernels::measure(input.const_data_ptr<float>(), input.numel(), work.norms, {}).ok);
    }

    /// The message of a variable phase, after it was decoded as the only one.
    at::Tensor send(Compressor& compressor) {
        at::Tensor message = at::full({plan_.plan.phases.at(0).capacityBytes}, 0xEE, at::kByte);
        compressor.encode(0, work, message);
        message = message.narrow(0, 0, work.writtenBytes);
        work.rowBytes = {work.writtenBytes};
        compressor.decode(0, work, message.view({1, work.writtenBytes}));
        compressor.commit();
        return message;
    }

    LayerWork work{};

 private:
    Shape shape_;
    LevelPlan plan_;
};

/// Entries of a step, on average over the last half of `steps` steps of error feedback with
/// independent normal gradients. REQUIRES: lists, none of which goes dense.
inline double entriesOnceSettled(const std::string& name,
                                 const Settings& level,
                                 std::int64_t elements,
                                 std::int64_t steps) {
    const auto compressor = compressorWith(name);
    SingleLayer layer(name, at::zeros({elements}), level);
    at::Tensor memory = at::zeros({elements});
    std::int64_t sentBytes = 0;
    for (std::int64_t step = 0; step < steps; ++step) {
        const at::Tensor gradient = normalTensor({1, elements}, static_cast<std::uint64_t>(step));
        layer.feed(memory + gradient, gradient);
        const std::int64_t bytes = layer.send(*compressor).numel();
        sentBytes += step < steps / 2 ? 0 : bytes;
        memory = layer.work.input.clone();
    }
    return static_cast<double>(sentBytes) / 8 / static_cast<double>(steps / 2);
}

}  // namespace concertina
