// SPDX-License-Identifier: Apache-2.0
// What a compressor says of keys that do not go together, as texts to compare with.
#pragma once
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"

namespace concertina {

/// "key: sentence" of each. REQUIRES: a compressor that has conflicts.
inline std::vector<std::string> conflictsOf(const char* compressor,
                                            const Settings& level,
                                            const Settings& options) {
    std::vector<std::string> texts;
    for (const auto& [key, sentence] : findCompressor(compressor)->conflicts(level, options)) {
        texts.push_back(key + ": " + sentence);
    }
    return texts;
}

}  // namespace concertina
