// SPDX-License-Identifier: Apache-2.0
#include "core/comm/collectives.h"

#include <chrono>
#include <string>
#include <thread>

#include <ATen/ops/empty.h>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include "core/base/error.h"

namespace concertina {

Collectives::Collectives(c10::intrusive_ptr<c10d::Backend> backend,
                         int worldSize,
                         RankSlot& slot,
                         std::optional<LinkModel> link)
    : backend_(std::move(backend)), worldSize_(worldSize), slot_(slot), link_(link) {}

template <typename Start>
void Collectives::run(
    Traffic kind, double wireBytes, int ringSteps, std::int64_t payloadBytes, Start start) {
    TrafficCount& count = counts_[static_cast<int>(kind)];
    count.payloadBytes += payloadBytes;
    count.wireBytes += wireBytes;
    ++count.collectives;
    if (worldSize_ == 1) {
        return;
    }
    const auto begin = std::chrono::steady_clock::now();
    ++slot_.collectivesEntered;
    try {
        start()->wait();
    } catch (const std::exception& failure) {
        throw Error(ErrorKind::RankLost,
                    std::string("a collective failed, so a peer is gone: ") + failure.what());
    }
    if (link_) {
        const double seconds =
            ringSteps * link_->latencySeconds + wireBytes / link_->bytesPerSecond;
        std::this_thread::sleep_until(begin + std::chrono::duration<double>(seconds));
    }
    ++slot_.collectivesFinished;
}

void Collectives::sum(at::Tensor& tensor, Traffic kind) {
    const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
    const double wire = wireBytes(Reduction::Sum, static_cast<double>(bytes), worldSize_);
    std::vector<at::Tensor> tensors{tensor};
    run(kind, wire, 2 * (worldSize_ - 1), bytes, [&] { return backend_->allreduce(tensors); });
}

void Collectives::max(at::Tensor& tensor, Traffic kind) {
    const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
    const double wire = wireBytes(Reduction::Sum, static_cast<double>(bytes), worldSize_);
    std::vector<at::Tensor> tensors{tensor};
    c10d::AllreduceOptions options;
    options.reduceOp = c10d::ReduceOp::MAX;
    run(kind, wire, 2 * (worldSize_ - 1), bytes,
        [&] { return backend_->allreduce(tensors, options); });
}

void Collectives::broadcast(at::Tensor& tensor, Traffic kind) {
    const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
    // Rank 0's view: it is the one whose bytes are recorded, and the one that sends.
    const double wire = worldSize_ == 1 ? 0 : static_cast<double>(bytes);
    std::vector<at::Tensor> tensors{tensor};
    run(kind, wire, 1, bytes, [&] { return backend_->broadcast(tensors); });
}

void Collectives::gather(const at::Tensor& tensor, at::Tensor& rows, Traffic kind) {
    const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
    const double wire = wireBytes(Reduction::Gather, static_cast<double>(bytes), worldSize_);
    if (worldSize_ == 1) {
        rows[0].copy_(tensor);
    }
    std::vector<std::vector<at::Tensor>> outputs{rows.unbind(0)};
    std::vector<at::Tensor> inputs{tensor};
    run(kind, wire, worldSize_ - 1, bytes, [&] { return backend_->allgather(outputs, inputs); });
}

at::Tensor Collectives::counts() const {
    at::Tensor table = at::empty({kTrafficKinds, 3}, at::kDouble);
    auto* value = table.mutable_data_ptr<double>();
    for (const TrafficCount& count : counts_) {
        *value++ = static_cast<double>(count.payloadBytes);
        *value++ = count.wireBytes;
        *value++ = static_cast<double>(count.collectives);
    }
    return table;
}

void Collectives::restoreCounts(const at::Tensor& counts) {
    const auto* value = counts.const_data_ptr<double>();
    for (TrafficCount& count : counts_) {
        count.payloadBytes = static_cast<std::int64_t>(*value++);
        count.wireBytes = *value++;
        count.collectives = static_cast<std::int64_t>(*value++);
    }
}

}  // namespace concertina
