// SPDX-License-Identifier: Apache-2.0
// Names and shapes of what a compressor keeps per layer, as they stand in checkpoints: "layer3.v".
// Any thread.
#pragma once
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/compress/named_tensors.h"

namespace concertina {

/// `part` is what is kept, ".v".
inline std::string stateName(int layer, std::string_view part) {
    return "layer" + std::to_string(layer) + std::string(part);
}

/// 3 of "layer3.v"; an Error that names the compressor where it is no such name.
inline int layerOfState(const std::string& name, std::string_view part, const char* compressor) {
    int layer = -1;
    const char* end = name.data() + name.size();
    const auto [next, error] =
        std::from_chars(name.data() + std::min<std::size_t>(5, name.size()), end, layer);
    if (name.substr(0, 5) != "layer" || error != std::errc() ||
        std::string_view(next, end) != part) {
        throw Error(ErrorKind::Usage, "the checkpoint's " + std::string(compressor) +
                                          " state holds \"" + name + "\", not layerN" +
                                          std::string(part));
    }
    return layer;
}

/// The same, of a layer that `shapes` has and whose state is fp32.
inline int knownLayerOfState(const std::pair<std::string, at::Tensor>& state,
                             std::string_view part,
                             const char* compressor,
                             std::span<const Shape> shapes) {
    const int layer = layerOfState(state.first, part, compressor);
    if (layer < 0 || static_cast<std::size_t>(layer) >= shapes.size() ||
        state.second.scalar_type() != at::kFloat) {
        throw Error(ErrorKind::Usage,
                    "the checkpoint's " + std::string(compressor) + " state '" + state.first +
                        "' is " + describe(state.second.scalar_type(), state.second.sizes()) +
                        ", and the model has " + std::to_string(shapes.size()) + " layers");
    }
    return layer;
}

/// For state of another shape than the layer's.
[[noreturn]] inline void refuseStateShape(const std::pair<std::string, at::Tensor>& state,
                                          const char* compressor,
                                          const std::string& allowed) {
    throw Error(ErrorKind::Usage, "the checkpoint's " + std::string(compressor) + " state '" +
                                      state.first + "' is " +
                                      describe(state.second.scalar_type(), state.second.sizes()) +
                                      ", not " + allowed);
}

}  // namespace concertina
