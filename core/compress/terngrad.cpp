// SPDX-License-Identifier: Apache-2.0
// TernGrad (Wen, Xu, Yan, Wu, Wang, Chen, Li 2017; methods.md 6): magnitudes above c sigma of the
// layer are clipped to it, then each element becomes -s, 0 or s, s being the largest clipped
// magnitude, unbiased: s sign(g) Bernoulli(|g| / s). Only the clipping is biased. Sigma is the root
// of the mean square: the mean of a layer's gradient is nothing beside it, as the paper assumes.
// Payload bytes per rank and step: 4 for s, then 2 n / 8 (a sign and a bit), rounded up to a
// multiple of 4; one all-gather. With shared_scaler the 4 bytes go ahead in an all-gather of their
// own, and the largest s of all ranks serves all: what they send then has the same unit.
#include <ATen/ops/amax.h>

#include <cmath>
#include <map>

#include "core/compress/compressor.h"
#include "core/compress/dithered_payload.h"

namespace concertina {
namespace {

constexpr std::int64_t kScaleBytes = 4;
constexpr std::int64_t kOneBucket = std::int64_t{1} << 40;  // whatever the layer's size

class Terngrad : public Compressor {
 public:
    Terngrad(const Settings& options, const RankInfo& info)
        : info_(info), isShared_(booleanOf(options, "shared_scaler")) {}

    void encode(int phase, LayerWork& work, const at::Tensor& payload) override {
        const kernels::DitherFormat format = formatOf(work);
        if (!isShared_ || phase == 0) {
            payload.narrow(0, 0, kScaleBytes).view(at::kFloat).fill_(format.clip);
        }
        if (!isShared_ || phase == 1) {
            payloadOf(format, work).encode(work, drawsOf(info_, "terngrad", work), payload);
        }
    }

    void decode(int phase, LayerWork& work, const at::Tensor& combined) override {
        if (isShared_ && phase == 0) {
            shared_[work.layer] = combined.view(at::kFloat).amax();
            return;
        }
        const kernels::DitherFormat format = formatOf(work);
        payloadOf(format, work).decode(work, combined);
    }

 private:
    /// With this rank's s as the magnitude to clip to.
    static kernels::DitherFormat formatOf(const LayerWork& work) {
        kernels::DitherFormat format =
            kernels::equalLevels(2, 1, kernels::ScaleKind::Given, kOneBucket);
        const double clip = realOf(*work.level, "clip");
        const double sigma =
            std::sqrt(work.norms.squares / static_cast<double>(work.input.numel()));
        const bool isClipped = clip > 0 && clip * sigma < work.norms.largest;
        format.clip = isClipped ? static_cast<float>(clip * sigma) : work.norms.largest;
        return format;
    }

    DitheredPayload payloadOf(const kernels::DitherFormat& format, const LayerWork& work) {
        if (!isShared_) {
            return {format, kScaleBytes};
        }
        return {format, 0, shared_.at(work.layer).mutable_data_ptr<float>()};
    }

    RankInfo info_;
    bool isShared_;
    std::map<int, at::Tensor> shared_;  // of each layer, from decode(0) to decode(1)
};

}  // namespace

std::unique_ptr<Compressor> makeTerngrad(const Choice& compress, const RankInfo& info) {
    return std::make_unique<Terngrad>(compress.options, info);
}

}  // namespace concertina
