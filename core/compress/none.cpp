// SPDX-License-Identifier: Apache-2.0
// none: sends the tensor as it is. Payload bytes per rank and step: 4 n m; one all-reduce. The
// catalogue plans its layers dense, which the pipeline sends itself; this is the same for whoever
// walks the registry.
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "kernels/scale.h"

namespace concertina {
namespace {

class None : public Compressor {
 public:
    explicit None(const RankInfo& info) : worldSize_(info.worldSize) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        payload.copy_(work.input.view(at::kByte));
        work.input.zero_();  // nothing is held back
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        check(kernels::divide(floatsOf(combined), static_cast<float>(worldSize_),
                              work.output.mutable_data_ptr<float>(), work.output.numel(),
                              streamOf(work.output)));
    }

 private:
    int worldSize_;
};

}  // namespace

std::unique_ptr<Compressor> makeNone(const Choice&, const RankInfo& info) {
    return std::make_unique<None>(info);
}

}  // namespace concertina
