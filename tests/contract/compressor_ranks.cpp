// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/compressor_ranks.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/check.h"
#include "core/base/seeds.h"

namespace concertina {

namespace {

constexpr int kUnwritten = 0xEE;

at::Tensor payloadOf(std::int64_t payloadBytes) {
    return at::full({payloadBytes}, kUnwritten, at::kByte);
}

}  // namespace

CompressorRanks::CompressorRanks(const std::string& name, int worldSize, std::uint64_t seed) {
    for (int rank = 0; rank < worldSize; ++rank) {
        ranks_.push_back(makeCompressor({name, {}}, {rank, worldSize, seed}));
    }
}

at::Tensor CompressorRanks::combine(Reduction reduction,
                                    const std::vector<at::Tensor>& payloads) const {
    if (reduction == Reduction::Gather) {
        return at::stack(payloads);
    }
    at::Tensor sum = payloads[0].view(at::kFloat).clone();
    for (std::size_t rank = 1; rank < payloads.size(); ++rank) {
        sum += payloads[rank].view(at::kFloat);
    }
    return sum.view(at::kByte);
}

at::Tensor CompressorRanks::step(const BytePlan& plan,
                                 const Shape& shape,
                                 std::vector<at::Tensor>& inputs,
                                 std::int64_t step,
                                 int layer) {
    const Settings level;
    std::vector<LayerWork> works;
    for (const at::Tensor& input : inputs) {
        works.push_back({layer, &shape, &level, &plan, step, input, at::full_like(input, 77)});
    }
    sent_.clear();
    for (int phase = 0; phase < static_cast<int>(plan.phases.size()); ++phase) {
        std::vector<at::Tensor> payloads;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            payloads.push_back(payloadOf(plan.phases[phase].payloadBytes));
            ranks_[rank]->encode(phase, works[rank], payloads.back());
        }
        sent_.push_back(payloads[0]);
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            ranks_[rank]->decode(phase, works[rank],
                                 combine(plan.phases[phase].reduction, payloads));
        }
    }
    for (const LayerWork& work : works) {
        EXPECT_TRUE(sameBits(work.output, works[0].output)) << "ranks decoded different means";
    }
    return works[0].output;
}

BytePlan planOf(const std::string& name, const Shape& shape, const Settings& level) {
    const CompressorDescriptor* compressor = findCompressor(name);
    CONCERTINA_CHECK(compressor != nullptr, name);
    return compressor->plan(shape, level, {});
}

at::Tensor normalTensor(const Shape& shape, std::uint64_t seed) {
    at::Tensor values = at::empty({elementsOf(shape)}, at::kFloat);
    const auto stream = randomStream(seed, "test-normal");
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        values.mutable_data_ptr<float>()[i] = static_cast<float>(
            kernels::normalFromBits(stream.word(2 * i), stream.word(2 * i + 1)).first);
    }
    return values;
}

at::Tensor wholeTensor(const Shape& shape, int limit, std::uint64_t seed) {
    at::Tensor values = at::empty({elementsOf(shape)}, at::kFloat);
    const auto stream = randomStream(seed, "test-whole");
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        const auto drawn = static_cast<int>(stream.word(i) % (2U * limit + 1));
        values.mutable_data_ptr<float>()[i] = static_cast<float>(drawn - limit);
    }
    return values;
}

at::Tensor sumOf(const std::vector<at::Tensor>& tensors) {
    at::Tensor sum = tensors[0].to(at::kDouble);
    for (std::size_t i = 1; i < tensors.size(); ++i) {
        sum += tensors[i];
    }
    return sum;
}

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
    return a.sizes() == b.sizes() && std::memcmp(a.data_ptr(), b.data_ptr(), a.nbytes()) == 0;
}

std::vector<at::Tensor> copiesOf(const std::vector<at::Tensor>& tensors) {
    std::vector<at::Tensor> copies;
    for (const at::Tensor& tensor : tensors) {
        copies.push_back(tensor.clone());
    }
    return copies;
}

}  // namespace concertina
