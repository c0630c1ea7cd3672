// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bench_ranks.h"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/compress/dispatch.h"
#include "kernels/scale.h"
#include "tests/bench/measure.h"
#include "tests/kernels/inputs.h"

namespace concertina::bench {
namespace {

constexpr int kRanks = 2;

at::ScalarType typeOf(Reduction reduction) {
    return reduction == Reduction::SumFp16   ? at::kHalf
           : reduction == Reduction::SumBf16 ? at::kBFloat16
                                             : at::kFloat;
}

bool hasPhase(const BytePlan& plan, int phase) {
    return static_cast<std::size_t>(phase) < plan.phases.size();
}

std::int64_t roomOf(const PhasePlan& plan) {
    return plan.isVariable() ? plan.capacityBytes : plan.payloadBytes;
}

}  // namespace

at::Tensor normalFloats(std::int64_t count, std::uint32_t seed) {
    constexpr std::int64_t kLongest = 512 * 4608;
    constexpr std::int64_t kShift = 997;
    static const std::vector<float> kTable = kernels::normalNumbers(kLongest + 1000 * kShift, 1);
    at::Tensor values = at::empty({count}, at::kFloat);
    CONCERTINA_CHECK(count <= kLongest && seed < 1000, "more numbers than the table has");
    std::copy_n(kTable.begin() + seed * kShift, count, values.mutable_data_ptr<float>());
    return values;
}

BenchRanks::BenchRanks(const CompressorDescriptor& compressor,
                       const Settings& level,
                       const Settings& options)
    : level_(level) {
    for (int rank = 0; rank < kRanks; ++rank) {
        ranks_.push_back(makeRank(compressor, options, rank));
    }
    for (const Layer& layer : ranks_[0].layers) {
        elements_ += elementsOf(layer.shape);
        phases_ = std::max(phases_, static_cast<int>(layer.plan.phases.size()));
    }
}

BenchRanks::Rank BenchRanks::makeRank(const CompressorDescriptor& compressor,
                                      const Settings& options,
                                      int rank) const {
    Rank result{makeCompressor({compressor.name, options}, {rank, kRanks, 1}), {}};
    std::uint32_t seed = 100U * static_cast<std::uint32_t>(rank);
    for (const auto& [rows, columns] : resnet18Matrices()) {
        const Shape shape{rows, columns};
        const std::int64_t count = rows * columns;
        Layer layer{shape, planLayer(compressor, shape, level_, options, kRanks),
                    normalFloats(count, ++seed), at::Tensor(), at::empty({count})};
        if (compressor.needsErrorFeedback) {
            layer.memory = normalFloats(count, ++seed);
        }
        for (const PhasePlan& phase : layer.plan.phases) {
            layer.payloads.push_back(at::empty({roomOf(phase)}, at::kByte));
            layer.bytes.push_back(phase.payloadBytes);
        }
        layer.work.layer = static_cast<int>(result.layers.size());
        layer.work.output = at::empty({count});
        result.layers.push_back(std::move(layer));
    }
    return result;
}

void BenchRanks::begin(Rank& rank) const {
    for (Layer& layer : rank.layers) {
        layer.work.output.copy_(layer.gradient);
        layer.work.shape = &layer.shape;
        layer.work.level = &level_;
        layer.work.plan = &layer.plan;
        layer.work.step = step_;
        layer.work.gradient = layer.work.output;
        layer.work.input = layer.plan.dense ? layer.payloads[0].view(at::kFloat) : layer.next;
    }
}

void BenchRanks::feed(Rank& rank) const {
    std::vector<LayerWork*> compressed;
    for (Layer& layer : rank.layers) {
        kernels::AccumulateBuffers buffers{};
        buffers.gradient = layer.work.gradient.const_data_ptr<float>();
        buffers.errorMemory =
            layer.memory.defined() ? layer.memory.const_data_ptr<float>() : nullptr;
        buffers.next = layer.work.input.mutable_data_ptr<float>();
        buffers.count = layer.work.input.numel();
        check(kernels::accumulate(buffers, layer.work.norms, {}));
        if (!layer.plan.dense) {
            compressed.push_back(&layer.work);
        }
    }
    if (!compressed.empty()) {
        rank.compressor->prepare(compressed);
    }
}

void BenchRanks::encode(Rank& rank, int phase) const {
    const auto index = static_cast<std::size_t>(phase);
    for (Layer& layer : rank.layers) {
        if (!layer.plan.dense && hasPhase(layer.plan, phase)) {
            rank.compressor->encode(phase, layer.work, layer.payloads[index]);
            if (layer.plan.phases[index].isVariable()) {
                layer.bytes[index] = layer.work.writtenBytes;
            }
        }
    }
}

std::vector<at::Tensor> BenchRanks::combine(int phase) const {
    const auto index = static_cast<std::size_t>(phase);
    std::vector<at::Tensor> combined;
    for (std::size_t i = 0; i < ranks_[0].layers.size(); ++i) {
        const Layer& first = ranks_[0].layers[i];
        const Layer& second = ranks_[1].layers[i];
        if (!hasPhase(first.plan, phase)) {
            combined.emplace_back();
            continue;
        }
        const Reduction reduction = first.plan.phases[index].reduction;
        if (isSum(reduction)) {
            const at::ScalarType type = typeOf(reduction);
            combined.push_back(
                (first.payloads[index].view(type) + second.payloads[index].view(type))
                    .view(at::kByte));
            continue;
        }
        const std::int64_t longest = std::max(first.bytes[index], second.bytes[index]);
        at::Tensor rows = at::empty({kRanks, longest}, at::kByte);
        for (int rank = 0; rank < kRanks; ++rank) {
            const Layer& layer = ranks_[static_cast<std::size_t>(rank)].layers[i];
            rows[rank].copy_(layer.payloads[index].narrow(0, 0, longest));
        }
        combined.push_back(rows);
    }
    return combined;
}

void BenchRanks::decode(Rank& rank, int phase, const std::vector<at::Tensor>& combined) const {
    for (std::size_t i = 0; i < rank.layers.size(); ++i) {
        LayerWork& work = rank.layers[i].work;
        if (!hasPhase(rank.layers[i].plan, phase)) {
            continue;
        }
        if (rank.layers[i].plan.dense) {
            check(kernels::divide(floatsOf(combined[i]), static_cast<float>(kRanks),
                                  work.output.mutable_data_ptr<float>(), work.output.numel(), {}));
        } else {
            rank.compressor->decode(phase, work, combined[i]);
        }
    }
}

void BenchRanks::tellSizes(Rank& rank, int phase) const {
    const auto index = static_cast<std::size_t>(phase);
    for (std::size_t i = 0; i < rank.layers.size(); ++i) {
        rank.layers[i].work.rowBytes.clear();
        for (const Rank& from : ranks_) {
            if (hasPhase(from.layers[i].plan, phase)) {
                rank.layers[i].work.rowBytes.push_back(from.layers[i].bytes[index]);
            }
        }
    }
}

BenchRanks::Seconds BenchRanks::step() {
    const auto inTurn = [this](auto body) {
        double ofRank0 = 0;
        for (std::size_t rank = step_ == 0 ? kRanks : 1; rank-- > 0;) {
            ofRank0 = secondsOf([&] { body(ranks_[rank]); });
        }
        return ofRank0;
    };
    Seconds seconds;
    inTurn([this](Rank& rank) { begin(rank); });
    seconds.encode = inTurn([this](Rank& rank) { feed(rank); });
    for (int phase = 0; phase < phases_; ++phase) {
        seconds.encode += inTurn([&](Rank& rank) { encode(rank, phase); });
        const std::vector<at::Tensor> combined = combine(phase);
        inTurn([&](Rank& rank) { tellSizes(rank, phase); });
        seconds.decode += inTurn([&](Rank& rank) { decode(rank, phase, combined); });
    }
    inTurn([](Rank& rank) { rank.compressor->commit(); });
    ++step_;
    return seconds;
}

double BenchRanks::sentShare() const {
    double bytes = 0;
    for (const Layer& layer : ranks_[0].layers) {
        for (const std::int64_t phase : layer.bytes) {
            bytes += static_cast<double>(phase);
        }
    }
    return bytes / (4.0 * static_cast<double>(elements_));
}

}  // namespace concertina::bench
