// SPDX-License-Identifier: Apache-2.0
// Deep Gradient Compression (Lin, Han, Mao, Wang, Dally 2018; methods.md 6): about k = ceil(ratio
// n) entries of largest magnitude, by a threshold that a sample of 1 % suggests and that counting
// corrects: while it lets through more than 1.3 k it is raised by 1.3, while fewer than 0.7 k
// lowered by 0.7, and once one was too low and one too high it is their geometric mean; ten counts
// at most. Payload bytes per rank and step: min(8 k', 4 n), k' what passes (sparse_messages.h); one
// all-gather of variable size. The sample is one element of each run of a hundred, drawn anew in
// each step.
//
// Momentum correction is momentum_place = "before": each rank's momentum goes into the error memory
// before compression. What is sent is masked: it leaves the momentum as it leaves the residual, so
// that stale momentum does not carry on in a direction the model has already taken.
// Local gradient clipping is left out: clipping happens after aggregation here.
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>

#include "core/catalogue/sizes.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "core/compress/draws.h"
#include "core/compress/sparse_messages.h"
#include "kernels/select.h"
#include "kernels/topk.h"

namespace concertina {
namespace {

constexpr std::int64_t kSampleStride = 100;    // a sample of 1 %
constexpr std::int64_t kSampleFrom = 1 << 16;  // below, looking at all elements costs as little
constexpr int kMostCounts = 10;
constexpr std::int64_t kWarmupParts = 4;

class Dgc : public Compressor {
 public:
    Dgc(const Settings& options, const RankInfo& info)
        : warmupSteps_(integerOf(options, "warmup_steps")), info_(info) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        const std::int64_t count = work.input.numel();
        const kernels::Stream stream = streamOf(work.input);
        float* values = work.input.mutable_data_ptr<float>();
        const std::int64_t wanted = keptOf(ratioOf(work), count);
        const float least = corrected(work, wanted, sampledThreshold(work, wanted));
        check(kernels::selectAbove(values, count, least, payload.data_ptr(), work.writtenBytes,
                                   stream));
        if (work.momentum.defined()) {
            const kernels::SparseList sent =
                sparseListOf(payload.data_ptr(), work.writtenBytes, count, info_.rank);
            check(
                kernels::clearListed(sent, work.momentum.mutable_data_ptr<float>(), count, stream));
        }
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        decodeSparseMessages(work, combined);
    }

 private:
    /// In the warm-up 1/4 in its first part, a quarter of that in each next one.
    double ratioOf(const LayerWork& work) const {
        const double ratio = realOf(*work.level, "ratio");
        if (work.step >= warmupSteps_) {
            return ratio;
        }
        const std::int64_t part = work.step * kWarmupParts / warmupSteps_;
        return std::max(ratio, std::pow(0.25, part + 1));
    }

    float sampledThreshold(const LayerWork& work, std::int64_t wanted) const {
        const std::int64_t count = work.input.numel();
        const kernels::Stream stream = streamOf(work.input);
        const float* values = work.input.const_data_ptr<float>();
        float magnitude = 0;
        if (count < kSampleFrom) {
            const kernels::MagnitudePart all{values, count};
            check(kernels::findMagnitude(&all, 1, wanted, magnitude, stream));
            return magnitude;
        }
        const std::int64_t samples = count / kSampleStride;
        const at::Tensor sample = at::empty({samples}, work.input.options());
        check(kernels::sampleOneIn(values, kSampleStride, samples,
                                   drawsOf(info_, "dgc-sample", work),
                                   sample.mutable_data_ptr<float>(), stream));
        const kernels::MagnitudePart part{sample.const_data_ptr<float>(), samples};
        const std::int64_t wantedOfSample = std::max<std::int64_t>(1, wanted * samples / count);
        check(kernels::findMagnitude(&part, 1, wantedOfSample, magnitude, stream));
        return magnitude;
    }

    /// `least`, or a threshold near it that lets through 0.7 to 1.3 times `wanted`. Where ten
    /// counts find none, more rather than fewer pass: magnitudes that are all alike would never be
    /// sent.
    static float corrected(const LayerWork& work, std::int64_t wanted, float least) {
        float tooLow = 0, tooHigh = 0;  // 0: not known
        if (least == 0) {
            least = work.norms.largest;  // the sample met zeros only, which says nothing
        }
        for (int i = 0; i < kMostCounts && least > 0; ++i) {
            std::int64_t found = 0;
            check(kernels::countAbove(work.input.const_data_ptr<float>(), work.input.numel(), least,
                                      found, streamOf(work.input)));
            const double share = static_cast<double>(found) / static_cast<double>(wanted);
            if (share >= 0.7 && share <= 1.3) {
                return least;
            }
            (share > 1.3 ? tooLow : tooHigh) = least;
            least = tooLow > 0 && tooHigh > 0 ? std::sqrt(tooLow) * std::sqrt(tooHigh)
                                              : least * (share > 1.3 ? 1.3F : 0.7F);
        }
        return tooLow > 0 ? tooLow : least;
    }

    std::int64_t warmupSteps_;
    RankInfo info_;
};

}  // namespace

std::unique_ptr<Compressor> makeDgc(const Choice& compress, const RankInfo& info) {
    return std::make_unique<Dgc>(compress.options, info);
}

}  // namespace concertina
