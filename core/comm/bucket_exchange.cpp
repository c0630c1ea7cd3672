// SPDX-License-Identifier: Apache-2.0
#include "core/comm/bucket_exchange.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstddef>

#include "core/base/check.h"
#include "core/compress/dispatch.h"
#include "kernels/accumulate.h"
#include "kernels/scale.h"

namespace concertina {
namespace {

constexpr std::int64_t kFloatBytes = sizeof(float);

/// The plan of a phase; nullptr when the layer has fewer.
const PhasePlan* phaseOf(const BytePlan& plan, int phase) {
    const auto index = static_cast<std::size_t>(phase);
    return index < plan.phases.size() ? &plan.phases[index] : nullptr;
}

at::Tensor asFloats(const at::Tensor& bytes) { return bytes.view(at::kFloat); }

constexpr std::array kSumTypeOf{at::kFloat, at::kHalf, at::kBFloat16};
static_assert(static_cast<int>(Reduction::Sum) == 0 && static_cast<int>(Reduction::SumBf16) == 2);

std::size_t sumTypeOf(const PhasePlan& plan) { return static_cast<std::size_t>(plan.reduction); }

}  // namespace

at::Tensor ScratchBuffer::take(std::int64_t bytes, at::Device device) {
    if (!storage_.defined() || storage_.numel() < bytes || storage_.device() != device) {
        storage_ = at::empty({bytes}, at::TensorOptions(at::kByte).device(device));
    }
    return storage_.narrow(0, 0, bytes);
}

std::vector<int> BucketExchange::run(const std::vector<BucketSlice>& slices, std::int64_t step) {
    takeOver(slices, step);
    std::size_t phases = 1;
    for (const Item& item : items_) {
        phases = std::max(phases, item.plan->phases.size());
    }
    for (int phase = 0; phase < static_cast<int>(phases); ++phase) {
        PhaseBuffers buffers = layOut(phase);
        if (phase == 0) {
            feedAll(buffers);
        }
        encode(phase, buffers);
        agreeOnSizes(phase, buffers);
        count(phase);
        exchange(buffers);
        decode(phase, buffers);
    }
    settle();
    std::vector<int> nonFinite;
    for (const Item& item : items_) {
        if (!item.finite) {
            nonFinite.push_back(item.slice.layer);
        }
    }
    return nonFinite;
}

void BucketExchange::takeOver(const std::vector<BucketSlice>& slices, std::int64_t step) {
    items_.clear();
    for (const BucketSlice& slice : slices) {
        Layer& layer = parts_.layers[static_cast<std::size_t>(slice.layer)];
        Item item{.slice = slice, .plan = &layer.plan()};
        item.work.layer = slice.layer;
        item.work.shape = &layer.shape;
        item.work.level = &parts_.levels[static_cast<std::size_t>(layer.level)];
        item.work.plan = item.plan;
        item.work.step = step;
        item.work.gradient = slice.gradient;
        item.work.output = slice.gradient;
        items_.push_back(std::move(item));
    }
}

/// Gives each item of the phase its place. Variable ones get their capacity for now.
BucketExchange::PhaseBuffers BucketExchange::layOut(int phase) {
    std::array<std::int64_t, kSumTypes> sumBytes{};
    std::int64_t gatherBytes = 0, variableBytes = 0;
    for (Item& item : items_) {
        const PhasePlan* plan = phaseOf(*item.plan, phase);
        if (plan == nullptr) {
            continue;
        }
        std::int64_t& end = plan->isVariable()       ? variableBytes
                            : isSum(plan->reduction) ? sumBytes.at(sumTypeOf(*plan))
                                                     : gatherBytes;
        item.offset = end;
        item.bytes = plan->isVariable() ? plan->capacityBytes : plan->payloadBytes;
        end += item.bytes;
    }
    const at::Device device = items_.front().slice.gradient.device();
    PhaseBuffers buffers;
    for (std::size_t type = 0; type < kSumTypes; ++type) {
        buffers.sums.at(type) = sums_.at(type).take(sumBytes.at(type), device);
    }
    buffers.gather = gather_.take(gatherBytes + variableBytes, device);
    buffers.variable = variable_.take(variableBytes, device);
    buffers.gatherBytes = gatherBytes;
    return buffers;
}

at::Tensor BucketExchange::segmentOf(const Item& item,
                                     int phase,
                                     const PhaseBuffers& buffers) const {
    const PhasePlan& plan = *phaseOf(*item.plan, phase);
    const at::Tensor& buffer = plan.isVariable()       ? buffers.variable
                               : isSum(plan.reduction) ? buffers.sums.at(sumTypeOf(plan))
                                                       : buffers.gather;
    return buffer.narrow(0, item.offset, item.bytes);
}

void BucketExchange::feedAll(const PhaseBuffers& buffers) {
    std::vector<LayerWork*> compressed;
    for (Item& item : items_) {
        if (item.plan->dense) {
            feed(item, asFloats(segmentOf(item, 0, buffers)));
        } else {
            feed(item, {});
            compressed.push_back(&item.work);
        }
    }
    if (!compressed.empty()) {
        parts_.compressor.prepare(compressed);
    }
}

/// One pass over the gradient: epoch sum, momentum, what is compressed, its norms. A dense layer's
/// result goes straight into its segment, a compressed one's into the buffer of the next memory.
void BucketExchange::feed(Item& item, const at::Tensor& denseSegment) {
    const int index = item.slice.layer;
    Layer& layer = parts_.layers[static_cast<std::size_t>(index)];
    const at::Tensor& gradient = item.slice.gradient;
    const at::Tensor& memory = parts_.memory.present(index);
    at::Tensor input = item.plan->dense ? denseSegment : parts_.memory.next(index, gradient);
    kernels::AccumulateBuffers buffers{};
    buffers.gradient = gradient.const_data_ptr<float>();
    buffers.errorMemory = memory.defined() ? memory.const_data_ptr<float>() : nullptr;
    buffers.memoryScale = parts_.options.errorDecay;
    buffers.epochSum =
        layer.epochSum.defined() ? layer.epochSum.mutable_data_ptr<float>() : nullptr;
    buffers.next = input.mutable_data_ptr<float>();
    buffers.count = gradient.numel();
    if (parts_.options.localMomentum > 0) {
        const at::Tensor& momentum = parts_.momentum.present(index);
        item.work.momentum = parts_.momentum.next(index, gradient);
        buffers.momentum = momentum.defined() ? momentum.const_data_ptr<float>() : nullptr;
        buffers.nextMomentum = item.work.momentum.mutable_data_ptr<float>();
        buffers.momentumScale = parts_.options.localMomentum;
    }
    check(kernels::accumulate(buffers, item.work.norms, streamOf(input)));
    item.finite = item.work.norms.finite;
    if (!item.finite) {
        input.zero_();
        item.slice.gradient.zero_();
        item.work.norms = {};
    }
    item.work.input = input;
    if (item.finite && item.work.momentum.defined()) {
        item.work.gradient = item.work.momentum;  // that is what was added to the memory
    }
}

void BucketExchange::encode(int phase, PhaseBuffers& buffers) {
    for (Item& item : items_) {
        const PhasePlan* plan = phaseOf(*item.plan, phase);
        if (plan == nullptr || item.plan->dense) {
            continue;
        }
        parts_.compressor.encode(phase, item.work, segmentOf(item, phase, buffers));
        const std::int64_t written = item.work.writtenBytes;
        CONCERTINA_CHECK(!plan->isVariable() || (written >= 0 && written % kFloatBytes == 0 &&
                                                 written <= plan->capacityBytes),
                         "variable message of " + std::to_string(written) + " bytes, capacity " +
                             std::to_string(plan->capacityBytes));
    }
}

/// Gives every variable message the place of its longest over ranks, behind the fixed segments.
void BucketExchange::agreeOnSizes(int phase, PhaseBuffers& buffers) {
    std::vector<Item*> variable;
    for (Item& item : items_) {
        const PhasePlan* plan = phaseOf(*item.plan, phase);
        if (plan != nullptr && plan->isVariable()) {
            variable.push_back(&item);
        }
    }
    if (!variable.empty()) {
        shareSizes(variable, buffers.gather.device());
        for (Item* item : variable) {
            append(*item, buffers);
        }
    }
    buffers.gather = buffers.gather.narrow(0, 0, buffers.gatherBytes);
    const int ranks = parts_.collectives.worldSize();
    // Rows of nothing are kept a word apart, so that theirs too begin where a word may.
    const std::int64_t stride = std::max(buffers.gatherBytes, kFloatBytes);
    buffers.rows = rows_.take(stride * ranks, buffers.gather.device())
                       .view({ranks, stride})
                       .narrow(1, 0, buffers.gatherBytes);
}

void BucketExchange::shareSizes(const std::vector<Item*>& variable, at::Device device) {
    const auto count = static_cast<std::int64_t>(variable.size());
    const int ranks = parts_.collectives.worldSize();
    at::Tensor own = at::empty({count}, at::kLong);
    std::transform(variable.begin(), variable.end(), own.mutable_data_ptr<std::int64_t>(),
                   [](const Item* item) { return item->work.writtenBytes; });
    at::Tensor all = at::empty({ranks, count}, own.options().device(device));
    parts_.collectives.gather(own.to(device), all, Traffic::Size);
    all = all.cpu();
    const std::int64_t* sizes = all.const_data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < count; ++i) {
        std::vector<std::int64_t>& rowBytes = variable[static_cast<std::size_t>(i)]->work.rowBytes;
        rowBytes.clear();
        for (int rank = 0; rank < ranks; ++rank) {
            rowBytes.push_back(sizes[rank * count + i]);
        }
    }
}

