// SPDX-License-Identifier: Apache-2.0
// PowerSGD (Vogels, Karimireddy, Jaggi 2019; methods.md 2.1): M ~ P Q^T by one iteration of
// subspace iteration per optimizer step, or more. Payload bytes per rank and step: 4 r (n + m)
// iterations; per iteration two all-reduces, P then Q. Factors travel column after column. A
// further iteration starts from the mean Q of the one before, as the next step's first does.
//
// Q stays from step to step, per layer. A change of level keeps its first min(r_old, r_new) columns
// and draws only the missing ones: Gram-Schmidt makes column c follow the c-th strongest direction,
// so the first columns are the best ones, and a warm start is what makes a single multiplication
// per step enough. Accordion's released code draws all columns anew at each change (methods.md 1.3,
// 11) and so begins each critical regime with a random projection.
//
// Two guards change no result: columns of Q are scaled to a largest entry of 1 (only their
// directions matter, and P = M Q stays in the range of fp32 however small gradients become), and a
// column that came out zero (a zero gradient, a matrix of lower rank) or not finite keeps the old
// query, because a query of zeros would stay zero for ever, and one of NaN NaN.
#include <ATen/ops/amax.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/base/check.h"
#include "core/base/seeds.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "core/compress/state_names.h"
#include "kernels/powersgd.h"

namespace concertina {
namespace {

constexpr std::string_view kQuery = ".q";

kernels::MatrixShape shapeOf(const LayerWork& work) {
    const MatrixSize size = matrixOf(*work.shape);
    const std::int64_t payloadBytes = work.plan->phases.at(0).payloadBytes;
    const std::int64_t rank = payloadBytes / (4 * size.rows);
    CONCERTINA_CHECK(rank >= 1 && rank * 4 * size.rows == payloadBytes &&
                         work.plan->phases.at(1).payloadBytes == rank * 4 * size.columns &&
                         work.plan->phases.size() % 2 == 0,
                     "payload of " + std::to_string(payloadBytes) + " bytes for " +
                         std::to_string(size.rows) + " rows");
    return {size.rows, size.columns, rank};
}

/// Rows first..last-1 of `query` (r, m) become standard normal, on all ranks the same.
void drawQuery(const at::Tensor& query, std::int64_t first, const kernels::PhiloxStream& stream) {
    const std::int64_t columns = query.size(1);
    float* values = query.mutable_data_ptr<float>();
    for (std::int64_t i = first * columns; i < query.numel(); ++i) {
        const auto pair = static_cast<std::uint64_t>(i) * 2;
        values[i] = static_cast<float>(
            kernels::normalFromBits(stream.word(pair), stream.word(pair + 1)).first);
    }
}

/// What a layer keeps. Per layer also P: the layers of a bucket go through their phases side by
/// side.
struct Factors {
    at::Tensor
        query;        // Q (r, m), one row per column of the paper's Q: of the last step that counts
    at::Tensor next;  // Q of this step; undefined between steps
    at::Tensor left;  // P (r, n), orthonormal, from its decode() to that of its Q
};

class Powersgd : public Compressor {
 public:
    explicit Powersgd(const RankInfo& info) : info_(info) {}

    void encode(int phase, LayerWork& work, const at::Tensor& payload) override {
        const kernels::MatrixShape shape = shapeOf(work);
        const float* matrix = work.input.const_data_ptr<float>();
        const kernels::Stream stream = streamOf(work.input);
        if (isLeft(phase)) {
            const at::Tensor& query = queryOf(work, shape);
            check(kernels::multiply(matrix, query.const_data_ptr<float>(), shape, floatsOf(payload),
                                    stream));
        } else {
            const float* p = factors_.at(work.layer).left.const_data_ptr<float>();
            check(kernels::multiplyTransposed(matrix, p, shape, floatsOf(payload), stream));
        }
    }

