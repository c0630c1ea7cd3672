// SPDX-License-Identifier: Apache-2.0
// Names of what a compressor keeps per layer, as they stand in checkpoints: "layer3.v". Any thread.
#pragma once
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "core/base/error.h"

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

}  // namespace concertina
