// SPDX-License-Identifier: Apache-2.0
// AdaComp (Chen et al. 2018; methods.md 7.2): of each bin of T elements, those are sent which,
// moved once more by this step's gradient, reach the bin's largest: with G = error memory +
// gradient and H = G + gradient, entries with |H| >= max |G|. How many these are adapts to the
// layer and the phase of training by itself. Payload bytes per rank and step: min(8 k, 4 n)
// (sparse_messages.h); one all-gather of variable size.
//
// Sent is the entry of G in fp32. The paper sends its sign times a scale of the layer (the mean of
// the bins' largest), which is smaller by 30 bits a value but a second approximation with an error
// of its own: here it would hide what the choice of entries does, and it is what signsgd measures.
#include "kernels/adacomp.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "core/compress/sparse_messages.h"

namespace concertina {
namespace {

class Adacomp : public Compressor {
 public:
    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        const kernels::AdacompBuffers buffers{work.input.mutable_data_ptr<float>(),
                                              work.gradient.const_data_ptr<float>(),
                                              work.input.numel(), integerOf(*work.level, "bin")};
        check(kernels::selectAdacomp(buffers, payload.data_ptr(), work.writtenBytes,
                                     streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        decodeSparseMessages(work, combined);
    }
};

}  // namespace

std::unique_ptr<Compressor> makeAdacomp(const Choice&, const RankInfo&) {
    return std::make_unique<Adacomp>();
}

}  // namespace concertina
