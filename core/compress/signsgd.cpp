// SPDX-License-Identifier: Apache-2.0
// signSGD (Bernstein, Wang, Azizzadenesheli, Anandkumar 2018) and EF-SignSGD (Karimireddy, Rebjock,
// Stich, Jaggi 2019; methods.md 5, 6). Payload bytes per rank and step: 4 + 4 ceil(n / 32): fp32
// scale and one bit per element; one all-gather. The scale is ||x||_1 / n, which makes scaled signs
// the nearest ones to x, or 1 without scaling; 0 says that the tensor was all zero and counts for
// nothing. With vote, the sign of most ranks times the mean scale of those that voted; a tie is 0.
// Signum is scale none, vote, and momentum before compression.
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "kernels/signs.h"

namespace concertina {
namespace {

float scaleOf(const LayerWork& work) {
    const double magnitudes = work.norms.magnitudes;
    if (magnitudes == 0) {
        return 0;
    }
    return textOf(*work.level, "scale") == "l1"
               ? static_cast<float>(magnitudes / static_cast<double>(work.input.numel()))
               : 1;
}

class Signsgd : public Compressor {
 public:
    explicit Signsgd(const RankInfo& info) : worldSize_(info.worldSize) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        check(kernels::packSigns(work.input.mutable_data_ptr<float>(), work.input.numel(),
                                 scaleOf(work), payload.data_ptr(), streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        const auto rule =
            booleanOf(*work.level, "vote") ? kernels::SignRule::Vote : kernels::SignRule::Mean;
        check(kernels::combineSigns({combined.data_ptr(), combined.stride(0), worldSize_}, rule,
                                    work.output.mutable_data_ptr<float>(), work.output.numel(),
                                    streamOf(work.output)));
    }

 private:
    int worldSize_;
};

}  // namespace

std::unique_ptr<Compressor> makeSignsgd(const Choice&, const RankInfo& info) {
    return std::make_unique<Signsgd>(info);
}

}  // namespace concertina
