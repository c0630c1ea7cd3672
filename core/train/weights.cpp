// SPDX-License-Identifier: Apache-2.0
#include "core/train/weights.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <cstring>
#include <span>

#include "core/base/check.h"
#include "core/base/sha256.h"

namespace concertina {

NamedParameters parametersOf(torch::nn::Module& model) {
    NamedParameters parameters;
    for (const auto& named : model.named_parameters()) {
        parameters.names.push_back(named.key());
        parameters.tensors.push_back(named.value());
    }
    return parameters;
}

void broadcastWeights(torch::nn::Module& model, Collectives& control) {
    const at::NoGradGuard noGrad;
    const auto share = [&](at::Tensor tensor) {
        // Through a contiguous copy on the CPU, where the control group lives.
        at::Tensor copy = tensor.detach().to(at::kCPU).contiguous();
        control.broadcast(copy, Traffic::Buffer);
        tensor.copy_(copy);
    };
    for (const at::Tensor& parameter : model.parameters()) {
        share(parameter);
    }
    for (const at::Tensor& buffer : model.buffers()) {
        share(buffer);
    }
}

void averageBuffers(torch::nn::Module& model, Collectives& control) {
    const at::NoGradGuard noGrad;
    for (at::Tensor buffer : model.buffers()) {
        if (buffer.is_floating_point()) {
            at::Tensor copy = buffer.to(at::kCPU).contiguous();
            control.sum(copy, Traffic::Buffer);
            buffer.copy_(copy.div_(control.worldSize()));
        }
    }
}

std::string weightsHash(torch::nn::Module& model) {
    Sha256 hash;
    for (const at::Tensor& parameter : model.parameters()) {
        const at::Tensor bytes = parameter.detach().to(at::kCPU).contiguous();
        hash.update({static_cast<const std::byte*>(bytes.const_data_ptr()), bytes.nbytes()});
    }
    return hash.hex();
}

void requireEqualOnAllRanks(const std::string& hash, Collectives& control) {
    const auto size = static_cast<std::int64_t>(hash.size());
    at::Tensor own = at::empty({size}, at::kByte);
    std::memcpy(own.mutable_data_ptr(), hash.data(), hash.size());
    at::Tensor all = at::empty({control.worldSize(), size}, at::kByte);
    control.gather(own, all, Traffic::Metric);
    std::string different;
    for (std::int64_t rank = 1; rank < control.worldSize(); ++rank) {
        const auto* first = all.const_data_ptr<std::uint8_t>();
        if (std::memcmp(first, first + rank * size, hash.size()) != 0) {
            different += " " + std::to_string(rank);
        }
    }
    CONCERTINA_CHECK(different.empty(), "weights differ from rank 0's on ranks" + different);
}

}  // namespace concertina
