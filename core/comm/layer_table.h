// SPDX-License-Identifier: Apache-2.0
// LayerTable: what the pipeline knows and counts per layer (one parameter tensor each, in the
// model's order). Filled once; levels change between steps (training thread), sums and bytes grow
// during steps (communication thread): never at the same time.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/spec/run_spec.h"

namespace concertina {

struct Layer {
    std::string name;
    Shape shape;
    bool compressible = false;    // dim >= 2
    std::vector<BytePlan> plans;  // by level, at this world size, mild first
    int level = 0;                // index into plans
    at::Tensor epochSum;  // (n) fp32: this rank's gradients of the epoch; undefined: not wanted

    // This epoch, of this rank, as handed to the collectives.
    std::int64_t payloadBytes = 0;
    double wireBytes = 0;

    const BytePlan& plan() const { return plans[static_cast<std::size_t>(level)]; }
};

/// What one compressed tensor may have: indices of elements travel as int32.
constexpr std::int64_t kMostElements = 2147483647;

/// Plans of every level for every parameter; an Error (Usage) that names a parameter with more than
/// kMostElements elements that some level compresses. REQUIRES: a validated spec.
std::vector<Layer> makeLayers(const RunSpec& spec,
                              const std::vector<std::string>& names,
                              const std::vector<at::Tensor>& parameters,
                              int worldSize);

/// l2 norm of an epoch's accumulated gradient (NaN or infinite when it is); 0 where none is kept.
double epochNorm(const Layer& layer);

}  // namespace concertina
