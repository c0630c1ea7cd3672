// SPDX-License-Identifier: Apache-2.0
// Ranks in one process: W compressors of one name, whose payloads are combined by hand as the
// collectives would do it. Used by the tests of core/compress and the contract test.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "core/compress/compressor.h"

namespace concertina {

/// A level and what it plans for one shape.
struct LevelPlan {
    LevelPlan(BytePlan bytes, Settings settings = {})  // NOLINT: a plan alone will often do
        : plan(std::move(bytes)), level(std::move(settings)) {}
    BytePlan plan;
    Settings level;
    const std::vector<PhasePlan>& phases() const { return plan.phases; }
};

class CompressorRanks {
 public:
    /// `options` over the compressor's defaults.
    CompressorRanks(const std::string& name,
                    int worldSize,
                    std::uint64_t seed = 1,
                    const Settings& options = {});

    /// One step of one layer, the error memory being part of `inputs`: inputs[rank] becomes the
    /// residual; returns the mean, after checking that it is the same bits on all ranks.
    at::Tensor step(const LevelPlan& plan,
                    const Shape& shape,
                    std::vector<at::Tensor>& inputs,
                    std::int64_t step = 0,
                    int layer = 0);

    /// Momentum tensors, one a rank, that the next steps hand to the compressors.
    void setMomentum(std::vector<at::Tensor> momentum) { momentum_ = std::move(momentum); }
    /// What the next steps' inputs hold besides error memory, on all ranks; until then all of them.
    void setGradient(at::Tensor gradient) { gradient_ = std::move(gradient); }
    /// What payloads and outputs hold before they are written. Bytes that are sent unwritten show
    /// where a world of another filling sends other ones.
    void setUnwritten(int byte) { unwritten_ = byte; }
    Compressor& rank(int index) { return *ranks_[index]; }
    /// What rank 0 sent in the last step, phase after phase.
    const std::vector<at::Tensor>& sent() const { return sent_; }

 private:
    std::vector<LayerWork> worksOf(const LevelPlan& plan,
                                   const Shape& shape,
                                   std::vector<at::Tensor>& inputs,
                                   std::int64_t step,
                                   int layer) const;
    std::vector<at::Tensor> encode(int phase, const PhasePlan& plan, std::vector<LayerWork>& works);

    std::vector<std::unique_ptr<Compressor>> ranks_;
    std::vector<at::Tensor> momentum_;
    at::Tensor gradient_;
    int unwritten_ = 0xEE;
    std::vector<at::Tensor> sent_;
};

/// Plan of a compressor's level, as the catalogue has it; level and options over the defaults.
LevelPlan planOf(const std::string& name,
                 const Shape& shape,
                 const Settings& level,
                 const Settings& options = {});

/// What a contract walks. Options: none given, and every option away from its default, one at a
/// time. Plans of a shape: of the default levels and of every parameter of a level away from the
/// mildest one, but for those that conflict and those that go dense, which compressors never see.
std::vector<Settings> optionsToWalk(const std::string& name);
std::vector<LevelPlan> plansToWalk(const std::string& name,
                                   const Shape& shape,
                                   const Settings& options);

/// (n*m) fp32, standard normal, the same for the same seed.
at::Tensor normalTensor(const Shape& shape, std::uint64_t seed);
/// Whole numbers in -limit..limit: sums of them are exact.
at::Tensor wholeTensor(const Shape& shape, int limit, std::uint64_t seed);

at::Tensor sumOf(const std::vector<at::Tensor>& tensors);
bool sameBits(const at::Tensor& a, const at::Tensor& b);
std::vector<at::Tensor> copiesOf(const std::vector<at::Tensor>& tensors);

}  // namespace concertina
