// SPDX-License-Identifier: Apache-2.0
// Compressor: turns one tensor into payloads and the combined payloads back into the mean over
// ranks. Called on the communication thread only. State (warm-started factors) is kept per layer
// inside the compressor, never per bucket: buckets are rebuilt. How many bytes a phase hands over
// is the catalogue's plan(); the pipeline allots exactly that.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/compress/named_tensors.h"
#include "core/spec/run_spec.h"
#include "kernels/accumulate.h"

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
    kernels::Norms norms;  // of input as it was given
    at::Tensor gradient;   // (n*m) fp32: what was added to the error memory in this step. Until the
                           // end of the first encode() only: it shares its memory with output
    at::Tensor momentum;   // (n*m) fp32: this rank's momentum, gradient included, which is kept for
                           // the next step; undefined unless momentum is applied before compression
    /// Of a variable phase: what encode() wrote, a multiple of 4, at most capacityBytes; at
    /// decode() what each rank wrote.
    std::int64_t writtenBytes = 0;
    std::vector<std::int64_t> rowBytes{};
};

struct RankInfo {
    int rank = 0, worldSize = 1;
    std::uint64_t seed = 1;
};

class Compressor {
 public:
    virtual ~Compressor() = default;
    /// Before the first encode() of a bucket, with all its compressed layers in order: for what
    /// needs to see them together (a threshold over layers). With wantsOneBucket() these are all
    /// compressed layers of the model.
    virtual void prepare(std::span<LayerWork* const> bucket) {}
    virtual bool wantsOneBucket() const { return false; }
    /// Writes phase `phase` of plan->phases into `payload`: uint8, plan->phases[phase].payloadBytes
    /// long (a multiple of 4: plans round up) and 4-byte aligned, because the segments of a
    /// bucket's layers travel packed back to back, without padding that nobody's formula counts.
    /// All of it is written. In a variable phase `payload` is capacityBytes long and the first
    /// work.writtenBytes of it are sent. Sum phases write values of their type, scaled so that no
    /// sum over ranks overflows where the mean does not. A layer's phases run in order, each encode
    /// followed by its decode.
    virtual void encode(int phase, LayerWork& work, const at::Tensor& payload) = 0;
    /// Takes the combined payload. Sum: uint8 like `payload`, sums over ranks (not means). Gather:
    /// uint8 (worldSize, payloadBytes), row r from rank r, rows at any stride; of a variable phase
    /// the first work.rowBytes[r] of row r are rank r's.
    virtual void decode(int phase, LayerWork& work, const at::Tensor& combined) = 0;

    // State: a step's encode() and decode() leave what was kept alone and prepare its successor.
    /// Between steps: all ranks agree that the step counts, so its state becomes the kept one.
    virtual void commit() {}
    /// Between steps: the step does not count. What is kept stays as it was before it.
    virtual void rollback() {}
    /// What is kept as named tensors ("layer3.q"), for checkpoints.
    virtual NamedTensors save() const { return {}; }
    /// Takes what save() gave, on the run's device; `shapes` by layer. Throws Error(Usage) for
    /// state that does not fit.
    virtual void load(const NamedTensors& state, std::span<const Shape> shapes);
};

/// The compressor of a validated spec, never nullptr for a name in the catalogue.
std::unique_ptr<Compressor> makeCompressor(const Choice& compress, const RankInfo& info);
/// Names that have a factory; a contract test compares them with compressors() of the catalogue.
std::vector<std::string> compressorFactoryNames();

}  // namespace concertina
