// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/compressor_ranks.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/base/check.h"
#include "core/base/seeds.h"
#include "core/catalogue/check.h"

namespace concertina {

namespace {

Settings over(Settings defaults, const Settings& given) {
    for (const auto& [name, value] : given) {
        defaults[name] = value;
    }
    return defaults;
}

const CompressorDescriptor& descriptorOf(const std::string& name) {
    const CompressorDescriptor* compressor = findCompressor(name);
    CONCERTINA_CHECK(compressor != nullptr, name);
    return *compressor;
}

Settings optionsOf(const std::string& name, const Settings& given) {
    return over(defaultsOf(compressParametersOf(descriptorOf(name))), given);
}

/// Added up as an all-reduce of that type does it.
at::Tensor sumOfPayloads(at::ScalarType type, const std::vector<at::Tensor>& payloads) {
    at::Tensor sum = payloads[0].view(type).clone();
    for (std::size_t rank = 1; rank < payloads.size(); ++rank) {
        sum += payloads[rank].view(type);
    }
    return sum.view(at::kByte);
}

/// Rows further apart than they are long, and longer than most of them: one all-gather carries all
/// layers of a bucket, padded to the longest message.
at::Tensor gathered(const std::vector<at::Tensor>& payloads, int unwritten) {
    std::int64_t longest = 0;
    for (const at::Tensor& payload : payloads) {
        longest = std::max(longest, payload.numel());
    }
    constexpr std::int64_t kOtherLayers = 12;
    const auto ranks = static_cast<std::int64_t>(payloads.size());
    const at::Tensor rows = at::full({ranks, longest + kOtherLayers}, unwritten, at::kByte);
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        const at::Tensor& payload = payloads[static_cast<std::size_t>(rank)];
        rows[rank].narrow(0, 0, longest).zero_();
        rows[rank].narrow(0, 0, payload.numel()).copy_(payload);
    }
    return rows.narrow(1, 0, longest);
}

at::Tensor combine(Reduction reduction, const std::vector<at::Tensor>& payloads, int unwritten) {
    switch (reduction) {
        case Reduction::Sum:
            return sumOfPayloads(at::kFloat, payloads);
        case Reduction::SumFp16:
            return sumOfPayloads(at::kHalf, payloads);
        case Reduction::SumBf16:
            return sumOfPayloads(at::kBFloat16, payloads);
        case Reduction::Gather:
            return gathered(payloads, unwritten);
    }
    return {};
}

}  // namespace

CompressorRanks::CompressorRanks(const std::string& name,
                                 int worldSize,
                                 std::uint64_t seed,
                                 const Settings& options) {
    for (int rank = 0; rank < worldSize; ++rank) {
        ranks_.push_back(makeCompressor({name, optionsOf(name, options)}, {rank, worldSize, seed}));
    }
}

std::vector<LayerWork> CompressorRanks::worksOf(const LevelPlan& plan,
                                                const Shape& shape,
                                                std::vector<at::Tensor>& inputs,
                                                std::int64_t step,
                                                int layer) const {
    std::vector<LayerWork> works;
    for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
        LayerWork work;
        work.layer = layer;
        work.shape = &shape;
        work.level = &plan.level;
        work.plan = &plan.plan;
        work.step = step;
        work.input = inputs[rank];
        work.gradient = gradient_.defined() ? gradient_.clone() : inputs[rank].clone();
        work.output = at::full_like(inputs[rank], unwritten_);
        work.momentum = momentum_.empty() ? at::Tensor() : momentum_[rank];
        const auto status = kernels::measure(work.input.const_data_ptr<float>(), work.input.numel(),
                                             work.norms, {});
        EXPECT_TRUE(status.ok) << status.message;
        works.push_back(std::move(work));
    }
    return works;
}

std::vector<at::Tensor> CompressorRanks::encode(int phase,
                                                const PhasePlan& plan,
                                                std::vector<LayerWork>& works) {
    std::vector<at::Tensor> payloads;
    std::vector<std::int64_t> rowBytes;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const std::int64_t room = plan.isVariable() ? plan.capacityBytes : plan.payloadBytes;
        at::Tensor payload = at::full({room}, unwritten_, at::kByte);
        ranks_[rank]->encode(phase, works[rank], payload);
        if (plan.isVariable()) {
            const std::int64_t written = works[rank].writtenBytes;
            EXPECT_TRUE(written >= 0 && written % 4 == 0 && written <= room) << written;
            payload = payload.narrow(0, 0, written);
            rowBytes.push_back(written);
        }
        payloads.push_back(payload);
    }
    for (LayerWork& work : works) {
        work.rowBytes = rowBytes;
    }
    return payloads;
}