    void decode(int phase, LayerWork& work, const at::Tensor& combined) override {
        const kernels::MatrixShape shape = shapeOf(work);
        const kernels::Stream stream = streamOf(work.input);
        Factors& factors = factors_.at(work.layer);
        if (isLeft(phase)) {
            factors.left = combined.view(at::kFloat).view({shape.rank, shape.rows}).clone();
            float* p = factors.left.mutable_data_ptr<float>();
            check(kernels::orthogonalise(p, shape.rows, shape.rank, stream));
            return;
        }
        const at::Tensor sum = combined.view(at::kFloat).view({shape.rank, shape.columns});
        const at::Tensor mean = at::div(sum, static_cast<double>(info_.worldSize));
        if (static_cast<std::size_t>(phase) + 1 == work.plan->phases.size()) {
            check(kernels::reconstruct(factors.left.const_data_ptr<float>(),
                                       mean.const_data_ptr<float>(), shape,
                                       work.input.mutable_data_ptr<float>(),
                                       work.output.mutable_data_ptr<float>(), stream));
        }
        factors.left.reset();
        keepWarm(factors, mean);
    }

    void commit() override {
        for (auto& [layer, factors] : factors_) {
            if (factors.next.defined()) {
                factors.query = std::move(factors.next);
                factors.next = at::Tensor();
            }
        }
    }

    void rollback() override {
        for (auto& [layer, factors] : factors_) {
            factors.next = factors.left = at::Tensor();
        }
    }

    NamedTensors save() const override {
        NamedTensors state;
        for (const auto& [layer, factors] : factors_) {
            if (factors.query.defined()) {
                state.emplace_back(stateName(layer, kQuery), factors.query.clone());
            }
        }
        return state;
    }

    void load(const NamedTensors& state, std::span<const Shape> shapes) override {
        factors_.clear();
        for (const auto& entry : state) {
            const int layer = knownLayerOfState(entry, kQuery, "PowerSGD", shapes);
            const MatrixSize size = matrixOf(shapes[static_cast<std::size_t>(layer)]);
            const at::Tensor& query = entry.second;
            if (query.dim() != 2 || query.size(0) < 1 ||
                query.size(0) > std::min(size.rows, size.columns) ||
                query.size(1) != size.columns) {
                refuseStateShape(entry, "PowerSGD",
                                 "(1.." + std::to_string(std::min(size.rows, size.columns)) + ", " +
                                     std::to_string(size.columns) + ")");
            }
            factors_[layer].query = query.clone();
        }
    }

 private:
    /// Phases take turns: P, Q, P, Q, ...
    static bool isLeft(int phase) { return phase % 2 == 0; }

    /// This layer's Q (r, m) at the rank of this step.
    const at::Tensor& queryOf(const LayerWork& work, kernels::MatrixShape shape) {
        Factors& factors = factors_[work.layer];
        const at::Tensor& query = factors.next.defined() ? factors.next : factors.query;
        const std::int64_t had = query.defined() ? query.size(0) : 0;
        if (had == shape.rank) {
            return query;
        }
        // Drawn on the host, for the same bits everywhere; it is small and this is rare.
        at::Tensor fresh = at::empty({shape.rank, shape.columns}, at::kFloat);
        const std::int64_t kept = std::min(had, shape.rank);
        const DrawPlace place{.layer = static_cast<std::uint32_t>(work.layer),
                              .step = static_cast<std::uint32_t>(work.step)};
        drawQuery(fresh, kept, randomStream(info_.seed, "powersgd-query", place));
        fresh = fresh.to(work.input.device());
        if (kept > 0) {
            fresh.narrow(0, 0, kept).copy_(query.narrow(0, 0, kept));
        }
        factors.next = fresh;
        return factors.next;
    }

    /// `next` is the step's query by now, or undefined where it was the kept one.
    static void keepWarm(Factors& factors, const at::Tensor& mean) {
        const at::Tensor& query = factors.next.defined() ? factors.next : factors.query;
        const at::Tensor peak = mean.abs().amax(1, true);
        const at::Tensor usable =
            at::logical_and(peak > 0, peak < std::numeric_limits<float>::infinity());
        factors.next = at::where(usable, mean / peak, query);
    }

    RankInfo info_;
    std::map<int, Factors> factors_;  // by layer
};

}  // namespace

std::unique_ptr<Compressor> makePowersgd(const Choice&, const RankInfo& info) {
    return std::make_unique<Powersgd>(info);
}

}  // namespace concertina
