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

#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>

#include <map>
#include <utility>

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
        Spread& spread = spreads_[work.layer];
        if (!spread.kept.defined()) {
            spread.kept = at::zeros_like(work.input);
        }
        if (!spread.next.defined()) {
            spread.next = at::empty_like(work.input);
        }
        spread.next.copy_(spread.kept);
        spread.stepped = true;
        const kernels::VarianceBuffers buffers{work.input.mutable_data_ptr<float>(),
                                               work.gradient.const_data_ptr<float>(),
                                               spread.next.mutable_data_ptr<float>(),
                                               work.input.numel(),
                                               static_cast<float>(realOf(*work.level, "alpha")),
                                               kDecay};
        check(kernels::selectVariance(buffers, payload.data_ptr(), work.writtenBytes,
                                      streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        decodeSparseMessages(work, combined);
    }

    void commit() override {
        for (auto& [layer, spread] : spreads_) {
            if (std::exchange(spread.stepped, false)) {
                std::swap(spread.kept, spread.next);
            }
        }
    }

    void rollback() override {
        for (auto& [layer, spread] : spreads_) {
            spread.stepped = false;
        }
    }

    NamedTensors save() const override {
        NamedTensors state;
        for (const auto& [layer, spread] : spreads_) {
            state.emplace_back(stateName(layer, kSpread), spread.kept.clone());
        }
        return state;
    }

    void load(const NamedTensors& state, std::span<const Shape> shapes) override {
        spreads_.clear();
        for (const auto& entry : state) {
            const int layer = knownLayerOfState(entry, kSpread, "variance", shapes);
            const std::int64_t count = elementsOf(shapes[static_cast<std::size_t>(layer)]);
            if (entry.second.dim() != 1 || entry.second.numel() != count) {
                refuseStateShape(entry, "variance", "(" + std::to_string(count) + ")");
            }
            spreads_[layer].kept = entry.second.clone();
        }
    }

 private:
    struct Spread {
        at::Tensor kept, next;  // v (n*m) fp32; next is this step's, or room for it
        bool stepped = false;
    };
    std::map<int, Spread> spreads_;  // by layer
};

}  // namespace

std::unique_ptr<Compressor> makeVariance(const Choice&, const RankInfo&) {
    return std::make_unique<Variance>();
}

}  // namespace concertina