/// Moves a variable message behind what is in `buffers.gather` so far, padded with zeros.
void BucketExchange::append(Item& item, PhaseBuffers& buffers) {
    const std::int64_t written = item.work.writtenBytes;
    const at::Tensor message = buffers.variable.narrow(0, item.offset, written);
    item.bytes = *std::max_element(item.work.rowBytes.begin(), item.work.rowBytes.end());
    item.offset = buffers.gatherBytes;
    buffers.gatherBytes += item.bytes;
    const at::Tensor place = buffers.gather.narrow(0, item.offset, item.bytes);
    place.narrow(0, 0, written).copy_(message);
    place.narrow(0, written, item.bytes - written).zero_();
}

void BucketExchange::count(int phase) {
    for (const Item& item : items_) {
        if (const PhasePlan* plan = phaseOf(*item.plan, phase)) {
            Layer& layer = parts_.layers[static_cast<std::size_t>(item.slice.layer)];
            layer.payloadBytes += item.bytes;
            layer.wireBytes += wireBytes(plan->reduction, static_cast<double>(item.bytes),
                                         parts_.collectives.worldSize());
        }
    }
}

void BucketExchange::exchange(PhaseBuffers& buffers) {
    for (std::size_t type = 0; type < kSumTypes; ++type) {
        if (buffers.sums.at(type).numel() > 0) {
            at::Tensor values = buffers.sums.at(type).view(kSumTypeOf.at(type));
            parts_.collectives.sum(values, Traffic::Gradient);
        }
    }
    if (buffers.gatherBytes > 0) {
        parts_.collectives.gather(buffers.gather, buffers.rows, Traffic::Gradient);
    }
}

