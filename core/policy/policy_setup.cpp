// SPDX-License-Identifier: Apache-2.0
#include "core/policy/policy_setup.h"

namespace concertina {

std::vector<Decision> PolicySetup::decideAll(int epoch, int level, Reason reason) const {
    std::vector<Decision> decisions;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        if (layers[layer].compressible) {
            decisions.push_back({.epoch = epoch,
                                 .layer = static_cast<int>(layer),
                                 .level = level,
                                 .reason = reason});
        }
    }
    return decisions;
}

}  // namespace concertina
