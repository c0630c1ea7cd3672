// SPDX-License-Identifier: Apache-2.0
#include "app/did_you_mean.h"

#include "core/base/text.h"

namespace concertina {

std::string didYouMean(const std::string& word, std::span<const std::string> known) {
    std::string nearest;
    std::size_t least = 3;
    for (const std::string& name : known) {
        const std::size_t distance = editDistance(word, name);
        if (distance < least && distance < word.size()) {
            least = distance;
            nearest = name;
        }
    }
    return nearest.empty() ? std::string() : "; did you mean " + nearest + "?";
}

}  // namespace concertina
