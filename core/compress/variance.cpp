// SPDX-License-Identifier: Apache-2.0
// Variance-based compression (Tsuzuku, Imachi, Akiba 2018; methods.md 7.2): an entry waits in the
// error memory r until it is unambiguous: it is sent where r^2 > alpha v, and its v begins afresh;
// v is the sum of squared gradients, forgotten by 0.1 % a step where nothing is sent. Payload bytes
// per rank and step: min(8 k, 4 n) (sparse_messages.h); one all-gather of variable size.
//
// The paper sums the squared gradients of single samples. Autograd adds these up before anyone sees
// them, so here v sums the squares of this rank's mini-batch gradients: the spread between steps
// instead of that within a batch, smaller by about the batch size for the same noise. The paper's
// alpha (1 to 2) therefore does not mean the same here.
#include "kernels/variance.h"

#include <ATen/ops/zeros_like.h>

#include <map>

#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "core/compress/sparse_messages.h"
#include "core/compress/state_names.h"

namespace concertina {
namespace {

constexpr float kDecay = 0.999F;  // the paper's
constexpr std::string_view kSpread = ".v";

class Variance : public Compressor {
 public:
    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        at::Tensor& spread = spread_[work.layer];
        if (!spread.defined()) {
            spread = at::zeros_like(work.input);
        }
        const kernels::VarianceBuffers buffers{work.input.mutable_data_ptr<float>(),
                                               work.gradient.const_data_ptr<float>(),
                                               spread.mutable_data_ptr<float>(),
                                               work.input.numel(),
                                               static_cast<float>(realOf(*work.level, "alpha")),
                                               kDecay};
        check(kernels::selectVariance(buffers, payload.data_ptr(), work.writtenBytes,
                                      streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        decodeSparseMessages(work, combined);
    }

    std::vector<std::pair<std::string, at::Tensor>> save() const override {
        std::vector<std::pair<std::string, at::Tensor>> state;
        for (const auto& [layer, spread] : spread_) {
            state.emplace_back(stateName(layer, kSpread), spread.clone());
        }
        return state;
    }

    void load(const std::vector<std::pair<std::string, at::Tensor>>& state) override {
        spread_.clear();
        for (const auto& [name, spread] : state) {
            spread_[layerOfState(name, kSpread, "variance")] = spread.clone();
        }
    }

 private:
    std::map<int, at::Tensor> spread_;  // v (n*m) fp32, by layer
};

}  // namespace

std::unique_ptr<Compressor> makeVariance(const Choice&, const RankInfo&) {
    return std::make_unique<Variance>();
}

}  // namespace concertina