at::Tensor CompressorRanks::step(const LevelPlan& plan,
                                 const Shape& shape,
                                 std::vector<at::Tensor>& inputs,
                                 std::int64_t step,
                                 int layer) {
    std::vector<LayerWork> works = worksOf(plan, shape, inputs, step, layer);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        LayerWork* const work = &works[rank];
        ranks_[rank]->prepare({&work, 1});
    }
    sent_.clear();
    for (int phase = 0; phase < static_cast<int>(plan.phases().size()); ++phase) {
        const PhasePlan& phasePlan = plan.phases()[static_cast<std::size_t>(phase)];
        const std::vector<at::Tensor> payloads = encode(phase, phasePlan, works);
        sent_.push_back(payloads[0]);
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            works[rank].gradient.reset();  // only promised until the end of the first encode()
            ranks_[rank]->decode(phase, works[rank],
                                 combine(phasePlan.reduction, payloads, unwritten_));
        }
    }
    for (const auto& rank : ranks_) {
        rank->commit();
    }
    for (const LayerWork& work : works) {
        EXPECT_TRUE(sameBits(work.output, works[0].output)) << "ranks decoded different means";
    }
    return works[0].output;
}

LevelPlan planOf(const std::string& name,
                 const Shape& shape,
                 const Settings& level,
                 const Settings& options) {
    const CompressorDescriptor& compressor = descriptorOf(name);
    const Settings full = over(defaultsOf(compressor.levelParameters), level);
    return {compressor.plan(shape, full, optionsOf(name, options)), full};
}

namespace {

Settings with(const std::string& key, Value value) { return {{key, std::move(value)}}; }

/// Other values of a parameter: every other choice, the other truth, two more, half.
std::vector<Settings> othersOf(const Parameter& parameter, const Value& usual) {
    std::vector<Settings> others;
    for (const std::string& choice : parameter.choices) {
        if (Value(choice) != usual) {
            others.push_back(with(parameter.name, choice));
        }
    }
    if (const auto* truth = std::get_if<bool>(&usual)) {
        others.push_back(with(parameter.name, !*truth));
    } else if (const auto* real = std::get_if<double>(&usual)) {
        others.push_back(with(parameter.name, *real / 2));
    } else if (const auto* whole = std::get_if<std::int64_t>(&usual)) {
        const auto least = static_cast<std::int64_t>(parameter.min.value_or(0));
        others.push_back(with(parameter.name, *whole == least ? least + 2 : least));
    }
    return others;
}

std::vector<Settings> levelsOf(const CompressorDescriptor& compressor) {
    std::vector<Settings> levels = compressor.defaultLevels;
    const Settings first = over(defaultsOf(compressor.levelParameters), levels.front());
    for (const Parameter& parameter : compressor.levelParameters) {
        for (const Settings& other : othersOf(parameter, first.at(parameter.name))) {
            levels.push_back(over(first, other));
        }
    }
    return levels;
}

}  // namespace

std::vector<Settings> optionsToWalk(const std::string& name) {
    std::vector<Settings> all{{}};
    for (const Parameter& option : descriptorOf(name).options) {
        const std::vector<Settings> others = othersOf(option, option.defaultValue);
        all.insert(all.end(), others.begin(), others.end());
    }
    return all;
}

std::vector<LevelPlan> plansToWalk(const std::string& name,
                                   const Shape& shape,
                                   const Settings& options) {
    const CompressorDescriptor& compressor = descriptorOf(name);
    std::vector<LevelPlan> plans;
    for (const Settings& level : levelsOf(compressor)) {
        LevelPlan plan = planOf(name, shape, level, options);
        const bool isAllowed = compressor.conflicts == nullptr ||
                               compressor.conflicts(plan.level, optionsOf(name, options)).empty();
        if (isAllowed && !plan.plan.dense) {
            plans.push_back(std::move(plan));
        }
    }
    return plans;
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
