// SPDX-License-Identifier: Apache-2.0
// 1-bit SGD (Seide, Fu, Droppo, Li, Yu 2014; methods.md 6). Payload bytes per rank and step:
// 8 n + 4 ceil(n m / 32) for n rows and m columns: two fp32 means per row and one bit per element;
// one all-gather.
//
// The paper gives each column of a weight matrix its two values: with layers W^T v + a, a column
// holds the weights of one output unit. Torch keeps these as a row (dim 0 of linear and convolution
// weights is the unit or channel that comes out), so a column of the paper is a row of our n x m
// view, where it also lies in memory as one piece.
#include "kernels/onebit.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"

namespace concertina {
namespace {

kernels::RowShape shapeOf(const LayerWork& work) {
    const MatrixSize size = matrixOf(*work.shape);
    return {size.rows, size.columns};
}

class Onebit : public Compressor {
 public:
    explicit Onebit(const RankInfo& info) : worldSize_(info.worldSize) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        check(kernels::packOnebit(work.input.mutable_data_ptr<float>(), shapeOf(work),
                                  payload.data_ptr(), streamOf(work.input)));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        check(kernels::meanOfOnebit({combined.data_ptr(), combined.stride(0), worldSize_},
                                    shapeOf(work), work.output.mutable_data_ptr<float>(),
                                    streamOf(work.output)));
    }

 private:
    int worldSize_;
};

}  // namespace

std::unique_ptr<Compressor> makeOnebit(const Choice&, const RankInfo& info) {
    return std::make_unique<Onebit>(info);
}

}  // namespace concertina
