// SPDX-License-Identifier: Apache-2.0
// Threshold: each rank sends its entries with |x| >= threshold times a scale of the tensor, which
// is its root mean square, its largest magnitude, or 1. Payload bytes per rank and step: min(8 k, 4
// n) (sparse_messages.h); one all-gather of variable size. Both scales are known already: the pass
// that adds the error memory yields them. The largest is that of |x|: the implementation the papers
// compare with takes the largest x (methods.md 6), which selects everything where all are negative.
#include <cmath>

#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "core/compress/sparse_messages.h"
#include "kernels/select.h"

namespace concertina {
namespace {

class Threshold : public Compressor {
 public:
    explicit Threshold(const Settings& options) : relativeTo_(textOf(options, "relative_to")) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        const double least = realOf(*work.level, "threshold") * scaleOf(work);
        check(kernels::selectAbove(work.input.mutable_data_ptr<float>(), work.input.numel(),
                                   static_cast<float>(least), payload.data_ptr(), work.writtenBytes,
                                   streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        decodeSparseMessages(work, combined);
    }

 private:
    double scaleOf(const LayerWork& work) const {
        if (relativeTo_ == "rms") {
            return std::sqrt(work.norms.squares / static_cast<double>(work.input.numel()));
        }
        return relativeTo_ == "max" ? work.norms.largest : 1;
    }

    std::string relativeTo_;
};

}  // namespace

std::unique_ptr<Compressor> makeThreshold(const Choice& compress, const RankInfo&) {
    return std::make_unique<Threshold>(compress.options);
}

}  // namespace concertina
