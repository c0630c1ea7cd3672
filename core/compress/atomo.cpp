// SPDX-License-Identifier: Apache-2.0
// ATOMO (Wang et al. 2018; methods.md 4): a tensor is a sum of atoms, entries or pairs of singular
// vectors; each is drawn on its own with a probability in proportion to its coefficient, clipped at
// 1, and sent divided by it. Payload bytes per rank and step: 8 k for k drawn entries, 4 k (n + m)
// for k drawn singular vector pairs, at most 4 n m; one all-gather after that of the sizes.
//
// The authors' code gives up the probability that clipping cuts off, so that it draws less than its
// budget, and draws again when nothing was drawn; PowerSGD's draws until the number is exactly the
// budget (methods.md 4). Both are biased in the second point. Here what is clipped is shared among
// the other atoms, as the paper has it, and an empty draw is an empty message.
//
// A message of singular vector pairs is the left vectors, one after the other, then the right ones
// times what they are sent with. Where that is not shorter than 4 n m, what was drawn travels as a
// matrix; a message of 4 n m bytes is one, since all others are shorter. Ranks decompose matrices
// of their own, so the signs of their vectors need not agree.
#include <ATen/ops/cat.h>
#include <ATen/ops/div.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/tensor.h>

#include "core/base/check.h"
#include "core/catalogue/compressors/atomo.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "core/compress/draws.h"
#include "core/compress/sparse_messages.h"
#include "kernels/atomo.h"
#include "kernels/powersgd.h"

namespace concertina {
namespace {

class AtomoEntries : public Compressor {
 public:
    explicit AtomoEntries(const RankInfo& info) : info_(info) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        float* values = work.input.mutable_data_ptr<float>();
        const std::int64_t count = work.input.numel();
        const double budget = atomBudget(matrixOf(*work.shape), *work.level, true);
        const kernels::Stream stream = streamOf(work.input);
        double scale = 0;
        check(kernels::findDrawScale(values, count, work.norms, budget, scale, stream));
        check(kernels::drawEntries(values, count, scale, drawsOf(info_, "atomo", work),
                                   payload.data_ptr(), work.writtenBytes, stream));
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        decodeSparseMessages(work, combined);
    }

 private:
    RankInfo info_;
};

/// Vector pairs as the kernels want them: left (k, n), right (k, m).
struct VectorPairs {
    at::Tensor left, right;

    std::int64_t count() const { return left.defined() ? left.size(0) : 0; }
    kernels::MatrixShape shapeIn(const MatrixSize& matrix) const {
        return {matrix.rows, matrix.columns, count()};
    }
};

class AtomoSingular : public Compressor {
 public:
    explicit AtomoSingular(const RankInfo& info) : info_(info) {}

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        const MatrixSize matrix = matrixOf(*work.shape);
        const VectorPairs drawn = draw(work, matrix);
        work.writtenBytes = 0;
        if (drawn.count() == 0) {
            return;
        }
        const std::int64_t listed = pairBytes(matrix) * drawn.count();
        const auto matrixBytes = static_cast<std::int64_t>(work.input.nbytes());
        const bool isMatrix = listed >= matrixBytes;
        // The output is free until decode(), and the residual needs the product.
        float* product = isMatrix ? floatsOf(payload) : work.output.mutable_data_ptr<float>();
        check(kernels::reconstruct(drawn.left.const_data_ptr<float>(),
                                   drawn.right.const_data_ptr<float>(), drawn.shapeIn(matrix),
                                   work.input.mutable_data_ptr<float>(), product,
                                   streamOf(work.input)));
        work.writtenBytes = isMatrix ? matrixBytes : listed;
        if (!isMatrix) {
            at::Tensor factors = payload.narrow(0, 0, listed).view(at::kFloat);
            factors.narrow(0, 0, drawn.left.numel()).copy_(drawn.left.view(-1));
            factors.narrow(0, drawn.left.numel(), drawn.right.numel()).copy_(drawn.right.view(-1));
        }
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        const MatrixSize matrix = matrixOf(*work.shape);
        const auto matrixBytes = static_cast<std::int64_t>(work.output.nbytes());
        std::vector<at::Tensor> left, right, matrices;
        for (int rank = 0; rank < info_.worldSize; ++rank) {
            const std::int64_t bytes = work.rowBytes[static_cast<std::size_t>(rank)];
            refuseWrongLength(rank, bytes, matrix, matrixBytes);
            if (bytes == 0) {
                continue;  // nothing was drawn
            }
            const at::Tensor message = combined[rank].narrow(0, 0, bytes).view(at::kFloat);
            if (bytes == matrixBytes) {
                matrices.push_back(message);
            } else {
                const std::int64_t pairs = bytes / pairBytes(matrix);
                const std::int64_t split = pairs * matrix.rows;
                left.push_back(message.narrow(0, 0, split).view({pairs, matrix.rows}));
                right.push_back(
                    message.narrow(0, split, pairs * matrix.columns).view({pairs, matrix.columns}));
            }
        }
        const auto ranks = static_cast<double>(info_.worldSize);
        work.output.zero_();
        if (!left.empty()) {
            const VectorPairs all{at::cat(left), at::div(at::cat(right), ranks)};
            check(kernels::reconstruct(all.left.const_data_ptr<float>(),
                                       all.right.const_data_ptr<float>(), all.shapeIn(matrix),
                                       nullptr, work.output.mutable_data_ptr<float>(),
                                       streamOf(work.output)));
        }
        for (const at::Tensor& whole : matrices) {
            work.output.add_(at::div(whole, ranks));
        }
    }