void BucketExchange::decode(int phase, PhaseBuffers& buffers) {
    const auto ranks = static_cast<float>(parts_.collectives.worldSize());
    for (Item& item : items_) {
        const PhasePlan* plan = phaseOf(*item.plan, phase);
        if (plan == nullptr) {
            continue;
        }
        const at::Tensor combined =
            isSum(plan->reduction)
                ? buffers.sums.at(sumTypeOf(*plan)).narrow(0, item.offset, item.bytes)
                : buffers.rows.narrow(1, item.offset, item.bytes);
        if (!item.plan->dense) {
            parts_.compressor.decode(phase, item.work, combined);
            continue;
        }
        const at::Tensor sums = asFloats(combined);
        CONCERTINA_CHECK(item.bytes == item.slice.gradient.numel() * kFloatBytes, "dense");
        check(kernels::divide(sums.const_data_ptr<float>(), ranks,
                              item.slice.gradient.mutable_data_ptr<float>(), sums.numel(),
                              streamOf(sums)));
    }
}

/// What becomes of each layer's memories once the step is agreed on.
void BucketExchange::settle() {
    for (const Item& item : items_) {
        if (!item.finite) {
            continue;
        }
        if (item.work.momentum.defined()) {
            parts_.momentum.keepNext(item.slice.layer);
        }
        if (!parts_.options.errorFeedback) {
            continue;
        }
        if (!item.plan->dense) {
            parts_.memory.keepNext(item.slice.layer);
        } else if (parts_.memory.present(item.slice.layer).defined()) {
            parts_.memory.clear(item.slice.layer);
        }
    }
}

}  // namespace concertina
