// SPDX-License-Identifier: Apache-2.0
// TopK: each rank sends its k largest magnitudes (Aji, Heafield 2017; Stich, Cordonnier, Jaggi
// 2018). Payload bytes per rank and step: 8 k (k int32 indices, ascending, then k fp32 values); one
// all-gather. Indices are sorted because the pass that finds them meets them so, and because
// ascending writes are kinder to memory on the other side. The mean of W lists is their sum divided
// by W: Accordion's released code leaves the division out (methods.md 1.3, 16), which makes the
// learning rate depend on the number of ranks.
#include "kernels/topk.h"
#include "core/base/check.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"

namespace concertina {
namespace {

constexpr std::int64_t kBytesPerElement = 8;

std::int64_t keptOf(const LayerWork& work) {
    const std::int64_t payloadBytes = work.plan->phases.at(0).payloadBytes;
    const std::int64_t kept = payloadBytes / kBytesPerElement;
    CONCERTINA_CHECK(
        kept * kBytesPerElement == payloadBytes && kept >= 1 && kept <= work.input.numel(),
        "payload of " + std::to_string(payloadBytes) + " bytes for " +
            std::to_string(work.input.numel()) + " elements");
    return kept;
}

class Topk : public Compressor {
 public:
    explicit Topk(const RankInfo& info) : worldSize_(info.worldSize) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        const std::int64_t kept = keptOf(work);
        auto* indices = static_cast<std::int32_t*>(payload.data_ptr());
        check(kernels::selectTopk(work.input.mutable_data_ptr<float>(), work.input.numel(), kept,
                                  indices, reinterpret_cast<float*>(indices + kept),
                                  streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        const std::int64_t kept = keptOf(work);
        // Rows may lie further apart than their length: one all-gather carries all layers of a
        // bucket.
        const kernels::SparseLists lists{combined.data_ptr(), combined.stride(0), worldSize_, kept};
        check(kernels::scatterMean(lists, work.output.mutable_data_ptr<float>(),
                                   work.output.numel(), streamOf(work.output)));
    }

 private:
    int worldSize_;
};

}  // namespace

std::unique_ptr<Compressor> makeTopk(const Choice&, const RankInfo& info) {
    return std::make_unique<Topk>(info);
}

}  // namespace concertina