 private:
    static std::int64_t pairBytes(const MatrixSize& matrix) {
        return static_cast<std::int64_t>(sizeof(float)) * (matrix.rows + matrix.columns);
    }

    static void refuseWrongLength(int rank,
                                  std::int64_t bytes,
                                  const MatrixSize& matrix,
                                  std::int64_t matrixBytes) {
        const std::int64_t pair = pairBytes(matrix);
        if (bytes < 0 || bytes > matrixBytes || (bytes != matrixBytes && bytes % pair != 0)) {
            throw Error(ErrorKind::Machine,
                        "the ATOMO message of rank " + std::to_string(rank) + " has " +
                            std::to_string(bytes) + " bytes, but for a " +
                            std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns) +
                            " matrix it has " + std::to_string(matrixBytes) +
                            ", or fewer and a multiple of " + std::to_string(pair));
        }
    }

    /// Atom i, by falling singular value, by word i; on the host, where few numbers are.
    VectorPairs draw(const LayerWork& work, const MatrixSize& matrix) const {
        const auto [u, singular, vh] =
            at::linalg_svd(work.input.view({matrix.rows, matrix.columns}), false);
        const at::Tensor values = singular.cpu();
        const float* sigma = values.const_data_ptr<float>();
        kernels::Norms norms;
        check(kernels::measure(sigma, values.numel(), norms, {}));
        double scale = 0;
        const double budget = atomBudget(matrix, *work.level, false);
        check(kernels::findDrawScale(sigma, values.numel(), norms, budget, scale, {}));
        const kernels::PhiloxStream random = drawsOf(info_, "atomo", work);
        std::vector<std::int64_t> drawn;
        std::vector<float> sent;
        for (std::int64_t i = 0; i < values.numel(); ++i) {
            if (kernels::isDrawn(sigma[i], scale, random.word(static_cast<std::uint64_t>(i)))) {
                drawn.push_back(i);
                sent.push_back(kernels::drawnCoefficient(sigma[i], scale));
            }
        }
        if (drawn.empty()) {
            return {};
        }
        const at::Tensor indices = at::tensor(drawn).to(u.device());
        const at::Tensor factors = at::tensor(sent).to(u.device()).unsqueeze(1);
        return {u.t().index_select(0, indices).contiguous(),
                vh.index_select(0, indices).mul(factors).contiguous()};
    }

    RankInfo info_;
};

}  // namespace

std::unique_ptr<Compressor> makeAtomo(const Choice& compress, const RankInfo& info) {
    if (drawsEntries(compress.options)) {
        return std::make_unique<AtomoEntries>(info);
    }
    return std::make_unique<AtomoSingular>(info);
}

}  // namespace concertina
