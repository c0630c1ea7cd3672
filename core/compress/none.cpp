// SPDX-License-Identifier: Apache-2.0
// none: sends the tensor as it is, in fp32 or in halves. Payload bytes per rank and step: 4 n in
// fp32; 2 n in halves, rounded up to 4; one all-reduce. The catalogue plans fp32 layers dense,
// which the pipeline sends itself; here they are for whoever walks the registry.
//
// Halves are divided by the number of ranks before they are summed, so that the sum is the mean and
// does not overflow where the mean does not (kernels/half.h says how large a value may be). What a
// half cannot hold is the residual: with error feedback it is sent later.
#include "core/base/check.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "kernels/half.h"
#include "kernels/scale.h"

namespace concertina {
namespace {

constexpr std::int64_t kHalfBytes = 2;

kernels::HalfType halfOf(Reduction reduction) {
    CONCERTINA_CHECK(reduction == Reduction::SumFp16 || reduction == Reduction::SumBf16,
                     "halves are summed as what they are");
    return reduction == Reduction::SumFp16 ? kernels::HalfType::Fp16 : kernels::HalfType::Bf16;
}

class None : public Compressor {
 public:
    explicit None(const RankInfo& info) : worldSize_(info.worldSize) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        const Reduction reduction = work.plan->phases.at(0).reduction;
        if (reduction == Reduction::Sum) {
            payload.copy_(work.input.view(at::kByte));
            work.input.zero_();  // nothing is held back
            return;
        }
        const std::int64_t count = work.input.numel();
        payload.narrow(0, kHalfBytes * count, payload.numel() - kHalfBytes * count).zero_();
        check(kernels::narrow(work.input.mutable_data_ptr<float>(), count, halfOf(reduction),
                              worldSize_, static_cast<std::uint16_t*>(payload.data_ptr()),
                              streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        const Reduction reduction = work.plan->phases.at(0).reduction;
        float* output = work.output.mutable_data_ptr<float>();
        const std::int64_t count = work.output.numel();
        const kernels::Stream stream = streamOf(work.output);
        if (reduction == Reduction::Sum) {
            check(kernels::divide(floatsOf(combined), static_cast<float>(worldSize_), output, count,
                                  stream));
        } else {
            check(kernels::widen(static_cast<const std::uint16_t*>(combined.data_ptr()), count,
                                 halfOf(reduction), output, stream));
        }
    }

 private:
    int worldSize_;
};

}  // namespace

std::unique_ptr<Compressor> makeNone(const Choice&, const RankInfo& info) {
    return std::make_unique<None>(info);
}

}  // namespace concertina
