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

bool takesPart(const BytePlan& plan, int phase) {
    return static_cast<std::size_t>(phase) < plan.phases.size();
}

at::Tensor asFloats(const at::Tensor& bytes) { return bytes.view(at::kFloat); }

}  // namespace

at::Tensor ScratchBuffer::take(std::int64_t bytes, at::Device device) {
    if (!storage_.defined() || storage_.numel() < bytes || storage_.device() != device) {
        storage_ = at::empty({bytes}, at::TensorOptions(at::kByte).device(device));
    }
    return storage_.narrow(0, 0, bytes);
}

std::vector<int> BucketExchange::run(const std::vector<BucketSlice>& slices, std::int64_t step) {
    items_.clear();
    int phases = 1;
    for (const BucketSlice& slice : slices) {
        Layer& layer = parts_.layers[static_cast<std::size_t>(slice.layer)];
        Item item{.slice = slice, .plan = &layer.plan()};
        item.work.layer = slice.layer;
        item.work.shape = &layer.shape;
        item.work.level = &parts_.levels[static_cast<std::size_t>(layer.level)];
        item.work.plan = item.plan;
        item.work.step = step;
        item.work.output = slice.gradient;
        phases = std::max(phases, static_cast<int>(item.plan->phases.size()));
        items_.push_back(std::move(item));
    }
    for (int phase = 0; phase < phases; ++phase) {
        PhaseBuffers buffers = layOut(phase);
        encode(phase, buffers);
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

BucketExchange::PhaseBuffers BucketExchange::layOut(int phase) {
    std::int64_t sumBytes = 0, gatherBytes = 0;
    for (Item& item : items_) {
        if (takesPart(*item.plan, phase)) {
            const PhasePlan& plan = item.plan->phases[static_cast<std::size_t>(phase)];
            std::int64_t& end = plan.reduction == Reduction::Sum ? sumBytes : gatherBytes;
            item.offset = end;
            end += plan.payloadBytes;
        }
    }
    const at::Device device = items_.front().slice.gradient.device();
    const int ranks = parts_.collectives.worldSize();
    return {sum_.take(sumBytes, device), gather_.take(gatherBytes, device),
            rows_.take(gatherBytes * ranks, device).view({ranks, gatherBytes})};
}

/// One pass over the gradient: epoch sum, gradient plus error memory, finite or not. A dense
/// layer's result goes straight into its segment, a compressed one's into the buffer of the next
/// memory.
void BucketExchange::feed(Item& item, const at::Tensor& segment) {
    Layer& layer = parts_.layers[static_cast<std::size_t>(item.slice.layer)];
    const at::Tensor& memory = parts_.memory.present(item.slice.layer);
    at::Tensor input =
        item.plan->dense ? segment : parts_.memory.next(item.slice.layer, item.slice.gradient);
    kernels::AccumulateBuffers buffers{};
    buffers.gradient = item.slice.gradient.const_data_ptr<float>();
    buffers.errorMemory = memory.defined() ? memory.const_data_ptr<float>() : nullptr;
    buffers.epochSum =
        layer.epochSum.defined() ? layer.epochSum.mutable_data_ptr<float>() : nullptr;
    buffers.next = input.mutable_data_ptr<float>();
    buffers.count = item.slice.gradient.numel();
    kernels::SquaredNorm norm;
    check(kernels::accumulate(buffers, norm, streamOf(input)));
    item.finite = norm.finite;
    if (!norm.finite) {
        input.zero_();
    }
    item.work.input = input;
}

void BucketExchange::encode(int phase, PhaseBuffers& buffers) {
    for (Item& item : items_) {
        if (!takesPart(*item.plan, phase)) {
            continue;
        }
        const PhasePlan& plan = item.plan->phases[static_cast<std::size_t>(phase)];
        const at::Tensor& buffer = plan.reduction == Reduction::Sum ? buffers.sum : buffers.gather;
        const at::Tensor segment = buffer.narrow(0, item.offset, plan.payloadBytes);
        if (phase == 0) {
            feed(item, item.plan->dense ? asFloats(segment) : at::Tensor());
        }
        if (!item.plan->dense) {
            parts_.compressor.encode(phase, item.work, segment);
        }
        Layer& layer = parts_.layers[static_cast<std::size_t>(item.slice.layer)];
        layer.payloadBytes += plan.payloadBytes;
        layer.wireBytes += wireBytes(plan.reduction, static_cast<double>(plan.payloadBytes),
                                     parts_.collectives.worldSize());
    }
}

void BucketExchange::exchange(PhaseBuffers& buffers) {
    if (buffers.sum.numel() > 0) {
        at::Tensor floats = asFloats(buffers.sum);
        parts_.collectives.sum(floats, Traffic::Gradient);
    }
    if (buffers.gather.numel() > 0) {
        parts_.collectives.gather(buffers.gather, buffers.rows, Traffic::Gradient);
    }
}

void BucketExchange::decode(int phase, PhaseBuffers& buffers) {
    const auto ranks = static_cast<float>(parts_.collectives.worldSize());
    for (Item& item : items_) {
        if (!takesPart(*item.plan, phase)) {
            continue;
        }
        const PhasePlan& plan = item.plan->phases[static_cast<std::size_t>(phase)];
        const bool sum = plan.reduction == Reduction::Sum;
        const at::Tensor combined = sum ? buffers.sum.narrow(0, item.offset, plan.payloadBytes)
                                        : buffers.rows.narrow(1, item.offset, plan.payloadBytes);
        if (!item.plan->dense) {
            parts_.compressor.decode(phase, item.work, combined);
            continue;
        }
        const at::Tensor sums = asFloats(combined);
        CONCERTINA_CHECK(plan.payloadBytes == item.slice.gradient.numel() * kFloatBytes, "dense");
        check(kernels::divide(sums.const_data_ptr<float>(), ranks,
                              item.slice.gradient.mutable_data_ptr<float>(), sums.numel(),
                              streamOf(sums)));
    }
}

/// What becomes of each layer's error memory once the step is agreed on.
void BucketExchange::settle() {
    for (const Item& item : items_) {
        if (!parts_.errorFeedback || !item.finite) {
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
