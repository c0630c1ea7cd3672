// SPDX-License-Identifier: Apache-2.0
// QSGD (Alistarh, Grubic, Li, Tomioka, Vojnovic 2017; methods.md 3): each element becomes one of s
// equal steps of its bucket's norm, rounded up with the probability a s - floor(a s), where a =
// |v| / norm. (ATOMO's code compares the wrong way round and rounds up with the probability of
// rounding down.) Payload bytes per rank and step, packed: 4 ceil(n / bucket) for the norms, then
// bits n / 8, rounded up to a multiple of 4; elias: what the stream of kernels/elias.h takes. One
// all-gather. Every rank draws for itself, so the noise of W ranks averages out.
#include <ATen/ops/empty.h>

#include <bit>

#include "core/compress/compressor.h"
#include "core/compress/dithered_payload.h"
#include "kernels/elias.h"

namespace concertina {
namespace {

class Qsgd : public Compressor {
 public:
    Qsgd(const Settings& options, const RankInfo& info)
        : info_(info),
          isElias_(textOf(options, "coding") == "elias"),
          bucket_(integerOf(options, "bucket")),
          scale_(scaleKindOf(options)) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        const kernels::DitherFormat format = formatOf(work);
        const kernels::PhiloxStream random = drawsOf(info_, "qsgd", work);
        if (!isElias_) {
            packed(format, work).encode(work, random, payload);
            return;
        }
        const std::int64_t count = work.input.numel();
        CONCERTINA_CHECK(payload.numel() == kernels::eliasCapacityBytes(format, count),
                         "capacity of " + std::to_string(payload.numel()) + " bytes");
        const at::Tensor scales = at::empty({format.buckets(count)}, work.input.options());
        const at::Tensor codes = at::empty({count}, work.input.options().dtype(at::kInt));
        auto* words = static_cast<std::uint32_t*>(codes.data_ptr());
        check(kernels::ditherUnpacked(format, work.input.mutable_data_ptr<float>(), count, random,
                                      scales.mutable_data_ptr<float>(), words,
                                      streamOf(work.input)));
        check(kernels::encodeElias(format, words, scales.const_data_ptr<float>(), count,
                                   static_cast<std::uint32_t*>(payload.data_ptr()),
                                   work.writtenBytes, streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        const kernels::DitherFormat format = formatOf(work);
        if (!isElias_) {
            packed(format, work).decode(work, combined);
            return;
        }
        check(kernels::eliasMean(format,
                                 {combined.data_ptr(), combined.stride(0), work.rowBytes.data(),
                                  static_cast<int>(combined.size(0))},
                                 work.output.mutable_data_ptr<float>(), work.output.numel(),
                                 streamOf(work.output)));
    }

 private:
    /// s = 0: all that the bits hold. Elias' code has no fields to fill: there the bits are those
    /// that s needs, which resolves fractions best.
    kernels::DitherFormat formatOf(const LayerWork& work) const {
        auto bits = static_cast<int>(integerOf(*work.level, "bits"));
        auto steps = static_cast<int>(integerOf(*work.level, "s"));
        if (steps == 0) {
            steps = (1 << (bits - 1)) - 1;
        }
        if (isElias_) {
            bits = 1 + static_cast<int>(std::bit_width(static_cast<unsigned>(steps)));
        }
        return kernels::equalLevels(bits, steps, scale_, bucket_);
    }

    static DitheredPayload packed(const kernels::DitherFormat& format, const LayerWork& work) {
        return {format, 4 * format.buckets(work.output.numel())};
    }

    RankInfo info_;
    bool isElias_;
    std::int64_t bucket_;
    kernels::ScaleKind scale_;
};

}  // namespace

std::unique_ptr<Compressor> makeQsgd(const Choice& compress, const RankInfo& info) {
    return std::make_unique<Qsgd>(compress.options, info);
}

}  // namespace concertina
