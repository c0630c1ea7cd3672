// SPDX-License-Identifier: Apache-2.0
#include "core/comm/layer_table.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/compress/dispatch.h"
#include "kernels/accumulate.h"

namespace concertina {

namespace {

/// One limit for all compressors, also for those that send no indices; what goes dense has none.
void refuseTooLarge(const Layer& layer) {
    const std::int64_t elements = elementsOf(layer.shape);
    const bool isCompressed = std::any_of(layer.plans.begin(), layer.plans.end(),
                                          [](const BytePlan& plan) { return !plan.dense; });
    if (isCompressed && elements > kMostElements) {
        throw Error(ErrorKind::Usage, "layer " + layer.name + " has " + std::to_string(elements) +
                                          " elements, but a compressor takes at most " +
                                          std::to_string(kMostElements) + " in one tensor");
    }
}

}  // namespace

std::vector<Layer> makeLayers(const RunSpec& spec,
                              const std::vector<std::string>& names,
                              const std::vector<at::Tensor>& parameters,
                              int worldSize) {
    const CompressorDescriptor* compressor = findCompressor(spec.compress.name);
    CONCERTINA_CHECK(compressor != nullptr, spec.compress.name);
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        Layer layer;
        layer.name = names[i];
        layer.shape = parameters[i].sizes().vec();
        layer.compressible = layer.shape.size() >= 2;
        for (const Settings& level : spec.levels) {
            layer.plans.push_back(
                planLayer(*compressor, layer.shape, level, spec.compress.options, worldSize));
        }
        refuseTooLarge(layer);
        layers.push_back(std::move(layer));
    }
    return layers;
}

double epochNorm(const Layer& layer) {
    if (!layer.epochSum.defined()) {
        return 0;
    }
    kernels::Norms norms;
    check(kernels::measure(layer.epochSum.const_data_ptr<float>(), layer.epochSum.numel(), norms,
                           streamOf(layer.epochSum)));
    return std::sqrt(norms.squares);
}

}  // namespace concertina
