// SPDX-License-Identifier: Apache-2.0
// Natural compression (Horvath, Ho, Horvath, Sahu, Canini, Richtarik 2019; methods.md 6). Coding
// "exponent": each element becomes one of the two powers of two around it, unbiased, with a
// variance of at most 1/8 of its square; sign and exponent travel. Coding "dithering": one of the
// levels 1, 1/2, ..., 2^(1-s) of its bucket's norm. Payload bytes per rank and step: 9 n / 8, or
// bits n / 8 and 4 ceil(n / bucket) for the norms, each rounded up to a multiple of 4. One
// all-gather. Magnitudes above 2^127 become 2^127 instead of 2^128, which is no float: the only
// ones that are biased.
#include "core/compress/compressor.h"
#include "core/compress/dithered_payload.h"

namespace concertina {
namespace {

class Natural : public Compressor {
 public:
    Natural(const Settings& options, const RankInfo& info)
        : info_(info), bucket_(integerOf(options, "bucket")), scale_(scaleKindOf(options)) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        const kernels::DitherFormat format = formatOf(work);
        payloadOf(format, work).encode(work, drawsOf(info_, "natural", work), payload);
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        const kernels::DitherFormat format = formatOf(work);
        payloadOf(format, work).decode(work, combined);
    }

 private:
    kernels::DitherFormat formatOf(const LayerWork& work) const {
        if (textOf(*work.level, "coding") == "exponent") {
            return kernels::powersOfTwo();
        }
        const auto bits = static_cast<int>(integerOf(*work.level, "bits"));
        return kernels::halvingLevels(bits, scale_, bucket_);
    }

    static DitheredPayload payloadOf(const kernels::DitherFormat& format, const LayerWork& work) {
        const bool hasScales = format.scale != kernels::ScaleKind::Given;
        return {format, hasScales ? 4 * format.buckets(work.output.numel()) : 0};
    }

    RankInfo info_;
    std::int64_t bucket_;
    kernels::ScaleKind scale_;
};

}  // namespace

std::unique_ptr<Compressor> makeNatural(const Choice& compress, const RankInfo& info) {
    return std::make_unique<Natural>(compress.options, info);
}

}  // namespace concertina
