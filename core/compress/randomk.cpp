// SPDX-License-Identifier: Apache-2.0
// RandomK (Stich, Cordonnier, Jaggi 2018; methods.md 6): the same k positions on all ranks in a
// step, drawn from the run's seed, layer and step. Payload bytes per rank and step: 4 k,
// k = ceil(ratio n): fp32 values; positions are drawn, not sent; one all-reduce. Positions are
// drawn without replacement: drawn with it, as GRACE does (methods.md 6), fewer than k differ.
#include "kernels/randomk.h"
#include "core/base/check.h"
#include "core/base/seeds.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"

namespace concertina {
namespace {

class Randomk : public Compressor {
 public:
    Randomk(const Choice& compress, const RankInfo& info)
        : info_(info),
          block_(booleanOf(compress.options, "block")),
          unbiased_(textOf(compress.options, "scale") == "unbiased") {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        const kernels::RandomPositions positions = positionsOf(work);
        const float scale = unbiased_ ? static_cast<float>(static_cast<double>(positions.count()) /
                                                           static_cast<double>(positions.kept()))
                                      : 1;
        check(kernels::takeRandom(work.input.mutable_data_ptr<float>(), positions, scale,
                                  floatsOf(payload), streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        check(kernels::putRandom(floatsOf(combined), positionsOf(work),
                                 static_cast<float>(info_.worldSize),
                                 work.output.mutable_data_ptr<float>(), streamOf(work.output)));
    }

 private:
    kernels::RandomPositions positionsOf(const LayerWork& work) const {
        const std::int64_t count = work.output.numel();
        const std::int64_t payloadBytes = work.plan->phases.at(0).payloadBytes;
        const std::int64_t kept = payloadBytes / 4;
        CONCERTINA_CHECK(4 * kept == payloadBytes && kept >= 1 && kept <= count,
                         "payload of " + std::to_string(payloadBytes) + " bytes for " +
                             std::to_string(count) + " elements");
        const DrawPlace place{.layer = static_cast<std::uint32_t>(work.layer),
                              .step = static_cast<std::uint32_t>(work.step)};
        return {static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(kept), block_,
                randomStream(info_.seed, "randomk-positions", place)};
    }

    RankInfo info_;
    bool block_, unbiased_;
};

}  // namespace

std::unique_ptr<Compressor> makeRandomk(const Choice& compress, const RankInfo& info) {
    return std::make_unique<Randomk>(compress, info);
}

}  // namespace concertina
