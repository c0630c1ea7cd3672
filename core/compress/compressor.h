// SPDX-License-Identifier: Apache-2.0
// Compressor: turns one tensor into payloads and the combined payloads back into the mean over
// ranks. Called on the communication thread only. State (warm-started factors) is kept per layer
// inside the compressor, never per bucket: buckets are rebuilt. How many bytes a phase hands over
// is the catalogue's plan(); the pipeline allots exactly that.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/spec/run_spec.h"

namespace concertina {

/// A compressor's view of one layer in one step. All tensors are on the run's device.
struct LayerWork {
    int layer;              // index among the model's parameters: the key of state
    const Shape* shape;     // dim >= 2; as a matrix (n, m) by matrixOf
    const Settings* level;  // of this step; may differ from the last step's
    const BytePlan* plan;   // not dense
    std::int64_t step;      // optimizer steps since the run began
    at::Tensor input;  // (n*m) fp32: gradient plus error memory. Finite. After the last decode() it
                       // holds the residual: input minus what this rank contributed to the mean
                       // (the next error memory)
    at::Tensor output;  // (n*m) fp32: receives the mean over ranks in the last decode(); all of it
                        // is written
};

struct RankInfo {
    int rank = 0, worldSize = 1;
    std::uint64_t seed = 1;
};

class Compressor {
 public:
    virtual ~Compressor() = default;
    /// Writes phase `phase` of plan->phases into `payload`: uint8, plan->phases[phase].payloadBytes
    /// long (a multiple of 4: plans round up) and 4-byte aligned, because the segments of a
    /// bucket's layers travel packed back to back, without padding that nobody's formula counts.
    /// Sum phases write fp32 values. A layer's phases run in order, each encode followed by its
    /// decode.
    virtual void encode(int phase, LayerWork& work, const at::Tensor& payload) = 0;
    /// Takes the combined payload. Sum: uint8 like `payload`, fp32 sums over ranks (not means).
    /// Gather: uint8 (worldSize, payloadBytes), row r from rank r.
    virtual void decode(int phase, LayerWork& work, const at::Tensor& combined) = 0;
    /// State as named tensors ("layer3.q"), for checkpoints; load takes what save gave.
    virtual std::vector<std::pair<std::string, at::Tensor>> save() const { return {}; }
    virtual void load(const std::vector<std::pair<std::string, at::Tensor>>& state) {}
};

/// The compressor of a validated spec, never nullptr for a name in the catalogue.
std::unique_ptr<Compressor> makeCompressor(const Choice& compress, const RankInfo& info);
/// Names that have a factory; a contract test compares them with compressors() of the catalogue.
std::vector<std::string> compressorFactoryNames();

}  // namespace concertina
